"""Read the lines of a hierarchy file: ``value;level 1;...;top``."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from discreet.errors import HierarchyFileError, UnfitFileError, did_you_mean
from discreet.hierarchy.level import Level
from discreet.input_file import HIERARCHY, read_input

SEPARATORS = (";", "\t", ",")
SAMPLE = 100


def read_text(path: Path) -> str:
    """Read a hierarchy file as text: UTF-8, UTF-16 with its mark, or else Windows' cp1252."""
    try:
        raw = read_input(path, HIERARCHY)
    except UnfitFileError as error:
        raise HierarchyFileError(path, error.what, error.fix) from None
    except FileNotFoundError:
        raise HierarchyFileError(path, "there is no such file", _neighbours(path)) from None
    except OSError as error:
        reason = f"it cannot be read ({error.strerror})"
        raise HierarchyFileError(path, reason, "Check the path and your permission.") from None
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raw = raw.decode("utf-16", errors="replace").encode()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")
    if "\0" in text or "\ufffd" in text:
        raise HierarchyFileError(path, "it is not a text file", "Save it as CSV in UTF-8.")
    return text


def read_levels(path: Path) -> list[Level]:
    """Read a hierarchy file: for each of its columns, the text of every line as a code."""
    text = read_text(path)
    if not text.strip():
        fix = "Write one line for each value: value;level 1;...;top."
        raise HierarchyFileError(path, "it is empty", fix)
    separator, width = find_shape(text)
    import pyarrow
    from pyarrow import csv as arrow

    names = [str(number) for number in range(width)]
    kind = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    raw = text.encode()
    try:
        table = arrow.read_csv(
            pyarrow.BufferReader(raw),
            # One block, so that each column has one dictionary.
            arrow.ReadOptions(use_threads=False, block_size=len(raw) + 1, column_names=names),
            arrow.ParseOptions(delimiter=separator, newlines_in_values=True),
            arrow.ConvertOptions(
                column_types=dict.fromkeys(names, kind), strings_can_be_null=False
            ),
        )
    except pyarrow.ArrowInvalid:
        raise _what_is_wrong(path, text, separator) from None  # Arrow's message quotes the line
    return [_level(column.combine_chunks()) for column in table.columns]


def find_shape(text: str) -> tuple[str, int]:
    """Find the separator and the number of fields from the first lines.

    >>> find_shape("02138,0213*,*")
    (',', 3)
    """
    fits: list[tuple[bool, int, str]] = []
    for separator in SEPARATORS:
        try:
            widths = [len(row) for _, row in islice(rows_of(text, separator), SAMPLE)]
        except csv.Error:
            continue
        width, lines = Counter(widths).most_common(1)[0]
        fits.append((width > 1 and lines == len(widths), width, separator))
    if not fits:
        return SEPARATORS[0], 2
    _, width, separator = max(fits, key=lambda fit: fit[:2])
    return separator, width


def rows_of(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Go through the lines that are not blank, each with its number in the file."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    start = 1
    for row in reader:
        if row:
            yield start, row
        start = reader.line_num + 1


def line_numbers(path: Path, rows: Sequence[int]) -> list[int]:
    """Turn places among the lines that are not blank into line numbers of the file."""
    text = read_text(path)
    wanted = set(rows)
    lines = enumerate(rows_of(text, find_shape(text)[0]))
    found = {row: line for row, (line, _) in lines if row in wanted}
    return [found[row] for row in rows]


def _level(array: Any) -> Level:
    # Not to_numpy: it imports pandas where that is installed, which takes longer than all this.
    buffer, length = array.indices.buffers()[1], len(array)
    codes = np.frombuffer(buffer, np.int32, length).copy() if length else np.empty(0, np.int32)
    labels: list[str | None] = array.dictionary.to_pylist()
    if "" in labels:
        labels[labels.index("")] = None
    return Level(codes, tuple(labels))


def _what_is_wrong(path: Path, text: str, separator: str) -> HierarchyFileError:
    lines: list[tuple[int, int]] = []
    try:
        lines.extend((line, len(row)) for line, row in rows_of(text, separator))
    except csv.Error:
        last = lines[-1][0] + 1 if lines else 1
        what = f"the quotes from line {last} on do not pair up"
        return HierarchyFileError(path, what, 'Write a quote inside a quoted field twice: "".')
    width = Counter(count for _, count in lines).most_common(1)[0][0]
    ragged = [line for line, count in lines if count != width]
    shown = ", ".join(map(str, ragged[:5])) + (", ..." if len(ragged) > 5 else "")
    what = f"{len(ragged)} of {len(lines)} lines do not have {width} fields (line {shown})"
    return HierarchyFileError(path, what, "Give every line the same number of levels.")


def _neighbours(path: Path) -> str:
    if not path.parent.is_dir():
        return f"Nor is there a folder '{path.parent}'."
    return did_you_mean(path.name, sorted(file.name for file in path.parent.iterdir()))
