"""Delimited text: a column holds one kind of value, named by its header or by most of its cells.

Notes
-----
[Sweeney2001]_, sec. 9.3: "some classify the format of the document as being a letter, notes, or
delimited text"; these detectors report all along the document.

Departures: the thesis does not say what the format is used for. Here the header names the kind of a
column, and a column in which turn 1 found most cells is taken to be of that kind throughout.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.scrubbing.detectors.detector import Example
from discreet.scrubbing.detectors.layout import select_inside
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.page import Page
from discreet.scrubbing.templates.template import Template

_MARKS = "\t|;,^~"
_LEAST = 2
"""Marks in a line."""

_SENTENCE = re.compile(r"[a-z]{4}[.!?] [A-Z]")
"""Where one sentence ends and another begins."""

_LABEL_WORDS = 3
"""Most words in the label of a column: date of birth."""

_NAME_WORDS = 6
"""Most words in the name of a person or town that fills a cell."""

_DIGITS = {"ID": 4, "PHONE": 4, "SSN": 4, "ZIP": 1, "DATE": 1, "RECORD": 1}
"""Fewest digits in a cell that is of the kind its column's label names."""


@safe_repr
class Cell(NamedTuple):
    """A cell of delimited text: its column and its span, without spaces and quotes."""

    column: int
    start: int
    end: int


@dataclass(frozen=True)
class DelimitedFormat:
    """Finds the cells of columns that hold one kind of identifier."""

    name: str
    file: str
    likelihood: float = 0.78
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """Cells below a known header in turn 1; cells of mostly found columns in turn 2."""
        mark = find_delimiter(page.text)
        if not mark:
            return
        if page.turn == 2:
            yield from self._find_like_others(page, mark)
            return
        columns, width = self._find_columns(page, mark)
        rows = list(split_rows(page.text, mark)) if columns else []
        columns = _find_label_columns(page.text, columns, rows)
        for row in rows[1:] if columns else ():
            for cell in row:
                template = columns.get(_find_column(cell.column, len(row), width))
                if template and _can_be_kind(page.text[cell.start : cell.end], template.kind):
                    yield self._make_finding(
                        cell, template.kind, template.likelihood, template.name
                    )

    def _find_columns(self, page: Page, mark: str) -> tuple[dict[int, Template], int]:
        """Column number to the template that its header fits, and the number of columns."""
        end = page.text.find("\n")
        marks = [place for place, sign in enumerate(page.text[:end]) if sign == mark]
        found = {}
        for template, first, _ in page.match(self.file, self.name):
            if page.start(first) < end:
                found[bisect_left(marks, page.start(first))] = template
        return found, len(marks) + 1

    def _find_like_others(self, page: Page, mark: str) -> Iterator[Finding]:
        columns: dict[int, list[tuple[Cell, list[str]]]] = defaultdict(list)
        for row in split_rows(page.text, mark):
            for cell in row:
                found = select_inside(page.found, (cell.start, cell.end))
                columns[cell.column].append((cell, _list_kinds_filling(cell, found)))
        for column in columns.values():
            counts = Counter(kind for _, kinds in column for kind in kinds).most_common(1)
            if counts and counts[0][1] > 1 and 2 * counts[0][1] >= len(column) - 1:
                for cell, kinds in column[1:]:
                    kind, value = counts[0][0], page.text[cell.start : cell.end]
                    if not kinds and len(value) > 1 and _can_be_kind(value, kind):
                        yield self._make_finding(cell, kind, self.likelihood, "like the others")

    def _make_finding(self, cell: Cell, kind: str, likelihood: float, reason: str) -> Finding:
        return Finding(cell.start, cell.end, kind, likelihood, self.name, reason)


def _find_label_columns(
    text: str, columns: dict[int, Template], rows: list[list[Cell]]
) -> dict[int, Template]:
    """The columns whose first cell is only a label.

    Lines of prose with commas look like rows and may contain words such as phone: a label is short,
    has no number, is not repeated in most rows below, and does not end a sentence.
    """
    if not rows or text[rows[0][-1].start : rows[0][-1].end].endswith((".", "!", "?")):
        return {}
    below = Counter(
        (cell.column, text[cell.start : cell.end])
        for row in rows[1:]
        for cell in row
        if cell.column in columns
    )
    found = {}
    for cell in rows[0]:
        value = text[cell.start : cell.end]
        is_label = len(value.split()) <= _LABEL_WORDS and sum(map(str.isdigit, value)) < 2
        is_repeated = 2 * below[cell.column, value] >= len(rows) - 1
        if cell.column in columns and is_label and not is_repeated:
            found[cell.column] = columns[cell.column]
    return found


def _list_kinds_filling(cell: Cell, found: list[Finding]) -> list[str]:
    """The kinds of the findings that fill most of a cell; a street in a sentence does not."""
    kinds: Counter[str] = Counter()
    for finding in found:
        if not finding.keep:
            kinds[finding.kind] += min(finding.end, cell.end) - finding.start
    is_filled = 4 * sum(kinds.values()) >= 3 * (cell.end - cell.start)
    return list(kinds) if is_filled else []


def _can_be_kind(value: str, kind: str) -> bool:
    """Whether a cell can be of the kind of its column: an identifying number has four digits."""
    if not value or sum(map(str.isdigit, value)) < _DIGITS.get(kind, 0):
        return False
    if kind == "EMAIL":
        return "@" in value
    return kind not in ("NAME", "CITY", "STATE", "COUNTRY") or len(value.split()) <= _NAME_WORDS


def find_delimiter(text: str) -> str:
    """The mark that divides every line, some into as many cells as the first; empty if none does.

    A first line in which one sentence ends and another begins is prose, not a header.
    """
    header = text[: text.find("\n")]
    marks = [mark for mark in _MARKS if header.count(mark) >= _LEAST]
    if _SENTENCE.search(header):
        return ""
    lines = [line for line in text[:5_000].split("\n")[:20] if line] if marks else []
    for mark in marks if len(lines) > _LEAST else ():
        counts = [line.count(mark) for line in lines]
        alike = sum(count == counts[0] for count in counts)
        if min(counts[1:]) >= _LEAST and alike * 3 >= len(lines):
            return mark
    return ""


def split_rows(text: str, mark: str) -> Iterator[list[Cell]]:
    """The cells of each line that has any; a mark inside quotes is part of a cell."""
    row: list[Cell] = []
    start, quoted = 0, False
    for place, character in enumerate(text + "\n"):
        if character == '"':
            quoted = not quoted
        elif character == "\n" or (character == mark and not quoted):
            inner = text[start:place]
            left = start + len(inner) - len(inner.lstrip(' "\r'))
            row.append(Cell(len(row), left, max(left, start + len(inner.rstrip(' "\r')))))
            start = place + 1
            if character == "\n":
                if len(row) > 1:
                    yield row
                row, quoted = [], False


def _find_column(column: int, cells: int, width: int) -> int:
    """The header column of a cell; in a line with stray marks, columns are counted from the end."""
    return column if cells == width or column < width // 2 else column - cells + width


DELIMITED_FORMAT = DelimitedFormat(
    "delimited_format",
    "places.txt",
    examples=(
        (
            "id,name,city,score\n1,Bo Li,Of,3\n2,Al Ba,Nice,4\n",
            (("Bo Li", "NAME"), ("Of", "CITY"), ("Al Ba", "NAME"), ("Nice", "CITY")),
        ),
        (
            "OrderNo;Item;Qty\n60931;Mill;2\n60932;Cup;6\n60933;Pan;1\n",
            (("60931", "ID"), ("60932", "ID"), ("60933", "ID")),
        ),
        ("a,b,c,d\n1,2,3,4\n5,6,7,8\n", ()),
    ),
)
