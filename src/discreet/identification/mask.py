"""Which columns can be published so that no quasi-identifier is among them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from discreet.display import format_count
from discreet.errors import ArgumentError, EmptyTableError, TooLargeError, argument
from discreet.frequency.count import count
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.goal import Measure, check_share
from discreet.identification.keys.masking import Masked, Masking
from discreet.identification.keys.samples import OneRowError
from discreet.identification.keys.separation import Separation, measure
from discreet.identification.keys.stream import read_batches, sample_pairs, sample_rows
from discreet.table.read import open_table
from discreet.table.table import Table


def mask(
    table: Any,
    *,
    distinct: float | None = None,
    separation: float | None = None,
    publish: Sequence[str] = (),
    withhold: Sequence[str] = (),
    weight: Mapping[str, float] | None = None,
    sample: int | None = None,
    epsilon: float | None = None,
    delta: float = 0.01,
    below: bool = False,
    exact: bool = False,
    drop_duplicates: bool = False,
    seed: int = 0,
    progress: Callable[[str], None] | None = None,
) -> Masked:
    """See which columns of a table can be published: as many as can be.

    No set of them distinguishes more than a share of the rows, or of the pairs of rows. This
    concerns most rows: some may still be unique.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes; with a sample also an open
        file with CSV, which is read once.
    distinct, separation
        The largest distinct ratio or the largest separation ratio: exactly one of the two.
    publish, withhold
        Columns that must and columns that must not be published.
    weight
        What a column is worth, 1 if absent.
    sample, epsilon, delta, seed
        Use only this many random rows (distinct) or pairs, or as many as give up a share
        ``epsilon`` of the ratio; a sample misleads with probability ``delta``.
    below
        Stay below the ratio, not at most at it, so that `identify` finds no set for it.
    exact
        Search for the proven optimum; otherwise greedy.
    drop_duplicates
        Count rows that are equal in all columns once.
    progress
        Called with the current step.

    >>> import pyarrow as pa
    >>> people = pa.table({"id": ["1", "2", "3", "4"], "sex": ["f", "m", "m", "f"]})
    >>> mask(people, distinct=0.5).publish
    ('sex',)

    Notes
    -----
    See :class:`Masking`. *Cost*: one pass over the rows, and a second one to count what a sample
    chose.
    """
    search = Masking(
        *_choose_ratio(distinct, separation),
        tuple(publish),
        tuple(withhold),
        dict(weight or {}),
        exact,
        _check_sample(sample, epsilon, delta),
        epsilon,
        delta,
        seed,
        strict=below,
    )
    try:
        if hasattr(table, "read"):
            if not search.sampled or drop_duplicates:
                what = "a pipe is read once, so only a sample of it can be used"
                fix = (
                    f"Add {argument('sample', 'N')} or {argument('epsilon', 'E')}, and leave out "
                    f"{argument('drop_duplicates')}."
                )
                raise ArgumentError("table", what, fix)
            return _sample(search, table)
        return _mask(search, open_table(table), drop_duplicates, progress)
    except TooLargeError as error:
        what = f"there are {error.size:,} columns to choose from, and this can do {error.most:,}"
        fix = (
            f"Leave {argument('exact')} out, or settle some with {argument('withhold')} and "
            f"{argument('publish')}."
        )
        raise ArgumentError("exact", what, fix) from error


def _choose_ratio(distinct: float | None, separation: float | None) -> tuple[Measure, float]:
    if distinct is not None and separation is None:
        check_share("distinct", distinct, most=True)
        return "distinct", distinct
    if separation is not None and distinct is None:
        check_share("separation", separation, most=True)
        return "separation", separation
    what = "exactly one of the two is needed"
    raise ArgumentError(
        ("distinct", "separation"), what, f"Say {argument('distinct', '0.5')}, for instance."
    )


def _check_sample(sample: int | None, epsilon: float | None, delta: float) -> int | None:
    check_share("epsilon", epsilon)
    check_share("delta", delta)
    if sample is not None and sample < 1:
        raise ArgumentError("sample", "no sample is that small", "Give 1 or more.", f"{sample}")
    if sample is not None and epsilon is not None:
        what = "either says how large the sample is"
        raise ArgumentError(("sample", "epsilon"), what, "Give one of the two.")
    return sample


def _mask(
    search: Masking, table: Table, once: bool, progress: Callable[[str], None] | None
) -> Masked:
    """Search all rows, or search a sample and then count the choice on all rows."""
    if search.sampled and not once:
        with suppress(OneRowError):  # one row has no pairs: use all rows
            found = _sample(search, table)
            return found if found.measured is not None else _count(found, table)

    def report(rows: int) -> None:
        if progress is not None:
            progress(f"reading, {format_count(rows, 'row')}")

    return search(CodedTable.of(table, None, once, report))


def _sample(search: Masking, source: Any) -> Masked:
    """One pass over the rows, in memory that does not grow with them."""
    rest = read_batches(source)
    first = next(rest, None)
    if first is None:
        raise EmptyTableError("the stream", "it has no rows")
    source = chain([first], rest)
    size = search.sample_size(first.schema.names)  # epsilon: it depends on the columns
    if search.measure == "distinct":
        rows = sample_rows(source, size, search.seed)
        if len(rows.table) == rows.rows:  # the sample is the whole table
            return search(rows.table)
        return search.on_sample(rows)
    return search.on_sample(sample_pairs(source, size, search.seed))


def _count(found: Masked, table: Table) -> Masked:
    if found.publish:
        return found.counted(measure(count(table, found.publish).frequency))
    rows = found.rows
    return found.counted(Separation((), rows, 1, int(rows == 1), rows * (rows - 1) // 2, 0.0))
