"""One open file of one tab: the policy is its only state, kept in memory with all earlier texts.

A workspace is found by its name in the path, so a reload shows what was there, and two tabs do not
disturb each other. What the child process holds can be made anew from the file and the policy, so
losing the child loses nothing but the work under way.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shlex
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from discreet.display import dataclass
from discreet.errors import DiscreetError
from discreet.web import policy_work, table_work
from discreet.web.child import Held
from discreet.web.policy_work import Edit
from discreet.web.worker import CancelledWorkError, LostError, Worker, WorkError

P = ParamSpec("P")
T = TypeVar("T")

MOST_WORKSPACES = 12
"""Open files at a time; each has a process of its own."""
MOST_STEPS = 500
"""Changes of a policy that can be undone."""

Reading = dict[str, Any]
"""A policy as :func:`discreet.web.policy_work.read_text` reads it: text, data, roles, problems."""

EMPTY: Reading = {"text": "", "data": {}, "roles": {}, "problems": []}


class BusyError(DiscreetError):
    """Another piece of work is under way, and there is one at a time."""

    def __init__(self) -> None:
        super().__init__("", "other work is under way", "Cancel it or wait for its end.")


@dataclass(eq=False)
class Job:
    """Long work of a workspace, with its progress; `state` says how it stands.

    `progress` has ``step``, ``share`` and, while searching, ``checked``, ``best``, ``bound`` and
    ``gap``. `screen` is the one that shows it.
    """

    name: str
    screen: str
    state: str = "running"
    progress: dict[str, Any] = field(default_factory=dict)
    result: Any = field(default=None, repr=False)
    message: str = ""
    started: float = field(default_factory=time.monotonic)
    ended: float | None = None

    @property
    def seconds(self) -> float:
        """How long it has been at work."""
        return (self.ended or time.monotonic()) - self.started


class History:
    """The texts of a policy, one after the other, and the one that counts now."""

    def __init__(self) -> None:
        self.steps: list[Reading] = [EMPTY]
        self.place = 0

    @property
    def current(self) -> Reading:
        """The text that counts now."""
        return self.steps[self.place]

    @property
    def before(self) -> Reading | None:
        """The text before the last change."""
        return self.steps[self.place - 1] if self.place else None

    @property
    def can_undo(self) -> bool:
        """Whether there is an earlier text."""
        return self.place > 0

    @property
    def can_redo(self) -> bool:
        """Whether there is a later text, undone before."""
        return self.place + 1 < len(self.steps)

    def begin(self, reading: Reading) -> None:
        """Forget all texts; start with this one."""
        self.steps, self.place = [reading], 0

    def add(self, reading: Reading) -> None:
        """A new text; what was undone is gone."""
        if reading["text"] == self.current["text"]:
            return
        self.steps = [*self.steps[: self.place + 1], reading][-MOST_STEPS:]
        self.place = len(self.steps) - 1

    def undo(self) -> None:
        """Back to the text before."""
        self.place = max(self.place - 1, 0)

    def redo(self) -> None:
        """Forward to the text that was undone."""
        self.place = min(self.place + 1, len(self.steps) - 1)


class Workspace:
    """A file that is open in a tab, its policy and its child process: ``worker``, or a new one.

    `opened` are the facts of the table (see :func:`discreet.web.table_work.open_table`), None until
    one is open. `kept` is for screens: what they remember and what is not in the policy, such as
    pinned nodes, under their names. `openings` counts the tables that were opened.
    """

    def __init__(self, name: str, worker: Worker | None = None) -> None:
        self.name = name
        self.language: str | None = None
        self.history = History()
        self.policy_file, self.policy_folder = "policy.yaml", str(Path.cwd())
        self.source: dict[str, Any] | None = None
        self.opened: dict[str, Any] | None = None
        self.job: Job | None = None
        self.kept: dict[str, Any] = {}
        self.is_lost = False
        self.used = time.monotonic()
        self.openings = 0
        self._worker = worker or Worker()
        self._worker.lost = self._note_loss
        self._asked: Any = None
        self._task: asyncio.Task[None] | None = None
        self._risks: dict[tuple[str, ...], asyncio.Task[dict[str, Any]]] = {}
        self._memory: int | None = None

    def touch(self) -> None:
        """Note that somebody uses it."""
        self.used = time.monotonic()

    @property
    def state(self) -> tuple[object, ...]:
        """What a page shows; the same as long as nothing has changed."""
        job = self.job
        return id(self.opened), self.history.place, job and (id(job), job.state)

    # The policy

    @property
    def reading(self) -> Reading:
        """The policy as it is now: its text, what it says, its problems."""
        return self.history.current

    @property
    def quasi(self) -> tuple[str, ...]:
        """The columns of the table that the policy calls quasi, in the order of the table."""
        roles = self.reading["roles"]
        columns = self.opened["columns"] if self.opened else ()
        return tuple(name for name in columns if roles.get(name) == "quasi")

    async def change(self, *edits: Edit, strictly: bool = False) -> None:
        """Edit the policy, as one step to undo; strictly: refuse what makes a problem."""
        found = await self._worker.edit(
            policy_work.edit_strictly if strictly else policy_work.edit_text,
            self.reading["text"],
            self.policy_file,
            self.policy_folder,
            [tuple(one) for one in edits],
        )
        self.history.add(found)

    async def change_text(self, text: str) -> None:
        """Put another text in the place of the policy, as one step to undo."""
        self.history.add(await self._read_text(text))

    async def load_policy(self, path: str) -> None:
        """Take the policy of a file, as one step to undo."""
        found = await self._worker.edit(policy_work.load_text, path)
        self.policy_file, self.policy_folder = found.pop("file"), found.pop("folder")
        self.history.add(found)

    async def save_policy(self, path: str, replace: bool) -> str:
        """Write the policy to a file; gives the path."""
        return await self._worker.edit(
            policy_work.save_text,
            *(self.reading["text"], self.policy_file, self.policy_folder, path, replace),
        )

    async def _read_text(self, text: str) -> Reading:
        return await self._worker.edit(
            policy_work.read_text, text, self.policy_file, self.policy_folder
        )

    @property
    def policy_path(self) -> str:
        """The policy's file as a command names it: with its folder, if that is another one."""
        if Path(self.policy_folder) == Path.cwd():
            return self.policy_file
        return str(Path(self.policy_folder) / self.policy_file)

    @property
    def command(self) -> str:
        """The command that makes the release of this file and policy."""
        source = self.source or {}
        sample = f"discreet-demo/{table_work.SAMPLE}"
        file = source.get("path") or source.get("name") or sample
        words = ["discreet", "anonymize", file]
        for option in table_work.OPTIONS:
            if source.get(option):
                words += [f"--{option}", source[option]]
        words += ["--header"] if source.get("header") else []
        name = Path(file).name.partition(".")[0] or "table"
        return shlex.join([*words, "--policy", self.policy_path, "-o", f"{name}_release.csv"])

    # The table

    def warm_up(self) -> None:
        """Let the child load what it needs, while somebody looks for a file."""
        self._worker.send("run", table_work.load_libraries, ())

    async def open(
        self, source: dict[str, Any], policy: str | None = None, memory: int | None = None
    ) -> None:
        """Open a table in a new child; when it cannot be, all is as it was.

        ``policy`` is the path of one to go on with; else the policy is the one that the columns
        suggest. ``memory`` is an open file in memory that the child reads; it is closed when the
        table is, or when it cannot be opened.
        """
        fresh = self.opened is not None or memory is not None
        files = () if memory is None else (memory,)
        worker = Worker(files, self._note_loss) if fresh else self._worker
        try:
            opened = await worker.ask(table_work.open_table, source)
            folder, file = str(Path.cwd()), "policy.yaml"
            if policy:
                reading = await worker.edit(policy_work.load_text, policy)
                file, folder = reading.pop("file"), reading.pop("folder")
            else:
                reading = await worker.edit(policy_work.read_text, opened["policy"], file, folder)
        except (DiscreetError, asyncio.CancelledError) as error:
            if fresh or isinstance(error, asyncio.CancelledError):
                worker.end()
            _close_file(memory)
            raise
        if fresh:
            self._let_go()
        self._worker, self._memory = worker, memory
        self.openings += 1
        worker.first = (table_work.reopen_table, (source,))
        self.source, self.opened, self.is_lost = source, opened, False
        self.policy_file, self.policy_folder = file, folder
        self.history.begin(reading)

    def start_opening(
        self, source: dict[str, Any], policy: str | None = None, memory: int | None = None
    ) -> Job:
        """Open a table as work that can be watched and cancelled."""
        self.refuse_second()
        self.job = job = Job("opening", "open")
        self._asked = None
        self._task = asyncio.ensure_future(self._finish(job, self.open(source, policy, memory)))
        return job

    async def ask(
        self, function: Callable[Concatenate[Held, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Let the child do something short with the table; raises what it refuses."""
        return await self._worker.ask(function, *args, **kwargs)

    def _note_loss(self) -> None:
        self.is_lost = True

    # Risk, always in view

    async def find_risk(self, wait: float = 0.0) -> dict[str, Any] | None:
        """The risk by the quasi columns as found; None while it is still counted."""
        quasi = self.quasi
        if self.opened is None or not quasi:
            return None
        task = self._risks.get(quasi)
        if task is None or (task.done() and _has_failed(task)):
            self._risks = dict(list(self._risks.items())[-50:])
            if self.has_to_wait:
                return None
            task = asyncio.ensure_future(self.ask(table_work.measure_risk, list(quasi)))
            self._risks[quasi] = task
        if not task.done():
            await asyncio.wait([task], timeout=wait)
        return task.result() if task.done() else None

    # Long work

    @property
    def is_busy(self) -> bool:
        """Whether long work is under way; what is asked meanwhile waits for its end."""
        return self.job is not None and self.job.state == "running"

    @property
    def has_to_wait(self) -> bool:
        """Whether the child that holds the table works on something long."""
        return self.is_busy and self._asked is not None

    def raise_failure(self) -> None:
        """Raise what the last job failed with, to be shown at the form that began it."""
        if self.job is not None and self.job.state == "failed":
            message, self.job = self.job.message, None
            raise WorkError(message)

    def start(
        self,
        name: str,
        screen: str,
        function: Callable[..., Any],
        *args: Any,
        then: Callable[[Any], Awaitable[None]] | None = None,
    ) -> Job:
        """Begin long work with the table; ``then`` gets the result, before the job is done."""
        self.refuse_second()
        self.job = job = Job(name, screen)
        self._asked = self._worker.send("run", function, args, job.progress.update)
        self._task = asyncio.ensure_future(self._finish(job, self._asked.future, then))
        return job

    def refuse_second(self) -> None:
        """Refuse work while other work is under way."""
        if self.is_busy:
            raise BusyError

    async def _finish(
        self,
        job: Job,
        work: Awaitable[Any],
        then: Callable[[Any], Awaitable[None]] | None = None,
    ) -> None:
        try:
            job.result = await work
            if then is not None:
                await then(job.result)
            job.state = "done"
        except (CancelledWorkError, asyncio.CancelledError):
            job.state = "cancelled"
        except DiscreetError as error:
            job.state, job.message = "failed", str(error)
        finally:
            if job.state == "running":
                job.state = "cancelled"
            job.ended = time.monotonic()

    async def wait(self, job: Job, seconds: float) -> None:
        """Wait for a job for a moment, so that what is quick shows no progress."""
        if self._task is not None and job is self.job:
            await asyncio.wait([self._task], timeout=seconds)

    async def cancel(self) -> None:
        """End the work under way within a second; it leaves nothing behind."""
        if self.job is not None and self.is_busy:
            if self._asked is not None:
                await self._worker.cancel(self._asked)
            elif self._task is not None:
                self._task.cancel()
            await self.wait(self.job, 0.1)

    def _let_go(self) -> None:
        """End the child, and forget what belongs to its table."""
        self._worker.end()
        _close_file(self._memory)
        self._memory, self._risks, self.kept = None, {}, {}

    def rest(self) -> None:
        """End the child of a file that nobody looks at; the next question opens the file again."""
        self._risks = {}
        self._worker.end()

    def close(self) -> None:
        """End the child and forget everything."""
        if self._task is not None:
            self._task.cancel()
        self._let_go()
        self.job = None
        self.opened = self.source = None
        self.history.begin(EMPTY)


def _close_file(number: int | None) -> None:
    if number is not None:
        with suppress(OSError):
            os.close(number)


def _has_failed(task: asyncio.Task[Any]) -> bool:
    return task.cancelled() or task.exception() is not None


class Desk:
    """All workspaces of one server."""

    def __init__(self) -> None:
        self.workspaces: dict[str, Workspace] = {}
        self._spare: Worker | None = None

    def prepare(self) -> None:
        """Start the child of the next workspace, so that it is ready by then."""
        if self._spare is None:
            self._spare = Worker()
            self._spare.send("run", table_work.load_libraries, ())

    def __iter__(self) -> Iterator[Workspace]:
        return iter(self.workspaces.values())

    def add(self) -> Workspace:
        """A new workspace; of too many empty ones, the one longest unused goes."""
        if len(self.workspaces) >= MOST_WORKSPACES:
            free = [one for one in self if one.opened is None] or [
                one for one in self if not one.is_busy
            ]
            self.remove(min(free or list(self), key=lambda one: one.used))
        name = secrets.token_urlsafe(9)
        worker, self._spare = self._spare, None
        self.workspaces[name] = Workspace(name, worker)
        return self.workspaces[name]

    def remove(self, workspace: Workspace) -> None:
        """Close a workspace."""
        self.workspaces.pop(workspace.name, None)
        workspace.close()

    def close(self) -> None:
        """Close all of them."""
        for one in list(self):
            self.remove(one)
        if self._spare is not None:
            self._spare.end()
            self._spare = None

    def rest(self, seconds: float) -> None:
        """Let go of the children of pages that have not been seen for some time."""
        for one in self:
            if not one.is_busy and time.monotonic() - one.used > seconds:
                one.rest()


__all__ = ["BusyError", "Desk", "Edit", "Job", "LostError", "Reading", "WorkError", "Workspace"]
