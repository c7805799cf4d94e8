"""A request to end, from the keyboard or the system, ends a run in one plain way."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM")
PATIENCE = 2.0
"""Seconds in which a repeated request is left alone, so that it does not stop the cleaning up.

After that it is made again without being asked: some libraries drop it while they load.
"""

SOON = 0.05
"""Seconds after which a request that is known to be lost is made again."""

HANDING_BACK = "numba.core.serialize"
"""Where numba turns results into Python objects."""


class Ending:
    """Whether the program was asked to end, and the asking itself."""

    def __init__(self) -> None:
        self.asked = False
        self._last = -PATIENCE

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Stop the run: called by the system when a signal arrives."""
        now = time.monotonic()
        if now - self._last < PATIENCE:
            return
        self.asked, self._last = True, now
        _ask_again(PATIENCE)
        caller = _caller_of_kernel(frame)
        if caller is None:
            raise KeyboardInterrupt
        caller.f_trace = _stop
        sys.settrace(_stop)

    def lost(self, unraisable: Any) -> None:
        """Ask again if the request was raised where Python drops exceptions.

        Any other dropped error is dropped without a word: its text may quote a cell.
        """
        if unraisable.exc_type is KeyboardInterrupt:
            self._last = -PATIENCE
            _ask_again(SOON)


def _ask_again(seconds: float) -> None:
    """Have the system send a signal after this time, or with 0 no more, where it can."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _caller_of_kernel(frame: FrameType | None) -> FrameType | None:
    """The frame to stop in, if a compiled kernel is about to hand its result back.

    numba does that in part by Python functions of its own, and crashes if one of them raises.
    """
    caller = None
    while frame is not None:
        if frame.f_globals.get("__name__") == HANDING_BACK:
            caller = frame.f_back
        frame = frame.f_back
    return caller


def _stop(frame: FrameType, event: str, argument: object) -> None:
    """Raise at the next line, as soon as the kernel's caller goes on."""
    if frame.f_trace is not None and frame.f_globals.get("__name__") != HANDING_BACK:
        sys.settrace(None)
        raise KeyboardInterrupt


def _nothing(number: int, frame: FrameType | None) -> None:
    """Do nothing about a signal."""


def _taken() -> dict[int, Any]:
    """The signals to take over, with who takes them now; one that is ignored stays ignored."""
    numbers = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    usual = (signal.SIG_DFL, signal.default_int_handler, _nothing)
    return {n: signal.getsignal(n) for n in numbers if signal.getsignal(n) in usual}


def let_end() -> None:
    """Have signals outside of a run do nothing: the program ends at once anyway, and in order."""
    for number in _taken():
        signal.signal(number, _nothing)


@contextmanager
def heeded() -> Iterator[Ending]:
    """Turn Ctrl-C, SIGTERM and SIGHUP into KeyboardInterrupt while the block runs.

    A signal that the caller ignores, as ``nohup`` does, stays ignored.
    """
    ending = Ending()
    if threading.current_thread() is not threading.main_thread():
        yield ending
        return
    taken = _taken()
    hook, sys.unraisablehook = sys.unraisablehook, ending.lost
    for number in taken:
        signal.signal(number, ending)
    try:
        yield ending
    finally:
        if ending.asked:
            _ask_again(0)
        sys.unraisablehook = hook
        for number, handler in taken.items():
            signal.signal(number, handler)
