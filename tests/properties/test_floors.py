"""No cell-level release is better than the bound: brute force over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.algorithms.floors import find_floor_bound
from discreet.algorithms.problem import Problem
from discreet.measures import (
    AverageClassSize,
    Discernibility,
    Granularity,
    Loss,
    NonUniformEntropy,
    Precision,
    WeightedPrecision,
)
from discreet.models import KAnonymity
from tests.properties.reference import Case, Cell
from tests.properties.strategies import Drawn, columns_of_cells, examples, ladders, small

COLUMN_MEASURES = (Granularity(), Precision(), WeightedPrecision(), NonUniformEntropy(), Loss())
CLASS_MEASURES = (Discernibility(), AverageClassSize())
SLACK = 1e-8
Levels = tuple[int, ...]


@st.composite
def tables(
    draw: st.DrawFn, most_rows: int, highest: int, columns: int, gaps: bool = False
) -> Drawn:
    """A few rows, k and a measure; texts are told apart unless there are ``gaps``."""
    rows = draw(st.integers(2, most_rows))
    ups, cells = {}, {}
    for name in ("p", "q")[:columns]:
        pool: list[Cell] = list("abcd"[: draw(st.integers(1, 4))])
        cells[name] = draw(columns_of_cells(pool, rows))
        ups[name] = draw(ladders(name, pool, highest, gaps=gaps))
    more: dict[str, Any] = {}
    if draw(st.booleans()):
        more["weights"] = {"p": draw(st.sampled_from([0.5, 1.0, 3.0]))}
    if draw(st.integers(0, 3)) == 0:
        weight = st.sampled_from([1.0, 2.0, 0.5, 0.0])
        more["row_weights"] = [1.5, *draw(st.lists(weight, min_size=rows - 1, max_size=rows - 1))]
    own = draw(st.sampled_from([None, None, ("p",)]))
    model = KAnonymity(draw(st.integers(2, 4)), own)
    measure = draw(st.sampled_from([*COLUMN_MEASURES, *CLASS_MEASURES]))
    share = draw(st.sampled_from([0, 0, 0.25, 1]))
    return small(ups, cells, models=(model,), measure=measure, suppress=share, **more)


def texts(case: Case, row: int, levels: Levels) -> tuple[Cell, ...]:
    cells = [case.cells[name][row] for name in case.quasi]
    ups = [ladder.up for ladder in case.ladders.values()]
    return tuple(up[cell][level] for up, cell, level in zip(ups, cells, levels, strict=True))


def score(problem: Problem, case: Case, levels: Sequence[Levels | None]) -> float | None:
    """The score of a release that gives each row levels or leaves it out; None if not allowed."""
    shown = [None if at is None else texts(case, row, at) for row, at in enumerate(levels)]
    if shown.count(None) > case.limit:
        return None
    model = case.models[0]
    places = [case.quasi.index(name) for name in model.columns or case.quasi]
    seen = Counter(tuple(row[p] for p in places) for row in shown if row is not None)
    if any(size < model.k for size in seen.values()):
        return None
    if problem.cost is None:
        sizes = Counter(row for row in shown if row is not None).values()
        return problem.class_measure.score(np.array([*sizes], dtype=np.int64), shown.count(None))
    return problem.cost.score((0,) * len(case.quasi), risen(problem, case, levels))


def risen(problem: Problem, case: Case, levels: Sequence[Levels | None]) -> Any:
    """What each column costs more than at the ground level, over all rows."""
    total = np.zeros(len(case.quasi))
    for row, at in enumerate(levels):
        weight = 1.0 if case.row_weights is None else case.row_weights[row]
        for c, (name, h) in enumerate(zip(case.quasi, problem.lattice.hierarchies, strict=True)):
            code = h.labels[0].index(case.cells[name][row])
            worth = problem.cost.rise[c]  # type: ignore[union-attr]
            left = 0.0 if at is None else worth[at[c]][h.maps[at[c]][code]]
            total[c] += weight * (worth[0][code] - left)
    return total


def partitions(rows: int) -> Iterator[list[int]]:
    """Every way to put rows into blocks, as a block for each row; block 0 is left out."""

    def extend(found: list[int], blocks: int) -> Iterator[list[int]]:
        if len(found) == rows:
            yield found
            return
        for block in range(blocks + 2):
            yield from extend([*found, block], max(blocks, block))

    yield from extend([], 0)


def common(case: Case, rows: Sequence[int]) -> Levels:
    """The least levels at which rows are alike."""
    found = []
    for name, ladder in case.ladders.items():
        ups = [ladder.up[case.cells[name][row]] for row in rows]
        found.append(
            next(i for i, texts in enumerate(zip(*ups, strict=True)) if len({*texts}) == 1)
        )
    return tuple(found)


def no_better(drawn: Drawn, releases: Iterator[list[Levels | None]], passes: int) -> None:
    problem = drawn.problem()
    bound = find_floor_bound(problem, passes)
    if bound is None:
        return
    for levels in releases:
        reached = score(problem, drawn.case, levels)
        if reached is not None:
            shown = problem.measure.convert_score(reached)
            short = shown - bound if problem.measure.convert_score(1.0) == 1.0 else bound - shown
            assert short > -SLACK, (levels, shown, bound)


@examples(40)
@given(
    drawn=st.one_of(tables(5, 2, 1), tables(4, 1, 2), tables(4, 3, 1, gaps=True)),
    passes=st.integers(0, 3),
)
def test_no_levels_of_single_cells_beat_the_bound(drawn: Drawn, passes: int) -> None:
    case = drawn.case
    choices: list[Levels | None] = [*case.nodes, None]
    no_better(drawn, product(choices, repeat=case.rows), passes)  # type: ignore[arg-type]


@examples(25)
@given(drawn=tables(7, 3, 2), passes=st.integers(0, 3))
def test_no_partition_of_the_rows_beats_the_bound(drawn: Drawn, passes: int) -> None:
    """Each block at the levels that its rows have in common; coarser ones only cost more."""
    case = drawn.case

    def releases() -> Iterator[list[Levels | None]]:
        for blocks in partitions(case.rows):
            at = {
                block: common(case, [row for row, own in enumerate(blocks) if own == block])
                for block in set(blocks)
            }
            yield [at[block] if block else None for block in blocks]

    no_better(drawn, releases(), passes)


def pairs(measure: Any, k: int = 2, **more: Any) -> Drawn:
    """Two rows alike, two that are alike a level up, and one that is alone below the root."""
    up = {"a": ("a", "x", "*"), "b": ("b", "y", "*"), "c": ("c", "y", "*"), "d": ("d", "z", "*")}
    return small({"q": up}, {"q": [*"aabcd"]}, models=(KAnonymity(k),), measure=measure, **more)


def test_floors_of_rows_are_those_of_their_cheapest_group() -> None:
    """Levels 0, 0, 1, 1 and 2 of 2."""
    assert find_floor_bound(pairs(Precision()).problem()) == pytest.approx(1 - 2 / 5)


def test_the_row_that_is_alone_must_be_joined_by_another() -> None:
    """Its price rises by what its partner loses: the best release has levels 0, 0, 2, 2, 2."""
    raised = find_floor_bound(pairs(Precision()).problem(), passes=9)
    assert 1 - 3 / 5 - SLACK <= raised < 1 - 2 / 5 - 0.05


def test_classes_have_k_rows_at_least() -> None:
    assert find_floor_bound(pairs(Discernibility(), 3).problem()) == 15
    assert find_floor_bound(pairs(AverageClassSize(), 3).problem()) == 3
    assert find_floor_bound(pairs(AverageClassSize(), 9, suppress=1).problem()) == 5


def test_a_table_of_too_few_rows_has_a_bound_that_is_a_number() -> None:
    assert find_floor_bound(pairs(Precision(), 9).problem(), passes=2) == pytest.approx(0)


def test_nothing_is_said_where_missing_values_match_any() -> None:
    assert find_floor_bound(pairs(Precision(), wildcard=True).problem()) is None


def test_nothing_is_said_where_a_text_stands_for_different_values() -> None:
    up = {"a": ("a", "b", "*"), "b": ("b", "c", "*"), "c": ("c", "c", "*")}
    drawn = small({"q": up}, {"q": [*"abc"]}, models=(KAnonymity(2),), measure=Precision())
    assert find_floor_bound(drawn.problem()) is None


def test_a_text_that_stays_the_same_up_a_branch_is_told_apart() -> None:
    up = {"a": ("a", "a", "*"), "b": ("b", "y", "*"), "c": ("c", "y", "*")}
    drawn = small({"q": up}, {"q": [*"aabc"]}, models=(KAnonymity(2),), measure=Precision())
    assert find_floor_bound(drawn.problem()) == pytest.approx(1 - 2 * 0.5 / 4)
