"""The values of a column in order: numbers, dates, or codes of one length."""

from __future__ import annotations

import re
from datetime import date

import numpy as np

from discreet.display import dataclass
from discreet.errors import UnreadableValuesError
from discreet.frequency.classes import Floats, Ints
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.numbers import places_of, read_numbers, scale, show

LEADING_ZERO = re.compile(r"\s*[+-]?0\d", re.ASCII)
CODE = re.compile(r"\d{1,15}", re.ASCII)
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
FIX = "Take the column out of 'ranges' of probabilistic: it then follows its hierarchy."


@dataclass(frozen=True, eq=False)
class OrderedValues:
    """The different values of a column from low to high, a missing value after them.

    ``rank`` is the place of each ground code, the same for texts that mean the same; ``numbers``
    are where the values lie, ``texts`` how they are written, and ``dash`` what stands between the
    two ends of a range.
    """

    rank: Ints
    numbers: Floats
    texts: tuple[str, ...]
    dash: str

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> OrderedValues:
        """Read the values of a column: all numbers, all dates (1964-02-29), or all codes.

        Numbers written with a leading zero are codes, such as 02138, if all have as many digits.
        """
        values = hierarchy.labels[0]
        present = [value for value in values if value is not None]
        found = _numbers(present) or _days(present) or _codes(present)
        if found is None:
            unread = len(present) - sum(n is not None for n in read_numbers(present))
            wanted = "numbers, dates such as 1964-02-29 or codes of one length"
            number = unread or len(present)
            raise UnreadableValuesError(hierarchy.column, wanted, number, len(values), FIX)
        keys, texts, dash = found
        different, first, place = np.unique(keys, return_index=True, return_inverse=True)
        rank = np.full(len(values), len(different), dtype=np.int64)
        rank[[value is not None for value in values]] = place
        return cls(rank, different, tuple(texts[at] for at in first.tolist()), dash)

    @property
    def missing(self) -> int:
        """The rank of the missing value."""
        return len(self.numbers)

    def label(self, low: int, high: int) -> str:
        """A range from one rank to another, both included: ``20-35``, ``-5 to 5``, ``7``."""
        start, end = self.texts[low], self.texts[high]
        if low == high:
            return start
        return f"{start} to {end}" if start.startswith("-") else f"{start}{self.dash}{end}"


Read = tuple[Floats, list[str], str]


def _numbers(texts: list[str]) -> Read | None:
    if any(LEADING_ZERO.match(text) for text in texts):
        return None
    numbers = read_numbers(texts)
    present = [number for number in numbers if number is not None]
    if len(present) < len(texts):
        return None
    units, places = scale(present, max(map(places_of, present), default=0))
    return units.astype(np.float64), [show(int(u), places) for u in units], "-"


def _days(texts: list[str]) -> Read | None:
    if not all(map(DAY.fullmatch, texts)):
        return None
    try:
        days = [float(date.fromisoformat(text).toordinal()) for text in texts]
    except ValueError:
        return None
    return np.array(days), texts, " to "


def _codes(texts: list[str]) -> Read | None:
    if not all(map(CODE.fullmatch, texts)) or len({len(text) for text in texts}) > 1:
        return None
    return np.array([float(text) for text in texts]), texts, " to "
