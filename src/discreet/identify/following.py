"""A text file that grows while it is read."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path
from typing import Any


class Following(io.RawIOBase):
    """A text file that others still write to, line by line, until it rests for ``idle`` seconds.

    A last line without its end is held back: it may not be whole.
    """

    def __init__(self, path: str | os.PathLike[str], idle: float = 1.0, poll: float = 0.05) -> None:
        super().__init__()
        self._file = Path(path).open("rb", buffering=0)  # noqa: SIM115 - closed by close()
        self._idle, self._poll = idle, poll
        self._tail = b""
        self._ready = b""

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Whole lines as they come; 0 when the file has rested long enough."""
        waited = time.monotonic()
        while not self._ready:
            found = self._file.read(1 << 20)
            if found:
                waited = time.monotonic()
                whole, end, self._tail = (self._tail + found).rpartition(b"\n")
                self._ready = whole + end
            elif time.monotonic() - waited > self._idle:
                return 0
            else:
                time.sleep(self._poll)
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
        super().close()
