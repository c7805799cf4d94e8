"""The server's end of a child process: work is sent to it and awaited, and it can be ended.

Nothing but plain data comes back: an answer that names a class is refused, so the server loads
nothing of what the child works with, and the child cannot make it do anything.
"""

from __future__ import annotations

import asyncio
import io
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe
from typing import Any, Concatenate, ParamSpec, TypeVar

from discreet.display import dataclass
from discreet.errors import DiscreetError, InternalError
from discreet.web.child import Held

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE = 0.8
"""Seconds that a child has to end cancelled work before it is ended itself."""


class WorkError(DiscreetError):
    """The child refused a piece of work; the message is the one of the command line.

    ``family`` is the name of the error's class, such as ``PolicyError``.
    """

    def __init__(self, message: str, family: str = "") -> None:
        self.family = family
        super().__init__(message)


class LostError(WorkError):
    """The child ended although nobody asked it to."""


class CancelledWorkError(WorkError):
    """The work was cancelled; nothing was written."""


@dataclass(eq=False)
class _Asked:
    """A piece of work that was sent, and who waits for it."""

    future: asyncio.Future[Any]
    progress: Callable[[dict[str, Any]], None] | None
    cancelled: bool = False


class Worker:
    """One child process; it starts with the first piece of work.

    ``lost`` is called when the child ends by itself, with what it was told to do not done. `first`
    is what every later child begins with, so that it holds what the one before it held.
    """

    def __init__(self, files: Sequence[int] = (), lost: Callable[[], None] | None = None) -> None:
        self.files, self.lost = tuple(files), lost
        self.first: tuple[Callable[..., Any], tuple[Any, ...]] | None = None
        self.asked: dict[int, _Asked] = {}
        self._number = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None

    @property
    def is_running(self) -> bool:
        """Whether there is a child."""
        return self._process is not None and self._process.poll() is None

    @property
    def process_id(self) -> int | None:
        """The number of the child's process."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Start the child, if there is none."""
        if self.is_running:
            return
        if self._process is not None:
            self._note_end()
        ours, theirs = Pipe()
        environment = {**os.environ, "DISCREET_DEBUG": ""}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "discreet.web.child", str(theirs.fileno())],
            pass_fds=(theirs.fileno(), *self.files),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,  # libraries quote cells in what they write there
            start_new_session=True,  # Ctrl-C ends the server, and that ends the child
            env=environment,
        )
        theirs.close()
        self._pipe = ours
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(ours, loop), daemon=True).start()
        if self.first is not None:
            self.send("run", *self.first)

    def _listen(self, pipe: Connection, loop: asyncio.AbstractEventLoop) -> None:
        """Hand on what the child says, until it ends."""
        while True:
            try:
                message = _read_plain(pipe.recv_bytes())
            except (EOFError, OSError, pickle.UnpicklingError):
                message = None
            with suppress(RuntimeError):  # the loop may have ended before the child
                loop.call_soon_threadsafe(self._hear, pipe, message)
            if message is None:
                pipe.close()
                return

    def _hear(self, pipe: Connection, message: tuple[str, int, Any] | None) -> None:
        if pipe is not self._pipe:  # a child that was ended before
            return
        if message is None:
            self._note_end()
            return
        kind, number, value = message
        asked = self.asked.get(number)
        if asked is None:
            return
        if kind == "progress":
            if asked.progress is not None:
                asked.progress(value)
            return
        del self.asked[number]
        if asked.future.done():
            return
        if kind == "done":
            asked.future.set_result(value)
        elif kind == "cancelled":
            asked.future.set_exception(CancelledWorkError(""))
        else:
            asked.future.set_exception(WorkError(value["message"], value["family"]))

    def _note_end(self) -> None:
        """The child has ended: as it was told to, or by itself."""
        is_asked = any(one.cancelled for one in self.asked.values())
        self._forget(CancelledWorkError("") if is_asked else LostError(""))
        if self.lost is not None and not is_asked:
            self.lost()

    def _forget(self, error: WorkError) -> None:
        """Let go of the child; whoever waits for it hears of the error."""
        process, self._process, self._pipe = self._process, None, None
        waiting, self.asked = self.asked, {}
        for one in waiting.values():
            if not one.future.done():
                one.future.set_exception(error)
        if process is not None:
            process.kill()
            process.wait()

    def end(self) -> None:
        """End the child now; its work is not done."""
        self._forget(CancelledWorkError(""))

    async def ask(
        self,
        function: Callable[Concatenate[Held, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Let the child do something after what it does already."""
        if kwargs:
            raise InternalError("the child was sent an argument by name")
        found: T = await self.send("run", function, args).future
        return found

    async def edit(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Let the child change a text now, whatever else it does; takes no table."""
        if kwargs:
            raise InternalError("the child was sent an argument by name")
        found: T = await self.send("edit", function, args).future
        return found

    def send(
        self,
        kind: str,
        function: Callable[..., Any],
        args: Sequence[Any],
        progress: Callable[[dict[str, Any]], None] | None = None,
    ) -> _Asked:
        """Send a piece of work; the future that comes back holds its number as well."""
        self.start()
        assert self._pipe is not None
        self._number += 1
        asked = _Asked(asyncio.get_running_loop().create_future(), progress)
        asked.future.add_done_callback(_note_error)
        self.asked[self._number] = asked
        name = f"{function.__module__}:{function.__qualname__}"
        try:
            self._pipe.send((kind, self._number, name, tuple(args)))
        except OSError:
            self._note_end()
        return asked

    async def cancel(self, asked: _Asked) -> None:
        """End a piece of work within a second, if need be with the child."""
        number = next((key for key, one in self.asked.items() if one is asked), None)
        if number is None or self._pipe is None:
            return
        asked.cancelled = True
        with suppress(OSError):
            self._pipe.send(("cancel", number, "", ()))
        await asyncio.wait([asked.future], timeout=PATIENCE)
        if not asked.future.done():
            self.end()


def _note_error(future: asyncio.Future[Any]) -> None:
    """Hear of an error that nobody waits for any more."""
    if not future.cancelled():
        future.exception()


class _Plain(pickle.Unpickler):
    """Reads plain data, and refuses whatever names a class."""

    def find_class(self, module_name: str, global_name: str, /) -> Any:
        raise pickle.UnpicklingError


def _read_plain(message: bytes) -> tuple[str, int, Any]:
    found: tuple[str, int, Any] = _Plain(io.BytesIO(message)).load()
    return found
