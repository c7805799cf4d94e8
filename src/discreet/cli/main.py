"""The command ``discreet``: loads what it needs only when it can be interrupted."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from discreet.cli.app import COMMANDS, app

__all__ = ["COMMANDS", "app", "main"]


def main() -> None:
    """Run the command that the shell calls ``discreet``.

    Ends the process at once: everything is written and closed by then, and taking the interpreter
    down piece by piece only costs time and lets libraries complain on standard error.
    """
    _end_without_a_word()
    _keep_freed_memory()
    from discreet.cli import interrupt
    from discreet.cli.app import Unneeded, app
    from discreet.cli.output import open_streams

    interrupt.end_when_asked()
    open_streams()
    sys.meta_path.insert(0, Unneeded)
    code = app(standalone_mode=False)
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _end_without_a_word() -> None:
    """While the program loads, Ctrl-C ends it as the system does: a shell sees code 130.

    Python would show where it was. Nothing is under way yet that would have to be undone.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _keep_freed_memory() -> None:
    """Let Arrow take memory from the C library, which keeps what is freed for the next batch.

    Arrow's own choice gives it back to the system and asks for it again, page by page: some three
    of 21 seconds at ten million rows.
    """
    if sys.platform == "linux":
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


def __getattr__(name: str) -> Any:
    """The commands, loaded when somebody other than the shell asks for them."""
    if name not in __all__:
        raise AttributeError(f"module 'discreet.cli.main' has no attribute '{name}'")
    from discreet.cli import app as commands

    return getattr(commands, name)
