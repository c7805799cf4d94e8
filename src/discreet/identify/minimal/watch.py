"""How far a search is, and when its time is up."""

from __future__ import annotations

import time
from collections.abc import Callable

Progress = Callable[[str, float | None], None]


class OutOfTime(Exception):
    """Ends a search from within."""


class Watch:
    """Tells how far the search is, and ends it when time is up."""

    def __init__(self, seconds: float | None, progress: Progress | None) -> None:
        self.until = None if seconds is None else time.monotonic() + seconds
        self.progress = progress
        self.found = self.looked = 0
        self.out = False

    def __call__(self, more: int) -> None:
        """So many sets more were looked at; raises `OutOfTime`."""
        self.looked += more
        if self.until is not None and time.monotonic() > self.until:
            self.out = True
            raise OutOfTime
        if self.progress is not None:
            self.progress(f"searching, {self.found:,} sets found, {self.looked:,} looked at", None)
