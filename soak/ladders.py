"""What each value of a column may be released as, written anew from ``docs/guides/hierarchies.md``.

Nothing of the product is imported here: a hierarchy of the policy's text becomes a plain mapping
from each value to its labels, level by level.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from soak.tables import MONTHS, Cell

STAR = "*"
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTH_NAMES = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
NUMBER = re.compile(r"\s*([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?\s*", re.ASCII)


@dataclass(frozen=True, eq=False)
class Ladder:
    """What each value becomes, level by level, and which leaves count for the measures."""

    up: Mapping[Cell, tuple[Cell, ...]]
    leaves: tuple[Cell, ...]

    @cached_property
    def height(self) -> int:
        return len(next(iter(self.up.values()))) - 1

    @cached_property
    def shares(self) -> list[dict[Cell, Fraction]]:
        """Share of the leaves under each label of each level."""
        found = []
        for level in range(self.height + 1):
            under = Counter(self.up[leaf][level] for leaf in self.leaves)
            found.append({label: Fraction(n, len(self.leaves)) for label, n in under.items()})
        return found

    def levels_of(self, value: Cell, label: Cell) -> list[int]:
        """The levels at which a value reads like this."""
        return [level for level, text in enumerate(self.up[value]) if text == label]


def build_ladder(spec: Mapping[str, Any] | None, values: Sequence[Cell], folder: Path) -> Ladder:
    """The ladder of a column's different values under a hierarchy as the policy writes it."""
    different = list(dict.fromkeys(values))
    spec = spec or {"flat": True}
    kind = next(key for key in spec if key != "top")
    leaves: Sequence[Cell] = different
    if kind == "flat":
        up = {value: (value, STAR) for value in different}
    elif kind in ("tree", "file"):
        up, listed = (_tree if kind == "tree" else _file)(spec[kind], different, folder)
        leaves = listed if kind == "file" else different
    else:
        climbs = _CLIMBS[kind](spec[kind], [v for v in different if v is not None])
        height = _count_levels(
            kind, spec[kind]
        )  # a column without a value has its levels all the same
        up = {v: (None,) * (1 + height) if v is None else (v, *climbs[v]) for v in different}
    up = _with_root(up)
    if spec.get("top") == STAR and {path[-1] for path in up.values()} != {STAR}:
        up = {value: (*path, STAR) for value, path in up.items()}
    return Ladder(up, tuple(leaves))


def _count_levels(kind: str, said: Any) -> int:
    """How many levels a policy lists for numbers, codes or dates."""
    if isinstance(said, list) and said and not isinstance(said[0], list) and kind == "cuts":
        return 1
    if isinstance(said, Mapping):
        said = next(said[key] for key in ("widths", "lengths", "levels") if key in said)
    return len(said) if isinstance(said, Sequence) and not isinstance(said, str) else 1


def _with_root(up: dict[Cell, tuple[Cell, ...]]) -> dict[Cell, tuple[Cell, ...]]:
    """Put ``*`` on top, unless the last level is one label that is not missing."""
    tops = {path[-1] for path in up.values()}
    if len(tops) == 1 and None not in tops:
        return up
    return {value: (*path, STAR) for value, path in up.items()}


# Numbers


def read_number(text: str) -> Fraction | None:
    """A number as it is written, exactly."""
    match = NUMBER.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        return None
    digits = int((match[2] or "") + (match[3] or ""))
    exponent = int(match[4] or 0) - len(match[3] or "")
    number = Fraction(digits) * Fraction(10) ** exponent
    return -number if match[1] == "-" else number


def _show(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number.numerator)
    places = next(p for p in range(1, 60) if (number * 10**p).denominator == 1)
    digits = str(abs(number.numerator * 10**places // number.denominator)).rjust(places + 1, "0")
    return ("-" if number < 0 else "") + digits[:-places] + "." + digits[-places:]


def _intervals(said: Any, values: Sequence[str]) -> dict[str, tuple[str, ...]]:
    said = said if isinstance(said, Mapping) else {"widths": said}
    widths = [Fraction(str(width)) for width in said["widths"]]
    origin = Fraction(str(said.get("origin", 0)))
    low, high = (
        None if said.get(end) is None else Fraction(str(said[end])) for end in ("bottom", "top")
    )
    numbers = {value: read_number(value) for value in values}
    odd = {v: read_open(v) for v, n in numbers.items() if n is None}
    ends = [end for span in odd.values() if span is not None for end in span[:2] if end is not None]
    read = [n for n in numbers.values() if n is not None]
    given = [*read, *ends, *widths, origin, *(e for e in (low, high) if e is not None)]
    whole = all(number.denominator == 1 for number in given)

    def label(number: Fraction, width: Fraction) -> str:
        if low is not None and number < low:
            return f"<{_show(low)}"
        if high is not None and number >= high:
            return f">={_show(high)}"
        start = origin + (number - origin) // width * width
        end = start + width
        start = start if low is None else max(start, low)
        end = end if high is None else min(end, high)
        if not whole:
            return f"{_show(start)} to <{_show(end)}"
        if end - start == 1:
            return _show(start)
        return f"{_show(start)}{'-' if start >= 0 else ' to '}{_show(end - 1)}"

    def hold(span: Open, width: Fraction) -> str | None:
        """The group that all numbers of a range lie in."""
        first, end, over = span
        if first is not None and over and whole:
            first += 1
        if first is not None and high is not None and first >= high:
            return f">={_show(high)}"
        if end is not None and low is not None and end <= low:
            return f"<{_show(low)}"
        if first is None or end is None or (low is not None and first < low):
            return None
        start = origin + (first - origin) // width * width
        stop = start + width if high is None else min(start + width, high)
        return label(first, width) if end <= stop else None

    found = {
        v: tuple(label(n, width) for width in widths) for v, n in numbers.items() if n is not None
    }
    for value, span in odd.items():
        assert said.get("others") == "group", "the soak's own value is no number"
        groups = [None if span is None else hold(span, width) for width in widths]
        found[value] = settle_odd(value, groups)
    return found


Open = tuple[Fraction | None, Fraction | None, bool]
"""From, below, and whether the first number itself is left out."""


def read_open(text: str) -> Open | None:
    """The open ends and ranges that the soak writes."""
    if match := re.fullmatch(r"(\d+)(?:\+| and over)|>=(\d+)", text):
        return Fraction(match[1] or match[2]), None, False
    if match := re.fullmatch(r"(?:>|over )(\d+)", text):
        return Fraction(match[1]), None, True
    if match := re.fullmatch(r"(?:<|under )(\d+)", text):
        return None, Fraction(match[1]), False
    if match := re.fullmatch(r"<=(\d+)", text):
        return None, Fraction(match[1]) + 1, False
    if match := re.fullmatch(r"(\d+)(?:-| to )(\d+)", text):
        return Fraction(match[1]), Fraction(match[2]) + 1, False
    return None


def settle_odd(value: str, groups: Sequence[str | None]) -> tuple[str, ...]:
    """docs: as found until a level holds all of it, and other if none does."""
    if groups[-1] is None:
        return ("other",) * len(groups)
    return tuple(value if group is None else group for group in groups)


def _cuts(said: Any, values: Sequence[str]) -> dict[str, tuple[str, ...]]:
    levels = [[Fraction(str(cut)) for cut in level] for level in _list_cuts(said)]
    numbers = {value: read_number(value) for value in values}
    read = [number for number in numbers.values() if number is not None]
    unit = Fraction(1, max(_scale(number) for number in (*read, *levels[0])))

    def label(number: Fraction, cuts: list[Fraction]) -> str:
        below = [cut for cut in cuts if cut <= number]
        above = [cut for cut in cuts if cut > number]
        if not below:
            return f"<{_show(above[0])}"
        if not above:
            return f">={_show(below[-1])}"
        start, end = below[-1], above[0]
        if end - start == unit:
            return _show(start)
        if unit != 1:
            return f"{_show(start)} to <{_show(end)}"
        return f"{_show(start)}{'-' if start >= 0 else ' to '}{_show(end - 1)}"

    return {
        v: tuple(label(n, cuts) for cuts in levels) for v, n in numbers.items() if n is not None
    }


def _list_cuts(said: Any) -> list[list[Any]]:
    said = said["levels"] if isinstance(said, Mapping) else said
    return said if isinstance(said[0], list) else [said]


def _scale(number: Fraction) -> int:
    """The power of ten that makes a number whole."""
    return next(10**p for p in range(60) if (number * 10**p).denominator == 1)


# Codes


def _prefix(said: Any, values: Sequence[str]) -> dict[str, tuple[str, ...]]:
    said = said if isinstance(said, Mapping) else {"lengths": said}
    mask, code = said.get("mask", "*"), said.get("code")
    found = {}
    for value in values:
        end = len(value)
        if code is not None:
            is_code = re.fullmatch(r"\d{5}(?:|\d+|[^0-9A-Za-z].*)", value) is not None
            if not is_code and said.get("others") == "group":
                found[value] = ("other",) * len(said["lengths"])
                continue
            end = code if is_code else end
        kept = (value[:length] + mask * (end - length) for length in said["lengths"])
        found[value] = tuple(kept)
    return found


# Dates


def read_date(text: str, form: str) -> date:
    """The day of a text; day and month are 1 where the format tells none."""
    patterns = {
        "%Y": r"(?P<Y>\d{4})",
        "%m": r"(?P<m>\d{2})",
        "%d": r"(?P<d>\d{2})",
        "%y": r"(?P<y>\d{2})",
        "%b": "(?P<b>[A-Z][a-z]{2})",
        "%H": r"\d{2}",
        "%M": r"\d{2}",
    }
    pattern = re.escape(form)
    for directive, one in patterns.items():
        pattern = pattern.replace(re.escape(directive), one)
    match = re.fullmatch(pattern, text, re.ASCII)
    assert match is not None, "the soak's own date does not fit its format"
    told = match.groupdict()
    if "y" in told:
        year = int(told["y"]) + (1900 if int(told["y"]) >= 30 else 2000)
    else:
        year = int(told["Y"])
    month = MONTHS.index(told["b"]) + 1 if "b" in told else int(told.get("m", 1))
    return date(year, month, int(told.get("d", 1)))


def _period(name: str, day: date) -> str:
    months = re.fullmatch(r"(\d+) months", name)
    years = {"year": 1, "decade": 10, "century": 100}.get(name)
    if match := re.fullmatch(r"(\d+) years", name):
        years = int(match[1])
    elif months is not None and int(months[1]) % 12 == 0:
        years = int(months[1]) // 12
    if years is not None:
        first = day.year // years * years
        return f"{first:04}" if years == 1 else f"{first:04}-{first + years - 1:04}"
    if months is not None:
        count = int(months[1])
        start = (day.month - 1) // count * count + 1
        return f"{day.year:04}-{start:02} to {day.year:04}-{start + count - 1:02}"
    week = day.isocalendar()
    return {
        "day": f"{day.year:04}-{day.month:02}-{day.day:02}",
        "week": f"{week[0]:04}-W{week[1]:02}",
        "month": f"{day.year:04}-{day.month:02}",
        "quarter": f"{day.year:04}-Q{(day.month - 1) // 3 + 1}",
        "half": f"{day.year:04}-H{(day.month - 1) // 6 + 1}",
        "weekday": WEEKDAYS[day.weekday()],
        "month of year": MONTH_NAMES[day.month - 1],
        "quarter of year": f"Q{(day.month - 1) // 3 + 1}",
    }[name]


def _dates(said: Any, values: Sequence[str]) -> dict[str, tuple[str, ...]]:
    if "format" not in said:
        return {v: _settle_date(v, said["levels"]) for v in values}
    levels, form = said["levels"], said["format"]
    return {v: tuple(_period(name, read_date(v, form)) for name in levels) for v in values}


def _settle_date(value: str, levels: Sequence[str]) -> tuple[str, ...]:
    """A date of a column in several formats, some without a day or month, some no dates."""
    forms = {"%Y-%m-%d": 0, "%d %b %Y": 0, "%Y-%m": 1, "%Y": 2}
    shapes = (r"\d{4}-\d\d-\d\d", r"\d\d [A-Z][a-z]{2} \d{4}", r"\d{4}-\d\d", r"\d{4}")
    fits = [form for form, shape in zip(forms, shapes, strict=True) if re.fullmatch(shape, value)]
    if not fits or value.startswith("0000"):
        return ("other",) * len(levels)
    needs = {"day": 0, "month": 1, "quarter": 1}
    day, told = read_date(value, fits[0]), forms[fits[0]]
    return settle_odd(
        value, [_period(name, day) if told <= needs.get(name, 2) else None for name in levels]
    )


# Trees and files


def _paths(below: Any, above: tuple[Cell, ...]) -> list[tuple[Cell, ...]]:
    if isinstance(below, Mapping):
        found = []
        for name, under in below.items():
            path = (*above, name or None)
            found += [path] if under is None else _paths(under, path)
        return found
    if isinstance(below, list):
        return [path for one in below for path in _paths(one, above)]
    return [(*above, below or None)]


def _tree(said: Any, values: Sequence[Cell], _: Path) -> tuple[dict[Cell, tuple[Cell, ...]], Any]:
    paths = _paths(said, ())
    depth = max(map(len, paths))
    lines = {
        path[-1]: tuple(reversed((*path, *[path[-1]] * (depth - len(path))))) for path in paths
    }
    return {**lines, **_found(lines, values)}, None  # all roots count, used or not


def _file(
    said: Any, values: Sequence[Cell], folder: Path
) -> tuple[dict[Cell, tuple[Cell, ...]], list[Cell]]:
    settings = said if isinstance(said, Mapping) else {"path": said}
    with (folder / settings["path"]).open(encoding="utf-8", newline="") as file:
        rows = [
            tuple(cell or None for cell in row) for row in csv.reader(file, delimiter=";") if row
        ]
    lines = {row[0]: row for row in rows}
    strays = settings.get("uncovered") == "root"
    up = _found(lines, values, root=rows[0][-1] if strays else None)
    return {**lines, **up}, list({**lines, **up})


def _found(
    lines: Mapping[Cell, tuple[Cell, ...]], values: Sequence[Cell], root: Cell = None
) -> dict[Cell, tuple[Cell, ...]]:
    """The line of each value; the missing one needs none and stays so below one root."""
    width = len(next(iter(lines.values())))
    tops = {line[-1] for line in lines.values()}
    up = {}
    for value in values:
        if value in lines:
            up[value] = lines[value]
        elif value is None:
            top = next(iter(tops)) if len(tops) == 1 and width > 1 else None
            up[value] = (*[None] * (width - 1), top)
        else:
            assert root is not None, "the soak's own hierarchy lacks a value"
            up[value] = (value, *[root] * (width - 1))
    return up


_CLIMBS: dict[str, Callable[[Any, Sequence[str]], dict[str, tuple[str, ...]]]] = {
    "intervals": _intervals,
    "cuts": _cuts,
    "prefix": _prefix,
    "dates": _dates,
}
