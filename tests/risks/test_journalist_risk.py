"""The risk against a population that is only a number: from models that fit, and never too low."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet.risks.class_sizes import ClassSizes
from discreet.risks.journalist_risk import (
    Sought,
    estimate_pitman_risk,
    estimate_risk,
    estimate_snb_risk,
    find_risk_floor,
    has_too_many_uniques,
    individual_risk,
)
from discreet.risks.population_uniques import PopulationUniques
from tests.risks.made import drawn, process, slide

PEOPLE = 30_000


def lognormal(seed: int, spread: float, classes: int) -> Any:
    shares = np.random.default_rng(seed).lognormal(0, spread, classes)
    return drawn(seed, shares, PEOPLE)


POPULATIONS = {
    "process": lambda seed: process(seed, 500, 0.5, PEOPLE),
    "slide": lambda seed: slide(seed, 8000, 0.5, 0.1),
    "even": lambda seed: drawn(seed, np.ones(15_000), PEOPLE),
    "fine": lambda seed: drawn(seed, np.ones(300_000), PEOPLE),
    "coarse": lambda seed: drawn(seed, np.ones(200), PEOPLE),
    "harmonic": lambda seed: drawn(seed, 1 / np.arange(1, 12_001), PEOPLE),
    "lognormal": lambda seed: lognormal(seed, 1, 10_000),
    "wide lognormal": lambda seed: lognormal(seed, 2, 10_000),
    "uniques and hundreds": lambda seed: np.array([1] * 6000 + [100] * 240),
}


def known(seed: int, population: Any, share: float) -> tuple[Any, Any]:
    """Rows and people of the classes of a simple random sample."""
    random = np.random.default_rng(seed)
    rows = random.multivariate_hypergeometric(population, round(share * int(population.sum())))
    return rows[rows > 0], population[rows > 0]


def sought(rows: Any, people: int) -> Sought:
    return estimate_risk(
        rows, rows * people / rows.sum(), PopulationUniques(people)(ClassSizes.of(rows))
    )


@pytest.mark.parametrize("share", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("name", POPULATIONS)
def test_the_average_is_never_far_too_low_on_made_populations(name: str, share: float) -> None:
    for seed in range(2):
        population = POPULATIONS[name](seed)
        rows, people = known(seed, population, share)
        found = sought(rows, int(population.sum()))
        true = float((rows / people).sum() / rows.sum())
        average = float((rows * found.risk).sum() / rows.sum())
        assert average > 0.8 * true
        assert found.floor is not None
        assert found.floor <= 1.03 * true
        assert (found.risk <= 1.0 / rows + 1e-12).all()


@pytest.mark.parametrize(
    ("population", "share"),
    [
        (np.repeat([1, 30], [2000, 600]), 0.12),
        (np.repeat([1, 30], [2000, 600]), 0.1),
        (np.repeat([1, 50], [10_000, 200]), 0.02),
        (np.repeat([1, 8], [2222, 2222]), 0.12),
        (np.repeat([1, 10, 100], [1500, 750, 100]), 0.02),
    ],
    ids=["thirties", "thirties, a tenth", "fifties", "eights", "three"],
)
def test_mixtures_are_not_made_to_look_half_as_risky(population: Any, share: float) -> None:
    """Models fit some of these samples and say as little as 0.3 of the truth."""
    for seed in range(4):
        rows, people = known(seed, population, share)
        found = sought(rows, int(population.sum()))
        true = float((rows / people).sum() / rows.sum())
        average = float((rows * found.risk).sum() / rows.sum())
        assert average > 0.7 * true
        assert found.floor is not None
        assert found.ceiling is not None
        assert found.floor < true < found.ceiling <= 1.0 / rows.mean() + 1e-12


def test_the_negative_binomial_alone_is_far_too_low_for_fine_columns() -> None:
    rows, people = known(1, POPULATIONS["fine"](1), 0.1)
    true = (rows / people).sum() / rows.sum()
    alone = (rows * individual_risk(rows, 0.1)).sum() / rows.sum()
    assert alone < 0.3 * true
    assert sought(rows, PEOPLE).method != "negative binomial"


def test_models_that_fit_are_near() -> None:
    for name, share, method in (
        ("process", 0.1, "pitman"),
        ("slide", 0.3, "slide negative binomial"),
    ):
        population = POPULATIONS[name](3)
        rows, people = known(4, population, share)
        found = sought(rows, int(population.sum()))
        assert found.method == method
        for size in (1, 2, 3):
            true = (1 / people[rows == size]).mean()
            assert found.risk[rows == size][0] == pytest.approx(true, rel=0.15)


def test_where_no_model_fits_it_is_the_prosecutor_and_says_so() -> None:
    rows, _ = known(1, POPULATIONS["uniques and hundreds"](1), 0.1)
    found = sought(rows, PEOPLE)
    assert (found.risk == 1.0 / rows).all()
    assert "no model of the population fits" in found.method


def test_classes_as_frequent_as_one_over_their_size_do_not_contradict_the_negative_binomial() -> (
    None
):
    right = ClassSizes.of(np.repeat(np.arange(1, 9), [840 // f for f in range(1, 9)]))
    assert not has_too_many_uniques(right)
    assert has_too_many_uniques(ClassSizes.of(np.repeat([1, 2, 3], [840, 210, 93])))
    assert not has_too_many_uniques(ClassSizes.of([5, 6, 9]))
    assert not has_too_many_uniques(ClassSizes.of([1, 2, 3])), "too few to tell"


@pytest.mark.parametrize(("alpha", "beta", "share"), [(0.5, 0.1, 0.2), (3.0, 0.6, 0.05)])
def test_the_closed_form_of_the_slide_negative_binomial(
    alpha: float, beta: float, share: float
) -> None:
    from scipy.stats import binom, nbinom

    people = np.arange(1, 4000)
    chance = nbinom.pmf(people - 1, alpha, beta)
    for f in (1, 2, 7):
        seen = chance * binom.pmf(f, people, share)
        expected = (seen / people).sum() / seen.sum()
        assert estimate_snb_risk(np.array([f]), alpha, beta, share)[0] == pytest.approx(expected)


@pytest.mark.parametrize(("theta", "alpha"), [(500.0, 0.5), (20.0, 0.9), (-0.3, 0.4)])
def test_the_integral_of_pitmans_process_is_a_sum_over_what_joins_a_class(
    theta: float, alpha: float
) -> None:
    from scipy.stats import betabinom

    rows, population = 3000, 20_000
    more = np.arange(population - rows + 1)
    for f in (1, 2, 3, 40, 1000):
        joins = betabinom.pmf(more, population - rows, f - alpha, theta + rows - f + alpha)
        expected = (joins / (f + more)).sum()
        found = estimate_pitman_risk(np.array([f]), theta, alpha, rows, population)[0]
        assert found == pytest.approx(expected, rel=1 / rows)


def test_the_floor_by_hand() -> None:
    """300 uniques, 100 pairs, a tenth drawn: at most 117 pairs are expected, by Poisson."""
    rows = np.array([1] * 300 + [2] * 100)
    outside = 117.4 * 18
    ones = 300 * 300 / (300 + outside)
    twos = 200 * 200 / (400 + 2 * 3.0 * 27)  # no class of three was seen: at most 3.0 are expected
    assert find_risk_floor(rows, 10.0 * rows) == pytest.approx((ones + twos) / 500, rel=2e-3)


def test_the_floor_takes_the_weights_of_classes_where_they_differ() -> None:
    rows = np.array([1] * 300 + [2] * 100)
    weights = 10.0 * rows
    weights[rows == 2] = 200.0
    assert find_risk_floor(rows, weights) < 0.7 * find_risk_floor(rows, 10.0 * rows)


def test_the_floor_of_a_whole_population_is_the_prosecutor_of_its_bands() -> None:
    rows = np.array([1, 1, 2, 5, 5])
    assert find_risk_floor(rows, rows.astype(float)) == pytest.approx(5 / 14)
