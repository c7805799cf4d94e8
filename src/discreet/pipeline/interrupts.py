"""Ctrl-C in a Python program waits until compiled code has handed back its result."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def defer_interrupts() -> Iterator[Callable[[], None]]:
    """Hold an interruption back while the block runs; the function given raises it when called.

    numba hands results back through Python code of its own and can crash if that is interrupted. A
    program with its own handling of Ctrl-C, as the command line has, keeps it.
    """
    asked: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        asked.append(number)

    def check() -> None:
        if asked:
            raise KeyboardInterrupt

    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield check
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    check()
