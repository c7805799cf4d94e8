"""The checks of techniques pass what a technique does, and see what it must not do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from discreet import techniques
from soak.linked import check_together
from soak.part import ProductError
from soak.technique_checks import CHECKS, Change, Changed, check_change

ROWS = ("sample_rows", "add_tuples", "scramble")
"""Techniques about rows; the checker counts these, and policies refuse the second."""
NUMBERS = ["1", "2", "3", "10", "11", "13"]
DATES = ["2024-02-28", "2024-03-16", "2024-03-01", "2024-03-04"]
PEOPLE = ["a", "a", "b", "b"]
WORDS = ["a", "b", "c", "c"]


def check(
    name: str, settings: Mapping[str, Any], before: Sequence[Any], after: Sequence[Any]
) -> None:
    """Hold one column against its technique; all rows are there."""
    private = {"x": list(before), "whose": PEOPLE[: len(before)]}
    change = Change(name, settings, ("x",))
    check_change(Changed(change, private, {"x": list(after)}, True, private))


CASES: list[tuple[str, dict[str, Any], list[Any], list[Any], list[Any]]] = [
    ("suppress_values", {"share": 0.5}, WORDS, [None, "b", None, "c"], [None, "b", "c", "c"]),
    ("suppress_values", {"rarer_than": 2}, WORDS, [None, None, "c", "c"], [None, "b", "c", "c"]),
    ("substitute", {"replacements": {"a": "1"}, "others": "keep"}, WORDS,
     ["1", "b", "c", "c"], ["a", "b", "c", "c"]),
    ("substitute", {"categories": {"a": "1", "b": "1", "c": "2"}}, WORDS,
     ["b", "b", "c", "c"], ["c", "b", "c", "c"]),
    ("swap", {"share": 0.5}, WORDS, ["b", "a", "c", "c"], ["b", "b", "c", "c"]),
    ("swap", {}, ["1", "2", "3"], ["2", "3", "1"], ["1", "3", "2"]),
    ("rank_swap", {"p": 20}, NUMBERS, ["2", "1", "10", "3", "13", "11"],
     ["13", "2", "3", "10", "11", "1"]),
    ("shuffle", {}, WORDS, ["c", "c", "a", "b"], ["c", "c", "a", "a"]),
    ("pram", {"share": 0.4}, WORDS, ["b", "b", "c", "a"], ["b", "b", "c", "z"]),
    ("noise", {"amount": 1}, [str(100 * n) for n in range(9)],
     [str(100 * n + 40) for n in range(9)], [str(100 * n) for n in range(9)]),
    ("noise", {"amount": 0.1}, NUMBERS, ["2", "2", "3", "9", "11", "13"],
     ["2.5", "2", "3", "9", "11", "13"]),
    ("noise", {"domain": {"x": [1, None]}}, NUMBERS, NUMBERS, ["0", *NUMBERS[1:]]),
    ("perturb", {"similarity": -1}, ["1", "2", "3"], ["3", "2", "1"], ["3", "2", "2"]),
    ("perturb", {"similarity": 1}, ["1", "2", "3"], ["1", "2", "3"], ["3", "2", "1"]),
    ("round_values", {"base": 5}, NUMBERS, ["0", "0", "5", "10", "10", "15"],
     ["0", "0", "0", "10", "10", "15"]),
    ("round_values", {"base": 5, "how": "random"}, NUMBERS, ["0", "5", "0", "10", "15", "10"],
     ["0", "5", "0", "15", "15", "10"]),
    ("round_values", {"base": 5, "how": "controlled"}, ["1"] * 5, ["0", "5", "0", "0", "0"],
     ["0", "5", "5", "0", "0"]),
    ("top_code", {"at": 10}, NUMBERS, ["1", "2", "3", "10", "10", "10"],
     ["1", "2", "3", "10", "10", "13"]),
    ("top_code", {"at": 3, "put": "mean"}, NUMBERS, ["1", "2", "3", "11", "11", "11"],
     ["1", "2", "3", "3", "3", "3"]),
    ("bottom_code", {"at": 3}, NUMBERS, ["3", "3", "3", "10", "11", "13"], NUMBERS),
    ("bottom_code", {"quantile": 0.4}, NUMBERS, ["3", "3", "3", "10", "11", "13"], NUMBERS),
    ("zip3", {}, ["02138", "03601", "2139"], ["021", "000", "021"], ["021", "036", "021"]),
    ("year", {"as_of": "2026-11-16"}, ["1930-05-01", "1990-01-01"], ["1936 or before", "1990"],
     ["1930", "1990"]),
    ("outliers_to_median", {}, [*NUMBERS, "900"], [*NUMBERS, "10"], [*NUMBERS, "900"]),
    ("microaggregate", {"k": 3}, NUMBERS, ["2.0"] * 3 + ["11.333333333"] * 3,
     ["1.5", "1.5", "3", "11.333333333", "11.333333333", "11.333333333"]),
    ("microaggregate", {"k": 3}, NUMBERS, ["2.0"] * 3 + ["11.333333333"] * 3,
     ["6.666666667"] * 6),
    ("shift_dates", {"entity": "whose", "days": 10}, DATES,
     ["2024-02-29", "2024-03-17", "2024-02-28", "2024-03-02"],
     ["2024-02-29", "2024-03-18", "2024-02-28", "2024-03-02"]),
    ("shift_dates", {"entity": "whose", "days": 10}, DATES, DATES,
     ["2024-03-28", "2024-04-14", "2024-03-01", "2024-03-04"]),
    ("shift_dates", {"entity": "whose", "weeks": True}, DATES, DATES,
     ["2024-02-29", "2024-03-17", "2024-03-01", "2024-03-04"]),
    ("relative_dates", {"entity": "whose"}, DATES, ["0", "17", "0", "3"], ["0", "17", "2", "5"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "settings", "before", "right", "wrong"), CASES)
def test_a_check_passes_what_a_technique_promises_and_sees_what_it_does_not(
    name: str, settings: dict[str, Any], before: list[Any], right: list[Any], wrong: list[Any]
) -> None:
    check(name, settings, before, right)
    with pytest.raises(ProductError, match=name):
        check(name, settings, before, wrong)


def test_every_technique_on_columns_has_a_check_and_a_case() -> None:
    known = {technique.name for technique in techniques.ALL} - set(ROWS)
    assert set(CHECKS) == known
    assert {case[0] for case in CASES} == known


def test_a_missing_cell_that_is_filled_is_seen() -> None:
    with pytest.raises(ProductError, match="missing"):
        check("round_values", {"base": 5}, ["1", None], ["0", "5"])


TABLES = {
    "persons": {"patient": ["P1", "P2", "P3", "P4"], "sex": ["f", "f", "m", "m"]},
    "stays": {"patient": ["P1", "P2"], "ward": ["N", "N"], "problem": ["flu", "rash"]},
}
RELEASED = {
    "persons": {"patient": ["a", "b", "c", "d"], "sex": ["f", "f", "m", "m"]},
    "stays": {"patient": ["a", "b"], "ward": ["N", "N"], "problem": ["flu", "rash"]},
}
TOGETHER: dict[str, Any] = {
    "people": {"column": "patient"},
    "columns": {
        "persons.sex": {"role": "quasi", "hierarchy": {"flat": True}},
        "stays.ward": {"role": "quasi", "hierarchy": {"flat": True}},
        "stays.problem": {"role": "sensitive"},
    },
    "require": [{"k_anonymity": {"k": 2}}],
    "suppress": 0,
}


def test_a_right_release_of_several_tables_passes() -> None:
    check_together(TABLES, RELEASED, TOGETHER, {"people": 4, "people_released": 4})


@pytest.mark.parametrize(
    ("table", "column", "cells", "what"),
    [
        ("stays", "patient", ["a", "c"], "1 people"),
        ("stays", "patient", ["P1", "b"], "own identifier"),
        ("stays", "problem", ["flu", "flu"], "that no row has"),
        ("stays", "ward", ["X", "X"], "level"),
    ],
)
def test_a_wrong_release_of_several_tables_is_seen(
    table: str, column: str, cells: list[str], what: str
) -> None:
    wrong = {name: dict(columns) for name, columns in RELEASED.items()}
    wrong[table][column] = cells
    with pytest.raises(ProductError, match=what):
        check_together(TABLES, wrong, TOGETHER, {"people": 4, "people_released": 4})
