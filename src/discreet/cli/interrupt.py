"""A request to end, from the keyboard or the system, ends a run in one plain way."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
PATIENCE = 2.0
"""Seconds in which a repeated request is left alone, so that it does not stop the cleaning up."""

AGAIN = 0.05
"""Seconds after which a request that got lost is made once more."""


class Ending:
    """Whether the program was asked to end, and the asking itself."""

    def __init__(self) -> None:
        self.asked = False
        self._last = -PATIENCE

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Stop the run: called by the system when a signal arrives."""
        now = time.monotonic()
        if now - self._last >= PATIENCE:
            self.asked, self._last = True, now
            raise KeyboardInterrupt

    def lost(self, unraisable: Any) -> None:
        """Ask again if the request was raised where Python drops exceptions.

        Any other dropped error is dropped without a word: its text may quote a cell.
        """
        if unraisable.exc_type is KeyboardInterrupt:
            self._last = -PATIENCE
            threading.Timer(AGAIN, _thread.interrupt_main).start()


@contextmanager
def heeded() -> Iterator[Ending]:
    """Turn Ctrl-C, SIGTERM and SIGHUP into KeyboardInterrupt while the block runs.

    A signal that the caller ignores, as ``nohup`` does, stays ignored.
    """
    ending = Ending()
    if threading.current_thread() is not threading.main_thread():
        yield ending
        return
    numbers = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    usual = (signal.SIG_DFL, signal.default_int_handler)
    taken = {n: signal.getsignal(n) for n in numbers if signal.getsignal(n) in usual}
    hook, sys.unraisablehook = sys.unraisablehook, ending.lost
    for number in taken:
        signal.signal(number, ending)
    try:
        yield ending
    finally:
        sys.unraisablehook = hook
        for number, handler in taken.items():
            signal.signal(number, handler)
