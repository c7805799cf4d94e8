"""The table as the compiled loops see it: codes, their generalizations, and their worth."""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import count, product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from discreet.algorithms.cell_recoding import sum_entries_by_class, weigh_parts
from discreet.algorithms.local import kernels
from discreet.algorithms.problem import Problem
from discreet.display import safe_repr
from discreet.frequency.classes import Classes, Floats, Histogram, Ints, Mask, add_up
from discreet.frequency.frequency_list import Entries
from discreet.measures import ColumnCost, Granularity
from discreet.models.model import ClassModel, TableModel

Keys = npt.NDArray[np.uint64]


@safe_repr
class Ground(NamedTuple):
    """Distinct tuples and flat tables of their columns.

    Column c at level l with ground code g is found at ``start[c] + l * size[c] + g``: ``up`` has
    the code there, ``worth`` how much of a row's cell is left there, and ``key`` the part of a key
    that is the same for equal tuples. ``unit`` is the weight of a row of each tuple, ``whole`` its
    worth as found, and ``reach`` the most that it can be worth in any class.

    Keys that do not fit in 64 bits can collide. Classes are tightened to what their members have in
    common, so a collision makes a class coarser, never wrong.
    """

    codes: npt.NDArray[np.int32]
    rows: Ints
    unit: Floats
    whole: Floats
    reach: Floats
    start: Ints
    size: Ints
    height: Ints
    up: npt.NDArray[np.int32]
    worth: Floats
    key: Keys


def choose_guide_cost(problem: Problem) -> ColumnCost:
    """The measure that guides the search: the policy's, or granularity if that counts classes."""
    return problem.cost if problem.cost is not None else Granularity().on(problem.table)


def build_ground(problem: Problem, columns: Sequence[int] | None = None) -> Ground:
    """Set up the tables for a problem, or for only some of its columns."""
    chosen = range(len(problem.frequency.columns)) if columns is None else columns
    frequency, cost = problem.frequency, choose_guide_cost(problem)
    hierarchies = [problem.lattice.hierarchies[c] for c in chosen]
    size = np.array([h.size(0) for h in hierarchies], dtype=np.int64)
    height = np.array([h.height for h in hierarchies], dtype=np.int64)
    start = np.concatenate([[0], np.cumsum(size * (height + 1))[:-1]]).astype(np.int64)
    codes = np.array([frequency.codes[c] for c in chosen], dtype=np.int32)
    codes = np.ascontiguousarray(codes.reshape(len(hierarchies), -1).T)
    steps = _compute_strides(size)
    up, worth, key = [], [], []
    for c, step, hierarchy in zip(chosen, steps, hierarchies, strict=True):
        for level, codes_up in enumerate(hierarchy.maps):
            up.append(codes_up)
            worth.append(cost.slope[c] * cost.rise[c][level][codes_up])
            key.append(codes_up.astype(np.uint64) * step)
    flat = np.concatenate(worth)
    whole = np.zeros(len(frequency))
    for c in range(len(size)):
        whole += flat[start[c] + codes[:, c]]
    unit = weigh_parts(problem, np.arange(len(frequency)), frequency.rows) / frequency.rows
    return Ground(
        codes,
        np.array(frequency.rows, dtype=np.int64),
        unit,
        whole,
        whole,
        start,
        size,
        height,
        np.concatenate(up).astype(np.int32),
        flat,
        np.concatenate(key),
    )


def price_levels(ground: Ground, least: bool) -> list[Floats]:
    """The cost of each level of each column for a row: the least possible, or the average."""
    found = []
    weight = ground.rows * ground.unit
    for c, (start, size) in enumerate(zip(ground.start, ground.size, strict=True)):
        levels = ground.height[c] + 1
        table = ground.worth[start : start + levels * size].reshape(levels, size)
        lost = table[0] - table
        share = np.bincount(ground.codes[:, c], weights=weight, minlength=size)
        mean = lost @ share / max(float(share.sum()), 1e-300)
        found.append(lost.min(axis=1) if least else mean)
    return found


def _compute_strides(size: Ints) -> Keys:
    """The factor of each column's code in a key: a place of one number, or random beyond that."""
    places = [math.prod(size[:c].tolist()) for c in range(len(size) + 1)]
    if places[-1] < 1 << 63:
        return np.array(places[:-1], dtype=np.uint64)
    random = np.random.default_rng(1)
    drawn = random.integers(0, 1 << 63, len(size), dtype=np.uint64)
    return drawn * np.uint64(2) + np.uint64(1)


# The nodes of a lattice to visit, cheapest first, however many there are.


CHAINS = 64
"""Paths from the finest to the coarsest node that are walked if not all nodes can be visited."""


_Raised = tuple[int, int, Any]
"""A column that is raised, its level, and the columns that are raised as well."""


def list_cheapest_nodes(prices: Sequence[Floats], most: int) -> tuple[Ints, Floats]:
    """The nodes with the least prices, by rising price; ``prices`` rise with the level.

    At most one more than ``most``, so that the price of the first that is left out is known.
    """
    levels = [len(column) for column in prices]
    if math.prod(levels) <= most:
        nodes = np.array(list(product(*map(range, levels))), dtype=np.int64)
        return _sort_nodes(nodes.reshape(-1, len(levels)), prices)
    # Columns are in order of the price of their first step. The successors of a node raise its last
    # column, or set the next one, or set that one instead: each node is reached once, never before
    # a cheaper one, and the heap grows by three nodes for each that is taken, however many columns
    # there are.
    rising = [column - column[0] for column in prices if len(column) > 1]
    places = [c for c, column in enumerate(prices) if len(column) > 1]
    order = sorted(range(len(rising)), key=lambda at: float(rising[at][1]))
    heap: list[tuple[float, int, float, _Raised | None, int, int]] = []
    pushed = count()

    def push(base: float, before: _Raised | None, at: int, level: int) -> None:
        if at < len(order) and level < len(rising[order[at]]):
            price = base + float(rising[order[at]][level])
            heapq.heappush(heap, (price, next(pushed), base, before, at, level))

    found: list[_Raised | None] = [None]
    push(0.0, None, 0, 1)
    while heap and len(found) <= most:
        price, _, base, before, at, level = heapq.heappop(heap)
        node: _Raised = (places[order[at]], level, before)
        found.append(node)
        push(base, before, at, level + 1)
        push(price, node, at + 1, 1)
        if level == 1:
            push(base, before, at + 1, 1)
    return _sort_nodes(_spread_nodes(found, len(levels)), prices)


def _spread_nodes(found: Sequence[_Raised | None], columns: int) -> Ints:
    nodes = np.zeros((len(found), columns), dtype=np.int64)
    for number, raised in enumerate(found):
        while raised is not None:
            c, level, raised = raised
            nodes[number, c] = level
    return nodes


def list_walked_nodes(prices: Sequence[Floats], most: int) -> Ints:
    """Nodes from the finest to the coarsest by rising price: all, or some if they are too many."""
    levels = [len(column) for column in prices]
    nodes, _ = list_cheapest_nodes(prices, most)
    if math.prod(levels) > most:
        nodes, _ = _sort_nodes(np.vstack([nodes, *_draw_chains(levels, prices)]), prices)
    return nodes


def _sort_nodes(nodes: Ints, prices: Sequence[Floats]) -> tuple[Ints, Floats]:
    """The distinct nodes by rising price, then those with finer first columns first."""
    # As bytes, most significant first, they sort as the levels do; numpy compares field by field.
    different = sorted({node.tobytes() for node in nodes.astype(">u4")})
    nodes = np.frombuffer(b"".join(different), ">u4").reshape(-1, len(prices)).astype(np.int64)
    price = np.zeros(len(nodes))
    for c, column in enumerate(prices):
        price += column[nodes[:, c]]
    order = np.argsort(price, kind="stable")
    return nodes[order], price[order]


def _draw_chains(levels: Sequence[int], prices: Sequence[Floats]) -> list[Ints]:
    """Paths upwards in single steps, the cheap ones first, each favouring other columns."""
    random = np.random.default_rng(1)
    found = []
    for _ in range(CHAINS):
        favour = random.exponential(size=len(levels))
        steps = sorted(
            (float(prices[c][level]) * favour[c], level, c)
            for c in range(len(levels))
            for level in range(1, levels[c])
        )
        node, chain = [0] * len(levels), [[0] * len(levels)]
        for _, _, c in steps:
            node[c] += 1
            chain.append(list(node))
        found.append(np.array(chain, dtype=np.int64))
    return found


# The classes that keep every promise by themselves, so that any release made of them does.


class Promises:
    """A class passes if it has ``least`` rows and keeps each promise about sensitive values.

    The union of classes that pass passes. Fewer columns, values with the same text, and missing
    values that match any value only merge classes, so the promises hold in these cases too. A
    promise about the table as a whole holds if every class would keep it by itself. ``divides``
    says whether rows of one tuple may go different ways: only if no promise looks at sensitive
    values.
    """

    def __init__(self, problem: Problem) -> None:
        self._frequency = problem.frequency
        self._references = problem.counter.references
        models = problem.requirement.models
        self.models = [m for m in models if isinstance(m, ClassModel) and m.sensitive is not None]
        sizes = [m.least_rows for m in models if isinstance(m, ClassModel)]
        alone = [_find_least_alone(m) for m in models if isinstance(m, TableModel)]
        self.least = max([1, *sizes, *alone])
        self.divides = not problem.frequency.sensitive

    def about_size(self) -> Promises:
        """The same without promises about sensitive values; tuples stay undivided."""
        sized = copy(self)
        sized.models = []
        return sized

    def fails(self, home: npt.NDArray[Any], count: int) -> Mask:
        """Mark the classes that break a promise; tuples whose ``home`` is -1 are in none."""
        rows = self._count_rows(home, count)
        enough = bool((rows >= self.least).any())
        return self._judge(rows, self._count_values(home) if enough else {})

    def fails_joined(self, home: npt.NDArray[Any], count: int, first: Ints, second: Ints) -> Mask:
        """Mark the pairs of classes that break a promise together."""
        rows = self._count_rows(home, count)
        joined = {}
        for name, own in self._count_values(home).items():
            start = np.searchsorted(own.owner, np.arange(count + 1))
            places = [_list_places(start, side) for side in (first, second)]
            pair = np.concatenate([owner for owner, _ in places]).astype(np.int32)
            entry = np.concatenate([entry for _, entry in places])
            both = Entries(np.arange(len(pair), dtype=np.int32), own.value[entry], own.count[entry])
            joined[name] = sum_entries_by_class(both, pair, len(self._references[name].counts))
        return self._judge(rows[first] + rows[second], joined)

    def _count_rows(self, home: npt.NDArray[Any], count: int) -> Ints:
        inside = home >= 0
        return add_up(home[inside], self._frequency.rows[inside], count).astype(np.int64)

    def _count_values(self, home: npt.NDArray[Any]) -> dict[str, Entries]:
        """How often each class has each sensitive value."""
        if not self.models:
            return {}
        return {
            name: sum_entries_by_class(entries, home, len(self._references[name].counts))
            for name, entries in self._frequency.sensitive.items()
        }

    def _judge(self, rows: Ints, values: Mapping[str, Entries]) -> Mask:
        passing: Mask = rows >= self.least
        histograms = {
            name: Histogram(kept.owner, kept.value, kept.count, self._references[name])
            for name, kept in values.items()
        }
        classes = Classes(rows, histograms)
        for model in self.models:
            if passing.any():
                passing[passing] = ~model.fails(classes.select(passing))
        return ~passing


def _list_places(start: Ints, chosen: Ints) -> tuple[Ints, Ints]:
    """The entries of the chosen classes, class by class, and the class of each entry."""
    length = start[chosen + 1] - start[chosen]
    owner = np.repeat(np.arange(len(chosen)), length)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(length) - length, length)
    return owner, start[chosen][owner] + within


def _find_least_alone(model: TableModel) -> int:
    """The least size at which a class, if it were the whole table, keeps a promise about tables.

    Such promises are about means and shares over the rows, so they hold for all classes together
    if they hold for each alone.
    """
    high = 1
    while model.find_least_class(np.array([high])) > high:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if model.find_least_class(np.array([middle])) > middle:
            low = middle
        else:
            high = middle
    return high


# Classes as linked lists of parts, in arrays that the compiled loops change in place.


SOURCES = 12
"""How many nearby classes are asked for rows when a new class is formed."""

CANDIDATES = 160
LONGEST = 1024
"""Rows can be moved in at most so many steps before a change is judged as a whole."""


@safe_repr
class Parts(NamedTuple):
    """Parts (some rows of a tuple) and the classes that they are in.

    ``owner`` is the tuple of each part and ``home`` its class; ``head`` and ``next`` list the parts
    of each class. A class has ``size`` rows with weight ``mass``, a ``member`` and a ``level`` for
    each column, and its ``worth`` per row. ``free`` are numbers of empty classes; ``used`` holds
    the number of parts, classes and free numbers, and the length of the log of changes.
    """

    owner: Ints
    rows: Ints
    home: Ints
    next: Ints
    head: Ints
    size: Ints
    mass: Floats
    level: npt.NDArray[np.int64]
    worth: Floats
    member: Ints
    free: Ints
    used: Ints


@safe_repr
class Spare(NamedTuple):
    """Buffers for one step: classes with rows to spare, their parts, rows available and taken."""

    home: Ints
    worth: Floats
    part: Ints
    able: Ints
    taken: Ints
    level: npt.NDArray[np.int64]
    other: npt.NDArray[np.int64]
    used: Ints


def build_parts(ground: Ground, owner: Ints, rows: Ints, home: Ints) -> Parts:
    """Put parts into the classes that ``home`` names, numbered from 0 without gaps."""
    columns, used = ground.codes.shape[1], len(owner)
    classes = int(home.max(initial=-1)) + 1
    room, class_room = used + used // 2 + 2 * LONGEST, classes + classes // 2 + 256

    def fill_values(values: Ints) -> Ints:
        found = np.zeros(room, dtype=np.int64)
        found[:used] = values
        return found

    parts = Parts(
        fill_values(owner),
        fill_values(rows),
        fill_values(home),
        np.full(room, -1),
        np.full(class_room, -1),
        np.zeros(class_room, dtype=np.int64),
        np.zeros(class_room),
        np.zeros((class_room, columns), dtype=np.int64),
        np.zeros(class_room),
        np.zeros(class_room, dtype=np.int64),
        np.zeros(class_room, dtype=np.int64),
        np.array([used, classes, 0, 0]),
    )
    kernels.set_up(ground, parts)
    return parts


def make_spare_room(columns: int) -> Spare:
    """Buffers for one step."""
    return Spare(
        np.zeros(SOURCES, dtype=np.int64),
        np.zeros(SOURCES),
        np.zeros(CANDIDATES, dtype=np.int64),
        np.zeros(CANDIDATES, dtype=np.int64),
        np.zeros(CANDIDATES, dtype=np.int64),
        np.zeros(columns, dtype=np.int64),
        np.zeros(columns, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


def average_losses(ground: Ground, parts: Parts) -> Floats:
    """The loss of each class per row, averaged over its mass."""
    used, classes = int(parts.used[0]), int(parts.used[1])
    owner = parts.owner[:used]
    full = np.bincount(
        parts.home[:used],
        weights=parts.rows[:used] * ground.unit[owner] * ground.whole[owner],
        minlength=classes,
    )
    mass = np.maximum(parts.mass[:classes], 1e-300)
    return np.where(parts.size[:classes] > 0, full / mass - parts.worth[:classes], 0.0)
