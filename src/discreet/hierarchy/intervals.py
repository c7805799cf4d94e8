"""Numbers released as intervals that grow from level to level."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.hierarchy.hierarchy import Hierarchy, Level
from discreet.hierarchy.numbers import (
    EXACT,
    Scaled,
    count_places,
    read_number,
    read_numbers,
    scale_numbers,
    show,
)
from discreet.hierarchy.refusals import UnreadableValuesError, make_nesting_error, make_spec_error

Number = int | float | Decimal

FIX = (
    "Write them as plain numbers with a decimal point, leave them empty if they are missing, or "
    "use another hierarchy for this column."
)


@dataclass(frozen=True)
class Intervals:
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

        Both hold at every level above the value itself. An interval that they cut keeps its
        remaining part.

    Notes
    -----
    Rounding into ranges, [Sweeney2001]_, sec. 4.1, fig. 17. *Departures*: bottom and top coding are
    not in the paper.

    Labels: ``20-24`` where all values of the column are whole numbers (both ends belong to it),
    ``20 to <25`` where they are not (20 belongs to it, 25 does not); ``-5 to -1`` for whole
    numbers below zero. The arithmetic is exact: 0.3 lies in the interval from 0.3 on. ``007``
    counts as 7 and is left as found at level 0. When the widest intervals are more than one, or
    values are missing, ``*`` comes above them.

    *Cost*: one pass over the distinct values, and one sort a level.

    Examples
    --------
    >>> ages = Intervals([5, 10], top=90).build("age", ["17", "23", "91"])
    >>> ages.labels[1:]
    (('15-19', '20-24', '>=90'), ('10-19', '20-29', '>=90'), ('*',))
    """

    widths: tuple[Number, ...]
    origin: Number = 0
    bottom: Number | None = None
    top: Number | None = None

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

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Put the numbers of a column into intervals; missing values stay apart up to ``*``."""
        numbers = read_numbers([value for value in values if value is not None])
        present = [number for number in numbers if number is not None]
        if len(present) < len(numbers):
            unread = len(numbers) - len(present)
            raise UnreadableValuesError(column, "numbers", unread, len(values), FIX)
        missing = np.array([value is None for value in values], dtype=bool)
        widths = [_read_exact("widths", width) for width in self.widths]
        origin = _read_exact("origin", self.origin)
        ends = [
            None if end is None else _read_exact("ends", end) for end in (self.bottom, self.top)
        ]
        shown = [*widths, origin, *(end for end in ends if end is not None)]
        places = max(map(count_places, [*present, *shown]), default=0)
        cut = [None if end is None else _scale_number(end, places) for end in ends]
        level = _Cutter(
            scale_numbers(present, places), _scale_number(origin, places), cut[0], cut[1]
        )
        levels = [level.cut(_scale_number(width, places), missing) for width in widths]
        return Hierarchy.from_levels(column, values, levels)


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
        # Every interval that holds a number lies between these two.
        below, above = (int(keys.min()) - 1, int(keys.max()) + 1) if len(keys) else (-1, 1)
        if self.bottom is not None:
            keys = np.where(units < self.bottom, below, keys)
        if self.top is not None:
            keys = np.where(units >= self.top, above, keys)
        return Level.of_keys(keys, missing, self._label(width, below, above))

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
    """Read a parameter as it is written: 0.1 is one tenth."""
    exact = None if isinstance(number, bool) else read_number(str(number))
    if exact is None:
        what = f"{key} must be numbers of at most 30 digits either side of the point"
        raise make_spec_error("intervals", what, "Write for instance [5, 10, 20].")
    return exact
