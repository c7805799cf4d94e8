"""Spark: what is special to it, on a classic session and through Connect."""

from __future__ import annotations

import gc
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

import discreet
from discreet.engines.engine import Relation
from discreet.engines.spark import SparkEngine, discard_unfinished, make_column, make_digest
from discreet.engines.spark_session import connect_to_spark
from discreet.errors import DiscreetError, SourceError, WriteError
from tests.engines.kill_spark import kill_while_writing
from tests.engines.spark_place import SparkPlace, SparkServer
from tests.engines.visits import AGE, ILL, K3, make_visits

POLICY: dict[str, Any] = {
    "columns": {"age": AGE, "member": {"role": "quasi"}, "disease": ILL},
    "require": [K3],
    "suppress": 0.1,
    "seed": 3,
}


@pytest.fixture(params=["spark", "spark_connect"])
def either(request: pytest.FixtureRequest) -> SparkPlace:
    """Both kinds of session."""
    place: SparkPlace = request.getfixturevalue(request.param)
    return place


def list_views(place: SparkPlace) -> list[str]:
    """The temporary views of a session."""
    rows = place.session.sql("SHOW VIEWS").collect()
    return [row["viewName"] for row in rows if row["isTemporary"]]


def test_a_frame_is_released_as_a_table_and_nothing_else_is_left(either: SparkPlace) -> None:
    frame = either.session.table("visits")
    release = discreet.anonymize(frame, POLICY)
    release.write(f"{either.schema}.release")
    assert either.list_tables() == ["release", "visits"]
    assert either.fetch("release").num_rows == release.facts()["rows_released"]
    del release
    gc.collect()
    assert list_views(either) == []


def test_spark_runs_no_more_than_values_count_recode_and_check(
    spark_connect: SparkPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []
    kept = SparkEngine.query
    monkeypatch.setattr(
        SparkEngine, "query", lambda self, sql, *more: ran.append(sql) or kept(self, sql, *more)
    )
    fill = SparkEngine.create
    monkeypatch.setattr(
        SparkEngine, "create", lambda self, *given: ran.append("filled") or fill(self, *given)
    )
    release = discreet.anonymize(spark_connect.session.table("visits"), POLICY)
    release.write("release")
    what = ["counts" if "UNION ALL" in one else one.split()[0] for one in ran]
    assert what == ["SELECT", "filled", "counts", "SELECT"]


def test_a_table_whose_rows_change_meanwhile_is_refused(either: SparkPlace) -> None:
    either.run("CREATE TABLE growing AS SELECT age, member, disease FROM visits")
    release = discreet.anonymize(discreet.read(either.session, table="growing"), POLICY)
    either.run("INSERT INTO growing SELECT age, member, disease FROM visits WHERE age < 40")
    with pytest.raises(DiscreetError, match="changed"):
        release.write("release")
    assert either.list_tables() == ["growing", "visits"]


def test_no_cell_is_shown_when_a_value_of_a_frame_cannot_be_computed(
    either: SparkPlace, capfd: pytest.CaptureFixture[str]
) -> None:
    frame = either.session.sql("SELECT CAST(concat('XSECRET', disease) AS int) AS age FROM visits")
    with pytest.raises(SourceError) as caught:
        discreet.anonymize(frame, {"columns": {"age": AGE}, "require": [K3]})
    shown = "".join(capfd.readouterr())
    assert "XSECRET" not in f"{caught.value!r}{caught.value}{shown}"
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert "cannot be computed" in str(caught.value)


def test_texts_are_told_apart_byte_by_byte_whatever_their_collation(spark: SparkPlace) -> None:
    frame = spark.session.sql("SELECT collate(zip, 'UTF8_LCASE') AS zip FROM visits")
    found = discreet.read(frame).count_rows(["zip"]).read_all()
    values = [value for value in make_visits().column("zip").to_pylist() if value]
    assert sorted(v for v in found.column(0).to_pylist() if v) == sorted(set(values))


def test_texts_that_are_not_utf8_are_refused(either: SparkPlace) -> None:
    frame = either.session.sql("SELECT CAST(X'ff41' AS string) AS zip FROM visits")
    with pytest.raises(SourceError, match="UTF-8"):
        discreet.anonymize(frame, {"columns": {"zip": {"role": "quasi"}}, "require": [K3]})


def test_leftovers_of_a_killed_run_are_swept_by_the_next_with_the_same_target(
    spark: SparkPlace,
) -> None:
    digest = make_digest(("spark_catalog", spark.schema, "release"))
    spark.run(f"CREATE TABLE discreet_staging_{digest}_0123 (age int)")
    spark.run("CREATE TABLE discreet_staging_other_0123 (age int)")
    discreet.anonymize(spark.session.table("visits"), POLICY).write("release")
    assert spark.list_tables() == ["discreet_staging_other_0123", "release", "visits"]


def test_only_a_release_is_replaced(spark_connect: SparkPlace) -> None:
    spark_connect.run("CREATE TABLE mine (age int)")
    release = discreet.anonymize(spark_connect.session.table("visits"), POLICY)
    for name in ("mine", "visits", "VISITS"):
        with pytest.raises(WriteError, match="not written by discreet"):
            release.write(name, replace=True)
    release.write("release")
    release.write("release", replace=True)
    assert spark_connect.list_tables() == ["mine", "release", "visits"]
    assert spark_connect.fetch("mine").column_names == ["age"]


def test_a_program_that_is_interrupted_drops_its_hidden_table(either: SparkPlace) -> None:
    engine = SparkEngine(either.session)
    engine.create(engine.aim("release", replace=False), "SELECT 1 AS age")
    assert len(either.list_tables()) == 2
    discard_unfinished()
    assert either.list_tables() == ["visits"]


@pytest.mark.parametrize("name", ["we ird", "a.b.c.d", "nowhere.release", "nowhere.s.release", "é"])
def test_a_name_that_cannot_be_made_is_refused_before_a_row_is_written(
    spark: SparkPlace, name: str
) -> None:
    release = discreet.anonymize(spark.session.table("visits"), POLICY)
    with pytest.raises(WriteError):
        release.write(name)
    assert spark.list_tables() == ["visits"]


def test_rows_are_not_stored_in_the_order_of_the_private_table(spark: SparkPlace) -> None:
    policy = {**POLICY, "columns": {"age": AGE, "id": {"role": "other"}}}
    discreet.anonymize(spark.session.table("visits"), policy).write("release")
    places = spark.fetch("release").column("id").to_pylist()
    follow = sum(b - a == 1 for a, b in pairwise(places))
    assert follow < len(places) / 10


def test_a_session_that_was_stopped_is_named(spark_server: SparkServer) -> None:
    from pyspark.sql.connect.session import SparkSession

    session = SparkSession.builder.remote(spark_server.address).create()
    table = discreet.read(session.sql("SELECT 1 AS age"))
    session.stop()
    with pytest.raises(SourceError, match="stopped"):
        table.count_rows(["age"])


def test_a_killed_client_leaves_no_release_that_is_not_whole(spark_connect: SparkPlace) -> None:
    for delay in (0.3, 1.2):
        kill_while_writing(spark_connect, delay)


# Addresses.


def test_a_table_is_read_by_the_address_of_a_connect_server(spark_connect: SparkPlace) -> None:
    address = spark_connect.server.address
    table = discreet.read(address, table=f"{spark_connect.schema}.visits")
    discreet.anonymize(table, POLICY).write(f"{spark_connect.schema}.release")
    table.source.engine.close()  # type: ignore[attr-defined]
    assert spark_connect.list_tables() == ["release", "visits"]


def test_a_table_is_read_by_the_master_of_the_session_that_there_is(spark: SparkPlace) -> None:
    table = discreet.read("spark://local[1]", table="visits")
    table.source.engine.close()  # type: ignore[attr-defined]
    assert spark.session.sql("SELECT 1 AS a").toArrow().num_rows == 1
    with pytest.raises(SourceError, match="another master"):
        discreet.read("spark://cluster.example.org:7077", table="visits")


@pytest.mark.parametrize("address", ["sc://127.0.0.1:1/;token=XSECRET", "sc://", "sc://h:1:2/x"])
def test_an_address_where_nothing_answers_is_refused_without_its_token(address: str) -> None:
    with pytest.raises(SourceError) as caught:
        connect_to_spark(address)
    assert "XSECRET" not in str(caught.value)


# Without a Spark.


class Session:
    """Answers statements from a table of answers."""

    def __init__(self, answers: dict[str, list[tuple[Any, ...]]]) -> None:
        self.answers = answers

    def sql(self, text: str) -> SimpleNamespace:
        rows = next(rows for start, rows in self.answers.items() if text.startswith(start))
        return SimpleNamespace(collect=lambda: rows)


@pytest.mark.parametrize(
    ("provider", "start", "version"),
    [("delta", "DESCRIBE HISTORY", 12), ("iceberg", "SELECT snapshot_id", 8_765_432_109_876)],
)
def test_a_table_with_versions_is_read_at_the_one_it_has_at_first(
    provider: str, start: str, version: int
) -> None:
    answers = {"DESCRIBE EXTENDED": [("age", "int"), ("Provider", provider)], start: [(version,)]}
    engine = SparkEngine(Session(answers))
    relation = Relation("db.visits", "`db`.`visits`", (), ("db", "visits"))
    pinned = engine.pin(relation)
    answers[start] = [(version + 1,)]
    assert pinned.sql == f"`db`.`visits` VERSION AS OF {version}"
    assert pinned.pinned
    assert engine.pin(relation) == engine.pin(pinned) == pinned


@pytest.mark.parametrize(
    ("kind", "facts"),
    [
        ("string collate UTF8_LCASE", (True, True, False)),
        ("decimal(10,2)", (False, True, False)),
        ("double", (False, False, False)),
        ("array<int>", (False, False, True)),
    ],
)
def test_a_column_is_known_by_its_type(kind: str, facts: tuple[bool, bool, bool]) -> None:
    column = make_column("c", kind)
    assert (column.is_text, column.exact, column.nested) == facts


def test_an_arrow_frame_is_not_taken_for_one_of_spark() -> None:
    assert discreet.read(pa.table({"a": ["1"]})).name == "Arrow frame"
