"""The proven best release at the level of cells is the best of all partitions of the rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discreet.algorithms.claims import UnreachableError
from discreet.algorithms.exact.exact import Exact, all_optima
from discreet.algorithms.solution import CellSolution
from discreet.measures import Granularity, Loss, NonUniformEntropy, Precision, WeightedPrecision
from discreet.models import KAnonymity
from tests.properties.reference import SCORES, Case, Cell, column_weights, cost, lost_shares
from tests.properties.strategies import Drawn, columns_of_cells, examples, ladders, small

LINEAR = (
    Granularity(),
    Precision(),
    WeightedPrecision(),
    WeightedPrecision("height"),
    NonUniformEntropy(),
)
EQUAL = 1e-6

Texts = tuple[Cell, ...]


@st.composite
def tables(
    draw: st.DrawFn, measures: Any = LINEAR, most_rows: int = 10, most_columns: int = 3
) -> Drawn:
    """A few rows with one to three columns, at times with weights for rows and columns."""
    rows = draw(st.integers(1, most_rows))
    ups, cells = {}, {}
    for number in range(draw(st.integers(1, most_columns))):
        name = f"q{number}"
        pool: list[Cell] = [*"abcde"[: draw(st.integers(1, 5))]]
        pool = [None, *pool] if draw(st.integers(0, 3)) == 0 else pool
        ups[name] = draw(ladders(name, pool, highest=3))
        cells[name] = draw(columns_of_cells(pool, rows))
    weight = st.sampled_from([1.0, 2.0, 0.5, 0.0, 7.25])
    weights = {}
    if draw(st.booleans()):
        weights = {name: draw(st.sampled_from([1.0, 0.5, 2.0, 3.7])) for name in ups}
    row_weights = None
    if draw(st.integers(0, 2)) == 0:
        row_weights = [1.5, *(draw(weight) for _ in range(rows - 1))]
    return small(
        ups,
        cells,
        models=(KAnonymity(draw(st.integers(1 if most_rows > 6 else 2, 4))),),
        measure=draw(st.sampled_from(measures)),
        suppress=draw(st.sampled_from([0, 0, 0.2, 0.5, 1])),
        weights=weights,
        row_weights=row_weights,
    )


def evenly(case: Case) -> Case:
    """Rows that are alike weigh alike: which of them go where is left to chance."""
    if case.row_weights is None:
        return case
    alike: dict[Texts, list[int]] = {}
    for row, texts in enumerate(case.released((0,) * len(case.quasi))):
        alike.setdefault(texts, []).append(row)
    weights = [0.0] * case.rows
    for rows in alike.values():
        for row in rows:
            weights[row] = math.fsum(case.row_weights[other] for other in rows) / len(rows)
    return replace(case, row_weights=weights)


def options(case: Case) -> tuple[float, list[dict[Texts, float]]]:
    """The score if all rows are left out; what each row saves if it is released as some texts."""
    score, case = SCORES[case.measure.name], evenly(case)
    nothing = score(case, case.top, [False] * case.rows, [])
    found: list[dict[Texts, float]] = [{} for _ in range(case.rows)]
    for node in case.nodes:
        for row, texts in enumerate(case.released(node)):
            alone = [other == row for other in range(case.rows)]
            gain = score(case, node, alone, [1]) - nothing
            found[row][texts] = min(gain, found[row].get(texts, math.inf))
    return nothing, found


def best_partition(case: Case, k: int) -> float:
    """The least score over all ways to cut the rows into classes of k or more and rows left out."""
    nothing, found = options(case)
    everything = (1 << case.rows) - 1
    blocks = {
        block: cost
        for block in range(1, everything + 1)
        if block.bit_count() >= k and (cost := block_cost(found, block)) < math.inf
    }
    least = [{0: 0.0}, *({} for _ in range(everything))]
    for rest in range(1, everything + 1):
        lowest = rest & -rest
        ways = [(out + 1, cost) for out, cost in least[rest ^ lowest].items()]
        inside = rest
        while inside:
            if inside & lowest and inside in blocks:
                more = blocks[inside]
                ways += [(out, cost + more) for out, cost in least[rest ^ inside].items()]
            inside = (inside - 1) & rest
        for out, cost in ways:
            if out <= case.limit:
                least[rest][out] = min(cost, least[rest].get(out, math.inf))
    return nothing + min(least[everything].values(), default=math.inf)


def block_cost(found: list[dict[Texts, float]], block: int) -> float:
    """The least that rows can cost if they are all released as the same texts."""
    rows = [row for row in range(len(found)) if block >> row & 1]
    common = set.intersection(*(set(found[row]) for row in rows))
    return min((sum(found[row][texts] for row in rows) for texts in common), default=math.inf)


def protects(drawn: Drawn, solution: CellSolution) -> None:
    """Every row is released once or left out, and every class has k rows."""
    recoding, k = solution.recoding, drawn.case.models[0].k
    texts = zip(
        *(v.alike[c] for v, c in zip(recoding.values, recoding.codes, strict=True)), strict=True
    )
    sizes: Counter[Any] = Counter()
    for key, rows, kept in zip(texts, recoding.rows, recoding.kept, strict=True):
        sizes[key if kept else None] += int(rows)
    out = sizes.pop(None, 0)
    assert out == solution.suppressed <= drawn.case.limit
    assert sizes.total() + out == drawn.case.rows
    assert min(sizes.values(), default=k) >= k
    assert all(verdict.holds for verdict in solution.verdicts)


@examples(120)
@given(drawn=tables())
def test_exact_is_the_best_of_all_partitions(drawn: Drawn) -> None:
    case = drawn.case
    expected = best_partition(case, case.models[0].k)
    if expected == math.inf:
        with pytest.raises(UnreachableError):
            Exact()(drawn.problem())
        return
    solution = Exact()(drawn.problem())
    protects(drawn, solution)
    assert cost(case, solution.measures[case.measure.name]) == pytest.approx(expected, abs=EQUAL)
    assert solution.search.proven
    assert cost(case, solution.search.bound) == pytest.approx(expected, abs=EQUAL)


def partitions(rows: tuple[int, ...], k: int) -> Iterator[list[tuple[int, ...]]]:
    """All ways to cut rows into classes of k or more."""
    if not rows:
        yield []
    for size in range(k, len(rows) + 1):
        for others in combinations(rows[1:], size - 1):
            rest = tuple(row for row in rows[1:] if row not in others)
            for more in partitions(rest, k):
                yield [(rows[0], *others), *more]


def least_loss(case: Case, k: int) -> float:
    """The least loss of all releases, every one of them scored as a whole."""
    case = evenly(case)
    everything = range(case.rows)
    lost = [
        {
            texts: lost_shares(case, node, [other == row for other in everything])
            for node in case.nodes
            if (texts := case.released(node)[row]) is not None
        }
        for row in everything
    ]
    best = math.inf
    for out in range(case.limit + 1):
        for kept in combinations(everything, case.rows - out):
            for classes in partitions(kept, k):
                choices = [block_losses(lost, rows) for rows in classes]
                for chosen in product(*choices):
                    best = min(best, whole_loss(case, chosen))
    return best


def block_losses(lost: list[dict[Texts, list[float]]], rows: tuple[int, ...]) -> list[list[float]]:
    """What each column gains, for every way to release some rows alike."""
    common = set.intersection(*(set(lost[row]) for row in rows))
    return [
        [sum(parts) for parts in zip(*([1 - x for x in lost[row][t]] for row in rows), strict=True)]
        for t in common
    ]


def whole_loss(case: Case, chosen: tuple[list[float], ...]) -> float:
    """The product of columns, from what the classes gain in each over a table of nothing."""
    total = 1.0
    for column, weight in enumerate(column_weights(case)):
        leaves = len(case.ladders[case.quasi[column]].counted)
        share = 1 - sum(gains[column] for gains in chosen) if leaves > 1 else 0.0
        total *= (1 + max(0.0, share)) ** weight
    return total - 1


@examples(30)
@given(drawn=tables(measures=(Loss(),), most_rows=6, most_columns=2))
def test_the_bound_of_a_measure_that_is_no_sum_holds(drawn: Drawn) -> None:
    """Loss multiplies columns, so each way to release the table has to be scored as a whole."""
    case, k = drawn.case, drawn.case.models[0].k
    problem = drawn.problem()
    assume(k <= problem.total)
    solution = Exact()(problem)
    protects(drawn, solution)
    score = solution.measures["loss"]
    least = least_loss(case, k)
    assert solution.search.bound <= least + 1e-9
    assert least <= score + 1e-9
    if solution.search.proven:
        assert score == pytest.approx(least, abs=1e-9)


@examples(40)
@given(drawn=tables(most_rows=6))
def test_all_optima_are_different_and_equally_good(drawn: Drawn) -> None:
    case, problem = drawn.case, drawn.problem()
    expected = best_partition(case, case.models[0].k)
    if expected == math.inf:
        return
    found = all_optima(problem, most=200)
    sizes = [
        problem.measure.convert_score(one.score(problem, problem.measure, one.rows))
        for one in found
    ]
    assert [cost(case, size) for size in sizes] == pytest.approx([expected] * len(found), abs=1e-9)
    looks = {tuple(zip(one.owner, one.rows, one.kept, *one.codes, strict=True)) for one in found}
    assert len(looks) == len(found) > 0


@examples(30)
@given(drawn=tables(measures=(Precision(),), most_rows=4, most_columns=2))
def test_all_optima_are_all_there_are(drawn: Drawn) -> None:
    """Every choice of a text or of none for every row, counted as what is released of which row."""
    assume(drawn.case.row_weights is None)
    case, problem = drawn.case, drawn.problem()
    expected = best_partition(case, case.models[0].k)
    assume(expected < math.inf)
    nothing, found = options(case)
    ground = case.released((0,) * len(case.quasi))
    best = set()
    for chosen in product(*([None, *texts] for texts in found)):
        sizes = Counter(chosen)
        out = sizes.pop(None, 0)
        gains = (found[row][t] for row, t in enumerate(chosen) if t is not None)
        if out > case.limit or min(sizes.values(), default=9) < case.models[0].k:
            continue
        if abs(nothing + sum(gains) - expected) < 1e-9:
            best.add(frozenset(Counter(zip(ground, chosen, strict=True)).items()))
    assert len(all_optima(problem, most=10_000)) == len(best)
