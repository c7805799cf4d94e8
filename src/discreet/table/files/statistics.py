"""Stata (.dta) and SPSS (.sav) files: codes with their labels, missing codes as missing."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass, format_count
from discreet.errors import DiscreetError, InternalError, MissingExtraError, SourceError, WriteError
from discreet.input_file import MEGABYTE, RAISED, read_raised_limit
from discreet.table.files.arrow import scan_arrow
from discreet.table.files.frames import FrameSource
from discreet.table.files.parquet import make_unreadable
from discreet.table.files.text import EncodingError
from discreet.table.table import Table, check_names

MOST = 1_000
"""Megabytes that the cells of a file may take: it is held in memory."""
CELLS = 4_000_000
"""Cells that are read at a time, as Python objects."""
STATA_DAY, SPSS_DAY = dt.date(1960, 1, 1), dt.date(1582, 10, 14)
"""The day from which each of the two counts."""
UNIX = dt.date(1970, 1, 1)
SPSS_DATES = ("DATE", "ADATE", "EDATE", "SDATE", "JDATE")
SPSS_TIMES = ("DATETIME", "YMDHMS")
STATA_PERIODS = re.compile(r"%-?t[Cwmqhyb]")
EXACT, DAY = 1 << 53, 86_400
MOST_DAYS = 4_000_000
"""Some 10,000 years, the end of any calendar."""
NAMED = 10
"""Columns that a notice names."""


@dataclass(frozen=True)
class _Said:
    """What must be said of the columns of a file: names, and counts of missing codes."""

    labelled: list[str]
    coded: list[str]
    missing: dict[str, int]
    periods: list[str]

    def list_notices(self, name: str) -> tuple[str, ...]:
        notices = []
        if self.labelled:
            notices.append(
                f"{name}: value labels are read instead of codes in {_name(self.labelled)}."
            )
        if self.coded:
            notices.append(
                f"{name}: codes are read as they are in {_name(self.coded)}, since not every code "
                "has a label of its own."
            )
        if self.missing:
            cells = format_count(sum(self.missing.values()), "cell")
            notices.append(
                f"{name}: {cells} with a code for a missing value "
                f"{'is' if sum(self.missing.values()) == 1 else 'are'} read as missing, in "
                f"{_name(list(self.missing))}."
            )
        if self.periods:
            notices.append(
                f"{name}: weeks, months or other periods are read as their numbers in "
                f"{_name(self.periods)}."
            )
        return tuple(notices)


def open_statistics(path: Path, encoding: str | None) -> Table:
    """A Stata or SPSS file as a Table, held in memory.

    A column is read as its value labels where every code that occurs has a label of its own, and
    as codes elsewhere. What the file declares as missing is missing. The notices say both.
    """
    meta, rows = _read_all(path, encoding)
    check_names(path.name, meta.column_names)
    said = _Said([], [], {}, [])
    arrays = [_make_column(name, rows[name], meta, said) for name in meta.column_names]
    table = pa.table(arrays, names=list(meta.column_names))
    source = FrameSource(table, path.name)
    return Table(
        path.name, tuple(meta.column_names), source, path, notices=said.list_notices(path.name)
    )


def _load_library(name: str) -> Any:
    """A library that only these files need, and that is not part of a plain installation."""
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtraError("A Stata or SPSS file", "stats") from None


def _read_all(path: Path, encoding: str | None) -> tuple[Any, dict[str, list[Any]]]:
    """All cells as the file stores them: dates as numbers, missing codes as such."""
    library = _load_library("pyreadstat")
    read = library.read_dta if path.suffix.lower() == ".dta" else library.read_sav
    more: dict[str, Any] = {"disable_datetime_conversion": True, "user_missing": True}
    if encoding is not None:
        more["encoding"] = encoding
    meta = _call(read, path, encoding, metadataonly=True, output_format="dict", **more)[1]
    names = list(meta.column_names)
    if not names:
        check_names(path.name, names)
    _check_size(path, meta)
    rows: dict[str, list[Any]] = {name: [] for name in names}
    step, start = max(1_000, CELLS // len(names)), 0
    while True:
        part, _ = _call(
            read, path, encoding, output_format="dict", row_limit=step, row_offset=start, **more
        )
        found = len(part[names[0]]) if part else 0
        for name in names if found else ():
            rows[name] += part[name]
        start += found
        if found < step:
            break
    if meta.number_rows not in (None, -1, start):
        raise make_unreadable(path, "a whole file of this kind")
    return meta, rows


def _call(read: Callable[..., Any], path: Path, encoding: str | None, **more: Any) -> Any:
    """Call the library; its messages are dropped, since they may quote what it read."""
    error: DiscreetError
    try:
        return read(str(path), **more)
    except UnicodeDecodeError:
        error = EncodingError(path.name, encoding or "utf-8", None, False)
    except MemoryError:
        raise
    except Exception as failure:  # noqa: BLE001 - the library raises many kinds
        kind = "a Stata file" if path.suffix.lower() == ".dta" else "an SPSS file"
        error = make_unreadable(path, kind)
        if "conver" in str(failure).lower() or "encoding" in str(failure).lower():
            error = EncodingError(path.name, encoding or "utf-8", None, False)
    raise error


def _check_size(path: Path, meta: Any) -> None:
    widths = (meta.variable_storage_width.get(name, 8) for name in meta.column_names)
    size = max(meta.number_rows or 0, 0) * sum(widths)
    most = max(MOST, read_raised_limit())
    if size > most * MEGABYTE:
        what = f"its cells take {size // MEGABYTE:,} MB, and at most {most:,} MB are held in memory"
        fix = (
            f"Save it as Parquet or CSV, or allow more megabytes with {RAISED} in the environment."
        )
        raise SourceError(path.name, what, fix)


def _make_column(name: str, cells: list[Any], meta: Any, said: _Said) -> pa.Array:
    cells, dropped = _drop_missing_codes(name, cells, meta)
    if dropped:
        said.missing[name] = dropped
    labels = meta.variable_value_labels.get(name, {})
    if labels:
        found = {cell for cell in cells if cell not in (None, "")}
        texts = [labels.get(code) for code in found]
        if found and all(texts) and len(set(texts)) == len(texts):
            said.labelled.append(name)
            return pa.array([labels.get(cell) for cell in cells], pa.string())
        if found:
            said.coded.append(name)
    kind = meta.readstat_variable_types.get(name, "")
    if kind == "string" or any(isinstance(cell, str) for cell in cells):
        return pa.array([cell if cell is None else str(cell) for cell in cells], pa.string())
    numbers = pa.array(cells, pa.float32() if kind == "float" else pa.float64())
    form = str(meta.original_variable_types.get(name, ""))
    if STATA_PERIODS.match(form):
        said.periods.append(name)
    return _make_dates(numbers, form) or _make_numbers(numbers)


def _drop_missing_codes(name: str, cells: list[Any], meta: Any) -> tuple[list[Any], int]:
    """The cells without what the file declares as missing, and how many these were."""
    ranges = meta.missing_ranges.get(name, ())
    is_number = meta.readstat_variable_types.get(name) != "string"
    letters = is_number and any(isinstance(cell, str) for cell in cells)  # .a to .z of Stata
    if not ranges and not letters:
        return cells, 0

    def is_code(cell: Any) -> bool:
        if cell is None:
            return False
        if is_number and isinstance(cell, str):
            return True
        return any(
            one["lo"] <= cell <= one["hi"]
            for one in ranges
            if isinstance(one["lo"], str) == isinstance(cell, str)
        )

    kept = [None if is_code(cell) else cell for cell in cells]
    before = sum(cell is not None for cell in cells)
    return kept, before - sum(cell is not None for cell in kept)


def _make_numbers(numbers: pa.Array) -> pa.Array:
    """Whole numbers as such: both programs store most numbers as doubles."""
    values = numbers.drop_null().to_numpy(zero_copy_only=False).astype(np.float64)
    if len(values) and np.all(values == np.floor(values)) and np.all(np.abs(values) < 2.0**63):
        return pc.cast(pc.cast(numbers, pa.float64()), pa.int64())
    return numbers


def _make_dates(numbers: pa.Array, form: str) -> pa.Array | None:
    """Dates and times of the formats that mean them; None where the column holds plain numbers."""
    values = pc.cast(numbers, pa.float64())
    stata = re.match(r"%-?(td|tc|d)", form)
    letters = re.match(r"[A-Z]*", form)
    kind = stata[1] if stata else letters[0] if letters else ""
    if kind in ("td", "d"):
        return _count_days(values, STATA_DAY)
    if kind == "tc":
        return _count_seconds(pc.divide(values, 1000.0), STATA_DAY)
    if kind in SPSS_DATES:
        days = _count_days(pc.divide(values, float(DAY)), SPSS_DAY)
        return _count_seconds(values, SPSS_DAY) if days is None else days
    return _count_seconds(values, SPSS_DAY) if kind in SPSS_TIMES else None


def _count_days(days: pa.Array, first: dt.date) -> pa.Array | None:
    found = _round_all(days, 1)
    if found is None:
        return None
    whole = pc.add(found, (first - UNIX).days)
    return pc.cast(pc.cast(whole, pa.int32()), pa.date32())


def _count_seconds(seconds: pa.Array, first: dt.date) -> pa.Array | None:
    found = _round_all(seconds, 1_000_000)
    if found is None:
        return None
    return pc.cast(pc.add(found, (first - UNIX).days * DAY * 1_000_000), pa.timestamp("us"))


def _round_all(values: pa.Array, unit: int) -> pa.Array | None:
    """Values in a unit as whole numbers; None if days are not whole, or in no calendar."""
    scaled = pc.multiply(values, float(unit))
    plain = scaled.drop_null().to_numpy(zero_copy_only=False)
    most = MOST_DAYS * (1 if unit == 1 else DAY * unit)
    if len(plain) and np.abs(plain).max() > most:
        return None
    if unit == 1 and np.any(plain != np.floor(plain)):
        return None
    return pc.cast(pc.round(scaled), pa.int64())


def _name(columns: Sequence[str]) -> str:
    more = f" and {len(columns) - NAMED:,} more" if len(columns) > NAMED else ""
    plural = "column" if len(columns) == 1 else "columns"
    return f"{plural} {', '.join(columns[:NAMED])}{more}"


# Stata and SPSS files, written.


STATA_NAME = re.compile(r"[^\W\d]\w{0,31}")
SPSS_NAME = re.compile(r"[^\W\d_][\w.@#$]*")
STATA_TIME = re.compile(rb".{,4000}?<timestamp>.(\d\d \w{3} \d{4} \d\d:\d\d)<", re.DOTALL)
SPSS_TIME = re.compile(rb"[$]FL2.{88}([ \d]\d \w{3} \d\d\d\d:\d\d:\d\d)", re.DOTALL)
"""Where each kind of file says when it was written."""
STATA_LONG, STATA_TEXT, SPSS_TEXT = 2_147_483_620, 2_045, 32_767
"""The largest whole number of Stata, and the longest texts of both, in bytes."""


@dataclass(frozen=True)
class StatisticsSink:
    """A Stata or SPSS file: numbers, dates and texts; what neither has a type for is text."""

    stata: bool

    def select(self, types: Sequence[pa.DataType]) -> list[str]:
        return [f"c{number}" for number in range(len(types))]

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        library, polars = _load_library("pyreadstat"), _load_library("polars")
        _check_names(names, self.stata)
        rows = batches.read_all()
        columns = {
            name: self._store(name, column.combine_chunks())
            for name, column in zip(names, rows.columns, strict=True)
        }
        frame = polars.from_arrow(pa.table(columns))
        write = library.write_dta if self.stata else library.write_sav
        write(frame, str(path))
        self._hide_time(file)

    def _store(self, name: str, column: pa.Array) -> pa.Array:
        kind = column.type
        if pa.types.is_date(kind):
            return column
        if pa.types.is_integer(kind) and _fits(column, STATA_LONG):
            return column.cast(pa.int32())
        if pa.types.is_integer(kind) and kind != pa.uint64() and _fits(column, EXACT):
            return column.cast(pa.float64())
        if pa.types.is_floating(kind) and pc.all(pc.is_finite(column)).as_py() in (None, True):
            return column.cast(pa.float64())
        text = column if pa.types.is_string(kind) else _write_text(column)
        longest = pc.max(pc.binary_length(text)).as_py() or 0
        most = STATA_TEXT if self.stata else SPSS_TEXT
        if longest > most:
            program = "Stata" if self.stata else "SPSS"
            what = f"column '{name}' has a text of {longest:,} bytes; {program} holds {most:,}"
            raise WriteError(f"the {program} release", what, "Write CSV or Parquet.")
        return text

    def _hide_time(self, file: BinaryIO) -> None:
        """Put a fixed time where the file says when it was written: same rows, same bytes."""
        file.seek(0)
        found = (STATA_TIME if self.stata else SPSS_TIME).match(file.read(4096))
        if found is None:
            raise InternalError("the time in a Stata or SPSS file is not where it was")
        file.seek(found.start(1))
        file.write(b"01 Jan 1980 00:00" if self.stata else b"01 Jan 8000:00:00")


def _fits(column: pa.Array, most: int) -> bool:
    least, largest = pc.min_max(column).as_py().values()
    return least is None or (-most <= least and largest <= most)


def _write_text(column: pa.Array) -> pa.Array:
    table = pa.table({"c0": column})
    reader = scan_arrow(table.to_reader(), [0], [], 65_536, "the release")
    return pa.chunked_array(reader.read_all().column(0).chunks, pa.string()).combine_chunks()


def _check_names(names: Sequence[str], stata: bool) -> None:
    """Stop at names of columns that the program could not open."""
    program = "Stata" if stata else "SPSS"
    seen: dict[str, str] = {}
    for name in names:
        fits = STATA_NAME.fullmatch(name) if stata else SPSS_NAME.fullmatch(name)
        if not fits or len(name.encode()) > (128 if stata else 64):
            what = f"{program} does not take '{name}' for the name of a column"
            fix = "Rename it to letters, digits and _, or write CSV or Parquet."
            raise WriteError(f"the {program} release", what, fix)
        first = seen.setdefault(name if stata else name.casefold(), name)
        if first != name:
            what = f"{program} takes the columns '{first}' and '{name}' for the same"
            raise WriteError(f"the {program} release", what, "Write CSV or Parquet.")
