"""Average risk: classes over rows, on class sizes counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.errors import ParameterError
from discreet.models import AverageRisk
from tests.models.hand import sizes


def test_classes_over_rows_are_measured() -> None:
    found = AverageRisk(0.5).judge_classes(sizes(1, 1, 2, 4), ("age",))
    assert (found.holds, found.measured, found.rows_at_risk) == (True, 0.5, 0)


def test_rows_in_classes_that_are_too_small_are_at_risk() -> None:
    found = AverageRisk(0.4).judge_classes(sizes(1, 1, 2, 4), ("age",))
    assert (found.holds, found.measured, found.rows_at_risk) == (False, 0.5, 4)


@pytest.mark.parametrize(
    ("most", "least"),
    [
        pytest.param(0.5, 1, id="4 classes, 8 rows"),
        pytest.param(0.4, 2, id="2 classes, 6 rows"),
        pytest.param(0.3, 4, id="1 class, 4 rows"),
        pytest.param(0.2, 5, id="nothing may stay"),
    ],
)
def test_the_smallest_classes_go_first(most: float, least: int) -> None:
    assert AverageRisk(most).find_least_class(np.array([2, 1, 4, 1])) == least


@pytest.mark.parametrize(
    ("most", "rows"),
    [
        pytest.param(0.5, 8, id="all"),
        pytest.param(0.43, 7, id="one of the classes of one row may stay: 3 classes, 7 rows"),
        pytest.param(0.2, 0, id="nothing"),
    ],
)
def test_a_finer_node_keeps_no_more_than_the_largest_classes(most: float, rows: int) -> None:
    assert AverageRisk(most).count_keepable(np.array([2, 1, 4, 1])) == rows


@pytest.mark.parametrize("most", [0, 1.5, "0.2", True])
def test_the_limit_is_above_0_and_at_most_1(most) -> None:
    with pytest.raises(ParameterError, match="average_risk: 'max' must be"):
        AverageRisk(most)
