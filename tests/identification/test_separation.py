"""The measures of a set of columns, against counting by hand."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import ParameterError, UnknownColumnError
from discreet.frequency.count import count
from discreet.identification.keys import samples, separation
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.growing import Partition
from discreet.identification.keys.samples import OneRowError, PairSample, estimate_separation
from discreet.identification.keys.separation import measure
from discreet.table.read import read


def made(seed: int, rows: int = 30, columns: int = 4, values: int = 3) -> CodedTable:
    draws = np.random.default_rng(seed)
    names = [f"c{n}" for n in range(columns)]
    return CodedTable.of_codes(names, draws.integers(0, values, (columns, rows)))


def by_hand(table: CodedTable, places: tuple[int, ...]) -> tuple[int, int, int, float]:
    rows = [tuple(row) for row in table.codes[list(places)].T.tolist()]
    sizes = Counter(rows)
    alike = sum(one == other for one, other in combinations(rows, 2))
    shares = [size / len(rows) for size in sizes.values()]
    entropy = -sum(share * math.log2(share) for share in shares)
    return len(sizes), sum(size == 1 for size in sizes.values()), alike, entropy


@pytest.mark.parametrize("seed", range(5))
def test_every_measure_is_that_counted_by_hand(seed: int) -> None:
    table = made(seed)
    for size in range(5):
        for places in combinations(range(4), size):
            found = measure(table, [table.columns[place] for place in places])
            distinct, alone, alike, entropy = by_hand(table, places)
            assert (found.distinct, found.uniques, found.pairs_alike) == (distinct, alone, alike)
            assert found.entropy == pytest.approx(entropy, abs=1e-12)
            assert found.distinct_ratio == distinct / 30
            assert found.separation_ratio == pytest.approx(1 - alike / (30 * 29 / 2))


@pytest.mark.parametrize("seed", range(5))
def test_a_partition_counts_the_same_before_and_after_a_column_is_added(seed: int) -> None:
    table = made(seed, rows=200)
    partition = Partition.whole(200)
    for place in range(4):
        counted = partition.counts_with(table.codes[place], table.sizes[place])
        partition = partition.refine(table.codes[place], table.sizes[place])
        distinct, alone, alike, _ = by_hand(table, tuple(range(place + 1)))
        assert counted == (partition.distinct, partition.pairs_alike) == (distinct, alike)
        assert partition.alone == alone
        assert sorted(partition.sizes.tolist()) == sorted(
            Counter(map(tuple, table.codes[: place + 1].T.tolist())).values()
        )


def test_a_frequency_list_gives_the_same_measures_as_the_rows() -> None:
    frame = pa.table({"a": [1, 1, 2, 2, 2, None], "b": ["x", "x", "y", "y", "z", "z"]})
    frequency = count(read(frame), ["a", "b"]).frequency
    coded = CodedTable.of(frame)
    for columns in (["a"], ["b"], ["a", "b"], []):
        assert measure(frequency, columns) == measure(coded, columns)


def test_the_single_functions_give_the_same_figures() -> None:
    table = made(0)
    found = measure(table, ["c0", "c1"])
    assert separation.distinct_ratio(table, ["c0", "c1"]) == found.distinct_ratio
    assert separation.separation_ratio(table, ["c0", "c1"]) == found.separation_ratio
    assert separation.count_uniques(table, ["c0", "c1"]) == found.uniques
    assert separation.entropy(table, ["c0", "c1"]) == found.entropy


def test_one_row_is_singled_out_by_every_set() -> None:
    found = measure(CodedTable.of_codes(["a"], [[0]]), ["a"])
    assert (found.distinct_ratio, found.separation_ratio, found.uniques) == (1.0, 1.0, 1)
    assert found.is_key


@pytest.mark.parametrize("values", [["x"] * 4, [None] * 4])
def test_rows_that_are_all_equal_or_all_missing_are_not_told_apart(values: list[str]) -> None:
    found = measure(CodedTable.of(pa.table({"a": pa.array(values, pa.string())})))
    assert (found.distinct_ratio, found.separation_ratio, found.uniques) == (0.25, 0.0, 0)
    assert found.entropy == 0


def test_an_unknown_column_is_refused() -> None:
    with pytest.raises(UnknownColumnError):
        measure(made(0), ["c9"])


def chance_to_miss(ratio: float, pairs: int, confidence: float) -> float:
    """Summed over all that could be drawn, so that no luck with seeds is in it."""
    chance = 0.0
    for hits in range(pairs + 1):
        found = samples.estimate((), hits, pairs, confidence)
        if not found.low <= ratio <= found.high:
            chance += math.comb(pairs, hits) * ratio**hits * (1 - ratio) ** (pairs - hits)
    return chance


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@pytest.mark.parametrize("ratio", [0.001, 0.3, 0.5, 0.8876, 0.999])
def test_the_interval_misses_no_more_often_than_it_says(ratio: float, confidence: float) -> None:
    assert chance_to_miss(ratio, 150, confidence) <= 1 - confidence


def test_drawn_pairs_make_the_interval_miss_as_often_as_independent_pairs_do() -> None:
    table = made(3, rows=60)
    ratio = measure(table, ["c0", "c1"]).separation_ratio
    missed = 0
    for seed in range(1000):
        found = estimate_separation(table, ["c0", "c1"], 150, 0.9, seed)
        missed += not found.low <= ratio <= found.high
    wanted = chance_to_miss(ratio, 150, 0.9)
    assert abs(missed / 1000 - wanted) < 4 * math.sqrt(wanted * (1 - wanted) / 1000)


def test_an_estimate_repeats_under_one_seed() -> None:
    one, two, other = (estimate_separation(made(1), ["c0"], 100, seed=s) for s in (5, 5, 6))
    assert one == two != other


def test_no_columns_separate_no_pair_in_an_estimate() -> None:
    found = estimate_separation(made(1), [], 100)
    assert (found.separation_ratio, found.low) == (0.0, 0.0)


def test_pairs_are_of_two_different_rows_and_all_are_drawn() -> None:
    left, right = samples.draw_pairs(5, 2000, np.random.default_rng(0))
    assert (left != right).all()
    pairs = Counter(tuple(sorted(pair)) for pair in zip(left.tolist(), right.tolist(), strict=True))
    assert len(pairs) == 10
    assert max(pairs.values()) < 300


def test_a_sample_of_pairs_holds_what_each_column_separates() -> None:
    table = made(2, rows=50)
    sample = PairSample.of(table, 130, 7)
    left, right = samples.draw_pairs(50, 130, np.random.default_rng(7))
    for place, name in enumerate(table.columns):
        wanted = int((table.codes[place, left] != table.codes[place, right]).sum())
        assert sample.estimate([name]).pairs_separated == wanted


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ParameterError, match="confidence"):
        estimate_separation(made(0), ["c0"], 10, 1.0)
    with pytest.raises(ParameterError, match="pairs"):
        estimate_separation(made(0), ["c0"], 0)
    with pytest.raises(OneRowError, match="one row"):
        estimate_separation(CodedTable.of_codes(["a"], [[0]]), ["a"])
