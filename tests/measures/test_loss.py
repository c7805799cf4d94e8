"""Loss and granularity, worked out by hand."""

from __future__ import annotations

from math import sqrt

import pytest

from discreet.hierarchy import File
from discreet.measures import Granularity, Loss
from tests.measures.hand import ROWS, measured, town


def test_nothing_is_lost_at_the_ground() -> None:
    assert measured(Loss(), (0, 0)) == 0
    assert measured(Granularity(), (0, 0)) == 1


def test_everything_is_lost_at_the_top() -> None:
    assert measured(Loss(), (2, 1)) == pytest.approx(1)
    assert measured(Granularity(), (2, 1)) == pytest.approx(0)


def test_a_column_costs_its_mean_share_of_leaves_rescaled() -> None:
    """0213* and 0214* hold 2 of 4 leaves each: x = 1/2, x' = (1/2 - 1/4) / (3/4) = 1/3."""
    assert measured(Loss(), (1, 0)) == pytest.approx(sqrt(4 / 3) - 1)
    assert measured(Granularity(), (1, 0)) == pytest.approx(1 - 1 / 6)


def test_a_suppressed_row_has_lost_everything() -> None:
    """Four single rows go. zip: (4 * 1/4 + 4) / 8 = 5/8, x' = 1/2; sex: 3/4, x' = 1/2."""
    assert measured(Loss(), (0, 0), below=2) == pytest.approx(0.5)
    assert measured(Granularity(), (0, 0), below=2) == pytest.approx(0.5)


def test_suppressing_all_rows_loses_everything() -> None:
    assert measured(Loss(), (1, 0), below=100) == pytest.approx(1)


def test_column_weights_are_exponents() -> None:
    tables = town(weights=[3, 1])
    assert measured(Loss(), (1, 0), tables=tables) == pytest.approx((4 / 3) ** 0.75 - 1)
    assert measured(Granularity(), (1, 0), tables=tables) == pytest.approx(1 - 0.75 / 3)


def test_a_column_of_one_value_loses_nothing() -> None:
    tables = town([row.replace("f", "m") for row in ROWS])
    assert measured(Loss(), (0, 1), tables=tables) == 0


def test_leaves_that_the_data_lacks_count(tmp_path) -> None:
    """Of ten leaves in the file four are in the data; 0213* holds two, 0214* the other eight."""
    path = tmp_path / "zip.csv"
    others = [f"0214{n}" for n in range(1, 9)]
    path.write_text("".join(f"{z};{z[:4]}*;*\n" for z in ["02138", "02139", *others]))
    tables = town(builder=File(path))
    x = (6 * 0.2 + 2 * 0.8) / 8
    assert measured(Loss(), (1, 0), tables=tables) == pytest.approx(sqrt(1 + (x - 0.1) / 0.9) - 1)
