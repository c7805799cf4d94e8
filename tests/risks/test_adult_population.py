"""Adult as a population whose uniques are known: what samples of it say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from discreet.frequency.count import count
from discreet.risks.class_sizes import ClassSizes
from discreet.risks.journalist_risk import estimate_risk
from discreet.risks.population_uniques import Dankar, PopulationUniques, bound_uniques
from discreet.table.read import read
from tests.risks.made import sample, uniques
from tests.shared_data import shared

COLUMNS = ["age", "education", "occupation", "hours-per-week"]


@pytest.fixture(scope="module")
def population() -> Any:
    table = read(shared("data", "adult", "adult.csv"))
    return count(table, COLUMNS).frequency.rows


@pytest.mark.parametrize("share", [0.1, 0.2, 0.5])
def test_the_rule_is_near_on_real_columns(population: Any, share: float) -> None:
    people = int(population.sum())
    found = [Dankar(people)(sample(seed, population, share)) for seed in range(5)]
    ratios = [one.uniques / uniques(population) for one in found if one.uniques is not None]
    assert len(ratios) == 5
    assert 0.8 < np.median(ratios) < 1.2
    assert all(0.65 < ratio < 1.35 for ratio in ratios)


def test_the_bound_holds_on_real_columns(population: Any) -> None:
    people = int(population.sum())
    for seed in range(10):
        assert bound_uniques(sample(seed, population, 0.05), people) >= uniques(population)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5])
def test_the_journalist_is_never_far_too_low_on_real_columns(population: Any, share: float) -> None:
    people = int(population.sum())
    for seed in range(3):
        random = np.random.default_rng(seed)
        rows = random.multivariate_hypergeometric(population, round(share * people))
        seen, alike = rows[rows > 0], population[rows > 0]
        found = PopulationUniques(people)(ClassSizes.of(seen))
        sought = estimate_risk(seen, seen * people / seen.sum(), found)
        true = (seen / alike).sum() / seen.sum()
        assert (seen * sought.risk).sum() / seen.sum() > 0.8 * true
        assert sought.floor is not None
        assert sought.floor < true
