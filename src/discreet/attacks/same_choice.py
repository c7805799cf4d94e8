"""Decides whether the program would have made the same release if people had other values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from discreet.algorithms.optimal.box_search import DECIMALS
from discreet.algorithms.optimal.optimal import Optimal
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Solution
from discreet.attacks.worlds import LEFT_OUT, People, World
from discreet.display import dataclass
from discreet.errors import DiscreetError
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Classes, Histogram, Ints, Mask
from discreet.frequency.frequency_list import Entries, KeyIndex
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.hierarchy.lattice import Node

MOST_NODES = 20_000
"""In larger lattices the search is run again for each world."""

MOST_PLACES = 20_000_000
"""Tuples times nodes for which classes are held in memory."""


class SameChoice:
    """Runs the algorithm again for other sensitive values, and compares the releases as text."""

    def __init__(self, problem: Problem, solution: Any, algorithm: Any, stars: bool) -> None:
        self.problem = problem
        self._algorithm = algorithm
        self._stars = stars
        self._texts: dict[tuple[int, str | None], int] = {}
        self.shown = self._number_released(problem, solution)

    def gives_same_release(self, entries: Mapping[str, Entries]) -> bool:
        """Whether the algorithm gives the same release if people had these values."""
        problem = self.problem.with_sensitive(entries)
        try:
            shown = self._number_released(problem, self._algorithm(problem))
        except DiscreetError:  # no release at all is not this release
            return False
        return self.shown is not None and np.array_equal(shown, self.shown)

    def _number_released(self, problem: Problem, solution: Any) -> Ints:
        """The released values of each distinct tuple: a number for each column's text."""
        columns = range(len(problem.frequency.columns))
        if isinstance(solution, CellSolution):
            recoding = solution.recoding
            texts = [self._number_texts(c, recoding.values[c].labels) for c in columns]
            shown = np.column_stack([texts[c][recoding.codes[c]] for c in columns])
            return self._hide_suppressed(shown, ~recoding.kept)
        node, hierarchies = solution.node, problem.lattice.hierarchies
        codes = find_codes_at(problem, node)
        texts = [self._number_texts(c, hierarchies[c].labels[node[c]]) for c in columns]
        shown = np.column_stack([texts[c][codes[c]] for c in columns])
        return self._hide_suppressed(
            shown, (solution.dropped > 0)[find_classes_at(problem, solution.groups)]
        )

    def _hide_suppressed(self, shown: Ints, dropped: Any) -> Ints:
        """Suppressed rows show nothing, or ``*`` in every column."""
        for column in range(shown.shape[1]):
            star = self._number_texts(column, (SUPPRESSED,))[0] if self._stars else LEFT_OUT
            shown[dropped, column] = star
        return shown

    def _number_texts(self, column: int, texts: Sequence[str | None]) -> Ints:
        """Texts of a column as numbers; alike texts look alike, whatever their level."""
        known = self._texts
        return np.array([known.setdefault((column, t), len(known)) for t in texts], dtype=np.int64)


def find_codes_at(problem: Problem, node: Node) -> list[Ints]:
    """The code of every distinct tuple in each column at the levels of a node."""
    return [
        hierarchy.maps[level][codes].astype(np.int64)
        for hierarchy, level, codes in zip(
            problem.lattice.hierarchies, node, problem.frequency.codes, strict=True
        )
    ]


def find_classes_at(problem: Problem, groups: Groups) -> Ints:
    """The class of every distinct tuple at a node."""
    keys = problem.counter.packing.pack(find_codes_at(problem, groups.node), len(problem.frequency))
    return KeyIndex(groups.keys).find(keys).astype(np.int64)


def search_each_world(people: People, same: SameChoice, worlds: Sequence[World]) -> Mask:
    """Run the algorithm once for each world."""
    return np.array(
        [same.gives_same_release(people.entries(world)) for world in worlds], dtype=np.bool_
    )


@dataclass(frozen=True, eq=False)
class _Rival:
    """A node that would have been taken instead, had it kept the promises."""

    groups: Groups
    place: Ints
    base: tuple[Any, ...]


class Rivals:
    """The choice of ``optimal``: a world fits if no rival of the released node keeps the promises.

    What each node loses is known beforehand, so only its promises are looked at, for many worlds
    together: their classes are numbered through as if they were those of one large table.
    """

    def __init__(self, people: People, problem: Problem, solution: Solution) -> None:
        self._people = people
        self._problem = problem
        self._quasi = problem.requirement.quasis[0]
        self._own = _Rival(solution.groups, find_classes_at(problem, solution.groups), ())
        self._dropped = solution.dropped > 0
        attempt = problem.attempt(solution.node)
        assert attempt.score is not None
        self._key = self._make_key(attempt.score, attempt.suppressed, solution.node)
        self._rivals = self._list_rivals()

    def __len__(self) -> int:
        return len(self._rivals)

    @staticmethod
    def can_decide(problem: Problem, solution: Any, algorithm: Any) -> bool:
        """Whether the choice is of this kind: the best node by promises about single classes."""
        needed = problem.requirement
        return (
            isinstance(algorithm, Optimal)
            and problem.lattice.nodes <= MOST_NODES
            and problem.lattice.nodes * len(problem.frequency) <= MOST_PLACES
            and len(needed.quasis) == 1
            and len(needed.quasis[0].places) == len(problem.frequency.columns)
            and not needed.quasis[0].table_models
            and not needed.quasis[0].register_models
            and not needed.wildcard
            and needed.floor is None
        )

    def fits(self, worlds: Sequence[World]) -> Mask:
        """Mark the worlds of which this release would have been made."""
        own = self._fails(self._own, worlds)
        good: Mask = (own == self._dropped).all(axis=1)
        for rival in self._rivals:
            left = np.nonzero(good)[0]
            if not len(left):
                break
            fails = self._fails(rival, [worlds[place] for place in left])
            good[left[[self._wins(rival, one) for one in fails]]] = False
        return good

    def _wins(self, rival: _Rival, fails: Mask) -> bool:
        """Whether a node with these failing classes would have been preferred."""
        problem, groups = self._problem, rival.groups
        suppressed = int(groups.rows[fails].sum())
        if suppressed > problem.limit:
            return False
        if not suppressed:
            return bool(rival.base < self._key)
        if problem.cost is not None:
            risen = problem.price_suppressed(groups, np.where(fails, groups.rows, 0), problem.cost)
            score = problem.cost.score(groups.node, risen)
        else:
            kept = groups.rows[~fails & (groups.rows > 0)]
            score = problem.class_measure.score(kept, suppressed)
        return bool(self._make_key(score, suppressed, groups.node) < self._key)

    def _fails(self, node: _Rival, worlds: Sequence[World]) -> Mask:
        """Which classes of a node fail, in each world."""
        size, number = len(node.groups), len(worlds)
        place = np.concatenate(
            [node.place[world.owner] + size * n for n, world in enumerate(worlds)]
        )
        combination = np.concatenate([world.combination for world in worlds])
        count = np.concatenate([world.count for world in worlds])
        histograms = {}
        for name, codes in self._people.values.items():
            values = int(codes.max()) + 1
            dense = np.bincount(
                place * values + codes[combination], count, minlength=size * number * values
            )
            pair = np.nonzero(dense)[0]
            histograms[name] = Histogram(
                (pair // values).astype(np.int32),
                (pair % values).astype(np.int32),
                dense[pair].astype(np.int64),
                self._problem.counter.references[name],
            )
        rows = np.tile(node.groups.rows, number)
        return self._quasi.fails(Classes(rows, histograms)).reshape(number, size)

    def _list_rivals(self) -> list[_Rival]:
        """Nodes that lose less, unless sizes of classes alone rule them out; coarse ones first.

        Without suppressed rows a node that keeps the promises has none coarser that breaks them,
        so that the coarsest rivals stand for all.
        """
        problem = self._problem
        found: list[_Rival] = []
        levels = [range(height + 1) for height in problem.lattice.top]
        for node in sorted(product(*levels), key=lambda node: (-sum(node), node)):
            if node == self._own.groups.node:
                continue
            if not problem.limit and any(_is_coarser(r.groups.node, node) for r in found):
                continue
            base = self._find_base_key(node)
            if base is not None and base >= self._key:
                continue
            groups = problem.counter.groups(node)
            small = groups.rows < self._quasi.least_rows
            if int(groups.rows[small].sum()) > problem.limit:
                continue
            if base is None:
                score = problem.class_measure.score(groups.rows[groups.rows > 0], 0)
                base = self._make_key(score, 0, node)
                if not problem.limit and base >= self._key:
                    continue
            found.append(_Rival(groups, find_classes_at(problem, groups), base))
        return found

    def _find_base_key(self, node: Node) -> tuple[Any, ...] | None:
        """The key of a node that suppresses nothing, where no suppressed row can make it less."""
        if self._problem.cost is None:
            return None
        score = self._problem.cost.score(node, np.zeros(len(node)))
        return self._make_key(score, 0, node)

    def _make_key(self, score: float, suppressed: int, node: Node) -> tuple[Any, ...]:
        """What the search compares, as ``BoxSearch`` of ``algorithms.optimal`` does."""
        preferred = tuple(node[column] for column in self._problem.prefer)
        return round(score, DECIMALS), preferred, suppressed, node


def _is_coarser(one: Node, other: Node) -> bool:
    return all(a >= b for a, b in zip(one, other, strict=True))
