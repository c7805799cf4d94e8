"""One column at a time: allotment, clusters, quantiles, samples, categories, ranges."""

from __future__ import annotations

import math
from typing import get_args

import numpy as np
import pytest

from discreet.algorithms.probabilistic import clusters
from discreet.algorithms.probabilistic.clusters import cluster_values, find_best_stretches
from discreet.algorithms.probabilistic.column_mask import (
    Method,
    OrderedValues,
    cut_buckets,
    cut_quantiles,
    find_finest_level,
    list_level_sizes,
    rank_difference,
)
from discreet.algorithms.probabilistic.quantile_sample import (
    QuantileSample,
    find_buckets,
    sample_size,
)
from discreet.algorithms.probabilistic.values_kept import choose_whole_values, values_kept
from discreet.errors import EmptyTableError, ParameterError
from discreet.hierarchy import Flat, Hierarchy, Prefix
from discreet.hierarchy.refusals import UnreadableValuesError


def ones(number: int) -> np.ndarray:
    return np.ones(number, dtype=np.int64)


def test_columns_at_their_limit_are_taken_out_and_the_others_get_more() -> None:
    assert values_kept(1000, [1, 1, 1], [2, 5, 1000]) == pytest.approx([2, 5, 100])
    assert values_kept(10**9, [1, 1], [2, 5]) == pytest.approx([2, 5])


def test_values_go_by_weight() -> None:
    kept = values_kept(20_000, [1, 2], [10**6, 10**6])
    assert kept == pytest.approx([100, 200])


def test_no_column_gets_less_than_one_value() -> None:
    assert values_kept(10, [1, 1000], [50, 5]) == pytest.approx([2, 5])
    assert values_kept(4, [1, 1000], [50, 50]) == pytest.approx([1, 4])
    assert values_kept(1, [1, 1], [50, 50]) == pytest.approx([1, 1])


def test_a_column_of_weight_0_gets_what_the_others_leave() -> None:
    assert values_kept(100, [0, 1], [50, 20]) == pytest.approx([5, 20])
    assert values_kept(10, [0, 1], [50, 20]) == pytest.approx([1, 10])


def test_the_paper_25_columns_do_not_all_round_down_to_one_value() -> None:
    """Each may keep 1.94: rounded down that is nothing at all, but 23 columns can keep two."""
    kept = choose_whole_values(16_571_428, [1.0] * 25, [np.arange(1, 11)] * 25)
    assert kept.count(1) == 2
    assert math.prod(kept) <= 16_571_428


def test_what_a_hierarchy_cannot_use_goes_to_the_numbers() -> None:
    zips, ages = np.array([1, 10, 1000]), np.arange(1, 101)
    assert choose_whole_values(1000, [1, 1], [zips, ages]) == (10, 100)


def test_a_cluster_may_need_2k_rows_where_values_repeat() -> None:
    found = cluster_values(np.array([1.0, 2, 3]), np.array([1, 6, 1]), 2, "distances")
    assert found.starts.tolist() == [0]
    assert found.cost == 2


def test_the_rank_difference_of_a_large_column_is_the_least() -> None:
    random = np.random.default_rng(2)
    counts = random.integers(1, 5, 400)
    before = np.append(0, np.cumsum(counts))
    k, n = 23, len(counts)
    best = [0.0] + [math.inf] * n
    for j in range(1, n + 1):
        for i in range(j):
            rows = int(before[j] - before[i])
            if rows >= k:
                best[j] = min(best[j], best[i] + rows * rows // 4)
    assert cut_quantiles(np.arange(n, dtype=float), counts, k).cost == best[n]


def test_distances_on_a_large_column_are_the_least() -> None:
    random = np.random.default_rng(4)
    values, counts = np.sort(random.choice(5000, 300, replace=False)).astype(float), ones(300)
    before, mass = np.arange(301), np.append(0.0, np.cumsum(values))
    k, best = 11, [0.0] + [math.inf] * 300
    for j in range(k, 301):
        for i in range(max(0, j - 2 * k), j - k + 1):
            middle = clusters.median_at(before, i, j - 1)
            cost = clusters.distances_to(values, before, mass, i, j - 1, middle)
            best[j] = min(best[j], best[i] + cost)
    assert find_best_stretches(values, counts, k, "distances").cost == pytest.approx(best[300])


def test_the_radius_on_a_large_column_is_the_least() -> None:
    random = np.random.default_rng(6)
    values = np.sort(random.choice(5000, 300, replace=False)).astype(float)
    k, best = 11, [0.0] + [math.inf] * 300
    for j in range(k, 301):
        for i in range(max(0, j - 2 * k), j - k + 1):
            centre = values[clusters.centre_at(values, i, j - 1)]
            radius = max(values[j - 1] - centre, centre - values[i])
            best[j] = min(best[j], max(best[i], radius))
    assert cluster_values(values, ones(300), k, "radius").cost == best[300]


@pytest.mark.parametrize("method", get_args(Method))
def test_a_column_has_as_many_ranges_as_are_asked_though_values_repeat(method: Method) -> None:
    """Half of the rows have one value, so equal shares would leave two or three ranges."""
    counts = np.array([3, 1, 2, 40, 1, 9, 8, 2, 5, 9])
    values = np.cumsum(np.arange(10.0))
    for number in range(1, 11):
        assert len(cut_buckets(values, counts, number, method)) == number


def test_twenty_columns_of_any_size_are_shared_out_in_no_more_than_is_allowed() -> None:
    choices = [np.arange(1, 20_000 + at) for at in range(20)]
    weights = np.linspace(0.5, 3, 20).tolist()
    kept = choose_whole_values(10**25, weights, choices)
    assert 0.9 * 10**25 < math.prod(kept) <= 10**25


@pytest.mark.parametrize("cost", ["distances", "radius", "cellular"])
def test_more_rows_asked_than_there_are_is_refused(cost: str) -> None:
    with pytest.raises(ParameterError, match="at most the 3 rows"):
        cluster_values(np.arange(3.0), ones(3), 4, cost)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="at least 1"):
        cluster_values(np.arange(3.0), ones(3), 0, cost)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="one of distances"):
        cluster_values(np.arange(3.0), ones(3), 1, "best")  # type: ignore[arg-type]


def test_equal_buckets_are_not_the_best_where_values_repeat() -> None:
    """Theorem 5 is for different values: kept together, the fullest value is its own bucket."""
    counts = np.array([3, 1, 8, 1, 3])
    found = cut_quantiles(np.arange(5.0), counts, 4)
    sizes = np.add.reduceat(counts, found.starts)
    assert sizes.tolist() == [4, 8, 4]
    assert found.cost == rank_difference(sizes) == 24


def test_the_normalized_squared_error_falls_about_as_one_over_buckets_squared() -> None:
    """Figure 7, which is for values spread evenly."""
    values = np.random.default_rng(5).random(20_000)
    values.sort()
    for buckets in (2, 5, 20):
        found = cut_quantiles(values, ones(20_000), 20_000 // buckets)
        bucket = np.searchsorted(found.starts, np.arange(20_000), side="right") - 1
        released = values[found.centres][bucket]
        error = ((released - values) ** 2).sum() / ((values - values.mean()) ** 2).sum()
        assert error == pytest.approx(1 / buckets**2, rel=0.06)


def test_quantiles_of_a_sample_are_off_by_more_than_epsilon_at_most_delta_of_the_time() -> None:
    epsilon, delta, rows, runs = 0.05, 0.1, 20_000, 120
    column = np.random.default_rng(0).permutation(rows).astype(float)
    failed = 0
    for seed in range(runs):
        sample = QuantileSample(epsilon, delta, seed)
        for start in range(0, rows, 3000):
            sample.add(column[start : start + 3000])
        cuts = sample.cuts(20)
        wanted = np.arange(1, 20) * rows / 20
        failed += bool((np.abs(cuts + 1 - wanted) > epsilon * rows).any())
    assert failed / runs <= delta


def test_every_row_is_drawn_as_often_as_any_other() -> None:
    rows, drawn = 400, np.zeros(400)
    for seed in range(300):
        sample = QuantileSample(0.2, 0.2, seed)
        for start in range(0, rows, 150):
            sample.add(np.arange(start, min(rows, start + 150), dtype=float))
        drawn[sample.numbers().astype(int)] += 1
    size = sample_size(0.2, 0.2)
    assert drawn.sum() == 300 * size
    expected = 300 * size / rows
    assert ((drawn - expected) ** 2 / expected).sum() < 520


def test_the_sample_is_no_larger_than_it_need_be_however_many_rows() -> None:
    sample = QuantileSample(0.05, 0.05, 1)
    for _ in range(40):
        sample.add(np.random.default_rng(1).random(5000))
        assert len(sample._lots) <= 2 * sample.size
    assert sample.rows == 200_000
    assert len(sample.numbers()) == sample.size == 738


def test_one_seed_gives_one_sample() -> None:
    cuts = []
    for _ in range(2):
        sample = QuantileSample(0.05, 0.05, 7)
        sample.add(np.arange(5000.0))
        cuts.append(sample.cuts(5).tolist())
    assert cuts[0] == cuts[1]


def test_rows_fall_in_the_bucket_whose_cut_they_do_not_exceed() -> None:
    cuts = np.array([2.0, 5.0, 9.0])
    numbers = np.array([1.0, 2, 2.5, 5, 9, 9.5, -3])
    assert find_buckets(numbers, cuts).tolist() == np.searchsorted(cuts, numbers).tolist()
    assert find_buckets(numbers, np.zeros(0)).tolist() == [0] * 7


@pytest.mark.parametrize(("epsilon", "delta"), [(0, 0.1), (1, 0.1), (0.1, 0), (0.1, 1)])
def test_errors_and_chances_that_cannot_be_are_refused(epsilon: float, delta: float) -> None:
    with pytest.raises(ParameterError):
        QuantileSample(epsilon, delta)


def test_values_out_of_order_and_missing_numbers_are_refused() -> None:
    with pytest.raises(ParameterError, match="rising"):
        cluster_values(np.array([2.0, 1.0]), ones(2), 1, "radius")
    with pytest.raises(ParameterError, match="rising"):
        cut_quantiles(np.array([1.0, 1.0]), ones(2), 1)
    with pytest.raises(ParameterError, match="none missing"):
        QuantileSample(0.1, 0.1).add(np.array([1.0, np.nan]))


def test_5000_columns_share_what_is_allowed() -> None:
    kept = choose_whole_values(2_400_000, [1.0] * 5000, [np.arange(1, 4)] * 5000)
    assert 1_200_000 < math.prod(kept) <= 2_400_000


def test_quantiles_of_nothing_are_refused() -> None:
    with pytest.raises(EmptyTableError):
        QuantileSample(0.1, 0.1).cuts(4)


def test_categories_go_up_to_the_level_with_few_enough_values() -> None:
    """As in section 4.2: 50 values are states, 3,000 are counties."""
    values = [f"{n:03d}" for n in range(200)]
    tree = Prefix([2, 1]).build("zip", values)
    assert list_level_sizes(tree).tolist() == [1, 2, 20, 200]
    assert [find_finest_level(tree, most) for most in (1000, 199, 20, 19, 2, 1)] == [
        0,
        1,
        1,
        2,
        2,
        3,
    ]


def flat(values: list[str | None]) -> Hierarchy:
    return Flat().build("x", values)


def test_numbers_dates_and_codes_are_put_in_order() -> None:
    numbers = OrderedValues.of(flat(["10", "-2.5", None, "7", "7.0"]))
    assert numbers.rank.tolist() == [2, 0, 3, 1, 1]
    assert numbers.label(0, 2) == "-2.5 to 10"
    assert numbers.label(1, 2) == "7-10"
    dates = OrderedValues.of(flat(["2001-05-01", "1999-12-31"]))
    assert dates.label(0, 1) == "1999-12-31 to 2001-05-01"
    assert np.diff(dates.numbers).tolist() == [487]
    codes = OrderedValues.of(flat(["02139", "01002"]))
    assert codes.label(0, 1) == "01002 to 02139"


@pytest.mark.parametrize("values", [["a", "1"], ["01", "1"], ["2001-13-01"], ["2001-05-01", "7"]])
def test_values_without_an_order_are_refused_and_not_shown(values: list[str]) -> None:
    with pytest.raises(UnreadableValuesError) as caught:
        OrderedValues.of(flat(list(values)))
    assert all(f"'{value}'" not in str(caught.value) for value in values)
