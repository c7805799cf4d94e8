"""Read the dates of a column, all in one format, which is found or given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from discreet.display import safe_repr
from discreet.errors import HierarchySpecError
from discreet.hierarchy.date_levels import MONTHS

TIME = (
    r"(?:[T ]\s*\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[AaPp]\.?[Mm]\.?)?"
    r"(?:\s?(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?)?"
)
DIRECTIVES = {
    "Y": r"(?P<Y>\d{4})",
    "y": r"(?P<y>\d{2})",
    "m": r"(?P<m>1[0-2]|0?[1-9])",
    "d": r"(?P<d>3[01]|[12]\d|0?[1-9])",
    "b": r"(?P<b>[A-Za-z]{3,9})\.?",
    "B": r"(?P<b>[A-Za-z]{3,9})\.?",
    "H": r"\d{1,2}",
    "I": r"\d{1,2}",
    "M": r"\d{1,2}",
    "S": r"\d{1,2}",
    "f": r"\d{1,9}",
    "p": r"[AaPp][Mm]",
    "z": r"(?:Z|[+-]\d{2}:?\d{2})",
    "Z": r"[A-Za-z]{1,5}",
    "a": r"[A-Za-z]{2,9}",
    "A": r"[A-Za-z]{2,9}",
    "%": "%",
}
FORMATS = (
    *("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d"),
    *("%d.%m.%Y", "%d/%m/%Y", "%d-%m-%Y", "%m/%d/%Y", "%m-%d-%Y", "%m.%d.%Y"),
    *("%d.%m.%y", "%d/%m/%y", "%d-%m-%y", "%m/%d/%y", "%m-%d-%y", "%m.%d.%y"),
    *("%d %b %Y", "%d-%b-%Y", "%d. %b %Y", "%b %d, %Y", "%b %d %Y", "%Y-%b-%d"),
    *("%d %b %y", "%d-%b-%y"),
    *("%Y-%m", "%Y/%m", "%m/%Y", "%m.%Y", "%m-%Y", "%b %Y", "%Y"),
)
MONTH_NUMBERS = {name[:3].casefold(): number for number, name in enumerate(MONTHS, 1)}


@safe_repr
class Read(NamedTuple):
    """Dates as days since 1970, what the format tells of them, and which texts are no dates."""

    days: NDArray[np.int64]
    precision: str
    wrong: NDArray[np.bool_]


def compile_format(form: str, *, found: bool = False) -> re.Pattern[str]:
    """Turn a strptime format into a pattern; a format that was found allows a time after it."""
    if not isinstance(form, str):
        raise HierarchySpecError("format", "it must be text", "Write for instance %d.%m.%Y.")
    parts, position = [], 0
    for match in re.finditer(r"%(.?)", form):
        parts.append(re.escape(form[position : match.start()]))
        if match[1] not in DIRECTIVES:
            fix = f"discreet reads {', '.join('%' + name for name in DIRECTIVES)}."
            raise HierarchySpecError("format", f"it does not know '{match[0]}'", fix)
        parts.append(DIRECTIVES[match[1]])
        position = match.end()
    parts.append(re.escape(form[position:]))
    pattern = "".join(parts)
    if "?P<Y>" not in pattern and "?P<y>" not in pattern:
        fix = "Write for instance %d.%m.%Y."
        raise HierarchySpecError("format", f"'{form}' has no year (%Y or %y)", fix)
    try:
        return re.compile(rf"\s*{pattern}{TIME if found else ''}\s*", re.ASCII)
    except re.error:
        fix = "Write for instance %d.%m.%Y."
        raise HierarchySpecError("format", f"'{form}' has a part twice", fix) from None


def precision_of(pattern: re.Pattern[str]) -> str:
    """Say whether a format tells the day, the month or only the year."""
    if not {"m", "b"} & set(pattern.groupindex):
        return "year"
    return "day" if "d" in pattern.groupindex else "month"


def read_format(texts: Sequence[str], form: str, pivot: int, *, found: bool = False) -> Read:
    """Read texts in one format; what does not match, or is no day of the calendar, is wrong."""
    pattern = compile_format(form, found=found)
    matches = [pattern.fullmatch(text) for text in texts]
    wrong = np.array([match is None for match in matches], dtype=bool)
    columns = {
        name: _numbers([match[name] for match in matches if match], name)
        for name in pattern.groupindex
    }
    count = len(texts) - int(wrong.sum())
    one = np.ones(count, dtype=np.int64)
    if "y" in columns:
        years = columns["y"] + np.where(columns["y"] >= pivot, 1900, 2000)
    else:
        years = columns["Y"]
    months = columns.get("m", columns.get("b", one))
    calendar, right = _calendar(years, months, columns.get("d", one))
    wrong[~wrong] = ~right
    days = np.zeros(len(texts), dtype=np.int64)
    days[~wrong] = calendar[right]
    return Read(days, precision_of(pattern), wrong)


def fitting(texts: Sequence[str]) -> list[str]:
    """Find the known formats whose pattern every text has."""
    patterns = {form: compile_format(form, found=True) for form in FORMATS}
    return [form for form, each in patterns.items() if all(map(each.fullmatch, texts))]


def _numbers(texts: Sequence[str], name: str) -> NDArray[np.int64]:
    if name != "b":
        return np.fromiter(map(int, texts), np.int64, len(texts))
    names = [text[:3].casefold() if _is_month(text) else "" for text in texts]
    return np.fromiter((MONTH_NUMBERS.get(name, 0) for name in names), np.int64, len(names))


def _is_month(text: str) -> bool:
    month = MONTH_NUMBERS.get(text[:3].casefold())
    return month is not None and (
        MONTHS[month - 1].casefold().startswith(text.casefold()) or text.casefold() == "sept"
    )


def _calendar(
    years: NDArray[np.int64], months: NDArray[np.int64], days: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Turn year, month and day into days since 1970, and say which are days of the calendar."""
    month = ((years - 1970) * 12 + months - 1).astype("datetime64[M]")
    start = month.astype("datetime64[D]").astype(np.int64)
    length = (month + 1).astype("datetime64[D]").astype(np.int64) - start
    right = (years >= 1) & (months >= 1) & (days >= 1) & (days <= length)
    return start + days - 1, right
