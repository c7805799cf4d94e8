"""Groups of at least k; the best ones for one column, near ones for several."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import ParameterError, TechniqueError
from discreet.table.table import Table
from discreet.techniques import microaggregate
from discreet.techniques.microaggregate import Microaggregate
from discreet.techniques.utility import report_utility
from tests.techniques.made_numbers import column, made, numbers, table

ALL = ("age", "weight", "income")


def smallest(found: Table, *names: str) -> int:
    rows = found.scan(text=names).read_all().to_pydict()
    return min(Counter(zip(*rows.values(), strict=True)).values())


def least_error(cells: list[int], k: int) -> float:
    """By brute force: all ways to cut the sorted numbers into groups of at least k."""
    values, best = sorted(cells), float("inf")
    for mask in range(1 << (len(values) - 1)):
        cuts = [0, *(i + 1 for i in range(len(values) - 1) if mask >> i & 1), len(values)]
        parts = [values[a:b] for a, b in pairwise(cuts)]
        if min(map(len, parts)) >= k:
            best = min(best, sum(float(np.var(part)) * len(part) for part in parts))
    return best


@given(st.lists(st.integers(0, 30), min_size=3, max_size=9), st.sampled_from([2, 3]))
@settings(max_examples=20, deadline=None)
def test_one_column_of_variable_size_has_the_least_error(cells: list[int], k: int) -> None:
    released = Microaggregate(("x",), k)(table(x=cells), 0)
    error = float(((numbers(released, "x").ravel() - np.array(cells)) ** 2).sum())
    assert error == pytest.approx(least_error(cells, k), abs=1e-9)
    assert smallest(released, "x") >= k


def test_fixed_size_takes_sorted_blocks() -> None:
    released = Microaggregate(("x",), 2, "fixed")(table(x=[9, 1, 2, 8, 7]), 0)
    assert column(released, "x") == [8.0, 1.5, 1.5, 8.0, 8.0]


def test_what_would_take_too_long_is_grouped_in_sorted_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(microaggregate, "STEPS", 10)
    released = Microaggregate(("x",), 2)(table(x=[9, 1, 2, 8, 7]), 0)
    assert column(released, "x") == [8.0, 1.5, 1.5, 8.0, 8.0]


@pytest.mark.parametrize("size", ["fixed", "variable"])
@pytest.mark.parametrize("k", [2, 5, 20])
def test_groups_of_several_columns_have_at_least_k_rows(k: int, size: str) -> None:
    released = Microaggregate(ALL, k, size)(made(2003), 0)  # type: ignore[arg-type]
    assert smallest(released, *ALL) >= k
    before, after = numbers(made(2003), *ALL), numbers(released, *ALL)
    assert np.allclose(before.mean(axis=0), after.mean(axis=0), rtol=1e-12)


def test_mdav_by_hand() -> None:
    x, y = [0, 0, 1, 10, 10, 11], [0, 1, 0, 10, 11, 10]
    released = numbers(Microaggregate(("x", "y"), 3)(table(x=x, y=y), 0), "x", "y")
    third = 1 / 3
    assert np.allclose(released, [[third, third]] * 3 + [[10 + third, 10 + third]] * 3)


def mdav_as_published(points: np.ndarray, k: int) -> np.ndarray:
    """Groups by the published steps, on all rows at once, with no code of the package."""
    left, groups, number = np.arange(len(points)), np.full(len(points), -1), 0

    def farthest(centre: np.ndarray) -> int:
        return int(left[np.argmax(((points[left] - centre) ** 2).sum(axis=1))])

    while len(left) >= 2 * k:
        seed = farthest(points[left].mean(axis=0))
        for _ in range(2 if len(left) >= 3 * k else 1):
            near = np.argsort(((points[left] - points[seed]) ** 2).sum(axis=1))[:k]
            groups[left[near]] = number
            left, number = np.delete(left, near), number + 1
            seed = farthest(points[seed])
    groups[left] = number
    return groups


def skewed(rows: int) -> np.ndarray:
    return np.exp(np.random.default_rng(6).normal(size=(rows, 3)))


def squared_error(found: Table, values: np.ndarray) -> float:
    after = numbers(found, "x", "y", "z")
    return float((((after - values) / values.std(axis=0)) ** 2).sum())


def test_a_small_table_is_grouped_as_published() -> None:
    values = skewed(2000)
    x, y, z = values.T
    released = Microaggregate(("x", "y", "z"), 5, "fixed")(table(x=x, y=y, z=z), 0)
    groups = mdav_as_published((values - values.mean(axis=0)) / values.std(axis=0), 5)
    sizes = np.bincount(groups)
    means = [(np.bincount(groups, weights=part) / sizes)[groups] for part in values.T]
    assert np.allclose(numbers(released, "x", "y", "z"), np.column_stack(means))


def test_blocks_of_a_large_table_cost_little_also_where_it_is_skewed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = skewed(4000)
    x, y, z = values.T
    given_ = table(x=x, y=y, z=z)
    whole = squared_error(Microaggregate(("x", "y", "z"), 5, "fixed")(given_, 0), values)
    monkeypatch.setattr(microaggregate, "WORK", 0)
    blocks = squared_error(Microaggregate(("x", "y", "z"), 5, "fixed")(given_, 0), values)
    assert whole < blocks < 1.3 * whole  # twice as much if cut at medians


@pytest.mark.parametrize("work", [0, microaggregate.WORK])
def test_rows_that_are_all_alike_or_ever_further_apart_are_grouped(
    work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(microaggregate, "WORK", work)
    far = 2.0 ** (np.arange(3000) % 300)
    for x in (np.ones(3000), far):
        released = Microaggregate(("x", "y"), 3)(table(x=x, y=-x), 0)
        assert smallest(released, "x", "y") >= 3


@pytest.mark.parametrize("size", ["fixed", "variable"])
def test_no_group_has_more_than_twice_k_less_one_rows(
    size: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y, z = skewed(3001).T
    for work in (0, microaggregate.WORK):
        monkeypatch.setattr(microaggregate, "WORK", work)
        released = Microaggregate(("x", "y", "z"), 7, size)(table(x=x, y=y, z=z), 0)  # type: ignore[arg-type]
        counts = Counter(map(tuple, numbers(released, "x", "y", "z"))).values()
        assert min(counts) >= 7
        assert max(counts) <= 13


def test_variable_size_fits_clusters_better() -> None:
    draw = np.random.default_rng(5)
    centres = np.repeat(draw.normal(size=(200, 2)), draw.integers(3, 6, 200), axis=0)
    x, y = (centres + draw.normal(0, 0.003, centres.shape)).T
    clusters = table(x=x, y=y)
    fixed, variable = (
        report_utility(
            clusters, Microaggregate(("x", "y"), 3, size)(clusters, 0), same_rows=True
        ).columns[0]
        for size in ("fixed", "variable")
    )
    assert variable.loss < 0.8 * fixed.loss


def test_categories_take_the_most_frequent_value() -> None:
    given_ = table(x=[1, 2, 3, 50, 51, 52], c=["a", "a", "b", "b", "c", "b"])
    released = Microaggregate(("x", "c"), 3, categories=("c",))(given_, 0)
    assert column(released, "c") == ["a", "a", "a", "b", "b", "b"]
    assert column(released, "x") == [2.0] * 3 + [51.0] * 3


def test_categories_alone_can_be_grouped() -> None:
    given_ = table(c=["a", "b"] * 5 + ["c"], d=["x", "y"] * 5 + ["x"])
    released = Microaggregate(("c", "d"), 3, categories=("c", "d"))(given_, 0)
    assert smallest(released, "c", "d") >= 3


def test_one_column_of_categories_can_be_grouped() -> None:
    cells = ["a"] * 7 + ["b"] * 5 + ["c"] + ["d"] * 2
    released = Microaggregate(("c",), 3, categories=("c",))(table(c=cells), 0)
    assert smallest(released, "c") >= 3
    assert column(released, "c").count("a") >= 7


def test_the_loss_is_told() -> None:
    released = Microaggregate(("x",), 2)(table(x=[0, 1, 2, 3]), 0)
    told = "microaggregate: 2 groups of 2 to 2 rows; information loss (SSE/SST) 0.2."
    assert released.notices == (told,)


def test_rows_that_miss_the_same_values_are_grouped() -> None:
    given_ = table(x=[1, 2, 3, 4, None, None, None], y=[1, 2, 3, 4, 5, 6, 7])
    released = Microaggregate(("x", "y"), 2, "fixed")(given_, 0)
    assert column(released, "x")[4:] == [None] * 3
    assert column(released, "y")[4:] == [6.0] * 3
    assert smallest(released, "x", "y") >= 2


def test_a_rare_pattern_of_missing_values_is_refused() -> None:
    for y in ([1, 2, 3], [1, 2, None]):
        with pytest.raises(TechniqueError, match=r"only 1 rows? .* fewer than k = 2"):
            Microaggregate(("x", "y"), 2)(table(x=[1, 2, None], y=y), 0)


def test_missing_values_written_in_different_ways_become_alike() -> None:
    given_ = table(x=["1", "2", "", None], c=["a", "a", None, ""])
    released = Microaggregate(("x", "c"), 2, categories=("c",))(given_, 0)
    assert column(released, "x") == ["1.5", "1.5", None, None]
    assert column(released, "c") == ["a", "a", None, None]


def test_fewer_rows_than_k_are_refused() -> None:
    with pytest.raises(TechniqueError):
        Microaggregate(("x",), 5)(table(x=[1, 2]), 0)


@pytest.mark.parametrize(
    "wrong", [{"k": 1}, {"k": 2.5}, {"k": True}, {"size": "any"}, {"categories": ("y",)}]
)
def test_parameters_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        Microaggregate(("x",), **{"k": 3, **wrong})  # type: ignore[arg-type]
