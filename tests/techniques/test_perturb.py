"""Perturbation keeps means and covariances exactly."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.errors import ParameterError, TechniqueError
from discreet.techniques.noise import Perturb
from tests.techniques.made_numbers import column, made, numbers, table

ALL = ("age", "weight", "income")


@pytest.mark.parametrize("similarity", [0.0, 0.5, 0.95])
def test_means_and_covariances_are_kept_exactly(similarity: float) -> None:
    given = made()
    before = numbers(given, *ALL)
    after = numbers(Perturb(ALL, similarity)(given, 1), *ALL)
    assert np.allclose(after.mean(axis=0), before.mean(axis=0), rtol=1e-12)
    assert np.allclose(np.cov(after, rowvar=False), np.cov(before, rowvar=False), rtol=1e-9)
    for place in range(len(ALL)):
        found = np.corrcoef(before[:, place], after[:, place])[0, 1]
        assert found == pytest.approx(similarity, abs=1e-9)
    assert not np.isclose(before, after, rtol=1e-9).any()


def test_columns_that_depend_on_each_other_still_do() -> None:
    x = np.random.default_rng(1).normal(size=200)
    after = numbers(Perturb(("x", "y"))(table(x=x, y=2 * x + 1), 1), "x", "y")
    assert np.allclose(after[:, 1], 2 * after[:, 0] + 1)


def test_a_column_of_one_value_stays() -> None:
    released = Perturb(("x", "y"))(table(x=[5.0] * 20, y=np.arange(20.0)), 1)
    assert column(released, "x") == [5.0] * 20
    assert released.notices == ("perturb: 20 of 20 values of 'x' stay the same.",)


def test_numbers_that_differ_too_little_for_their_size_do_not_stay_unseen() -> None:
    near = 1e9 + np.random.default_rng(1).normal(size=50) * 1e-3
    with pytest.raises(TechniqueError, match="differ too little"):
        Perturb(("x",))(table(x=near), 1)


def test_covariances_stay_with_missing_values() -> None:
    draw = np.random.default_rng(2)
    x = draw.normal(size=300)
    y = x + draw.normal(size=300)
    x[:40], y[30:80] = np.nan, np.nan
    before = np.column_stack([x, y])
    released = Perturb(("x", "y"))(table(x=x, y=y), 1)
    after = numbers(released, "x", "y")
    assert (np.isnan(after) == np.isnan(before)).all()
    assert not np.isclose(after, before).any()
    assert np.allclose(np.nanmean(after, axis=0), np.nanmean(before, axis=0), atol=1e-12)
    assert np.allclose(np.nanvar(after, axis=0), np.nanvar(before, axis=0))
    whole = ~np.isnan(before).any(axis=1)
    assert np.allclose(np.cov(after[whole], rowvar=False), np.cov(before[whole], rowvar=False))


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(TechniqueError, match=r"only 3 rows .* it takes 4"):
        Perturb(("x",))(table(x=[1, 2, 3]), 1)


@pytest.mark.parametrize("similarity", [-0.1, 1, "half", float("nan")])
def test_a_similarity_that_makes_no_sense_is_refused(similarity: object) -> None:
    with pytest.raises(ParameterError, match="similarity"):
        Perturb(("x",), similarity)  # type: ignore[arg-type]
