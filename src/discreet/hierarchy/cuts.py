"""Numbers released as intervals between chosen numbers, such as 18, 25, 45 and 65."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import field
from decimal import Decimal
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from discreet.display import dataclass
from discreet.hierarchy.hierarchy import Hierarchy, Level
from discreet.hierarchy.intervals import Number, write_interval
from discreet.hierarchy.numbers import (
    EXACT,
    count_places,
    read_number,
    read_numbers,
    scale_numbers,
    show,
)
from discreet.hierarchy.ranges import (
    Others,
    Span,
    TakesRanges,
    check_decimal,
    check_others,
    is_above,
    make_levels,
    read_span,
)
from discreet.hierarchy.refusals import UnreadableValuesError, make_nesting_error, make_spec_error

FIX = (
    "Name words that mean missing (missing: [NA]), or take what does not fit as a group: "
    "cuts: {levels: [...], others: group}."
)
EXAMPLE = "Write for instance [[20, 30, 40, 50, 65], [30, 50]]."


@dataclass(frozen=True)
class Cuts(TakesRanges):
    """Release a number as the interval between two chosen numbers: 23 as 20-29, then as <30.

    Parameters
    ----------
    levels
        For each level the numbers at which an interval begins, in rising order. The numbers of each
        level must be among those of the level below it.

        Values below the first number are released as ``<20``, values from the last number on as
        ``>=65``.
    others
        What happens to values that are not numbers: ``refuse`` stops and counts them; ``group``
        puts ranges such as ``90+`` or ``5-9`` into an interval that holds all of them, the rest
        into ``other``.
    decimal
        ``point`` or ``comma``, if the values do not show which is the decimal mark.

    Notes
    -----
    Rounding into ranges, [Sweeney2001]_, sec. 4.1, fig. 17. *Departures*: the ranges of a level
    need not be equally wide, so that they can follow the distribution of the values.

    Labels are those of :class:`Intervals`: ``20-29`` where all numbers are whole, ``20 to <30``
    where they are not. An interval with room for one number only is written as that number: cuts at
    0 and 1 make a class for 0. Missing values stay separate up to ``*``.

    *Cost*: one pass over the distinct values and a search of the numbers of each level.

    Examples
    --------
    >>> Cuts([[20, 30, 50, 65], [30, 65]]).build("age", ["17", "23", "38", "91"]).labels[1:]
    (('<20', '20-29', '30-49', '>=65'), ('<30', '30-64', '>=65'), ('*',))
    >>> Cuts([[20, 65]], others="group").build("age", ["17", "90+", "60+", "old"]).labels[1:]
    (('<20', '>=65', 'other'), ('*',))
    """

    levels: tuple[tuple[Number, ...], ...]
    others: Others = field(default="refuse", repr=False)
    decimal: Literal["point", "comma"] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        written: Any = self.levels if isinstance(self.levels, list | tuple) else (self.levels,)
        if written and not any(isinstance(level, list | tuple) for level in written):
            written = (written,)
        levels = tuple(tuple(level) if isinstance(level, list | tuple) else () for level in written)
        object.__setattr__(self, "levels", levels)
        if not levels or not all(levels):
            raise make_spec_error("cuts", "every level needs a list of numbers", EXAMPLE)
        exact = [[_read_exact(number) for number in level] for level in levels]
        if any(second <= first for level in exact for first, second in pairwise(level)):
            raise make_spec_error("cuts", "the numbers of a level must rise", EXAMPLE)
        for number, (finer, coarser) in enumerate(pairwise(exact), 1):
            if not set(coarser) < set(finer):
                reason = "its numbers are not some of the numbers of the level below it"
                raise make_nesting_error("cuts", number, number + 1, reason)
        check_others("cuts", self.others)
        check_decimal("cuts", self.decimal)

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Put the numbers of a column into intervals; missing values stay separate up to ``*``."""
        texts = [value for value in values if value is not None]
        numbers = read_numbers(texts, self.decimal)
        present = [number for number in numbers if number is not None]
        if len(present) < len(numbers):
            if self.others == "refuse":
                unread = len(numbers) - len(present)
                raise UnreadableValuesError(column, "numbers", unread, len(values), FIX)
            return Hierarchy.from_levels(column, values, self._sort(values)[0])
        missing = np.array([value is None for value in values], dtype=bool)
        scaled = self._scale(present)
        units = scale_numbers(present, scaled.places).units
        levels = []
        for cuts in scaled.levels:
            small = units.dtype != object and all(abs(cut) < 2**60 for cut in cuts)
            keys = (
                np.searchsorted(np.array(cuts, dtype=np.int64), units, side="right")
                if small
                else np.array([bisect_right(cuts, int(unit)) for unit in units], dtype=np.int64)
            )
            levels.append(Level.of_keys(keys, missing, _label(cuts, scaled.places)))
        return Hierarchy.from_levels(column, values, levels)

    def _sort(self, values: Sequence[str | None]) -> tuple[list[Level], list[str]]:
        """The levels of values, some of them ranges or not numbers, and how each was treated."""
        reader = self._reader(values)
        spans: list[Span | None] = []
        ranges: list[bool] = []
        for value in values:
            number = None if value is None else reader.read(value)
            span = read_span(value, reader) if value is not None and number is None else None
            ranges.append(span is not None)
            spans.append(span if number is None else Span(number, number))
        ends = [end for span in spans if span is not None for end in span if end is not None]
        scaled = self._scale(ends)
        above = [value is not None and is_above(value) for value in values]
        rows = [
            [
                None if span is None else scaled.name(cuts, span, wide, over)
                for span, wide, over in zip(spans, ranges, above, strict=True)
            ]
            for cuts in scaled.levels
        ]
        levels, kinds = make_levels(values, rows)
        return levels, [
            "range" if kind == "fits" and wide else kind
            for kind, wide in zip(kinds, ranges, strict=True)
        ]

    def _scale(self, numbers: Sequence[Decimal | int]) -> _ScaledCuts:
        """The cuts in units in which all numbers are whole."""
        exact = [[_read_exact(number) for number in level] for level in self.levels]
        places = max(map(count_places, [*numbers, *exact[0]]), default=0)
        levels = [[_scale_number(number, places) for number in level] for level in exact]
        return _ScaledCuts(levels, places)


@dataclass(frozen=True, eq=False)
class _ScaledCuts:
    """The cuts of each level in units of ``10 ** -places``."""

    levels: Sequence[Sequence[int]]
    places: int

    def name(self, cuts: Sequence[int], span: Span, wide: bool, over: bool) -> str | None:
        """The interval that holds a number or a whole range; None if none does.

        A number is a range from itself to itself; a ``wide`` range ends before its ``high``. A
        range ``over`` a number excludes it.
        """
        low = None if span.low is None else _scale_number(span.low, self.places)
        last = None if span.high is None else _scale_number(span.high, self.places) - wide
        if low is not None and over and not self.places:
            low += 1
        first = 0 if low is None else bisect_right(cuts, low)
        if first != (len(cuts) if last is None else bisect_right(cuts, last)):
            return None
        return _label(cuts, self.places)(first)


def _label(cuts: Sequence[int], places: int) -> Callable[[int], str]:
    """The text of the interval before the cut of each number; the last has no end."""

    def label(key: int) -> str:
        if key == 0:
            return f"<{show(cuts[0], places)}"
        if key == len(cuts):
            return f">={show(cuts[-1], places)}"
        start, end = cuts[key - 1], cuts[key]
        if end - start == 1:  # no value of the column has more decimals
            return show(start, places)
        return write_interval(start, end, places)

    return label


def _scale_number(number: Decimal | int, places: int) -> int:
    return int(Decimal(number).scaleb(places, EXACT))


def _read_exact(number: object) -> Decimal:
    """Read a parameter exactly as written: 0.1 is one tenth."""
    exact = None if isinstance(number, bool | str) else read_number(str(number))
    if exact is None:
        what = "it needs numbers of at most 30 digits either side of the point"
        raise make_spec_error("cuts", what, EXAMPLE)
    return exact
