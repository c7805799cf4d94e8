"""Counts the columns of a table in one pass, in memory that does not grow with the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.input_file import check_column_count
from discreet.kinds.recognizer import MISSING_MARKS
from discreet.table.row_counts import read_in_any_order
from discreet.table.row_sample import (
    SAMPLE,
    RowSample,
    make_arrow_numbers,
    make_arrow_texts,
    read_arrow_numbers,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.table.table import Table


LIMIT = 100_000
"""Most distinct values of a column that are counted exactly; beyond it we say 'more than'."""
LIMIT_BYTES = 32 * 2**20
MARKS = make_arrow_texts(MISSING_MARKS)


@dataclass(frozen=True, repr=False)
class Profile:
    """The counts of one column; `values` are private and are not shown.

    `values` are all distinct values if `exact`, else those of a sample of rows. `unique` is the
    number of rows with a unique value (None if too many to count), `counts_up` whether each row's
    number is one more than the previous row's, and `all_differ` whether no value was seen twice.
    `counts` has the number of rows of each value that was checked.
    """

    name: str
    rows: int
    missing: int
    distinct: int
    exact: bool
    values: tuple[str, ...]
    marks: dict[str, int]
    unique: int | None
    most_common: float
    counts_up: bool
    all_differ: bool
    counts: tuple[int, ...] = ()

    @property
    def filled(self) -> int:
        """Rows with a value."""
        return self.rows - self.missing


SINGLES_OUT = 0.1
"""A column in which this share of rows is unique is not released as it is."""


def singles_out(seen: Profile) -> bool:
    """Whether a column by itself singles out too many rows to be released as it is."""
    return seen.unique is None or seen.unique >= max(1, SINGLES_OUT * seen.rows)


def profile(table: Table, limit: int = LIMIT) -> list[Profile]:
    """Count every column of a table.

    Notes
    -----
    *Cost*: one pass. Memory is bounded by `LIMIT` values or 32 MiB per column, and `SAMPLE` rows.
    """
    counted = _profile_counted(table, limit)
    return profile_and_sample(table, limit)[0] if counted is None else counted


def profile_and_sample(table: Table, limit: int = LIMIT) -> tuple[list[Profile], RowSample]:
    """Count every column of a table, and keep the rows sampled in the same pass.

    A table that counts its rows itself is asked for the values of each column, and for the sample.
    """
    fix = "Save the columns that are about people in a file of their own, and look at that."
    check_column_count(table.name, len(table.columns), "looked at", fix)
    drawn = table.draw_rows(table.columns, SAMPLE)
    if drawn is not None:
        sample = RowSample()
        for batch in drawn:
            sample.add(batch)
        counted = profile(table, limit)
        sample.rows = max(one.rows for one in counted)
        return counted, sample
    counters = [_Counter(name, limit) for name in table.columns]
    sample = RowSample()
    for batch in table.scan(text=table.columns):
        sample.add(batch)
        for counter, column in zip(counters, batch.columns, strict=True):
            counter.add(column)
    counted = [counter.make_profile(sample.column(place)) for place, counter in enumerate(counters)]
    return counted, sample


def _profile_counted(table: Table, limit: int) -> list[Profile] | None:
    """The columns of a table that counts its rows itself: distinct values with their rows."""
    found = []
    for name in table.columns:
        batches = table.count_rows([name])
        if batches is None:
            return None
        counter = _Counter(name, limit)
        for batch in batches:
            counter.add_counted(batch.column(0), read_arrow_numbers(batch.column(1).cast("int64")))
        sample = RowSample()
        for batch in read_in_any_order(table, [name]) if counter.over else ():
            sample.add(batch)
        found.append(counter.make_profile(sample.column(0)))
    return found


class _Counter:
    """The distinct values of one column and how often each occurs, up to a limit."""

    def __init__(self, name: str, limit: int) -> None:
        self.name, self.limit = name, limit
        self.rows = self.missing = 0
        self.values: pa.Array | None = None
        self.counts: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.over = False
        self.marks: dict[str, int] = {}
        self.next: int | None = None
        self.counts_up = True
        self.numbers: list[int] = []

    def add(self, column: pa.Array) -> None:
        self.counts_up = self.counts_up and self._goes_on(column)
        self.rows += len(column)
        self.missing += column.null_count
        if not self.over:
            self._count(column)
        else:
            self._add_marks(column.filter(pc.is_in(column, value_set=MARKS)).value_counts())

    def add_counted(self, values: pa.Array, rows: NDArray[np.int64]) -> None:
        """Add distinct values with the number of rows of each.

        A database has no row order: numbers that occur once each, without a gap, count up.
        """
        missing = values.is_null()
        self.rows += int(rows.sum())
        self.missing += int(rows[np.array(missing.to_pylist(), dtype=bool)].sum())
        found = pa.StructArray.from_arrays(
            [values.drop_null(), make_arrow_numbers(rows).filter(values.is_valid())],
            ["values", "counts"],
        )
        if not self.over:
            self._merge(found)
        else:
            self._add_marks(found.filter(pc.is_in(found.field("values"), value_set=MARKS)))
        self.counts_up = self.counts_up and not self.missing and self._stretch(found)

    def _stretch(self, found: pa.StructArray) -> bool:
        texts = found.field("values")
        if (read_arrow_numbers(found.field("counts")) != 1).any():
            return False
        if not pc.all(pc.match_substring_regex(texts, "^(0|[1-9][0-9]{0,16})$")).as_py():
            return not len(texts)
        numbers = texts.cast(pa.int64())
        self.numbers += [pc.min(numbers).as_py(), pc.max(numbers).as_py()]
        return True

    def _goes_on(self, column: pa.Array) -> bool:
        if column.null_count or not len(column):
            return not len(column)
        first = column[0].as_py()
        if not (first.isascii() and first.isdecimal() and len(first) < 18):
            return False
        start = int(first) if self.next is None else self.next
        self.next = start + len(column)
        wanted = make_arrow_numbers(np.arange(start, self.next)).cast(pa.string())
        return bool(pc.all(pc.equal(column.cast(pa.string()), wanted)).as_py())

    def _count(self, column: pa.Array) -> None:
        self._merge(column.drop_null().value_counts())

    def _merge(self, found: pa.StructArray) -> None:
        self._add_marks(found.filter(pc.is_in(found.field("values"), value_set=MARKS)))
        values, counts = found.field("values").cast(pa.string()), found.field("counts")
        if self.values is not None and len(self.values):
            both = pa.table(
                {
                    "value": pa.concat_arrays([self.values, values]),
                    "count": pa.concat_arrays([make_arrow_numbers(self.counts), counts]),
                }
            )
            merged = both.group_by("value", use_threads=False).aggregate([("count", "sum")])
            values = merged["value"].combine_chunks()
            counts = merged["count_sum"].combine_chunks()
        self.values, self.counts = values, read_arrow_numbers(counts)
        self.over = len(values) > self.limit or values.nbytes > LIMIT_BYTES
        if self.over:
            self.values, self.counts = None, np.empty(0, dtype=np.int64)

    def _add_marks(self, found: pa.StructArray) -> None:
        marks, counts = found.field("values").to_pylist(), found.field("counts").to_pylist()
        for mark, count in zip(marks, counts, strict=True):
            self.marks[mark] = self.marks.get(mark, 0) + count

    def make_profile(self, sampled: pa.ChunkedArray) -> Profile:
        if self.numbers:  # as many distinct numbers as their range allows leave no gap
            span = max(self.numbers) - min(self.numbers) + 1
            self.counts_up = self.counts_up and span == self.rows
        if self.over or self.values is None:
            found = sampled.drop_null().value_counts()
            values, counts = found.field("values"), read_arrow_numbers(found.field("counts"))
            distinct = max(self.limit, len(values)) if self.over else 0
        else:
            values, counts, distinct = self.values, self.counts, len(self.values)
        total = int(counts.sum())
        return Profile(
            self.name,
            self.rows,
            self.missing,
            distinct,
            not self.over,
            tuple(values.to_pylist()),
            self.marks,
            None if self.over else int((counts == 1).sum()),
            float(counts.max() / total) if total else 0.0,
            self.counts_up and self.rows > 1,
            total == len(counts) > 1,
            tuple(counts.tolist()),
        )
