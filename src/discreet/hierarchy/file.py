"""A hierarchy that the data holder wrote in a file."""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow
from numpy.typing import NDArray
from pyarrow import csv as arrow

from discreet.display import dataclass
from discreet.errors import HierarchyError, WriteError, did_you_mean
from discreet.hierarchy.cover import check_one_root, cover, find_ground_labels
from discreet.hierarchy.hierarchy import Hierarchy, Level, assemble
from discreet.hierarchy.refusals import make_label_error, make_spec_error
from discreet.input_file import HIERARCHY, UnfitFileError, read_input
from discreet.table.atomic import open_hidden_file

# Read the lines of a hierarchy file: ``value;level 1;...;top``.


SEPARATORS = (";", "\t", ",")
SAMPLE = 100


def read_text(path: Path) -> str:
    """Read a hierarchy file as text: UTF-8, UTF-16 with a byte-order mark, or else Windows-1252."""
    try:
        raw = read_input(path, HIERARCHY)
    except UnfitFileError as error:
        raise make_file_error(path, error.what, error.fix) from None
    except FileNotFoundError:
        raise make_file_error(path, "there is no such file", _suggest_neighbours(path)) from None
    except OSError as error:
        reason = f"it cannot be read ({error.strerror})"
        raise make_file_error(path, reason, "Check the path and your permission.") from None
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raw = raw.decode("utf-16", errors="replace").encode()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")
    if "\0" in text or "\ufffd" in text:
        raise make_file_error(path, "it is not a text file", "Save it as CSV in UTF-8.")
    return text


def read_levels(path: Path) -> list[Level]:
    """Read a hierarchy file: each of its columns, with the text of every line as a code."""
    text = read_text(path)
    if not text.strip():
        fix = "Write one line for each value: value;level 1;...;top."
        raise make_file_error(path, "it is empty", fix)
    separator, width = find_shape(text)

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
        raise _explain_bad_rows(path, text, separator) from None  # Arrow's message quotes the line
    return [_build_level(column.combine_chunks()) for column in table.columns]


def find_shape(text: str) -> tuple[str, int]:
    """Find the separator and the number of fields from the first lines.

    >>> find_shape("02138,0213*,*")
    (',', 3)
    """
    fits: list[tuple[bool, int, str]] = []
    for separator in SEPARATORS:
        try:
            widths = [len(row) for _, row in islice(read_rows(text, separator), SAMPLE)]
        except csv.Error:
            continue
        width, lines = Counter(widths).most_common(1)[0]
        fits.append((width > 1 and lines == len(widths), width, separator))
    if not fits:
        return SEPARATORS[0], 2
    _, width, separator = max(fits, key=lambda fit: fit[:2])
    return separator, width


def read_rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Iterate over the lines that are not blank, each with its number in the file."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    start = 1
    for row in reader:
        if row:
            yield start, row
        start = reader.line_num + 1


def find_line_numbers(path: Path, rows: Sequence[int]) -> list[int]:
    """Turn positions among the lines that are not blank into line numbers of the file."""
    text = read_text(path)
    wanted = set(rows)
    lines = enumerate(read_rows(text, find_shape(text)[0]))
    found = {row: line for row, (line, _) in lines if row in wanted}
    return [found[row] for row in rows]


def _build_level(array: Any) -> Level:
    # Not to_numpy: it imports pandas if that is installed, which takes longer than everything here.
    buffer, length = array.indices.buffers()[1], len(array)
    codes = np.frombuffer(buffer, np.int32, length).copy() if length else np.empty(0, np.int32)
    labels: list[str | None] = array.dictionary.to_pylist()
    if "" in labels:
        labels[labels.index("")] = None
    return Level(codes, tuple(labels))


def _explain_bad_rows(path: Path, text: str, separator: str) -> HierarchyError:
    lines: list[tuple[int, int]] = []
    try:
        lines.extend((line, len(row)) for line, row in read_rows(text, separator))
    except csv.Error:
        last = lines[-1][0] + 1 if lines else 1
        what = f"the quotes from line {last} on do not pair up"
        return make_file_error(path, what, 'Write a quote inside a quoted field twice: "".')
    width = Counter(count for _, count in lines).most_common(1)[0][0]
    ragged = [line for line, count in lines if count != width]
    shown = ", ".join(map(str, ragged[:5])) + (", ..." if len(ragged) > 5 else "")
    what = f"{len(ragged)} of {len(lines)} lines do not have {width} fields (line {shown})"
    return make_file_error(path, what, "Give every line the same number of levels.")


def _suggest_neighbours(path: Path) -> str:
    if not path.parent.is_dir():
        return f"Nor is there a folder '{path.parent}'."
    return did_you_mean(path.name, sorted(file.name for file in path.parent.iterdir()))


FIX = (
    "Add a line for each to the file, or write {file: {path: ..., uncovered: root}} in the policy, "
    "which sends them straight to the root."
)


@dataclass(frozen=True)
class File:
    """Release each value as the data holder's own file says, level by level.

    One line per value, ``value;level 1;...;top``, without a header: the format of ARX. Commas and
    tabs also separate fields, fields may be quoted, and the encoding is detected. The empty text is
    the missing value. Values of the file that are not in the data count as leaves, so the loss of a
    release is the same for every table that the file is used on.

    Parameters
    ----------
    path
        The file.
    uncovered
        What happens to values of the data that have no line: ``refuse`` stops and counts them;
        ``root`` releases them as found or, from level 1 on, as the root.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2, fig. 26. *Departures*: if lines end in different values, ``*`` is
    added above them. *Cost*: one pass over the file; 100,000 lines of six fields take 0.1 s.
    """

    path: Path
    uncovered: Literal["refuse", "root"] = "refuse"

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path))
        if self.uncovered not in ("refuse", "root"):
            raise make_spec_error(
                "file.uncovered", "it is not understood", "Write refuse, or root."
            )

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Read the file and keep the part that the values of the column need."""
        rows, leaves, levels = self.read()
        check_one_root(column, levels, _suggest_header(levels))
        found = find_ground_labels(leaves, levels)
        if found is not None:
            pair = [int(rows[leaf]) for leaf in found[1][0]]
            lines = " and ".join(str(line) for line in sorted(find_line_numbers(self.path, pair)))
            place = f"compare lines {lines} of '{self.path}'"
            raise make_label_error(column, found[0], len(found[1]), place)

        def where(level: int, *pair: int) -> str:
            return self._describe_place(rows, covered.levels[level - 1], pair)

        source = f"hierarchy file '{self.path}'"
        strays = levels[-1].labels[0] if self.uncovered == "root" and levels else None
        covered = cover(column, leaves, levels, values, source=source, fix=FIX, strays=strays)
        grown, above, picked = covered
        return Hierarchy(column, *assemble(column, grown, above, picked=picked, where=where))

    def read(self) -> tuple[NDArray[np.intp], tuple[str | None, ...], tuple[Level, ...]]:
        """Read the file: the lines that are kept, their values, and the levels above them.

        A line that repeats an earlier one is dropped; one that contradicts it is refused.
        """
        ground, *levels = read_levels(self.path)
        first = np.full(len(ground.labels), len(ground.codes), dtype=np.intp)
        first[ground.codes[::-1]] = np.arange(len(ground.codes) - 1, -1, -1)
        for level in levels:
            wrong = np.flatnonzero(level.codes != level.codes[first[ground.codes]])
            if len(wrong):
                raise self._make_contradiction_error(
                    int(first[ground.codes[wrong[0]]]), int(wrong[0])
                )
        return first, ground.labels, tuple(level.take(first) for level in levels)

    def _describe_place(self, rows: NDArray[np.intp], level: Level, leaves: Sequence[int]) -> str:
        label = level.labels[level.codes[leaves[0]]] or "(empty)"
        lines = find_line_numbers(
            self.path, [int(rows[leaf]) for leaf in leaves if leaf < len(rows)]
        )
        places = [f"line {line}" for line in sorted(lines)]
        if len(places) < len(leaves):
            places.append("the missing value, which has no line")
        return f"'{label}' for one: compare {' and '.join(places)} of '{self.path}'"

    def _make_contradiction_error(self, first: int, second: int) -> HierarchyError:
        lines = find_line_numbers(self.path, [first, second])
        what = f"lines {lines[0]} and {lines[1]} have the same value but different parents"
        return make_file_error(self.path, what, "Keep one of them.")


def _suggest_header(levels: Sequence[Level]) -> str:
    roots = levels[-1] if levels else None
    alone = roots is not None and bool((roots.codes[1:] != roots.codes[0]).all())
    return "line 1 alone ends in its label: if it is a header, remove it" if alone else ""


# Write a hierarchy as a file that can be edited and used again.


SEPARATOR = ";"
SPECIAL = frozenset(';,\t"\r\n\ufeff')


def save(hierarchy: Hierarchy, path: Path | str) -> None:
    """Write a hierarchy as lines ``value;level 1;...;top``, to edit and to read by `File`.

    **The file is private**: it holds every distinct value of the data. Only its owner can read it
    (mode 0600); keep it with the data, not with the release.

    Leaves that are not in the data are not written, since a hierarchy does not keep their names:
    edit the original file instead, or see `complete`. The missing value is written as an empty
    field.
    """
    columns = [
        [labels[code] for code in codes.tolist()]
        for codes, labels in zip(hierarchy.maps, hierarchy.labels, strict=True)
    ]
    write_lines(Path(path), zip(*columns, strict=True))


def complete(file: File, values: Sequence[str | None], path: Path | str) -> int:
    """Copy a hierarchy file and add a line for each value of the data that it lacks.

    An added value is the root at every level, which is safe but coarse: edit its line to keep more
    detail. Returns the number of lines added. **The copy is private**, as in `save`.
    """
    _, leaves, levels = file.read()
    known = set(leaves)
    absent = [value for value in values if value is not None and (value or None) not in known]
    top = levels[-1].labels if levels else ()
    root = top[0] if len(top) == 1 and top[0] is not None else "*"
    codes = [level.codes.tolist() for level in levels]
    lines: list[Sequence[str | None]] = [
        (leaf, *(level.labels[code[row]] for level, code in zip(levels, codes, strict=True)))
        for row, leaf in enumerate(leaves)
    ]
    if len(top) != 1:
        lines = [(*line, root) for line in lines]
    lines.extend((value, *(root,) * (len(lines[0]) - 1)) for value in absent)
    write_lines(Path(path), lines)
    return len(absent)


def write_lines(path: Path, lines: Iterable[Sequence[str | None]]) -> None:
    """Write lines to a new file that only its owner can read; a failed write leaves no file."""
    text = "".join(SEPARATOR.join(map(_quote_field, line)) + "\n" for line in lines)
    try:
        with open_hidden_file(path, path.suffix, 0o600) as hidden:
            hidden.write_text(text, encoding="utf-8", newline="")
    except (OSError, WriteError) as error:
        why = error.what if isinstance(error, WriteError) else os.strerror(error.errno or 0)
        reason = f"it cannot be written ({why})"
        fix = "Check the folder, your permission and the space left."
        raise make_file_error(path, reason, fix) from None


def _quote_field(text: str | None) -> str:
    if text is None:
        return ""
    if SPECIAL.isdisjoint(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def make_file_error(path: object, what: str, fix: str) -> HierarchyError:
    """The error for a hierarchy file that cannot be read or written, or that has a wrong line."""
    return HierarchyError(f"hierarchy file '{path}'", what, fix)
