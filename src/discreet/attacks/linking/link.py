"""The intruder's join, where the release holds generalized values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.attacks.linking.columns import (
    Tap,
    Truth,
    choose_columns,
    ensure_table,
    make_comparable,
)
from discreet.attacks.linking.fits import ColumnFits, look_up, read_column_atoms
from discreet.display import dataclass, format_count
from discreet.errors import AttackError, EmptyTableError
from discreet.frequency import kernels
from discreet.frequency.count import count
from discreet.frequency.frequency_list import Packing
from discreet.table.dictionary import Dictionary
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


# What an intruder gets by joining a release to a register.


Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

STEPS = (0, 1, 2, 5, 10, 20, 50, 100, 1000, 10_000)


@dataclass(frozen=True, eq=False)
class Links:
    """For each released row, in file order, how many entries of a register it fits.

    Parameters
    ----------
    fits
        Entries of the register that each row fits.
    register_rows
        Entries that the register has.
    columns
        The columns compared: the release's name, then the register's.
    values
        For each column the different released texts, less ``*``, and how many of them fit any
        value of the register.
    true
        Whether the person whom a row is about is among the entries that it fits; None if the truth
        is not known.
    notes
        What should be known before the numbers are used.
    changed
        What the policy does to columns, and was done to the register's too.
    unusable
        Columns that could not be compared, and why.

    Examples
    --------
    >>> links = Links(np.array([1, 4, 4]), 100, {"age": "age"}, {"age": (2, 2)})
    >>> links.below(2).tolist(), links.expected_hits
    ([1], 1.5)
    """

    fits: Ints = field(repr=False)
    register_rows: int
    columns: Mapping[str, str]
    values: Mapping[str, tuple[int, int]]
    true: Mask | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    changed: Mapping[str, str] = field(default_factory=dict)
    unusable: Mapping[str, str] = field(default_factory=dict)

    @property
    def unjudged(self) -> str:
        """Why these links say nothing about how well a release is protected; empty if they do."""
        told = ", ".join(f"{name} ({why})" for name, why in self.unusable.items())
        return f"it cannot be judged: not compared are {told}" if told else ""

    def __repr__(self) -> str:
        unique = int(self.unique.sum())
        rows = format_count(self.rows, "row")
        return f"Links({rows}, register of {self.register_rows:,}, {unique:,} fit one entry only)"

    @property
    def rows(self) -> int:
        """Rows of the release."""
        return len(self.fits)

    def below(self, k: int) -> Ints:
        """The numbers, from 1, of rows that fit fewer than k entries."""
        return np.flatnonzero(self.fits < k) + 1

    @property
    def unique(self) -> Mask:
        """Rows that fit only one entry, so that the register gives them a name, right or wrong."""
        return np.equal(self.fits, 1)

    @property
    def expected_hits(self) -> float:
        """Rows that a guess names: for each row one of the entries that it fits, at random.

        Where the truth is known, only rows count whose person is among the entries that they fit;
        else all do, as if the register held everybody.
        """
        there = self.fits > 0 if self.true is None else self.true
        return float((1.0 / self.fits[there]).sum())

    @property
    def blind_hits(self) -> float:
        """Rows that a guess names without the release: any entry for each row."""
        return self.rows / self.register_rows if self.register_rows else 0.0

    @property
    def correct_hits(self) -> int | None:
        """Rows that fit one entry, and that is the right one; None if the truth is not known."""
        return None if self.true is None else int((self.unique & self.true).sum())

    def facts(self) -> dict[str, Any]:
        """The links as plain data."""
        fits = self.fits
        return {
            "rows": self.rows,
            "register_rows": self.register_rows,
            "columns": dict(self.columns),
            "values": {
                name: {"released": released, "matched": matched}
                for name, (released, matched) in self.values.items()
            },
            "rows_fitting_none": int((fits == 0).sum()),
            "rows_fitting_one": int(self.unique.sum()),
            "smallest": int(fits.min()) if len(fits) else None,
            "median": float(np.median(fits)) if len(fits) else None,
            "largest": int(fits.max()) if len(fits) else None,
            "distribution": self.distribution(),
            "expected_hits": self.expected_hits,
            "blind_hits": self.blind_hits,
            "unique_hits": int(self.unique.sum()),
            "correct_hits": self.correct_hits,
            "rows_true_among_fits": None if self.true is None else int(self.true.sum()),
            "columns_changed": dict(self.changed),
            "columns_not_used": dict(self.unusable),
            "notes": list(self.notes),
        }

    def distribution(self) -> dict[str, int]:
        """Rows by how many entries they fit, in steps: ``0``, ``1``, ``2-4``, up to ``10000+``."""
        place = np.searchsorted(STEPS, self.fits, side="right") - 1
        counts = np.bincount(place, minlength=len(STEPS)).tolist()
        names = [
            str(first) if end == first + 1 else f"{first}-{end - 1}"
            for first, end in pairwise(STEPS)
        ]
        return dict(zip([*names, f"{STEPS[-1]}+"], counts, strict=True))


# A release as codes: each row's texts by number, and the different rows once.


Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Coded:
    """The rows of a table in file order, as numbers of its different tuples.

    ``tuples[c]`` has column c's code of each different tuple, ``texts[c]`` the text of each code,
    and ``place`` the number of each row's tuple.
    """

    tuples: tuple[Codes, ...]
    texts: tuple[tuple[str | None, ...], ...]
    place: Codes

    @classmethod
    def of(cls, table: Table, columns: Sequence[str]) -> Coded:
        """Read a table once."""
        return cls.of_batches(table.scan(text=list(columns)), len(columns))

    @classmethod
    def of_batches(cls, batches: Iterable[pa.RecordBatch], columns: int) -> Coded:
        """Code the first columns of rows that come in batches."""
        dictionaries = [Dictionary() for _ in range(columns)]
        parts: list[list[Codes]] = [[] for _ in dictionaries]
        for batch in batches:
            for number, dictionary in enumerate(dictionaries):
                parts[number].append(dictionary.encode(batch.column(number)))
        nothing = np.empty(0, dtype=np.int32)
        codes = [np.concatenate([nothing, *each]) for each in parts]
        texts = tuple(dictionary.values for dictionary in dictionaries)
        tuples, place = find_distinct(codes, [len(each) for each in texts])
        return cls(tuples, texts, place)

    def __len__(self) -> int:
        return len(self.place)


def find_distinct(codes: Sequence[Codes], sizes: Sequence[int]) -> tuple[tuple[Codes, ...], Codes]:
    """The different tuples, column by column, and the number of each row's tuple."""
    rows = len(codes[0])
    packing = Packing.of([max(1, size) for size in sizes])
    nothing, none = np.zeros(0, dtype=np.int64), np.zeros(1, dtype=np.uint64)
    keys, _, place = kernels.roll_up(
        packing.pack(codes, rows),
        np.ones(rows, dtype=np.int64),
        *(nothing, nothing, nothing, none, nothing),
        max(1, rows),
        True,
    )
    return tuple(packing.unpack(keys, column) for column in range(len(codes))), place


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

    A row fits an entry if in every column compared the released text can mean the entry's
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
        A column that identifies the person of a row, in release and register, or a :class:`Truth`.
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
    ours, theirs = ensure_table(release), ensure_table(register)
    told = Truth(truth) if isinstance(truth, str) else truth
    asked = choose_columns(ours, theirs, columns, policy, told.column if told else None)
    more = () if told is None else (told.column,)
    theirs, pairs, changed, unusable, notes = make_comparable(theirs, asked, policy, more, masked)
    coded = Coded.of(ours, list(pairs))
    keys = None if told is None else told.keys(ours, len(coded))
    tap = None if told is None or keys is None else Tap(theirs, told.column, keys)
    people = count(tap or theirs, list(pairs.values()), progress=progress)
    frequency = people.frequency
    if not len(frequency):
        raise EmptyTableError(theirs.name)
    every = [frequency.values[name] for name in pairs.values()]
    fits = [
        ColumnFits.of(atoms, texts, values)
        for atoms, texts, values in zip(
            read_column_atoms(list(pairs), coded.texts, every, policy),
            coded.texts,
            every,
            strict=True,
        )
    ]
    values = {name: (f.released, f.matched) for name, f in zip(pairs, fits, strict=True)}
    _refuse_unmatched(values, masked, theirs.name)
    amounts = np.zeros(0, dtype=np.int64)
    if len(coded):
        amounts = look_up(fits, coded.tuples, frequency.codes, frequency.rows)
    true = None
    if tap is not None:
        true = _mark_true_fits(tap, cast(pa.Array, keys), coded, fits, every)
    return Links(
        amounts[coded.place],
        frequency.total,
        {name: asked[name] for name in pairs},
        values,
        true,
        (*notes, *_note_unmatched_values(values)),
        changed,
        unusable,
    )


def _refuse_unmatched(
    values: Mapping[str, tuple[int, int]], masked: Sequence[str], register: str
) -> None:
    """Finding no value at all does not mean safety, unless a column was masked on purpose."""
    none = {
        name: released
        for name, (released, matched) in values.items()
        if released and not matched and name not in masked
    }
    if none:
        told = ", ".join(f"'{name}' (0 of {count:,})" for name, count in none.items())
        raise AttackError(
            register,
            f"no value of the release is found there in {told}",
            "This does not mean that the release is safe: dates, codes or numbers probably have a "
            "different format, or the wrong columns are compared. Use the same format in both, "
            "name the right columns, or give the policy that the release was made with.",
        )


def _note_unmatched_values(values: Mapping[str, tuple[int, int]]) -> tuple[str, ...]:
    return tuple(
        f"{name}: only {matched:,} of {released:,} different released values fit any value of the "
        "register; if that is a matter of how they are written, rows fit more entries than counted"
        for name, (released, matched) in values.items()
        if matched < LOW_SHARE * released
    )


def _mark_true_fits(
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
