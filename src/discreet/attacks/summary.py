"""Published counts of the private table, subtracted from what a release shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from discreet.attacks.coded_rows import CodedRows, Grouped, list_row_numbers, number_rows
from discreet.attacks.meaning import Reading
from discreet.attacks.outcome import Outcome
from discreet.attacks.published_counts import InferredCells, Key, SummaryCounts, SummaryError
from discreet.attacks.related import mark_fewer_alike
from discreet.attacks.subtraction import Counted, subtract_columns_together, subtract_one_column
from discreet.display import dataclass
from discreet.frequency.classes import Mask

# Which hidden cells of a release, column by column, published counts reveal.


def find_given_away(
    shown: CodedRows, known: SummaryCounts, reading: Reading, left_out: int
) -> list[InferredCells]:
    """Subtract, for each column counted that the release has."""
    found: dict[str, InferredCells] = {}
    for key, counts in known.tables.items():
        if len(key) == 1 and key[0] in shown.columns:
            listed = {value[0]: number for value, number in counts.items()}
            column = Counted.of(key[0], listed, shown, reading, known.total, known.name)
            found[key[0]] = subtract_one_column(column, shown, left_out, known.name)
    for columns in _connect_columns(known.tables, shown.columns):
        for one in subtract_columns_together(columns, shown, known, reading, left_out):
            found[one.column] = _combine_inferred(found.get(one.column), one)
    return list(found.values())


def _combine_inferred(first: InferredCells | None, second: InferredCells) -> InferredCells:
    """What counts of one column and counts of two reveal together."""
    if first is None:
        return second
    return InferredCells(
        first.column,
        first.rows | second.rows,
        max(first.hidden, second.hidden),
        first.left_out or second.left_out,
        first.left_out_counted,
        first.counted,
        first.known,
        first.meaning,
    )


def _connect_columns(tables: Iterable[Key], present: Sequence[str]) -> list[list[str]]:
    """Sets of columns that counts of two connect."""
    sets: list[set[str]] = []
    for key in tables:
        if len(key) == 2 and set(key) <= set(present):
            joined = set(key).union(*(one for one in sets if one & set(key)))
            sets = [one for one in sets if not one & set(key)] + [joined]
    return [sorted(one) for one in sets]


@dataclass(frozen=True)
class Summary:
    """Hidden cells that published counts of the private table reveal.

    Parameters
    ----------
    quasi
        The columns that an intruder knows of a person.
    k
        The findings go too far if classes then have fewer than k rows, or if fewer than k rows were
        left out.
    policy
        Its hierarchies say what released values stand for, and what a missing value means.

    Notes
    -----
    [Sweeney2001]_, sec. 6.3.3, figs. 46 and 47, and sec. 7.3.3, figs. 75 and 79 to 81. A cell is
    hidden if it may have several of the values counted: suppressed, or released at a higher level.
    Rows that were left out, as the total shows, are hidden in every column. Exposed are rows with a
    hidden cell that can have one value only in every way to fill the table in: exact for counts of
    one column (a flow), and for counts of two columns by an integer program. *Departures*: a value
    that every row of the table has reveals nothing. If of two suppressed cells one is male and one
    female, but it is unknown which (fig. 81), the note says so and no row is exposed, unless fewer
    than k rows are left out. Fig. 43, which the thesis calls safe, reveals the race of both its
    suppressed rows; they are k rows, so it keeps k-anonymity. *Cost*: see
    :func:`~discreet.attacks.subtraction.subtract` and
    :func:`~discreet.attacks.subtraction.find_certain_pieces`.

    >>> import pyarrow as pa
    >>> release = pa.table({"sex": ["m", "m", "*"], "zip": ["1", "1", "1"]})
    >>> counts = pa.table({"column": ["sex", "sex"], "value": ["m", "f"], "count": ["2", "1"]})
    >>> Summary(("sex", "zip"))(release, counts).rows
    (3,)
    """

    quasi: tuple[str, ...]
    k: int = 2
    policy: Any = field(default=None, repr=False)

    def __call__(self, release: Any, counts: Any) -> Outcome:
        """Subtract what a release shows from counts: a file, a frame or SummaryCounts."""
        known = counts if isinstance(counts, SummaryCounts) else SummaryCounts.of(counts)
        shown = CodedRows.of(release)
        left_out = known.total - shown.rows
        if left_out < 0:
            what = f"its counts add up to {known.total:,} rows, and the release has {shown.rows:,}"
            raise SummaryError(known.name, what, "Give the counts of the table it was made from.")
        reading = Reading.by(self.policy)
        found = find_given_away(shown, known, reading, left_out)
        marks = np.any([np.zeros(shown.rows, dtype=np.bool_), *(one.rows for one in found)], axis=0)
        told = any(one.left_out for one in found)
        few = left_out < self.k and any(one.left_out_counted for one in found)
        out = left_out if told or few else 0
        return Outcome(
            "summary",
            True,
            int(marks.sum()) + out,
            _note(found, left_out, out, self.k),
            list_row_numbers(marks),
            sum(int(one.rows.sum()) + (left_out if one.left_out else 0) for one in found),
            counts=0 < out < self.k or self._has_rare_row(shown, found, reading, marks),
            found={
                "other": known.name,
                "k": self.k,
                "rows_left_out": left_out,
                "left_out_exposed": out,
                **_count_inferred(found),
            },
        )

    def _has_rare_row(
        self, shown: CodedRows, found: Sequence[InferredCells], reading: Reading, marks: Mask
    ) -> bool:
        """Whether a row with an inferred cell has fewer than k rows like it by then."""
        quasi = [name for name in self.quasi if name in shown.columns]
        if not marks.any() or not quasi:
            return False
        classes = Grouped.by(shown.classes(quasi))
        if (marks & (classes.rows < self.k)[classes.of_row]).any():
            return True
        refined = {one.column: one for one in found}
        known, within = [], []
        for name in quasi:
            meaning = refined[name].meaning if name in refined else None
            meaning = meaning or reading.meaning(name, shown, shown)
            codes = shown.codes[name]
            own = refined[name].known if name in refined else meaning.first
            known.append(own[codes])
            within.append(meaning.within)
        groups = Grouped.by(number_rows(known, shown.rows))
        distinct = [codes[groups.first] for codes in known]
        owner = np.arange(len(groups), dtype=np.int64)
        few = mark_fewer_alike(distinct, owner, groups.rows, within, self.k)
        return bool((few[groups.of_row] & marks).any())


def _count_inferred(found: Sequence[InferredCells]) -> dict[str, Any]:
    """The numbers of each column."""
    return {
        "columns": {
            one.column: {"cells_hidden": one.hidden, "cells_inferred": int(one.rows.sum())}
            for one in found
        },
        "counted_but_not_which": [one.column for one in found if one.counted],
    }


def _note(found: Sequence[InferredCells], left_out: int, out: int, k: int) -> str:
    """What is learned, column by column, without any value."""
    parts = []
    inferred = [f"{one.column} ({int(one.rows.sum()):,})" for one in found if one.rows.any()]
    if inferred:
        parts.append(f"hidden cells with only one possible value: {', '.join(inferred)}")
    told = [one.column for one in found if one.left_out]
    if told:
        parts.append(f"{', '.join(told)} of {_format_rows(left_out)} left out")
    elif out:
        parts.append(f"the values of {_format_rows(left_out)} left out, fewer than {k}")
    counted = [one.column for one in found if one.counted]
    if counted:
        columns = ", ".join(counted)
        parts.append(f"how many hidden cells have which value, but not which cells: {columns}")
    return "; ".join(parts) or "no hidden cell can be inferred"


def _format_rows(number: int) -> str:
    return "the row" if number == 1 else f"the {number:,} rows"
