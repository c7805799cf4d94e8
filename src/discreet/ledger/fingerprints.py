"""Classes as a ledger knows them: by a keyed hash of what their rows are released as."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Solution
from discreet.display import dataclass
from discreet.frequency.classes import Ints, add_up
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.ledger.key import Key

# Lines of numbers, each different one with a number of its own.


Numbers = npt.NDArray[np.int64]
Integers = npt.NDArray[np.integer[Any]]

ROOM = 1 << 62


def number_lines(columns: Sequence[Integers]) -> Numbers:
    """The number of each line; equal lines have equal numbers, which count up from 0.

    >>> number_lines([np.array([7, 7, 9]), np.array([1, 1, 1])]).tolist()
    [0, 0, 1]

    Notes
    -----
    *Cost*: one sort of the lines; more where their numbers outgrow a word.
    """
    found, size = _shift_to_zero(columns[0])
    for column in columns[1:]:
        more, room = _shift_to_zero(column)
        if size * room >= ROOM:
            found, more = _make_dense(found), _make_dense(more)
            size = room = len(found)
        found, size = found * room + more, size * room
    return _make_dense(found)


def _shift_to_zero(column: Integers) -> tuple[Numbers, int]:
    """The same differences as small numbers as can be had without sorting, and their range."""
    if not len(column):
        return column.astype(np.int64), 1
    low, high = int(column.min()), int(column.max())
    if high - low >= ROOM or high >= ROOM:
        return _make_dense(column), len(column)
    return column.astype(np.int64) - low, high - low + 1


def _make_dense(numbers: Integers) -> Numbers:
    return np.unique(numbers, return_inverse=True)[1].reshape(-1).astype(np.int64)


def hash_released_classes(
    key: Key, table: str, problem: Problem, solution: Solution | CellSolution
) -> dict[str, int]:
    """The rows of each released class by fingerprint, in an order that reveals nothing."""
    if isinstance(solution, CellSolution):
        counter = solution.recoding.counter(problem)
        node: tuple[int, ...] = counter.base.node
        keys, rows = counter.base.keys, counter.base.rows
    else:
        counter, node = problem.counter, solution.node
        keys, rows = solution.groups.keys, solution.kept
    there = np.nonzero(rows > 0)[0]
    labels = [
        _list_texts(hierarchy, level, counter.packing.unpack(keys, c)[there])
        for c, (hierarchy, level) in enumerate(zip(counter.lattice.hierarchies, node, strict=True))
    ]
    prints = _hash_labels(key, table, problem.frequency.columns, labels)
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


def group_as_released(
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
    owner = number_lines(codes)
    first = np.zeros(int(owner.max(initial=-1)) + 1, dtype=np.int64)
    first[owner[::-1]] = np.arange(len(owner))[::-1]
    labels = [
        _list_texts(hierarchies[name], level, column[first])
        for (name, level), column in zip(levels.items(), codes, strict=True)
    ]
    rows = add_up(owner, frequency.rows, len(first)).astype(np.int64)
    return ClassesNow(owner, first, rows, tuple(_hash_labels(key, table, list(levels), labels)))


def _list_texts(
    hierarchy: Hierarchy, level: int, codes: npt.NDArray[np.integer]
) -> list[str | None]:
    labels = hierarchy.labels[level]
    return [labels[code] for code in codes.tolist()]


def _hash_labels(
    key: Key, table: str, columns: Sequence[str], labels: Sequence[Iterable[str | None]]
) -> list[str]:
    rows = zip(*labels, strict=True)
    return [key.fingerprint(table, zip(columns, row, strict=True)) for row in rows]


# The generalization of a column's values, which a ledger stores as keyed hashes.


Step = tuple[int, str | None, int, str | None]
"""A level and a label of it, and what that is at a higher level."""


def hash_generalizations(key: Key, table: str, hierarchy: Hierarchy, level: int) -> set[str]:
    """Fingerprints of what a release at a level says of values, and of all above it.

    One for each value of the hierarchy and what it is at the level, and one for each label from
    there up and what is above it. A hierarchy that has all of these gives the same values the same
    meaning; it may have more values, and levels on top.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2: the steps of a value generalization hierarchy. *Departures*: those
    below the level are taken as one, since no later release goes below it. *Cost*: one hash for
    each value and each label above the level.
    """
    column = hierarchy.column
    return {key.step_fingerprint(table, column, step) for step in _list_steps(hierarchy, level)}


def _list_steps(hierarchy: Hierarchy, level: int) -> Iterator[Step]:
    levels = sorted({0, *range(level, hierarchy.height + 1)})
    for low, high in pairwise(levels):
        pairs = zip(hierarchy.maps[low].tolist(), hierarchy.maps[high].tolist(), strict=True)
        for below, above in set(pairs):
            yield low, hierarchy.labels[low][below], high, hierarchy.labels[high][above]
