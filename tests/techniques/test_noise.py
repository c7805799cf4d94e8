"""Additive noise keeps means and, if correlated, correlations."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import ParameterError, TechniqueError
from discreet.techniques.noise import Noise
from tests.techniques.made_numbers import column, made, numbers, table

TWO = ("weight", "income")


def test_independent_noise_has_the_stated_size_and_is_independent() -> None:
    given = made(20_000)
    before, after = numbers(given, *TWO), numbers(Noise(TWO, 0.5)(given, 1), *TWO)
    noise = (after - before) / before.std(axis=0)
    assert np.allclose(noise.std(axis=0), 0.5, atol=0.01)  # four standard errors
    assert np.allclose(noise.mean(axis=0), 0, atol=0.015)
    assert abs(np.corrcoef(noise, rowvar=False)[0, 1]) < 0.03
    assert abs(np.corrcoef(noise[:, 0], before[:, 0])[0, 1]) < 0.03


def test_correlated_noise_keeps_correlations_and_independent_noise_does_not() -> None:
    given = made(20_000)
    before = numbers(given, *TWO)
    kept = numbers(Noise(TWO, 1.0, "correlated")(given, 1), *TWO)
    lost = numbers(Noise(TWO, 1.0)(given, 1), *TWO)
    was = np.corrcoef(before, rowvar=False)[0, 1]
    assert was > 0.2
    assert np.corrcoef(kept, rowvar=False)[0, 1] == pytest.approx(was, abs=0.03)
    assert np.corrcoef(lost, rowvar=False)[0, 1] == pytest.approx(was / 2, abs=0.03)
    growth = np.cov(kept, rowvar=False) - 2 * np.cov(before, rowvar=False)
    scale = np.outer(before.std(axis=0), before.std(axis=0))
    assert np.abs(growth / scale).max() < 0.07  # four standard errors


def test_columns_that_depend_on_each_other_get_noise_that_does_too() -> None:
    x = np.arange(50.0)
    released = Noise(("x", "y"), 0.2, "correlated")(table(x=x, y=3 * x), 1)
    after = numbers(released, "x", "y")
    assert np.allclose(after[:, 1], 3 * after[:, 0])


def test_values_that_leave_the_domain_are_refused() -> None:
    with pytest.raises(TechniqueError, match=r"'age' .* of 4,000 values .* at least 0\."):
        Noise(("age",), 0.5, domain={"age": (0, None)})(made(), 1)


def test_values_that_leave_the_domain_are_clipped_by_choice() -> None:
    released = Noise(("age",), 0.5, domain={"age": (0, 120)}, outside="clip")(made(), 1)
    ages = np.array(column(released, "age"))
    assert ages.min() == 0
    assert ages.max() <= 120
    assert any("clipped" in notice for notice in released.notices)


def test_whole_numbers_are_clipped_to_whole_numbers() -> None:
    released = Noise(("x",), 1, domain={"x": (0.5, 3.5)}, outside="clip")(table(x=[1, 2, 3] * 9), 1)
    assert set(column(released, "x")) == {1, 2, 3}


def test_noise_within_the_domain_passes() -> None:
    assert not Noise(("weight",), 0.01, domain={"weight": (0, 500)})(made(), 1).notices


def test_numbers_that_stay_the_same_are_told() -> None:
    released = Noise(("x",), 0.01)(table(x=[1, 2, 3]), 1)
    assert released.notices == ("noise: 3 of 3 values of 'x' stay the same.",)


@pytest.mark.parametrize("kind", [pa.decimal128(8, 2), pa.float32()])
def test_noise_too_small_for_the_digits_of_a_column_is_told(kind: pa.DataType) -> None:
    cells = pa.array([1001.25, 1001.5, 1001.75], pa.float64()).cast(kind)
    released = Noise(("x",), 1e-6)(table(x=cells), 1)
    assert released.notices == ("noise: 3 of 3 values of 'x' stay the same.",)


def test_correlated_noise_needs_rows_without_missing_values() -> None:
    with pytest.raises(TechniqueError, match="fewer than two rows"):
        Noise(("x", "y"), 0.1, "correlated")(table(x=[1.0, None], y=[None, 2.0]), 1)


@pytest.mark.parametrize(
    ("key", "value"),
    [("amount", 0), ("amount", float("nan")), ("amount", True), ("kind", "pink"),
     ("outside", "ignore"), ("domain", {"y": (0, 1)}), ("domain", {"x": (1, 0)}),
     ("domain", {"x": 3}), ("domain", {"x": ("0", None)})],
)  # fmt: skip
def test_parameters_that_make_no_sense_are_refused(key: str, value: object) -> None:
    with pytest.raises(ParameterError, match=f"'{key}'"):
        Noise(("x",), **{key: value})  # type: ignore[arg-type]
