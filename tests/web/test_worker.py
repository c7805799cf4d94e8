"""The child process: it works, reports, is cancelled within a second, and may be lost."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from discreet.errors import DiscreetError
from discreet.web import table_work
from discreet.web.child import Held
from discreet.web.policy_work import Edit, read_text
from discreet.web.worker import CancelledWorkError, LostError, Worker, WorkError
from discreet.web.workspace import Desk, Workspace


def add(held: Held, one: int, other: int) -> int:
    return one + other


def refuse(held: Held) -> None:
    raise DiscreetError("the table", "it is refused", "Give another.")


def fail_with_value(held: Held) -> None:
    raise ValueError("Person 77")


def give_object(held: Held) -> Any:
    return Path("x")


def work_long(held: Held, seconds: float, polite: bool) -> str:
    end = time.monotonic() + seconds
    held.progress("searching, 1 node", 0.25)
    while time.monotonic() < end:
        time.sleep(0.01)
        if polite:
            held.progress("searching, 2 nodes", 0.5)
    return "done"


def die(held: Held) -> None:
    os._exit(9)


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, 60))


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_work_is_done_and_refusals_come_back_in_words_without_values() -> None:
    async def work() -> None:
        worker = Worker()
        assert await worker.ask(add, 1, 2) == 3
        with pytest.raises(WorkError, match=r"^the table: it is refused. Give another.$"):
            await worker.ask(refuse)
        with pytest.raises(WorkError, match=r"ValueError at discreet/web/child\.py") as told:
            await worker.ask(fail_with_value)
        assert "Person" not in str(told.value)
        process = worker.process_id
        assert process is not None
        worker.end()
        assert not is_there(process)
        assert not worker.is_running

    run(work())


def test_only_plain_data_passes_the_pipe() -> None:
    async def work() -> None:
        worker = Worker()
        with pytest.raises(LostError):
            await worker.ask(give_object)
        worker.end()

    run(work())


@pytest.mark.parametrize("polite", [True, False])
def test_work_is_cancelled_within_a_second(polite: bool) -> None:
    async def work() -> None:
        worker, heard = Worker(), []
        await worker.ask(add, 1, 1)
        asked = worker.send("run", work_long, (30.0, polite), heard.append)
        while not heard:
            await asyncio.sleep(0.01)
        assert heard[0]["step"] == "searching, 1 node"
        assert heard[0]["share"] == 0.25
        started = time.monotonic()
        await worker.cancel(asked)
        with pytest.raises(CancelledWorkError):
            await asked.future
        assert time.monotonic() - started < 1
        assert await worker.ask(add, 2, 2) == 4  # the same child, or a new one
        worker.end()

    run(work())


def test_a_text_is_edited_while_work_is_under_way() -> None:
    async def work() -> None:
        worker, heard = Worker(), []
        asked = worker.send("run", work_long, (30.0, True), heard.append)
        while not heard:
            await asyncio.sleep(0.01)
        found = await worker.edit(read_text, "columns: {age: {role: quasi}}", "p.yaml", ".")
        assert found["roles"] == {"age": "quasi"}
        assert not asked.future.done()
        worker.end()

    run(work())


def test_a_lost_child_is_reported_and_the_table_is_opened_again(table: Path) -> None:
    async def work() -> None:
        workspace = Workspace("a")
        await workspace.open({"path": str(table)})
        before = workspace.reading["text"]
        with pytest.raises(LostError):
            await workspace.ask(die)
        assert workspace.is_lost
        assert workspace.reading["text"] == before
        found = await workspace.ask(table_work.read_rows, 0)
        assert len(found["rows"]) == 50
        assert (await workspace.find_risk(30) or {})["rows"] == 120
        workspace.close()

    run(work())


def test_a_change_after_the_child_was_lost_finds_the_table_open(table: Path) -> None:
    async def work() -> None:
        workspace = Workspace("a")
        await workspace.open({"path": str(table)})
        for process in (workspace._worker.process_id, None):
            if process is None:
                workspace.rest()  # as when nobody looks at the page
            else:
                os.kill(process, signal.SIGKILL)
            with suppress(LostError):
                await workspace.change(Edit("set_role", ("age", "other")))
            await workspace.change(Edit("set_role", ("age", "sensitive")))
            moved = table.rename(table.with_name("moved.csv"))
            with pytest.raises(WorkError, match="there is no such file"):
                await workspace.ask(table_work.read_rows, 0)
            moved.rename(table)
            assert len((await workspace.ask(table_work.read_rows, 0))["rows"]) == 50
        workspace.close()

    run(work())


def test_a_child_that_was_made_ready_is_taken_once_and_ends_with_the_desk() -> None:
    async def work() -> None:
        desk = Desk()
        desk.prepare()
        desk.prepare()
        spare = desk._spare
        assert spare is not None and spare.process_id is not None
        process = spare.process_id
        assert desk.add()._worker is spare
        assert desk.add()._worker is not spare
        desk.prepare()
        other = desk._spare and desk._spare.process_id
        assert other is not None
        desk.close()
        assert not is_there(process) and not is_there(other)

    run(work())


def read_dump_limit(held: Held) -> list[int]:
    return list(resource.getrlimit(resource.RLIMIT_CORE))


def test_a_crash_of_the_child_writes_no_memory_to_disk() -> None:
    async def work() -> None:
        worker = Worker()
        assert await worker.ask(read_dump_limit) == [0, 0]
        worker.end()

    run(work())


def test_a_job_tells_how_it_stands_and_is_cancelled(table: Path) -> None:
    async def work() -> None:
        workspace = Workspace("a")
        await workspace.open({"path": str(table)})
        results = []

        async def keep(result: Any) -> None:
            results.append(result)

        job = workspace.start("short", "search", work_long, 0.05, True, then=keep)
        await workspace.wait(job, 30)
        assert (job.state, job.result, results) == ("done", "done", ["done"])
        job = workspace.start("long", "search", work_long, 30.0, True)
        with pytest.raises(DiscreetError, match="other work is under way"):
            workspace.start("second", "search", work_long, 1.0, True)
        assert workspace.is_busy
        await workspace.cancel()
        assert job.state == "cancelled"
        job = workspace.start("refused", "search", refuse)
        await workspace.wait(job, 30)
        assert (job.state, job.message) == ("failed", "the table: it is refused. Give another.")
        workspace.close()

    run(work())


STARTER = """
import asyncio, os
from discreet.web.worker import Worker
from discreet.web.policy_work import read_text
from discreet.web.screens.screen import MemoryFolder

async def start():
    worker = Worker()
    await worker.edit(read_text, "", "p.yaml", ".")
    folder = MemoryFolder()
    print(worker.process_id, folder.path, flush=True)
    os._exit(1)

asyncio.run(start())
"""


def test_the_child_ends_with_the_process_that_started_it_and_what_that_had_in_memory() -> None:
    done = subprocess.run([sys.executable, "-c", STARTER], capture_output=True, text=True)
    number, folder = done.stdout.split()
    process, end = int(number), time.monotonic() + 5
    while is_there(process) and time.monotonic() < end:
        time.sleep(0.02)
    assert not is_there(process)
    assert not Path(folder).exists()
