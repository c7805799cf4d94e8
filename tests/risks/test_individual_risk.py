"""The risk of a row whose class in the population is not known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.risks.journalist_risk import individual_risk


@pytest.mark.parametrize("f", [1, 2, 3, 19, 20, 21, 500])
@pytest.mark.parametrize("p", [1e-6, 0.01, 0.3, 0.5, 0.51, 0.9])
def test_it_is_the_mean_of_one_over_a_negative_binomial_number(f: int, p: float) -> None:
    from scipy.integrate import quad

    def inside(y: float) -> float:
        return p * y ** (f - 1) / (p + (1 - p) * y)

    mean, _ = quad(inside, 0, 1, points=[p], limit=400, epsabs=0)
    assert individual_risk(np.array([f]), p)[0] == pytest.approx(mean, rel=1e-8)


@pytest.mark.parametrize("p", [0.2, 0.7])
def test_the_closed_forms_for_one_and_two_rows(p: float) -> None:
    odds, log = p / (1 - p), -math.log(p)
    one, two = individual_risk(np.array([1, 2]), p)
    assert one == pytest.approx(odds * log)
    assert two == pytest.approx(odds - odds * odds * log)


def test_the_mean_comes_out_of_draws() -> None:
    random = np.random.default_rng(3)
    people = 3 + random.negative_binomial(3, 0.2, 400_000)
    assert individual_risk(np.array([3]), 0.2)[0] == pytest.approx((1 / people).mean(), rel=5e-3)


def test_on_a_population_with_classes_as_one_over_their_size_it_is_right() -> None:
    random = np.random.default_rng(5)
    size = np.arange(1, 2001)
    population = random.choice(size, 40_000, p=(1 / size) / (1 / size).sum())
    rows = random.binomial(population, 0.2)
    for f in (1, 2, 4):
        true = (1 / population[rows == f]).mean()
        assert individual_risk(np.array([f]), 0.2)[0] == pytest.approx(true, rel=0.1)


def test_it_is_too_high_where_small_classes_are_few() -> None:
    random = np.random.default_rng(5)
    population = 1 + random.poisson(20, 20_000)
    rows = random.binomial(population, 0.1)
    assert individual_risk(np.array([1]), 0.1)[0] > 2 * (1 / population[rows == 1]).mean()


def test_who_was_surely_drawn_is_one_of_the_rows() -> None:
    rows = np.array([1, 2, 50])
    assert individual_risk(rows, 1.0) == pytest.approx(1 / rows)
