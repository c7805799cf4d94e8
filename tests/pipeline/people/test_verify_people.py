"""``verify`` counts people from the released file alone, and sees when a promise is broken."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from tests.pipeline.people.made_people import PEOPLE, Record, policy_of, smallest, table_of

ALIKE = [[("11", "f"), ("12", "m")]] * 3


@settings(max_examples=15)
@given(PEOPLE, st.booleans(), st.sampled_from([("zip", "sex"), ("sex",)]))
def test_the_smallest_class_is_the_one_that_brute_force_finds(
    people: list[Record], once: bool, columns: tuple[str, ...]
) -> None:
    table = table_of(people)
    require = [{"k_anonymity": {"k": 2, "columns": list(columns)}}]
    rule = {"column": "who", "records": "ignore" if once else "keep"}
    found = discreet.verify(table, policy_of(2, require=require, people=rule))
    measured = smallest(table.to_pylist(), columns, once)
    assert found.verdicts[0].measured == measured
    assert found.holds == (measured >= 2)
    assert (found.people, found.rows) == (len(people), table.num_rows)


def test_rows_at_risk_are_all_rows_of_people_who_stand_out() -> None:
    people = [*ALIKE, [("22", "f")] * 4]
    found = discreet.verify(table_of(people), policy_of(2))
    assert (found.holds, found.verdicts[0].rows_at_risk) == (False, 4)


def test_one_row_less_breaks_the_promise() -> None:
    table = table_of(ALIKE)
    assert discreet.verify(table, policy_of(3)).holds
    assert not discreet.verify(table.slice(1), policy_of(3)).holds


def test_rows_alike_are_not_enough() -> None:
    people = [[("11", "f")] * 9, [("22", "m")]]
    table = table_of([people[0]])
    rows_only = discreet.Policy(columns=dict(policy_of(2).columns), require=policy_of(2).require)
    assert discreet.verify(table.drop_columns(["who"]), rows_only).holds
    assert not discreet.verify(table, policy_of(2)).holds


@pytest.mark.parametrize("cell", [None, "", " "])
def test_a_row_without_a_person_does_not_pass(cell: str | None) -> None:
    table = table_of(ALIKE)
    who = pa.array([cell, *table["who"].to_pylist()[1:]], pa.string())
    found = discreet.verify(table.set_column(0, "who", who), policy_of(1))
    assert [v.model for v in found.verdicts if not v.holds] == ["people"]


def test_a_file_without_the_column_of_people_does_not_pass() -> None:
    found = discreet.verify(table_of(ALIKE).drop_columns(["who"]), policy_of(2))
    assert not found.holds
    assert "no column who, that of people" in found.verdicts[0].note


def test_a_file_without_a_quasi_column_does_not_pass() -> None:
    found = discreet.verify(table_of(ALIKE).drop_columns(["sex"]), policy_of(2))
    assert not found.holds
    assert "no column sex" in found.verdicts[0].note


def test_a_column_that_may_not_leave_does_not_pass() -> None:
    table = table_of(ALIKE).append_column("name", pa.array(["x"] * 6))
    found = discreet.verify(table, policy_of(2))
    assert [v.model for v in found.verdicts if not v.holds] == ["released_columns"]


@pytest.mark.parametrize(
    ("rule", "holds"),
    [({"cap": 2}, True), ({"cap": 1}, False), ({"group": [2, 4]}, True), ({"group": [1]}, False)],
    ids=str,
)
def test_numbers_of_rows_are_those_that_the_policy_allows(rule: Any, holds: bool) -> None:
    policy = policy_of(2, people={"column": "who", "records": rule})
    assert discreet.verify(table_of(ALIKE), policy).holds == holds


def test_values_and_missing_ones_are_told_apart() -> None:
    people = [[("11", None)], [("11", None)], [("11", "f")], [("11", "None")]]
    found = discreet.verify(table_of(people), policy_of(2))
    assert found.verdicts[0].rows_at_risk == 2
