"""The possible widths of a column's values, from the value as found to one for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.hierarchy.cuts import Cuts
from discreet.hierarchy.date_formats import find_level
from discreet.hierarchy.dates import Dates
from discreet.hierarchy.flat import WithSuppression
from discreet.hierarchy.hierarchy import Builder, Codes
from discreet.hierarchy.intervals import Intervals
from discreet.hierarchy.numbers import read_numbers
from discreet.hierarchy.prefix import Prefix
from discreet.hierarchy.spec import AS_FOUND, ONE_VALUE, name_level

BY_MONTHS = (
    ("month", "2 months", "4 months", "12 months", "24 months", "10 years", "20 years"),
    ("6 months", "5 years"),
)
"""Widths of dates: those of figure 38 and more. Each row nests; 6 months are no multiple of 4."""

FINEST, BULK = 200, (0.05, 0.95)
"""Intervals are at least this part of the range between these quantiles, so that a few very large
numbers do not make them too wide for all others."""


@dataclass(frozen=True, eq=False)
class Width:
    """One width for the values of a column: its name, its size, and the code of each value.

    ``size`` is in months for dates and in the numbers' own unit for intervals; None if a width has
    no size. ``codes[ground code]`` is the code of the released value.
    """

    name: str
    size: float | None
    codes: Codes

    def facts(self) -> dict[str, Any]:
        """The width as plain data, without a value of the column."""
        return {"name": self.name, "size": self.size}


def list_widths(
    column: str, values: Sequence[str | None], builder: Builder, proposed: bool
) -> list[Width]:
    """Every width of a column, the finest first.

    These are the levels of its hierarchy; if it was only ``proposed``, also more widths of months
    for dates, of intervals for numbers and of prefixes for codes. Two of these need not nest, since
    a data holder chooses one.
    """
    if proposed and isinstance(builder, Dates):
        return _list_chain_widths(
            column, values, [_make_dates(chain, builder) for chain in BY_MONTHS]
        )
    if proposed and isinstance(builder, Intervals | Cuts):
        return _list_chain_widths(
            column, values, [_make_intervals(builder, one) for one in _list_ladders(values)]
        )
    return _list_builder_widths(
        column, values, make_nested(builder, values) if proposed else builder
    )


def _make_intervals(builder: Intervals | Cuts, widths: tuple[int | float, ...]) -> Intervals:
    """Intervals of other widths that read the values in the same way."""
    if isinstance(builder, Intervals):
        return replace(builder, widths=widths)
    return Intervals(widths, others=builder.others, decimal=builder.decimal)


def make_nested(builder: Builder, values: Sequence[str | None]) -> Builder:
    """A hierarchy of the widths that nest, which replaces one that was only proposed."""
    match builder:
        case Dates():
            return _make_dates(BY_MONTHS[0], builder)
        case Intervals() | Cuts():
            ladders = _list_ladders(values)
            return _make_intervals(builder, ladders[0]) if ladders else builder
        case Prefix(lengths):
            return replace(builder, lengths=tuple(range(lengths[0], 0, -1)))
    return builder


def measure_level(builder: Any, level: int) -> float | None:
    """How wide a level is: months of a date, or the width of intervals."""
    if isinstance(builder, WithSuppression):
        builder = builder.builder
    if isinstance(builder, Dates) and 1 <= level <= len(builder.levels):
        return find_level(builder.levels[level - 1]).months or None
    if isinstance(builder, Intervals) and 1 <= level <= len(builder.widths):
        return float(builder.widths[level - 1])
    return None


def name_levels(builder: Builder, height: int) -> list[str]:
    """The names of the levels, with their number if two would have the same name."""
    names = [name_level(builder, level, height) for level in range(height + 1)]
    return [
        f"level {level} ({name})" if names.count(name) > 1 else name
        for level, name in enumerate(names)
    ]


def _list_builder_widths(
    column: str, values: Sequence[str | None], builder: Builder
) -> list[Width]:
    built = builder.build(column, values)
    names = name_levels(builder, built.height)
    return [
        Width(name, measure_level(builder, level), codes)
        for level, (name, codes) in enumerate(zip(names, built.maps, strict=True))
    ]


def _list_chain_widths(
    column: str, values: Sequence[str | None], chains: Sequence[Dates | Intervals]
) -> list[Width]:
    """The widths of several hierarchies in order of size, including both ends."""
    found: list[Width] = []
    for builder in chains:
        found.extend(_list_builder_widths(column, values, builder)[1:])
    sized = sorted((one for one in found if one.size), key=lambda one: one.size or 0)
    several = [one for one in sized if 0 < int(one.codes.max()) < len(values) - 1]
    ground = np.arange(len(values), dtype=np.int32)
    top = Width(ONE_VALUE, None, np.zeros_like(ground))
    return [Width(AS_FOUND, None, ground), *several, top]


def _make_dates(levels: Sequence[str], like: Dates) -> Dates:
    return replace(like, levels=tuple(levels))


def _list_ladders(values: Sequence[str | None]) -> list[tuple[int | float, ...]]:
    """Nested widths of 1, 2 and 5 times powers of ten below the range of the numbers."""
    read = read_numbers([value for value in values if value is not None])
    numbers = sorted(number for number in read if number is not None)
    if not numbers:
        return []
    low, high = (numbers[int(part * (len(numbers) - 1))] for part in BULK)
    spread = Decimal(numbers[-1] - numbers[0])
    whole = all(number == int(number) for number in numbers)
    least = max(Decimal(high - low) / FINEST, Decimal(2 if whole else 0))
    first, last = least.adjusted(), spread.adjusted()
    chains: list[tuple[int | float, ...]] = []
    for mantissas in ((1, 2), (5,)):
        every = (m * Decimal(1).scaleb(p) for p in range(first, last + 1) for m in mantissas)
        chains.append(tuple(_convert_width(width) for width in every if least <= width < spread))
    return [chain for chain in chains if chain]


def _convert_width(width: Decimal) -> int | float:
    return int(width) if width == int(width) else float(width)
