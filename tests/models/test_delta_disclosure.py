"""delta-disclosure privacy on classes worked out by hand."""

from __future__ import annotations

import math

import pytest

from discreet.errors import ParameterError
from discreet.models import DeltaDisclosure
from tests.models.hand import COLUMN, classes

TABLE = "aaab"
"""Shares 3/4 and 1/4."""


def test_the_largest_logarithm_of_the_ratio_is_measured() -> None:
    """One half b is twice its share, one half a is two thirds."""
    found = DeltaDisclosure(COLUMN, 1).judge_classes(classes("ab", "aaab", table=TABLE), ())
    assert found.measured == pytest.approx(math.log(2))
    assert (found.holds, found.limit, found.rows_at_risk) == (True, 1, 0)


def test_a_value_may_not_change_by_exactly_delta() -> None:
    made = classes("ab", table=TABLE)
    assert DeltaDisclosure(COLUMN, math.log(2)).fails(made).tolist() == [True]
    assert DeltaDisclosure(COLUMN, math.log(2) + 1e-6).fails(made).tolist() == [False]


def test_a_rarer_value_counts_as_a_more_frequent_one_does() -> None:
    """One eighth b is half its share."""
    found = DeltaDisclosure(COLUMN, 1).judge_classes(classes("aaaaaaab", table=TABLE), ())
    assert found.measured == pytest.approx(math.log(2))


def test_a_class_that_lacks_a_value_fails_whatever_delta() -> None:
    found = DeltaDisclosure(COLUMN, 100).judge_classes(classes("aaa", "ab", table=TABLE), ())
    assert (found.holds, found.measured, found.rows_at_risk) == (False, math.inf, 3)


def test_nothing_can_be_kept_of_a_class_that_lacks_a_value() -> None:
    assert DeltaDisclosure(COLUMN, 100).count_keepable(
        classes("aaa", "ab", table=TABLE)
    ).tolist() == [
        0,
        2,
    ]


def test_the_scarcest_value_limits_what_can_be_kept() -> None:
    """Each b serves fewer than 4 e^delta rows, here 6."""
    kept = DeltaDisclosure(COLUMN, math.log(1.5)).count_keepable(classes("aaaaaaaaab", table=TABLE))
    assert kept[0] == pytest.approx(6)


@pytest.mark.parametrize("delta", [0, -1, "1", True, math.nan])
def test_delta_must_be_a_number_above_zero(delta) -> None:
    with pytest.raises(ParameterError, match="delta_disclosure: 'delta' must be a number above 0"):
        DeltaDisclosure(COLUMN, delta)
