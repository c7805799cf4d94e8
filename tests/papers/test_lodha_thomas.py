"""Lodha and Thomas, Probabilistic Anonymity: what it prints, and what of it does not hold."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

from discreet.algorithms.probabilistic.clusters import cluster_values
from discreet.algorithms.probabilistic.column_mask import rank_difference
from discreet.algorithms.probabilistic.quantile_sample import sample_size
from discreet.algorithms.probabilistic.values_kept import equation_1, values_kept
from discreet.models.probabilistic_anonymity import (
    ProbabilisticAnonymity,
    count_combinations_allowed,
    find_crowd_chance,
)
from discreet.risks.alpha_quasi_identifier import (
    AlphaTable,
    bound_unique_share,
    bound_unique_share_exact,
    check_alpha_sets,
    find_least_distinct,
)
from tests.shared_data import shared

US = 300_000_000
WORLD = 6_000_000_000

COLUMNS = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "hours-per-week",
    "native-country",
)
DOMAINS = dict(zip(COLUMNS, (60, 8, 15, 7, 14, 6, 5, 2, 20, 40), strict=True))

# The columns marked in each row of figure 3, then S, F1, D, F2 and k-Anon as printed.
FIGURE_3 = (
    ("1", 2, 6.1e-5, 60, 7.4e-8, 5e6),
    ("1 9", 986, 0.03, 1200, 1.48e-6, 2.5e5),
    ("1 7 8", 65, 0.002, 600, 7.4e-7, 5e5),
    ("1 2 3 5", 5056, 0.16, 1e5, 1.2e-4, 3e3),
    ("1 2 5 10", 3105, 0.095, 2.7e5, 3.3e-4, 1.1e3),
    ("1 5 9 10", 7581, 0.23, 6.7e5, 8.3e-4, 450),
    ("2 3 5 10", 1384, 0.043, 6.7e4, 8.3e-5, 4.5e3),
    ("1 2 3 5 10", 7659, 0.235, 4e6, 4.9e-3, 75),
    ("1 2 4 5 6", 5215, 0.16, 2.8e5, 3.4e-4, 1e3),
    ("1 2 5 6 9", 12870, 0.40, 8e5, 9.9e-4, 380),
    ("1 2 5 9 10", 10402, 0.32, 5.4e6, 6.7e-3, 55),
    ("1 2 3 4 5 6 7 8 9 10", 24802, 0.76, 33e9, 0.99, 1),
)


def marked(row: str) -> tuple[str, ...]:
    return tuple(COLUMNS[int(number) - 1] for number in row.split())


@cache
def figure_3() -> AlphaTable:
    path = shared("data", "adult", "adult.csv")
    sets = [marked(row[0]) for row in FIGURE_3]
    return check_alpha_sets(path, COLUMNS, US, 0.2, sets, DOMAINS)


@pytest.mark.parametrize("row", range(12), ids=[f"figure 3, row {r + 1}" for r in range(12)])
def test_figure_3(row: int) -> None:
    found, printed = figure_3().sets[row], FIGURE_3[row]
    assert found.uniques == printed[1]
    assert found.share_of_table == pytest.approx(printed[2], rel=0.05)
    assert found.multiplied == pytest.approx(printed[3], rel=0.03)
    assert found.most_uniques == pytest.approx(printed[4], rel=0.035)
    assert found.k == pytest.approx(printed[5], rel=0.12)


def test_only_row_12_of_figure_3_may_be_a_quasi_identifier_for_a_fifth() -> None:
    assert [one.columns for one in figure_3().suspected] == [COLUMNS]
    assert sum(one.share_of_table > 0.2 for one in figure_3().sets) == 5


def test_figure_3_row_12_measured_instead_of_multiplied_is_lower() -> None:
    """Section 5.1 hopes to bring 0.99 down to a fifth; counting columns together gives 0.3."""
    found = figure_3().sets[-1]
    assert found.joined.share < 0.35 < 0.99 < found.most_uniques
    assert found.joined.unseen > 0
    assert found.measured < found.joined.distinct < found.multiplied


def test_example_2_and_3_gender_birth_and_zip_are_a_potential_93_percent_identifier() -> None:
    distinct = 2 * (2 * 10**4) * 10**5
    assert distinct == 4 * 10**9
    assert bound_unique_share(distinct, US) == pytest.approx(0.93, abs=0.005)


def test_example_4_nationality_birth_and_occupation_are_none() -> None:
    distinct = 200 * (2 * 10**4) * 100
    assert distinct == 4 * 10**8
    assert bound_unique_share(distinct, WORLD) == pytest.approx(0.025, abs=0.0005)
    assert distinct < find_least_distinct(0.05, WORLD)


def test_figure_1_is_continuous_and_smooth_where_the_theorems_meet() -> None:
    n, step = 10**6, 1
    assert bound_unique_share(n, n) == pytest.approx(1 / math.e)
    below = bound_unique_share(n, n) - bound_unique_share(n - step, n)
    above = bound_unique_share(n + step, n) - bound_unique_share(n, n)
    assert below * n == pytest.approx(1 / math.e, rel=1e-5)
    assert above * n == pytest.approx(1 / math.e, rel=1e-5)


def test_fewer_than_3_values_a_person_make_no_75_percent_identifier() -> None:
    assert bound_unique_share(3 * US, US) < 0.75
    assert find_least_distinct(0.75, US) > 3 * US


@pytest.mark.parametrize("alpha", [0.01, 0.2, 1 / math.e, 0.5, 0.75, 0.99])
def test_theorem_3_turns_figure_1_around(alpha: float) -> None:
    assert bound_unique_share(find_least_distinct(alpha, US), US) == pytest.approx(alpha)


def expected_uniques(shares: np.ndarray, n: int) -> float:
    return float((n * shares * (1 - shares) ** (n - 1)).sum())


def test_theorem_1_fails_for_few_people_since_its_exponential_is_too_small() -> None:
    """Nine of ten values with p = 1/10: 3.487 uniques are expected, more than 9/e = 3.311."""
    n, shares = 10, np.full(10, 0.1)
    nine = expected_uniques(shares[:9], n)
    assert nine > 9 / math.e
    assert nine <= bound_unique_share_exact(9, n) * n + 1e-12
    assert expected_uniques(shares, n) == pytest.approx(bound_unique_share_exact(10, n) * n)


def test_no_frequencies_give_more_uniques_than_the_exact_bound() -> None:
    random = np.random.default_rng(1)
    for _ in range(300):
        n, distinct = int(random.integers(1, 40)), int(random.integers(1, 60))
        shares = random.dirichlet(np.full(distinct, random.choice([0.1, 1, 100])))
        assert expected_uniques(shares, n) <= bound_unique_share_exact(distinct, n) * n + 1e-9
    assert bound_unique_share_exact(4e9, US) == pytest.approx(bound_unique_share(4e9, US), rel=1e-8)


def test_theorem_4_for_k_100_and_beta_a_tenth() -> None:
    assert US / count_combinations_allowed(US, 100, 0.1) == pytest.approx(122.8, abs=0.05)


def test_theorem_4_is_its_printed_form() -> None:
    for n, k, beta in ((US, 2, 0.1), (5000, 40, 0.01), (10**6, 1000, 0.5)):
        x = -math.log(beta) / (k - 1)
        printed = n / (k - 1) * (1 + x - math.sqrt(x * x + 2 * x))
        assert count_combinations_allowed(n, k, beta) == pytest.approx(printed)


@pytest.mark.parametrize(("n", "k", "beta"), [(1000, 1, 0.1), (1000, 5, 0.01), (10**6, 100, 0.3)])
def test_theorem_4_keeps_its_word_where_combinations_are_equally_likely(
    n: int, k: int, beta: float
) -> None:
    allowed = count_combinations_allowed(n, k, beta)
    assert find_crowd_chance(n, k, allowed) >= 1 - beta
    assert binom.sf(k - 1, n, 1 / allowed) == pytest.approx(find_crowd_chance(n, k, allowed))


def test_the_small_constant_of_theorem_4_is_not_small_for_a_small_k() -> None:
    """D' is n/k (1 - c): c is 2 % for HIPAA's k, 19 % for k = 100 and 69 % for k = 2."""
    lost = [1 - count_combinations_allowed(US, k, 0.1) * k / US for k in (20_000, 100, 2)]
    assert lost == pytest.approx([0.015, 0.186, 0.687], abs=0.005)


def test_example_6_half_years_and_four_digits_are_allowed() -> None:
    allowed = ProbabilisticAnonymity(US, 100, 0.1).allowed
    assert 2 * (60 * 2) * 10**4 == 2_400_000 <= allowed
    assert 4 * 10**9 / 2_400_000 < 1700


def test_example_7_months_and_three_digits() -> None:
    distinct, weights = (2, 2 * 10**4, 10**5), (1.0, 1.0, 1.0)
    assert equation_1(2.4e6, weights) == pytest.approx([133.9] * 3, abs=0.1)
    kept = values_kept(2.4e6, weights, distinct)
    assert kept[0] == 2
    assert kept[1:] == pytest.approx([1095.4] * 2, abs=0.1)


def test_example_8_hipaa_leaves_about_75_zip_codes() -> None:
    preset = ProbabilisticAnonymity(preset="hipaa")
    assert (preset.population, preset.k) == (US, 20_000)
    assert preset.allowed / (2 * 100) == pytest.approx(75, rel=0.02)


def test_section_3_2_25_columns_keep_about_two_values_each() -> None:
    assert equation_1(US / 10, (1.0,) * 25) == pytest.approx([2] * 25, abs=0.01)
    allowed = count_combinations_allowed(US, 10, 0.1)
    assert equation_1(allowed, (1.0,) * 25) == pytest.approx([1.94] * 25, abs=0.01)


def test_example_9_and_11_rank_difference_of_a_2_anonymous_transformation() -> None:
    values = np.array([1.0, 3, 4, 7, 12])
    assert rank_difference(np.array([3, 2])) == 3
    found = cluster_values(values, np.ones(5, dtype=np.int64), 2, "distances")
    assert found.starts.tolist() == [0, 3]
    assert found.cost == 8


def test_the_printed_sample_size_is_too_small() -> None:
    """(1/eps) ln(1/delta) rows: the median of the sample is off by more than eps in most runs."""
    epsilon, delta, runs = 0.01, 0.05, 400
    random = np.random.default_rng(3)

    def failures(size: int) -> float:
        medians = np.median(random.random((runs, size)), axis=1)
        return float((np.abs(medians - 0.5) > epsilon).mean())

    assert failures(math.ceil(math.log(1 / delta) / epsilon)) > 0.5
    assert failures(sample_size(epsilon, delta)) <= delta


def test_clusters_of_the_cellular_cost_need_not_be_contiguous() -> None:
    """Section 4.1 says that every optimal cluster is a stretch; here the outliers belong together.

    {0, 50, 100} with radius 50 and the others with radius 1.5 cost 156; the best stretches, 343.
    """
    values = np.array([0, 49, 49.5, 50, 50.5, 51, 100])
    stretches = cluster_values(values, np.ones(7, dtype=np.int64), 3, "cellular")
    assert stretches.cost == 343
    assert stretches.cost > 3 * 50 + 4 * 1.5
