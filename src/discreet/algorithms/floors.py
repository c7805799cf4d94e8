"""Lower bounds for cell-level releases: what each row must lose in any case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from discreet.algorithms.local import kernels
from discreet.algorithms.local.ground import build_ground, list_cheapest_nodes, price_levels
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.frequency.classes import Floats, Ints
from discreet.hierarchy.hierarchy import SUPPRESSED, Codes, Hierarchy
from discreet.measures import AverageClassSize, ClassMeasure
from discreet.models.requirement import Quasi

NODES = 20_000
"""Most nodes that are visited."""

VISITS = 1 << 27
"""Most tuples that are processed, over all nodes."""

SMALL = 1 << 22
"""Up to this many nodes times tuples, all of them are used to raise the floors."""

OPEN = 0.006
"""The search for floors ends when only this share of the rows could still have a lower one."""


def find_floor_bound(
    problem: Problem,
    passes: int = 0,
    progress: Progress | None = None,
    known: Mapping[Quasi, Floors] | None = None,
) -> float | None:
    """The best value of the policy's measure that any cell-level release could have.

    None if nothing is known: if missing values match any, or if one text means different sets of
    values.

    Parameters
    ----------
    problem
        The problem to solve.
    passes
        How often the floors are raised. Each pass visits all nodes twice.
    progress
        Called now and then.
    known
        Floors that were computed before.

    Notes
    -----
    A row is released in a group of at least k rows that are alike at its levels, or not at all, so
    it costs at least as much as the cheapest node at which its group has k rows: its floor.

    Floors are raised by the dual of that assignment: prices of the rows such that no k rows of any
    group cost less together than their prices. The prices of all rows are then a lower bound. In
    every pass each row's price rises by its share of the least room that any group leaves it.
    *Departures*: none, the method is ours. Only promises about class sizes are used, and the last
    few rows get at most the price of the first node that was not visited. *Cost*: some thousand
    nodes times the distinct tuples, and that again twice for each pass.
    """
    quasis = [quasi for quasi in problem.requirement.quasis if quasi.least_rows > 1]
    if problem.requirement.wildcard or not all(
        map(are_texts_unambiguous, problem.lattice.hierarchies)
    ):
        return None
    if problem.cost is None:
        return _bound_by_class_size(problem.class_measure, quasis, problem)
    mass = problem.table.total
    floors = np.zeros(len(problem.frequency))
    raised = 0.0
    for quasi in quasis:
        found = (known or {}).get(quasi) or Floors(problem, quasi, progress)
        floors = np.maximum(floors, found.prices)
        raised = max(raised, found.total(found.raise_prices(passes if problem.unweighted else 0)))
    weight = problem.frequency.tallies.get("weight")
    plain = float((floors * (problem.frequency.rows if weight is None else weight)).sum())
    mean = max(plain, raised) / max(mass, 1e-300)
    return problem.measure.convert_score(problem.cost.least(mean))


class Floors:
    """The floors of one quasi-identifier: the least that a row of each tuple must cost.

    ``best`` is the highest worth of a row found in any group of ``least`` rows, and ``prices`` is
    its worth as found minus that, or the price ``highest`` of the first node that was not visited
    if that is less.
    """

    def __init__(self, problem: Problem, quasi: Quasi, progress: Progress | None = None) -> None:
        self.ground = build_ground(problem, quasi.places)
        self.least = quasi.least_rows
        self._progress = progress
        nodes, price = list_cheapest_nodes(price_levels(self.ground, least=True), NODES)
        rows, visits, at = self.ground.rows, 0, 0
        self.best = np.zeros(len(rows))
        live = np.arange(len(rows))
        stop = len(nodes) if len(nodes) <= NODES else NODES
        within_reach = min(stop, VISITS // max(1, len(rows)))
        if within_reach < len(nodes) and price[within_reach] <= 0:
            # Every node visited may cost a row nothing, and then all floors are 0.
            self.best, stop = self.ground.whole.copy(), 0
        while True:
            before = at
            at, left = kernels.raise_best(
                self.ground, nodes[:stop], -price, at, self.least, live, self.best
            )
            visits += (at - before) * len(rows)
            still = live[:left]
            done = at >= stop or visits > VISITS or rows[still].sum() <= OPEN * rows.sum()
            self._tell(at)
            if done or not left:
                break
        if stop * len(rows) <= SMALL:
            at = stop
        self._may_suppress = problem.limit > 0
        self.nodes = nodes[:at]
        self.highest = float(price[at]) if at < len(nodes) else np.inf
        self.prices = np.minimum(self.ground.whole - self.best, self.highest)

    def total(self, price: Floats) -> float:
        """The least cost of all rows."""
        return float((price * self.ground.rows * self.ground.unit).sum())

    def raise_prices(self, passes: int) -> Floats:
        """Prices that no group of rows can undercut together, at least the floors."""
        whole, price = self.ground.whole, self.prices
        for _ in range(passes):
            dual = whole - price
            alone = self._find_room(dual, np.zeros(0))
            alone[np.isinf(alone)] = 0.0  # in no sufficiently large group: there is no release
            alone = np.minimum(alone, self.highest - price)
            if self._may_suppress:
                alone = np.minimum(alone, dual)
            alone[alone < 1e-12] = 0.0
            together = np.minimum(self._find_room(dual, alone), alone)
            price = price + np.maximum(0.0, together) * (1 - 1e-9)
        return price

    def _find_room(self, dual: Floats, share: Floats) -> Floats:
        room, at = np.full(len(dual), np.inf), 0
        while at < len(self.nodes):
            at = kernels.room_below(self.ground, self.nodes, at, self.least, dual, share, room)
            self._tell(at)
        return room

    def _tell(self, checked: int) -> None:
        if self._progress is not None:
            self._progress(checked)


def _bound_by_class_size(measure: ClassMeasure, quasis: Sequence[Quasi], problem: Problem) -> float:
    """Every class has k rows; with fewer in the table all are suppressed."""
    everything = len(problem.frequency.columns)
    full = [quasi.least_rows for quasi in quasis if len(quasi.places) == everything]
    size = float(min(max(full, default=1), problem.total))
    return measure.convert_score(
        size if isinstance(measure, AverageClassSize) else size * problem.total
    )


def are_texts_unambiguous(hierarchy: Hierarchy) -> bool:
    """Whether values with the same text, at whatever level, cover the same ground values."""
    meant: dict[str | None, tuple[int, int]] = {}
    for level in range(hierarchy.height + 1):
        first, number = _find_extents(hierarchy.maps[level], hierarchy.size(level))
        for code, text in enumerate(hierarchy.labels[level]):
            extent = int(first[code]), int(number[code])
            if meant.setdefault(text, extent) != extent:
                return False
    everything = 0, len(hierarchy.maps[0])
    return meant.get(SUPPRESSED, everything) == everything


def _find_extents(codes: Codes, size: int) -> tuple[Ints, Ints]:
    """The first ground value and the number of them under each value, which identify the set."""
    number = np.bincount(codes, minlength=size)
    first = np.full(size, len(codes), dtype=np.int64)
    np.minimum.at(first, codes, np.arange(len(codes)))
    return first, number
