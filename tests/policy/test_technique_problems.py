"""Techniques that must not be in a policy are refused by name, before any row is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from discreet.errors import PolicyError
from discreet.policy.policy import Policy

COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi"},
    "zip": {"role": "quasi"},
    "income": {"role": "sensitive"},
    "hours": {"role": "other"},
    "notes": {"role": "text"},
    "name": {"role": "identifier"},
}
K = [{"k_anonymity": {"k": 5}}]
RANDOM = [
    {"noise": {"columns": ["age"]}},
    {"perturb": {"columns": ["age"]}},
    {"swap": {"columns": ["age"]}},
    {"swap": {"columns": ["age", "zip"], "unit": False}},
    {"rank_swap": {"columns": ["age"]}},
    {"pram": {"columns": ["zip"], "share": 0.1}},
    {"shuffle": {"columns": ["zip"]}},
    {"substitute": {"columns": ["zip"], "categories": {"a": "x", "b": "x"}}},
    {"outliers_to_median": {"columns": ["age"]}},
    {"shift_dates": {"columns": ["age"], "entity": "hours"}},
]
TRUE = [
    {"round_values": {"columns": ["age"], "base": 5}},
    {"top_code": {"columns": ["age"], "at": 89}},
    {"bottom_code": {"columns": ["age"], "at": 18}},
    {"microaggregate": {"columns": ["age"], "k": 3}},
    {"suppress_values": {"columns": ["zip"], "rarer_than": 3}},
    {"substitute": {"columns": ["zip"], "replacements": {"a": "x", "b": "x"}}},
    {"swap": {"columns": ["age", "zip"]}},
]


def policy(*techniques: Any, require: Any = K, **columns: Any) -> Policy:
    made = {name: {**COLUMNS[name], **columns.get(name, {})} for name in COLUMNS}
    return Policy(columns=made, require=require, techniques=list(techniques))


def told(*techniques: Any, **more: Any) -> str:
    with pytest.raises(PolicyError) as raised:
        policy(*techniques, **more)
    return str(raised.value)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("wage", "no column 'wage', so it is not released"),
        ("name", "'name' is an identifier, and techniques never see identifiers"),
        ("notes", "column 'notes' is not released"),
    ],
)
def test_columns_that_are_not_released_are_not_changed(name: str, says: str) -> None:
    assert says in told({"shuffle": {"columns": [name]}})


def test_an_identifier_has_no_technique_of_its_own_and_is_not_looked_at() -> None:
    assert "columns.name.technique: column 'name'" in told(name={"technique": "shuffle"})
    assert "identifier" in told({"swap": {"columns": ["hours"], "within": ["name"]}})


def test_whose_row_it_is_may_be_looked_at() -> None:
    assert policy({"shift_dates": {"columns": ["hours"], "entity": "name"}}).techniques


@pytest.mark.parametrize("technique", RANDOM, ids=lambda one: str(next(iter(one))))
def test_k_is_not_counted_on_values_that_are_not_the_peoples(technique: Any) -> None:
    wrong = told(technique)
    assert f"techniques[0].{next(iter(technique))}: k_anonymity would be counted" in wrong
    assert "only generalizes it (round_values" in wrong


@pytest.mark.parametrize("technique", RANDOM, ids=lambda one: str(next(iter(one))))
def test_other_columns_than_quasi_may_be_drawn_by_chance(technique: Any) -> None:
    ((name, given),) = technique.items()
    assert policy({name: {**given, "columns": ["income"]}}).techniques


@pytest.mark.parametrize("technique", TRUE, ids=lambda one: str(next(iter(one))))
def test_techniques_that_stay_true_may_change_quasi_columns(technique: Any) -> None:
    assert policy(technique).techniques


def test_a_part_of_the_quasi_identifier_is_not_swapped() -> None:
    assert "Swap all quasi columns as a unit (columns: [age, zip])" in told(
        {"swap": {"columns": ["zip", "income"]}}
    )


def test_several_promises_are_told_at_once() -> None:
    both = [*K, {"l_diversity": {"column": "income", "ell": 2}}]
    wrong = told({"noise": {"columns": ["age"]}}, require=both)
    assert "k_anonymity and l_diversity would be counted on values of age" in wrong


def test_a_promise_about_other_columns_does_not_mind() -> None:
    about_zip = [{"k_anonymity": {"k": 5, "columns": ["zip"]}}]
    assert policy({"noise": {"columns": ["age"]}}, require=about_zip).techniques


def test_a_register_has_the_values_as_they_were(tmp_path: Path) -> None:
    register = tmp_path / "register.csv"
    register.write_text("age,zip\n1,2\n")
    require = [{"k_map": {"k": 2, "register": str(register)}}]
    assert "k_map compares age with a register" in told(TRUE[1], require=require)
    assert policy({"noise": {"columns": ["income"]}}, require=require).techniques


def test_made_rows_are_not_counted() -> None:
    assert "k_anonymity would be counted on synthetic rows" in told({"add_tuples": {"share": 0.5}})


def test_dropping_a_column_is_for_the_columns_of_the_policy() -> None:
    wrong = told({"suppress_values": {"columns": ["income"], "drop": True}})
    assert "Take them out of 'columns' instead" in wrong


def test_a_unit_of_every_released_column_hides_nothing() -> None:
    every = ["age", "zip", "income", "hours"]
    assert "whole rows are swapped" in told({"swap": {"columns": every}})


def test_a_column_is_not_blanked_after_other_work() -> None:
    noise, blank = {"noise": {"columns": ["income"]}}, {"suppress_values": {"columns": ["income"]}}
    assert "blanks all of 'income' after noise" in told(noise, blank)
    assert policy(blank).techniques
    assert policy(noise, {"suppress_values": {"columns": ["income"], "share": 0.1}}).techniques


def test_lines_of_the_file_are_named(tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(
        "columns:\n  age: {role: quasi, technique: {noise: {amount: 0.1}}}\n"
        "require: [k_anonymity: {k: 2}]\n"
    )
    with pytest.raises(PolicyError, match=r"line 2: columns\.age\.technique: k_anonymity would be"):
        Policy.load(file)
