"""How numbers are written on a report and its pictures: the same number always in the same way."""

from __future__ import annotations

import math
from collections.abc import Sequence


def format_count(count: int | None) -> str:
    """A count with commas; a dash where there is none.

    >>> format_count(45222), format_count(None)
    ('45,222', '–')
    """
    return "–" if count is None else f"{count:,}"


def format_share(share: float | None) -> str:
    """A share as a percentage: at least one digit that is not 0, and never 0 or 100 % by rounding.

    >>> format_share(0.0912), format_share(0.5), format_share(0.00004), format_share(0.99999)
    ('9.1 %', '50 %', '0.004 %', '> 99.9 %')
    """
    if share is None:
        return "–"
    percent = 100 * share
    if percent in (0, 100):
        return f"{percent:g} %"
    if 99.95 <= percent < 100:
        return "> 99.9 %"
    if 0 < percent < 0.001:
        return "< 0.001 %"
    digits = 1 if percent >= 1 else 1 - math.floor(math.log10(abs(percent))) - 1
    return f"{percent:.{digits}f}".removesuffix(".0") + " %"


def format_number(value: float | None) -> str:
    """A number with at most four digits that count; a dash where there is none.

    >>> format_number(0.123456), format_number(5.0), format_number(1234567.0)
    ('0.1235', '5', '1,234,567')
    """
    if value is None:
        return "–"
    if value == round(value) and abs(value) < 1e15:
        return f"{value:,.0f}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def format_range(least: int, most: int | None) -> str:
    """Sizes from one to another.

    >>> format_range(1, 1), format_range(5, 9), format_range(1000, None)
    ('1', '5 to 9', '1,000 or more')
    """
    if most is None:
        return f"{least:,} or more"
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def join_words(words: Sequence[str]) -> str:
    """A list as it is spoken.

    >>> join_words(["age"]), join_words(["age", "zip", "sex"])
    ('age', 'age, zip and sex')
    """
    *first, last = words or [""]
    return f"{', '.join(first)} and {last}" if first else last
