"""Rows recoded cell by cell: what a row is released as depends on all its quasi values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.problem import Problem
from discreet.frequency.key_index import KeyIndex
from discreet.release.parts_by_chance import PartsByChance
from discreet.release.recode import Codes, Mask


class RowsByCell:
    """A cell-level recoding, applied to rows: found by their tuple, dealt to parts by chance."""

    def __init__(
        self, problem: Problem, recoding: CellRecoding, random: np.random.Generator
    ) -> None:
        self._columns = problem.frequency.columns
        self._packing = problem.counter.packing
        self._index = KeyIndex(problem.counter.base.keys)
        self._recoding = recoding
        self._labels = [pa.array(values.labels, pa.string()) for values in recoding.values]
        self._first = np.searchsorted(recoding.owner, np.arange(len(problem.frequency)))
        last = np.append(self._first[1:], len(recoding.owner))
        several = np.nonzero(last - self._first > 1)[0]
        shares = {int(t): recoding.rows[self._first[t] : last[t]] for t in several}
        self._chance = PartsByChance(shares, random)
        self._whole = bool(recoding.kept.all())

    @property
    def untouched(self) -> frozenset[str]:
        """The quasi columns that are released as they are."""
        kept = self._recoding.kept
        return frozenset(
            name
            for name, values, codes in zip(
                self._columns, self._recoding.values, self._recoding.codes, strict=True
            )
            if len(values.start) and (codes[kept] < values.start[1]).all()
        )

    def recode(self, ground: Sequence[Codes]) -> tuple[dict[str, pa.Array], Mask | None] | None:
        """The released texts of each quasi column, and which rows are left out."""
        owner = self._index.find(self._packing.pack(ground, len(ground[0])))
        if (owner < 0).any():
            return None
        part = self._first[owner]
        for here, which in self._chance.of(owner):
            part[here] += which
        texts = {
            name: labels.take(pa.array(codes[part]))
            for name, labels, codes in zip(
                self._columns, self._labels, self._recoding.codes, strict=True
            )
        }
        return texts, None if self._whole else ~self._recoding.kept[part]
