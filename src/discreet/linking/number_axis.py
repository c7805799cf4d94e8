"""Columns of numbers: values at points, ranges as stretches."""

from __future__ import annotations

import re
from decimal import Decimal

from discreet.display import dataclass
from discreet.hierarchy.numbers import read_number
from discreet.linking.places import HIGH, LOW, Cut, Place, at, before, behind

NUMBER = r"\d+(?:\.\d+)?"
SIGNED = rf"-?{NUMBER}"
RANGE = re.compile(rf"({NUMBER})-({NUMBER})|({SIGNED}) to (<?)({SIGNED})", re.ASCII)
OPEN = re.compile(rf"(<=|>=|<|>)\s?({SIGNED})", re.ASCII)


def read_range(text: str) -> tuple[Cut, Cut] | None:
    """The two ends of a range as our hierarchies and mondrian write it, or None.

    >>> read_range("20-24"), read_range("20 to <25")[1], read_range("30-20")
    (((0, Decimal('20'), 0), (0, Decimal('24'), 1)), (0, Decimal('25'), 0), None)
    """
    if half := OPEN.fullmatch(text):
        end = Decimal(half[2])
        sides = {
            "<": (LOW, before(end)),
            "<=": (LOW, behind(end)),
            ">=": (before(end), HIGH),
            ">": (behind(end), HIGH),
        }
        return sides[half[1]]
    match = RANGE.fullmatch(text)
    if match is None:
        return None
    low = Decimal(match[1] or match[3])
    high = Decimal(match[2] or match[5])
    ends = before(low), before(high) if match[4] else behind(high)
    return ends if ends[0] < ends[1] else None


def is_number(text: str) -> bool:
    """Whether a text is a plain number."""
    return read_number(text) is not None


@dataclass(frozen=True)
class NumberAxis:
    """Reads plain numbers and ranges of them.

    ``known`` says that the policy calls the column numbers: then ``7`` is all ways to write seven,
    since that is how ranges of one number are released. Else a number is the text it is.
    """

    known: bool

    def place(self, text: str) -> Place | None:
        """Where a number or a range stands."""
        number = read_number(text)
        if number is not None:
            return at(number, exact=not (self.known and text == _plain(number)))
        ends = read_range(text)
        return None if ends is None else Place((ends,))


def _plain(number: Decimal) -> str:
    """A number as ranges of one number are written."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
