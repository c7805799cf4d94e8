"""What bad input gets: a message that names engine, table and column, and nothing half-written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import adbc_driver_postgresql.dbapi as driver
import duckdb
import pytest

import discreet
from discreet.engines.postgresql import PostgresqlEngine
from discreet.errors import DiscreetError, ReleaseError, SourceError, WriteError
from tests.engines.visits import AGE, K3

POLICY: dict[str, Any] = {"columns": {"age": AGE}, "require": [K3], "seed": 1}


def test_a_table_that_is_not_there_is_refused_with_a_similar_name(place: Any) -> None:
    with pytest.raises(SourceError, match="Did you mean 'visits'"):
        place.read("visit")


def test_a_target_that_exists_stays_as_it_is_unless_it_is_to_be_replaced(place: Any) -> None:
    table = place.read()
    discreet.anonymize(table, POLICY).write("out")
    again = discreet.anonymize(table, {**POLICY, "columns": {"age": AGE, "pay": {"role": "other"}}})
    with pytest.raises(WriteError, match="there is a table or view 'out' already"):
        again.write("out")
    table.source.engine.close()
    assert place.fetch("out").column_names == ["age"]
    again.write("out", replace=True)
    table.source.engine.close()
    assert place.fetch("out").column_names == ["age", "pay"]


def test_the_table_that_is_read_is_never_replaced(place: Any) -> None:
    table = place.read()
    with pytest.raises(WriteError, match="this is the table that is read"):
        discreet.anonymize(table, POLICY).write("visits", replace=True)
    table.source.engine.close()
    assert place.fetch("visits").num_rows == 240


def test_a_release_that_fails_its_check_leaves_nothing(
    place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = place.read()
    release = discreet.anonymize(table, POLICY)

    def refuse(*_: Any, **__: Any) -> None:
        raise ReleaseError("a promise", "is broken", "")

    monkeypatch.setattr(type(release), "_check", refuse)
    with pytest.raises(ReleaseError, match="is broken"):
        release.write("out")
    table.source.engine.close()
    assert place.list_tables() == ["visits"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"techniques": [{"swap": {"columns": ["pay"]}}]}, r"swap \(pay\) .* view of the database"),
        ({"techniques": ["scramble"]}, r"scramble would .* export the table to a file"),
        (
            {"people": {"column": "id"}},
            r"people with several rows \(id\) .* one row for each person",
        ),
    ],
)
def test_what_needs_every_row_here_is_refused_with_a_way_out(
    duckdb_place: Any, more: dict[str, Any], said: str
) -> None:
    columns = {"age": AGE, "pay": {"role": "other"}, "id": {"role": "identifier"}}
    policy = {**POLICY, "columns": columns, **more}
    with pytest.raises(ReleaseError, match=f"table visits: its rows stay in DuckDB, and {said}"):
        discreet.anonymize(duckdb_place.read(), policy)


def test_a_view_that_changes_between_the_passes_is_refused(postgresql: Any) -> None:
    postgresql.run(
        "CREATE VIEW changing AS SELECT CASE WHEN random() < 0.5 THEN age ELSE age + 1000 END AS "
        "age FROM visits WHERE random() < 0.9"
    )
    table = postgresql.read("changing")
    release = discreet.anonymize(table, POLICY)
    with pytest.raises(SourceError, match="changed while it was being read"):
        release.write("out")
    table.source.engine.close()
    assert postgresql.list_tables() == ["visits"]


def test_rows_that_others_add_meanwhile_are_not_seen(postgresql: Any) -> None:
    release = discreet.anonymize(postgresql.read(), POLICY)
    postgresql.run("INSERT INTO visits (age) SELECT 99 FROM generate_series(1, 50)")
    release.write("out")
    assert postgresql.fetch("out").num_rows == 240


def test_a_user_without_rights_is_told_which_are_missing(postgresql: Any) -> None:
    postgresql.run("CREATE ROLE reader LOGIN")
    address = postgresql.address.replace("postgres:@", "reader:@")
    with pytest.raises(SourceError, match="no permission to read table 'visits'"):
        discreet.read(address, table="visits")
    postgresql.run("GRANT SELECT ON visits TO reader")
    release = discreet.anonymize(discreet.read(address, table="visits"), POLICY)
    with pytest.raises(WriteError, match="no permission to create tables in schema 'public'"):
        release.write("out")
    postgresql.run("CREATE SCHEMA released")
    postgresql.run("GRANT CREATE, USAGE ON SCHEMA released TO reader")
    release.write("released.out")
    assert postgresql.fetch("released.out").num_rows == 240
    release.table.source.engine.close()
    postgresql.run("DROP OWNED BY reader CASCADE")
    postgresql.run("DROP ROLE reader")


def test_a_column_of_lists_is_named(postgresql: Any) -> None:
    postgresql.run("CREATE TABLE odd AS SELECT 1 AS age, ARRAY[1, 2] AS marks FROM visits")
    policy = {**POLICY, "columns": {"age": AGE, "marks": {"role": "other"}}}
    with pytest.raises(SourceError, match="column 'marks' holds nested values"):
        discreet.anonymize(postgresql.read("odd"), policy).write("out")


def test_a_server_that_is_gone_gets_a_message_and_nothing_is_left(postgresql: Any) -> None:
    release = discreet.anonymize(postgresql.read(), POLICY)
    postgresql.run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
        f"'{postgresql.name}' AND pid <> pg_backend_pid()"
    )
    with pytest.raises(DiscreetError, match=r"the connection was lost|shutting down"):
        release.write("out")
    assert postgresql.list_tables() == ["visits"]


def test_a_name_that_would_be_cut_off_is_refused(postgresql: Any) -> None:
    with pytest.raises(WriteError, match="a name may have 63 bytes, and this has 70"):
        discreet.anonymize(postgresql.read(), POLICY).write("x" * 70)


@pytest.mark.parametrize(
    "address",
    ["postgresql://ann:geheim@127.0.0.1:1/clinic", "postgres://ann:gehe%21m@nowhere.invalid/x",
     "postgresql://ann:geheim@/?host=/nowhere&password=geheim"],
)  # fmt: skip
def test_a_password_is_never_shown(address: str) -> None:
    with pytest.raises(SourceError) as caught:
        discreet.read(address, table="visits")
    assert "gehe" not in f"{caught.value}{caught.value.__cause__}{caught.value.__context__}"


def test_numbers_that_are_equal_and_look_different_stay_different(postgresql: Any) -> None:
    postgresql.run(
        "CREATE TABLE doses AS SELECT CASE WHEN n % 2 = 0 THEN 1.0 ELSE 1.00 END AS dose, "
        "n AS id FROM generate_series(1, 20) AS n"
    )
    table = postgresql.read("doses")
    assert sorted(table.count_rows(["dose"]).read_all().to_pylist(), key=str) == [
        {"dose": "1.0", "n": 10},
        {"dose": "1.00", "n": 10},
    ]


def test_the_driver_says_nothing_of_values(postgresql: Any) -> None:
    connection = driver.connect(postgresql.address)
    with connection, pytest.raises(driver.Error, match="secret"):
        connection.cursor().execute("SELECT CAST('secret' AS integer)")
    table = postgresql.read()
    with pytest.raises(SourceError, match="SQLSTATE 22P02") as caught:
        table.source.engine.query("SELECT CAST('secret' AS integer)").read_all()
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


def test_an_address_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no such database"):
        discreet.read(f"duckdb:///{tmp_path}/none.duckdb")
    (tmp_path / "no.db").write_text("this is no database, whatever it is called")
    for scheme in ("sqlite", "duckdb"):
        with pytest.raises(SourceError, match=r"cannot be read as a|cannot be opened"):
            discreet.read(f"{scheme}:///{tmp_path}/no.db")


@pytest.mark.parametrize("step", ["query", "put", "create", "publish", "_commit"])
def test_a_connection_that_is_lost_at_any_step_leaves_nothing(
    postgresql: Any, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    release = discreet.anonymize(postgresql.read(), POLICY)
    kept = getattr(PostgresqlEngine, step)

    def lose(self: Any, *given: Any) -> Any:
        postgresql.run(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = "
            f"'{postgresql.name}' AND pid <> pg_backend_pid()"
        )
        return kept(self, *given)

    monkeypatch.setattr(PostgresqlEngine, step, lose)
    with pytest.raises(DiscreetError, match=r"PostgreSQL .*(connection was lost|shutting down)"):
        release.write("out")
    assert postgresql.list_tables() == ["visits"]


@pytest.mark.parametrize(
    ("state", "said"), [("53100", "the disk of the server is full"), ("57014", "statement_timeout")]
)
def test_a_server_that_gives_up_while_a_release_is_written_is_explained(
    postgresql: Any, state: str, said: str
) -> None:
    postgresql.run(
        "CREATE FUNCTION fail(age integer) RETURNS integer LANGUAGE plpgsql AS $$ BEGIN "
        "IF current_query() LIKE 'CREATE TABLE%' THEN RAISE 'the value 41' USING ERRCODE = "
        f"'{state}'; END IF; RETURN age; END $$"
    )
    postgresql.run("CREATE VIEW failing AS SELECT fail(age) AS age FROM visits")
    postgresql.run(f"ALTER DATABASE {postgresql.name} SET statement_timeout = '1h'")
    release = discreet.anonymize(postgresql.read("failing"), POLICY)
    with pytest.raises(WriteError, match=said) as caught:
        release.write("out")
    assert "41" not in str(caught.value)
    assert postgresql.list_tables() == ["visits"]


def test_texts_are_told_apart_where_a_column_ignores_case(duckdb_place: Any) -> None:
    with duckdb.connect(str(duckdb_place.path)) as connection:
        connection.execute("CREATE TABLE towns (town VARCHAR COLLATE NOCASE)")
        connection.execute("INSERT INTO towns SELECT town FROM visits")
    found = duckdb_place.read("towns").count_rows(["town"]).read_all()
    assert {"Zürich", "zürich"} <= set(found.column(0).to_pylist())
