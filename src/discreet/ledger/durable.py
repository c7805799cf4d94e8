"""Lines that last through a power cut."""

from __future__ import annotations

import os
from contextlib import suppress


def append(file: int, text: str) -> None:
    """Add text at the end of an open file and wait until it is on disk, or leave it as it was."""
    size, left = os.fstat(file).st_size, text.encode()
    try:
        while left:
            left = left[os.write(file, left) :]
        os.fsync(file)
    except BaseException:
        with suppress(OSError):
            os.ftruncate(file, size)
        raise
