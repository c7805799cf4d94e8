"""Outliers become the median; the rest stays."""

from __future__ import annotations

import pytest

from discreet.errors import ParameterError, TechniqueError
from discreet.techniques.outliers_to_median import OutliersToMedian
from tests.techniques.made_numbers import column, table


def test_numbers_beyond_the_fences_become_the_median() -> None:
    # quartiles 2 and 6, median 4: the fences are at -4 and 12
    given = table(x=[0, 1, 2, 3, 4, 5, 6, 12, 13])
    released = OutliersToMedian(("x",))(given, 0)
    assert column(released, "x") == [0, 1, 2, 3, 4, 5, 6, 12, 4]
    assert released.notices == ("outliers_to_median: 1 of 9 values of 'x' became its median.",)


def test_both_ends_are_looked_at() -> None:
    released = OutliersToMedian(("x",))(table(x=[-50, 2, 3, 4, 5, 6, 70]), 0)
    assert column(released, "x") == [4, 2, 3, 4, 5, 6, 4]


def test_a_wider_fence_leaves_more() -> None:
    given = table(x=[0, 1, 2, 3, 4, 5, 6, 12, 13])
    assert column(OutliersToMedian(("x",), 3.0)(given, 0), "x") == column(given, "x")


def test_the_median_is_a_number_that_is_there() -> None:
    assert column(OutliersToMedian(("x",))(table(x=[1, 2, 3, 4, 5, 99]), 0), "x")[-1] == 3


def test_a_column_without_spread_is_refused() -> None:
    with pytest.raises(TechniqueError, match="same lower and upper quartile"):
        OutliersToMedian(("x",))(table(x=[0] * 9 + [5]), 0)


@pytest.mark.parametrize("fence", [0, -1, "wide", float("nan")])
def test_a_fence_that_makes_no_sense_is_refused(fence: object) -> None:
    with pytest.raises(ParameterError, match="fence"):
        OutliersToMedian(("x",), fence)  # type: ignore[arg-type]
