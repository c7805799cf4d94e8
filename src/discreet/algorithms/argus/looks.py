"""What rows are released as, class by class, while cells are being suppressed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.frequency.class_counter import ClassCounter
from discreet.frequency.classes import Ints, Mask


@dataclass(eq=False)
class Looks:
    """Classes that can lose cells and rows; every part of a release is in one of them.

    ``codes[l, c]`` is what class l has in column c, ``star[c]`` the code of a suppressed cell.
    ``home`` is the class of each part, -1 for those left out, ``part`` where it was cut from.
    """

    counter: ClassCounter
    codes: Ints
    star: Ints
    size: Ints
    home: Ints
    rows: Ints
    part: Ints

    @property
    def blank(self) -> Mask:
        """Which cells of each class are suppressed."""
        found: Mask = self.codes == self.star
        return found

    def places(self, lost: Sequence[int], among: Mask) -> tuple[Ints, npt.NDArray[np.int32]]:
        """Where classes go that are alike but for the lost columns: rows of the marked classes
        there, and the place of each class.
        """
        left = [c for c in range(self.codes.shape[1]) if c not in lost]
        classes, place = self.counter.project(self.counter.base, left, among)
        return classes.rows, place

    def rows_alike(self, lost: Sequence[int], among: Mask) -> Ints:
        """Rows of the marked classes that each class is alike with, but for the lost columns."""
        rows, place = self.places(lost, among)
        return rows[place]

    def blanked(self, cells: Mask) -> Looks:
        """The same with these cells of each class suppressed, and classes that are alike joined."""
        codes = np.where(cells, self.star, self.codes)
        different, place = np.unique(codes, axis=0, return_inverse=True)
        place = place.reshape(-1)
        size = np.bincount(place, weights=self.size, minlength=len(different)).astype(np.int64)
        home = np.where(self.home < 0, -1, place[self.home])
        return replace(self, codes=different, size=size, home=home)

    def add(self, like: int, lost: Mask) -> int:
        """A class of no rows yet: like another one, with further cells suppressed."""
        new = np.where(lost, self.star, self.codes[like])
        self.codes = np.vstack([self.codes, new])
        self.size = np.append(self.size, 0)
        return len(self.size) - 1

    def move(self, source: int, number: int, target: int) -> None:
        """Move so many rows of a class to another one; the last part is cut in two if need be."""
        parts = np.nonzero(self.home == source)[0]
        before = np.cumsum(self.rows[parts]) - self.rows[parts]
        moving = parts[before < number]
        if not len(moving):
            raise InternalError("rows were moved from a class that has none")
        spare = int(self.rows[moving].sum()) - number
        self.home[moving] = target
        if spare:
            last = moving[-1]
            self.rows[last] -= spare
            self.home = np.append(self.home, source)
            self.rows = np.append(self.rows, spare)
            self.part = np.append(self.part, self.part[last])
        self.size[source] -= number
        self.size[target] += number

    def recoding(self, before: CellRecoding) -> CellRecoding:
        """The release ``before`` with the cells suppressed that are suppressed here."""
        order = np.argsort(self.part, kind="stable")
        part, home = self.part[order], self.home[order]
        gone = self.blank[home] & (home >= 0)[:, None]
        codes = tuple(
            np.where(gone[:, c] & (values.alike[column[part]] != star), values.blank, column[part])
            for c, (values, column, star) in enumerate(
                zip(before.values, before.codes, self.star, strict=True)
            )
        )
        owner, kept = before.owner[part], before.kept[part]
        return replace(before, owner=owner, rows=self.rows[order], kept=kept, codes=codes)


def looks_of(problem: Problem, recoding: CellRecoding) -> Looks:
    """The classes of a release whose values have one for suppressed cells."""
    from discreet.frequency.key_index import KeyIndex

    if not all(values.suppressed[values.blank] for values in recoding.values):
        raise InternalError("a column has no value for suppressed cells")
    counter = recoding.counter(problem)
    kept = np.nonzero(recoding.kept)[0]
    alike = [v.alike[c[kept]] for v, c in zip(recoding.values, recoding.codes, strict=True)]
    home = np.full(len(recoding.rows), -1, dtype=np.int64)
    home[kept] = KeyIndex(counter.base.keys).find(counter.packing.pack(alike, len(kept)))
    columns = [counter.packing.unpack(counter.base.keys, c) for c in range(len(alike))]
    codes: npt.NDArray[np.int64] = np.stack(columns, axis=1).astype(np.int64)
    return Looks(
        counter,
        codes,
        np.array([v.alike[v.blank] for v in recoding.values], dtype=np.int64),
        counter.base.rows.copy(),
        home,
        recoding.rows.copy(),
        np.arange(len(recoding.rows), dtype=np.int64),
    )
