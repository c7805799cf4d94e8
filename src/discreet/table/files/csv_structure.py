"""One fast look at a whole CSV file: how many rows it has, and whether its quotes add up."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.errors import EmptyTableError, SourceError, name_positions
from discreet.table.files.text import BlockFile, Dialect, read_utf8_blocks

LF, CR = 10, 13
LONGEST_ROW = 1 << 23
"""Bytes of a row; the look ends at a longer line, since what follows cannot be read anyhow."""
NOWHERE = np.zeros(0, dtype=np.intp)


@dataclass
class Structure:
    """What a CSV file looks like when only quotes and line ends are seen.

    `sound` is true when every quote opens or closes a field, or is doubled inside one; then the
    counts are exact. Otherwise the file needs the exact look of `diagnose`.
    """

    lines: int = 0
    blank: int = 0
    unix: int = 0
    windows: int = 0
    mac: int = 0
    quoted_line_ends: int = 0
    sound: bool = True
    open_quote: bool = False
    longest_line: int = 0

    @property
    def line_end(self) -> str:
        """The line end most lines have."""
        counts = ((self.unix, "\n"), (self.windows, "\r\n"), (self.mac, "\r"))
        return max(counts, key=lambda pair: pair[0])[1]

    @property
    def mixed(self) -> bool:
        """Whether lines end in more than one way."""
        return sum(count > 0 for count in (self.unix, self.windows, self.mac)) > 1

    def rows(self, columns: int) -> int:
        """Rows below the first line; a blank line is a missing value if there is one column."""
        return self.lines - 1 - (0 if columns == 1 else self.blank)


def read_structure(blocks: Iterable[bytes], separator: str, quote: str) -> Structure:
    """Count the lines of a file outside quotes and check that its quotes make sense.

    Notes
    -----
    Whether a place is inside quotes is the parity of the quotes before it, which doubled quotes
    leave unchanged; so a block is read with a few array operations instead of byte by byte.
    *Cost*: one pass, about half a gigabyte a second, memory of one block.
    """
    look = _Look(ord(separator), ord(quote) if quote else -1)
    for block in blocks:
        look.take(block)
        if look.found.longest_line > LONGEST_ROW:
            return look.found
    return look.finish()


class _Look:
    def __init__(self, separator: int, quote: int) -> None:
        self.found = Structure()
        self.quote = quote
        self.edges = np.zeros(256, dtype=bool)
        self.edges[[LF, CR]] = True
        for mark in (separator, quote):
            if 0 <= mark < 256:
                self.edges[mark] = True
        self.previous = LF  # the byte before the held one; a file starts like a line
        self.held = b""  # the last byte waits until its next one is known
        self.inside = 0
        self.content = False  # whether the line under way has any byte
        self.length = 0  # bytes since the last line end, inside quotes or not

    def take(self, block: bytes) -> None:
        data = self.held + block
        if len(data) > 1:
            self._look(np.frombuffer(data, dtype=np.uint8))
        self.held = data[-1:]

    def finish(self) -> Structure:
        if self.held:
            self._look(np.frombuffer(self.held + b"\r", dtype=np.uint8))
        found = self.found
        found.open_quote = bool(self.inside)
        if self.content or self.inside:
            found.lines += 1
        return found

    def _look(self, data: NDArray[np.uint8]) -> None:
        """Look at all bytes but the last, which is only there to be seen from the one before."""
        seen = data[:-1]
        quotes = np.flatnonzero(seen == self.quote) if self.quote >= 0 else NOWHERE
        if len(quotes):
            self._check_quotes(data, quotes)
        ends = np.flatnonzero(seen == LF)
        carriage = np.flatnonzero(seen == CR)
        if len(carriage):
            ends = np.union1d(ends, carriage[data[carriage + 1] != LF])
        self._measure(len(seen), ends)
        if len(quotes) or self.inside:
            parity = (self.inside + np.searchsorted(quotes, ends)) & 1
            self.found.quoted_line_ends += int(parity.sum())
            ends = ends[parity == 0]
        self._count(seen, ends)
        self.inside = (self.inside + len(quotes)) & 1
        self.previous = int(seen[-1])

    def _measure(self, seen: int, ends: NDArray[np.intp]) -> None:
        """Note how long the longest line is."""
        lengths = np.diff(ends, prepend=-1)
        if len(ends):
            first = self.length + int(lengths[0])
            longest = max(first, int(lengths.max()))
            self.length = seen - int(ends[-1]) - 1
        else:
            self.length += seen
            longest = 0
        self.found.longest_line = max(self.found.longest_line, longest, self.length)

    def _check_quotes(self, data: NDArray[np.uint8], quotes: NDArray[np.intp]) -> None:
        opening = quotes[self.inside :: 2]
        closing = quotes[1 - self.inside :: 2]
        before = data[opening - 1]
        if len(opening) and opening[0] == 0:
            before[0] = self.previous
        sound = self.edges[before].all() and self.edges[data[closing + 1]].all()
        self.found.sound = self.found.sound and bool(sound)

    def _count(self, seen: NDArray[np.uint8], ends: NDArray[np.intp]) -> None:
        found = self.found
        rest = seen
        if len(ends):
            before = seen[ends - 1]
            if ends[0] == 0:
                before[0] = self.previous
            mac = seen[ends] == CR
            windows = ~mac & (before == CR)
            blank = np.diff(ends, prepend=-1) - 1 - windows <= 0
            blank[0] = blank[0] and not self.content
            found.lines += len(ends)
            found.blank += int(blank.sum())
            found.windows += int(windows.sum())
            found.mac += int(mac.sum())
            found.unix += len(ends) - int(windows.sum()) - int(mac.sum())
            self.content = False
            rest = seen[int(ends[-1]) + 1 :]
        # A lone carriage return at the very end is the first half of a line end still to come.
        self.content = self.content or len(rest) > 1 or bool(len(rest) and rest[0] != CR)


# The exact, slow look at a CSV file that is not as it should be: which lines are wrong.


NAMED_LINES = 5


@dataclass(frozen=True)
class Diagnosis:
    """What a row by row reading found: numbers of lines, never their content."""

    rows: int
    ragged_lines: tuple[int, ...]
    ragged: int
    broken_quote: int | None
    unclosed: bool

    def error(self, name: str, columns: int, quote: str) -> SourceError | None:
        """The error to show, if this reading found one."""
        if self.broken_quote is not None:
            return make_quote_error(name, self.broken_quote, self.unclosed, quote)
        if self.ragged:
            return make_ragged_error(name, columns, self.ragged_lines, self.ragged)
        return None


def make_quote_error(name: str, line: int, unclosed: bool, quote: str) -> SourceError:
    """A quoted field does not end, or goes on after its closing quote."""
    what = "is opened but never closed" if unclosed else "is closed, but the field goes on"
    return SourceError(
        name,
        f"line {line}: a quote ({quote}) {what}",
        "Close the quote, or double it where it belongs to the text; if quotes mean nothing in "
        "this file, name another quote character.",
    )


def make_ragged_error(name: str, columns: int, lines: Sequence[int], rows: int) -> SourceError:
    """Rows have more or fewer fields than the first line has names."""
    more = f" and {rows - len(lines)} more" if rows > len(lines) else ""
    verb = "does" if rows == 1 else "do"
    return SourceError(
        name,
        f"{name_positions('line', lines)}{more} {verb} not have the {columns} fields that the "
        f"first line names ({rows} row{'' if rows == 1 else 's'} in all)",
        "Fix these lines: often a separator inside a field is not quoted. If the columns look "
        "wrong, name the separator.",
    )


def diagnose(path: Path, dialect: Dialect, columns: int) -> Diagnosis:
    """Read every row in Python and note where it departs from the first line."""
    rows, ragged, start = -1, 0, 1
    lines: list[int] = []
    broken, unclosed = None, False
    with open_text(path, dialect) as file, _allow_long_fields():
        reader = csv.reader(
            file,
            delimiter=dialect.separator,
            quotechar=dialect.quote or None,
            quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
            skipinitialspace=True,
            strict=True,
        )
        try:
            for row in reader:
                if row or (columns == 1 and rows >= 0):
                    rows += 1
                    if len(row) != columns and row:
                        ragged += 1
                        lines += [start] if len(lines) < NAMED_LINES else []
                start = reader.line_num + 1
        except csv.Error as error:
            # A field that goes on for megabytes is one whose quote was never closed.
            broken = start
            unclosed = any(sign in str(error) for sign in ("end of data", "field larger"))
    return Diagnosis(rows, tuple(lines), ragged, broken, unclosed)


@contextmanager
def open_text(path: Path, dialect: Dialect) -> Iterator[io.TextIOWrapper]:
    """The file as text, line ends untouched."""
    blocks = read_utf8_blocks(path, dialect.compression, dialect.encoding)
    with io.TextIOWrapper(
        io.BufferedReader(BlockFile(blocks)), encoding="utf-8", newline=""
    ) as file:
        yield file


@contextmanager
def _allow_long_fields() -> Iterator[None]:
    before = csv.field_size_limit(LONGEST_ROW)
    try:
        yield
    finally:
        csv.field_size_limit(before)


# Separator and quote of a CSV file, found from its first rows.


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
                return found.separator, _choose_quote(sample, found, quote)
            best += guesses
    usable = [g for g in best if g.fields > 1 and (separator or g.separator in USUAL)]
    if usable:
        found = max(usable, key=lambda guess: (guess.agree, guess.fields))
        return found.separator, found.quote
    broken = [g.separator for g in best if not g.fields]  # a quote in the first line never ends
    return separator or (broken[0] if broken else _find_unused_separator(sample.text)), quotes[0]


def split_rows(sample: Sample, separator: str, quote: str) -> list[list[str]]:
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


def read_first_rows(name: str, sample: Sample, separator: str, quote: str) -> list[list[str]]:
    """The first line, which should hold the names of the columns, and rows below it, as found."""
    found = split_rows(sample, separator, quote)
    if not found:
        raise make_quote_error(name, 1, True, quote)
    return found


def _guess(sample: Sample, separator: str, quote: str) -> Guess:
    found = split_rows(sample, separator, quote)
    fields = len(found[0]) if found else 0
    body = found[1:]
    agree = sum(len(row) == fields for row in body) / len(body) if body else separator in USUAL
    return Guess(separator, quote, fields, float(agree))


def _choose_quote(sample: Sample, found: Guess, quote: str | None) -> str:
    """The single quote, if every name in the first line is between two of them."""
    names = split_rows(sample, found.separator, found.quote)[0]
    bare = all(len(name) > 1 and name[0] == name[-1] == "'" for name in names)
    return "'" if quote is None and bare else found.quote


def _find_unused_separator(sample: str) -> str:
    """For a file of one column, a separator that its text does not use."""
    return next((mark for mark in USUAL if mark not in sample), "\x1f")
