"""Promises and figures of a release, counted from the definitions in ``docs/explain``.

Slow and plain on purpose, and it imports nothing of the product: rows are grouped in dictionaries,
shares are exact fractions.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

from soak.ladders import Ladder, read_number
from soak.tables import Cell

SLACK = 1e-9
"""docs: comparisons allow for this."""

Own = Counter[Cell]
Key = tuple[Cell, ...]


@dataclass(frozen=True)
class Said:
    """What there is to say of one promise about one file."""

    holds: bool
    measured: float | None
    rows_at_risk: int


@dataclass(frozen=True, eq=False)
class Evidence:
    """The released cells, and what else a promise compares them with."""

    cells: Mapping[str, Sequence[Cell]]
    quasi: Sequence[str]
    wildcard: bool = False
    whole: Mapping[str, Own] = field(default_factory=dict)
    """Counts of each sensitive value in the table that classes are compared with."""
    trees: Mapping[str, Ladder] = field(default_factory=dict)
    people: Mapping[str, Sequence[Cell]] = field(default_factory=dict)
    """The register's quasi columns, under the names of the table."""
    covers: Callable[[str, Cell, Cell], bool] | None = None
    left_out: int = 0

    @property
    def rows(self) -> int:
        return len(next(iter(self.cells.values()), ()))


def exact(number: float | str) -> Fraction:
    """A number of a policy as it is written."""
    return Fraction(str(number))


def agree(one: Key, other: Key) -> bool:
    """Whether two rows cannot be told apart where a missing value may be anything."""
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def find_classes(evidence: Evidence, columns: Sequence[str]) -> list[tuple[list[int], list[int]]]:
    """For each different tuple: the rows that have it, and the rows that look like it."""
    keys = list(zip(*(evidence.cells[name] for name in columns), strict=True))
    own: dict[Key, list[int]] = defaultdict(list)
    for row, key in enumerate(keys):
        own[key].append(row)
    if not evidence.wildcard:
        return [(rows, rows) for rows in own.values()]
    return [
        (rows, [r for other, more in own.items() if agree(key, other) for r in more])
        for key, rows in own.items()
    ]


def judge(name: str, said: Mapping[str, Any], evidence: Evidence) -> Said:
    """Whether one entry of ``require`` holds for a file, and how nearly."""
    if name in ("k_map", "delta_presence"):
        return _judge_register(name, said, evidence)
    columns = said.get("columns") or evidence.quasi
    if name == "probabilistic":
        return _judge_probabilistic(said, evidence, columns)
    classes = find_classes(evidence, columns)
    if name in ("average_risk", "sample_uniques"):
        return _judge_table(name, said, evidence, classes)
    measured, at_risk = [], 0
    for rows, alike in classes:
        own = _own(said, evidence, alike)
        found, holds = _CLASS_MODELS[name](said, evidence, own)
        measured.append(found)
        at_risk += 0 if holds else len(rows)
    few = name == "k_anonymity" or said.get("kind", "distinct") in ("distinct", "entropy")
    worst = min if few and name in ("k_anonymity", "l_diversity") else max
    return Said(at_risk == 0, worst(measured) if measured else None, at_risk)


def _own(said: Mapping[str, Any], evidence: Evidence, rows: Sequence[int]) -> Own:
    column = said.get("column")
    if column is None:
        return Counter({None: len(rows)})
    cells = evidence.cells[column]
    return Counter(cells[row] for row in rows)


def _judge_table(name: str, said: Mapping[str, Any], evidence: Evidence, classes: Any) -> Said:
    n, limit = evidence.rows, exact(said["max"])
    if name == "average_risk":
        at_risk = sum(len(r) for r, a in classes if Fraction(1, len(a)) > limit)
        measured = Fraction(len(classes), max(1, n))
    else:
        at_risk = sum(len(rows) for rows, alike in classes if len(alike) == 1)
        measured = Fraction(at_risk, max(1, n))
    holds = measured <= limit
    return Said(holds, float(measured), 0 if holds else at_risk)


def _shares(own: Own) -> dict[Cell, Fraction]:
    return {value: Fraction(n, own.total()) for value, n in own.items() if n}


def _size(said: Mapping[str, Any], _: Evidence, own: Own) -> tuple[float, bool]:
    return own.total(), own.total() >= said["k"]


def _largest_risk(said: Mapping[str, Any], _: Evidence, own: Own) -> tuple[float, bool]:
    return 1 / own.total(), Fraction(1, own.total()) <= exact(said["max"]) + Fraction(SLACK)


def _diversity(said: Mapping[str, Any], _: Evidence, own: Own) -> tuple[float, bool]:
    counts, ell = sorted(own.values(), reverse=True), said["ell"]
    kind = said.get("kind", "distinct")
    if kind == "distinct":
        return len(counts), len(counts) >= ell
    if kind == "recursive":
        tail = sum(counts[int(ell) - 1 :])
        holds = counts[0] < exact(said["c"]) * tail
        return (counts[0] / tail if tail else math.inf), holds
    entropy = -math.fsum(n / own.total() * math.log(n / own.total()) for n in counts)
    return math.exp(entropy), entropy >= math.log(ell) - SLACK


def _closeness(said: Mapping[str, Any], evidence: Evidence, own: Own) -> tuple[float, bool]:
    p, q = _shares(own), _shares(evidence.whole[said["column"]])
    distance = _DISTANCES[said.get("distance", "equal")](said, evidence, p, q)
    return float(distance), distance <= exact(said["t"]) + Fraction(SLACK)


def _equal(_: Any, __: Any, p: Mapping[Cell, Fraction], q: Mapping[Cell, Fraction]) -> Fraction:
    values, zero = {*p, *q}, Fraction()
    return sum((abs(p.get(v, zero) - q.get(v, zero)) for v in values), zero) / 2


def _ordered(said: Any, _: Any, p: Mapping[Cell, Fraction], q: Mapping[Cell, Fraction]) -> Fraction:
    def place(value: Cell) -> Any:
        if value is None:
            return math.inf, ""
        if said.get("order"):
            return said["order"].index(value), ""
        return read_number(value), value

    values, moved, total, zero = sorted({*p, *q}, key=place), Fraction(), Fraction(), Fraction()
    for value in values[:-1]:
        moved += p.get(value, zero) - q.get(value, zero)
        total += abs(moved)
    return total / max(1, len(values) - 1)


def _hierarchical(
    said: Any, evidence: Evidence, p: Mapping[Cell, Fraction], q: Mapping[Cell, Fraction]
) -> Fraction:
    """The mean, over the levels below the root, of the equal distance of that level's labels."""
    tree, total = evidence.trees[said["column"]], Fraction()
    for level in range(tree.height):
        lifted: list[dict[Cell, Fraction]] = []
        for shares in (p, q):
            sums: dict[Cell, Fraction] = defaultdict(Fraction)
            for value, share in shares.items():
                sums[tree.up[value][level]] += share
            lifted.append(sums)
        total += _equal(None, None, *lifted)
    return total / tree.height if tree.height else Fraction()


_DISTANCES: dict[str, Callable[..., Fraction]] = {
    "equal": _equal,
    "ordered": _ordered,
    "hierarchical": _hierarchical,
}


def _disclosure(said: Mapping[str, Any], evidence: Evidence, own: Own) -> tuple[float, bool]:
    p, q = _shares(own), _shares(evidence.whole[said["column"]])
    if set(p) != set(q):
        return math.inf, False
    measured = max(abs(math.log(p[value] / q[value])) for value in q)
    return measured, measured < said["delta"] - SLACK


def _likeness(said: Mapping[str, Any], evidence: Evidence, own: Own) -> tuple[float, bool]:
    q = _shares(evidence.whole[said["column"]])
    gains = {v: (s / q[v] - 1 if v in q else math.inf) for v, s in _shares(own).items()}
    holds = True
    for value, gain in gains.items():
        limit = float(said["beta"])
        if said.get("kind") == "enhanced" and value in q:
            limit = min(limit, -math.log(q[value]))
        holds = holds and (gain <= 0 or gain <= limit + SLACK)
    return float(max(gains.values())), holds


_CLASS_MODELS: dict[str, Callable[[Mapping[str, Any], Evidence, Own], tuple[float, bool]]] = {
    "k_anonymity": _size,
    "largest_risk": _largest_risk,
    "l_diversity": _diversity,
    "t_closeness": _closeness,
    "delta_disclosure": _disclosure,
    "beta_likeness": _likeness,
}


def _judge_probabilistic(said: Mapping[str, Any], evidence: Evidence, columns: Any) -> Said:
    shown = math.prod(len(set(evidence.cells[name])) for name in columns)
    holds = shown <= allowed_combinations(said)
    return Said(holds, shown, 0 if holds else evidence.rows)


def allowed_combinations(said: Mapping[str, Any]) -> float:
    """Theorem 4 of the page on probabilistic anonymity."""
    preset = {"population": 300_000_000, "k": 20_000} if said.get("preset") == "hipaa" else {}
    n, k = (said.get(key, preset.get(key)) for key in ("population", "k"))
    x = -math.log(said.get("beta", 0.1)) / (k - 1)
    return n / (k - 1) * (1 + x - math.sqrt(x * x + 2 * x)) + SLACK


def _judge_register(name: str, said: Mapping[str, Any], evidence: Evidence) -> Said:
    covers = evidence.covers
    assert covers is not None
    people = Counter(zip(*(evidence.people[column] for column in evidence.quasi), strict=True))
    classes = Counter(zip(*(evidence.cells[column] for column in evidence.quasi), strict=True))
    fits = {
        key: [
            person
            for person in people
            if all(covers(c, k, p) for c, k, p in zip(evidence.quasi, key, person, strict=True))
        ]
        for key in classes
    }
    size = {key: sum(people[person] for person in who) for key, who in fits.items()}
    if name == "k_map":
        at_risk = sum(n for key, n in classes.items() if size[key] < said["k"])
        return Said(at_risk == 0, min(size.values(), default=None), at_risk)
    hits = Counter(person for who in fits.values() for person in who)
    if any(n > 1 for n in hits.values()):
        return Said(False, None, evidence.rows)
    chances = {key: Fraction(n, size[key]) if size[key] else math.inf for key, n in classes.items()}
    low, high = exact(said["min"]), exact(said["max"])
    slack = Fraction(SLACK)
    wrong = [key for key, chance in chances.items() if not low - slack <= chance <= high + slack]
    every = list(chances.values())
    without = sum(n for person, n in people.items() if person not in hits)
    if without:
        every.append(Fraction(evidence.left_out, without))
    holds = all(low - slack <= chance <= high + slack for chance in every)
    beyond = [(max(float(c) - float(high), float(low) - float(c)), float(c)) for c in every]
    measured = max(beyond)[1] if beyond else 0.0
    return Said(holds, measured, sum(classes[key] for key in wrong))


# What is lost


@dataclass(frozen=True, eq=False)
class Lost:
    """A private table under a release: what each row's cells became.

    ``levels[row]`` has, for each column, the levels that its cell may be of; None for a row that
    is left out. A cell that says nothing has the level -1.
    """

    quasi: Sequence[str]
    cells: Mapping[str, Sequence[Cell]]
    ladders: Mapping[str, Ladder]
    levels: Sequence[Sequence[Sequence[int]] | None]
    classes: Sequence[int]
    weights: Mapping[str, float]
    row_weights: Sequence[float]

    @property
    def rows(self) -> int:
        return len(self.levels)

    @property
    def suppressed(self) -> int:
        return sum(levels is None for levels in self.levels)


Interval = tuple[float, float]
"""The least and the most that a figure may be; the same where every cell has one level."""


def figures(lost: Lost, weighted_by_height: bool = False) -> dict[str, Interval]:
    """Every measure of ``docs/explain/measures.md``."""
    total = sum(lost.weights[name] for name in lost.quasi)
    weights = {name: lost.weights[name] / total for name in lost.quasi}
    shares = {name: _lost_share(lost, name) for name in lost.quasi}
    heights = {name: _mean(lost, name, _height_cost(lost, name)) for name in lost.quasi}
    if weighted_by_height:
        tall = sum(lost.ladders[name].height for name in lost.quasi)
        other = {n: lost.ladders[n].height / tall if tall else 1 / len(weights) for n in weights}
    else:
        other = weights
    even = {name: 1 / len(weights) for name in weights}
    entropy = {name: _entropy(lost, name) for name in lost.quasi}
    found = {
        "loss": _both(lambda e: math.prod((shares[n][e] + 1) ** w for n, w in weights.items()) - 1),
        "granularity": _left(shares, weights),
        "precision": _left(heights, even),
        "weighted_precision": _left(heights, other),
        "non_uniform_entropy": _both(lambda e: sum(entropy[n][e] * w for n, w in weights.items())),
    }
    squares = float(sum(size**2 for size in lost.classes) + lost.suppressed * lost.rows)
    found["discernibility"] = squares, squares
    if lost.classes:
        average = sum(lost.classes) / len(lost.classes)
        found["average_class_size"] = average, average
    return found


def _both(figure: Callable[[int], float]) -> Interval:
    return figure(0), figure(1)


def _left(lost: Mapping[str, Interval], weights: Mapping[str, float]) -> Interval:
    low, high = _both(lambda e: 1 - math.fsum(lost[n][e] * w for n, w in weights.items()))
    return high, low


def _mean(lost: Lost, name: str, cost: Callable[[Cell, int], float]) -> Interval:
    """The mean cost over rows, where a cell's level is known up to some; 1 for a row left out."""
    place, ends = lost.quasi.index(name), ([], [])  # type: tuple[list[float], list[float]]
    for row, cell in enumerate(lost.cells[name]):
        levels, weight = lost.levels[row], lost.row_weights[row]
        costs = [1.0] if levels is None else [cost(cell, level) for level in levels[place]]
        ends[0].append(weight * min(costs))
        ends[1].append(weight * max(costs))
    mass = math.fsum(lost.row_weights)
    return math.fsum(ends[0]) / mass, math.fsum(ends[1]) / mass


def _height_cost(lost: Lost, name: str) -> Callable[[Cell, int], float]:
    height = lost.ladders[name].height
    return lambda _, level: 1.0 if level < 0 else level / max(1, height)


def _lost_share(lost: Lost, name: str) -> Interval:
    ladder = lost.ladders[name]
    leaves = len(ladder.leaves)
    if leaves == 1:
        return 0.0, 0.0

    def cost(cell: Cell, level: int) -> float:
        return 1.0 if level < 0 else float(ladder.shares[level][ladder.up[cell][level]])

    low, high = _mean(lost, name, cost)
    return max(0.0, (low - 1 / leaves) / (1 - 1 / leaves)), max(
        0.0, (high - 1 / leaves) / (1 - 1 / leaves)
    )


def _entropy(lost: Lost, name: str) -> Interval:
    """Bits lost over the bits that the root would cost, by the counts of the private table."""
    ladder, mass = lost.ladders[name], lost.row_weights
    under: list[dict[Cell, float]] = []
    for level in range(ladder.height + 1):
        sums: dict[Cell, float] = defaultdict(float)
        for cell, weight in zip(lost.cells[name], mass, strict=True):
            sums[ladder.up[cell][level]] += weight
        under.append(sums)
    everything = math.fsum(mass)

    def bits(cell: Cell, level: int) -> float:
        if not under[0][cell]:
            return 0.0
        above = everything if level < 0 else under[level][ladder.up[cell][level]]
        return math.log2(above / under[0][cell])

    # A row that is left out costs what the root does, which differs from row to row.
    place, ends, most = lost.quasi.index(name), [0.0, 0.0], 0.0
    for row, cell in enumerate(lost.cells[name]):
        levels, weight = lost.levels[row], mass[row]
        costs = [bits(cell, level) for level in (levels[place] if levels is not None else [-1])]
        ends[0] += weight * min(costs)
        ends[1] += weight * max(costs)
        most += weight * bits(cell, -1)
    return (ends[0] / most, ends[1] / most) if most else (0.0, 0.0)


# The best release by columns


@dataclass(frozen=True, eq=False)
class Search:
    """A small lattice to be searched node by node."""

    quasi: Sequence[str]
    cells: Mapping[str, Sequence[Cell]]
    ladders: Mapping[str, Ladder]
    require: Sequence[tuple[str, Mapping[str, Any]]]
    measure: str
    by_height: bool
    limit: int
    """Rows that may be suppressed."""
    wildcard: bool
    weights: Mapping[str, float]
    row_weights: Sequence[float]
    whole: Mapping[str, Own]
    trees: Mapping[str, Ladder]

    def lift(self, node: Sequence[int]) -> dict[str, list[Cell]]:
        """Every quasi column at its level of a node."""
        return {
            name: [self.ladders[name].up[cell][level] for cell in self.cells[name]]
            for name, level in zip(self.quasi, node, strict=True)
        }

    def suppress(self, node: Sequence[int]) -> list[bool]:
        """Which rows stay: failing classes are left out, again and again until none is left."""
        lifted = self.lift(node)
        kept = list(range(len(next(iter(lifted.values())))))
        everything = {**self.cells, **lifted}
        while True:
            shown = {name: [cells[row] for row in kept] for name, cells in everything.items()}
            evidence = Evidence(
                shown, self.quasi, self.wildcard, whole=self.whole, trees=self.trees
            )
            failing: set[int] = set()
            for name, said in self.require:
                failing |= failing_rows(name, said, evidence)
            if not failing:
                there = set(kept)
                return [row in there for row in range(len(self.row_weights))]
            kept = [row for place, row in enumerate(kept) if place not in failing]

    def score(self, node: Sequence[int], kept: Sequence[bool]) -> float:
        """The measure of a node, lower is better."""
        lifted = list(zip(*self.lift(node).values(), strict=True))
        classes = Counter(key for key, keep in zip(lifted, kept, strict=True) if keep)
        levels = [[[level] for level in node] if keep else None for keep in kept]
        lost = Lost(
            self.quasi,
            self.cells,
            self.ladders,
            levels,
            list(classes.values()),
            self.weights,
            self.row_weights,
        )
        found = figures(lost, self.by_height).get(self.measure)
        if found is None:
            return float(len(kept))
        return 1 - found[0] if self.measure in HIGHER_IS_BETTER else found[0]

    def best(self) -> float | None:
        """The best score of any node that leaves out few enough rows; None if there is none."""
        tops = [range(self.ladders[name].height + 1) for name in self.quasi]
        scores = []
        for node in product(*tops):
            kept = self.suppress(node)
            if kept.count(False) <= self.limit:
                scores.append(self.score(node, kept))
        return min(scores, default=None)


HIGHER_IS_BETTER = ("granularity", "precision", "weighted_precision")


def failing_rows(name: str, said: Mapping[str, Any], evidence: Evidence) -> set[int]:
    """The rows that a promise has left out, of the rows that are there."""
    columns = said.get("columns") or evidence.quasi
    classes = find_classes(evidence, columns)
    if name in ("average_risk", "sample_uniques"):
        return _failing_table(name, said, evidence, classes)
    failing: set[int] = set()
    for rows, alike in classes:
        if not _CLASS_MODELS[name](said, evidence, _own(said, evidence, alike))[1]:
            failing.update(rows)
    return failing


def _failing_table(
    name: str, said: Mapping[str, Any], evidence: Evidence, classes: Any
) -> set[int]:
    """All classes of the smallest size are left out together, until the promise holds."""
    for least in range(1, evidence.rows + 2):
        sizes = [len(rows) for rows, _ in classes if len(rows) >= least]
        bad = len(sizes) if name == "average_risk" else sizes.count(1)
        if bad <= exact(said["max"]) * sum(sizes):
            return {row for rows, _ in classes if len(rows) < least for row in rows}
    return set()
