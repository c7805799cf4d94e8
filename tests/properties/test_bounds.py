"""What the search prunes by is true: no node of a box scores or suppresses less than it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.algorithms.optimal.bounds import Bound, ColumnBound, bound_for
from discreet.algorithms.optimal.optimal import ColumnGroups
from discreet.measures import ColumnMeasure, Precision
from discreet.models import KAnonymity, LDiversity
from tests.properties.reference import Node, Outcome, outcome, outcomes
from tests.properties.strategies import MEASURES, Drawn, cases, examples, small

NOISE = 1e-12


def below(one: Node, other: Node) -> bool:
    """Whether a node is at least as fine as another in every column."""
    return all(a <= b for a, b in zip(one, other, strict=True))


def boxes(found: Mapping[Node, Outcome]) -> Iterator[tuple[Node, Node, list[Outcome]]]:
    """Every pair of a finer and a coarser node, with all that lies between."""
    for high in found:
        under = [node for node in found if below(node, high)]
        for low in under:
            yield low, high, [found[node] for node in under if below(low, node)]


def check_bounds(drawn: Drawn, bound: Bound | None = None) -> None:
    case, problem = drawn.case, drawn.problem()
    found = outcomes(case)
    bound = bound_for(problem) if bound is None else bound
    attempts = {node: problem.attempt(node) for node in found}
    for low, high, inside in boxes(found):
        least = min((one.score for one in inside if one.allowed), default=None)
        if least is not None:
            assert bound(low, attempts[high]) <= least + NOISE * max(1, abs(least)), (low, high)


@examples(40)
@given(drawn=cases(most_nodes=24, most_columns=3))
def test_no_node_of_a_box_scores_below_its_bound(drawn: Drawn) -> None:
    check_bounds(drawn)


@pytest.mark.parametrize("kind", ["size", "sensitive"])
@pytest.mark.parametrize("measure", dict.fromkeys(MEASURES), ids=repr)
@examples(12)
@given(data=st.data())
def test_bounds_of_every_measure_hold_where_many_rows_are_suppressed(
    measure: Any, kind: str, data: st.DataObject
) -> None:
    case = cases(20, 2, False, most_models=1, kind=kind, measures=[measure], shares=[0.5, 1])
    check_bounds(data.draw(case))


COLUMN_MEASURES = [m for m in dict.fromkeys(MEASURES) if isinstance(m, ColumnMeasure)]


@examples(60)
@given(drawn=cases(30, kind="size", measures=COLUMN_MEASURES, shares=[0, 0.1, 0.29, 0.5]))
def test_no_node_scores_below_what_groups_of_its_columns_must_cost(drawn: Drawn) -> None:
    """The bound for large lattices, on lattices small enough to try every node."""
    problem = drawn.problem()
    groups = ColumnGroups(problem)
    groups.search(seconds=60)
    assert problem.cost is not None
    check_bounds(drawn, ColumnBound(problem, problem.cost, groups.floors))


def test_a_column_without_levels_costs_nothing_in_a_group() -> None:
    cells = {"q": list("aaaaaaa"), "r": list("ddbdadc"), "s": list("ddadadd")}
    up = {v: (v, "m" if v in "ab" else "n", "*") for v in "abcd"}
    ups = {"q": {"a": ("a",)}, "r": up, "s": up}
    more = {"models": (KAnonymity(3),), "measure": Precision(), "suppress": 0.5}
    drawn = small(ups, cells, **more)
    problem = drawn.problem()
    groups = ColumnGroups(problem)
    groups.search(seconds=60)
    assert problem.cost is not None
    assert groups.floors
    check_bounds(drawn, ColumnBound(problem, problem.cost, groups.floors))


def check_least_suppressed(drawn: Drawn) -> None:
    case, problem = drawn.case, drawn.problem()
    found = outcomes(case)
    for high in found:
        attempt = problem.attempt(high)
        assert attempt.suppressed == found[high].suppressed, high
        finer = [one.suppressed for node, one in found.items() if below(node, high)]
        assert attempt.least_suppressed <= min(finer), high


@examples(80)
@given(drawn=cases(most_nodes=60))
def test_no_finer_node_suppresses_less_than_was_foretold(drawn: Drawn) -> None:
    check_least_suppressed(drawn)


@examples(70)
@given(drawn=cases(most_nodes=40, most_columns=2, most_models=1, kind="sensitive"))
def test_no_part_of_a_class_keeps_more_rows_than_a_single_model_says(drawn: Drawn) -> None:
    check_least_suppressed(drawn)


def test_a_class_that_fails_may_have_parts_that_pass() -> None:
    """Entropy: m fails as a whole, with all its ten rows; at the ground only the two of b do."""
    up = {"a": ("a", "m", "*"), "b": ("b", "m", "*"), "c": ("c", "n", "*")}
    cells = {"q": ["a"] * 8 + ["b"] * 2 + ["c"] * 10, "ill": list("xxxxyyyyxx" + "xxxxxyyyyy")}
    model = LDiversity("ill", 2, kind="entropy")
    drawn = small({"q": up}, cells, models=(model,), suppress=1)
    assert [outcome(drawn.case, (level,)).suppressed for level in (0, 1)] == [2, 10]
    check_bounds(drawn)
    check_least_suppressed(drawn)


def test_bounds_are_not_empty_words() -> None:
    """On a plain table the bound of a box is above zero, and its least suppression too."""
    up = {value: (value, "*") for value in "abc"}
    drawn = small({"q": up}, {"q": list("aabc")}, models=(KAnonymity(2),), suppress=0.5)
    problem = drawn.problem()
    ground = problem.attempt((0,))
    assert ground.least_suppressed == 2
    assert bound_for(problem)((0,), ground) == 0.5
