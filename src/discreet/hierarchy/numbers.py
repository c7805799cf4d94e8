"""Read the values of a column as exact numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Context, Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.display import safe_repr

DIGITS = 30
EXACT = Context(prec=100)  # more than the digits of any number that is read
PLAIN = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?\s*", re.ASCII)
SHORT = re.compile(r"\s*[+-]?\d{1,15}\s*", re.ASCII)


@safe_repr
class Scaled(NamedTuple):
    """Numbers as whole multiples of ``10 ** -places``, so that no rounding moves a value."""

    units: NDArray[Any]
    places: int


def read_number(text: str) -> Decimal | None:
    """Read one number exactly; None if the text is none, or has more than 30 digits either side.

    >>> read_number("007"), read_number("-2.50"), read_number("1,5")
    (Decimal('7'), Decimal('-2.50'), None)
    """
    if not PLAIN.fullmatch(text):
        return None
    number = Decimal(text.strip())
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int) or exponent < -DIGITS or number.adjusted() > DIGITS:
        return None
    return number


def read_numbers(texts: Sequence[str]) -> list[Decimal | int | None]:
    """Read the numbers of a column, None for each text that is not a number."""
    if all(map(SHORT.fullmatch, texts)):
        return list(map(int, texts))
    return [read_number(text) for text in texts]


def count_places(number: Decimal | int) -> int:
    """Count the decimals of a number that are not trailing zeros."""
    if isinstance(number, int) or number == number.to_integral_value(context=EXACT):
        return 0
    exponent = number.normalize(EXACT).as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def scale_numbers(numbers: Sequence[Decimal | int], places: int) -> Scaled:
    """Write numbers as whole units of ``10 ** -places``; 64 bits where they fit, else any size."""
    if places == 0:
        units = [int(number) for number in numbers]
    else:
        units = [int(Decimal(number).scaleb(places, EXACT)) for number in numbers]
    small = all(-(2**60) < unit < 2**60 for unit in units)
    return Scaled(np.array(units, dtype=np.int64 if small else object), places)


def show(units: int, places: int) -> str:
    """Write scaled units as a plain number.

    >>> show(2450, 2), show(-5, 1), show(7, 0)
    ('24.5', '-0.5', '7')
    """
    if places == 0:
        return str(units)
    whole, part = divmod(abs(units), 10**places)
    decimals = str(part).rjust(places, "0").rstrip("0")
    sign = "-" if units < 0 else ""
    return f"{sign}{whole}.{decimals}" if decimals else f"{sign}{whole}"
