"""Rows that meet a condition, chosen in the engine: the same as those of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet.engines.table import EngineSource
from discreet.pipeline.part import Part, restrict_table
from discreet.table.where import Where
from tests.engines.test_same_release import refuse_rows
from tests.engines.visits import AGE, K3, ZIP, count_rows

CONDITIONS = (
    "age >= 40",
    "age BETWEEN 25 AND 50 AND NOT zip LIKE '02%' OR born < '1980-01-01' AND zip IS NOT NULL",
    "NOT (zip IN ('ab', 'AB') OR age = 33) AND (pay > 1 OR NOT member = 'true')",
    "town = 'O''Fallon' OR town = 'a \"b\"' OR town LIKE '%\\%' OR town IS NULL",
    "zip = 2138",
)


def count_part(table: Any, where: str) -> dict[Any, int]:
    """How many rows of a part each id has."""
    part = restrict_table(table, Where(where))
    counted = part.count_rows(["id"])
    rows = part.scan(text=["id"]).read_all() if counted is None else counted.read_all()
    return dict.fromkeys(rows.column(0).to_pylist(), 1)


def test_the_rows_are_those_of_the_file(place: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EngineSource, "scan", refuse_rows)
    table, file = place.read(), place.read_file()
    for where in CONDITIONS:
        found = count_part(table, where)
        assert found == count_part(file, where), where
        assert 0 < len(found) < 240, where


def test_a_part_is_released_as_that_of_the_file(postgresql: Any) -> None:
    policy = {
        "columns": {"age": AGE, "zip": ZIP, "pay": {"role": "other"}},
        "require": [K3],
        "suppress": 0.1,
        "missing": {"values": ["ab"]},
        "seed": 3,
    }
    part = Part(where="age >= 30 AND (zip IS NULL OR zip != '02138')")
    expected = discreet.anonymize(postgresql.read_file(), policy, part=part)
    release = discreet.anonymize(postgresql.read(), policy, part=part)
    statements = " ".join(release.list_statements("out"))
    assert "02138" not in statements and "w1.f0 = 1" in statements
    assert release.facts()["levels"] == expected.facts()["levels"]
    release.write("out")
    assert count_rows(postgresql.fetch("out")) == count_rows(expected.to_arrow())
    release.write("again")  # the answers to the tests are put once more
    assert count_rows(postgresql.fetch("again")) == count_rows(expected.to_arrow())


def test_a_part_that_is_too_small_is_refused_without_its_size(duckdb_place: Any) -> None:
    policy = {"columns": {"age": AGE}, "require": [{"k_anonymity": {"k": 200}}]}
    with pytest.raises(discreet.errors.PartError, match="fewer than 200 rows meet the condition"):
        discreet.anonymize(duckdb_place.read(), policy, part=Part(where="age > 58"))


def test_a_file_of_a_part_has_only_its_rows(duckdb_place: Any, tmp_path: Path) -> None:
    policy = {"columns": {"age": {"role": "quasi"}}, "require": [{"k_anonymity": {"k": 1}}]}
    release = discreet.anonymize(duckdb_place.read(), policy, part=Part(where="age >= 50"))
    release.write(tmp_path / "out.csv")
    ages = discreet.read(tmp_path / "out.csv").scan(text=["age"]).read_all().column(0)
    assert min(map(int, ages.to_pylist())) >= 50
