"""Which hidden cells of a release, column by column, published counts give away."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from discreet.attacks.coded_rows import CodedRows
from discreet.attacks.counted_column import Counted, from_one
from discreet.attacks.counted_together import from_several
from discreet.attacks.inferred_cells import InferredCells
from discreet.attacks.meaning import Reading
from discreet.attacks.summary_counts import Key, SummaryCounts


def given_away(
    shown: CodedRows, known: SummaryCounts, reading: Reading, left_out: int
) -> list[InferredCells]:
    """Subtract, for each column counted that the release has."""
    found: dict[str, InferredCells] = {}
    for key, counts in known.tables.items():
        if len(key) == 1 and key[0] in shown.columns:
            listed = {value[0]: number for value, number in counts.items()}
            column = Counted.of(key[0], listed, shown, reading, known.total, known.name)
            found[key[0]] = from_one(column, shown, left_out, known.name)
    for columns in _together(known.tables, shown.columns):
        for one in from_several(columns, shown, known, reading, left_out):
            found[one.column] = _both(found.get(one.column), one)
    return list(found.values())


def _both(first: InferredCells | None, second: InferredCells) -> InferredCells:
    """What counts of one column and counts of two give away together."""
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


def _together(tables: Iterable[Key], present: Sequence[str]) -> list[list[str]]:
    """Sets of columns that counts of two connect."""
    sets: list[set[str]] = []
    for key in tables:
        if len(key) == 2 and set(key) <= set(present):
            joined = set(key).union(*(one for one in sets if one & set(key)))
            sets = [one for one in sets if not one & set(key)] + [joined]
    return [sorted(one) for one in sets]
