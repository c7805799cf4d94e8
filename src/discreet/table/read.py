"""From a file or a frame to a Table."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from discreet.errors import SourceError
from discreet.input_file import refuse_address
from discreet.table.header import settle_names
from discreet.table.table import Table

TEXT = (".csv", ".tsv", ".txt", ".tab", ".data")
PACKED = (".gz", ".zst")
PARQUET = (".parquet", ".pq")
ARROW = (".feather", ".arrow", ".ipc")
EXCEL = (".xlsx", ".xlsm")
SQLITE = (".sqlite", ".sqlite3", ".db")
KNOWN = (".csv", ".tsv", ".txt", ".csv.gz", ".csv.zst", ".parquet", ".feather", ".arrow", ".xlsx",
         ".sqlite", ".db")  # fmt: skip


def read(
    source: Any,
    *,
    separator: str | None = None,
    quote: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    header: bool | None = None,
) -> Table:
    """Your table, ready for use: a file by its extension, or a pandas, polars or Arrow frame.

    Nothing is typed in a way that changes a value. What is not given is found from the file:
    `separator`, `quote` and `encoding` of a CSV file, the only `sheet` of a workbook or table of a
    database. If the first line of a CSV file or sheet looks like a row, columns are
    called column 1, column 2 and so on, unless `header` is true: then it holds names.

    >>> import pyarrow as pa
    >>> read(pa.table({"zip": ["02138"]})).columns
    ('zip',)
    """
    from discreet.table.files import formats  # DuckDB: a policy and scrubbed text do without

    if not isinstance(source, str | os.PathLike):
        return formats.open_frame(source)
    refuse_address(source)
    path = Path(source)
    _check_file(path)
    ending = find_ending(path)
    if ending in TEXT + PARQUET + ARROW:
        _check_utf8(path.absolute())
    if ending in TEXT:
        return formats.open_csv(path.absolute(), separator, quote, encoding, header)
    if ending in PARQUET:
        return formats.open_parquet(path.absolute())
    if ending in ARROW:
        return formats.open_arrow(path.absolute())
    if ending in EXCEL:
        return formats.open_excel(path.absolute(), sheet, header)
    if ending in SQLITE:
        return formats.open_sqlite(path.absolute(), sheet)
    ending = path.suffix
    what = f"the ending {ending!r} is not known" if ending else "the name has no ending"
    raise SourceError(path.name, what, f"Known are {', '.join(KNOWN)}.")


def open_table(source: Any, names: Iterable[str] = ()) -> Table:
    """A Table as it is, or whatever else :func:`read` takes, opened.

    A first line in doubt that has all of ``names`` holds names.
    """
    return settle_names(source if isinstance(source, Table) else read(source), names)


def find_ending(path: Path) -> str:
    """The ending that decides how a file is read or written, without the packing of a CSV."""
    ending = path.suffix.lower()
    if ending in PACKED:
        inner = Path(path.stem).suffix.lower()
        return inner if inner in TEXT else ending
    return ending


def _check_file(path: Path) -> None:
    name = str(path)
    try:
        if path.is_dir():
            raise SourceError(name, "this is a folder, not a file", "Name a file in it.")
        if not path.exists():
            near = " or ".join(map(repr, _find_near_names(path)))
            guess = f"Did you mean {near}? " if near else ""
            fix = f"{guess}Looked in {path.absolute().parent}."
            raise SourceError(name, "there is no such file", fix)
        if not path.is_file():
            raise SourceError(
                name,
                "this is not a regular file, and a table is read more than once",
                "Save the data as a file first.",
            )
        with path.open("rb"):
            pass
    except PermissionError:
        raise SourceError(
            name, "there is no permission to read it", "Ask its owner, or copy it to your folder."
        ) from None
    except (OSError, ValueError):
        raise SourceError(name, "the file cannot be opened", "Look at its name and disk.") from None


def _check_utf8(path: Path) -> None:
    """Stop at a name that the engines, which take UTF-8, would not find."""
    raw = os.fsencode(path)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        name = raw.decode("utf-8", errors="replace")
        fix = "Rename the file or folder, or copy the file to another one."
        raise SourceError(name, "this name is not UTF-8 text", fix) from None


def _find_near_names(path: Path) -> list[str]:
    try:
        names = [entry.name for entry in os.scandir(path.absolute().parent) if entry.is_file()]
    except OSError:
        return []
    return difflib.get_close_matches(path.name, names, n=2, cutoff=0.6)
