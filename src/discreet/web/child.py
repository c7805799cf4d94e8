"""The child process of one open file: holds the table and what was counted, and does the work.

It is started by :mod:`discreet.web.worker` with one end of a pipe, does what it is told one after
the other, and ends with the pipe. What changes only a text is answered between times, so that a
policy can be edited while a search runs. Answers are plain data, nothing else passes the pipe.
"""

from __future__ import annotations

import os
import queue
import shutil
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import field
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.display import dataclass
from discreet.errors import DiscreetError, describe_failure

try:
    import resource
except ImportError:  # a system that writes none
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from discreet.table.table import Table

PATIENCE = 0.4
"""Seconds that work has to end by itself once it is cancelled."""
PAUSE = 0.05
"""Seconds between two reports of progress."""
MEMORY = Path("/dev/shm")
"""Where files are in memory and not on disk."""


class CancelledError(Exception):
    """Raised in work that was cancelled, by its next report of progress."""


@dataclass(eq=False)
class Held:
    """What the child holds between two pieces of work: the table, and what was found out about it.

    ``read`` opens the table of the child before this one. ``progress`` is the listener of the work
    under way, to be handed on to public functions.
    """

    table: Table | None = None
    read: Callable[[], Table] | None = None
    found: dict[Any, Any] = field(default_factory=dict, repr=False)
    progress: Callable[..., None] = lambda step, share=None: None

    def find(self, key: Any, make: Callable[[], Any]) -> Any:
        """What was found before under a key; else what ``make`` gives."""
        if key not in self.found:
            self.found[key] = make()
        return self.found[key]

    @property
    def open_table(self) -> Table:
        """The table; there is one as soon as a file is open."""
        if self.table is None and self.read is not None:
            self.table = self.read()
        if self.table is None:
            raise DiscreetError("no file is open", "", "Open one first.")
        return self.table


class Child:
    """Hears what to do on one thread, and does it on the main one."""

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.sending = threading.Lock()
        self.waiting: queue.SimpleQueue[tuple[int, str, tuple[Any, ...]]] = queue.SimpleQueue()
        self.cancelled: set[int] = set()
        self.current = 0
        self.held = Held()
        self.server = os.getppid()

    def run(self) -> None:
        """Work until the pipe ends."""
        threading.Thread(target=self.listen, daemon=True).start()
        while True:
            self.do(*self.waiting.get())

    def listen(self) -> None:
        """Hear of new work; edits are done here and now."""
        while True:
            try:
                kind, number, name, args = self.pipe.recv()
            except (EOFError, OSError):
                discard_folders(self.server)
                _end()
            if kind == "cancel":
                self.cancelled.add(number)
                threading.Timer(PATIENCE, self.end_unless_done, (number,)).start()
            elif kind == "edit":
                self.answer(number, partial(_edit, name, args))
            else:
                self.waiting.put((number, name, args))

    def end_unless_done(self, number: int) -> None:
        """End the whole process where cancelled work does not end by itself."""
        if self.current == number:
            _end()

    def do(self, number: int, name: str, args: tuple[Any, ...]) -> None:
        """One piece of work."""
        self.current = number
        self.held.progress = self.watch(number)
        self.answer(number, lambda: find_function(name)(self.held, *args))
        self.current = 0

    def watch(self, number: int) -> Callable[..., None]:
        """A listener that reports progress, now and then, and ends work that was cancelled."""
        last, before = 0.0, ""

        def progress(step: str, share: float | None = None) -> None:
            nonlocal last, before
            if number in self.cancelled:
                raise CancelledError
            now, phase = time.monotonic(), step.partition(",")[0]
            if now - last < PAUSE and phase == before:
                return
            last, before = now, phase
            figures = {
                name: getattr(step, name, None)
                for name in ("checked", "best", "bound", "gap", "measure")
            }
            self.send("progress", number, {"step": str(step), "share": share, **figures})

        return progress

    def answer(self, number: int, work: Callable[[], Any]) -> None:
        """Do something, and send what it gives or why it failed."""
        try:
            value = work()
        except CancelledError:
            self.send("cancelled", number, None)
        except DiscreetError as error:
            self.send("failed", number, {"message": str(error), "family": name_family(error)})
        except Exception as error:  # noqa: BLE001 - its text may quote a cell, and goes nowhere
            told = describe_failure(error)
            self.send("failed", number, {"message": told, "family": "internal"})
        else:
            self.send("done", number, value)

    def send(self, kind: str, number: int, value: Any) -> None:
        """One message; whoever has nobody to send it to has nothing left to do."""
        with self.sending:
            try:
                self.pipe.send((kind, number, value))
            except OSError:
                _end()


def find_function(name: str) -> Callable[..., Any]:
    """A function by ``module:name``, loaded now; only those of this package are asked for."""
    module, _, own = name.partition(":")
    function: Callable[..., Any] = getattr(import_module(module), own)
    return function


def _edit(name: str, args: tuple[Any, ...]) -> Any:
    return find_function(name)(*args)


def name_family(error: DiscreetError) -> str:
    """The class of an error, for a screen that has an answer to it."""
    return type(error).__name__


def _end() -> None:
    """End at once, and leave no unfinished file."""
    atomic = sys.modules.get("discreet.table.atomic")
    if atomic is not None:
        atomic.discard_unfinished()
    os._exit(0)


def name_folder(process: int) -> str:
    """How names of folders begin that the server of this process has in memory."""
    return f"discreet-{process}-"


def discard_folders(process: int) -> None:
    """Remove what a server that was ended by force had in memory."""
    for path in MEMORY.glob(f"{name_folder(process)}*"):
        shutil.rmtree(path, ignore_errors=True)


def forbid_dumps() -> None:
    """Let no crash write the memory of this process, which has private rows, to a disk."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    forbid_dumps()
    Child(Connection(int(sys.argv[1]))).run()
