"""Numbers released as intervals that grow from level to level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from decimal import Decimal
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.hierarchy.hierarchy import Hierarchy, Level
from discreet.hierarchy.numbers import (
    EXACT,
    Scaled,
    count_places,
    is_unclear,
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

Number = int | float | Decimal

FIX = (
    "Name words that mean missing (missing: [NA]), or take what does not fit as a group: "
    "intervals: {widths: [...], others: group}."
)
UNCLEAR = "Some may have a decimal comma or groups of digits: say decimal: comma, or point. "


@dataclass(frozen=True)
class Intervals(TakesRanges):
    """Release a number as the interval it lies in: age 23 as 20-24, then 20-29, then 20-39.

    Parameters
    ----------
    widths
        The width of the intervals of each level, each a multiple of the one before.
    origin
        Where an interval starts; the others follow from the width.
    bottom
        Values below it are released as ``<bottom``.
    top
        Values from it on are released as ``>=top``.

        Both apply at every level above the value itself. An interval that they cut keeps its
        remaining part.
    others
        What happens to values that are not numbers: ``refuse`` stops and counts them; ``group``
        puts ranges such as ``90+`` or ``5-9`` into an interval that holds all of them, the rest
        into ``other``.
    decimal
        ``point`` or ``comma``, if the values do not show which is the decimal mark.

    Notes
    -----
    Rounding into ranges, [Sweeney2001]_, sec. 4.1, fig. 17. *Departures*: bottom and top coding are
    not in the paper.

    Labels: ``20-24`` where all values of the column are whole numbers (both ends belong to it),
    ``20 to <25`` where they are not (20 belongs to it, 25 does not); ``-5 to -1`` for whole numbers
    below zero. The arithmetic is exact: 0.3 is in the interval from 0.3 on. ``007`` counts as 7 and
    stays as found at level 0. Money and grouped digits are numbers (``$12,165.00``, ``1.234,5``),
    with one decimal mark per column. If there is more than one interval of the largest width, or
    values are missing, ``*`` is added above them.

    A range that no interval of a level contains is released as found at that level, so that levels
    nest; if no level contains it, it becomes ``other``.

    *Cost*: one pass over the distinct values, and one sort per level.

    Examples
    --------
    >>> ages = Intervals([5, 10], top=90).build("age", ["17", "23", "91"])
    >>> ages.labels[1:]
    (('15-19', '20-24', '>=90'), ('10-19', '20-29', '>=90'), ('*',))
    >>> Intervals([5], top=90, others="group").build("age", ["17", "90+", "old"]).labels[1:]
    (('15-19', '>=90', 'other'), ('*',))
    """

    widths: tuple[Number, ...]
    origin: Number = 0
    bottom: Number | None = None
    top: Number | None = None
    others: Others = field(default="refuse", repr=False)
    decimal: Literal["point", "comma"] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "widths", tuple(self.widths))
        widths = [_read_exact("widths", width) for width in self.widths]
        if not widths or min(widths) <= 0:
            raise make_spec_error(
                "intervals", "widths must be numbers above zero", "Write for instance [5, 10, 20]."
            )
        for finer, coarser in pairwise(widths):
            if coarser <= finer or EXACT.remainder(coarser, finer):
                reason = "its width is not a multiple of the width below it"
                raise make_nesting_error("intervals", finer, coarser, reason)
        _read_exact("origin", self.origin)
        ends = [
            _read_exact("bottom and top", end) for end in (self.bottom, self.top) if end is not None
        ]
        if len(ends) == 2 and ends[0] >= ends[1]:
            fix = f"They are {ends[0]} and {ends[1]}."
            raise make_spec_error("intervals", "bottom must be below top", fix)
        check_others("intervals", self.others)
        check_decimal("intervals", self.decimal)

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Put the numbers of a column into intervals; missing values stay separate up to ``*``."""
        present = [value for value in values if value is not None]
        numbers = read_numbers(present, self.decimal)
        read = [number for number in numbers if number is not None]
        if len(read) < len(numbers):
            if self.others == "refuse":
                raise self._make_error(column, present, numbers, len(values))
            return Hierarchy.from_levels(column, values, self._sort(values)[0])
        missing = np.array([value is None for value in values], dtype=bool)
        cutter, scaled = self._scale(read, ())
        levels = [cutter.cut(width, missing) for width in scaled]
        return Hierarchy.from_levels(column, values, levels)

    def _sort(self, values: Sequence[str | None]) -> tuple[list[Level], list[str]]:
        reader = self._reader(values)
        numbers = [None if value is None else reader.read(value) for value in values]
        spans = [
            read_span(value, reader) if value is not None and number is None else None
            for value, number in zip(values, numbers, strict=True)
        ]
        read = [number for number in numbers if number is not None]
        cutter, widths = self._scale(read, [span for span in spans if span is not None])
        above = [value is not None and is_above(value) for value in values]
        rows = [
            [
                cutter.name(width, number, number)
                if number is not None
                else cutter.name_span(width, span, over)
                if span is not None
                else None
                for number, span, over in zip(numbers, spans, above, strict=True)
            ]
            for width in widths
        ]
        levels, kinds = make_levels(values, rows)
        return levels, [
            "range" if kind == "fits" and span is not None else kind
            for kind, span in zip(kinds, spans, strict=True)
        ]

    def _scale(
        self, numbers: Sequence[Decimal | int], spans: Sequence[Span]
    ) -> tuple[_Cutter, list[int]]:
        """A cutter for the numbers in whole units, and the widths in the same units."""
        widths = [_read_exact("widths", width) for width in self.widths]
        origin = _read_exact("origin", self.origin)
        ends = [
            None if end is None else _read_exact("ends", end) for end in (self.bottom, self.top)
        ]
        shown = [*widths, origin, *(end for end in ends if end is not None)]
        shown += [end for span in spans for end in span if end is not None]
        places = max(map(count_places, [*numbers, *shown]), default=0)
        cut = [None if end is None else _scale_number(end, places) for end in ends]
        units = scale_numbers(numbers, places)
        cutter = _Cutter(units, _scale_number(origin, places), cut[0], cut[1])
        return cutter, [_scale_number(width, places) for width in widths]

    def _make_error(
        self, column: str, present: Sequence[str], numbers: Sequence[Any], total: int
    ) -> UnreadableValuesError:
        unread = [text for text, n in zip(present, numbers, strict=True) if n is None]
        either = [text for text in unread if is_unclear(text)]
        fix = (UNCLEAR if either and self.decimal is None else "") + FIX
        return UnreadableValuesError(column, "numbers", len(unread), total, fix)


@dataclass(frozen=True, eq=False)
class _Cutter:
    """Cuts the scaled numbers of one column into intervals of any width."""

    numbers: Scaled
    origin: int
    bottom: int | None
    top: int | None

    def cut(self, width: int, missing: NDArray[np.bool_]) -> Level:
        units = self.numbers.units
        if units.dtype != object and max(width, abs(self.origin)) >= 2**60:
            units = units.astype(object)
        keys: NDArray[Any] = (units - self.origin) // width
        # Every interval with a number is between these two.
        below, above = (int(keys.min()) - 1, int(keys.max()) + 1) if len(keys) else (-1, 1)
        if self.bottom is not None:
            keys = np.where(units < self.bottom, below, keys)
        if self.top is not None:
            keys = np.where(units >= self.top, above, keys)
        return Level.of_keys(keys, missing, self._label(width, below, above))

    def name(self, width: int, low: Decimal | int, last: Decimal | int) -> str | None:
        """The interval that contains all numbers from ``low`` to ``last``, or None."""
        places = self.numbers.places
        first, end = (_scale_number(Decimal(number), places) for number in (low, last))
        return self._name(width, first, end)

    def name_span(self, width: int, span: Span, over: bool) -> str | None:
        """The interval that contains a whole range; a range ``over`` a number excludes it."""
        places = self.numbers.places
        low = None if span.low is None else _scale_number(span.low, places)
        if low is not None and over and not places:
            low += 1
        last = None if span.high is None else _scale_number(span.high, places) - 1
        return self._name(width, low, last)

    def _name(self, width: int, low: int | None, last: int | None) -> str | None:
        places, bottom, top = self.numbers.places, self.bottom, self.top
        if top is not None and low is not None and low >= top:
            return f">={show(top, places)}"
        if bottom is not None and last is not None and last < bottom:
            return f"<{show(bottom, places)}"
        if low is None or last is None:
            return None
        if (bottom is not None and low < bottom) or (top is not None and last >= top):
            return None
        key = (low - self.origin) // width
        if key != (last - self.origin) // width:
            return None
        start = self.origin + key * width
        end = start + width
        start = start if bottom is None else max(start, bottom)
        return write_interval(start, end if top is None else min(end, top), places)

    def _label(self, width: int, below: int, above: int) -> Callable[[int], str]:
        places = self.numbers.places

        def label(key: int) -> str:
            if key == below:
                return f"<{show(self.bottom or 0, places)}"
            if key == above:
                return f">={show(self.top or 0, places)}"
            start = self.origin + key * width
            end = start + width
            start = start if self.bottom is None else max(start, self.bottom)
            end = end if self.top is None else min(end, self.top)
            return write_interval(start, end, places)

        return label


def write_interval(start: int, end: int, places: int) -> str:
    """The text of the scaled numbers from `start` to before `end`."""
    if places:
        return f"{show(start, places)} to <{show(end, places)}"
    if end - start == 1:
        return str(start)
    return f"{start}-{end - 1}" if start >= 0 else f"{start} to {end - 1}"


def _scale_number(number: Decimal, places: int) -> int:
    return int(number.scaleb(places, EXACT))


def _read_exact(key: str, number: object) -> Decimal:
    """Read a parameter exactly as written: 0.1 is one tenth."""
    exact = None if isinstance(number, bool) else read_number(str(number))
    if exact is None:
        what = f"{key} must be numbers of at most 30 digits either side of the point"
        raise make_spec_error("intervals", what, "Write for instance [5, 10, 20].")
    return exact
