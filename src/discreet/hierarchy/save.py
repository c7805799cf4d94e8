"""Write a hierarchy as a file that can be edited and used again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from discreet.errors import HierarchyFileError, WriteError
from discreet.hierarchy.file import File
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.table.atomic import appearing

SEPARATOR = ";"
SPECIAL = frozenset(';,\t"\r\n\ufeff')


def save(hierarchy: Hierarchy, path: Path | str) -> None:
    """Write a hierarchy as lines ``value;level 1;...;top``, to be edited and read by `File`.

    **The file is private**: it holds every different value of the data. It can be read by its
    owner only (mode 0600); keep it with the data, not with the release.

    Leaves that the data does not hold are not written, since a hierarchy does not keep their
    names: edit the file that it came from instead, or see `complete`. The missing value is written
    as an empty field.
    """
    columns = [
        [labels[code] for code in codes.tolist()]
        for codes, labels in zip(hierarchy.maps, hierarchy.labels, strict=True)
    ]
    write_lines(Path(path), zip(*columns, strict=True))


def complete(file: File, values: Sequence[str | None], path: Path | str) -> int:
    """Copy a hierarchy file, with a line added for each value of the data that it lacks.

    An added value goes straight to the root at every level, which is safe and coarse: edit its
    line to say more. Returns the number of lines added. **The copy is private**, as in `save`.
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
    """Write lines of fields to a new file that only its owner can read, whole or not at all."""
    text = "".join(SEPARATOR.join(map(_field, line)) + "\n" for line in lines)
    try:
        with appearing(path, path.suffix, 0o600) as hidden:
            hidden.write_text(text, encoding="utf-8", newline="")
    except (OSError, WriteError) as error:
        why = error.what if isinstance(error, WriteError) else os.strerror(error.errno or 0)
        reason = f"it cannot be written ({why})"
        fix = "Check the folder, your permission and the space left."
        raise HierarchyFileError(path, reason, fix) from None


def _field(text: str | None) -> str:
    if text is None:
        return ""
    if SPECIAL.isdisjoint(text):
        return text
    return '"' + text.replace('"', '""') + '"'
