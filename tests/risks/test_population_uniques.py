"""Population uniques: made populations are recovered, and what does not fit is refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from discreet.errors import ParameterError
from discreet.risks.class_sizes import ClassSizes
from discreet.risks.pitman import Pitman, count_expected_classes, count_expected_uniques, fit
from discreet.risks.population_estimate import Possible, PossiblePopulations
from discreet.risks.population_uniques import (
    Dankar,
    PopulationUniques,
    bound_uniques,
    estimate_correct_matches,
)
from discreet.risks.slide_negative_binomial import SlideNegativeBinomial, shlosser
from discreet.risks.slide_negative_binomial import count_expected_classes as expected_by_slide
from discreet.risks.zayatz import Zayatz
from tests.risks.made import PEOPLE, drawn, process, sample, slide, uniques

EVEN = np.ones(50_000)
SKEWED = 1 / np.arange(1, 40_001)


def error(estimate: Any, population: Any) -> float:
    assert estimate.applies, estimate.reason
    return float(estimate.uniques / uniques(population) - 1)


@pytest.mark.parametrize("share", [0.1, 0.3])
@pytest.mark.parametrize(("theta", "alpha"), [(500, 0.5), (20, 0.7)])
def test_pitman_recovers_its_own_process(theta: float, alpha: float, share: float) -> None:
    population = process(3, theta, alpha, 30_000)
    errors = [error(Pitman(30_000)(sample(s, population, share)), population) for s in range(5)]
    assert max(map(abs, errors)) < 0.25
    assert abs(np.median(errors)) < 0.1


@pytest.mark.parametrize(("theta", "alpha"), [(500, 0.5), (20, 0.7)])
def test_pitman_says_how_little_a_small_sample_tells(theta: float, alpha: float) -> None:
    """600 rows: single estimates are far off, and their intervals say so and hold."""
    held, widths = 0, []
    for seed in range(20):
        population = process(seed % 4, theta, alpha, 30_000)
        found = Pitman(30_000)(sample(seed, population, 0.02))
        if not found.applies:
            assert "the model's doing" in found.reason
            continue
        assert found.interval is not None
        assert "if its model is right" in found.reason
        low, high = found.interval
        held += low <= uniques(population) <= high
        widths.append(high / low)
    assert len(widths) >= 14
    assert held >= 0.85 * len(widths)
    assert np.median(widths) > 1.5


@pytest.mark.parametrize(("share", "allowed"), [(0.2, 0.15), (0.5, 0.1)], ids=["a fifth", "a half"])
@pytest.mark.parametrize(("classes", "alpha", "beta"), [(8000, 0.5, 0.1), (8000, 0.2, 0.02)])
def test_slide_negative_binomial_recovers_its_own_model(
    classes: int, alpha: float, beta: float, share: float, allowed: float
) -> None:
    population = slide(5, classes, alpha, beta)
    estimate = SlideNegativeBinomial(int(population.sum()))
    errors = [error(estimate(sample(s, population, share)), population) for s in range(5)]
    assert abs(np.median(errors)) < allowed


def test_slide_negative_binomial_recovers_people_spread_evenly() -> None:
    population = drawn(1, EVEN)
    assert abs(error(SlideNegativeBinomial(PEOPLE)(sample(2, population, 0.3)), population)) < 0.1


def test_with_shlosser_it_misses_populations_of_its_own_model() -> None:
    """The papers estimate the number of classes without looking at the size of the population."""
    population = slide(5, 8000, 0.2, 0.02)
    people, found = int(population.sum()), sample(1, population, 0.2)
    assert SlideNegativeBinomial(people)(found).applies
    as_printed = SlideNegativeBinomial(people, classes="shlosser")(found)
    assert not as_printed.applies or abs(error(as_printed, population)) > 0.25


def test_expected_classes_are_those_of_samples_and_not_what_arx_has() -> None:
    alpha, beta, classes, share = 0.8, 0.2, 4000, 0.3
    seen = np.zeros(4)
    for seed in range(60):
        population = slide(seed, classes, alpha, beta)
        rows = np.random.default_rng(900 + seed).binomial(population, share)
        seen += np.bincount(rows, minlength=5)[1:5] / 60
    expected = expected_by_slide(alpha, beta, share, classes)
    assert seen == pytest.approx(expected[:4], rel=0.03)
    shed = (1 - share) * (1 - beta)
    inner = classes * alpha * beta**alpha * share**2 * (1 - beta) * (2 - (1 - alpha) * shed)
    assert inner / (2 * (1 - shed) ** (alpha + 2)) == pytest.approx(expected[1])
    multiplied = inner / 2 * (1 - shed) ** (alpha + 2)
    assert multiplied < 0.5 * seen[1]


def test_shlosser_is_as_haas_and_stokes_have_it() -> None:
    sizes, q = ClassSizes.of([1, 1, 1, 2, 2, 5]), 0.25
    f = {1: 3, 2: 2, 5: 1}
    top = sum(i * q**2 * (1 - q**2) ** (i - 1) * n for i, n in f.items())
    below = sum((1 - q) ** i * ((1 + q) ** i - 1) * n for i, n in f.items())
    unseen = sum((1 - q) ** i * n for i, n in f.items())
    once = sum(i * q * (1 - q) ** (i - 1) * n for i, n in f.items())
    assert shlosser(sizes, q) == pytest.approx(6 + 3 * (top / below) * (unseen / once) ** 2)


@pytest.mark.parametrize("rows", [5_000, 20_000])
@pytest.mark.parametrize("seed", [11, 12])
def test_estimates_recover_made_populations_of_other_sizes(seed: int, rows: int) -> None:
    """Each method on a population of its kind: twice and eight times the rows, other seeds."""
    own = slide(seed, rows // 10, 0.5, 0.1)
    people = int(own.sum())
    assert abs(error(SlideNegativeBinomial(people)(sample(seed, own, 0.4)), own)) < 0.35
    small = process(seed, rows / 50, 0.6, rows)
    found = Pitman(rows)(sample(seed, small, 0.2))
    assert abs(error(found, small)) < 0.3
    assert Dankar(rows)(sample(seed, small, 0.1)).uniques == pytest.approx(uniques(small), rel=0.35)


def test_pitman_is_up_to_three_times_too_high_where_sizes_are_lognormal() -> None:
    """It applies, and the table cannot show that the model is wrong: as its docstring says."""
    population = drawn(2, np.random.default_rng(1).lognormal(0, 2, 50_000))
    for seed in range(3):
        found = Pitman(PEOPLE)(sample(seed, population, 0.02))
        assert 0.2 < error(found, population) < 2


def test_pitman_is_off_by_tens_of_times_for_a_thousandth_of_such_a_population() -> None:
    """Which is why it does not apply to less than a hundredth."""
    people = 5_000_000
    population = drawn(2, np.random.default_rng(1).lognormal(0, 1, 200_000), people)
    rows = np.random.default_rng(3).binomial(population, 0.001)
    theta, alpha = fit(ClassSizes.of(rows[rows > 0]))
    assert count_expected_uniques(theta, alpha, people) > 20 * uniques(population)


def test_pitman_says_nothing_of_a_population_a_hundred_times_the_table() -> None:
    found = Pitman(1_000_000)(sample(3, process(3, 500, 0.5, 30_000), 0.3))
    assert not found.applies
    assert "0.9 % of the population" in found.reason


def test_zayatz_by_hand() -> None:
    """Ten people, five rows: two unique, one class of three."""
    sizes = ClassSizes.of([1, 1, 3])
    one = 2 * 0.5  # a class of one person shows one row with chance 5/10
    three = 1 * 3 * 21 / 252 * 5 / 3  # C(3,1) C(7,4) / C(10,5) = 105/252
    assert three == pytest.approx(105 / 252)
    assert Zayatz(10).estimate_kept_share(sizes) == pytest.approx(one / (one + three) * 2 / 2)
    assert "does not decide: 0 to" in Zayatz(10)(sizes).reason, "five rows tell little"


@pytest.mark.parametrize(
    "population",
    [process(3, 500, 0.5, 30_000), slide(5, 8000, 0.5, 0.1), drawn(1, SKEWED)],
    ids=["process", "slide", "skewed"],
)
def test_zayatz_is_near_for_large_parts_of_long_tailed_populations(population: Any) -> None:
    people = int(population.sum())
    assert -0.15 < error(Zayatz(people)(sample(7, population, 0.7)), population) < 0.15


@pytest.mark.parametrize("share", [0.5, 0.7])
def test_the_formula_of_zayatz_is_far_off_for_classes_of_two(share: float) -> None:
    """Nobody is unique; it would say thousands of 20,000 people. So it is refused."""
    found = sample(1, MIXED["twos"], share)
    formula = found.uniques * Zayatz(20_000).estimate_kept_share(found) / share
    assert formula > 3000
    possible = PossiblePopulations(20_000).uniques(found)
    assert possible is not None
    assert possible.most < 0.25 * formula
    assert "0 to" in Zayatz(20_000)(found).reason


MIXED = {
    "twos": np.full(10_000, 2),
    "fours": np.full(5000, 4),
    "ones and thirties": np.repeat([1, 30], [2000, 600]),
    "ones and eights": np.repeat([1, 8], [2222, 2222]),
    "ones and twenties": np.repeat([1, 20], [1000, 950]),
}


@pytest.mark.parametrize("share", [0.12, 0.2, 0.5, 0.7])
@pytest.mark.parametrize("name", MIXED)
def test_simple_mixtures_get_a_number_near_the_truth_or_none(name: str, share: float) -> None:
    population = MIXED[name]
    true = uniques(population)
    for seed in range(3):
        found = PopulationUniques(int(population.sum()))(sample(seed, population, share))
        assert found.possible_uniques is not None
        assert found.possible_classes is not None
        assert found.possible_uniques.holds(true)
        assert found.possible_classes.holds(len(population))
        for one in found.estimates:
            assert one.uniques is None or 0.8 * true < one.uniques < 1.2 * true
            assert one.applies or one.reason


def test_what_half_of_mixed_populations_leaves_open_is_little() -> None:
    for name in ("ones and thirties", "ones and eights", "ones and twenties"):
        population = MIXED[name]
        found = PossiblePopulations(int(population.sum()))(sample(1, population, 0.5))
        assert found is not None
        assert all(one.decided for one in found)


@pytest.mark.parametrize("share", [0.02, 0.2])
@pytest.mark.parametrize("shares", [EVEN, SKEWED], ids=["even", "skewed"])
def test_possible_populations_hold_the_true_one_as_often_as_they_say(
    shares: Any, share: float
) -> None:
    population = drawn(1, shares, 5000)
    held = 0
    for seed in range(20):
        found = PossiblePopulations(5000)(sample(seed, population, share))
        assert found is not None
        held += found[0].holds(uniques(population)) and found[1].holds(len(population))
    assert held >= 19


def test_a_table_of_few_rows_leaves_everything_open() -> None:
    found = PossiblePopulations(10)(ClassSizes.of([1, 1, 3]))
    assert found is not None
    assert found[0].least == 0
    assert found[0].most >= 5
    whole = PossiblePopulations(5)(ClassSizes.of([1, 1, 3]))
    assert whole == (Possible(2.0, 2.0), Possible(3.0, 3.0))


def test_a_number_that_is_the_models_doing_is_refused() -> None:
    population = MIXED["ones and eights"]
    told = [SlideNegativeBinomial(19_998)(sample(s, population, 0.12)).reason for s in range(4)]
    assert any("which is the model's doing: 0 to" in one for one in told)


def test_small_samples_are_left_to_pitman() -> None:
    sizes = sample(7, drawn(1, SKEWED), 0.1)
    for method in (Zayatz, SlideNegativeBinomial):
        found = method(PEOPLE)(sizes)
        assert not found.applies
        assert "10 % of the population" in found.reason


def test_models_that_do_not_describe_a_table_are_refused() -> None:
    skewed, even = sample(7, drawn(1, SKEWED), 0.3), sample(7, drawn(1, EVEN), 0.3)
    assert "does not describe" in SlideNegativeBinomial(PEOPLE)(skewed).reason
    assert "does not describe" in Pitman(PEOPLE)(skewed).reason
    assert "alpha inside (0, 1)" in Pitman(PEOPLE)(even).reason
    for found in (SlideNegativeBinomial(PEOPLE)(skewed), Pitman(PEOPLE)(even)):
        assert found.uniques is None
        assert found.share is None


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([2, 2, 3], "no row of the table is unique"),
        ([1] * 40, "every row of the table is unique"),
    ],
)
def test_tables_that_say_nothing_are_refused(rows: list[int], told: str) -> None:
    found = Pitman(1000)(ClassSizes.of(rows))
    assert not found.applies
    assert told in found.reason


def test_without_classes_of_two_rows_slide_does_not_apply() -> None:
    assert "two rows" in SlideNegativeBinomial(20)(ClassSizes.of([1, 1, 3])).reason


def test_a_table_that_is_the_population_needs_no_estimate() -> None:
    for found in PopulationUniques(8)(ClassSizes.of([1, 1, 2, 4])).estimates:
        assert found.applies
        assert found.uniques == 2


def test_the_rule_takes_pitman_for_small_samples_and_the_smaller_for_large_ones() -> None:
    population = process(3, 500, 0.5, 30_000)
    small, large = sample(4, population, 0.05), sample(4, population, 0.7)
    assert Dankar(30_000)(small).uniques == Pitman(30_000)(small).uniques
    assert Dankar(30_000)(small).reason.startswith("taken from pitman, if its model is right; 0 to")
    others = [method(30_000)(large).uniques for method in (Zayatz, SlideNegativeBinomial)]
    assert Dankar(30_000)(large).uniques == min(one for one in others if one is not None)
    assert PopulationUniques(30_000)(large).estimates[-1] == Dankar(30_000)(large)


def test_the_rule_does_not_apply_where_nothing_does() -> None:
    found = Dankar(PEOPLE)(sample(7, drawn(1, SKEWED), 0.1))
    assert not found.applies
    assert "pitman: " in found.reason


@pytest.mark.parametrize("shares", [EVEN, SKEWED], ids=["even", "skewed"])
def test_the_bound_holds_as_often_as_it_says(shares: Any) -> None:
    population = drawn(1, shares, 5000)
    held = sum(
        bound_uniques(sample(seed, population, 0.2), 5000) >= uniques(population)
        for seed in range(60)
    )
    assert held >= 57


def test_the_bound_is_tight_where_every_unique_row_is_unique_in_the_population() -> None:
    """1,000 people alone and one class of 9,000: the bound fails about once in twenty."""
    population = np.array([1] * 1000 + [9000])
    found = Counter(sample(seed, population, 0.1).uniques for seed in range(400))
    held = 0
    for alone, times in found.items():
        sizes = ClassSizes.of([1] * alone + [1000 - alone])
        held += times * (bound_uniques(sizes, 10_000) >= 1000)
    assert 0.92 <= held / 400 <= 0.99


def test_correct_matches_are_those_of_skinner_and_elliot() -> None:
    sizes = ClassSizes.of([1] * 30 + [2] * 10)
    assert estimate_correct_matches(sizes, 500) == pytest.approx(
        0.1 * 30 / (0.1 * 30 + 2 * 0.9 * 10)
    )
    assert estimate_correct_matches(ClassSizes.of([3]), 10) is None


def test_correct_matches_come_out_when_samples_are_matched() -> None:
    population = drawn(3, SKEWED, 20_000)
    hits = []
    for seed in range(20):
        rows = np.random.default_rng(seed).multivariate_hypergeometric(population, 4000)
        alone = population[rows == 1]
        hits.append(len(alone) / alone.sum())  # a person who matches a unique row is it
    told = [
        estimate_correct_matches(sample(seed, population, 0.2), 20_000) or 0.0 for seed in range(20)
    ]
    assert np.mean(told) == pytest.approx(np.mean(hits), rel=0.05)


def test_the_process_shows_the_classes_it_is_expected_to() -> None:
    counts = [np.bincount(process(seed, 50, 0.4, 2000), minlength=5)[1:5] for seed in range(25)]
    assert np.mean(counts, axis=0) == pytest.approx(
        count_expected_classes(50, 0.4, 2000)[:4], rel=0.12
    )


def test_the_limit_of_the_paper_is_reached_for_large_populations() -> None:
    from scipy.special import gamma

    limit = gamma(21) / gamma(20.6) * 1e8**0.6
    assert count_expected_uniques(20, 0.6, 10**8) == pytest.approx(limit, rel=1e-6)
    assert count_expected_uniques(20, 0.6, 1) == pytest.approx(1)


def test_unequal_chances_are_refused_by_every_method() -> None:
    found = PopulationUniques(100, equal_chances=False)(ClassSizes.of([1, 2]))
    assert not any(one.applies for one in found.estimates)
    assert found.at_most is None


def test_a_population_smaller_than_the_table_is_refused() -> None:
    for method in (Zayatz, SlideNegativeBinomial, Pitman, Dankar, PopulationUniques):
        with pytest.raises(ParameterError, match="at least 3, the rows of the table"):
            method(2)(ClassSizes.of([1, 2]))


@pytest.mark.parametrize("rows", [[], [0, 1], [[1]]])
def test_class_sizes_that_cannot_be_are_refused(rows: list[int]) -> None:
    with pytest.raises(ParameterError):
        ClassSizes.of(rows)
