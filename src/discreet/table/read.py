"""From a file or a frame to a Table."""

from __future__ import annotations

import difflib
import io
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from discreet.errors import SourceError
from discreet.input_file import refuse_address
from discreet.table.header import settle_names
from discreet.table.stream import hold_input
from discreet.table.table import Table

TEXT = (".csv", ".tsv", ".txt", ".tab", ".data")
JSON_LINES = (".jsonl", ".ndjson")
PACKED = (".gz", ".zst", ".bz2", ".zip")
PARQUET = (".parquet", ".pq")
ARROW = (".feather", ".arrow", ".ipc")
EXCEL = (".xlsx", ".xlsm")
SQLITE = (".sqlite", ".sqlite3", ".db")
DUCKDB = (".duckdb", ".ddb")
STATA, SPSS = (".dta",), (".sav", ".zsav")
WRITTEN = (
    *TEXT, *JSON_LINES, *PARQUET, *ARROW, ".xlsx", *SQLITE, *DUCKDB, *STATA, ".sav",
)  # fmt: skip
"""Endings of files that can be written."""
KNOWN = (".csv", ".tsv", ".txt", ".jsonl", ".parquet", ".feather", ".arrow", ".xlsx", ".sqlite",
         ".db", ".duckdb", ".dta", ".sav")  # fmt: skip
PACKABLE = "; .csv, .tsv, .txt and .jsonl also with .gz, .zst, .bz2 or .zip after them"
WAYS_OUT = {
    ".json": "Save it as JSON Lines, one object per line, with the ending .jsonl.",
    ".xls": "Save it anew from Excel as .xlsx.",
    ".ods": "Save it as .xlsx or .csv.",
    ".sas7bdat": "Save it as .csv or .parquet.",
    ".rds": "Save it as .csv or .parquet, in R with write.csv.",
    ".7z": "Unpack it first.",
    ".tar": "Unpack it first.",
    ".tgz": "Unpack it first.",
    ".xz": "Unpack it first.",
}
"""What to do with files that are common and not read."""


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
    database. A folder of Parquet files is one table, and so are those that a pattern such as
    ``data/*.parquet`` fits. If the first line of a CSV file or sheet
    looks like a row, columns are called column 1, column 2 and so on, unless `header` is true:
    then it holds names. A binary file that is open, such as `io.BytesIO`, is held in memory.

    >>> import pyarrow as pa
    >>> read(pa.table({"zip": ["02138"]})).columns
    ('zip',)
    """
    from discreet.table.files import formats  # DuckDB: a policy and scrubbed text do without

    if isinstance(source, io.IOBase):
        source = hold_input(source)  # type: ignore[arg-type]
    if not isinstance(source, str | os.PathLike):
        return formats.open_frame(source)
    refuse_address(source)
    path = source if isinstance(source, Path) else Path(source)  # one in memory stays one
    if path.is_dir():
        return formats.open_parquet_folder(path.absolute())
    if formats.is_pattern(path):
        return formats.open_parquet_pattern(path.absolute())
    _check_file(path)
    path = path.absolute()
    ending = find_ending(path)
    if ending == ".zip":
        ending = Path(formats.find_only_name(path)).suffix.lower()
        if ending not in TEXT + JSON_LINES:
            what = f"the archive holds a file with the ending {ending!r}"
            raise SourceError(path.name, what, "CSV and JSON Lines are unpacked; unpack others.")
    if ending in TEXT + JSON_LINES + PARQUET + ARROW + DUCKDB:
        _check_utf8(path)
    if ending in TEXT:
        return formats.open_csv(path, separator, quote, encoding, header)
    if ending in JSON_LINES:
        return formats.open_json_lines(path, encoding)
    if ending in PARQUET:
        return formats.open_parquet(path)
    if ending in ARROW:
        return formats.open_arrow(path)
    if ending in EXCEL:
        return formats.open_excel(path, sheet, header)
    if ending in DUCKDB or (ending in SQLITE and formats.is_duckdb(path)):
        return formats.open_duckdb(path, sheet)
    if ending in SQLITE:
        return formats.open_sqlite(path, sheet)
    if ending in STATA + SPSS:
        return formats.open_statistics(path, encoding)
    raise SourceError(path.name, *explain_ending(path))


def explain_ending(path: Path) -> tuple[str, str]:
    """What is wrong with the ending of a file that is not read, and what to do."""
    ending = path.suffix
    what = f"the ending {ending!r} is not known" if ending else "the name has no ending"
    return what, WAYS_OUT.get(ending.lower(), f"Known are {', '.join(KNOWN)}{PACKABLE}.")


def open_table(source: Any, names: Iterable[str] = ()) -> Table:
    """A Table as it is, or whatever else :func:`read` takes, opened.

    A first line in doubt that has all of ``names`` holds names.
    """
    return settle_names(source if isinstance(source, Table) else read(source), names)


def find_ending(path: Path) -> str:
    """The ending that decides how a file is read or written, without the packing of a text."""
    ending = path.suffix.lower()
    if ending in PACKED:
        inner = Path(path.stem).suffix.lower()
        return inner if inner in TEXT + JSON_LINES else ending
    return ending


def _check_file(path: Path) -> None:
    name = str(path)
    try:
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
