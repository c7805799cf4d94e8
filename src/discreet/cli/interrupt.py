"""A request to end, from the keyboard or the system, ends the program at once and in order."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Any, NoReturn

from discreet.cli.failure import explain, format_error_json

NAMES = ("SIGINT", "SIGTERM", "SIGHUP")

state: dict[str, Any] = {}
"""What the command under way has done so far; see :func:`discreet.cli.failure.explain`."""


_started = 0
"""The process that speaks and cleans up; its forks do neither."""


def end_when_asked() -> None:
    """From now on Ctrl-C, SIGTERM and SIGHUP end the program with one plain line and code 2.

    Nothing is raised: compiled code and libraries reword, drop or crash on an exception that comes
    from outside. All that has to be undone is an unfinished file or table, and that is done here.
    A signal that the caller ignores, as ``nohup`` does, stays ignored.
    """
    global _started
    _started = os.getpid()
    for name in NAMES:
        number = getattr(signal, name)
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end_program)


def _end_program(number: int, frame: FrameType | None) -> NoReturn:
    if os.getpid() != _started:  # a fork that has not yet made its own arrangements
        os._exit(2)
    for name in ("discreet.table.atomic", "discreet.engines.spark"):
        if name in sys.modules:
            sys.modules[name].discard_unfinished()
    line = "\r\x1b[K" if os.isatty(2) else ""
    asked = KeyboardInterrupt()
    message = explain(asked, state)
    with suppress(OSError):  # its reader may have ended too
        os.write(2, f"{line}discreet: {message}\n".encode(errors="replace"))
    if state.get("json") and not state.get("printed"):
        with suppress(OSError):
            os.write(1, f"{format_error_json(asked, message, state)}\n".encode(errors="replace"))
    os._exit(2)
