"""The recoding of rows when each cell has a level of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.errors import InternalError
from discreet.frequency.class_counter import ClassCounter
from discreet.frequency.classes import Floats, Ints, Mask, add_up
from discreet.frequency.frequency_list import AnyCodes, Codes, Entries, FrequencyList
from discreet.hierarchy.hierarchy import SUPPRESSED, Hierarchy
from discreet.hierarchy.lattice import Lattice
from discreet.hierarchy.values import Values
from discreet.measures import ColumnCost, ColumnMeasure, Measure


@dataclass(frozen=True, eq=False)
class CellRecoding:
    """A release that decides cell by cell, on the frequency list.

    The table is cut into parts: part i is ``rows[i]`` rows of the distinct tuple ``owner[i]``, all
    of them released in the same way, or left out if not ``kept[i]``. ``codes[c][i]`` is the
    released value of column c of the part, a code of ``values[c]``. Owners rise; a tuple has
    several parts only if its rows are released in different ways, and then chance decides which of
    its rows are in which part.
    """

    values: tuple[Values, ...]
    owner: Codes
    rows: Ints
    kept: Mask
    codes: tuple[AnyCodes, ...]

    @property
    def suppressed(self) -> int:
        """Rows that are left out."""
        return int(self.rows[~self.kept].sum())

    @property
    def cells_suppressed(self) -> int:
        """Suppressed cells in released rows, except in a column generalized to ``*``."""
        number, rows = 0, self.rows[self.kept]
        for values, all_codes in zip(self.values, self.codes, strict=True):
            codes = all_codes[self.kept]
            silent = values.suppressed[codes]
            if not silent.all() or (codes == values.blank).any():
                number += int(rows[silent].sum())
        return number

    @property
    def divides(self) -> bool:
        """Whether some tuple has rows that are released in different ways."""
        return bool((self.owner[1:] == self.owner[:-1]).any())

    @property
    def levels(self) -> tuple[int | None, ...]:
        """The level of each column, or None if its cells (except suppressed ones) differ."""
        found: list[int | None] = []
        for values, codes in zip(self.values, self.codes, strict=True):
            used = np.unique(codes[self.kept])
            told = used[used != values.blank]
            level = np.unique(np.searchsorted(values.start, told, side="right") - 1)
            found.append(int(level[0]) if len(values.start) and len(level) == 1 else None)
        return tuple(found)

    def starred(self) -> CellRecoding:
        """The same release with the rows that are left out as rows of ``*``."""
        values = tuple(_add_star(v) for v in self.values)
        stars = [v.labels.index(SUPPRESSED) for v in values]
        codes = tuple(np.where(self.kept, c, s) for c, s in zip(self.codes, stars, strict=True))
        return replace(self, values=values, codes=codes, kept=np.ones_like(self.kept))

    def counter(self, problem: Problem) -> ClassCounter:
        """The released classes, counted as a table of their own."""
        hierarchies = tuple(_make_ground_hierarchy(values) for values in self.values)
        kept = np.nonzero(self.kept)[0]
        alike = [v.alike[c[kept]] for v, c in zip(self.values, self.codes, strict=True)]
        different, place = _number_combinations(alike)
        rows = add_up(place, self.rows[kept], len(different)).astype(np.int64)
        codes = tuple(column[different] for column in alike)
        values = {h.column: h.labels[0] for h in hierarchies}
        frequency = FrequencyList(
            problem.frequency.columns,
            codes,
            rows,
            values,
            self._count_entries(problem, kept, place),
        )
        return ClassCounter(frequency, Lattice(hierarchies), problem.counter.references)

    def score(self, problem: Problem, measure: Measure, class_sizes: Ints) -> float:
        """Any measure of this release."""
        if isinstance(measure, ColumnMeasure):
            return self._score_columns(problem, measure)
        return measure.score(class_sizes, self.suppressed)

    def _score_columns(self, problem: Problem, measure: ColumnMeasure) -> float:
        cost = measure.on(problem.table)
        return cost.score(problem.lattice.bottom, self.price_cells(problem, cost))

    def price_cells(self, problem: Problem, cost: ColumnCost) -> Floats:
        """The cost that this release adds in each column to that of the values as found."""
        mass = weigh_parts(problem, self.owner, self.rows)
        risen = np.zeros(len(self.values))
        for c, (values, codes) in enumerate(zip(self.values, self.codes, strict=True)):
            worth = cost.worth(c, values.leaves, values.steps, values.mass)
            left = np.where(self.kept, np.where(values.suppressed, 0.0, worth)[codes], 0.0)
            ground = cost.rise[c][0][problem.frequency.codes[c][self.owner]]
            risen[c] = float((mass * (ground - left)).sum())
        return risen

    def _count_entries(
        self, problem: Problem, kept: npt.NDArray[np.int64], place: npt.NDArray[np.int64]
    ) -> Mapping[str, Entries]:
        """Sensitive values by released class."""
        if not problem.frequency.sensitive:
            return {}
        if self.divides:
            raise InternalError(
                "rows alike were released in different ways under a sensitive promise"
            )
        home = np.full(len(problem.frequency), -1, dtype=np.int64)
        home[self.owner[kept]] = place
        return {
            name: sum_entries_by_class(entries, home, len(problem.counter.references[name].counts))
            for name, entries in problem.frequency.sensitive.items()
        }


def recode_at_levels(
    problem: Problem,
    levels: npt.NDArray[Any],
    owner: npt.NDArray[Any] | None = None,
    rows: npt.NDArray[Any] | None = None,
    kept: Mask | None = None,
    blank: str | None = SUPPRESSED,
) -> CellRecoding:
    """Parts released at ``levels[part, column]``; one above a column's height is suppressed.

    Without ``owner`` and ``rows`` there is one part for each distinct tuple, in their order.
    ``blank`` is the text of a suppressed cell.
    """
    frequency = problem.frequency
    if owner is None or rows is None:
        owner, rows = np.arange(len(frequency)), frequency.rows
    order = np.argsort(owner, kind="stable")
    owner, rows, levels = owner[order], rows[order], levels[order]
    left = np.ones(len(owner), dtype=np.bool_) if kept is None else kept[order]
    counted = add_up(owner, rows, len(frequency))
    if (counted != frequency.rows).any() or (rows <= 0).any():
        raise InternalError("a release does not account for every row once")
    values = list_cell_values(problem, blank)
    codes = tuple(
        v.at(h, frequency.codes[c][owner], levels[:, c])
        for c, (v, h) in enumerate(zip(values, problem.lattice.hierarchies, strict=True))
    )
    return CellRecoding(values, owner.astype(np.int32), rows.astype(np.int64), left, codes)


def list_cell_values(problem: Problem, blank: str | None = SUPPRESSED) -> tuple[Values, ...]:
    """The possible released values of each column's cells."""
    table = problem.table
    return tuple(
        Values.of(h, marginal, blank)
        for h, marginal in zip(table.hierarchies, table.marginals, strict=True)
    )


def weigh_parts(problem: Problem, owner: npt.NDArray[Any], rows: npt.NDArray[Any]) -> Floats:
    """The weight of parts in the measures: their rows, or their share of the tuple's weight."""
    weight = problem.frequency.tallies.get("weight")
    if weight is None:
        return rows.astype(np.float64)
    share: Floats = weight[owner] * rows / problem.frequency.rows[owner]
    return share


def sum_entries_by_class(entries: Entries, home: npt.NDArray[Any], values: int) -> Entries:
    """Sensitive values by new class, with equal values of a class added up.

    Values whose ``home`` is -1 are left out.
    """
    place = home[entries.owner].astype(np.int64)
    inside = place >= 0
    pair = place[inside] * values + entries.value[inside]
    different, where = np.unique(pair, return_inverse=True)
    summed = np.bincount(where, weights=entries.count[inside], minlength=len(different))
    return Entries(
        (different // values).astype(np.int32),
        (different % values).astype(np.int32),
        summed.astype(np.int64),
    )


def _number_combinations(
    columns: list[Codes],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """A row for each distinct combination, and the number of each row's combination."""
    order = np.lexsort(columns[::-1])
    new = np.zeros(len(order), dtype=np.bool_)
    new[:1] = True
    for column in columns:
        ranked = column[order]
        new[1:] |= ranked[1:] != ranked[:-1]
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    return order[new], number


def _make_ground_hierarchy(values: Values) -> Hierarchy:
    """The distinct texts of a column as a hierarchy with no levels above them."""
    codes = np.arange(len(values.texts), dtype=np.int32)
    ones = np.ones(len(values.texts), dtype=np.int64)
    return Hierarchy(values.column, (codes,), (values.texts,), (ones,), len(values.texts))


def _add_star(values: Values) -> Values:
    """The values with ``*`` among them."""
    if SUPPRESSED in values.labels:
        return values
    return replace(
        values,
        labels=(*values.labels, SUPPRESSED),
        leaves=np.append(values.leaves, values.leaves[-1]),
        steps=np.append(values.steps, 1.0),
        mass=np.append(values.mass, values.mass[-1]),
        suppressed=np.append(values.suppressed, True),
    )
