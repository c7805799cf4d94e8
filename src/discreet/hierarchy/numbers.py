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
    """Read a number exactly; None if the text is not one, or has over 30 digits on either side.

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


# Money and grouped digits, with one decimal mark for a whole column.


SIGNS = "$€£¥₹₽₩₺₫₪฿₴₦₱"
WORDS = (
    *("US$", "CA$", "C$", "AU$", "A$", "NZ$", "HK$", "S$", "R$", "Fr.", "Fr", "kr.", "kr", "zł"),
    *("Kč", "Ft", "Rs.", "Rs", "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "CAD", "AUD", "NZD"),
    *("SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN", "TRY", "RUB", "UAH", "INR", "BRL"),
    *("MXN", "ZAR", "KRW", "SGD", "HKD", "TWD", "THB", "IDR", "MYR", "PHP", "ILS", "AED", "SAR"),
    *("EGP", "NGN", "KES", "ARS", "CLP", "COP", "PEN", "ISK"),
)
SAME = {"US$": "$", "USD": "$", "EUR": "€", "GBP": "£", "Fr.": "CHF", "Fr": "CHF", "kr.": "kr"}
"""Alternative notations of a currency. Dinars, which have three decimals, are not listed."""
_CURRENCY = "|".join(map(re.escape, (*sorted(WORDS, key=len, reverse=True), *SIGNS)))
_SPACE = " \u00a0\u2009\u202f"
AMOUNT = re.compile(
    rf"[{_SPACE}]*(?P<open>\()?(?P<sign>[+\-−]?)[{_SPACE}]?(?P<before>{_CURRENCY})?[{_SPACE}]?"
    rf"(?P<minus>[+\-−]?)(?P<body>[\d.,'’{_SPACE}]*\d)(?:[.,][-–—])?[{_SPACE}]?"
    rf"(?P<after>{_CURRENCY})?(?P<close>\))?[{_SPACE}]*",
    re.ASCII,
)
BODIES = {
    mark: re.compile(
        rf"(?P<whole>\d*|[1-9]\d{{0,2}}(?:(?P<gap>[{group}'’{_SPACE}])\d{{3}})"
        rf"(?:(?P=gap)\d{{3}})*)(?:{re.escape(mark)}(?P<part>\d+))?",
        re.ASCII,
    )
    for mark, group in ((".", ","), (",", "."))
}
"""Digits with this decimal mark, in groups of three or ungrouped."""
MARKS = {"point": ".", "comma": ","}


@safe_repr
class Amount(NamedTuple):
    """A text that may be a number: its value with a decimal point, and with a decimal comma."""

    point: Decimal | None
    comma: Decimal | None
    currency: str
    grouped: bool

    @property
    def required_mark(self) -> str:
        """The only decimal mark that the text can have; empty if it can have either."""
        if self.point == self.comma:
            return ""
        if self.point is None or self.comma is None:
            return "comma" if self.point is None else "point"
        if not self.currency:
            return ""
        # Money has two decimals or none, so three digits after a mark are a group.
        return "point" if abs(self.point) > abs(self.comma) else "comma"


def _read_amount(text: str) -> Amount | None:
    match = AMOUNT.fullmatch(text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    if sum(map(bool, match.group("open", "sign", "minus"))) > 1 or (
        match["before"] and match["after"]
    ):
        return None
    negative = bool(match["open"]) or (match["sign"] or match["minus"]) in ("-", "−")
    told = match["before"] or match["after"] or ""
    reads, grouped = {}, False
    for name, mark in MARKS.items():
        body = BODIES[mark].fullmatch(match["body"])
        number = None
        if body is not None and (body["whole"] or body["part"]):
            whole = re.sub(r"\D", "", body["whole"]) or "0"
            number = read_number(f"{whole}.{body['part']}" if body["part"] else whole)
            grouped |= bool(body["gap"]) and bool(body["part"])
        reads[name] = -number if number is not None and negative else number
    if reads["point"] is None and reads["comma"] is None:
        return None
    return Amount(reads["point"], reads["comma"], SAME.get(told, told), grouped)


class NumberReader:
    """Reads the numbers of one column, based on all its values.

    Plain numbers are read as they are. If some values have grouped digits or a currency, the
    decimal mark is the one that all of them can have. Texts that can mean two numbers (``1,234``
    without further evidence) are not read, nor are amounts in different currencies.

    Parameters
    ----------
    texts
        The values of the column.
    decimal
        The decimal mark, ``point`` or ``comma``, if the data holder gives it.
    """

    def __init__(self, texts: Sequence[str], decimal: str | None = None) -> None:
        self.decimal = decimal
        self.currency: str | None = None
        if decimal != "comma" and all(map(PLAIN.fullmatch, texts)):
            return
        amounts = [amount for amount in map(_read_amount, texts) if amount is not None]
        currencies = {amount.currency for amount in amounts if amount.currency}
        self.currency = currencies.pop() if len(currencies) == 1 else ""
        if decimal is None:
            self.decimal = _find_mark(amounts)

    def read(self, text: str) -> Decimal | None:
        """One number, or None if the text is not a number or could be two."""
        if self.decimal != "comma" and (plain := read_number(text)) is not None:
            return plain
        amount = _read_amount(text) if self.currency is not None or self.decimal else None
        if amount is None or (amount.currency and amount.currency != self.currency):
            return read_number(text) if PLAIN.fullmatch(text) and "." not in text else None
        if self.decimal is None:
            return amount.point if amount.point == amount.comma else None
        return amount.comma if self.decimal == "comma" else amount.point


def _find_mark(amounts: Sequence[Amount]) -> str | None:
    """The decimal mark of a column; None if it is unclear or if texts contradict each other.

    A decimal comma would turn a plain 1.234 into 1234, so one number with a comma is not enough
    evidence: some number must have both groups and a comma.
    """
    marks = {amount.required_mark for amount in amounts} - {""}
    if len(marks) != 1:
        return None
    mark = marks.pop()
    unclear = any(amount.point != amount.comma and not amount.required_mark for amount in amounts)
    proven = any(amount.grouped and amount.required_mark == mark for amount in amounts)
    money = any(amount.currency for amount in amounts)
    return mark if mark == "point" or proven or money or not unclear else None


def is_unclear(text: str) -> bool:
    """Whether a text means different numbers with a decimal point and a decimal comma."""
    amount = _read_amount(text)
    return amount is not None and amount.point != amount.comma


def read_numbers(texts: Sequence[str], decimal: str | None = None) -> list[Decimal | int | None]:
    """Read the numbers of a column, None for each text that is not a number.

    >>> read_numbers(["$12,165.00", "$900"]), read_numbers(["1.234,5", "1.234"])
    ([Decimal('12165.00'), Decimal('900')], [Decimal('1234.5'), Decimal('1234')])
    >>> read_numbers(["1.234", "2.345"]), read_numbers(["1,234", "2,345"])
    ([Decimal('1.234'), Decimal('2.345')], [None, None])
    """
    if decimal is None and all(map(SHORT.fullmatch, texts)):
        return list(map(int, texts))
    return list(map(NumberReader(texts, decimal).read, texts))


def count_places(number: Decimal | int) -> int:
    """Count the decimals of a number that are not trailing zeros."""
    if isinstance(number, int) or number == number.to_integral_value(context=EXACT):
        return 0
    exponent = number.normalize(EXACT).as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def scale_numbers(numbers: Sequence[Decimal | int], places: int) -> Scaled:
    """Numbers in whole units of ``10 ** -places``, with 64 bits if they fit, else of any size."""
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
