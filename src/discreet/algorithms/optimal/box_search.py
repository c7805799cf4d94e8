"""The exact search: boxes of the lattice are cut, bounded, and dropped where they cannot win."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import field
from itertools import count
from typing import Protocol

import numpy as np

from discreet.algorithms.optimal.bounds import Bound, bound_for
from discreet.algorithms.problem import Attempt, Problem
from discreet.display import dataclass
from discreet.hierarchy.lattice import Node

Key = tuple[float, tuple[int, ...], int, Node]
"""Score, levels of the preferred columns, suppressed rows, levels: smaller is better."""


class Progress(Protocol):
    """Hears of a search: what was checked so far, the bound and the best, where they are known.

    Both are in the policy's measure as people know it; what it raises ends the search.
    """

    def __call__(self, checked: int, bound: float | None = None, best: float | None = None) -> None:
        """Hear how far it is."""


DECIMALS = 12
"""Scores that agree to this many decimals are a tie."""

PARALLEL_FROM = 50_000
"""From this many distinct tuples on, two nodes are counted at a time."""


@dataclass(frozen=True, eq=False)
class Found:
    """The best node of a search, and the score that no node can be below."""

    best: Attempt | None
    bound: float
    proven: bool
    checked: int


@dataclass(order=True)
class _Box:
    """All nodes from ``low`` to ``high.node``, none of which can have a smaller key."""

    key: Key
    number: int
    low: Node = field(compare=False)
    high: Attempt = field(compare=False)


class BoxSearch:
    """Best-first search over boxes of the lattice.

    Each step takes the box with the least bound and cuts it in two at a level of one column. The
    upper part keeps its coarsest node and gains a finer bound; of the lower part, the coarsest node
    is counted. If even that must suppress too many rows, the whole part is dropped, since every
    finer node suppresses as many. When the least bound of all boxes left is not below the best node
    found, that node is proven best.

    Ties are settled by the levels of the preferred columns in their order, then by fewer suppressed
    rows, then by lower levels in the order of the columns.
    """

    def __init__(
        self,
        problem: Problem,
        time_limit: float | None = None,
        progress: Progress | None = None,
        bound: Bound | None = None,
    ) -> None:
        self._problem = problem
        self._bound = bound_for(problem) if bound is None else bound
        self._spread = self._bound.spread()
        self._deadline = None if time_limit is None else time.monotonic() + time_limit
        self._progress = progress
        self._numbers = count()
        self._best: tuple[Key, Attempt] | None = None
        self._checked = 0

    def run(
        self, start: Node | None = None, low: Node | None = None, high: Node | None = None
    ) -> Found:
        """Search until the best node is proven or time is up.

        ``low`` and ``high`` are the finest and the coarsest node looked at: the whole lattice, if
        they are not given.
        """
        problem = self._problem
        top = self._take(problem.attempt(high or problem.lattice.top))
        if top.least_suppressed > problem.limit:
            return Found(None, np.inf, True, self._checked)
        if start is not None:
            self._take(problem.attempt(start))
        boxes: list[_Box] = []
        self._push(boxes, low or problem.lattice.bottom, top, -np.inf)
        width = 2 if len(problem.frequency) >= PARALLEL_FROM else 1
        with _start_workers(width) as evaluate:
            while boxes and not self._is_out_of_time():
                taken = self._pop(boxes, width)
                cuts = [(box, *self._cut(box)) for box in taken]
                nodes = [_set_level(box.high.node, column, level) for box, column, level in cuts]
                attempts = evaluate(problem.attempt, nodes)
                for (box, column, level), lower in zip(cuts, attempts, strict=True):
                    self._take(lower)
                    floor = box.key[0]
                    raised = _set_level(box.low, column, level + 1)
                    self._push(boxes, raised, box.high, floor)
                    if lower.least_suppressed <= problem.limit:
                        self._push(boxes, box.low, lower, floor)
        return self._make_result(boxes)

    def _make_result(self, boxes: list[_Box]) -> Found:
        open_boxes = [box for box in boxes if self._is_promising(box.key)]
        best = self._best[1] if self._best else None
        reached = best.score if best is not None and best.score is not None else np.inf
        bound = min([reached, *(box.key[0] for box in open_boxes)])
        return Found(best, bound, not open_boxes, self._checked)

    def _pop(self, boxes: list[_Box], width: int) -> list[_Box]:
        taken: list[_Box] = []
        while boxes and len(taken) < width:
            box = heapq.heappop(boxes)
            if not self._is_promising(box.key):
                boxes.clear()
            else:
                taken.append(box)
        if self._progress is not None and taken:
            best = find_score(self._problem, self._best[1] if self._best else None)
            bound = self._problem.measure.convert_score(taken[0].key[0]) + 0.0  # -0 is 0
            self._progress(self._checked, bound, best)
        return taken

    def _push(self, boxes: list[_Box], low: Node, high: Attempt, floor: float) -> None:
        if low == high.node:
            return
        score = max(floor, round(self._bound(low, high) - 0.5 * 10**-DECIMALS, DECIMALS))
        key = self._make_key(score, high.least_suppressed, low)
        if self._is_promising(key):
            heapq.heappush(boxes, _Box(key, next(self._numbers), low, high))

    def _take(self, attempt: Attempt) -> Attempt:
        self._checked += 1
        if attempt.score is not None:
            score = round(attempt.score, DECIMALS)
            key = self._make_key(score, attempt.suppressed, attempt.node)
            if self._best is None or key < self._best[0]:
                self._best = key, attempt
        return attempt

    def _make_key(self, score: float, suppressed: int, node: Node) -> Key:
        preferred = tuple(node[column] for column in self._problem.prefer)
        return score, preferred, suppressed, node

    def _is_promising(self, key: Key) -> bool:
        return self._best is None or key < self._best[0]

    def _is_out_of_time(self) -> bool:
        return self._deadline is not None and time.monotonic() > self._deadline

    def _cut(self, box: _Box) -> tuple[int, int]:
        """The column, and the last level of the lower part, that divide the cost most evenly."""
        best, where = -1.0, (0, 0)
        for column, (low, high) in enumerate(zip(box.low, box.high.node, strict=True)):
            if low == high:
                continue
            cost = self._spread[column, low : high + 1]
            gain = (cost[1:] - cost[0]) * (cost[-1] - cost[:-1])
            level = int(gain.argmax())
            if gain[level] > best:
                best, where = float(gain[level]), (column, low + level)
        return where


def _set_level(node: Node, column: int, level: int) -> Node:
    return (*node[:column], level, *node[column + 1 :])


@contextmanager
def _start_workers(width: int) -> Iterator[Callable[..., Iterator[Attempt]]]:
    if width == 1:
        yield map
        return
    with ThreadPoolExecutor(width) as pool:
        yield pool.map


def find_score(problem: Problem, attempt: Attempt | None) -> float | None:
    """The score of a node as people know it; None without one that is allowed."""
    if attempt is None or attempt.score is None:
        return None
    return problem.measure.convert_score(attempt.score) + 0.0  # -0 is 0


# A good node quickly: from the top of the lattice down, always where it helps most.


def descend(
    problem: Problem, seconds: float, progress: Progress | None = None
) -> tuple[Attempt | None, int]:
    """Lower one column at a time by the level that scores best, until nothing helps or time is up.

    The answer, which comes with the number of nodes counted, is a start for the exact search on
    lattices too large to finish, not a proof.
    """
    deadline = time.monotonic() + seconds
    here = problem.attempt(problem.lattice.top)
    checked = 1
    if here.score is None:
        return None, checked
    closed: set[int] = set()
    while time.monotonic() < deadline:
        best = here
        for column, level in enumerate(here.node):
            if level == 0 or column in closed:
                continue
            lower = problem.attempt((*here.node[:column], level - 1, *here.node[column + 1 :]))
            checked += 1
            if progress is not None:
                progress(checked, None, find_score(problem, best))
            if lower.least_suppressed > problem.limit:
                closed.add(column)
            elif lower.score is not None and (best.score is None or lower.score < best.score):
                best = lower
        if best is here:
            break
        here = best
    return here, checked
