"""k-anonymity on classes counted by hand."""

from __future__ import annotations

import pytest

from discreet.errors import ParameterError
from discreet.models import KAnonymity
from tests.models.hand import sizes


def test_classes_below_k_fail() -> None:
    assert KAnonymity(3).fails(sizes(1, 2, 3, 4)).tolist() == [True, True, False, False]


def test_nothing_of_a_failing_class_can_be_kept_at_a_finer_node() -> None:
    assert KAnonymity(3).count_keepable(sizes(2, 3, 7)).tolist() == [0, 3, 7]


def test_the_verdict_measures_the_smallest_class() -> None:
    verdict = KAnonymity(2).judge_classes(sizes(5, 2), ("age",))
    assert (verdict.holds, verdict.measured, verdict.limit) == (True, 2, 2)
    assert (verdict.rows_at_risk, verdict.columns) == (0, ("age",))


def test_the_verdict_counts_the_rows_at_risk() -> None:
    verdict = KAnonymity(4).judge_classes(sizes(5, 2, 1), ("age",))
    assert (verdict.holds, verdict.measured, verdict.rows_at_risk) == (False, 1, 3)


def test_a_release_without_rows_holds_but_says_that_it_is_empty() -> None:
    verdict = KAnonymity(4).judge_classes(sizes(), ("age",))
    assert verdict.holds
    assert "no rows" in verdict.note


@pytest.mark.parametrize("k", [0, -1, 2.0, "5", True, None])
def test_k_must_be_a_whole_number_of_at_least_one(k) -> None:
    with pytest.raises(ParameterError, match="k_anonymity: 'k' must be a whole number"):
        KAnonymity(k)
