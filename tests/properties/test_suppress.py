"""Blanked tables keep k in the meaning that the policy gives a blank, by brute force over rows."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.algorithms.solution import CellSolution
from discreet.algorithms.suppress.suppress import Suppress
from discreet.measures import Granularity, Loss, NonUniformEntropy, Precision
from discreet.models import KAnonymity
from discreet.pipeline.verify import verify
from tests.algorithms.made import NAMES, policy, problem
from tests.properties.strategies import examples

Row = tuple[str | None, ...]
MEASURES = (Loss(), Granularity(), Precision(), NonUniformEntropy())


@st.composite
def tables(draw: st.DrawFn, most_rows: int = 30, most_columns: int = 5) -> list[str]:
    """Rows of up to four values a column, "-" for a missing one, not all equally likely."""
    columns = draw(st.integers(1, most_columns))
    values = [draw(st.sampled_from(["1", "12", "112", "123", "1-", "12-", "1234"]))]
    values += [draw(st.sampled_from([*values, "12", "123-"])) for _ in range(columns - 1)]
    row = st.tuples(*(st.sampled_from(v) for v in values)).map(" ".join)
    return draw(st.lists(row, min_size=1, max_size=most_rows))


def matches(one: Row, other: Row) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def holds(rows: Sequence[Row], k: int, wildcard: bool) -> bool:
    """Whether each row has k rows that it cannot be told from."""
    if wildcard:
        return all(sum(matches(row, other) for other in rows) >= k for row in rows)
    return all(number >= k for number in Counter(rows).values())


def released(solution: CellSolution) -> list[Row]:
    recoding = solution.recoding
    parts = zip(
        *(
            [v.labels[code] for code in codes]
            for v, codes in zip(recoding.values, recoding.codes, strict=True)
        ),
        strict=True,
    )
    rows: list[Row] = []
    for row, number, kept in zip(parts, recoding.rows, recoding.kept, strict=True):
        rows += [row] * int(number) if kept else []
    return rows


def original(rows: Sequence[str]) -> list[Row]:
    return [tuple(None if c == "-" else c for c in row.split()) for row in rows]


def at_risk(rows: Sequence[Row], k: int) -> list[bool]:
    """Which rows have fewer than k matches."""
    return [sum(matches(row, other) for other in rows) < k for row in rows]


def fewest(rows: Sequence[Row], k: int, wildcard: bool) -> int:
    """The fewest blanks of all ways to blank cells.

    Under wildcards just the rows at risk have blanks.
    """
    touched = set(np.nonzero(at_risk(rows, k))[0].tolist())
    mark = None if wildcard else "*"
    cells = [(i, c) for i, row in enumerate(rows) for c, v in enumerate(row) if v != mark]
    for number in range(len(cells) + 1):
        for chosen in itertools.combinations(cells, number):
            if wildcard and {i for i, _ in chosen} != touched:
                continue
            tried = [list(row) for row in rows]
            for i, c in chosen:
                tried[i][c] = mark
            if holds([tuple(row) for row in tried], k, wildcard):
                return number
    raise AssertionError("not even blank rows are alike")


def blanks(solution: CellSolution, rows: Sequence[Row], wildcard: bool) -> int:
    mark = None if wildcard else "*"
    here = sum(cell == mark for row in released(solution) for cell in row)
    return here - sum(cell == mark for row in rows for cell in row)


@pytest.mark.parametrize("wildcard", [False, True])
@examples(60)
@given(
    rows=tables(),
    k=st.integers(1, 6),
    share=st.sampled_from([0, 0, 0.1, 0.4]),
    helped=st.booleans(),
    number=st.integers(0, 3),
    weights=st.lists(st.sampled_from([0, 1, 1, 2, 5]), min_size=5, max_size=5),
)
def test_every_released_row_has_k_alike(
    wildcard: bool,
    rows: list[str],
    k: int,
    share: float,
    helped: bool,
    number: int,
    weights: list[int],
) -> None:
    k = min(k, len(rows))
    columns = len(rows[0].split())
    weights[0] = weights[0] or 1
    asked = problem(
        rows, [KAnonymity(k)], wildcard=wildcard, suppress=share, weights=weights[:columns],
        measure=MEASURES[number],
    )  # fmt: skip
    found = Suppress(helped=helped, importance=tuple(NAMES[: number % (columns + 1)]))(asked)
    told = released(found)
    assert holds(told, k, wildcard)
    assert found.holds
    assert len(told) == len(rows) - found.suppressed >= len(rows) * (1 - share) - 1e-6
    bound, score = found.search.bound, found.measures[asked.measure.name]
    worse = asked.measure.convert_score(1.0) < asked.measure.convert_score(0.0)
    assert bound is None or (score <= bound + 1e-9 if worse else score >= bound - 1e-9)


@examples(60)
@given(rows=tables(), k=st.integers(2, 5))
def test_without_help_what_is_left_of_a_row_fits_k_private_rows(rows: list[str], k: int) -> None:
    k = min(k, len(rows))
    found = Suppress(helped=False)(problem(rows, [KAnonymity(k)], wildcard=True))
    private = original(rows)
    for row in released(found):
        assert sum(matches(row, other) for other in private) >= k


@pytest.mark.parametrize("exact", [False, True])
@examples(30)
@given(rows=tables(most_rows=12, most_columns=3), k=st.integers(2, 4))
def test_just_the_rows_at_risk_have_blanks_that_match_anything(
    exact: bool, rows: list[str], k: int
) -> None:
    k, private = min(k, len(rows)), original(rows)
    asked = problem(rows, [KAnonymity(k)], wildcard=True)
    recoding = Suppress(exact=exact)(asked).recoding
    risk = dict(zip(private, at_risk(private, k), strict=True))
    names = [asked.frequency.values[column] for column in asked.frequency.columns]
    for part, owner in enumerate(recoding.owner):
        was = tuple(v[c[owner]] for v, c in zip(names, asked.frequency.codes, strict=True))
        now = tuple(v.labels[c[part]] for v, c in zip(recoding.values, recoding.codes, strict=True))
        assert (was != now) == risk[was]


@examples(60)
@given(rows=tables(), k=st.integers(2, 5))
def test_only_cells_are_blanked_and_nothing_else_changes(rows: list[str], k: int) -> None:
    k = min(k, len(rows))
    found = Suppress()(problem(rows, [KAnonymity(k)]))
    recoding = found.recoding
    for column, (values, codes) in enumerate(zip(recoding.values, recoding.codes, strict=True)):
        ground = problem(rows, [KAnonymity(k)]).frequency
        names = ground.values[ground.columns[column]]
        was = [names[code] for code in ground.codes[column][recoding.owner]]
        now = [values.labels[code] for code in codes]
        assert all(b in (a, "*") for a, b in zip(was, now, strict=True))


@pytest.mark.parametrize("wildcard", [False, True])
@examples(40)
@given(rows=tables(most_rows=6, most_columns=3), k=st.integers(2, 3))
def test_the_exact_search_finds_the_fewest_blanks(wildcard: bool, rows: list[str], k: int) -> None:
    rows = rows[: 15 // len(rows[0].split())]
    k, private = min(k, len(rows)), original(rows)
    asked = problem(rows, [KAnonymity(k)], wildcard=wildcard)
    exact, greedy = Suppress(exact=True)(asked), Suppress()(asked)
    least = blanks(exact, private, wildcard)
    assert holds(released(exact), k, wildcard)
    assert least <= blanks(greedy, private, wildcard)
    assert least == fewest(private, k, wildcard)


@pytest.mark.parametrize("wildcard", [False, True])
@examples(40)
@given(rows=tables(most_rows=12, most_columns=3), k=st.integers(2, 4))
def test_no_release_is_below_the_bound_on_blanks(wildcard: bool, rows: list[str], k: int) -> None:
    k = min(k, len(rows))
    exact = Suppress(exact=True)(problem(rows, [KAnonymity(k)], wildcard=wildcard))
    bound = int(exact.notes[0].split("fewer than ")[1].split(";")[0].replace(",", ""))
    assert bound <= blanks(exact, original(rows), wildcard)


@examples(40)
@given(rows=tables(), k=st.integers(2, 5))
def test_without_help_the_bound_is_met(rows: list[str], k: int) -> None:
    k = min(k, len(rows))
    asked = problem(rows, [KAnonymity(k)], wildcard=True, measure=Granularity())
    found = Suppress(helped=False)(asked)
    told = blanks(found, original(rows), wildcard=True)
    assert f"fewer than {told:,};" in found.notes[0]


@examples(25)
@given(rows=tables(most_rows=40), k=st.integers(2, 6))
def test_verify_counts_matches_as_brute_force_does(rows: list[str], k: int) -> None:
    private = original(rows)
    names = NAMES[: len(private[0])]
    table = pa.table(
        {n: pa.array([row[c] for row in private], pa.string()) for c, n in enumerate(names)}
    )
    sizes = [sum(matches(row, other) for other in private) for row in private]
    (verdict,) = verify(table, policy(names, [KAnonymity(k)], missing="wildcard")).verdicts
    assert verdict.measured == min(sizes)
    assert verdict.rows_at_risk == sum(size < k for size in sizes)
    asked = problem(rows, [KAnonymity(k)], wildcard=True)
    judged = asked.requirement.list_verdicts(
        asked.counter, asked.counter.base, np.ones(len(asked.frequency), dtype=np.bool_)
    )[0]
    assert judged.measured == min(sizes)


@pytest.mark.parametrize("columns", [61, 62, 90, 120])
def test_verify_matches_on_many_columns(columns: int) -> None:
    one = ["x"] * columns
    rows = [one, [*one[:-1], None], [None, *one[1:]], [*one[:-1], "y"]]
    table = pa.table({f"c{c}": pa.array([r[c] for r in rows], pa.string()) for c in range(columns)})
    asked = policy(table.column_names, [KAnonymity(3)], missing="wildcard")
    (verdict,) = verify(table, asked).verdicts
    assert verdict.measured == 2
    assert verdict.rows_at_risk == 1
