"""Whether suppressed rows may stay in the release as rows of ``*``."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.cell_recoding import moved
from discreet.algorithms.cell_solution import CellSolution, cell_solution
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Solution
from discreet.display import dataclass
from discreet.frequency.class_counter import ClassCounter
from discreet.frequency.classes import Ints, add_up
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy.hierarchy import SUPPRESSED, Hierarchy
from discreet.hierarchy.lattice import Lattice
from discreet.models.verdict import Verdict


@dataclass(frozen=True, eq=False)
class Starred:
    """A release with suppressed rows as rows of ``*``: its class sizes, and what holds of it."""

    class_sizes: Ints
    verdicts: tuple[Verdict, ...]


def with_stars(problem: Problem, solution: Solution | CellSolution) -> Starred | None:
    """The release with suppressed rows as rows of ``*``, or None if that breaks a promise.

    The rows of ``*`` look alike, and like any class that is all ``*`` anyway. If they number fewer
    than k, or their sensitive values give too much away, they would be what breaks the policy. All
    promises are measured anew on the whole of what would be released.
    """
    if isinstance(solution, CellSolution):
        return _cells_with_stars(problem, solution)
    partly = (solution.dropped > 0) & (solution.dropped < solution.groups.rows)
    if not solution.suppressed or (partly.any() and solution.groups.entries):
        return None
    counter = _release_counter(problem, solution)
    everything = np.ones(len(counter.base), dtype=np.bool_)
    verdicts = problem.requirement.verdicts(counter, counter.base, everything)
    if not all(verdict.holds for verdict in verdicts):
        return None
    return Starred(counter.base.rows, verdicts)


def _cells_with_stars(problem: Problem, solution: CellSolution) -> Starred | None:
    if not solution.suppressed:
        return None
    recoding = solution.recoding.starred()
    released = cell_solution(problem, solution.algorithm, recoding, solution.search)
    return Starred(released.class_sizes, released.verdicts) if released.holds else None


def _release_counter(problem: Problem, solution: Solution) -> ClassCounter:
    """The classes that would be released, counted as a table of their own."""
    levels = zip(problem.lattice.hierarchies, solution.node, strict=True)
    hierarchies = tuple(_as_ground(hierarchy, level) for hierarchy, level in levels)
    stars = [hierarchy.labels[0].index(SUPPRESSED) for hierarchy in hierarchies]
    kept = np.nonzero(solution.kept > 0)[0]
    packing, keys = problem.counter.packing, solution.groups.keys
    codes = [packing.unpack(keys, column)[kept] for column in range(len(stars))]
    alike = np.all([c == s for c, s in zip(codes, stars, strict=True)], axis=0)
    rows = solution.kept[kept]
    place = int(alike.argmax()) if alike.any() else len(kept)
    if place == len(kept):
        codes = [np.append(c, np.int32(s)) for c, s in zip(codes, stars, strict=True)]
        rows = np.append(rows, 0)
    rows[place] += solution.suppressed
    owner = np.full(len(solution.groups), place, dtype=np.int32)
    owner[kept] = np.arange(len(kept), dtype=np.int32)
    entries = {
        name: moved(e, owner, len(problem.counter.references[name].counts))
        for name, e in solution.groups.entries.items()
    }
    values = {h.column: h.labels[0] for h in hierarchies}
    columns = tuple(h.column for h in hierarchies)
    tallies = {
        name: add_up(owner, sums, len(rows))
        for name, sums in zip(problem.counter.tallied, solution.groups.tallies, strict=True)
    }
    frequency = FrequencyList(columns, tuple(codes), rows, values, entries, tallies)
    return ClassCounter(frequency, Lattice(hierarchies), problem.counter.references)


def _as_ground(hierarchy: Hierarchy, level: int) -> Hierarchy:
    """The values of one level, and ``*``, with nothing above them."""
    labels = hierarchy.labels[level]
    labels = labels if SUPPRESSED in labels else (*labels, SUPPRESSED)
    codes = np.arange(len(labels), dtype=np.int32)
    ones = np.ones(len(labels), dtype=np.int64)
    return Hierarchy(hierarchy.column, (codes,), (labels,), (ones,), len(labels))
