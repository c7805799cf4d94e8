"""Masks all columns, each by itself, so that they show no more combinations than allowed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import field
from typing import Self

import numpy as np

from discreet.algorithms.probabilistic.column_mask import (
    ColumnMask,
    Method,
    OrderedValues,
    Shown,
    list_level_sizes,
    mask_category,
    number_mask,
)
from discreet.algorithms.probabilistic.values_kept import choose_whole_values
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Ints, add_up
from discreet.hierarchy.refusals import UnreadableValuesError


@dataclass(eq=False)
class Masking:
    """The columns of a problem, ready to be masked for any number of combinations."""

    problem: Problem
    ordered: tuple[OrderedValues | None, ...]
    choices: list[Ints]
    method: Method
    shown: Shown
    _made: dict[tuple[int, int], ColumnMask] = field(default_factory=dict)

    @classmethod
    def of(
        cls, problem: Problem, ranges: tuple[str, ...], method: Method, shown: Shown, owner: str
    ) -> Self:
        """Read the columns to release as ranges; refused if one does not exist or has no order."""
        for name in ranges:
            if name not in problem.frequency.columns:
                raise ParameterError(owner, "ranges", f"quasi columns; '{name}' is none")
        ordered = tuple(
            OrderedValues.of(h) if h.column in ranges else None for h in problem.lattice.hierarchies
        )
        choices: list[Ints] = []
        for values, hierarchy in zip(ordered, problem.lattice.hierarchies, strict=True):
            if values is None:
                choices.append(list_level_sizes(hierarchy))
            else:
                most = values.missing + int((values.rank == values.missing).any())
                choices.append(np.arange(1, max(1, most) + 1))
        return cls(problem, ordered, choices, method, shown)

    def masks(self, columns: tuple[int, ...], allowed: int) -> tuple[ColumnMask, ...]:
        """Mask these columns to show at most ``allowed`` combinations; the others stay unchanged.

        Numbers of values that a column turns out not to support are not tried again.
        """
        weights = [self.problem.table.weights[c] for c in columns]
        while True:
            counts = choose_whole_values(allowed, weights, [self.choices[c] for c in columns])
            given = dict(zip(columns, counts, strict=True))
            found = tuple(
                self._mask(c, given.get(c, int(choices[-1])))
                for c, choices in enumerate(self.choices)
            )
            short = [c for c in columns if found[c].count < given[c]]
            if not short:
                return found
            for c in short:
                self._strike(c, found[c].count, given[c])

    def hints(self, masks: tuple[ColumnMask, ...]) -> list[str]:
        """Notes on columns that are lost completely, but would not be as ranges."""
        lost = []
        for c, hierarchy in enumerate(self.problem.lattice.hierarchies):
            if self.ordered[c] is None and masks[c].count == 1 and hierarchy.size(0) > 2:
                with suppress(UnreadableValuesError):
                    OrderedValues.of(hierarchy)
                    lost.append(hierarchy.column)
        return [
            f"{name} is one value for all; named in 'ranges', it could keep more" for name in lost
        ]

    def _strike(self, column: int, fewer: int, asked: int) -> None:
        """Remove the numbers of values from above what a column supports up to what was tried."""
        choices = self.choices[column]
        left = choices[(choices <= fewer) | (choices > asked)]
        self.choices[column] = np.union1d(left, [fewer])

    def _mask(self, column: int, most: int) -> ColumnMask:
        key = (column, most)
        if key not in self._made:
            self._made[key] = self._make_mask(column, most)
        return self._made[key]

    def _make_mask(self, column: int, most: int) -> ColumnMask:
        problem, ordered = self.problem, self.ordered[column]
        hierarchy = problem.lattice.hierarchies[column]
        marginal = problem.table.marginals[column]
        codes = problem.frequency.codes[column]
        rows = add_up(codes, problem.frequency.rows, hierarchy.size(0)).astype(np.int64)
        if ordered is None:
            return mask_category(hierarchy, marginal, rows, most)
        return number_mask(ordered, hierarchy, marginal, rows, most, self.method, self.shown)
