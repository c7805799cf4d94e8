"""beta-likeness, basic and enhanced, on classes worked out by hand."""

from __future__ import annotations

import math

import pytest

from discreet.errors import ParameterError
from discreet.models import BetaLikeness
from tests.models.hand import COLUMN, classes

TABLE = "aaab"
"""Shares 3/4 and 1/4."""


def test_the_largest_relative_gain_is_measured() -> None:
    """One half b gains (1/2 - 1/4) / (1/4) = 1."""
    found = BetaLikeness(COLUMN, 2).judge_classes(classes("ab", "aaab", table=TABLE), ())
    assert (found.holds, found.measured, found.rows_at_risk) == (True, pytest.approx(1), 0)


def test_a_gain_of_exactly_beta_passes() -> None:
    made = classes("ab", "b", table=TABLE)
    assert BetaLikeness(COLUMN, 1).fails(made).tolist() == [False, True]


def test_values_may_get_rarer_at_will() -> None:
    """Without any b, a gains a third."""
    made = classes("aaa", table=TABLE)
    assert not BetaLikeness(COLUMN, 1 / 3).fails(made).any()
    assert BetaLikeness(COLUMN, 0.3).fails(made).all()


def test_enhanced_allows_a_frequent_value_no_gain_above_its_logarithm() -> None:
    """-ln(3/4) is 0.288, below the gain of a third; -ln(1/4) is 1.386."""
    made = classes("aaa", "ab", "bba", table=TABLE)
    assert BetaLikeness(COLUMN, 1.5).fails(made).tolist() == [False, False, True]
    assert BetaLikeness(COLUMN, 1.5, "enhanced").fails(made).tolist() == [True, False, True]


def test_the_verdict_counts_the_rows_at_risk() -> None:
    found = BetaLikeness(COLUMN, 0.5).judge_classes(classes("ab", "aaab", table=TABLE), ("zip",))
    assert (found.holds, found.limit, found.rows_at_risk) == (False, 0.5, 2)


def test_a_finer_node_can_keep_as_many_as_the_gain_allows() -> None:
    """With gain 1 at most half of the rows are b: of "abbbb" two rows can stay."""
    kept = BetaLikeness(COLUMN, 1).count_keepable(classes("abbbb", table=TABLE))
    assert 2 <= kept[0] < 3


@pytest.mark.parametrize(
    ("parameters", "key"),
    [
        ({"beta": 0}, "beta"),
        ({"beta": None}, "beta"),
        ({"beta": math.nan}, "beta"),
        ({"beta": 1, "kind": "deep"}, "kind"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, key: str) -> None:
    with pytest.raises(ParameterError, match=f"beta_likeness: '{key}' must be"):
        BetaLikeness(COLUMN, **parameters)
