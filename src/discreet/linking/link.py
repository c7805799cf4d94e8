"""The intruder's join, where the release holds generalized values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.errors import EmptyTableError, UnmatchedColumnError
from discreet.frequency.count import count
from discreet.linking.coded import Coded
from discreet.linking.column_atoms import column_atoms
from discreet.linking.column_fits import ColumnFits
from discreet.linking.columns import comparable, compared
from discreet.linking.links import Links
from discreet.linking.look_up import look_up
from discreet.linking.truth import Tap, Truth, as_table
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.release.policy import Policy

LOW_SHARE = 0.5


def link(
    release: Any,
    register: Any,
    columns: Mapping[str, str] | Sequence[str] | None = None,
    policy: Policy | None = None,
    truth: Truth | str | None = None,
    progress: Callable[[int], None] | None = None,
    masked: Sequence[str] = (),
) -> Links:
    """Count for each released row the entries of a register that it fits.

    A row fits an entry if in every column compared the released text can stand for the entry's
    value: it is the value, a hierarchy's value above it, a range or period that it lies in, a
    masked code that it begins with, or suppressed.

    Parameters
    ----------
    release, register
        Tables, or whatever :func:`discreet.read` takes.
    columns
        What to compare: names that both have, or the register's name for each of the release's.
        Without it, the policy's quasi columns, or all names that both have but that of ``truth``.
    policy
        What the release was made with: its hierarchies, what a missing value means, and what it did
        to columns. Changes that follow from the value alone are made to the register too; columns
        changed in other ways are not compared, and ``unusable`` names them. Without a policy
        released values are compared as they are written.
    truth
        A column that tells who a row is about, in release and register, or a :class:`Truth`.
    progress
        Called with the rows of the register read so far.
    masked
        Columns that were encrypted or replaced and are compared as they are, so that no value of
        theirs need be found; for all others, no value found at all is refused.

    Notes
    -----
    [Sweeney2001]_, sec. 2.1, fig. 15, and 4.2, fig. 18 to 21. *Departures*: a missing value of
    either side is a value like others, unless the policy says ``missing: wildcard``. *Cost*: one
    pass over each table; memory for the released rows' codes and the register's different tuples.

    Examples
    --------
    >>> people = pa.table({"age": ["31", "34", "47"], "sex": ["F", "F", "M"]})
    >>> link(pa.table({"age": ["30-39", "47"], "sex": ["F", "*"]}), people).fits.tolist()
    [2, 1]
    """
    ours, theirs = as_table(release), as_table(register)
    told = Truth(truth) if isinstance(truth, str) else truth
    asked = compared(ours, theirs, columns, policy, told.column if told else None)
    more = () if told is None else (told.column,)
    theirs, pairs, changed, unusable, notes = comparable(theirs, asked, policy, more, masked)
    coded = Coded.of(ours, list(pairs))
    keys = None if told is None else told.keys(ours, len(coded))
    tap = None if told is None or keys is None else Tap(theirs, told.column, keys)
    people = count(cast(Table, tap) if tap else theirs, list(pairs.values()), progress=progress)
    frequency = people.frequency
    if not len(frequency):
        raise EmptyTableError(theirs.name)
    every = [frequency.values[name] for name in pairs.values()]
    fits = [
        ColumnFits.of(atoms, texts, values)
        for atoms, texts, values in zip(
            column_atoms(list(pairs), coded.texts, every, policy), coded.texts, every, strict=True
        )
    ]
    values = {name: (f.released, f.matched) for name, f in zip(pairs, fits, strict=True)}
    _refuse_unmatched(values, masked, theirs.name)
    amounts = np.zeros(0, dtype=np.int64)
    if len(coded):
        amounts = look_up(fits, coded.tuples, frequency.codes, frequency.rows)
    true = None
    if tap is not None:
        true = _true(tap, cast(pa.Array, keys), coded, fits, every)
    return Links(
        amounts[coded.place],
        frequency.total,
        {name: asked[name] for name in pairs},
        values,
        true,
        (*notes, *_notes(values)),
        changed,
        unusable,
    )


def _refuse_unmatched(
    values: Mapping[str, tuple[int, int]], masked: Sequence[str], register: str
) -> None:
    """No value found at all is no sign of safety, unless a column was masked on purpose."""
    none = {
        name: released
        for name, (released, matched) in values.items()
        if released and not matched and name not in masked
    }
    if none:
        raise UnmatchedColumnError(none, register)


def _notes(values: Mapping[str, tuple[int, int]]) -> tuple[str, ...]:
    return tuple(
        f"{name}: only {matched:,} of {released:,} different released values fit any value of the "
        "register; if that is a matter of how they are written, rows fit more entries than counted"
        for name, (released, matched) in values.items()
        if matched < LOW_SHARE * released
    )


def _true(
    tap: Tap,
    keys: pa.Array,
    coded: Coded,
    fits: Sequence[ColumnFits],
    values: Sequence[tuple[str | None, ...]],
) -> NDArray[np.bool_]:
    """Whether each released row fits an entry of its own person."""
    rows, cells = tap.entries(keys)
    fit = np.ones(len(rows), dtype=np.bool_)
    for number, theirs in enumerate(cells):
        known = pa.array(values[number], pa.string())
        codes = pc.index_in(theirs, value_set=known).to_numpy().astype(np.int32)
        texts = coded.tuples[number][coded.place[rows]]
        fit &= fits[number].contains(texts, codes)
    true = np.zeros(len(coded), dtype=np.bool_)
    true[rows[fit]] = True
    return true
