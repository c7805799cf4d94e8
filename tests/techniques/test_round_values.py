"""Rounding: plain, right on average, and with totals that stay near."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import ParameterError, TechniqueError
from discreet.techniques.round_values import RoundValues
from tests.techniques.made_numbers import column, made, numbers, table


def test_plain_rounding_takes_the_nearest_multiple() -> None:
    released = RoundValues(("x",), 5)(table(x=[0, 2, 3, 7, 8, -3]), 1)
    assert column(released, "x") == [0, 0, 5, 5, 10, -5]


def test_multiples_are_written_without_noise_digits() -> None:
    released = RoundValues(("x",), 0.1)(table(x=["0.31", "0.68"]), 1)
    assert column(released, "x") == ["0.3", "0.7"]


def test_random_rounding_is_right_on_average() -> None:
    released = RoundValues(("x",), 10, "random")(table(x=np.full(400_000, 3.0)), 1)
    rounded = numbers(released, "x")
    assert set(rounded.ravel()) == {0.0, 10.0}
    assert rounded.mean() == pytest.approx(3.0, abs=0.03)  # four standard errors


def test_large_numbers_are_rounded_like_small_ones() -> None:
    large = np.full(40_000, 10.0**11 + 3)
    rounded = numbers(RoundValues(("x",), 10, "random")(table(x=large), 1), "x") - 10.0**11
    assert rounded.mean() == pytest.approx(3.0, abs=0.1)  # four standard errors
    kept = numbers(RoundValues(("x",), 10, "controlled")(table(x=large), 1), "x") - 10.0**11
    assert kept.sum() == 120_000


def test_controlled_rounding_goes_up_in_rows_that_the_seed_draws() -> None:
    counts = table(x=[1] * 100)
    first, second = (column(RoundValues(("x",), 5, "controlled")(counts, n), "x") for n in (1, 2))
    assert sum(first) == sum(second) == 100
    assert first != second


def test_a_base_that_the_numbers_are_too_large_for_is_refused() -> None:
    with pytest.raises(TechniqueError, match="larger base"):
        RoundValues(("x",), 1e-300)(table(x=[1.5, 2.5]), 1)


@pytest.mark.parametrize("how", ["random", "controlled"])
def test_multiples_stay(how: str) -> None:
    multiples = [n * 0.1 for n in range(-50, 50)]
    released = RoundValues(("x",), 0.1, how)(table(x=multiples), 1)  # type: ignore[arg-type]
    assert np.allclose(numbers(released, "x").ravel(), multiples)


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=40), st.integers(0, 5))
@settings(max_examples=20, deadline=None)
def test_controlled_rounding_keeps_the_total_as_near_as_can_be(cells: list[int], seed: int) -> None:
    rounded = column(RoundValues(("x",), 7, "controlled")(table(x=cells), seed), "x")
    assert all(r % 7 == 0 and abs(r - c) < 7 for r, c in zip(rounded, cells, strict=True))
    assert abs(sum(rounded) - sum(cells)) <= 3.5


def test_plain_rounding_loses_a_total_that_controlled_rounding_keeps() -> None:
    counts = table(x=[1] * 1000)
    assert sum(column(RoundValues(("x",), 5)(counts, 1), "x")) == 0
    assert sum(column(RoundValues(("x",), 5, "controlled")(counts, 1), "x")) == 1000


def test_totals_of_groups_stay_within_a_base() -> None:
    draw = np.random.default_rng(4)
    town, x = draw.integers(0, 30, 3000), draw.integers(0, 100, 3000)
    rounded = RoundValues(("x",), 10, "controlled", ("town",))(table(town=town, x=x), 1)
    change = np.bincount(town, weights=numbers(rounded, "x").ravel() - x)
    assert np.abs(change).max() <= 10
    assert abs(change.sum()) <= 5


def test_a_base_that_is_not_whole_is_refused_for_whole_numbers() -> None:
    with pytest.raises(TechniqueError, match="'age' holds whole numbers"):
        RoundValues(("age",), 0.5)(made(20), 1)


@pytest.mark.parametrize(
    "wrong",
    [{"base": 0}, {"base": float("inf")}, {"how": "up"}, {"within": ("y",)},
     {"within": ("x",), "how": "controlled"}, {"within": "y", "how": "controlled"}],
)  # fmt: skip
def test_parameters_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        RoundValues(("x",), **{"base": 5, **wrong})  # type: ignore[arg-type]
