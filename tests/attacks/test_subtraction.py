"""Subtraction of counts, against every way to fill the hidden cells in."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from discreet.attacks.published_counts import SummaryCounts, SummaryError
from discreet.attacks.subtraction import subtract
from discreet.attacks.summary import Summary
from tests.attacks.made import table
from tests.properties.strategies import examples


@st.composite
def columns(draw: st.DrawFn) -> tuple[list[int], list[int], np.ndarray]:
    """Kinds of cells, a true value for each cell, and which kind may have which value."""
    kinds = draw(st.integers(1, 3))
    bits = draw(st.lists(st.booleans(), min_size=3 * kinds, max_size=3 * kinds))
    may = np.array(bits).reshape(kinds, 3)
    may[~may.any(axis=1), 0] = True
    kind = draw(st.lists(st.integers(0, kinds - 1), min_size=1, max_size=5))
    value = [draw(st.sampled_from(np.nonzero(may[one])[0].tolist())) for one in kind]
    return kind, value, may


@examples(150)
@given(columns())
def test_a_kind_is_certain_just_when_all_ways_agree(
    drawn: tuple[list[int], list[int], np.ndarray],
) -> None:
    kind, value, may = drawn
    used = sorted(set(kind))
    wanted = Counter(value)
    ways = {
        tuple(tuple(sorted(v for k, v in zip(kind, way, strict=True) if k == one)) for one in used)
        for way in product(range(3), repeat=len(kind))
        if Counter(way) == wanted and all(may[k, v] for k, v in zip(kind, way, strict=True))
    }
    cells = np.array([kind.count(one) for one in used])
    counts = np.array([wanted[v] for v in range(3)])
    found = subtract(cells, counts, sparse.csr_matrix(may[used]))
    assert found is not None
    for place in range(len(used)):
        seen = {way[place] for way in ways}
        assert found.known[place] == (len(seen) == 1)
        only = {v for way in seen for v in way}
        assert found.value[place] == (only.pop() if len(only) == 1 else -1)


def test_counts_that_cannot_be_are_refused() -> None:
    may = sparse.csr_matrix(np.array([[True, False]]))
    assert subtract(np.array([2]), np.array([1, 1]), may) is None


WORDS = ["a", "b"]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[tuple[str, str]], list[tuple[bool, bool]]]:
    size = draw(st.integers(1, 5))
    cell = st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS))
    hide = st.tuples(st.booleans(), st.booleans())
    return draw(st.lists(cell, min_size=size, max_size=size)), draw(
        st.lists(hide, min_size=size, max_size=size)
    )


@examples(25)
@given(pairs())
def test_counts_of_two_columns_give_away_what_all_ways_agree_on(
    drawn: tuple[list[tuple[str, str]], list[tuple[bool, bool]]],
) -> None:
    rows, hidden = drawn
    shown = [
        tuple("*" if hide else cell for cell, hide in zip(row, marks, strict=True))
        for row, marks in zip(rows, hidden, strict=True)
    ]
    wanted = Counter(rows)
    options = [[WORDS if cell == "*" else [cell] for cell in row] for row in shown]
    ways = [way for way in product(*(product(*row) for row in options)) if Counter(way) == wanted]
    expected = [
        number
        for number, marks in enumerate(hidden, start=1)
        if any(marks[c] and len({way[number - 1][c] for way in ways}) == 1 for c in (0, 1))
    ]
    counted = [("x", a, "y", b, str(n)) for (a, b), n in wanted.items()]
    summary = table("column1 value1 column2 value2 count", counted)
    outcome = Summary(("x", "y"))(table("x y", shown), summary)
    assert list(outcome.rows) == expected


@examples(30)
@given(pairs())
def test_counts_of_each_column_give_away_what_all_ways_agree_on(
    drawn: tuple[list[tuple[str, str]], list[tuple[bool, bool]]],
) -> None:
    rows, hidden = drawn
    column = [row[0] for row in rows]
    told = ["*" if marks[0] else value for value, marks in zip(column, hidden, strict=True)]
    ways = [
        way
        for way in product(WORDS, repeat=len(rows))
        if Counter(way) == Counter(column)
        and all(t in ("*", v) for t, v in zip(told, way, strict=True))
    ]
    news = len(set(column)) > 1
    expected = [
        number + 1
        for number, text in enumerate(told)
        if news and text == "*" and len({way[number] for way in ways}) == 1
    ]
    counted = [("x", value, str(n)) for value, n in Counter(column).items()]
    outcome = Summary(("x",))(
        table("x", [(text,) for text in told]), table("column value count", counted)
    )
    assert list(outcome.rows) == expected


def test_a_generalized_cell_is_hidden_where_counts_are_finer() -> None:
    release = table("zip", "0213*, 0213*, 02141")
    counted = table("column value count", "zip 02138 2, zip 02141 1")
    outcome = Summary(("zip",))(release, counted)
    assert (outcome.rows, outcome.breaks) == ((1, 2), False)


def test_a_blank_cell_is_hidden_if_missing_values_are_not_counted() -> None:
    release = table("sex zip", "m 1, m 1, - 1")
    outcome = Summary(("sex",))(release, table("column value count", "sex m 2, sex f 1"))
    assert outcome.rows == (3,)


def test_values_that_are_not_listed_leave_room_for_doubt() -> None:
    release = table("sex", "m, *, *")
    alone = Summary(("sex",))(release, table("column value count", "sex m 1, zip 1 3"))
    assert not alone.succeeds


def test_fewer_than_k_rows_left_out_are_exposed_by_their_counts() -> None:
    release = table("sex", "m, m, f, f")
    counted = table("column value count", "sex m 3, sex f 3")
    assert not Summary(("sex",), k=2)(release, counted).succeeds
    outcome = Summary(("sex",), k=3)(release, counted)
    assert (outcome.rows_exposed, outcome.breaks) == (2, True)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("sex m many", "line 2 is not a whole number"),
        ("sex m 1, sex m 2", "line 3 gives a value again"),
        ("sex m 1", "add up to 1 rows, and the release has 2"),
        ("zip 0213* 1, zip 02138 1", "two of the values counted for 'zip' overlap"),
        ("sex f 1, sex x 1", "'sex' cannot be"),
    ],
)
def test_counts_that_make_no_sense_are_refused(rows: str, message: str) -> None:
    release = table("sex zip", "m 02138, f 02138")
    with pytest.raises(SummaryError, match=message):
        Summary(("sex", "zip"))(release, table("column value count", rows))


def test_a_file_that_is_no_summary_is_refused() -> None:
    with pytest.raises(SummaryError, match="no column 'column'"):
        SummaryCounts.of(table("a b", "1 2"))
