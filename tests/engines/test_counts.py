"""Commands that look at a table in a database ask for counts, and find what they find in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from typer.testing import CliRunner

import discreet
from discreet.cli.main import app
from discreet.engines.table import EngineSource
from discreet.identification.inspect import inspect
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.profile import profile
from discreet.pipeline.withstand import Intruder, release_and_attack
from discreet.policy.policy import settle_policy
from discreet.safe_harbor.check import check_safe_harbor
from discreet.safe_harbor.checked import Question
from tests.engines.test_same_release import refuse_rows


@pytest.fixture(autouse=True)
def only_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EngineSource, "scan", refuse_rows)


@pytest.fixture(params=["duckdb", "sqlite", "postgresql"])
def place(request: pytest.FixtureRequest) -> Any:
    from tests.engines import conftest

    if request.param == "postgresql":
        return request.getfixturevalue("postgresql")
    folder = request.getfixturevalue("tmp_path")
    return {"duckdb": conftest.DuckdbPlace, "sqlite": conftest.SqlitePlace}[request.param](folder)


def list_profiles(table: Any, limit: int = 100_000) -> dict[str, Any]:
    return {
        one.name: (one.rows, one.missing, one.distinct, one.exact, one.marks, one.unique,
                   one.counts_up, one.all_differ, sorted(zip(one.values, one.counts, strict=True)))
        for one in profile(table, limit)
    }  # fmt: skip


def test_columns_are_profiled_by_their_values(place: Any) -> None:
    found, wanted = list_profiles(place.read()), list_profiles(place.read_file())
    assert found.pop("pay")[:4] == wanted.pop("pay")[:4]  # 1e+20 is written in several ways
    assert found == wanted
    assert found["id"][6]


def test_a_column_with_many_values_is_looked_at_in_a_sample(duckdb_place: Any) -> None:
    found = list_profiles(duckdb_place.read(), limit=30)
    assert found == list_profiles(duckdb_place.read_file(), limit=30)
    assert not found["id"][3]


def test_an_inspection_finds_the_same_roles_and_sets(place: Any) -> None:
    found, wanted = (inspect(one).facts() for one in (place.read(), place.read_file()))
    for one, other in zip(found["columns"], wanted["columns"], strict=True):
        assert (one["name"], one["role"], one["distinct"], one["missing"]) == (
            other["name"], other["role"], other["distinct"], other["missing"])  # fmt: skip
    assert found["rows"] == 240


def test_keys_are_searched_in_counted_rows(place: Any) -> None:
    columns = ["age", "zip", "member"]
    found, wanted = (CodedTable.of(one, columns) for one in (place.read(), place.read_file()))
    assert found.rows == wanted.rows == 240
    assert found.duplicates == wanted.duplicates


def test_safe_harbor_is_checked_and_promised_by_values(postgresql: Any) -> None:
    question = Question.on("2026-11-16")
    found = check_safe_harbor(postgresql.read(), question)
    wanted = check_safe_harbor(postgresql.read_file(), question)
    assert [(one.column, one.standing, one.why) for one in found.columns] == [
        (one.column, one.standing, one.why) for one in wanted.columns
    ]
    policy: dict[str, Any] = {
        "columns": {"age": {"role": "quasi", "hierarchy": {"intervals": {
            "widths": [5, 10], "top": 90}}, "technique": {"top_code": {"at": 90}}},
            "zip": {"role": "quasi", "technique": "zip3"}},
        "require": [{"k_anonymity": {"k": 3}}, {"safe_harbor": {"as_of": "2026-11-16"}}],
        "suppress": 0.1,
    }  # fmt: skip
    discreet.anonymize(postgresql.read(), policy).write("out")
    assert postgresql.fetch("out").num_rows > 200
    bad = {**policy, "columns": {**policy["columns"], "born": {"role": "other"}}}
    with pytest.raises(discreet.errors.ReleaseError, match=r"rule \(C\): 240 rows show a day"):
        discreet.anonymize(postgresql.read(), bad)


ATTACKED: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}},
        "pay": {"role": "quasi", "technique": {"top_code": {"at": 2}}},
        "member": {"role": "quasi"},
        "disease": {"role": "sensitive"},
    },
    "require": [{"k_anonymity": {"k": 3}}, {"l_diversity": {"column": "disease", "ell": 2}}],
    "suppress": 0.2,
    "seed": 1,
}


def list_outcomes(found: Any) -> list[Any]:
    return [
        (one.attack, one.applies, one.rows_exposed, one.cells, one.people_exposed, one.counts)
        for one in found.outcomes
        if one.attack != "unsorted"
    ]


def test_attacks_get_what_they_get_from_files_by_counts_alone(place: Any) -> None:
    table = place.read()
    discreet.anonymize(table, ATTACKED).write("out")
    table.source.engine.close()
    private, release = place.read_file(), pa.table(place.fetch("out"))
    released = place.read("out")
    older = release.select(["age", "disease"])
    mine: dict[str, Any] = {"register": table, "original": table, "earlier": [released]}
    theirs: dict[str, Any] = {"register": private, "original": private, "earlier": [release]}
    for ours, other in (
        ({}, {}),
        (mine, theirs),
        ({"earlier": [older], "register": table}, {"earlier": [older], "register": private}),
    ):
        found = discreet.attack(released, ATTACKED, **ours)
        wanted = discreet.attack(release, ATTACKED, **other)
        assert list_outcomes(found) == list_outcomes(wanted)
        assert any(one.rows for one in wanted.outcomes)
        assert not any(one.rows or one.earlier_rows for one in found.outcomes)
    orders = [one for one in found.outcomes if one.attack == "unsorted"]
    assert [one.applies for one in orders] == [False]
    assert "have no order" in orders[0].note


def test_a_release_is_attacked_before_it_is_written_by_counts_alone(duckdb_place: Any) -> None:
    found = [
        release_and_attack(discreet.anonymize, one, settle_policy(ATTACKED, one), Intruder())[1]
        for one in (duckdb_place.read(), duckdb_place.read_file())
    ]
    assert list_outcomes(found[0]) == list_outcomes(found[1])


@pytest.mark.parametrize(
    "command", ["levels", "compare", "risk", "inspect", "attack", "verify", "anonymize"]
)
def test_a_command_asks_for_no_rows(
    duckdb_place: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("policy.json").write_text(json.dumps(ATTACKED))
    table, policy = f"{duckdb_place.address}#visits", ("--policy", "policy.json")
    more: dict[str, tuple[str, ...]] = {
        "risk": ("-q", "age", "-q", "member", "--register", table),
        "inspect": (),
        "compare": (*policy, "-a", "optimal", "-a", "mondrian"),
        "attack": (*policy, "--original", table, "--register", table, "--earlier", table),
        "verify": (*policy, "--original", table),
        "anonymize": (*policy, "--attack", "--register", table, "-o", "out", "--ledger", "l",
                      "--to", "x"),
    }  # fmt: skip
    done = CliRunner().invoke(app, [command, table, "--json", *more.get(command, policy)])
    assert done.exit_code in (0, 1), done.output


def test_two_tables_of_one_sqlite_file_do_not_wait_for_each_other(tmp_path: Path) -> None:
    from tests.engines.conftest import SqlitePlace

    here = SqlitePlace(tmp_path)
    table, other = here.read(), here.read()
    assert list(other.count_rows(["age"]) or ())
    discreet.anonymize(table, {**ATTACKED, "require": [{"k_anonymity": {"k": 3}}]}).write("out")
    assert "out" in here.list_tables()
