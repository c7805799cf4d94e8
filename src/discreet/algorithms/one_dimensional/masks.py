"""All columns masked, each by itself, so that together they show no more than is allowed."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from discreet.algorithms.one_dimensional.categories import level_sizes
from discreet.algorithms.one_dimensional.column_mask import (
    ColumnMask,
    Method,
    Shown,
    category_mask,
    number_mask,
)
from discreet.algorithms.one_dimensional.ordered_values import OrderedValues
from discreet.algorithms.one_dimensional.values_kept import whole_values_kept
from discreet.algorithms.problem import Problem
from discreet.errors import ParameterError
from discreet.frequency.classes import Ints, add_up


@dataclass(eq=False)
class Masking:
    """The columns of a problem, ready to be masked for any number of combinations."""

    problem: Problem
    ordered: tuple[OrderedValues | None, ...]
    choices: tuple[Ints, ...]
    method: Method
    shown: Shown
    _made: dict[tuple[int, int], ColumnMask] = field(default_factory=dict)

    @classmethod
    def of(
        cls, problem: Problem, ranges: tuple[str, ...], method: Method, shown: Shown, owner: str
    ) -> Self:
        """Read the columns that are to be ranges; refused if one is none, or has no order."""
        for name in ranges:
            if name not in problem.frequency.columns:
                raise ParameterError(owner, "ranges", f"quasi columns; '{name}' is none")
        ordered = tuple(
            OrderedValues.of(h) if h.column in ranges else None for h in problem.lattice.hierarchies
        )
        choices = []
        for values, hierarchy in zip(ordered, problem.lattice.hierarchies, strict=True):
            if values is None:
                choices.append(level_sizes(hierarchy))
            else:
                most = values.missing + int((values.rank == values.missing).any())
                choices.append(np.arange(1, max(1, most) + 1))
        return cls(problem, ordered, tuple(choices), method, shown)

    def masks(self, columns: tuple[int, ...], allowed: int) -> tuple[ColumnMask, ...]:
        """Mask these columns to show at most so many combinations; the others stay as they are.

        A column that ends up with fewer values than it was given is left so, and the others
        share the rest.
        """
        weights = self.problem.table.weights
        done = {
            c: self._mask(c, int(choices[-1]))
            for c, choices in enumerate(self.choices)
            if c not in columns
        }
        open_columns, room = list(columns), allowed
        while open_columns:
            counts = whole_values_kept(
                room, [weights[c] for c in open_columns], [self.choices[c] for c in open_columns]
            )
            given = dict(zip(open_columns, counts, strict=True))
            found = {c: self._mask(c, count) for c, count in given.items()}
            short = [c for c in open_columns if found[c].count < given[c]]
            finished = short or open_columns
            done |= {c: found[c] for c in finished}
            room //= math.prod(found[c].count for c in finished)
            open_columns = [c for c in open_columns if c not in done]
        return tuple(done[c] for c in range(len(self.choices)))

    def _mask(self, column: int, most: int) -> ColumnMask:
        key = (column, most)
        if key not in self._made:
            self._made[key] = self._masked(column, most)
        return self._made[key]

    def _masked(self, column: int, most: int) -> ColumnMask:
        problem, ordered = self.problem, self.ordered[column]
        hierarchy = problem.lattice.hierarchies[column]
        marginal = problem.table.marginals[column]
        codes = problem.frequency.codes[column]
        rows = add_up(codes, problem.frequency.rows, hierarchy.size(0)).astype(np.int64)
        if ordered is None:
            return category_mask(hierarchy, marginal, rows, most)
        return number_mask(ordered, hierarchy, marginal, rows, most, self.method, self.shown)
