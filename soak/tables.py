"""Synthetic private tables with values that break naive programs.

No value is random text alone: each column has few different values, so that rows are alike often
enough for a release to be more than a list of ``*``.
"""

from __future__ import annotations

import csv
import gzip
import io
import sqlite3
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
import pyarrow as pa
from pyarrow import feather, parquet

Cell = str | None
Cells = Mapping[str, Sequence[Cell]]

NASTY = (
    *("NULL", "null", "None", "NaN", "nan", "NA", "N/A", "?", "-", "*", "**", "***", "missing"),
    *("true", "FALSE", "inf", "-inf", "0", "00", "-0", "0.0", "1e5", "1E5", "100000", "+7", "7"),
    *("a", "A", "á", "a ", " a", "a\u00a0", "caf\u00e9", "cafe\u0301", "ß", "SS", "ss", "ﬁ", "fi"),
    *("x,y", "x;y", "x\ty", "x|y", 'x"y', '"', "'", "''", "x'y", "\\", "\\n", "x\ny", "x\r\ny"),
    *("=1+1", "@cmd", "+cmd", "-1+1", "#REF!", "%s", "{}", "{0}", "$1", "<b>", "&amp;", "--", "/*"),
    *("😀", "👩\u200d👧", "日本", "ا", "\u202eabc", "\u200b", "\ufeffx", "I", "ı", "İ", "i"),
    *("20-24", "20 to <25", "0-9", "<5", ">=5", "Q3", "1999", "1999-Q1", "Monday", "group 1"),
    *("0213*", "021**", "SELECT", "value", "n", "id", "c0", "rowid", "_", "'; DROP TABLE t; --"),
    "x" * 300,
)
"""Values that mean something to some program on the way."""

WORDS = ("flu", "gout", "asthma", "cough", "rash", "Fever", "fever", "no", "yes", "null", "*", "0")
NAMES = ("Ann Marker", "Abe Marker", "Zoë Marker", "O'Hara Marker", "Marker, Jr.", "李 Marker")
MARK = "UNNAMED-MARKER"
"""What stands in a column that no policy names, and must not come out."""

COLUMN_NAMES = (
    *("age", "zip", "birth", "sex", "place", "Größe", "two words", "a,b", 'q"uote', "select", "n"),
    *("c0", "value", "SEX", "x;y", "order", "group", "size", "members", "rows", "level", "key"),
)
DATE_FORMATS = (
    *("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%Y%m%d", "%m/%d/%Y", "%d %b %Y", "%Y-%m", "%Y"),
    *("%d/%m/%y", "%b %d, %Y", "%Y-%m-%d %H:%M"),
)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
FORMATS = (".csv", ".tsv", ".txt", ".csv.gz", ".csv.zst", ".parquet", ".feather", ".arrow")
FORMATS_ALL = (*FORMATS, ".xlsx", ".sqlite", ".db")


@dataclass(frozen=True, eq=False)
class Column:
    """The cells of a column, what kind of values they are, and the values there may be."""

    kind: str
    cells: list[Cell]
    domain: list[Cell]
    settings: dict[str, Any] = field(default_factory=dict)


def pick_column(random: Random, kind: str, rows: int, gaps: float) -> Column:
    """A column of one kind: few different values, some more frequent, some cells missing."""
    size = random.choice((1, 2, 3, 3, 4, 5, 6, 8, 12))
    domain, settings = _DOMAINS[kind](random, size)
    weights = [1 / (1 + place) if random.random() < 0.6 else 1.0 for place in range(len(domain))]
    cells: list[Cell] = list(random.choices(domain, weights, k=rows))
    cells = [None if random.random() < gaps else cell for cell in cells]
    if gaps:
        domain = [*domain, None]
    return Column(kind, cells, domain, settings)


def _numbers(random: Random, size: int) -> tuple[list[Cell], dict[str, Any]]:
    low = random.choice((0, 0, 17, -20, 10**6, -(10**12)))
    width = random.choice((6, 20, 60))
    numbers = [random.randint(low, low + width) for _ in range(size)]
    style = random.choice(("plain", "plain", "plain", "zeros", "mixed", "decimal"))
    if style == "zeros":
        texts = [f"{n:05d}" for n in numbers]
    elif style == "decimal":
        texts = [f"{n}.{random.choice(('5', '25', '0', '50'))}" for n in numbers]
    elif style == "mixed":
        ways = ("{}", "{:+}", "{}.0", "{:04d}", "{}e0", " {}", "{}.")
        texts = [random.choice(ways).format(n) for n in numbers]
    else:
        texts = [str(n) for n in numbers]
    return _different(texts), {"style": style}


def _codes(random: Random, size: int) -> tuple[list[Cell], dict[str, Any]]:
    stems = random.choice(
        (("0213", "0214", "1000"), ("AB", "ÄB"), ("0*", "00"), ("e\u0301x", "éx"))
    )
    texts = [random.choice(stems) + random.choice("0123*") for _ in range(size)]
    if random.random() < 0.2:
        texts.append(random.choice(("0", "02", "", "021389999"))[:9])
    return _different([text or "0" for text in texts]), {}


def _dates(random: Random, size: int) -> tuple[list[Cell], dict[str, Any]]:
    form = random.choice(DATE_FORMATS)
    if "%y" in form:
        first, days = date(1950, 1, 1), 365 * 40
    else:
        first, days = random.choice(
            (
                (date(1950, 1, 1), 365 * 40),
                (date(1964, 12, 1), 70),
                (date(1, 1, 1), 800),
                (date(88, 1, 1), 365 * 30),
                (date(9990, 1, 1), 3600),
                (date(1890, 1, 1), 365 * 130),
            )
        )
    found = [min(first + timedelta(random.randint(0, days)), date.max) for _ in range(size)]
    texts = [write_date(form, day) for day in found]
    return _different(texts), {"format": form}


def write_date(form: str, day: date) -> str:
    """A date as a format says; ``strftime`` does not pad years below 1000 everywhere."""
    parts = {
        "%Y": f"{day.year:04}",
        "%m": f"{day.month:02}",
        "%d": f"{day.day:02}",
        "%y": f"{day.year % 100:02}",
        "%b": MONTHS[day.month - 1],
        "%H": f"{day.day % 24:02}",
        "%M": f"{day.month * 4:02}",
    }
    for directive, text in parts.items():
        form = form.replace(directive, text)
    return form


def _open_ended(random: Random, size: int) -> tuple[list[Cell], dict[str, Any]]:
    """Numbers with open ends, ranges and words among them."""
    texts = [str(random.randint(0, 70)) for _ in range(size)]
    for _ in range(random.choice((1, 2, 3))):
        number = random.choice((5, 20, 40, 41, 65, 70))
        wide = random.choice((4, 9, 10, 19))
        ways = (
            *("{n}+", "{n} and over", ">={n}", ">{n}", "over {n}", "<{n}", "under {n}", "<={n}"),
            *("{n}-{m}", "{n} to {m}", "n/k", "old", "Q3"),
        )
        texts.append(random.choice(ways).format(n=number, m=number + wide))
    if random.random() < 0.2:
        texts.append(f"{random.randint(0, 70)}.5")
    return _different(texts), {}


def _suffixed(random: Random, size: int) -> tuple[list[Cell], dict[str, Any]]:
    """Codes of five digits, some with a suffix, and what is no code."""
    codes = ["02138", "02139", "02141", "10001", "10002"]
    texts = [random.choice(codes) for _ in range(size)]
    texts += [f"{random.choice(codes)}{random.choice(('-1234', '9876', ' x'))}"]
    texts += random.sample(("2138", "nowhere", "0213", "x", "Springfield"), random.randint(0, 2))
    return _different(texts), {}


def _mixed_dates(random: Random, size: int) -> tuple[list[Cell], dict[str, Any]]:
    """Dates of two programs and some that tell the year only."""
    texts = []
    for _ in range(size + 1):
        day = date(1960, 1, 1) + timedelta(random.randint(0, 365 * 8))
        texts.append(write_date(random.choice(("%Y-%m-%d", "%d %b %Y", "%Y-%m", "%Y")), day))
    texts += random.sample(("unknown", "0000-00-00", "soon"), random.randint(0, 2))
    return _different(texts), {}


def _words(random: Random, size: int) -> tuple[list[Cell], dict[str, Any]]:
    return _different(random.sample(WORDS, min(size, len(WORDS)))), {}


def _nasty(random: Random, size: int) -> tuple[list[Cell], dict[str, Any]]:
    texts = random.sample(NASTY, size)
    if random.random() < 0.2:
        form = random.choice(("NFC", "NFD"))
        texts = [unicodedata.normalize(form, text) for text in texts]
    return _different(texts), {}


def _amounts(random: Random, size: int) -> tuple[list[Cell], dict[str, Any]]:
    del size
    return _different([str(random.randint(0, 500)) for _ in range(40)]), {}


def _different(texts: Sequence[str]) -> list[Cell]:
    return list(dict.fromkeys(texts))


_DOMAINS = {
    "number": _numbers,
    "code": _codes,
    "date": _dates,
    "word": _words,
    "nasty": _nasty,
    "amount": _amounts,
    "open": _open_ended,
    "suffix": _suffixed,
    "mixed": _mixed_dates,
}
QUASI_KINDS = ("number", "number", "code", "date", "word", "nasty", "open", "suffix", "mixed")
ODD_KINDS = ("open", "suffix", "mixed")
"""Kinds of columns in which values do not all fit the hierarchy alike."""
MISSING_WORDS = ("NA", "?", "NULL", "null", "missing", "n/k", "unknown", "0", "flu")
"""Words that some policies take for missing."""


# Files


@dataclass(frozen=True)
class Dialect:
    """How a CSV file is written."""

    separator: str = ","
    line_end: str = "\r\n"
    encoding: str = "utf-8"


def pick_dialect(random: Random, path: Path, text: str) -> Dialect:
    """A way to write a CSV file; the encoding has every character of the text."""
    encodings = ["utf-8", "utf-8", "utf-8", "utf-8-sig"]
    if text.isascii() or text.encode("latin-1", "ignore").decode("latin-1") == text:
        encodings.append("latin-1")
    separator = "\t" if ".tsv" in path.name else random.choice((",", ",", ",", ";", "|", "\t"))
    return Dialect(separator, random.choice(("\r\n", "\n")), random.choice(encodings))


def write_table(
    path: Path, cells: Cells, dialect: Dialect = Dialect(), typed: Sequence[str] = ()
) -> None:
    """Write a table as its name says, with no code of the product; some columns as numbers."""
    kind = kind_of(path)
    if kind == "csv":
        raw = _csv_text(cells, dialect).encode(dialect.encoding)
        path.write_bytes(_compress(path, raw))
    elif kind == "xlsx":
        _write_workbook(path, cells, typed)
    elif kind == "sqlite":
        _write_database(path, cells, typed)
    else:
        table = pa.table({name: _array(column, name in typed) for name, column in cells.items()})
        if kind == "parquet":
            parquet.write_table(table, path)
        else:
            feather.write_feather(table, path)


def kind_of(path: Path) -> str:
    """The kind of file by the ending of its name."""
    name = path.name
    if any(ending in name for ending in (".csv", ".tsv", ".txt")):
        return "csv"
    if name.endswith(".xlsx"):
        return "xlsx"
    if name.endswith((".sqlite", ".db")):
        return "sqlite"
    return "parquet" if name.endswith(".parquet") else "arrow"


def _array(cells: Sequence[Cell], typed: bool) -> pa.Array:
    if not typed:
        return pa.array(cells, pa.string())
    return pa.array([None if cell is None else int(cell) for cell in cells], pa.int64())


def _csv_text(cells: Cells, dialect: Dialect) -> str:
    out = io.StringIO(newline="")
    # A row of one empty field would be a blank line, so such cells are quoted.
    quoting = csv.QUOTE_ALL if len(cells) == 1 else csv.QUOTE_MINIMAL
    writer = csv.writer(
        out, delimiter=dialect.separator, quoting=quoting, lineterminator=dialect.line_end
    )
    writer.writerow(cells)
    for row in zip(*cells.values(), strict=True):
        writer.writerow(["" if cell is None else cell for cell in row])
    return out.getvalue()


def _compress(path: Path, raw: bytes) -> bytes:
    if path.name.endswith(".gz"):
        return gzip.compress(raw)
    if path.name.endswith(".zst"):
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, "zstd") as stream:
            stream.write(raw)
        return sink.getvalue().to_pybytes()
    return raw


def _write_workbook(path: Path, cells: Cells, typed: Sequence[str]) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    for place, name in enumerate(cells, 1):
        _put_text(sheet.cell(1, place), name)
        for line, cell in enumerate(cells[name], 2):
            if cell is not None and name in typed:
                sheet.cell(line, place).value = int(cell)
            elif cell is not None:
                _put_text(sheet.cell(line, place), cell)
    book.save(path)


def _put_text(cell: Any, text: str) -> None:
    cell.value = text
    cell.data_type = "s"  # a text that looks like a formula is a text


def _write_database(path: Path, cells: Cells, typed: Sequence[str]) -> None:
    with sqlite3.connect(path) as connection:
        kinds = {name: "INTEGER" if name in typed else "TEXT" for name in cells}
        names = ", ".join('"' + n.replace('"', '""') + '" ' + kind for n, kind in kinds.items())
        connection.execute(f"CREATE TABLE people ({names})")
        marks = ", ".join("?" for _ in cells)
        rows = list(zip(*cells.values(), strict=True))
        connection.executemany(f"INSERT INTO people VALUES ({marks})", rows)
    connection.close()


def read_table(
    path: Path, separator: str = ",", encoding: str = "utf-8-sig"
) -> dict[str, list[Cell]]:
    """Read a written release with no code of the product; an empty text is a missing value."""
    kind = kind_of(path)
    if kind == "csv":
        return _read_csv(path, separator, encoding)
    if kind == "xlsx":
        rows = list(openpyxl.load_workbook(path).active.iter_rows(values_only=True))
        return _by_column([str(name) for name in rows[0]], rows[1:])
    if kind == "sqlite":
        connection = sqlite3.connect(path)
        (name,) = connection.execute("SELECT name FROM sqlite_master").fetchone()
        found = connection.execute(f'SELECT * FROM "{name}"')
        names = [one[0] for one in found.description]
        rows = found.fetchall()
        connection.close()
        return _by_column(names, rows)
    table = parquet.read_table(path) if kind == "parquet" else feather.read_table(path)
    return {name: _texts(table[name].to_pylist()) for name in table.column_names}


def _texts(cells: Sequence[Any]) -> list[Cell]:
    return [None if cell in (None, "") else str(cell) for cell in cells]


def _read_csv(path: Path, separator: str, encoding: str) -> dict[str, list[Cell]]:
    raw = path.read_bytes()
    if path.name.endswith(".gz"):
        raw = gzip.decompress(raw)
    elif path.name.endswith(".zst"):
        raw = pa.input_stream(pa.py_buffer(raw), compression="zstd").read()
    text = raw.decode(encoding)
    csv.field_size_limit(10**7)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    rows = [row or [""] for row in reader]
    return _by_column(rows[0], rows[1:])


def _by_column(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, list[Cell]]:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    return {name: _texts(column) for name, column in zip(names, columns, strict=True)}
