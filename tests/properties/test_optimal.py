"""The proven optimum is the best of all nodes, found by trying every one of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.algorithms import Optimal, Solution
from discreet.algorithms.claims import UnreachableError
from discreet.algorithms.optimal import box_search, optimal
from discreet.errors import DiscreetError
from discreet.models import KAnonymity
from tests.properties.reference import Case, Node, Outcome, best, cost, outcomes
from tests.properties.strategies import MEASURES, Drawn, cases, examples, small

EQUAL = 1e-9
NOISE = 1e-14
"""Sums of a few dozen numbers around 1, added up in different orders, agree this well."""


def preferred(case: Case, found: dict[Node, Outcome]) -> set[Node]:
    """The best node; several only where rounding may go either way at the 12th decimal."""
    winner = best(case, found)
    assert winner is not None
    near = [one for one in found.values() if one.allowed and one.score <= winner.score + 2e-12]
    clear = all(round(one.score - NOISE, 12) == round(one.score + NOISE, 12) for one in near)
    return {winner.node} if clear else {one.node for one in near}


def agrees(drawn: Drawn, found: dict[Node, Outcome]) -> None:
    """Solve the case, and compare everything with brute force."""
    case, winner = drawn.case, best(drawn.case, found)
    if winner is None:
        with pytest.raises(UnreachableError):
            Optimal()(drawn.problem())
        return
    solution = Optimal()(drawn.problem())
    score = cost(case, solution.measures[case.measure.name])
    assert score == pytest.approx(winner.score, abs=EQUAL)
    assert solution.search.proven
    assert cost(case, solution.search.bound) == pytest.approx(winner.score, abs=EQUAL)
    assert solution.node in preferred(case, found)
    chosen = found[solution.node]
    assert solution.suppressed == chosen.suppressed
    kept = [key for key, keep in zip(case.released(chosen.node), chosen.kept, strict=True) if keep]
    assert sorted(solution.class_sizes) == sorted(kept.count(key) for key in set(kept))
    assert solution.search.nodes == len(found)
    assert all(verdict.holds for verdict in solution.verdicts)


@examples(150)
@given(drawn=cases())
def test_optimal_is_the_best_of_all_nodes(drawn: Drawn) -> None:
    agrees(drawn, outcomes(drawn.case))


@examples(50)
@given(drawn=cases(most_nodes=40, wildcard=True))
def test_optimal_is_best_where_missing_values_match_any(drawn: Drawn) -> None:
    agrees(drawn, outcomes(drawn.case))


@examples(40)
@given(drawn=cases(most_nodes=60), parallel=st.booleans())
def test_optimal_is_the_same_with_a_head_start_and_two_workers(
    drawn: Drawn, parallel: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(optimal, "LARGE", 0)
        patch.setattr(box_search, "PARALLEL_FROM", 0 if parallel else 10**9)
        agrees(drawn, outcomes(drawn.case))


def test_a_missing_value_that_joins_a_branch_matches_only_below_it() -> None:
    """At the ground the gap matches all three rows; a level up it is a value that stands alone."""
    up = {"a": ("a", "x", "*"), "b": ("b", "x", "*"), None: (None, "y", "*")}
    drawn = small({"q": up}, {"q": ["a", "b", None]}, models=(KAnonymity(2),), wildcard=True)
    found = outcomes(drawn.case)
    assert [found[level,].suppressed for level in range(3)] == [0, 1, 0]
    agrees(drawn, found)


@pytest.mark.parametrize("measure", dict.fromkeys(MEASURES), ids=repr)
@pytest.mark.parametrize("suppress", [0, 1])
def test_a_column_without_levels_has_a_score(measure: Any, suppress: float) -> None:
    cells = {"q": ["a", "a", "a"]}
    models = (KAnonymity(3 + suppress),)
    drawn = small({"q": {"a": ("a",)}}, cells, models=models, measure=measure, suppress=suppress)
    agrees(drawn, outcomes(drawn.case))


def test_a_share_means_what_it_says_in_decimals() -> None:
    """0.29 of 100 rows are 29, though 0.29 * 100 falls short of it in binary."""
    values = ["a"] * 71 + [f"v{number}" for number in range(29)]
    up = {value: (value, "*") for value in values}
    drawn = small({"q": up}, {"q": values}, models=(KAnonymity(2),), suppress=0.29)
    assert best(drawn.case, outcomes(drawn.case)).suppressed == 29
    agrees(drawn, outcomes(drawn.case))


@examples(70)
@given(drawn=cases(), steps=st.integers(0, 12))
def test_a_limit_of_time_gives_an_allowed_node_and_a_true_bound(drawn: Drawn, steps: int) -> None:
    case, found = drawn.case, outcomes(drawn.case)
    winner = best(case, found)
    try:
        solution = stopped_after(steps, drawn)
    except DiscreetError:
        assert winner is None or not found[case.top].allowed, "the first node counted would do"
        return
    assert winner is not None
    chosen = found[solution.node]
    assert chosen.allowed
    score = cost(case, solution.measures[case.measure.name])
    assert score == pytest.approx(chosen.score, abs=EQUAL)
    assert cost(case, solution.search.bound) <= winner.score + EQUAL
    assert winner.score <= score + EQUAL
    assert solution.suppressed == chosen.suppressed
    if solution.search.proven:
        assert solution.node in preferred(case, found)


def stopped_after(steps: int, drawn: Drawn) -> Solution:
    """Solve with a clock that runs out after so many steps."""
    left = iter(range(steps))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(box_search.BoxSearch, "_is_out_of_time", lambda _: next(left, None) is None)
        return Optimal()(drawn.problem(), seconds=60.0)
