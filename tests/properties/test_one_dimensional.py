"""One-dimensional masking is the best there is, by brute force on small columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.algorithms.probabilistic.clusters import cluster_into_number, cluster_values
from discreet.algorithms.probabilistic.column_mask import cut_quantiles, rank_difference
from discreet.algorithms.probabilistic.values_kept import choose_whole_values, values_kept
from tests.properties.strategies import examples

Cluster = list[float]
COSTS = ("distances", "radius", "cellular")
every_cost = pytest.mark.parametrize("cost", COSTS)

columns = st.dictionaries(st.integers(0, 30), st.integers(1, 4), min_size=1, max_size=8)


def sorted_column(column: dict[int, int]) -> tuple[np.ndarray, np.ndarray]:
    values = sorted(column)
    return np.array(values, dtype=np.float64), np.array([column[v] for v in values])


def price(cluster: Cluster, cost: str) -> float:
    """The cost of one cluster with its best centre, of its own values."""
    if cost == "distances":
        return min(sum(abs(x - c) for x in cluster) for c in cluster)
    radius = min(max(abs(x - c) for x in cluster) for c in cluster)
    return radius if cost == "radius" else radius * len(cluster)


def priced(clusters: list[Cluster], cost: str) -> float:
    prices = [price(cluster, cost) for cluster in clusters]
    return max(prices) if cost == "radius" else sum(prices)


def stretches(column: dict[int, int], k: int) -> Iterator[list[Cluster]]:
    """Every way to part the values into stretches of at least k rows."""
    values = sorted(column)
    for number in range(len(values)):
        for cuts in combinations(range(1, len(values)), number):
            ends = [0, *cuts, len(values)]
            parts = [values[a:b] for a, b in pairwise(ends)]
            rows = [[float(v) for v in part for _ in range(column[v])] for part in parts]
            if all(len(cluster) >= k for cluster in rows):
                yield rows


def partitions(rows: list[float], k: int) -> Iterator[list[Cluster]]:
    """Every way to part rows into clusters of at least k, stretches or not."""

    def grown(at: int, clusters: list[Cluster]) -> Iterator[list[Cluster]]:
        if at == len(rows):
            if all(len(cluster) >= k for cluster in clusters):
                yield clusters
            return
        for which in range(len(clusters)):
            now = [[*c, rows[at]] if n == which else c for n, c in enumerate(clusters)]
            yield from grown(at + 1, now)
        yield from grown(at + 1, [*clusters, [rows[at]]])

    yield from grown(0, [])


@every_cost
@examples(60)
@given(column=columns, data=st.data())
def test_dynamic_programming_equals_brute_force(
    cost: str, column: dict[int, int], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, sum(column.values())))
    values, counts = sorted_column(column)
    found = cluster_values(values, counts, k, cost)  # type: ignore[arg-type]
    assert found.cost == min(priced(one, cost) for one in stretches(column, k))
    ends = [*found.starts.tolist(), len(values)]
    parts = [
        [float(v) for v, n in zip(values[a:b], counts[a:b], strict=True) for _ in range(n)]
        for a, b in pairwise(ends)
    ]
    assert all(len(part) >= k for part in parts)
    assert priced(parts, cost) == found.cost
    for part, centre in zip(parts, values[found.centres], strict=True):
        off = [abs(x - centre) for x in part]
        here = {"distances": sum(off), "radius": max(off), "cellular": max(off) * len(part)}
        assert here[cost] == price(part, cost)


@pytest.mark.parametrize("cost", ["distances", "radius"])
@examples(25)
@given(values=st.sets(st.integers(0, 20), min_size=1, max_size=7), data=st.data())
def test_clusters_that_are_no_stretches_are_not_better(
    cost: str, values: set[int], data: st.DataObject
) -> None:
    rows = sorted(float(v) for v in values)
    k = data.draw(st.integers(1, len(rows)))
    found = cluster_values(np.array(rows), np.ones(len(rows), dtype=np.int64), k, cost)  # type: ignore[arg-type]
    assert found.cost == min(priced(one, cost) for one in partitions(rows, k))


def moved(cluster: Cluster, rank: dict[float, int]) -> int:
    """The least rank difference of rows that are all put where one row of the table is."""
    return min(sum(abs(rank[x] - at) for x in cluster) for at in rank.values())


@examples(25)
@given(values=st.sets(st.integers(0, 99), min_size=1, max_size=7), data=st.data())
def test_theorem_5_quantiles_have_the_least_rank_difference(
    values: set[int], data: st.DataObject
) -> None:
    rows = sorted(float(v) for v in values)
    k = data.draw(st.integers(1, len(rows)))
    rank = {x: at for at, x in enumerate(rows)}
    best = min(sum(moved(c, rank) for c in one) for one in partitions(rows, k))
    found = cut_quantiles(np.array(rows), np.ones(len(rows), dtype=np.int64), k)
    assert found.cost == best
    sizes = np.diff([*found.starts, len(rows)])
    number, rest = divmod(len(rows), k)
    assert len(sizes) == number
    assert set(sizes) <= {k + rest // number, k + -(-rest // number)}


@examples(60)
@given(column=columns, data=st.data())
def test_quantiles_of_values_that_repeat_have_the_least_rank_difference(
    column: dict[int, int], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, sum(column.values())))
    values, counts = sorted_column(column)
    found = cut_quantiles(values, counts, k)
    every = ([len(c) for c in one] for one in stretches(column, k))
    assert found.cost == min(rank_difference(np.array(sizes)) for sizes in every)


@pytest.mark.parametrize("cost", [*COSTS, "ranks"])
@examples(25)
@given(column=columns, data=st.data())
def test_exactly_so_many_stretches_cost_the_least(
    cost: str, column: dict[int, int], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, max(1, sum(column.values()) // 2)))
    number = data.draw(st.integers(1, len(column)))
    values, counts = sorted_column(column)
    found = cluster_into_number(values, counts, k, number, cost)
    every = [one for one in stretches(column, k) if len(one) == number]
    if found is None:
        assert not every
        return
    assert len(found) == number
    if cost == "ranks":
        best: float = min(rank_difference(np.array([len(c) for c in one])) for one in every)
    else:
        best = min(priced(one, cost) for one in every)
    assert found.cost == best


def total(weights: list[float], counts: Iterable[int]) -> float:
    return sum(w / d for w, d in zip(weights, counts, strict=True))


@examples(80)
@given(
    allowed=st.integers(1, 400),
    sets=st.lists(st.sets(st.integers(2, 20), max_size=5), min_size=1, max_size=4),
    data=st.data(),
)
def test_the_values_kept_are_the_best_whole_numbers(
    allowed: int, sets: list[set[int]], data: st.DataObject
) -> None:
    weights = [data.draw(st.sampled_from([0.5, 1.0, 3.0])) for _ in sets]
    choices = [np.array([1, *sorted(some)]) for some in sets]
    whole = choose_whole_values(allowed, weights, choices)
    fitting = [one for one in product(*(c.tolist() for c in choices)) if math.prod(one) <= allowed]
    assert whole in fitting
    assert total(weights, whole) == pytest.approx(min(total(weights, one) for one in fitting))
    real = values_kept(allowed, weights, [int(c[-1]) for c in choices])
    assert math.prod(real) <= allowed * (1 + 1e-9)
    assert total(weights, real) <= total(weights, whole) + 1e-9
    for at, kept in enumerate(whole):
        for more in choices[at][choices[at] > kept].tolist():
            assert math.prod(whole) // kept * more > allowed
