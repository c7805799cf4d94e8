"""Local suppression: few blanks, in either meaning of a blank, and what is said of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet.algorithms import Problem
from discreet.algorithms.claims import UnreachableError
from discreet.algorithms.solution import CellSolution
from discreet.algorithms.suppress.suppress import Suppress
from discreet.errors import ParameterError, ReleaseError, UnknownColumnError
from discreet.frequency.count import count
from discreet.measures import Discernibility, Granularity, Loss, Precision
from discreet.models import KAnonymity, LargestRisk, LDiversity
from discreet.pipeline.plan import plan_problem
from discreet.policy.policy import Policy
from discreet.table.read import read
from tests.algorithms.made import problem
from tests.shared_data import shared

FIVE = ("sex", "age", "race", "marital-status", "education")
EIGHT = (*FIVE, "native-country", "workclass", "occupation")


def released(solution: CellSolution) -> list[str]:
    """The released rows as texts, "-" for missing, sorted."""
    recoding = solution.recoding
    texts = []
    for part in np.nonzero(recoding.kept)[0]:
        cells = [
            v.labels[c[part]] or "-" for v, c in zip(recoding.values, recoding.codes, strict=True)
        ]
        texts += [" ".join(cells)] * int(recoding.rows[part])
    return sorted(texts)


def blanks(solution: CellSolution, text: str = "*") -> int:
    return sum(row.split().count(text) for row in released(solution))


def adult(columns: tuple[str, ...], missing: str) -> Problem:
    policy = Policy(
        columns={column: {"role": "quasi"} for column in columns},
        require=[KAnonymity(5)],
        missing=missing,
    )
    table = read(shared("data/adult/adult_arx.csv"))
    return plan_problem(policy, count(table, policy.quasi, ()).frequency)


def test_a_row_is_blanked_where_it_differs() -> None:
    found = Suppress()(problem(["p x", "p y", "q z", "q z"], [KAnonymity(2)], measure=Precision()))
    assert released(found) == ["p *", "p *", "q z", "q z"]
    assert found.holds
    assert found.suppressed == 0
    assert found.search.proven


def test_a_blank_that_is_a_value_needs_company() -> None:
    """One blank would leave a row of its own kind, so a row that was safe is blanked with it."""
    found = Suppress()(problem(["p x", "p x", "p x", "p y"], [KAnonymity(2)]))
    assert released(found) == ["p *", "p *", "p x", "p x"]


def test_a_class_that_can_spare_no_row_is_blanked_as_a_whole() -> None:
    found = Suppress()(problem(["p x", "p x", "p y", "q z", "q z"], [KAnonymity(2)]))
    assert released(found) == ["p *", "p *", "p *", "q z", "q z"]


def test_a_blank_that_matches_anything_needs_none() -> None:
    found = Suppress()(problem(["p x", "p x", "p x", "p y"], [KAnonymity(2)], wildcard=True))
    assert released(found) == ["p -", "p x", "p x", "p x"]
    assert found.holds


def test_values_missing_in_the_private_table_match_too() -> None:
    found = Suppress()(problem(["p x", "p -", "q y", "- y"], [KAnonymity(2)], wildcard=True))
    assert blanks(found, "-") == 2
    assert "0 cells blanked" in found.notes[0]


def test_a_missing_value_is_a_value_where_it_matches_nothing() -> None:
    found = Suppress()(problem(["p -", "p -", "p x", "p x"], [KAnonymity(2)]))
    assert blanks(found) == 0
    assert found.search.proven


def test_blanks_of_others_help_unless_that_is_ruled_out() -> None:
    rows = ["p 1 u", "p 2 u", "q 3 v", "r 4 v", "r 3 w"]
    helped = Suppress()(problem(rows, [KAnonymity(2)], wildcard=True))
    alone = Suppress(helped=False)(problem(rows, [KAnonymity(2)], wildcard=True))
    assert released(helped) == ["- - v", "p - u", "p - u", "r - v", "r 3 -"]
    assert "2 rows have 2 matches only because" in helped.notes[0]
    assert released(alone) == ["- - v", "- - v", "p - u", "p - u", "r - -"]
    assert "only because" not in alone.notes[0]
    assert helped.holds
    assert alone.holds


@pytest.mark.parametrize("k", [2, 3, 5])
def test_k_less_one_blank_rows_make_any_table_k_anonymous_under_wildcards(k: int) -> None:
    """So the promise alone would let rows that are unique go out whole."""
    rows = [*["- - -"] * (k - 1), *(f"{i} {i} {i}" for i in range(9))]
    asked = problem(rows, [KAnonymity(k)], wildcard=True)
    assert asked.requirement.judge(asked.counter, asked.counter.base).suppressed == 0


@pytest.mark.parametrize("exact", [False, True])
def test_every_row_at_risk_has_a_blank_and_other_rows_have_none(exact: bool) -> None:
    rows = ["a a a", "a a a", *(f"{i} {i} {i}" for i in range(5))]
    found = Suppress(exact=exact)(problem(rows, [KAnonymity(2)], wildcard=True))
    told = released(found)
    assert told.count("a a a") == 2
    assert sum("-" in row for row in told) == 5
    assert "fewer than 5" in found.notes[0]


def test_unimportant_columns_are_blanked_first() -> None:
    rows = ["p x", "p y", "q x", "q y"]
    for importance, kept in ((("a",), 0), (("b",), 1), (("b", "a"), 1), (("a", "b"), 0)):
        found = Suppress(importance=importance)(problem(rows, [KAnonymity(2)]))
        told = [row.split() for row in released(found)]
        assert all(row[kept] != "*" and row[1 - kept] == "*" for row in told)


def test_all_other_columns_go_before_an_important_one() -> None:
    rows = ["p 1 1", "p 2 2", "q 1 2", "q 1 2"]
    found = Suppress(importance=("a",))(problem(rows, [KAnonymity(2)]))
    assert all(not row.startswith("*") for row in released(found))


def test_a_heavy_column_is_blanked_last() -> None:
    rows = ["p x", "p y", "q x", "q y"]
    for weights, kept in (([5, 1], 0), ([1, 5], 1)):
        found = Suppress()(problem(rows, [KAnonymity(2)], weights=weights))
        assert all(row.split()[kept] != "*" for row in released(found))


def test_importance_of_an_unknown_column_is_refused() -> None:
    with pytest.raises(UnknownColumnError, match="'z'"):
        Suppress(importance=("z",))(problem(["p x", "q y"], [KAnonymity(2)]))


@pytest.mark.parametrize(
    "given", [{"importance": ("a", "a")}, {"importance": "a"}, {"exact": 1}, {"helped": "no"}]
)
def test_parameters_that_make_no_sense_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="suppress"):
        Suppress(**given)


def test_other_promises_are_refused_by_name() -> None:
    diverse = problem(["p x", "q y"], [LDiversity("b", 2)], sensitive="b")
    with pytest.raises(ReleaseError, match="l_diversity"):
        Suppress()(diverse)
    own = problem(["p x", "q y"], [KAnonymity(2, columns=("a",))])
    with pytest.raises(ReleaseError, match="columns of its own"):
        Suppress()(own)


def test_a_largest_risk_is_a_class_size() -> None:
    rows = ["p x", "p y", "q z", "q u", "q v"]
    risk = Suppress()(problem(rows, [LargestRisk(0.5)]))
    size = Suppress()(problem(rows, [KAnonymity(2)]))
    assert released(risk) == released(size)


@pytest.mark.parametrize("wildcard", [False, True])
def test_fewer_rows_than_k_are_refused_or_all_left_out(wildcard: bool) -> None:
    rows = ["p x", "p x"]
    with pytest.raises(UnreachableError):
        Suppress()(problem(rows, [KAnonymity(3)], wildcard=wildcard))
    found = Suppress()(problem(rows, [KAnonymity(3)], wildcard=wildcard, suppress=1.0))
    assert found.suppressed == 2


def test_a_row_like_no_other_is_left_out_if_the_policy_allows() -> None:
    rows = ["p x", "p x", "q y", "q y", "r z"]
    found = Suppress()(problem(rows, [KAnonymity(2)], suppress=0.2))
    assert found.suppressed == 1
    assert blanks(found) == 0


def test_a_row_like_no_other_takes_the_cheapest_company_otherwise() -> None:
    rows = ["p x", "p x", "q y", "q y", "q y", "r z"]
    found = Suppress()(problem(rows, [KAnonymity(2)]))
    assert released(found) == ["* *", "* *", "p x", "p x", "q y", "q y"]


def test_the_bound_is_in_the_measure_and_in_blanks() -> None:
    rows = ["p x", "p x", "p x", "p y"]
    found = Suppress()(problem(rows, [KAnonymity(2)], measure=Granularity()))
    assert "2 cells blanked" in found.notes[0]
    assert "fewer than 1" in found.notes[0]
    assert found.search.bound == pytest.approx(1 - 1 / 8)
    assert found.measures["granularity"] == pytest.approx(1 - 2 / 8)
    assert not found.search.proven


def test_the_exact_search_proves_what_the_bound_cannot() -> None:
    rows = ["p x", "p x", "p x", "p y"]
    found = Suppress(exact=True)(problem(rows, [KAnonymity(2)], measure=Precision()))
    assert found.search.proven
    assert found.search.bound == found.measures["precision"] == pytest.approx(1 - 2 / 8)


@pytest.mark.parametrize("measure", [Loss(), Discernibility()])
def test_fewest_blanks_are_not_called_best_by_a_measure_of_another_kind(measure: Any) -> None:
    rows = ["p x", "p x", "p x", "p y", "q y"]
    found = Suppress(exact=True)(problem(rows, [KAnonymity(2)], measure=measure))
    assert not found.search.proven
    assert "cheapest" in found.notes[0]


@pytest.mark.parametrize("wildcard", [False, True])
def test_further_cells_cover_for_the_blanks(wildcard: bool) -> None:
    rows = [*["p x 1"] * 4, "p y 1", "q z 1", *["q z 2"] * 3]
    asked = problem(rows, [KAnonymity(2)], wildcard=wildcard)
    found, plain = Suppress(complementary=True)(asked), Suppress()(asked)
    text = "-" if wildcard else "*"
    assert found.holds
    assert min(released(found).count(row) for row in released(found)) >= 2
    more = blanks(found, text) - blanks(plain, text)
    assert f"{more} further cells" in found.notes[0]
    assert (more > 0) == wildcard


def test_exact_without_help_is_still_without_help() -> None:
    rows = ["p 1 u", "p 2 u", "q 3 v", "r 4 v", "r 3 w"]
    asked = problem(rows, [KAnonymity(2)], wildcard=True)
    exact, alone = Suppress(helped=False, exact=True)(asked), Suppress(helped=False)(asked)
    assert released(exact) == released(alone)


def test_more_columns_than_can_be_tried_in_every_way_still_work() -> None:
    random = np.random.default_rng(4)
    rows = [" ".join(map(str, random.integers(0, 3, 16))) for _ in range(60)]
    for wildcard in (False, True):
        found = Suppress(exact=True)(problem(rows, [KAnonymity(3)], wildcard=wildcard))
        assert found.holds
        assert "too large for the exact search" in found.notes[0]


def test_adult_needs_fewer_blanks_than_sdcmicro() -> None:
    """sdcMicro blanks 7,883 and 26,751 cells of these columns at k = 5."""
    for columns, theirs in ((FIVE, 7_883), (EIGHT, 26_751)):
        found = Suppress()(adult(columns, "wildcard"))
        assert found.holds
        assert blanks(found, "-") < theirs


def test_adult_five_columns_need_fewer_even_without_help() -> None:
    found = Suppress(helped=False)(adult(FIVE, "wildcard"))
    assert found.holds
    assert blanks(found, "-") == 7_828


def test_adult_blanks_as_values_are_within_reach_of_the_bound() -> None:
    for columns, bound, most in ((FIVE, 7_828, 1.03), (EIGHT, 28_546, 1.13)):
        found = Suppress()(adult(columns, "value"))
        assert found.holds
        assert f"fewer than {bound:,}" in found.notes[0]
        assert bound <= blanks(found) <= bound * most
