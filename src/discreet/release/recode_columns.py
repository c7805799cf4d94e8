"""Rows recoded column by column: every column at one level, some rows left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Solution
from discreet.frequency.key_index import KeyIndex
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.release.parts_by_chance import PartsByChance
from discreet.release.recode import Codes, Mask


class ColumnRecoding:
    """The node of a solution, applied to rows; suppressed rows are left out, or rows of ``*``."""

    def __init__(
        self, problem: Problem, solution: Solution, stars: bool, random: np.random.Generator
    ) -> None:
        self._columns = problem.frequency.columns
        self._hierarchies = problem.lattice.hierarchies
        self._node, self._stars = solution.node, stars
        self._packing = problem.counter.packing
        self._labels = {
            name: pa.array(h.labels[level], pa.string())
            for name, h, level in zip(self._columns, self._hierarchies, self._node, strict=True)
        }
        self._drops = _Drops(solution, random) if solution.suppressed else None

    @property
    def untouched(self) -> frozenset[str]:
        """The quasi columns that are released as they are."""
        if self._stars:
            return frozenset()
        levels = zip(self._columns, self._node, strict=True)
        return frozenset(name for name, level in levels if level == 0)

    def recode(self, ground: Sequence[Codes]) -> tuple[dict[str, pa.Array], Mask | None] | None:
        """The released texts of each quasi column, and which rows are left out."""
        levels = zip(ground, self._hierarchies, self._node, strict=True)
        codes = [hierarchy.maps[level][column] for column, hierarchy, level in levels]
        texts = {
            name: self._labels[name].take(pa.array(column))
            for name, column in zip(self._columns, codes, strict=True)
        }
        if self._drops is None:
            return texts, None
        dropped = self._drops.of(self._packing.pack(codes, len(codes[0])))
        if dropped is None or not self._stars:
            return None if dropped is None else (texts, dropped)
        star = pa.scalar(SUPPRESSED, pa.string())
        out = pa.array(dropped)
        return {name: pa.compute.if_else(out, star, text) for name, text in texts.items()}, None


class _Drops:
    """Which rows are suppressed: all of some classes, a random part of others."""

    def __init__(self, solution: Solution, random: np.random.Generator) -> None:
        self._index = KeyIndex(solution.groups.keys)
        rows, dropped = solution.groups.rows, solution.dropped
        self._whole = dropped == rows
        part = np.nonzero((dropped > 0) & ~self._whole)[0]
        shares = {int(g): np.array([rows[g] - dropped[g], dropped[g]]) for g in part}
        self._part = PartsByChance(shares, random)

    def of(self, keys: npt.NDArray[np.uint64]) -> Mask | None:
        """Whether each row of a batch is suppressed; None if a row is of no class."""
        group = self._index.find(keys)
        if (group < 0).any():
            return None
        dropped: Mask = self._whole[group]
        for here, part in self._part.of(group):
            dropped[here] = part == 1
        return dropped
