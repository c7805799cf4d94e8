"""The exact, slow look at a CSV file that is not as it should be: which lines are wrong."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from discreet.display import dataclass
from discreet.errors import QuoteError, RaggedRowsError, SourceError
from discreet.table.dialect import Dialect
from discreet.table.sources.blocks import BlockFile, utf8_blocks
from discreet.table.sources.structure import LONGEST_ROW

NAMED_LINES = 5


@dataclass(frozen=True)
class Diagnosis:
    """What a row by row reading found: numbers of lines, never what stands in them."""

    rows: int
    ragged_lines: tuple[int, ...]
    ragged: int
    broken_quote: int | None
    unclosed: bool

    def error(self, name: str, columns: int, quote: str) -> SourceError | None:
        """The error to show, if this reading found one."""
        if self.broken_quote is not None:
            return QuoteError(name, self.broken_quote, self.unclosed, quote)
        if self.ragged:
            return RaggedRowsError(name, columns, self.ragged_lines, self.ragged)
        return None


def diagnose(path: Path, dialect: Dialect, columns: int) -> Diagnosis:
    """Read every row in Python and note where it departs from the first line."""
    rows, ragged, start = -1, 0, 1
    lines: list[int] = []
    broken, unclosed = None, False
    with text_file(path, dialect) as file, _long_fields():
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
def text_file(path: Path, dialect: Dialect) -> Iterator[io.TextIOWrapper]:
    """The file as text, line ends untouched."""
    blocks = utf8_blocks(path, dialect.compression, dialect.encoding)
    with io.TextIOWrapper(
        io.BufferedReader(BlockFile(blocks)), encoding="utf-8", newline=""
    ) as file:
        yield file


@contextmanager
def _long_fields() -> Iterator[None]:
    before = csv.field_size_limit(LONGEST_ROW)
    try:
        yield
    finally:
        csv.field_size_limit(before)
