"""The subjects of a private table as a register lists them, and the released rows they fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.linking.atoms import Atoms
from discreet.linking.coded import Coded
from discreet.linking.column_atoms import column_atoms
from discreet.linking.column_fits import ColumnFits
from discreet.linking.look_up import look_up
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.release.policy import Policy

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
        atoms = column_atoms(list(pairs), coded.texts, theirs.texts, policy)
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
    def told(self) -> NDArray[np.bool_]:
        """Released rows that are not suppressed throughout."""
        stars = [
            np.array([text == SUPPRESSED for text in texts], dtype=np.bool_)[codes]
            for texts, codes in zip(self.release.texts, self.release.tuples, strict=True)
        ]
        told: NDArray[np.bool_] = ~np.all(stars, axis=0)
        return told[self.release.place]

    def named(self, keys: pa.Array) -> Ints:
        """For rows that fit one entry, the place of its person among ``keys``; -1 for others.

        The numbers of the entries that fit are added up: where one fits, the sum is its number.
        """
        if not len(self):
            return np.full(len(self.release), -1)
        first = np.full(len(self.entries.tuples[0]), 0, dtype=np.int64)
        first[self.entries.place] = np.arange(len(self))
        sums = look_up(self.fits, self.release.tuples, self.entries.tuples, first)
        entry = np.where(self.fit == 1, sums[self.release.place], 0)
        person = pc.index_in(self.keys, value_set=keys).fill_null(-1).to_numpy()
        return np.where(self.fit == 1, person[entry], -1).astype(np.int64)

    def rows_of(self, keys: pa.Array) -> Ints:
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
