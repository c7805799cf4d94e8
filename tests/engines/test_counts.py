"""Commands that look at a table in a database ask for counts, and find what they find in a file."""

from __future__ import annotations

from typing import Any

import pytest

import discreet
from discreet.engines.table import EngineSource
from discreet.identification.inspect import inspect
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.profile import profile
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
