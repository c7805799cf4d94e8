"""The kind of a column's values, whoever they are about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum

from discreet.kinds.dates import is_date

_NUMBER = re.compile(
    r"[-+]?[$€£]?\s?(\d+|\d{1,3}([.,' ]\d{3})+)([.,]\d+)?([eE][-+]?\d+)?|[-+]?[.,]\d+"
)
_RUNS = re.compile(r"[^\W\d_]+")
_LONG_DIGITS = re.compile(r"9{13,}")
_KEPT = frozenset("-_./:,;@+#()'*<>=% &")

MOST = 0.95
"""The share of values that must be numbers or dates for the column to count as such."""


class Kind(StrEnum):
    """The kind of a column, judging by its values alone."""

    empty = "empty"
    number = "number"
    date = "date"
    code = "code"
    category = "category"
    text = "text"
    free_text = "free text"


def is_number(value: str) -> bool:
    """Whether a value is a number, with any country's decimal mark."""
    return _NUMBER.fullmatch(value) is not None


def measure_share(values: Sequence[str], check: Callable[[str], bool]) -> float:
    """The share of values that pass a check."""
    return sum(map(check, values)) / len(values) if values else 0.0


def find_kind(values: Sequence[str], distinct: int, filled: int) -> Kind:
    """The kind of a column, from (a sample of) its distinct values."""
    if not values:
        return Kind.empty
    if measure_share(values, is_number) >= MOST:
        return _find_number_kind(values, distinct, filled)
    if measure_share(values, is_date) >= MOST:
        return Kind.date
    if _is_prose(values, distinct):
        return Kind.free_text
    coded = measure_share(values, _is_coded) >= 0.5
    if coded and distinct > 0.5 * filled:
        return Kind.code
    if distinct <= max(20, min(1000, 0.05 * filled)):
        return Kind.category
    return Kind.code if coded else Kind.text


def _find_number_kind(values: Sequence[str], distinct: int, filled: int) -> Kind:
    padded = any(len(value) > 1 and value[0] == "0" and value.isdecimal() for value in values)
    if padded and len({len(value) for value in values}) <= 2:
        return Kind.code
    return Kind.category if distinct <= 2 < filled else Kind.number


def _is_coded(value: str) -> bool:
    return " " not in value and any(character.isdigit() for character in value)


def _is_prose(values: Sequence[str], distinct: int) -> bool:
    """Whether values are sentences: many words each, and hardly two the same."""
    words = sum(value.count(" ") + 1 for value in values) / len(values)
    letters = sum(map(len, values)) / len(values)
    return distinct > 5 and (words >= 6 or (letters >= 60 and words >= 4))


def describe_shape(value: str) -> str:
    """The shape of a value, without the value.

    >>> [describe_shape(value) for value in ("Maria Smith-2", "02138", "someone@example.org")]
    ['Aa Aa-9', '99999', 'a@a.a']
    """
    parts = []
    place = 0
    for run in _RUNS.finditer(value):
        parts += [_mark(character) for character in value[place : run.start()]]
        parts.append(_describe_letters(run[0]))
        place = run.end()
    parts += [_mark(character) for character in value[place:]]
    return _LONG_DIGITS.sub("9...9", "".join(parts))


def _describe_letters(word: str) -> str:
    if word.isupper():
        return "A"
    return "Aa" if word[0].isupper() else "a"


def _mark(character: str) -> str:
    if character.isdigit():
        return "9"
    return character if character in _KEPT else "?"


def list_shapes(values: Sequence[str], most: int = 3) -> tuple[str, ...]:
    """The most frequent shapes of a column; rare shapes could reveal values."""
    counts = Counter(map(describe_shape, values))
    least = max(2, 0.05 * len(values))
    common = [text for text, count in counts.most_common(most) if count >= least]
    return tuple(text if len(text) <= 24 else text[:21] + "..." for text in common)
