"""Separator and quote of a CSV file, found from its first rows."""

from __future__ import annotations

import csv
import io

from discreet.display import dataclass
from discreet.errors import EmptyTableError, QuoteError

USUAL = (",", ";", "\t", "|")
RARE = ("\x1f", "\x1e", "\x01", "^", "~", ":", "#", " ")
ROWS = 2000


@dataclass(frozen=True)
class Sample:
    """The beginning of a file; `cut` if it goes on, so that the last row may be half a row."""

    text: str
    cut: bool


@dataclass(frozen=True)
class Guess:
    """How well one separator and quote explain the sample."""

    separator: str
    quote: str
    fields: int
    agree: float

    @property
    def perfect(self) -> bool:
        return self.fields > 1 and self.agree == 1.0


def sniff(name: str, sample: Sample, separator: str | None, quote: str | None) -> tuple[str, str]:
    """The separator and the quote under which the rows have as many fields as the first line.

    What the data holder names is taken as it is. The usual separators come before the rare ones,
    the double quote before the single one; more fields decide between equals.
    """
    if not sample.text.strip():
        raise EmptyTableError(name, "there is nothing but blank lines")
    quotes: tuple[str, ...] = ('"',) if '"' in sample.text else ('"', "'")
    quotes = quotes if quote is None else (quote,)
    best: list[Guess] = []
    for separators in (USUAL, RARE) if separator is None else ((separator,),):
        for mark in quotes:
            guesses = [_guess(sample, candidate, mark) for candidate in separators]
            perfect = [guess for guess in guesses if guess.perfect]
            if perfect:
                found = max(perfect, key=lambda guess: guess.fields)
                return found.separator, _single(sample, found, quote)
            best += guesses
    usable = [g for g in best if g.fields > 1 and (separator or g.separator in USUAL)]
    if usable:
        found = max(usable, key=lambda guess: (guess.agree, guess.fields))
        return found.separator, found.quote
    broken = [g.separator for g in best if not g.fields]  # a quote in the first line never ends
    return separator or (broken[0] if broken else _unused(sample.text)), quotes[0]


def rows(sample: Sample, separator: str, quote: str) -> list[list[str]]:
    """The sample cut into fields; blank lines are no rows. A broken end is left out."""
    reader = csv.reader(
        io.StringIO(sample.text, newline=""),
        delimiter=separator,
        quotechar=quote or None,
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
    )
    found: list[list[str]] = []
    try:
        for row in reader:
            if row:
                found.append(row)
            if len(found) > ROWS:
                return found
    except csv.Error:
        return found
    return found[:-1] if sample.cut and len(found) > 1 else found


def first_rows(name: str, sample: Sample, separator: str, quote: str) -> list[list[str]]:
    """The first line, which should hold the names of the columns, and rows below it, as found."""
    found = rows(sample, separator, quote)
    if not found:
        raise QuoteError(name, 1, True, quote)
    return found


def _guess(sample: Sample, separator: str, quote: str) -> Guess:
    found = rows(sample, separator, quote)
    fields = len(found[0]) if found else 0
    body = found[1:]
    agree = sum(len(row) == fields for row in body) / len(body) if body else separator in USUAL
    return Guess(separator, quote, fields, float(agree))


def _single(sample: Sample, found: Guess, quote: str | None) -> str:
    """The single quote, if every name in the first line stands between two of them."""
    names = rows(sample, found.separator, found.quote)[0]
    bare = all(len(name) > 1 and name[0] == name[-1] == "'" for name in names)
    return "'" if quote is None and bare else found.quote


def _unused(sample: str) -> str:
    """For a file of one column, a separator that its text does not use."""
    return next((mark for mark in USUAL if mark not in sample), "\x1f")
