"""Mondrian on any table: promises kept, every cell covered, cut as a plain recursion would."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import discreet
from discreet.algorithms.claims import HeuristicError, UnreachableError
from discreet.algorithms.mondrian.mondrian import Mondrian
from discreet.algorithms.solution import CellSolution
from discreet.frequency.count import count
from discreet.hierarchy import Flat, Intervals
from discreet.models import KAnonymity
from discreet.pipeline.anonymize import Release
from discreet.pipeline.plan import list_promised_columns, plan_problem
from discreet.pipeline.prepare import Prepared
from discreet.pipeline.rows import RowAnswer
from discreet.policy.policy import Policy
from discreet.table.read import read
from tests.properties.reference import Case, Cell
from tests.properties.strategies import Drawn, cases, examples

KINDS = st.sampled_from(["strict", "relaxed"])
NUMBERS: tuple[Cell, ...] = ("7", "-2", "0", "10", "7.5", "-2.25", "7.0", "100", "3", None)


def made(rows: pa.Table, policy: Policy, algorithm: Mondrian) -> Release:
    """The release, made of the parts that ``anonymize`` puts together."""
    source = read(rows)
    counted = count(source, policy.quasi, list_promised_columns(policy), policy.row_weight)
    problem = plan_problem(policy, counted.frequency)
    try:
        solution = algorithm(problem)
    except (UnreachableError, HeuristicError):
        top = problem.attempt(problem.lattice.top)
        assert top.suppressed, "the table as one class would do"
        assume(False)
        raise
    prepared = Prepared(source, policy, source, source)
    answer = RowAnswer(prepared, policy, counted, problem, solution)
    return Release(prepared, policy, answer, 0.0)


@st.composite
def with_numbers(draw: st.DrawFn) -> tuple[Drawn, pa.Table, Policy]:
    """Any case with one more quasi column, of numbers."""
    drawn = draw(cases(most_nodes=40, most_columns=2))
    cell = st.sampled_from(NUMBERS[: draw(st.integers(1, len(NUMBERS)))])
    cells = draw(st.lists(cell, min_size=drawn.case.rows, max_size=drawn.case.rows))
    builder = draw(st.sampled_from([Flat(), Intervals([5, 10]), Intervals([2], bottom=0)]))
    columns = {"n": {"role": "quasi", "hierarchy": builder}, **drawn.policy.columns}
    policy = drawn.policy.replace(columns=columns, order="keep", seed=1)
    return drawn, drawn.table.append_column("n", pa.array(cells, pa.string())), policy


def check(release: Release, rows: pa.Table, case: Case) -> pa.Table:
    """All rows are there in their order, every cell covered, and a second count agrees."""
    released = release.to_arrow()
    assert released.num_rows == rows.num_rows
    for name in case.cells:
        before, after = rows.column(name).to_pylist(), released.column(name).to_pylist()
        for cell, told in zip(before, after, strict=True):
            assert told in (case.ladders[name].up[cell] if name in case.quasi else (cell,))
    second = discreet.verify(released, release.policy, original=rows)
    assert second.holds
    for mine, other in zip(release.verdicts, second.verdicts, strict=True):
        assert mine.holds
        assert mine.measured == pytest.approx(other.measured, abs=1e-9)
    return released


@examples(25)
@given(drawn=cases())
def test_every_promise_is_kept_and_every_cell_covered(drawn: Drawn) -> None:
    policy = drawn.policy.replace(order="keep")
    release = made(drawn.table, policy, Mondrian())
    released = check(release, drawn.table, drawn.case)
    assert release.solution.suppressed == 0
    quasi = list(drawn.case.quasi)
    before, after = (t.select(quasi).to_pylist() for t in (drawn.table, released))
    told = {(tuple(b.values()), tuple(a.values())) for b, a in zip(before, after, strict=True)}
    assert len(told) == len({b for b, _ in told}), "rows alike were released in different ways"


@examples(40)
@given(given_=with_numbers(), kind=KINDS)
def test_ranges_keep_every_promise_and_cover_every_number(given_: Any, kind: Any) -> None:
    drawn, rows, policy = given_
    release = made(rows, policy, Mondrian(kind, ("n",)))
    released = check(release, rows, drawn.case)
    values = release.counted.frequency.values["n"]
    place = release.problem.frequency.columns.index("n")
    hierarchy = release.problem.lattice.hierarchies[place]
    for cell, told in zip(
        rows.column("n").to_pylist(), released.column("n").to_pylist(), strict=True
    ):
        above = [
            labels[m[values.index(cell)]]
            for m, labels in zip(hierarchy.maps, hierarchy.labels, strict=True)
        ]
        assert told in above or covers(told, cell)


def covers(told: Cell, cell: Cell) -> bool:
    """Whether a range, or a single number, holds the number."""
    if told is None or cell is None:
        return told is cell
    ends = told.split(" to ") if " to " in told or told.startswith("-") else told.split("-")
    return Fraction(ends[0]) <= Fraction(cell) <= Fraction(ends[-1])


@examples(40)
@given(given_=with_numbers(), kind=KINDS)
def test_the_same_problem_has_the_same_answer(given_: Any, kind: Any) -> None:
    _, rows, policy = given_
    first, second = (told(made(rows, policy, Mondrian(kind, ("n",)))) for _ in range(2))
    assert first == second
    assert sum(first.values()) == rows.num_rows


@examples(80)
@given(drawn=cases(kind="size", wildcard=False))
def test_classes_are_those_of_a_plain_recursion(drawn: Drawn) -> None:
    """With promises about class sizes only."""
    case = drawn.case
    sizes = (m.k if isinstance(m, KAnonymity) else 1 / Fraction(str(m.max)) for m in case.models)
    expected = Counter(plain(case, list(range(case.rows)), max(map(math.ceil, sizes))))
    assert told(made(drawn.table, drawn.policy, Mondrian())) == expected


def told(release: Release) -> Counter[tuple[Cell, ...]]:
    """How many rows are released as what."""
    assert isinstance(release.solution, CellSolution)
    recoding, found = release.solution.recoding, Counter[tuple[Cell, ...]]()
    columns = zip(recoding.values, recoding.codes, strict=True)
    texts = [[values.labels[code] for code in codes] for values, codes in columns]
    for text, rows in zip(zip(*texts, strict=True), recoding.rows.tolist(), strict=True):
        found[text] += rows
    return found


def plain(case: Case, rows: list[int], k: int) -> list[tuple[Cell, ...]]:
    """What rows are released as, from the definition: one class at a time, row by row."""
    levels = [common(case, name, rows) for name in case.quasi]
    widths = []
    for c, name in enumerate(case.quasi):
        ladder, level = case.ladders[name], levels[c]
        leaves = len(ladder.counted)
        under = ladder.shares[level][ladder.up[case.cells[name][rows[0]]][level]] * leaves
        widths.append(int(under - 1) / max(1, leaves - 1) * case.weights.get(name, 1.0))
    for c in sorted(range(len(levels)), key=lambda c: -widths[c]):
        name = case.quasi[c]
        sides: dict[Cell, list[int]] = {}
        for row in rows if levels[c] else ():
            child = case.ladders[name].up[case.cells[name][row]][levels[c] - 1]
            sides.setdefault(child, []).append(row)
        if sides and min(map(len, sides.values())) >= k:
            return [text for side in sides.values() for text in plain(case, side, k)]
    texts = zip(case.quasi, levels, strict=True)
    text = tuple(case.ladders[n].up[case.cells[n][rows[0]]][level] for n, level in texts)
    return [text] * len(rows)


def common(case: Case, name: str, rows: list[int]) -> int:
    """The least level at which the rows are alike."""
    up = [case.ladders[name].up[case.cells[name][row]] for row in rows]
    return next(level for level, texts in enumerate(zip(*up, strict=True)) if len(set(texts)) == 1)
