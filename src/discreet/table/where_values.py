"""The values in a condition, and what to say where something else stands."""

from __future__ import annotations

import math
from datetime import date

from discreet.errors import WhereError
from discreet.table.where_tests import Day, Number, Test, Text
from discreet.table.where_words import Word

DIGITS = 15
"""Digits of a number that every number in memory keeps."""


def compared(column: str, sign: str, word: Word) -> Test:
    """The comparison of a column with a value: as numbers, letter for letter, or as days."""
    if word.kind == "number":
        return Number(column, sign, number(word))
    if sign in ("=", "!="):
        return Text(column, sign, word.said)
    return Day(column, sign, day(word))


def number(word: Word) -> float:
    """A number that can be compared without being rounded."""
    value = float(word.said)
    mantissa = word.said.lower().partition("e")[0]
    digits = sum(letter.isdigit() for letter in mantissa.lstrip("+-0."))
    if digits > DIGITS or not math.isfinite(value):
        what = f"position {word.place}: a number has at most {DIGITS} digits"
        raise WhereError(what, "Put long codes in single quotes.", word.place)
    return value


def day(word: Word) -> str:
    """A text that has an order: a day; others are in an order that nobody agreed on."""
    try:
        good = len(word.said) == 10 and str(date.fromisoformat(word.said)) == word.said
    except ValueError:
        good = False
    if not good:
        what = f"position {word.place}: only numbers and days have an order here"
        fix = "Write numbers without quotes and days as 'YYYY-MM-DD'; use = IN LIKE for texts."
        raise WhereError(what, fix, word.place)
    return word.said


def expected(word: Word, wanted: str, hint: str = "") -> WhereError:
    """Say what should stand where a word stands."""
    where = "at the end" if word.kind == "end" else f"position {word.place}"
    return WhereError(f"{where}: expected {wanted}", hint, word.place)


def column_hint(word: Word) -> str:
    """What may have been meant by a word that is no column."""
    match word.kind:
        case "number":
            return "The column comes first: age >= 40."
        case "text":
            return "Single quotes are for values; column names have double ones, or none."
        case "keyword":
            return "A column of that name needs double quotes."
    return ""


def value_hint(word: Word) -> str:
    """What may have been meant by a word that is no value."""
    if word.kind == "name":
        return "Double quotes and bare words name columns; a text has single quotes."
    if word.is_("null"):
        return "Use IS NULL or IS NOT NULL."
    return ""
