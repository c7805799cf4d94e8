"""What an intruder with a register can conclude from a release, and how much of it is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.attacks.linking.columns import Truth, choose_columns, ensure_table, make_comparable
from discreet.attacks.linking.fits import ColumnFits, look_up, read_column_atoms
from discreet.attacks.linking.link import Coded, Links, link
from discreet.display import dataclass
from discreet.errors import AttackError, UnknownColumnError
from discreet.hierarchy.atoms import Atoms
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.policy.changed_table import change_private_as_released
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


# The subjects of a private table as a register lists them, and the released rows they fit.


Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Subjects:
    """Released rows against the register's entries of subjects only.

    ``release`` and ``entries`` are coded on the columns compared, ``keys`` tells who the entries
    are about, and ``fit`` how many of them each released row fits.
    """

    release: Coded
    entries: Coded
    keys: pa.Array
    atoms: tuple[Atoms, ...]
    fits: tuple[ColumnFits, ...]
    fit: Ints

    @classmethod
    def of(
        cls, release: Table, entries: pa.Table, pairs: Mapping[str, str], policy: Policy | None
    ) -> Subjects:
        """Join a release to entries: the columns of ``pairs`` in order, then the key."""
        coded = Coded.of(release, list(pairs))
        theirs = Coded.of_batches(entries.to_batches(), len(pairs))
        atoms = read_column_atoms(list(pairs), coded.texts, theirs.texts, policy)
        fits = tuple(
            ColumnFits.of(*each) for each in zip(atoms, coded.texts, theirs.texts, strict=True)
        )
        amounts = np.zeros(len(coded.tuples[0]), dtype=np.int64)
        if len(theirs) and len(coded):
            amounts = look_up(fits, coded.tuples, theirs.tuples, np.bincount(theirs.place))
        key = entries.column(len(pairs)).combine_chunks()
        return cls(coded, theirs, key, tuple(atoms), fits, amounts[coded.place])

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def joinable(self) -> NDArray[np.bool_]:
        """Released rows that are not completely suppressed."""
        stars = [
            np.array([text == SUPPRESSED for text in texts], dtype=np.bool_)[codes]
            for texts, codes in zip(self.release.texts, self.release.tuples, strict=True)
        ]
        told: NDArray[np.bool_] = ~np.all(stars, axis=0)
        return told[self.release.place]

    def find_people(self, keys: pa.Array) -> Ints:
        """For rows that fit one entry, the position of its person among ``keys``; -1 for others.

        The numbers of the entries that fit are added up: if only one fits, the sum is its number.
        """
        if not len(self):
            return np.full(len(self.release), -1)
        first = np.full(len(self.entries.tuples[0]), 0, dtype=np.int64)
        first[self.entries.place] = np.arange(len(self))
        sums = look_up(self.fits, self.release.tuples, self.entries.tuples, first)
        entry = np.where(self.fit == 1, sums[self.release.place], 0)
        person = pc.index_in(self.keys, value_set=keys).fill_null(-1).to_numpy()
        return np.where(self.fit == 1, person[entry], -1).astype(np.int64)

    def count_fitting_rows(self, keys: pa.Array) -> Ints:
        """How many released rows fit an entry of each key's person; of several entries the most."""
        found = np.zeros(len(keys), dtype=np.int64)
        if not len(self):
            return found
        back = [
            ColumnFits.of(*each, found=False)
            for each in zip(self.atoms, self.entries.texts, self.release.texts, strict=True)
        ]
        rows = np.bincount(self.release.place)
        amounts = look_up(back, self.entries.tuples, self.release.tuples, rows)
        person = pc.index_in(self.keys, value_set=keys).to_numpy()
        np.maximum.at(found, person, amounts[self.entries.place])
        return found


Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Evidence:
    """The evidence for the protection models, row by row of the release.

    Parameters
    ----------
    links
        How many entries of the register each row fits, and whether its own person is among them.
    joinable
        Rows with at least one cell to join by: a completely suppressed row maps to nobody.
    subjects_fit
        Entries of subjects, people of the private table, that each row fits.
    named_right
        Rows that fit one subject only, and that is their own person.
    rows_of_subject
        Released rows that fit the entry of the row's own person.
    discloses_own, discloses_named
        Rows with a cell outside the columns compared that is right for their own person, or for the
        one subject that they fit. Without such columns all rows: they reveal that somebody is in
        the table.
    """

    links: Links
    joinable: Mask = field(repr=False)
    subjects: int
    subjects_fit: Ints = field(repr=False)
    named_right: Mask = field(repr=False)
    rows_of_subject: Ints = field(repr=False)
    discloses_own: Mask = field(repr=False)
    discloses_named: Mask = field(repr=False)


def gather_evidence(
    private: Any,
    release: Any,
    register: Any,
    key: str,
    columns: Mapping[str, str] | Sequence[str] | None = None,
    policy: Policy | None = None,
    masked: Sequence[str] = (),
) -> Evidence:
    """Join a release to a register and compare with the private table.

    Parameters
    ----------
    private
        The private table, one row for each released row, in the same order.
    release, register
        Tables, or whatever :func:`discreet.read` takes.
    key
        A column that tells in ``private`` and ``register`` who a row is about; it may be one of the
        columns compared.
    columns, policy, masked
        As in :func:`discreet.attacks.linking.link.link`.

    Notes
    -----
    [Sweeney2001]_, sec. 4.3: S are the people of the private table, E is the register, and the
    relations g are joins on the columns compared, where a released text fits what it can stand
    for. *Departures*: P and U beyond the register are not known and not counted. *Cost*: two passes
    over the register; memory as :func:`link`, and for the private table.
    """
    ours, theirs, own = ensure_table(release), ensure_table(register), ensure_table(private)
    asked = choose_columns(ours, theirs, columns, policy)
    truth = Truth(key, own)
    links = link(ours, theirs, asked, policy, truth, masked=masked)
    theirs, pairs, *_ = make_comparable(theirs, asked, policy, (key,), masked)
    keys = truth.keys(ours, links.rows)
    _refuse_repeated(keys)
    subjects = Subjects.of(
        ours, _read_entries(theirs, list(pairs.values()), key, keys), pairs, policy
    )
    who = subjects.find_people(keys)
    rows = np.arange(links.rows)
    changed = own if policy is None else change_private_as_released(policy, own).table
    others = _Others(ours, changed, pairs)
    return Evidence(
        links,
        subjects.joinable,
        len(subjects),
        subjects.fit,
        who == rows,
        subjects.count_fitting_rows(keys),
        others.disclose(rows),
        others.disclose(who),
    )


def _refuse_repeated(keys: pa.Array) -> None:
    present = keys.drop_null()
    twice = len(present) - len(present.unique())
    if twice:
        what = f"{twice:,} rows of the private table repeat the key of another"
        raise AttackError("truth", what, "Give a key that is different for every row.")


def _read_entries(register: Table, columns: Sequence[str], key: str, keys: pa.Array) -> pa.Table:
    """The entries of subjects: the columns compared, then the key, each by its position."""
    if key not in register.columns:
        raise UnknownColumnError(register.name, key, register.columns)
    wanted = keys.drop_null()
    names = [str(number) for number in range(len(columns) + 1)]
    kept = [
        pa.RecordBatch.from_arrays(batch.columns, names=names).filter(
            pc.is_in(batch.column(len(columns)), value_set=wanted)
        )
        for batch in register.scan(text=[*columns, key])
    ]
    return pa.Table.from_batches(kept, pa.schema([(name, pa.string()) for name in names]))


class _Others:
    """The other released columns, as released and with their true values."""

    def __init__(self, release: Table, private: Table, compared: Mapping[str, str]) -> None:
        names = [n for n in release.columns if n not in compared and n in private.columns]
        tables = (release, private) if names else ()
        self._cells = [table.scan(text=names).read_all().columns for table in tables]

    def disclose(self, who: Ints) -> Mask:
        """Released rows with a cell that is as the private row ``who`` (or -1) has it."""
        found = np.full(len(who), not self._cells)
        place = pa.array(np.maximum(who, 0))
        for ours, theirs in zip(*self._cells, strict=True):
            same = pc.equal(ours, theirs.take(place)).fill_null(False)
            found |= np.array(same.to_pylist(), dtype=np.bool_)
        return found & (who >= 0)
