"""t-closeness: a class tells little more about its sensitive values than the whole table does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import DiscreetError, HierarchyError
from discreet.frequency.classes import Classes, Floats, Histogram, Ints, Mask, add_up
from discreet.models.parameters import require_choice
from discreet.models.verdict import TOLERANCE, Unchecked, Verdict
from discreet.number_range import check_range, within

if TYPE_CHECKING:
    from discreet.models.evidence import Evidence, Reference

CELLS_AT_ONCE = 1 << 21
BISECTIONS = 24


@dataclass(frozen=True)
class TCloseness:
    """The sensitive values of every class are distributed almost as in the whole table.

    Parameters
    ----------
    column
        The sensitive column.
    t
        The largest distance allowed, above 0 and up to 1.
    distance
        ``equal``: all values are equally far apart; ``ordered``: neighbours are near;
        ``hierarchical``: values under a common parent are near.
    order
        The values from low to high, for ``ordered`` if they are not numbers.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [Li2007]_, sec. 4, with the earth mover's distance of sec. 4.1. The tree distance is the mean,
    over the levels below the root, of the equal distance between the level's values, which is the
    sum of the paper's node costs. *Departures*: the whole table is the private one, before any row
    is suppressed. *Cost*: linear in the (class, value) pairs; ordered: classes times values.

    >>> TCloseness(column="disease", t=0.2).distance
    'equal'
    """

    column: str
    t: float = field(metadata=within(above=0, most=1))
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    order: tuple[str, ...] | None = None
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "t_closeness"
    hereditary: ClassVar[bool] = False
    least_rows: ClassVar[int] = 1

    def __post_init__(self) -> None:
        kinds = ("equal", "ordered", "hierarchical")
        require_choice(self.name, "distance", self.distance, kinds)
        check_range(self, "t")

    @property
    def sensitive(self) -> str:
        """The sensitive column this model is about."""
        return self.column

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes whose distribution is too far from the table's."""
        rows = classes.rows.astype(np.float64)
        return self._find_least_distance(classes, rows) > self.t + TOLERANCE

    def count_keepable(self, classes: Classes) -> Floats:
        """Rows of each class that some finer grouping could still release.

        A part of N rows can at best hold min(q, h/N) of each share q, where h is the class's own
        count; the largest N that comes within t by that reckoning is found by bisection.
        """
        rows = classes.rows.astype(np.float64)
        failing = self.fails(classes)
        if not failing.any():
            return rows
        part = classes.select(failing)
        low, high = np.zeros(len(part)), part.rows.astype(np.float64)
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            over = self._find_least_distance(part, np.maximum(middle, 1e-9)) > self.t + TOLERANCE
            high, low = np.where(over, middle, high), np.where(over, low, middle)
        rows[failing] = np.minimum(high, part.rows - 1)
        return rows

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.t

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return (
            f"the distribution of {self.column} in every class is within {self.t:g} of that in the "
            "whole table"
        )

    def check(self, evidence: Evidence) -> Verdict:
        """Measure the promise again on the released file, from its definition."""
        return check_t_closeness(self, evidence)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure the class furthest from the whole table."""
        distances = self._find_least_distance(classes, classes.rows.astype(np.float64))
        failing = distances > self.t + TOLERANCE
        measured = float(distances.max()) if len(distances) else 0.0
        at_risk = int(classes.rows[failing].sum())
        note = f"{self.distance} distance, column {self.column}, compared with the whole table"
        return Verdict(self.name, not failing.any(), measured, self.t, at_risk, columns, note)

    def _find_least_distance(self, classes: Classes, size: Floats) -> Floats:
        """Least distance that any ``size`` rows of each class have; exact for the whole class."""
        histogram = classes.histograms[self.column]
        if self.distance == "ordered":
            return _measure_ordered(classes, histogram, size, histogram.reference.ranks[self.order])
        if self.distance == "equal":
            return _measure_equal(classes, histogram, size, None)
        levels = histogram.reference.levels[:-1]
        if not levels:
            return np.zeros(len(classes))
        total = np.zeros(len(classes))
        for level in levels:
            total += _measure_equal(classes, histogram, size, level)
        return total / len(levels)


def _measure_equal(
    classes: Classes, histogram: Histogram, size: Floats, level: npt.NDArray[np.int32] | None
) -> Floats:
    """One minus what the class has in common with the table: half the absolute differences."""
    shares, owner = histogram.reference.shares, histogram.owner
    value, count = histogram.value, histogram.count
    if level is not None:
        shares = add_up(level, shares, int(level.max()) + 1)
        pairs = owner.astype(np.int64) * len(shares) + level[value]
        pair, where = np.unique(pairs, return_inverse=True)
        count = np.bincount(where, weights=count).astype(np.int64)
        owner, value = (pair // len(shares)).astype(np.int32), pair % len(shares)
    common = np.minimum(shares[value], count / size[owner])
    return 1.0 - add_up(owner, common, len(classes))


def _measure_ordered(classes: Classes, histogram: Histogram, size: Floats, rank: Ints) -> Floats:
    """Sum of absolute differences of the cumulated shares, over one less than the values."""
    reference = histogram.reference
    values = len(rank)
    if values < 2:
        return np.zeros(len(classes))
    table = np.zeros(values)
    table[rank] = reference.shares
    target = np.cumsum(table)
    result = np.empty(len(classes))
    order = np.argsort(histogram.owner, kind="stable")
    owner = histogram.owner[order]
    place, count = rank[histogram.value[order]], histogram.count[order]
    step = max(1, CELLS_AT_ONCE // values)
    for start in range(0, len(classes), step):
        stop = min(len(classes), start + step)
        first, last = np.searchsorted(owner, [start, stop])
        dense = np.zeros((stop - start, values))
        dense[owner[first:last] - start, place[first:last]] = count[first:last]
        below = np.cumsum(dense, axis=1)
        above = below[:, -1:] - below
        n = size[start:stop, None]
        short = np.maximum(target - below / n, (1 - above / n) - target)
        result[start:stop] = np.maximum(short, 0.0)[:, :-1].sum(axis=1) / (values - 1)
    return result


# How far one distribution is from another when some values are nearer to each other.


Levels = tuple[npt.NDArray[np.int32], ...]


def rank_values(values: Sequence[str | None], order: Sequence[str] | None) -> Ints:
    """The place of each value from low to high: as ``order`` lists them, else as numbers.

    The missing value comes last. Numbers that are written in two ways keep both places.
    """
    if order is not None:
        listed = {value: place for place, value in enumerate(order)}
        unlisted = sum(value is not None and value not in listed for value in values)
        if unlisted:
            raise Unchecked(f"order leaves out {unlisted} of the column's values")
        keys = [(listed[v], "") if v is not None else (math.inf, "") for v in values]
    else:
        keys = [_number_first(value) for value in values]
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[sorted(range(len(values)), key=keys.__getitem__)] = np.arange(len(values))
    return ranks


def _number_first(value: str | None) -> tuple[float, str]:
    if value is None:
        return math.inf, ""
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise Unchecked("not all values are numbers, and the policy gives no order")
    return number, value


def ordered_distance(differences: Floats) -> Floats:
    """Sum of the absolute cumulated differences p - q, over one less than the values, by row.

    Notes
    -----
    [Li2007]_, sec. 5.1. *Departures*: none; with a single value nothing can be moved.
    """
    steps = differences.shape[1] - 1
    if steps < 1:
        return np.zeros(len(differences))
    total: Floats = np.abs(np.cumsum(differences, axis=1)).sum(axis=1) / steps
    return total


def hierarchical_distance(differences: Floats, levels: Levels) -> Floats:
    """What it costs to move p onto q when values under a near common parent are near, by row.

    Notes
    -----
    [Li2007]_, sec. 5.2. For a leaf, extra is p - q; for a node N, the sum of its children's.
    cost(N) = height(N) / H * min(sum of its children's positive extras, sum of their negative
    ones); the distance is the sum of all costs. *Departures*: none.
    """
    top = len(levels) - 1
    cost = np.zeros(len(differences))
    extra, leaf = differences, np.arange(differences.shape[1])
    for height in range(1, top + 1):
        parent = levels[height][leaf]
        positive, first = _add_children(np.maximum(extra, 0), parent)
        negative, _ = _add_children(np.maximum(-extra, 0), parent)
        cost += height / top * np.minimum(positive, negative).sum(axis=1)
        extra, leaf = positive - negative, leaf[first]
    return cost


def _add_children(extra: Floats, parent: npt.NDArray[np.int32]) -> tuple[Floats, Ints]:
    """Add columns with the same parent; also gives the first column of each parent."""
    order = np.argsort(parent, kind="stable")
    starts = np.flatnonzero(np.diff(parent[order], prepend=-1))
    return np.add.reduceat(extra[:, order], starts, axis=1), order[starts]


# Second opinion on t-closeness: how far each class's sensitive values are from the whole's.


BLOCK = 2_000_000
"""Numbers that the class-by-value table of shares may have at one time."""


def check_t_closeness(model: TCloseness, evidence: Evidence) -> Verdict:
    """Find the class whose sensitive values are farthest from the whole table's.

    Notes
    -----
    [Li2007]_, sec. 5: earth mover's distance under the equal, ordered or hierarchical ground
    distance. *Departures*: none. *Cost*: equal, one grouping; the others, classes times values.
    """
    whole = evidence.reference(model.column)
    if model.distance == "equal":
        found = _check_equal(model, evidence, whole)
    else:
        found = _check_earth_movers(model, evidence, whole)
    note = f"{model.distance} distance, column {model.column}, {whole.source}"
    return evidence.make_verdict(model, found, model.t, note)


def _check_equal(model: TCloseness, evidence: Evidence, whole: Reference) -> tuple[float, int]:
    """Half the sum of absolute differences; a value absent from the class differs by all of q."""
    values = evidence.values(evidence.quasi_of(model), model.column)
    measures = (
        f"SELECT id, (sum(abs(p - coalesce(q, 0))) + 1 - coalesce(sum(q), 0)) / 2 AS measured "
        f"FROM {evidence.write_comparison_query(values, whole)} GROUP BY id"
    )
    return evidence.judge(model, measures, f"measured > {float(model.t)!r} + {TOLERANCE}")


def _check_earth_movers(
    model: TCloseness, evidence: Evidence, whole: Reference
) -> tuple[float, int]:
    """Earth mover's distance where some values are nearer than others."""
    values, q = _list_all_values(model, evidence, whole)
    if model.distance == "ordered":
        places = rank_values(values, model.order)
        distance: Callable[[Floats], Floats] = ordered_distance
    else:
        places = np.arange(len(values))
        levels = _build_levels(model, evidence, values)

        def distance(differences: Floats) -> Floats:
            return hierarchical_distance(differences, levels)

    target = np.zeros(len(values))
    target[places] = q
    found = [
        (distance(shares - target), members)
        for shares, members in _read_blocks(model, evidence, values, places)
    ]
    farthest = max((float(far.max()) for far, _ in found), default=0.0)
    at_risk = sum(int(members[far > model.t + TOLERANCE].sum()) for far, members in found)
    return farthest, at_risk


def _list_all_values(
    model: TCloseness, evidence: Evidence, whole: Reference
) -> tuple[list[str | None], Floats]:
    """Every value of the whole table or the release, with its share of the whole table."""
    released = f"SELECT DISTINCT {evidence.field_of(model.column)} AS value FROM cells"
    rows = evidence.session.run(
        f"SELECT value, max(q) FROM (SELECT value, q FROM {whole.name} "
        f"UNION ALL SELECT value, 0 FROM ({released})) GROUP BY value ORDER BY value"
    )
    return [value for value, _ in rows], np.array([share for _, share in rows], dtype=float)


def _read_blocks(
    model: TCloseness, evidence: Evidence, values: Sequence[str | None], places: Ints
) -> Iterator[tuple[Floats, Ints]]:
    """Shares of each value in each class, and the class's rows, in blocks of classes."""
    quasi = evidence.quasi_of(model)
    counted, classes = evidence.values(quasi, model.column), evidence.classes(quasi)
    session = evidence.session
    session.connection.register(
        "places", pa.table({"value": pa.array(values, pa.string()), "place": places})
    )
    session.run(
        f"CREATE OR REPLACE TEMP TABLE placed AS SELECT id, place, n FROM {counted} AS own "
        f"JOIN places ON own.value IS NOT DISTINCT FROM places.value ORDER BY id"
    )
    session.connection.unregister("places")
    number = int(session.row(f"SELECT count(*) FROM {classes}")[0])
    step = max(1, BLOCK // max(1, len(values)))
    for start in range(1, number + 1, step):
        within = f"WHERE id BETWEEN {start} AND {start + step - 1}"
        part = session.arrays(f"SELECT id, place, n FROM placed {within}")
        own = session.arrays(f"SELECT members FROM {classes} {within} ORDER BY id")
        counts = np.zeros((len(own["members"]), len(values)))
        counts[part["id"] - start, part["place"]] = part["n"]
        yield counts / counts.sum(axis=1, keepdims=True), own["members"]


def _build_levels(model: TCloseness, evidence: Evidence, values: Sequence[str | None]) -> Levels:
    builder = evidence.hierarchies.get(model.column)
    if builder is None:
        raise Unchecked(f"the policy has no hierarchy for column {model.column}")
    try:
        maps: Levels = builder.build(model.column, values).maps
    except DiscreetError as error:
        raise Unchecked(str(error)) from None
    return maps


def make_order_error(column: str, count: int, listed: bool) -> HierarchyError:
    """The ordered distance was requested, but the values have no known order."""
    lack = "are not in its 'order'" if listed else "are not numbers"
    return HierarchyError(
        "t_closeness with the ordered distance",
        f"{count:,} of the values of '{column}' {lack}",
        "List all values from low to high under 'order', or use another distance.",
        column=column,
    )


def make_hierarchy_error(column: str) -> HierarchyError:
    """The hierarchical distance was requested without a hierarchy to measure it on."""
    return HierarchyError(
        f"t_closeness with the hierarchical distance needs a hierarchy of '{column}'. Give the "
        "column one in the policy, or use another distance.",
        column=column,
    )
