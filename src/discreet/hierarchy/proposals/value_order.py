"""The order of ordinal categories: months, weekdays, low to high, answers, grades."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from discreet.display import dataclass

SCALES = tuple(
    tuple(scale.split(", "))
    for scale in (
        "january, february, march, april, may, june, july, august, september, october, november, "
        "december",
        "jan, feb, mar, apr, may, jun, jul, aug, sep, oct, nov, dec",
        "januar, februar, märz, april, mai, juni, juli, august, september, oktober, november, "
        "dezember",
        "jan, feb, mär, apr, mai, jun, jul, aug, sep, okt, nov, dez",
        "monday, tuesday, wednesday, thursday, friday, saturday, sunday",
        "mon, tue, wed, thu, fri, sat, sun",
        "montag, dienstag, mittwoch, donnerstag, freitag, samstag, sonntag",
        "mo, di, mi, do, fr, sa, so",
        "none, very low, low, lower middle, medium, upper middle, high, very high, extreme",
        "none, minimal, mild, moderate, severe, very severe, critical",
        "keine, sehr niedrig, niedrig, mittel, hoch, sehr hoch",
        "strongly disagree, disagree, somewhat disagree, slightly disagree, "
        "neither agree nor disagree, slightly agree, somewhat agree, agree, strongly agree",
        "strongly disagree, disagree, neutral, agree, strongly agree",
        "strongly disagree, disagree, undecided, agree, strongly agree",
        "stimme gar nicht zu, stimme nicht zu, stimme eher nicht zu, teils teils, stimme eher zu, "
        "stimme zu, stimme voll zu",
        "very dissatisfied, dissatisfied, neutral, satisfied, very satisfied",
        "never, rarely, seldom, sometimes, often, usually, very often, always",
        "nie, selten, manchmal, oft, meistens, immer",
        "not at all, a little, slightly, somewhat, moderately, quite a bit, very much, extremely",
        "very poor, poor, fair, average, good, very good, excellent",
        "very bad, bad, fair, good, very good",
        "very unlikely, unlikely, neutral, likely, very likely",
        "small, medium, large, extra large",
        "xxs, xs, s, m, l, xl, xxl, xxxl",
        "first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth",
        "i, ii, iii, iv, v, vi, vii, viii, ix, x",
        "a+, a, a-, b+, b, b-, c+, c, c-, d+, d, d-, e, f",
        "daily, weekly, monthly, quarterly, yearly",
        "low, middle, high",
        "minor, moderate, major",
        "beginner, intermediate, advanced, expert",
        "junior, mid, senior, lead, principal",
        "negative, neutral, positive",
    )
)
"""Words in their usual order; a column need not have all of them."""

UNORDERED = frozenset({
    "unknown", "other", "others", "n/a", "na", "none given", "not stated", "refused", "missing",
    "don't know", "dont know", "no answer", "unspecified", "unbekannt", "keine angabe",
    "sonstige", "?", "-",
})  # fmt: skip
"""Words that are not part of any order; they become a branch of their own."""

MOST_OUTSIDE = 0.2
"""Largest share of the values that may be such words."""

NUMBERED = re.compile(
    r"(?P<before>[^\d]*?)(?P<number>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?:st|nd|rd|th|\.)?"
    r"(?P<rest>[^\d]*(?P<second>\d[\d,.]*)?(?:st|nd|rd|th|\.)?[^\d]*)"
)
BELOW = re.compile(r"(<=?|under|below|less than|up to|unter|bis|bis zu)\s*[$€£]?", re.I)
ABOVE = re.compile(r"(>=?|over|above|more than|at least|ab|über|mehr als)\s*[$€£]?", re.I)


@dataclass(frozen=True)
class Order:
    """Values from first to last, as positions in a list, and those outside the order.

    ``reason`` says in words where the order comes from.
    """

    places: tuple[int, ...]
    outside: tuple[int, ...]
    reason: str


def find_order(values: Sequence[str]) -> Order | None:
    """The order of values that are steps of a known scale or begin with a number.

    >>> find_order(["high", "low", "medium", "unknown"]).places
    (1, 2, 0)
    >>> find_order(["5th-6th", "1st-4th", "10th", "9th"]).places
    (1, 0, 3, 2)
    >>> find_order(["Oslo", "Rome", "Bern"]) is None
    True
    """
    folded = [" ".join(value.casefold().replace("-", " ").split()) for value in values]
    loose = {" ".join(word.replace("-", " ").split()) for word in UNORDERED}
    inside = [at for at, text in enumerate(folded) if text not in loose]
    outside = tuple(at for at in range(len(values)) if at not in set(inside))
    if len(inside) < 3 or len(outside) > MOST_OUTSIDE * len(values) + 1:
        return None
    for scale in SCALES:
        step = {" ".join(word.replace("-", " ").split()): at for at, word in enumerate(scale)}
        steps = [step.get(folded[at]) for at in inside]
        if None not in steps and len(set(steps)) == len(steps):
            ranked = sorted(zip(steps, inside, strict=True), key=lambda pair: pair[0] or 0)
            return Order(tuple(at for _, at in ranked), outside, "its values are steps of a scale")
    numbers = _read_leading_numbers([values[at] for at in inside])
    if numbers is None or len(set(numbers)) < len(numbers):
        return None
    ranked_numbers = sorted(zip(numbers, inside, strict=True))
    return Order(tuple(at for _, at in ranked_numbers), outside, "its values begin with a number")


def _read_leading_numbers(values: Sequence[str]) -> list[tuple[Decimal, int, Decimal]] | None:
    """The sort keys of values such as 1st-4th, <18, 18-24, 65+ and grade 3.

    The text before the number must be the same everywhere, except for words that mean less or more.
    """
    found = []
    words = set()
    for value in values:
        match = NUMBERED.fullmatch(value.strip())
        if match is None:
            return None
        number = Decimal(match["number"].replace(",", ""))
        before = match["before"].strip()
        side = -1 if BELOW.fullmatch(before) else 1 if ABOVE.fullmatch(before) else 0
        if side == 0:
            words.add(before.casefold().rstrip("$€£ "))
        second = (match["second"] or "").replace(",", "").rstrip(".")
        found.append((number, side, Decimal(second or 0)))
    return found if len(words) <= 1 else None
