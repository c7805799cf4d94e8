"""Brute force: each node of a lattice judged and scored on the rows, from the definitions.

Slow and plain on purpose. Nothing here is shared with the search: rows are grouped in dictionaries
by what they would be released as, shares are exact fractions, and each measure is added up row by
row. Models and measures are read for their parameters only.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

Cell = str | None
Node = tuple[int, ...]
Own = Counter[Cell]
"""How often each sensitive value occurs among some rows."""

SLACK = 1e-9
"""Real numbers are compared with this much slack; fractions are compared exactly."""


@dataclass(frozen=True, eq=False)
class Ladder:
    """What each value becomes, level by level, and which leaves count for the measures."""

    up: Mapping[Cell, tuple[Cell, ...]]
    counted: tuple[Cell, ...]

    @property
    def height(self) -> int:
        return len(next(iter(self.up.values()))) - 1

    @cached_property
    def shares(self) -> list[dict[Cell, Fraction]]:
        """Share of the leaves under each value of each level."""
        levels = []
        for level in range(self.height + 1):
            under = Counter(self.up[leaf][level] for leaf in self.counted)
            levels.append({v: Fraction(n, len(self.counted)) for v, n in under.items()})
        return levels


@dataclass(frozen=True, eq=False)
class Case:
    """A private table with all that a policy says of it."""

    cells: Mapping[str, Sequence[Cell]]
    ladders: Mapping[str, Ladder]
    models: Sequence[Any]
    measure: Any
    suppress: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    row_weights: Sequence[float] | None = None
    prefer: Sequence[str] = ()
    wildcard: bool = False
    trees: Mapping[str, Ladder] = field(default_factory=dict)

    @property
    def quasi(self) -> tuple[str, ...]:
        return tuple(self.ladders)

    @property
    def rows(self) -> int:
        return len(self.cells[self.quasi[0]])

    @property
    def limit(self) -> int:
        """Rows that may be suppressed; 0.29 means 29 of 100, whatever its binary digits say."""
        return math.floor(Fraction(str(self.suppress)) * self.rows)

    @property
    def top(self) -> Node:
        return tuple(ladder.height for ladder in self.ladders.values())

    @property
    def nodes(self) -> Iterator[Node]:
        return product(*(range(height + 1) for height in self.top))

    def released(self, node: Node) -> list[tuple[Cell, ...]]:
        """What each row's quasi values would be at a node."""
        columns = [
            [self.ladders[name].up[cell][level] for cell in self.cells[name]]
            for name, level in zip(self.quasi, node, strict=True)
        ]
        return list(zip(*columns, strict=True))


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a node suppresses, and what it scores (lower is better)."""

    node: Node
    kept: tuple[bool, ...]
    allowed: bool
    score: float

    @property
    def suppressed(self) -> int:
        return self.kept.count(False)

    def key(self, case: Case) -> tuple[float, tuple[int, ...], int, Node]:
        """The stated order of ties: score, preferred columns, suppressed rows, levels."""
        preferred = tuple(self.node[case.quasi.index(name)] for name in case.prefer)
        return round(self.score, 12), preferred, self.suppressed, self.node


def outcome(case: Case, node: Node) -> Outcome:
    kept = suppression(case, node)
    classes = Counter(key for key, keep in zip(case.released(node), kept, strict=True) if keep)
    gone = kept.count(False)
    score = SCORES[case.measure.name](case, node, kept, list(classes.values()))
    return Outcome(node, tuple(kept), gone <= case.limit, score)


def outcomes(case: Case) -> dict[Node, Outcome]:
    return {node: outcome(case, node) for node in case.nodes}


def best(case: Case, found: Mapping[Node, Outcome]) -> Outcome | None:
    allowed = [one for one in found.values() if one.allowed]
    return min(allowed, key=lambda one: one.key(case)) if allowed else None


# What must be suppressed


def suppression(case: Case, node: Node) -> list[bool]:
    """Which rows stay when failing classes are taken out, again and again until none is left."""
    released, kept = case.released(node), [True] * case.rows
    while True:
        failing: set[int] = set()
        for columns, models in promises(case).items():
            failing |= failing_rows(case, released, kept, columns, models)
        if not failing:
            return kept
        kept = [keep and row not in failing for row, keep in enumerate(kept)]


def promises(case: Case) -> dict[tuple[int, ...], list[Any]]:
    """Models by the places of the columns that they hold for."""
    found = defaultdict(list)
    for model in case.models:
        names = case.quasi if model.columns is None else model.columns
        found[tuple(sorted(case.quasi.index(name) for name in names))].append(model)
    return found


def failing_rows(
    case: Case,
    released: Sequence[tuple[Cell, ...]],
    kept: Sequence[bool],
    columns: Sequence[int],
    models: Sequence[Any],
) -> set[int]:
    inside = [row for row, keep in enumerate(kept) if keep]
    seen = {row: tuple(released[row][column] for column in columns) for row in inside}
    classes: dict[Any, list[int]] = defaultdict(list)
    if case.wildcard:
        together = {
            key: [row for row in inside if agree(key, seen[row])] for key in set(seen.values())
        }
        members = {key: [row for row in inside if seen[row] == key] for key in together}
    else:
        for row in inside:
            classes[seen[row]].append(row)
        together = members = classes
    failing: set[int] = set()
    for key, rows in together.items():
        if any(model.name in FAILS and fails(case, model, rows) for model in models):
            failing.update(members[key])
    sizes = [len(rows) for key, rows in together.items() if not failing.intersection(members[key])]
    for model in models:
        if model.name in HOLDS:
            least = least_class(model, sizes)
            failing.update(row for rows in classes.values() if len(rows) < least for row in rows)
    return failing


def agree(one: Sequence[Cell], other: Sequence[Cell]) -> bool:
    """Whether two rows cannot be told apart where a missing value may be anything."""
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def least_class(model: Any, sizes: Sequence[int]) -> int:
    """The least size so that the promise holds once all smaller classes are gone."""
    candidates = range(1, max(sizes, default=0) + 2)
    return next(m for m in candidates if HOLDS[model.name](model, [s for s in sizes if s >= m]))


HOLDS: dict[str, Callable[[Any, list[int]], bool]] = {
    "average_risk": lambda model, sizes: len(sizes) <= exact(model.max) * sum(sizes),
    "sample_uniques": lambda model, sizes: sizes.count(1) <= exact(model.max) * sum(sizes),
}
"""Promises about the table as a whole."""


def fails(case: Case, model: Any, rows: Sequence[int]) -> bool:
    """Whether a class of these rows breaks a promise."""
    if model.sensitive is None:
        return FAILS[model.name](case, model, Counter({None: len(rows)}))
    column = case.cells[model.sensitive]
    return FAILS[model.name](case, model, Counter(column[row] for row in rows))


def exact(number: float) -> Fraction:
    """A number of a policy as it is written."""
    return Fraction(str(number))


def whole(case: Case, column: str) -> dict[Cell, Fraction]:
    """Shares of a sensitive column's values in the private table, before any suppression."""
    return shares(Counter(case.cells[column]))


def shares(own: Own) -> dict[Cell, Fraction]:
    return {value: Fraction(n, own.total()) for value, n in own.items()}


def lacks_diversity(_: Case, model: Any, own: Own) -> bool:
    counts = sorted(own.values(), reverse=True)
    if model.kind == "distinct":
        return len(counts) < model.ell
    if model.kind == "recursive":
        return counts[0] >= exact(model.c) * sum(counts[int(model.ell) - 1 :])
    entropy = 0.0
    for count in counts:
        share = count / own.total()
        entropy -= float(share * np.log(share))
    return bool(entropy < math.log(model.ell))


def too_far(case: Case, model: Any, own: Own) -> bool:
    distance = DISTANCES[model.distance](case, model, shares(own), whole(case, model.column))
    return distance > exact(model.t)


def equal_distance(p: Mapping[Cell, Fraction], q: Mapping[Cell, Fraction]) -> Fraction:
    values = {*p, *q}
    return sum((abs(p.get(v, Fraction()) - q.get(v, Fraction())) for v in values), Fraction()) / 2


def ordered_distance(
    _: Case, model: Any, p: Mapping[Cell, Fraction], q: Mapping[Cell, Fraction]
) -> Fraction:
    def place(value: Cell) -> Any:
        if value is None:
            return math.inf, ""
        return (model.order.index(value), "") if model.order else (float(value), value)

    values = sorted({*p, *q}, key=place)
    moved, total = Fraction(), Fraction()
    for value in values[:-1]:
        moved += p.get(value, Fraction()) - q.get(value, Fraction())
        total += abs(moved)
    return total / max(1, len(values) - 1)


def hierarchical_distance(
    case: Case, model: Any, p: Mapping[Cell, Fraction], q: Mapping[Cell, Fraction]
) -> Fraction:
    """Li et al., section 5.2: what is moved within each inner node of the tree, by its height."""
    tree = case.trees[model.column]
    extra = {value: p.get(value, Fraction()) - share for value, share in q.items()}
    at = {value: value for value in extra}
    cost = Fraction()
    for height in range(1, tree.height + 1):
        above = {tree.up[leaf][height - 1]: tree.up[leaf][height] for leaf in at}
        gains: dict[Cell, Fraction] = defaultdict(Fraction)
        losses: dict[Cell, Fraction] = defaultdict(Fraction)
        for node, amount in extra.items():
            (gains if amount > 0 else losses)[above[node]] += abs(amount)
        parents = set(above.values())
        cost += Fraction(height, tree.height) * sum(min(gains[n], losses[n]) for n in parents)
        extra = {n: gains[n] - losses[n] for n in parents}
    return cost


DISTANCES: dict[str, Callable[..., Fraction]] = {
    "equal": lambda _case, _model, p, q: equal_distance(p, q),
    "ordered": ordered_distance,
    "hierarchical": hierarchical_distance,
}


def discloses(case: Case, model: Any, own: Own) -> bool:
    p, q = shares(own), whole(case, model.column)
    return any(v not in p or abs(math.log(p[v] / q[v])) >= model.delta - SLACK for v in q)


def gains_too_much(case: Case, model: Any, own: Own) -> bool:
    q = whole(case, model.column)
    for value, share in shares(own).items():
        gain = share / q[value] - 1
        if gain > exact(model.beta):
            return True
        if model.kind == "enhanced" and gain > 0 and gain > -math.log(q[value]) + SLACK:
            return True
    return False


FAILS: dict[str, Callable[[Case, Any, Own], bool]] = {
    "k_anonymity": lambda _, model, own: own.total() < model.k,
    "largest_risk": lambda _, model, own: Fraction(1, own.total()) > exact(model.max),
    "l_diversity": lacks_diversity,
    "t_closeness": too_far,
    "delta_disclosure": discloses,
    "beta_likeness": gains_too_much,
}
"""Promises about every class."""


# What is lost


def column_means(
    case: Case, node: Node, kept: Sequence[bool], cost: Callable[[str, int, Cell], float]
) -> list[float]:
    """Mean cost of each column over the rows; a suppressed row costs what the root does."""
    mass = case.row_weights or [1.0] * case.rows
    means = []
    for name, level in zip(case.quasi, node, strict=True):
        total = math.fsum(
            mass[row] * cost(name, level if kept[row] else -1, cell)
            for row, cell in enumerate(case.cells[name])
            if mass[row] > 0
        )
        means.append(total / math.fsum(mass))
    return means


def column_weights(case: Case) -> list[float]:
    given = [case.weights.get(name, 1.0) for name in case.quasi]
    return [weight / math.fsum(given) for weight in given]


def lost_shares(case: Case, node: Node, kept: Sequence[bool]) -> list[float]:
    """The x' of each column: mean share of leaves, from 0 at the ground to 1 at the root."""

    def cost(name: str, level: int, cell: Cell) -> float:
        ladder = case.ladders[name]
        return float(ladder.shares[level][ladder.up[cell][level]]) if level >= 0 else 1.0

    rescaled = []
    for name, mean in zip(case.quasi, column_means(case, node, kept, cost), strict=True):
        leaves = len(case.ladders[name].counted)
        least = 1 / leaves
        rescaled.append(max(0.0, (mean - least) / (1 - least)) if leaves > 1 else 0.0)
    return rescaled


def loss(case: Case, node: Node, kept: Sequence[bool], _: Sequence[int]) -> float:
    parts = zip(lost_shares(case, node, kept), column_weights(case), strict=True)
    return math.prod((share + 1) ** weight for share, weight in parts) - 1


def granularity(case: Case, node: Node, kept: Sequence[bool], _: Sequence[int]) -> float:
    parts = zip(lost_shares(case, node, kept), column_weights(case), strict=True)
    return math.fsum(share * weight for share, weight in parts)


def lost_levels(case: Case, node: Node, kept: Sequence[bool]) -> list[float]:
    """Mean level over height; a column without levels above its values has nothing to lose."""

    def cost(name: str, level: int, _: Cell) -> float:
        height = case.ladders[name].height
        return (level if level >= 0 else height) / max(1, height)

    return column_means(case, node, kept, cost)


def precision(case: Case, node: Node, kept: Sequence[bool], _: Sequence[int]) -> float:
    return math.fsum(lost_levels(case, node, kept)) / len(node)


def weighted_precision(case: Case, node: Node, kept: Sequence[bool], _: Sequence[int]) -> float:
    weights = column_weights(case)
    if case.measure.weights == "height":
        heights = [float(height) for height in case.top]
        heights = heights if any(heights) else [1.0] * len(heights)
        weights = [height / sum(heights) for height in heights]
    lost = lost_levels(case, node, kept)
    return math.fsum(mean * weight for mean, weight in zip(lost, weights, strict=True))


def non_uniform_entropy(case: Case, node: Node, kept: Sequence[bool], _: Sequence[int]) -> float:
    """Bits between the rows under a released value and the rows with the value it stands for."""
    mass = case.row_weights or [1.0] * case.rows

    def under(name: str, level: int, cell: Cell) -> float:
        up = case.ladders[name].up
        same = (up[other][level] == up[cell][level] for other in case.cells[name])
        return math.fsum(m for m, alike in zip(mass, same, strict=True) if alike)

    known: dict[tuple[str, int, Cell], float] = {}

    def cost(name: str, level: int, cell: Cell) -> float:
        key = name, level, cell
        if key not in known:
            known[key] = math.log2(under(name, level, cell) / under(name, 0, cell))
        return known[key]

    means = column_means(case, node, kept, cost)
    worst = column_means(case, node, [False] * case.rows, cost)
    parts = zip(means, worst, column_weights(case), strict=True)
    return math.fsum(weight * mean / (most or 1.0) for mean, most, weight in parts)


def discernibility(case: Case, _: Node, kept: Sequence[bool], classes: Sequence[int]) -> float:
    return float(sum(size**2 for size in classes) + kept.count(False) * case.rows)


def average_class_size(case: Case, _: Node, kept: Sequence[bool], classes: Sequence[int]) -> float:
    return sum(classes) / len(classes) if classes else float(case.rows)


SCORES: dict[str, Callable[[Case, Node, Sequence[bool], Sequence[int]], float]] = {
    "loss": loss,
    "granularity": granularity,
    "precision": precision,
    "weighted_precision": weighted_precision,
    "non_uniform_entropy": non_uniform_entropy,
    "discernibility": discernibility,
    "average_class_size": average_class_size,
}
"""What each measure says of a node, lower is better."""

HIGHER_IS_BETTER = ("granularity", "precision", "weighted_precision")
"""Measures that people know as what is left; their score is what is lost."""


def cost(case: Case, shown: float) -> float:
    """A measure as people know it, turned so that lower is better."""
    return 1 - shown if case.measure.name in HIGHER_IS_BETTER else shown
