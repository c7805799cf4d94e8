"""Levels for numbers: intervals that follow the distribution, with cuts at round numbers."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.hierarchy.cuts import Cuts
from discreet.hierarchy.hierarchy import Builder
from discreet.hierarchy.intervals import Intervals
from discreet.hierarchy.numbers import EXACT, count_places
from discreet.kinds.column_name import split_name

Exact = Decimal | int
Floats = NDArray[np.float64]

FINEST = 16
"""Approximate number of intervals at level 1."""
UNEVEN = 0.15
"""The largest distance from an even distribution at which intervals of one width are proposed."""
HEAVY = 0.25
"""A number with this share of the rows gets a class of its own."""
SHIFT = 0.45
"""How far a cut may be from its quantile, as a fraction of one interval's share of the rows."""

MOST_LEVELS = 4

AGE_WORDS = frozenset({"age", "ages", "alter", "edad", "eta"})
OLDEST = 120
AGES: tuple[tuple[int, ...], ...] = (
    tuple(range(5, 95, 5)),
    (15, 25, 35, 45, 55, 65, 75, 85),
    (25, 45, 65),
    (45,),
)
"""Bands of five years, then ten years as in labour statistics, then stages of life."""
YEARS = range(1850, 2101)


@dataclass(frozen=True, eq=False)
class NumberLevels:
    """A builder for numbers, and the reason for its kind in words."""

    builder: Builder
    reason: str


def propose_number_levels(
    column: str, numbers: Sequence[Exact], counts: Sequence[int] | None
) -> NumberLevels | None:
    """Suggest levels for the distinct numbers of a column; None if there is nothing to divide."""
    spread = _spread_out(numbers, counts)
    if spread.whole and spread.numbers[0] >= 0 and _is_age(column, spread):
        stages = _keep_useful(AGES, spread)
        if stages:
            why = "ages by five and ten years, then by stages of life"
            return NumberLevels(Cuts(stages), why)
    if spread.whole and all(number in YEARS for number in (spread.numbers[0], spread.numbers[-1])):
        widths = [w for w in (5, 10, 20) if w < spread.numbers[-1] - spread.numbers[0]]
        if widths:
            return NumberLevels(Intervals(tuple(widths)), "years by five, ten and twenty")
    heavy = spread.find_heavy()
    if not heavy and spread.measure_unevenness() <= UNEVEN:
        widths_found = _propose_widths(spread)
        why = "the numbers are spread evenly, so intervals are equally wide"
        return None if widths_found is None else NumberLevels(Intervals(widths_found), why)
    cuts = _cut_at_quantiles(spread, heavy)
    if not cuts:
        return None
    why = "intervals hold about the same number of rows each"
    if heavy:
        many = "one frequent number has" if len(heavy) == 1 else "frequent numbers have"
        why += f"; {many} a class of their own" if len(heavy) > 1 else f"; {many} its own class"
    return NumberLevels(Cuts(cuts), why)


def _spread_out(numbers: Sequence[Exact], counts: Sequence[int] | None) -> _Spread:
    rows = np.ones(len(numbers)) if counts is None else np.asarray(counts, dtype=np.float64)
    order = sorted(range(len(numbers)), key=lambda at: numbers[at])
    return _Spread([numbers[at] for at in order], rows[order])


def _is_age(column: str, spread: _Spread) -> bool:
    words = split_name(column)
    return bool(words) and not AGE_WORDS.isdisjoint(words) and spread.numbers[-1] <= OLDEST


def _keep_useful(levels: Sequence[Sequence[int]], spread: _Spread) -> tuple[tuple[int, ...], ...]:
    """The cuts that divide the numbers, and the levels that are coarser than the one below."""
    low, high = spread.numbers[0], spread.numbers[-1]
    kept: list[tuple[int, ...]] = []
    for level in levels:
        cuts = tuple(cut for cut in level if low < cut <= high)
        if cuts and (not kept or len(cuts) < len(kept[-1])):
            kept.append(cuts)
    return tuple(kept)


@dataclass(frozen=True, eq=False)
class _Spread:
    """The distinct numbers of a column in rising order, and the rows of each."""

    numbers: Sequence[Exact]
    rows: Floats

    @property
    def whole(self) -> bool:
        return all(isinstance(n, int) or n == n.to_integral_value() for n in self.numbers)

    @property
    def unit(self) -> Decimal:
        """The smallest step between numbers with as many decimals as the column has."""
        return Decimal(1).scaleb(-max(map(count_places, self.numbers)), EXACT)

    def find_heavy(self) -> list[int]:
        """The positions of numbers with so many rows that they need a class of their own."""
        return [int(at) for at in np.flatnonzero(self.rows >= HEAVY * self.rows.sum())]

    def measure_unevenness(self) -> float:
        """The largest difference from an even distribution over the range, from 0 to 1."""
        low, high = float(self.numbers[0]), float(self.numbers[-1])
        if not low < high or not np.isfinite(high - low):
            return 1.0
        place = (np.array([float(n) for n in self.numbers]) - low) / (high - low)
        share = (np.cumsum(self.rows) - self.rows / 2) / self.rows.sum()
        return float(np.abs(place - share).max())

    def count_below(self, cut: Decimal) -> int:
        """How many of the distinct numbers are below a cut."""
        return bisect_left(self.numbers, cut)

    def without(self, places: Sequence[int]) -> _Spread:
        kept = [at for at in range(len(self.numbers)) if at not in set(places)]
        return _Spread([self.numbers[at] for at in kept], self.rows[kept])


def _propose_widths(spread: _Spread) -> tuple[int | float, ...] | None:
    """Three widths, each twice the one before."""
    difference = Decimal(spread.numbers[-1]) - Decimal(spread.numbers[0])
    width = _round_up(difference / FINEST)
    width = max(width, Decimal(2)) if spread.whole else width
    if not width:
        return None
    return tuple(_write(width * factor) for factor in (1, 2, 4))


def _round_up(number: Decimal) -> Decimal:
    """Round up to 1, 2 or 5 times a power of ten."""
    if number <= 0:
        return Decimal(0)
    unit = Decimal(1).scaleb(number.adjusted())
    return next(step * unit for step in (1, 2, 5, 10) if step * unit >= number)


def _cut_at_quantiles(spread: _Spread, heavy: Sequence[int]) -> tuple[tuple[int | float, ...], ...]:
    """Nested levels of cuts near quantiles, at numbers as round as the distribution allows."""
    low, high = spread.numbers[0], spread.numbers[-1]
    fixed = set()
    for at in heavy:
        number = Decimal(spread.numbers[at])
        fixed |= {_settle(number), _settle(EXACT.add(number, spread.unit))}
    rest = spread.without(heavy)
    groups = FINEST
    while groups > 2 and groups > len(rest.numbers) / 2:
        groups //= 2
    cuts = set(_find_cuts(rest, groups, spread.unit)) if len(rest.numbers) > 1 else set()
    levels = []
    while groups > 1:
        levels.append({cut for cut in cuts | fixed if low < cut <= high})
        groups //= 2
        cuts = set(_select_cuts(rest, sorted(cuts), groups)) if cuts else set()
    levels.append({cut for cut in fixed if low < cut <= high})
    levels = _drop_levels([level for level in levels if level], spread)
    first = {cut for cut in fixed if cut == low}  # its class is named by the number itself
    return tuple(tuple(_write(cut) for cut in sorted(level | first)) for level in levels)


def _drop_levels(levels: Sequence[set[Decimal]], spread: _Spread) -> list[set[Decimal]]:
    """At most `MOST_LEVELS` levels, each with fewer cuts than the one below, the last with one."""
    kept: list[set[Decimal]] = []
    for level in levels:
        if not kept or len(level) < len(kept[-1]):
            kept.append(level)
    if kept and len(kept[-1]) > 1:
        kept.append({_find_middle(spread, sorted(kept[-1]))})
    while len(kept) > MOST_LEVELS:
        inner = range(1, len(kept) - 1)
        kept.pop(min(inner, key=lambda at: len(kept[at - 1]) / len(kept[at + 1])))
    return kept


def _find_middle(spread: _Spread, cuts: Sequence[Decimal]) -> Decimal:
    """The cut that divides the rows best into two."""
    total = float(spread.rows.sum())
    below = [float(spread.rows[: spread.count_below(cut)].sum()) for cut in cuts]
    return min(zip(below, cuts, strict=True), key=lambda pair: abs(2 * pair[0] - total))[1]


def _find_cuts(spread: _Spread, groups: int, unit: Decimal) -> Iterator[Decimal]:
    """For each quantile the roundest number near it."""
    below = np.cumsum(spread.rows) / spread.rows.sum()
    last = len(spread.numbers) - 1
    for number in range(1, groups):
        ends = [(number + shift) / groups for shift in (-SHIFT, SHIFT)]
        first, then = (min(last, int(np.searchsorted(below, end, side="right"))) for end in ends)
        low, high = Decimal(spread.numbers[first]), Decimal(spread.numbers[then])
        yield _settle(find_roundest(low, high, unit))


def _select_cuts(spread: _Spread, cuts: Sequence[Decimal], groups: int) -> Iterator[Decimal]:
    """The cuts of one level to keep in the next: near its quantiles, and round."""
    numbers = np.array([float(number) for number in spread.numbers])
    below = np.concatenate([[0.0], np.cumsum(spread.rows) / spread.rows.sum()])
    share = below[np.searchsorted(numbers, [float(cut) for cut in cuts], side="left")]
    for number in range(1, groups):
        off = np.abs(share - number / groups)
        near = [at for at in range(len(cuts)) if off[at] <= off.min() + SHIFT / (2 * groups)]
        yield cuts[min(near, key=lambda at: (count_digits(cuts[at]), off[at]))]


def count_digits(number: Decimal) -> int:
    """The digits of a number up to its last one that is not 0; a last 5 counts half.

    >>> [count_digits(Decimal(n)) for n in ("2000", "2500", "2513")]
    [2, 3, 8]
    """
    digits = number.normalize(EXACT).as_tuple().digits
    return 2 * len(digits) - (digits[-1] == 5)


def find_roundest(low: Decimal, high: Decimal, unit: Decimal = Decimal(0)) -> Decimal:
    """The roundest number from `low` to `high`: the one with the fewest digits.

    It has no more decimals than `unit`.

    >>> [str(find_roundest(Decimal(a), Decimal(b))) for a, b in (("16", "23"), ("941", "1130"))]
    ['20', '1000']
    """
    if low == high:
        return low
    exponent = max(abs(low), abs(high)).adjusted() + 1
    middle = (low + high) / 2
    for power in range(exponent, exponent - 70, -1):
        for step in (Decimal(1), Decimal("0.5"), Decimal("0.25"), Decimal("0.2")):
            width = step.scaleb(power)
            nearest = EXACT.multiply((middle / width).to_integral_value(), width)
            if low <= nearest <= high and not (unit and EXACT.remainder(nearest, unit)):
                return nearest + 0
    return low


def _settle(number: Decimal) -> Decimal:
    """A number as read back from a policy."""
    return Decimal(str(_write(number)))


def _write(number: Decimal) -> int | float:
    """A cut in the form of a policy."""
    return int(number) if number == number.to_integral_value() else float(number)
