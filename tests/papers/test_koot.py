"""Koot et al., Efficient probabilistic estimation of quasi-identifier uniqueness, 2011.

The municipal tables are not to be had, so section 4 is repeated on made age distributions.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.risks.simulation import Simulation
from discreet.risks.uniqueness import (
    GroupSize,
    Uniqueness,
    birthday,
    birthday_approximation,
    log_all_different,
    log_poisson,
)
from discreet.risks.value_frequencies import Aggregated, ValueFrequencies

AGES = 95
LAREN, URK = 0.0914, 0.4011


def town(seed: int) -> ValueFrequencies:
    """People by single year of age: a plateau that falls off, and waves of births."""
    random = np.random.default_rng(seed)
    age = np.arange(AGES)
    fall = 1 / (1 + np.exp((age - random.uniform(35, 85)) / random.uniform(5, 15)))
    wave = 1 + random.uniform(0, 0.5) * np.sin(age / random.uniform(4, 12) + random.uniform(0, 6))
    return ValueFrequencies.of(np.maximum(random.poisson(2000 * fall * wave), 1))


@pytest.mark.parametrize(
    ("k", "values", "printed"),
    [(29, 95, 0.84), (41, 190, 0.95)],
    ids=["sec. 4.1, age", "sec. 4.1, age and gender"],
)
def test_the_printed_birthday_probabilities(k: int, values: int, printed: float) -> None:
    assert round(100 * birthday(k, values), 2) == printed


def test_sec_2_the_product_of_fractions_is_what_is_computed() -> None:
    assert birthday(5, 7) == pytest.approx(7 * 6 * 5 * 4 * 3 / 7**5)
    assert birthday(8, 7) == 0.0


def test_formula_1_is_far_off_where_the_paper_takes_k_29() -> None:
    """The asymptotic is good for k near the square root of N, which is 9.7 here."""
    assert birthday_approximation(29, 95) / birthday(29, 95) == pytest.approx(1.42, abs=0.01)
    assert birthday_approximation(10, 10_000) / birthday(10, 10_000) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("a", [0.5, 1.0, 2.0])
def test_formula_2_and_poissonization_have_the_same_limit(a: float) -> None:
    values = 10**6
    k = round(a * math.sqrt(values))
    even = ValueFrequencies.of(np.ones(values))
    assert birthday(k, values) == pytest.approx(math.exp(-a * a / 2), rel=4e-3)
    assert math.exp(log_poisson(even, k)) == pytest.approx(math.exp(-a * a / 2), rel=4e-3)


def test_formula_3_for_the_uniform_case_is_as_printed() -> None:
    even = ValueFrequencies.of(np.ones(95))
    printed = math.exp(-29) * (1 + 29 / 95) ** 95
    assert math.exp(log_poisson(even, 29)) == pytest.approx(printed)


def test_the_limit_of_theorem_4_of_camarri_and_pitman() -> None:
    """exp(-a^2/2 sum alpha_i^2 f_i), with half of the values three times as likely."""
    errors = []
    for values in (10**2, 10**4, 10**6):
        skewed = ValueFrequencies.of([1.0, 3.0] * (values // 2))
        limit = -0.5 * (0.25 + 2.25) / 2
        errors.append(abs(log_all_different(skewed, round(math.sqrt(values))) - limit))
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 5e-3


def test_sec_3_2_equal_chances_make_the_uniqueness_largest() -> None:
    for seed in range(20):
        assert Uniqueness(20)(town(seed)).exact < birthday(20, AGES)


def test_sec_3_2_the_printed_discrepancy_has_a_misplaced_bracket() -> None:
    """As printed, half the sum of (alpha^2 f - 1), it is not 0 for two groups that are alike."""
    f, alpha = np.array([0.5, 0.5]), np.array([1.0, 1.0])
    assert 0.5 * (alpha**2 * f - 1).sum() == -0.5
    assert ValueFrequencies.of([1.0, 1.0]).discrepancy == 0.0


@pytest.mark.parametrize("epsilon", [0.1, 0.01])
def test_sec_3_2_kappa_is_the_discrepancy_up_to_the_third_order(epsilon: float) -> None:
    skewed = ValueFrequencies.of([1 + epsilon, 1 - epsilon] * 50)
    assert skewed.discrepancy == pytest.approx(epsilon**2 / 2)
    assert abs(skewed.kappa - skewed.discrepancy) < epsilon**3


def test_sec_3_2_kappa_is_far_from_the_discrepancy_for_strong_skew() -> None:
    skewed = ValueFrequencies.of(1 / np.arange(1, 1001))
    assert skewed.discrepancy > 8 * skewed.kappa


def test_sec_3_2_the_power_is_one_and_two_kappa_not_kappa() -> None:
    """pi_u e^(-kappa k^2/N) is about pi_u^(1 + 2 kappa); the sentence below it says pi_u^kappa."""
    k, values = 1000, 10**6
    uniform = birthday(k, values)
    corrected = uniform * math.exp(-URK * k * k / values)
    assert uniform ** (1 + 2 * URK) == pytest.approx(corrected, rel=1e-2)
    assert uniform**URK > 1.5 * corrected


def test_sec_4_1_kappa_is_the_printed_sum() -> None:
    counted = town(1)
    phi = counted.counts / counted.counts.sum()
    assert counted.kappa == pytest.approx((phi * np.log(phi * AGES)).sum())


def test_sec_4_1_about_400_groups_that_are_all_different_are_enough() -> None:
    assert round((1.96 / 0.1) ** 2) == 384
    found = Simulation(29)(ValueFrequencies.of(np.ones(AGES)), seed=4)
    assert found.reached
    assert 375 <= found.all_different <= 430
    assert found.interval[0] < birthday(29, AGES) < found.interval[1]


def test_sec_4_1_the_approximation_holds_against_simulation_where_skew_is_small() -> None:
    counted = town(5)
    assert counted.kappa < 0.15
    found = Uniqueness(20)(counted)
    drawn = Simulation(20)(counted, seed=11)
    assert drawn.reached
    assert drawn.interval[0] < found.exact < drawn.interval[1]
    assert abs(found.error() or 0.0) < 0.25


def test_fig_1_the_logarithm_falls_in_a_line_with_kappa() -> None:
    """The paper prints a share of variance explained of 0.72."""
    towns = [town(seed) for seed in range(60)]
    kappa = np.array([one.kappa for one in towns])
    chance = np.array([log_all_different(one, 29) for one in towns])
    assert np.corrcoef(kappa, chance)[0, 1] ** 2 > 0.72
    assert np.polyfit(kappa, chance, 1)[0] < 0


def test_sec_4_1_ignoring_skew_is_off_by_a_factor_of_about_three() -> None:
    assert math.exp(-5.8) == pytest.approx(3.0e-3, rel=0.02)
    factors = [birthday(29, AGES) / Uniqueness(29)(town(seed)).exact for seed in range(60)]
    assert 2 < np.median(factors) < 12


def test_fig_3_laren_lies_between_uniformity_and_urk() -> None:
    for k in range(5, 41, 5):
        urk, laren = (birthday_approximation(k, AGES, kappa) for kappa in (URK, LAREN))
        assert urk < laren < birthday_approximation(k, AGES)


def test_sec_4_2_group_size_for_a_level() -> None:
    assert GroupSize(0.5)(ValueFrequencies.of(np.ones(365))) == 23
    counted = town(2)
    size = GroupSize(0.01)(counted)
    assert Uniqueness(size)(counted).exact < 0.01 <= Uniqueness(size - 1)(counted).exact


def test_sec_4_2_margins_alone_give_kappa_if_columns_are_independent() -> None:
    age, gender = town(3), ValueFrequencies.of([0.52, 0.48])
    known = Aggregated((age, gender))
    assert known.values == 190
    assert known.kappa == pytest.approx(known.joint().kappa)
    assert known.discrepancy == pytest.approx(known.joint().discrepancy)


def test_sec_4_2_margins_bound_kappa_whatever_the_dependence() -> None:
    random = np.random.default_rng(6)
    for _ in range(50):
        table = random.gamma(0.3, size=(8, 3))
        joint = ValueFrequencies.of(table.ravel())
        known = Aggregated(tuple(ValueFrequencies.of(table.sum(axis=axis)) for axis in (0, 1)))
        assert known.kappa - 1e-12 <= joint.kappa <= known.kappa_most + 1e-12


def test_fig_4_groups_of_ages_have_a_smaller_distance() -> None:
    for seed in range(10):
        ages = town(seed)
        fives = ages.group_values(5)
        assert fives.values == 19
        assert fives.counts.sum() == ages.counts.sum()
        assert fives.kappa < ages.kappa
        assert ages.group_values(2).values == 48


def test_what_is_known_from_groups_never_makes_skew_larger() -> None:
    for seed in range(10):
        ages = town(seed)
        for width in (2, 3, 5, 40):
            assert ages.spread(width).values == AGES
            assert ages.spread(width).kappa <= ages.kappa + 1e-12
            assert ages.spread(width).match <= ages.match + 1e-12
