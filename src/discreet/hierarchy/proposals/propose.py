"""A first hierarchy for a column, from its name and values, for the data holder to edit."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from discreet.hierarchy.cuts import Cuts
from discreet.hierarchy.date_formats import find_fitting_formats
from discreet.hierarchy.dates import Dates, read_dates
from discreet.hierarchy.flat import Flat
from discreet.hierarchy.hierarchy import Builder
from discreet.hierarchy.intervals import Intervals
from discreet.hierarchy.known import find_known
from discreet.hierarchy.numbers import read_numbers
from discreet.hierarchy.prefix import Prefix
from discreet.hierarchy.proposals.learn_tree import learn_cuts, learn_tree
from discreet.hierarchy.proposals.number_levels import propose_number_levels
from discreet.hierarchy.proposals.proposal import Proposal, RejectedKind
from discreet.hierarchy.proposals.rest import propose_codes, propose_dates, take_rest
from discreet.hierarchy.proposals.row_codes import RowCodes
from discreet.hierarchy.refusals import AmbiguousDatesError, UnreadableValuesError

FEW = 5
"""With at most this many distinct values a column is categorical, even if they are numbers."""
FEW_NUMBERS = 20
"""At most this many distinct whole numbers are steps that can be compared one by one."""
LEAST_ROWS = 5
"""Rows that a value needs to be named in a group, if k is not given."""
MOST_ODD = 0.5
"""A kind that more than this share of the values do not fit does not count as tried."""
BY_FORM = frozenset({"ages", "us-zip-codes", "german-postcodes"})
"""Known hierarchies whose values have finer levels as a number or a code."""
LONGEST_CODE = 12
CODE_NAMES = re.compile(
    r"zip|post.?(al)?.?code|postcode|plz|npa|cap$|icd|fips|nuts|naics|sic", re.I
)
CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 .\-]*", re.ASCII)


def propose(
    column: str,
    values: Sequence[str | None],
    counts: Sequence[int] | None = None,
    others: RowCodes | None = None,
    least: int = LEAST_ROWS,
) -> Proposal:
    """Suggest how to generalize a column, and why.

    Known values (countries, diagnoses, ...) get a published hierarchy; dates go by month and year,
    codes by prefix, numbers by intervals that follow their distribution. For other categories a
    tree is learnt: values with a similar association with the other columns are joined first.
    Without ``counts`` and ``others`` there is nothing to learn from, and such a column is released
    as found or not at all. The proposal can always be built for the values it was made from.

    Parameters
    ----------
    column, values
        The column's name and its distinct values; None is the missing value.
    counts
        How many rows have each value.
    others
        Rows of the quasi columns. No sensitive column may be among them: see
        ``docs/decisions/0041-hierarchies-learnt-from-the-table.md``.
    least
        A value with fewer rows is not shown in the name of a group.

    >>> propose("height", [str(cm) for cm in range(150, 200)]).builder
    Intervals(widths=(5, 10, 20), origin=0, bottom=None, top=None)
    """
    seen = _Seen(column, values, counts)
    for found in (_propose_known, _propose_by_form):
        builder, reason = found(seen, others)
        if builder is not None:
            return Proposal(builder, reason, tuple(seen.given_up))
    if len(seen.texts) < 3:
        many = "no value" if not seen.texts else "one value" if len(seen.texts) == 1 else "two"
        why = f"there {'are' if many == 'two' else 'is'} {many}"
        return Proposal(Flat(), f"{why}{' values only' if many == 'two' else ''}")
    learnt = learn_tree(column, seen.texts, seen.rows, others, least)
    if learnt is not None:
        return Proposal(learnt.tree, learnt.reason, tuple(seen.given_up))
    why = "its values are neither dates nor codes nor numbers, and there are no rows to learn from"
    return Proposal(Flat(), why, tuple(seen.given_up))


class _Seen:
    """The values of a column that are not missing, and the kinds tried for them."""

    def __init__(
        self, column: str, values: Sequence[str | None], counts: Sequence[int] | None
    ) -> None:
        self.column, self.values, self.counts = column, values, counts
        present = [at for at, value in enumerate(values) if value is not None]
        self.texts = [str(values[at]) for at in present]
        self.rows = None if counts is None else np.array([counts[at] for at in present], np.int64)
        self.numbers = read_numbers(self.texts)
        self.given_up: list[RejectedKind] = []

    @property
    def numeric(self) -> bool:
        return all(number is not None for number in self.numbers)

    def give_up(self, kind: str, why: str, odd: Sequence[bool]) -> None:
        """Remember a kind that was tried, unless hardly any value fits it."""
        rows = None if self.rows is None else int(self.rows[np.array(odd, dtype=bool)].sum())
        if 0 < sum(odd) <= MOST_ODD * len(odd):
            self.given_up.append(RejectedKind(kind, why, sum(odd), rows))


def _propose_known(seen: _Seen, _: RowCodes | None) -> tuple[Builder | None, str]:
    """A published hierarchy of such values."""
    found = find_known(seen.column, seen.values, seen.counts)
    if found is None or found.name in BY_FORM:
        return None, ""
    built = found.builder.build(seen.column, seen.values)
    sizes = [built.size(level) for level in range(1, built.height)]
    if not any(1 < size < len(seen.values) for size in sizes) and len(seen.texts) > 2:
        why = f"all values are in one group of the hierarchy '{found.name}'"
        seen.given_up.append(RejectedKind("known", why, len(seen.texts), None))
        return None, ""
    return found.builder, found.reason


def _propose_by_form(seen: _Seen, others: RowCodes | None) -> tuple[Builder | None, str]:
    """Dates, codes and numbers, judging by the values."""
    if len(seen.texts) <= FEW:
        return None, ""
    dates = None
    if not seen.numeric or _has_eight_digits(seen.texts):
        dates, why = _propose_dates(seen)
    if dates is not None:
        return dates, why
    codes = _propose_prefix(seen)
    if codes is not None:
        return codes, "codes of one length lose their last characters one by one"
    if not seen.numeric:
        return _propose_with_rest(seen)
    if others is not None and seen.rows is not None and _has_few_numbers(seen):
        levels = learn_cuts(seen.column, seen.texts, seen.numbers, seen.rows, others)
        return Cuts(levels), "few different numbers: neighbours that behave alike are joined first"
    rows = None if seen.rows is None else seen.rows.tolist()
    numbers = [number for number in seen.numbers if number is not None]
    found = propose_number_levels(seen.column, numbers, rows)
    return (None, "") if found is None else (found.builder, found.reason)


def _propose_with_rest(seen: _Seen) -> tuple[Builder | None, str]:
    """Dates, codes and numbers where a few values are something else: ``90+``, ZIP+4, a word."""
    tells = bool(CODE_NAMES.search(seen.column))
    read = [number is not None for number in seen.numbers]
    tried = [propose_dates(seen.texts), propose_codes(tells, seen.texts)]
    if tried[0].undecided:
        return Flat(), tried[0].reason  # day and month are never guessed
    if any(read):
        numbers = [number for number in seen.numbers if number is not None]
        rows = None if seen.rows is None else seen.rows[np.array(read)].tolist()
        levels = propose_number_levels(seen.column, numbers, rows)
        if levels is not None and isinstance(levels.builder, Intervals | Cuts):
            found = take_rest(levels.builder, seen.texts)
            tried.append(found._replace(reason=f"{levels.reason}; {found.reason}"))
    for found in tried:
        if found.builder is not None:
            return found.builder, found.reason
    if all(one.kind == "known" for one in seen.given_up):
        seen.give_up("intervals", "some values are not numbers", [not one for one in read])
    return None, ""


def _has_few_numbers(seen: _Seen) -> bool:
    """Whether numbers are steps, such as grades: few, whole, each written in one way."""
    numbers = seen.numbers
    whole = all(isinstance(number, int) for number in numbers)
    return whole and len(set(numbers)) == len(numbers) <= FEW_NUMBERS


def _propose_prefix(seen: _Seen) -> Builder | None:
    """Suggest prefixes for codes of one length, shown by a leading zero or the column's name."""
    texts = seen.texts
    lengths = [len(text) for text in texts]
    length = max(set(lengths), key=lambda each: (lengths.count(each), each))
    if not 3 <= length <= LONGEST_CODE:
        return None
    fits = [len(text) == length and bool(CODE.fullmatch(text)) for text in texts]
    some = [text for text, fit in zip(texts, fits, strict=True) if fit]
    if not seen.numeric:
        telling = bool(some) and all(any(sign.isdigit() for sign in text) for text in some)
    else:
        whole = all(text.isdecimal() for text in some)
        zero = any(text[0] == "0" for text in some)
        telling = whole and (zero or bool(CODE_NAMES.search(seen.column)))
    if not telling:
        return None
    if not all(fits):
        why = f"codes are cut to a prefix where all have {length} characters, and some do not"
        seen.give_up("prefix", why, [not fit for fit in fits])
        return None
    return Prefix(tuple(range(length - 1, max(length - 4, 0), -1)))


def _has_eight_digits(texts: Sequence[str]) -> bool:
    """Whether numbers are days of the last or this century, such as 19650920."""
    return all(len(text) == 8 and text[:2] in ("19", "20") for text in texts)


def _propose_dates(seen: _Seen) -> tuple[Builder | None, str]:
    """Suggest periods for dates, by their precision and range."""
    if not find_fitting_formats(seen.texts):
        return None, ""
    try:
        _, read = read_dates(seen.column, seen.texts)
    except AmbiguousDatesError:
        return Flat(), propose_dates(seen.texts).reason  # day and month are never guessed
    except UnreadableValuesError:
        return None, ""
    if read.precision == "year":
        return None, ""
    first = ("month",) if read.precision == "day" else ("quarter",)
    long = int(read.days.max() - read.days.min()) > 2 * 366
    above = ("year", "5 years", "10 years") if long else ("half", "year")
    return Dates((*first, *above)), "dates by month, year and groups of years"
