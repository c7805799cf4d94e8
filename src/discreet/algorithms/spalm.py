"""SPALM: the best release by columns under delta-presence, from the most general one down."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import ClassVar

from discreet.algorithms.claims import make_unreachable_error
from discreet.algorithms.optimal.bounds import ColumnBound
from discreet.algorithms.optimal.box_search import DECIMALS, Progress, descend, find_score
from discreet.algorithms.problem import Attempt, Problem
from discreet.algorithms.solution import Search, Solution, build_solution_at
from discreet.display import dataclass
from discreet.errors import TooLargeError
from discreet.hierarchy.lattice import Node
from discreet.models import BY_CLASS, BY_REGISTER

LARGEST = 2_000_000
"""Larger lattices are left to ``optimal``, which need not visit all nodes."""


@dataclass(frozen=True)
class Spalm:
    """Decides every node of the lattice, from the top down, and takes the best allowed one.

    If a node breaks the promises, so does every finer one, and none of those is visited. If rows
    may be left out, this applies to the least number of rows that finer nodes must leave out. Nodes
    that must be worse than the best so far, given the rows they must leave out, are not counted.

    Notes
    -----
    [Nergiz2007]_, sec. 6.1, algorithm 1. *Departures*: the pseudo-code deletes a node's "siblings";
    what is meant, and done, is the nodes below it. Rows may be left out up to the policy's limit;
    any model that looks at classes; a quick descent finds a first good node. *Cost*: one roll-up
    per node that is not ruled out; :class:`~discreet.algorithms.optimal.optimal.Optimal` finds a
    release as good with fewer.
    """

    name: ClassVar[str] = "spalm"
    claims: ClassVar[tuple[type, ...]] = (*BY_CLASS, *BY_REGISTER)

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> Solution:
        """Solve a problem, or raise if not even the most general release keeps the promises."""
        nodes = problem.lattice.nodes
        if nodes > LARGEST:
            raise TooLargeError.for_algorithm(self.name, "nodes", nodes, LARGEST, "optimal")
        walk = _Walk(problem, seconds, progress)
        best = walk.run()
        if best is None or best.score is None:
            raise make_unreachable_error(problem)
        bound = problem.measure.convert_score(best.score) if walk.ended else None
        search = Search(walk.ended, bound, nodes, walk.checked)
        return build_solution_at(problem, self.name, best.node, None, search)


class _Walk:
    """One run from the top of the lattice down.

    A node that was not counted has the attempt of a coarser one, with its own levels: it leaves out
    at least the rows that one must.
    """

    def __init__(self, problem: Problem, seconds: float | None, progress: Progress | None) -> None:
        self._problem, self._progress = problem, progress
        self._deadline = math.inf if seconds is None else time.monotonic() + seconds
        self._bound = None if problem.cost is None else ColumnBound(problem, problem.cost)
        self.checked, self.ended = 0, False
        self._best: Attempt | None = None

    def run(self) -> Attempt | None:
        """The best node, or the best found until time was up."""
        problem = self._problem
        self._best, self.checked = descend(problem, self._deadline - time.monotonic())
        level: dict[Node, Attempt | None] = {problem.lattice.top: None}
        ruled_out = set[Node]()
        while level:
            below: dict[Node, Attempt | None] = {}
            refused = set[Node]()
            for node in sorted(level):
                if self._best is not None and time.monotonic() > self._deadline:
                    return self._best
                known = self._decide_node(node, level[node])
                if known.least_suppressed > problem.limit:
                    refused.update(_list_children(node))
                else:
                    below |= {
                        child: _pick_stronger_bound(known, below.get(child))
                        for child in _list_children(node)
                    }
            ruled_out = refused | {child for node in ruled_out for child in _list_children(node)}
            level = {node: known for node, known in below.items() if node not in ruled_out}
        self.ended = True
        return self._best

    def _decide_node(self, node: Node, above: Attempt | None) -> Attempt:
        """Count a node, unless it would be worse than the best so far; take it if it is better."""
        if above is not None:
            above = replace(above, node=node)
            if self._loses(above):
                return above
        attempt, best = self._problem.attempt(node), self._best
        self.checked += 1
        if attempt.score is not None and (
            best is None or _rank_attempt(attempt) < _rank_attempt(best)
        ):
            self._best = attempt
        if self._progress is not None:
            self._progress(self.checked, None, find_score(self._problem, self._best))
        return attempt

    def _loses(self, known: Attempt) -> bool:
        """Whether a node is worse than the best so far with what it must leave out at least."""
        best = self._best
        if self._bound is None or best is None or best.score is None:
            return False
        least = self._bound(known.node, known) - 0.5 * 10**-DECIMALS
        return bool(round(least, DECIMALS) > round(best.score, DECIMALS))


def _pick_stronger_bound(one: Attempt, other: Attempt | None) -> Attempt:
    """The one of two coarser nodes with the stronger bound for finer ones."""
    if other is None or one.least_suppressed > other.least_suppressed:
        return one
    return other


def _list_children(node: Node) -> list[Node]:
    """The nodes one level finer in one column."""
    return [(*node[:c], level - 1, *node[c + 1 :]) for c, level in enumerate(node) if level > 0]


def _rank_attempt(attempt: Attempt) -> tuple[float, int, Node]:
    """Smaller is better: score, rows left out, levels."""
    score = math.inf if attempt.score is None else round(attempt.score, DECIMALS)
    return score, attempt.suppressed, attempt.node
