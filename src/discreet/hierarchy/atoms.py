"""What the texts of a column can mean, in terms of atoms that no text divides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.hierarchy.axes import choose_axis
from discreet.hierarchy.hierarchy import SUPPRESSED, Builder
from discreet.hierarchy.places import HIGH, LOW, Cut, Place

Ints = NDArray[np.int64]
Runs = tuple[tuple[int, int], ...]
"""Runs of atoms, each from its first to before its end, in rising order."""


@dataclass(frozen=True, eq=False)
class Atoms:
    """The domain of a column, cut so that every text seen is a union of pieces: its atoms.

    Two texts can mean the same person if they share an atom. A suppressed cell (``*``) has all
    atoms. A missing value is a value of its own, or with ``wildcard`` all atoms. There are also
    atoms for values that are not written anywhere: the ages between two ends, the rest of a masked
    code.

    Parameters
    ----------
    column
        The column's name.
    size
        How many atoms there are, numbered from 0; neighbours on a line have consecutive numbers.
    runs
        The atoms of each text, as runs of numbers.
    ground
        The values as found, of a private table or a register.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2: a value of a hierarchy stands for the ground values under it.
    *Departures*: ranges of numbers and of days need not be in any hierarchy. A text that cannot be
    read means only itself. Numbers and dates written in two ways (1, 01) are two values, unless the
    policy declares the column as numbers or dates and the released text is in the form that it
    writes. *Cost*: one sort of the distinct texts; memory for them, whatever the number of atoms.

    Examples
    --------
    >>> ages = Atoms.of("age", ["20-29", "25-39", "*"], ground=["21", "27", "33"])
    >>> ages.overlap("20-29", "27"), ages.overlap("20-29", "33"), ages.overlap("20-29", "25-39")
    (True, False, True)
    """

    column: str
    size: int
    runs: Mapping[str | None, Runs] = field(repr=False)
    ground: frozenset[str | None] = field(repr=False)

    @classmethod
    def of(
        cls,
        column: str,
        texts: Iterable[str | None],
        hierarchy_builder: Builder | None = None,
        ground: Iterable[str | None] = (),
        *,
        wildcard: bool = False,
    ) -> Atoms:
        """Divide a column's domain by the texts of releases and by values as found (``ground``).

        ``hierarchy_builder`` is the policy's; without it, ranges, dates and masked codes are read
        if the values as found are of that kind. ``wildcard``: the policy has ``missing: wildcard``.
        """
        found = list(dict.fromkeys(ground))
        every = list(dict.fromkeys([*texts, *found]))
        told = [text for text in every if text is not None and text != SUPPRESSED]
        values = [text for text in found if text is not None and text != SUPPRESSED]
        axis = choose_axis(column, hierarchy_builder, values, told, None in every)
        places = {text: axis.place(text) for text in told}
        runs, size = _cut(places)
        for text, place in places.items():
            if place is not None and place.missing:
                runs[text] += ((size, size + 1),)
        everything = ((0, size + 2),)
        runs[SUPPRESSED] = everything
        runs[None] = everything if wildcard else ((size, size + 1),)
        return cls(column, size + 2, runs, frozenset(found))

    def __repr__(self) -> str:
        return f"Atoms({self.column!r}: {len(self.runs)} texts, {self.size} atoms)"

    def find_runs(self, text: str | None) -> Runs:
        """The atoms of a text, as runs of numbers from a first to before an end."""
        if text not in self.runs:
            what = f"column '{self.column}': a text that its atoms were not made with"
            raise InternalError(what)
        return self.runs[text]

    def find_value_runs(self, value: str | None) -> Runs:
        """The atoms of a value as found, where ``*`` is a value like any other."""
        if value == SUPPRESSED:
            return ((self.size - 1, self.size),)
        return self.find_runs(value)

    def fits(self, text: str | None, value: str | None) -> bool:
        """Whether a released text can represent a value as found."""
        return bool(_intersect_runs(self.find_runs(text), self.find_value_runs(value)))

    def list_atoms(self, text: str | None) -> Ints:
        """The numbers of a text's atoms, rising."""
        return np.concatenate([np.arange(*run, dtype=np.int64) for run in self.find_runs(text)])

    def overlap(self, one: str | None, other: str | None) -> bool:
        """Whether two texts can represent the same value."""
        return bool(_intersect_runs(self.find_runs(one), self.find_runs(other)))

    def meet(self, one: str | None, other: str | None) -> Ints:
        """The atoms that two texts share, rising; its bytes make a key."""
        shared = _intersect_runs(self.find_runs(one), self.find_runs(other))
        return np.concatenate(
            [np.empty(0, np.int64), *(np.arange(*run, dtype=np.int64) for run in shared)]
        )

    def matrix(self, texts: Sequence[str | None]) -> Any:
        """Which text has which atom: a sparse Boolean matrix, texts by atoms."""
        rows = [self.list_atoms(text) for text in texts]
        start = np.cumsum([0, *map(len, rows)])
        where = np.concatenate([np.empty(0, np.int64), *rows])
        shape = (len(rows), self.size)
        return scipy.sparse.csr_matrix((np.ones(len(where), np.bool_), where, start), shape=shape)

    def count_recognized(self, texts: Iterable[str | None]) -> int:
        """How many distinct texts can represent a value as found; ``*`` is not counted."""
        runs = sorted(run for value in self.ground for run in self.find_value_runs(value))
        starts = np.array([run[0] for run in runs], dtype=np.int64)
        ends = np.maximum.accumulate(np.array([run[1] for run in runs], dtype=np.int64))
        told = {text for text in texts if text != SUPPRESSED}
        return sum(_meets(self.find_runs(text), starts, ends) for text in told)


def _meets(runs: Runs, starts: Ints, ends: Ints) -> bool:
    """Whether any run meets one of many, given by rising starts and the furthest end so far."""
    for first, end in runs:
        before = int(np.searchsorted(starts, end, side="left"))
        if before and ends[before - 1] > first:
            return True
    return False


def _intersect_runs(one: Runs, other: Runs) -> list[tuple[int, int]]:
    """The runs that are in both of two rising lists."""
    shared, i, j = [], 0, 0
    while i < len(one) and j < len(other):
        first, end = max(one[i][0], other[j][0]), min(one[i][1], other[j][1])
        if first < end:
            shared.append((first, end))
        if one[i][1] <= other[j][1]:
            i += 1
        else:
            j += 1
    return shared


def _cut(places: Mapping[str, Place | None]) -> tuple[dict[str | None, Runs], int]:
    """Number the atoms along the line, and after them those of texts that are not on it.

    There is one atom between two adjacent cuts, followed by one for each exact text there.
    """
    placed = {text: place for text, place in places.items() if place is not None}
    stretches = {end for place in placed.values() for pair in place.stretches for end in pair}
    cuts = sorted(stretches | {LOW, HIGH})
    segment = {cut: number for number, cut in enumerate(cuts)}
    writings: dict[Cut, list[str]] = {}
    for text, place in placed.items():
        if place.exact:
            writings.setdefault(place.stretches[0][0], []).append(text)
    more = np.zeros(len(cuts), dtype=np.int64)
    for cut, alike in writings.items():
        more[segment[cut] + 1] += len(alike)
    first = (np.arange(len(cuts)) + np.cumsum(more)).tolist()
    runs: dict[str | None, Runs] = {}
    for text, place in placed.items():
        runs[text] = tuple((first[segment[a]], first[segment[b]]) for a, b in place.stretches)
    for cut, alike in writings.items():
        for number, text in enumerate(sorted(alike), first[segment[cut]] + 1):
            runs[text] = ((number, number + 1),)
    size = first[-1]
    for text in [text for text, place in places.items() if place is None]:
        runs[text] = ((size, size + 1),)
        size += 1
    return runs, size
