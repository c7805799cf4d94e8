"""Values that are less precise than others in their column: open ends, ranges, and the rest.

A column of ages has ``90+``, one of counts ``<5``, one of dates ``1965``. Such a value may be
released as a group only if the group contains all of it. Until a level has such a group it stays
unchanged, so that levels nest; if none has, it belongs to the rest, like values that cannot be
read.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from discreet.display import dataclass, format_count, safe_repr
from discreet.hierarchy.hierarchy import Level
from discreet.hierarchy.numbers import NumberReader
from discreet.hierarchy.refusals import make_spec_error

Others = Literal["refuse", "group"]
"""What happens to values that do not fit: the column is refused, or they form a group."""

OTHER = "other"
"""The label of the rest at every level above the value itself."""

SETTINGS = ("refuse", "group")


def check_others(builder: str, others: object) -> None:
    """Refuse a setting that does not exist."""
    if others not in SETTINGS:
        fix = "Write refuse, or group to release what does not fit as one group."
        raise make_spec_error(f"{builder}.others", "it is not understood", fix)


Decimals = Literal["point", "comma"] | None
"""The decimal mark; detected from the values if it is not given."""


def check_decimal(builder: str, decimal: object) -> None:
    """Refuse anything but these two."""
    if decimal not in (None, "point", "comma"):
        fix = "Write point or comma, or leave it out to have it found."
        raise make_spec_error(f"{builder}.decimal", "it is not understood", fix)


# Ranges of numbers in common notations.


@safe_repr
class Span(NamedTuple):
    """All numbers from ``low`` on and below ``high``; None is no end."""

    low: Decimal | None
    high: Decimal | None


_N = r"[+-]?[$€£]?[\d.,'’\u00a0\u202f ]*\d(?:\s?(?:years?|yrs?|Jahren?))?"
_UNIT = re.compile(r"\s?(?:years?|yrs?|Jahren?)$", re.I)
_OLDER = r"over|older|above|more|up|upwards?|greater|higher|later|älter|mehr|darüber"
_YOUNGER = r"under|younger|below|less|fewer|lower|down|earlier|jünger|weniger|darunter"
FORMS = (
    ("from", rf"({_N})\s?\+|({_N})(?:,)? (?:and|or|und|oder) (?:{_OLDER})"),
    ("from", rf"(?:>=|=>|≥|at least|from|ab|mindestens)\s?({_N})"),
    ("above", rf"(?:>|over|above|more than|older than|greater than|über)\s?({_N})"),
    ("until", rf"({_N})(?:,)? (?:and|or|und|oder) (?:{_YOUNGER})"),
    ("until", rf"(?:<=|=<|≤|up to|at most|bis|höchstens)\s?({_N})"),
    ("below", rf"(?:<|under|below|less than|fewer than|younger than|unter)\s?({_N})"),
    ("half", rf"({_N}) to <\s?({_N})|\[\s?({_N})\s?[,;]\s?({_N})\s?[)\[]"),
    ("both", rf"({_N})\s?[-–—]\s?({_N})|({_N}) (?:to|until|bis) ({_N})"),
    ("both", rf"\[\s?({_N})\s?[,;]\s?({_N})\s?\]|(?:between|zwischen) ({_N}) (?:and|und) ({_N})"),
)
PATTERNS = tuple((kind, re.compile(rf"\s*(?:{form})\s*", re.I)) for kind, form in FORMS)


def read_span(text: str, reader: NumberReader) -> Span | None:
    """The numbers that a text such as ``90+``, ``under 5`` or ``5-9`` covers, or None.

    An inclusive end extends to the next number with as many decimals: 5-9 are all numbers below 10.
    No number that is meant is ever left out.

    >>> plain = NumberReader([])
    >>> tuple(read_span("90+", plain)), tuple(read_span("5-9", plain))
    ((Decimal('90'), None), (Decimal('5'), Decimal('10')))
    >>> tuple(read_span("over 89", plain)), read_span("about 90", plain)
    ((Decimal('89'), None), None)
    """
    for kind, pattern in PATTERNS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        ends = [reader.read(_UNIT.sub("", one)) for one in match.groups() if one is not None]
        if any(end is None for end in ends):
            return None
        return _make_span(kind, [end for end in ends if end is not None])
    return None


def _make_span(kind: str, ends: Sequence[Decimal]) -> Span | None:
    first = ends[0]
    if kind in ("from", "above"):
        return Span(first, None)
    if kind in ("until", "below"):
        return Span(None, first if kind == "below" else _step_over(first))
    last = ends[1] if kind == "half" else _step_over(ends[1])
    return Span(first, last) if first < last else None


def _step_over(end: Decimal) -> Decimal:
    """The next number with as many decimals."""
    exponent = end.as_tuple().exponent
    places = max(0, -exponent) if isinstance(exponent, int) else 0
    return end + Decimal(1).scaleb(-places)


def is_above(text: str) -> bool:
    """Whether a range excludes its number, as ``over 89`` does."""
    return any(kind == "above" and one.fullmatch(text) for kind, one in PATTERNS)


# Levels for values some of which do not fit everywhere.


def make_levels(
    texts: Sequence[str | None], rows: Sequence[Sequence[str | None]]
) -> tuple[list[Level], list[str]]:
    """Levels in which every value has a label, and how each value was treated.

    Parameters
    ----------
    texts
        The values; None is the missing value, which stays missing.
    rows
        For each level the label of each value, or None if no group of that level contains it.

    Notes
    -----
    A value without a label keeps its own text until a level has one for it, and belongs to the rest
    if none has. So does a value whose text is the name of a group that does not contain it.
    """
    named = [{label for label in row if label is not None} for row in rows]
    kinds = []
    for place, text in enumerate(texts):
        labels = [row[place] for row in rows]
        if text is None:
            kinds.append("missing")
        elif None not in labels:
            kinds.append("fits")
        elif not _rises(labels) or _is_taken(text, labels, named):
            kinds.append("other")
        else:
            kinds.append("later")
    levels = []
    for row in rows:
        found: list[str | None] = []
        for text, label, kind in zip(texts, row, kinds, strict=True):
            if kind == "other":
                found.append(OTHER)
            else:
                found.append(text if label is None else label)
        levels.append(Level.of_texts(found))
    return levels, kinds


def _rises(labels: Sequence[str | None]) -> bool:
    """Whether a value has a group at some level and at all coarser ones."""
    first = next((place for place, label in enumerate(labels) if label is not None), None)
    return first is not None and all(label is not None for label in labels[first:])


def _is_taken(text: str, labels: Sequence[str | None], named: Sequence[set[str]]) -> bool:
    """Whether a text is the name of a group at a level where its value has no group."""
    levels = zip(labels, named, strict=True)
    return any(label is None and text in names for label, names in levels)


# How many values and rows were treated in which way.


WORDS = {
    "range": "ranges and open ends, in groups that hold all of them",
    "later": "less exact than the others, as they are until a level holds all of them",
    "other": f"in no group, released as '{OTHER}'",
}
"""How values that do not fit like the others were treated."""


class TakesRanges(ABC):
    """The common part of builders that read numbers, ranges such as ``90+``, and a rest."""

    decimal: Decimals

    def sort_values(self, column: str, values: Sequence[str | None]) -> list[str]:
        """How each value was treated: as a number, a range, one for coarser levels, or the rest."""
        return self._sort(values)[1]

    def find_rest(self, values: Sequence[str | None]) -> list[Span]:
        """The ranges among the values that no interval contains, and which values are the rest."""
        reader = self._reader(values)
        kinds = self.sort_values("", values)
        rest = [v for v, kind in zip(values, kinds, strict=True) if kind == "other" and v]
        return [span for text in rest if (span := read_span(text, reader)) is not None]

    def _reader(self, values: Sequence[str | None]) -> NumberReader:
        return NumberReader([value for value in values if value is not None], self.decimal)

    @abstractmethod
    def _sort(self, values: Sequence[str | None]) -> tuple[list[Level], list[str]]:
        """The levels of values, some of them ranges or not numbers, and how each was treated."""


@dataclass(frozen=True)
class OddValues:
    """How many values and rows of a column do not fit its hierarchy like the others."""

    column: str
    values: Mapping[str, int]
    rows: Mapping[str, int]

    @classmethod
    def of(
        cls, column: str, kinds: Iterable[str], rows: Iterable[int] | None = None
    ) -> OddValues | None:
        """Count the treatments that a builder reports for each value; None if all values fit.

        ``rows`` has the rows of each value, if known.
        """
        told = list(kinds)
        values = Counter(kind for kind in told if kind in WORDS)
        if not values:
            return None
        if rows is None:
            return cls(column, dict(values), {})
        weighted: Counter[str] = Counter()
        for kind, count in zip(told, rows, strict=True):
            weighted[kind] += int(count)
        return cls(column, dict(values), {kind: weighted[kind] for kind in values})

    def facts(self) -> dict[str, Any]:
        """Counts, never a value."""
        return {
            "column": self.column,
            **{kind: {"values": n, "rows": self.rows.get(kind)} for kind, n in self.values.items()},
        }

    @property
    def note(self) -> str:
        """A sentence about them."""
        told = []
        for kind in [kind for kind in WORDS if kind in self.values]:
            counted = format_count(self.values[kind], "value")
            if self.rows:
                counted += f", {format_count(self.rows[kind], 'row')}"
            told.append(f"{WORDS[kind]}: {counted}")
        return f"values of '{self.column}' {'; '.join(told)}"


def sort_values(builder: Any, column: str, values: Sequence[str | None]) -> list[str] | None:
    """How each value was treated by a builder; None if all fit or are refused."""
    if hasattr(builder, "find_builder"):  # a builder that proposes another
        builder = builder.find_builder(column, values)
    while hasattr(builder, "builder"):
        builder = builder.builder
    if getattr(builder, "others", "refuse") != "group":
        return None
    kinds: list[str] = builder.sort_values(column, values)
    return kinds
