"""Share of sample uniques, on class sizes counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.errors import ParameterError
from discreet.models import SampleUniques
from tests.models.hand import sizes


def test_unique_rows_over_rows_are_measured() -> None:
    found = SampleUniques(0.2).judge_classes(sizes(1, 1, 8), ("age",))
    assert (found.holds, found.measured, found.rows_at_risk) == (True, 0.2, 0)


def test_unique_rows_are_at_risk_where_they_are_too_many() -> None:
    found = SampleUniques(0.1).judge_classes(sizes(1, 1, 8), ("age",))
    assert (found.holds, found.measured, found.rows_at_risk) == (False, 0.2, 2)


@pytest.mark.parametrize(("most", "least"), [(0.2, 1), (0.1, 2), (0, 2)])
def test_all_unique_rows_go_where_they_are_too_many(most: float, least: int) -> None:
    assert SampleUniques(most).find_least_class(np.array([1, 1, 8])) == least


@pytest.mark.parametrize(
    ("most", "rows"),
    [
        pytest.param(0.2, 10, id="all"),
        pytest.param(0.15, 9, id="one of nine is unique"),
        pytest.param(0, 8, id="no unique row"),
    ],
)
def test_a_finer_node_keeps_no_more_unique_rows_than_allowed(most: float, rows: int) -> None:
    assert SampleUniques(most).count_keepable(np.array([1, 1, 8])) == rows


@pytest.mark.parametrize("most", [-0.1, 1.5, "0.2", True])
def test_the_limit_is_from_0_to_1(most) -> None:
    with pytest.raises(ParameterError, match="sample_uniques: 'max' must be a number from 0 to 1"):
        SampleUniques(most)
