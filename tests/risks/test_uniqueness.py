"""Exact uniqueness against whole numbers and enumeration, simulation, and what is said of them."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest

from discreet.errors import ParameterError
from discreet.frequency.count import count
from discreet.risks.simulation import Simulation
from discreet.risks.uniqueness import (
    GroupSize,
    Uniqueness,
    UniquenessCurve,
    grade_error,
    log_all_different,
    log_birthday,
)
from discreet.risks.value_frequencies import Aggregated, ValueFrequencies
from discreet.table.read import read


def in_whole_numbers(counts: list[int], k: int) -> float:
    """k! times the elementary symmetric polynomial, in whole numbers."""
    sums = [1] + [0] * k
    for one in counts:
        for j in range(k, 0, -1):
            sums[j] += sums[j - 1] * one
    return math.log(sums[k] * math.factorial(k)) - math.log(sum(counts) ** k)


@pytest.mark.parametrize("seed", range(12))
def test_the_exact_chance_is_that_of_whole_numbers(seed: int) -> None:
    random = np.random.default_rng(seed)
    counts = random.zipf(1.3 + 0.1 * seed, int(random.integers(2, 120))).clip(max=10**6).tolist()
    for k in {1, 2, len(counts) // 2 + 1, len(counts) - 1, len(counts)} - {0}:
        exact = log_all_different(ValueFrequencies.of(counts), k)
        assert exact == pytest.approx(in_whole_numbers(counts, k), rel=1e-10, abs=1e-11)


def test_more_people_than_values_cannot_all_differ() -> None:
    assert Uniqueness(4)(ValueFrequencies.of([5, 5, 5])).exact == 0.0
    assert Uniqueness(4)(ValueFrequencies.of([5, 5, 5], values=100)).exact == 0.0


def test_different_rows_of_a_table_are_never_the_same_row() -> None:
    rows = [0, 0, 0, 1, 1, 2, 3]
    for k in (2, 3, 4):
        groups = list(combinations(rows, k))
        share = sum(len(set(group)) == k for group in groups) / len(groups)
        found = Uniqueness(k)(ValueFrequencies.of(np.bincount(rows)))
        assert found.different_rows == pytest.approx(share)
    alone = Uniqueness(50)(ValueFrequencies.of(np.ones(100)))
    assert alone.different_rows == pytest.approx(1.0)
    assert alone.exact < 1e-6


def test_shares_say_nothing_of_different_rows() -> None:
    assert Uniqueness(2)(ValueFrequencies.of([0.5, 0.5])).different_rows is None


def test_a_large_birthday_is_the_gamma_function() -> None:
    k, values = 5_000_000, 10**8
    by_gamma = math.lgamma(values + 1) - math.lgamma(values - k + 1) - k * math.log(values)
    assert log_birthday(k, values) == pytest.approx(by_gamma, rel=1e-10)


@pytest.mark.parametrize("level", [0.9, 0.5, 0.01])
def test_the_group_size_is_the_first_below_the_level(level: float) -> None:
    skewed = ValueFrequencies.of(1 / np.arange(1, 400))
    size = GroupSize(level)(skewed)
    assert Uniqueness(size)(skewed).exact < level
    assert size == 1 or Uniqueness(size - 1)(skewed).exact >= level


def test_skewed_data_is_said_to_be_badly_approximated() -> None:
    curve = UniquenessCurve.of(ValueFrequencies.of(1 / np.arange(1, 2001)))
    facts = curve.facts()
    assert facts["says"] == "poor"
    assert facts["worst_error"] > 1
    assert abs(facts["worst_error_formula_3"]) < facts["worst_error"]
    even = UniquenessCurve.of(ValueFrequencies.of(np.ones(300))).facts()
    assert even["says"] == "good"


def test_a_curve_starts_at_one_person_and_falls() -> None:
    points = UniquenessCurve.of(ValueFrequencies.of([9, 4, 3, 2, 2, 1])).points
    chances = [point.exact for point in points]
    assert points[0].group == 1
    assert chances[0] == 1.0
    assert all(one >= other for one, other in pairwise(chances))


@pytest.mark.parametrize("counts", [[7], [1], [3, 3]])
def test_a_column_of_few_values_has_a_curve_too(counts: list[int]) -> None:
    facts = UniquenessCurve.of(ValueFrequencies.of(counts)).facts()
    assert facts["group_size"] >= 2
    assert facts["curve"]


def test_an_error_is_judged() -> None:
    assert [grade_error(e) for e in (None, 0.01, -0.2, 3.0)] == ["no use", "good", "rough", "poor"]


def test_intervals_of_the_simulation_hold_as_often_as_they_say() -> None:
    skewed = ValueFrequencies.of(np.linspace(1, 5, 60))
    exact = Uniqueness(12)(skewed).exact
    simulation = Simulation(12)
    held = 0
    for seed in range(200):
        found = simulation(skewed, seed=seed)
        assert found.reached
        held += found.interval[0] <= exact <= found.interval[1]
    assert held >= 180


def test_a_simulation_repeats_under_one_seed_and_says_when_it_gave_up() -> None:
    skewed = ValueFrequencies.of([5, 3, 2, 1])
    assert Simulation(3)(skewed, seed=1) == Simulation(3)(skewed, seed=1)
    given_up = Simulation(4, most=50)(ValueFrequencies.of([100, 1, 1, 1]), seed=1)
    assert not given_up.reached
    assert given_up.interval[1] > 0


def test_any_set_of_columns_of_a_table_has_its_frequencies() -> None:
    import pyarrow as pa

    table = read(pa.table({"a": list("xxyy"), "b": list("1212"), "c": list("ppqp")}))
    frequency = count(table, ["a", "b", "c"]).frequency
    assert sorted(ValueFrequencies.of_columns(frequency, ["c"]).counts) == [1, 3]
    assert sorted(ValueFrequencies.of_columns(frequency, ["a", "b"]).counts) == [1, 1, 1, 1]
    assert ValueFrequencies.of_columns(frequency, ["a"], values=10).values == 10


@pytest.mark.parametrize("counts", [[], [0, 0], [-1, 2], [float("nan")], [[1, 2]]])
def test_frequencies_that_cannot_be_are_refused(counts: list[float]) -> None:
    with pytest.raises(ParameterError):
        ValueFrequencies.of(counts)


def test_parameters_that_cannot_be_are_refused() -> None:
    for wrong in (
        lambda: Uniqueness(0),
        lambda: GroupSize(0),
        lambda: Simulation(3, relative=0),
        lambda: ValueFrequencies.of([1, 2], values=1),
        lambda: Aggregated(()),
    ):
        with pytest.raises(ParameterError):
            wrong()


def test_no_group_that_is_all_different_has_a_lower_end_of_nothing() -> None:
    drawn = Simulation(60, most=500)(ValueFrequencies.of([1] * 61), 1)
    assert drawn.all_different == 0
    assert drawn.interval[0] == 0.0
    assert Simulation(1, most=50)(ValueFrequencies.of([1, 2]), 1).interval[1] == 1.0


@pytest.mark.parametrize("level", [0.5, 0.01])
def test_the_group_size_solves_the_approximation_that_is_judged(level: float) -> None:
    skewed = ValueFrequencies.of([4, 3, 2, 1] * 24)
    size = GroupSize(level).approximation(skewed)
    below, above = Uniqueness(math.ceil(size))(skewed), Uniqueness(math.floor(size))(skewed)
    assert below.approximation <= level <= above.approximation
    few = ValueFrequencies.of([1, 1])
    assert GroupSize(level).approximation(few) == 2.0, "two values: a chance of 1/2, then none"
