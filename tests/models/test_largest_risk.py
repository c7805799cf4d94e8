"""Largest risk: one over the smallest class."""

from __future__ import annotations

import pytest

from discreet.errors import ParameterError
from discreet.models import KAnonymity, LargestRisk
from tests.models.hand import sizes


@pytest.mark.parametrize(
    ("most", "k"), [(1, 1), (0.5, 2), (1 / 3, 3), (0.2, 5), (0.19, 6), (0.1, 10)]
)
def test_a_risk_is_the_same_as_a_k(most: float, k: int) -> None:
    made = sizes(*range(1, 20))
    assert LargestRisk(most).least_rows == k
    assert LargestRisk(most).fails(made).tolist() == KAnonymity(k).fails(made).tolist()


def test_one_over_the_smallest_class_is_measured() -> None:
    found = LargestRisk(0.2).judge_classes(sizes(4, 8), ("age",))
    assert (found.holds, found.measured, found.limit, found.rows_at_risk) == (False, 0.25, 0.2, 4)


def test_nothing_of_a_failing_class_can_be_kept_at_a_finer_node() -> None:
    assert LargestRisk(0.2).count_keepable(sizes(4, 5)).tolist() == [0, 5]


@pytest.mark.parametrize("most", [0, 1.5, "0.2", True])
def test_the_limit_is_above_0_and_at_most_1(most) -> None:
    with pytest.raises(ParameterError, match="largest_risk: 'max' must be"):
        LargestRisk(most)
