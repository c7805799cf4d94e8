"""Precision and its weights, worked out by hand."""

from __future__ import annotations

import pytest

from discreet.errors import ParameterError
from discreet.measures import Precision, WeightedPrecision
from tests.measures.hand import measured, town


def test_precision_is_one_minus_the_mean_of_level_over_height() -> None:
    assert measured(Precision(), (1, 0)) == pytest.approx(1 - (1 / 2 + 0) / 2)
    assert measured(Precision(), (1, 1)) == pytest.approx(1 - (1 / 2 + 1) / 2)


def test_a_suppressed_row_counts_as_fully_generalized() -> None:
    """Half of the rows go, the others are at the ground."""
    assert measured(Precision(), (0, 0), below=2) == pytest.approx(0.5)


def test_precision_does_not_look_at_column_weights() -> None:
    assert measured(Precision(), (1, 0), tables=town(weights=[3, 1])) == pytest.approx(0.75)


def test_weighted_precision_takes_the_weights_of_the_columns() -> None:
    tables = town(weights=[3, 1])
    assert measured(WeightedPrecision(), (1, 0), tables=tables) == pytest.approx(1 - 3 / 4 / 2)
    assert measured(WeightedPrecision(), (0, 1), tables=tables) == pytest.approx(1 - 1 / 4)


def test_weighted_by_height_each_level_costs_the_same() -> None:
    height = WeightedPrecision("height")
    assert measured(height, (1, 0)) == pytest.approx(2 / 3)
    assert measured(height, (0, 1)) == pytest.approx(2 / 3)


def test_unknown_weights_are_refused() -> None:
    with pytest.raises(ParameterError, match="'weights' must be one of column, height"):
        WeightedPrecision("rows")
