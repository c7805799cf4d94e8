"""All promises of a policy together, on tables small enough to see what must go."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.models import AverageRisk, KAnonymity, LDiversity, SampleUniques
from tests.algorithms.made import problem


def suppressed(tables) -> list[tuple[str, ...]]:
    """The tuples that the finest node suppresses."""
    groups = tables.counter.groups(tables.lattice.bottom)
    fails = tables.requirement.judge(tables.counter, groups).fails
    values = [tables.frequency.values[name] for name in tables.frequency.columns]
    codes = zip(*tables.frequency.codes, strict=True)
    tuples = [tuple(v[c] for v, c in zip(values, row, strict=True)) for row in codes]
    return sorted((tuples[place] for place in np.nonzero(fails)[0]), key=str)


def test_a_class_that_breaks_any_promise_is_suppressed() -> None:
    rows = ["p s", "p s", "q s", "q t", "r t"]
    tables = problem(rows, [KAnonymity(2), LDiversity("b", 2)], quasi="a", sensitive="b")
    assert suppressed(tables) == [("p",), ("r",)]


def test_each_quasi_identifier_has_its_own_k() -> None:
    rows = ["p x", "p x", "p y", "p y", "q y", "q y"]
    tables = problem(rows, [KAnonymity(2, ("a",)), KAnonymity(3, ("b",))])
    assert suppressed(tables) == [("p", "x")]


def test_suppressing_for_one_quasi_identifier_can_break_another() -> None:
    """b = x has two rows, which go; then a = p has one row left, and goes too."""
    rows = ["p x", "q x", "p y", "q y", "q y", "r y", "r y"]
    tables = problem(rows, [KAnonymity(2, ("a",)), KAnonymity(3, ("b",))])
    assert suppressed(tables) == [("p", "x"), ("p", "y"), ("q", "x")]


def test_a_promise_about_the_table_suppresses_the_smallest_classes() -> None:
    tables = problem(["p", "q", "r", "r", "s", "s", "s", "s"], [AverageRisk(0.4)])
    assert suppressed(tables) == [("p",), ("q",)]


def test_unique_rows_stay_where_the_share_allows_it() -> None:
    rows = ["p", *["q"] * 9]
    assert suppressed(problem(rows, [SampleUniques(0.1)])) == []
    assert suppressed(problem(rows, [SampleUniques(0.05)])) == [("p",)]


def test_a_missing_value_is_a_value_of_its_own() -> None:
    tables = problem(["p", "p", "-"], [KAnonymity(2)])
    assert suppressed(tables) == [(None,)]


def test_with_wildcard_a_missing_value_matches_any() -> None:
    tables = problem(["p", "-", "q"], [KAnonymity(2)], wildcard=True)
    assert suppressed(tables) == []


def test_with_wildcard_rows_match_where_neither_is_missing() -> None:
    """(p, -) matches (p, x) and (-, y); (q, x) matches nobody."""
    tables = problem(["p x", "p -", "- y", "q x"], [KAnonymity(2)], wildcard=True)
    assert suppressed(tables) == [("q", "x")]


def test_with_wildcard_classes_are_counted_again_once_rows_are_gone() -> None:
    """The missing row matches all three, but p and q have two each; alone it has none."""
    tables = problem(["p", "-", "q"], [KAnonymity(3)], wildcard=True)
    assert suppressed(tables) == [("p",), ("q",), (None,)]


def test_verdicts_come_in_the_order_of_the_policy() -> None:
    models = [KAnonymity(1, ("b",)), SampleUniques(1.0), KAnonymity(2, ("a",))]
    tables = problem(["p x", "p y"], models)
    groups = tables.counter.groups(tables.lattice.bottom)
    verdicts = tables.requirement.list_verdicts(tables.counter, groups, np.ones(2, dtype=bool))
    assert [v.model for v in verdicts] == ["k_anonymity", "sample_uniques", "k_anonymity"]
    assert [v.columns for v in verdicts] == [("b",), ("a", "b"), ("a",)]
    assert [v.measured for v in verdicts] == [1, 1, 2]


@pytest.mark.parametrize(
    ("models", "hereditary"),
    [
        ([KAnonymity(2)], True),
        ([KAnonymity(2), KAnonymity(3, ("a",))], True),
        ([KAnonymity(2), SampleUniques(0.1)], False),
    ],
)
def test_only_hereditary_promises_together_are_hereditary(models, hereditary: bool) -> None:
    assert problem(["p x"], models).requirement.hereditary is hereditary
