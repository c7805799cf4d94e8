"""The joint meaning of two texts of a column: whether both can be true, and what is known then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy

from discreet.attacks.coded_rows import CodedRows
from discreet.display import dataclass
from discreet.errors import AttackError, argument
from discreet.frequency.classes import Ints
from discreet.hierarchy.atoms import Atoms
from discreet.hierarchy.hierarchy import SUPPRESSED


@dataclass(frozen=True, eq=False)
class Meaning:
    """A column of two files, its texts as sets of values; sets are numbered.

    ``overlap`` says which texts of the two can stand for one value, ``met`` has the number of the
    set that both allow (counted from 1, 0 where there is none), ``first`` and ``second`` those of
    the texts themselves, and ``within`` says which sets lie in which.
    """

    overlap: Any
    met: Any
    first: Ints
    second: Ints
    within: Any

    @classmethod
    def of(
        cls, atoms: Atoms, first: tuple[str | None, ...], second: tuple[str | None, ...]
    ) -> Meaning:
        """Compare all texts of one file with all of the other, by the atoms they share."""
        sets = _Sets(atoms)
        own, other = sets.numbers(first), sets.numbers(second)
        one, two = (atoms.matrix(texts).astype(np.int32) for texts in (first, second))
        sizes = np.diff(one.indptr), np.diff(two.indptr)
        shared = (one @ two.T).tocoo()
        met = np.where(shared.data == sizes[0][shared.row], own[shared.row], other[shared.col])
        partly = (shared.data < sizes[0][shared.row]) & (shared.data < sizes[1][shared.col])
        for place in np.nonzero(partly)[0]:
            pair = first[shared.row[place]], second[shared.col[place]]
            met[place] = sets.number(atoms.meet(*pair))
        where = (shared.row, shared.col)
        overlap = scipy.sparse.csr_matrix((np.ones(len(met), np.bool_), where), shape=shared.shape)
        numbers = scipy.sparse.csr_matrix((met + 1, where), shape=shared.shape)
        return cls(overlap, numbers, own, other, sets.within())

    def meet(self, first: Ints, second: Ints) -> Ints:
        """The set that is left for each pair of codes."""
        if not len(first):
            return np.zeros(0, dtype=np.int64)
        return np.asarray(self.met[first, second]).ravel().astype(np.int64) - 1


class _Sets:
    """Sets of atoms, each different one with a number."""

    def __init__(self, atoms: Atoms) -> None:
        self.atoms = atoms
        self.known: dict[bytes, int] = {}
        self.members: list[Ints] = []

    def number(self, members: Ints) -> int:
        found = self.known.setdefault(members.tobytes(), len(self.known))
        if found == len(self.members):
            self.members.append(members)
        return found

    def numbers(self, texts: tuple[str | None, ...]) -> Ints:
        every = [self.number(self.atoms.list_atoms(text)) for text in texts]
        return np.array(every, dtype=np.int64)

    def within(self) -> Any:
        """Which set is contained in which."""
        sizes = np.array([len(members) for members in self.members])
        where = np.concatenate(self.members)
        start = np.concatenate([[0], np.cumsum(sizes)])
        ones = np.ones(len(where), dtype=np.int32)
        matrix = scipy.sparse.csr_matrix((ones, where, start), shape=(len(sizes), self.atoms.size))
        shared = (matrix @ matrix.T).tocoo()
        lies = shared.data == sizes[shared.row]
        pairs = (shared.row[lies], shared.col[lies])
        return scipy.sparse.csr_matrix((np.ones(lies.sum(), np.bool_), pairs), shape=shared.shape)


def read_atoms(
    column: str, released: Any, ground: Any = (), builder: Any = None, wildcard: bool = False
) -> Atoms:
    """The atoms of a column, from texts as released and values as found."""
    return Atoms.of(column, released, builder, ground, wildcard=wildcard)


@dataclass(frozen=True)
class Reading:
    """How texts are read: the hierarchies of a policy, and what a missing value means."""

    builders: Mapping[str, Any]
    wildcard: bool = False

    @classmethod
    def by(cls, policy: Any) -> Reading:
        """As a policy says; without one, ranges, dates and masked codes are read as they look."""
        if policy is None:
            return cls({})
        builders = {name: column.hierarchy for name, column in policy.columns.items()}
        return cls(builders, policy.missing.wildcard)

    def meaning(
        self, column: str, first: CodedRows, second: CodedRows, *, ground: bool = False
    ) -> Meaning:
        """A column of two files; one that lacks it says nothing. ``ground``: values as found."""
        texts = [file.texts.get(column, (SUPPRESSED,)) for file in (first, second)]
        released = texts[0] if ground else (*texts[0], *texts[1])
        found = texts[1] if ground else ()
        builder = self.builders.get(column)
        atoms = read_atoms(column, released, found, builder, self.wildcard)
        return Meaning.of(atoms, texts[0], texts[1])


def find_shared_columns(first: CodedRows, second: CodedRows) -> list[str]:
    """The columns that both files have; none is an error, not safety."""
    shared = [name for name in first.columns if name in second.columns]
    if not shared:
        what = f"{first.name} and {second.name} have no column in common"
        raise AttackError("", what, "Use the same column names in both files.")
    return shared


def require_overlap(
    meanings: Mapping[str, Meaning], shared: list[str], first: CodedRows, second: CodedRows
) -> None:
    """Refuse files that have a column in which nothing goes together."""
    apart = [name for name in shared if not meanings[name].overlap.nnz]
    if apart:
        what = (
            f"no value of {' or of '.join(map(repr, apart))} in {first.name} can mean the same as "
            f"one in {second.name}"
        )
        fix = (
            "This does not mean that the release is safe: the values may have a different format. "
            f"Give a policy with the hierarchies ({argument('policy')}), or use the same format in "
            "both."
        )
        raise AttackError("", what, fix)
