"""Classes as a ledger knows them: by a keyed hash of what their rows are released as."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from discreet.algorithms.cell_solution import CellSolution
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Solution
from discreet.display import dataclass
from discreet.frequency.classes import Ints, add_up
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.ledger.key import Key
from discreet.ledger.numbered import numbered


def released_classes(
    key: Key, table: str, problem: Problem, solution: Solution | CellSolution
) -> dict[str, int]:
    """The rows of each class that is released, by fingerprint, in an order that says nothing."""
    if isinstance(solution, CellSolution):
        counter = solution.recoding.counter(problem)
        node: tuple[int, ...] = counter.base.node
        keys, rows = counter.base.keys, counter.base.rows
    else:
        counter, node = problem.counter, solution.node
        keys, rows = solution.groups.keys, solution.kept
    there = np.nonzero(rows > 0)[0]
    labels = [
        _texts(hierarchy, level, counter.packing.unpack(keys, c)[there])
        for c, (hierarchy, level) in enumerate(zip(counter.lattice.hierarchies, node, strict=True))
    ]
    prints = _fingerprints(key, table, problem.frequency.columns, labels)
    return dict(sorted(zip(prints, rows[there].tolist(), strict=True)))


@dataclass(frozen=True, eq=False)
class ClassesNow:
    """The classes that the table has now at the levels of an earlier release.

    ``owner`` is the class of each distinct tuple and ``first`` one tuple of each class; ``rows``
    are the rows it has now, ``prints`` its fingerprints.
    """

    owner: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    rows: Ints
    prints: tuple[str, ...]


def classes_now(
    key: Key,
    table: str,
    frequency: FrequencyList,
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int],
) -> ClassesNow:
    """Group the distinct tuples of a table as an earlier release grouped its rows."""
    codes = [
        hierarchies[name].maps[level][frequency.codes[frequency.columns.index(name)]]
        for name, level in levels.items()
    ]
    owner = numbered(codes)
    first = np.zeros(int(owner.max(initial=-1)) + 1, dtype=np.int64)
    first[owner[::-1]] = np.arange(len(owner))[::-1]
    labels = [
        _texts(hierarchies[name], level, column[first])
        for (name, level), column in zip(levels.items(), codes, strict=True)
    ]
    rows = add_up(owner, frequency.rows, len(first)).astype(np.int64)
    return ClassesNow(owner, first, rows, tuple(_fingerprints(key, table, list(levels), labels)))


def _texts(hierarchy: Hierarchy, level: int, codes: npt.NDArray[np.integer]) -> list[str | None]:
    labels = hierarchy.labels[level]
    return [labels[code] for code in codes.tolist()]


def _fingerprints(
    key: Key, table: str, columns: Sequence[str], labels: Sequence[Iterable[str | None]]
) -> list[str]:
    rows = zip(*labels, strict=True)
    return [key.fingerprint(table, zip(columns, row, strict=True)) for row in rows]
