"""Engines are used again, and nobody can tell."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

import discreet
from discreet.table import engine
from discreet.table.engine import borrow_connection, lend_connection, return_connection


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The engines that a test starts, with none from before, in a process that does not grow."""
    real, found = duckdb.connect, []

    def connect(*given: Any, **more: Any) -> Any:
        found.append(real(*given, **more))
        return found[-1]

    engine.close_spare_engines()
    monkeypatch.setattr(duckdb, "connect", connect)
    monkeypatch.setattr(engine, "_measure_process", lambda: 1 << 30)
    yield found
    engine.close_spare_engines()


def test_an_engine_is_used_again_and_has_nothing_of_its_last_use(started: list[Any]) -> None:
    with lend_connection("300MB") as connection:
        connection.execute("CREATE TEMP TABLE t AS SELECT 1 AS a")
        connection.register("source", pa.table({"a": [1]}))
        connection.execute("SET preserve_insertion_order = false; SET TimeZone = 'Asia/Tokyo'")
        connection.execute("PRAGMA disable_optimizer; SET VARIABLE seen = 1")
    with lend_connection("400MB") as connection:
        for name in ("t", "source"):
            with pytest.raises(duckdb.CatalogException):
                connection.execute(f"FROM {name}")
        settings = "current_setting('memory_limit'), current_setting('TimeZone')"
        more = "current_setting('preserve_insertion_order'), getvariable('seen')"
        found = connection.execute(f"SELECT {settings}, {more}").fetchall()
    assert found == [("381.4 MiB", "UTC", True, None)]
    assert len(started) == 1


def test_two_at_once_have_engines_of_their_own(started: list[Any]) -> None:
    with lend_connection("300MB") as one, lend_connection("500MB") as other:
        limits = [
            connection.execute("SELECT current_setting('memory_limit')").fetchall()
            for connection in (one, other)
        ]
    assert limits == [[("286.1 MiB",)], [("476.8 MiB",)]]
    assert len(started) == 2


def test_an_engine_is_closed_after_an_error_and_with_rows_that_nobody_has_read(
    started: list[Any],
) -> None:
    with pytest.raises(ZeroDivisionError), lend_connection():
        raise ZeroDivisionError
    connection = borrow_connection()
    reader = engine.stream_answer(connection, "FROM range(9999)", 10, "t", ZeroDivisionError)
    reader.read_next_batch()
    reader.close()
    del reader
    for one in started:
        with pytest.raises(duckdb.ConnectionException):
            one.execute("SELECT 1")
    assert len(started) == 2


def test_an_engine_that_took_much_memory_is_closed(
    started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = iter([1 << 30, (1 << 30) + engine.MOST_GROWTH + 1])
    monkeypatch.setattr(engine, "_measure_process", lambda: next(sizes))
    with lend_connection():
        pass
    with pytest.raises(duckdb.ConnectionException):
        started[0].execute("SELECT 1")


def test_without_a_measure_of_memory_no_engine_is_kept(
    started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_measure_process", lambda: 0)
    for _ in range(2):
        with lend_connection():
            pass
    assert len(started) == 2


@pytest.mark.parametrize(
    "left",
    ["CREATE TABLE t (a INT)", "ATTACH ':memory:' AS other; CREATE TABLE other.t (a INT)"],
)
def test_an_engine_with_what_outlives_a_connection_is_not_lent_again(
    left: str, started: list[Any]
) -> None:
    with lend_connection() as connection:
        connection.execute(left)
    with lend_connection() as connection:
        assert connection.execute("SELECT count(*) FROM duckdb_tables()").fetchall() == [(0,)]
    assert len(started) == 2


def test_no_more_engines_are_kept_than_work_at_the_same_time(started: list[Any]) -> None:
    connections = [borrow_connection() for _ in range(engine.MOST_SPARE + 2)]
    for connection in connections:
        return_connection(connection, done=True)
    assert len(engine._spare) == engine.MOST_SPARE


def test_a_file_that_changed_is_read_anew(tmp_path: Path, started: list[Any]) -> None:
    path = tmp_path / "t.csv"
    for age in (31, 47):
        path.write_text(f"age,zip\n{age},02138\n")
        found = pa.Table.from_batches(discreet.read(path).scan(["age"]))
        assert found.column(0).to_pylist() == [str(age)]
    assert len(started) == 1


def test_a_forked_child_has_engines_of_its_own() -> None:
    with lend_connection() as connection:
        connection.execute("SELECT sum(range) FROM range(100_000)")
    child = multiprocessing.get_context("fork").Process(target=_count, daemon=True)
    child.start()
    child.join(60)
    code = child.exitcode
    child.kill()
    assert code == 0


def _count() -> None:
    with lend_connection() as connection:
        found = connection.execute("SELECT sum(range) FROM range(1_000_000)").fetchall()
    assert found == [(499_999_500_000,)]
