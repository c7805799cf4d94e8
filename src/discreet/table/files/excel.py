"""Excel workbooks: one sheet, its cells as they are meant to be read."""

from __future__ import annotations

import datetime as dt
import re
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO
from xml.sax.saxutils import escape

import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.errors import EmptyTableError, SourceError, WriteError, argument, did_you_mean
from discreet.input_file import MEGABYTE, RAISED, read_raised_limit
from discreet.table.files.csv_structure import make_ragged_error
from discreet.table.files.parquet import make_unreadable
from discreet.table.files.sink import read_line_bytes, write_as_text
from discreet.table.header import MOST_ROWS, looks_like_row, number_names, write_header_notice
from discreet.table.table import Table, check_names

ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
UNIQUE = re.compile(rb"""<(?:\w+:)?sst\b[^>]*\buniqueCount\s*=\s*["'](\d{1,9})["']""")
BATCH = 16_384
MISSING = (None, "none")
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
USUAL_WIDTH, MOST_PADDED = 1_000, 50_000_000
"""Cells of wide rows, mostly blank ones that the library adds: beyond these it takes minutes."""
MOST_MEMBERS, MOST_PACKED, UNSUSPICIOUS, LARGEST = 10_000, 100, 100 * MEGABYTE, 1_000 * MEGABYTE
DAMAGE = Exception
"""What the library raises at a damaged workbook: nearly every kind of error there is."""
TYPES = (
    ({"int"}, pa.int64()),
    ({"int", "float"}, pa.float64()),
    ({"date"}, pa.date32()),
    ({"date", "datetime"}, pa.timestamp("us")),
)


@dataclass(frozen=True)
class ExcelSource:
    """A sheet in memory: each column as text, and typed where all its cells agree."""

    text: pa.Table
    native: pa.Table

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        columns = [self.text.column(i) for i in text] + [self.native.column(i) for i in native]
        names = [f"c{number}" for number in range(len(columns))]
        return pa.table(columns, names=names).to_reader(rows_per_batch)


def open_excel(path: Path, sheet: str | None, header: bool | None = None) -> Table:
    """A sheet as a Table: the one named, or the only one; it is read now, and once."""
    if path.stat().st_size == 0:
        raise EmptyTableError(path.name)
    _check_sizes(path)
    book = _open_book(path)
    try:
        page = book[_choose(path.name, sheet, book.sheetnames)]
        _check_strings(path, page)
        columns, source = _collect(path.name, _read_rows(path, page))
    finally:
        book.close()
    head = source.text.slice(0, MOST_ROWS)
    body = list(zip(*(column.to_pylist() for column in head.columns), strict=True))
    if not header and looks_like_row(columns, body):
        named = number_names(len(columns))
        notices = (write_header_notice(path.name),)
        return Table(path.name, named, source, path, notices=notices, first_line=tuple(columns))
    return Table(path.name, columns, source, path)


def _check_sizes(path: Path) -> None:
    """Stop at a workbook that unpacks to far more than its size says, before it is unpacked.

    Zip files say how large each member is, and no more than that is ever read of it.
    """
    try:
        with zipfile.ZipFile(path) as packed:
            members = packed.infolist()
    except DAMAGE:
        members = None
    if members is None:
        raise make_unreadable(path, "an Excel workbook")
    total = sum(member.file_size for member in members)
    strings = sum(member.file_size for member in members if "sharedStrings" in member.filename)
    most = max(LARGEST, read_raised_limit() * MEGABYTE)
    ratio = total / path.stat().st_size
    suspicious = ratio > MOST_PACKED and total > UNSUSPICIOUS and not read_raised_limit()
    if len(members) > MOST_MEMBERS:
        what = f"the workbook holds {len(members):,} files; a workbook has a few dozen"
        raise SourceError(path.name, what, "Save the sheet anew from a spreadsheet program.")
    if suspicious or total > most or 4 * strings > most:
        what = f"the workbook unpacks to {total // MEGABYTE:,} MB, {ratio:,.0f} times its size"
        fix = (
            "Save the sheet as CSV. If its size is right, allow more megabytes with the "
            f"environment variable {RAISED}."
        )
        raise SourceError(path.name, what, fix)


def _open_book(path: Path) -> Any:
    import openpyxl  # a tenth of a second, which other files do without

    named = str(path).endswith(path.suffix)  # the library looks at the name, if it gets one
    source = path if named else path.open("rb")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(source, read_only=True, data_only=True, keep_links=False)
    except DAMAGE:
        book = None
    if book is None:
        raise make_unreadable(path, "an Excel workbook")
    return book


def _check_strings(path: Path, page: Any) -> None:
    """Stop where texts were lost or added: cells name them by number, and would show others."""
    said = None
    with zipfile.ZipFile(path) as packed:
        for member in packed.namelist():
            if member.casefold().endswith("sharedstrings.xml"):
                with packed.open(member) as file:
                    said = UNIQUE.search(file.read(4096))
    there = len(getattr(page, "_shared_strings", ()))
    if said is not None and int(said[1]) != there:
        what = (
            f"the workbook is damaged: it says that it has {int(said[1]):,} different texts, and "
            f"has {there:,}, so that cells may show the texts of others"
        )
        raise SourceError(path.name, what, "Save it anew from a spreadsheet program, or as CSV.")


def _read_rows(path: Path, page: Any) -> Iterator[tuple[Any, ...]]:
    """The rows of a sheet; what the library stumbles over in a damaged one is one error."""
    failed = not hasattr(page, "reset_dimensions")  # a chart has a sheet of its own, without cells
    padded = 0
    try:
        if not failed:
            page.reset_dimensions()
            for number, row in enumerate(page.iter_rows(max_row=LAST_ROW + 1), 1):
                padded += max(0, len(row) - USUAL_WIDTH)
                if number > LAST_ROW or len(row) > LAST_COLUMN or padded > MOST_PADDED:
                    failed = True
                    break
                yield row
            else:
                return
    except DAMAGE:
        pass
    if failed:
        what = "the sheet has cells beyond the last row or column that a sheet can have, or no rows"
        fix = "Delete what lies far from the table, or save the table as CSV."
        raise SourceError(path.name, what, fix)
    what = "the workbook is damaged: the sheet cannot be read to its end"
    raise SourceError(path.name, what, "Save it anew from a spreadsheet program, or as CSV.")


def _choose(name: str, sheet: str | None, sheets: list[str]) -> str:
    if sheet in sheets:
        return str(sheet)
    if sheet is not None:
        raise SourceError(name, f"there is no sheet {sheet!r}", did_you_mean(sheet, sheets))
    if len(sheets) != 1:
        raise SourceError(
            name,
            f"the workbook has {len(sheets)} sheets",
            f"Name one of them with {argument('sheet')}: {', '.join(sheets[:20])}.",
        )
    return sheets[0]


class _Sheet:
    """The cells of a sheet, gathered column by column and packed into Arrow as they come."""

    def __init__(self, columns: int) -> None:
        self.cells: list[list[str | None]] = [[] for _ in range(columns)]
        self.packed: list[list[pa.Array]] = [[] for _ in range(columns)]
        self.kinds: list[set[str]] = [set() for _ in range(columns)]

    def add(self, row: Sequence[tuple[str | None, str]]) -> None:
        for place, (text, kind) in enumerate(row):
            self.cells[place].append(text)
            self.kinds[place].add(kind)
        if len(self.cells[0]) >= BATCH:
            self.pack()

    def pack(self) -> None:
        for packed, cells in zip(self.packed, self.cells, strict=True):
            packed.append(pa.array(cells, pa.string()))
            cells.clear()

    def source(self) -> ExcelSource:
        self.pack()
        names = [f"c{place}" for place in range(len(self.cells))]
        text = [pa.chunked_array(packed, pa.string()) for packed in self.packed]
        native = [
            type_column(c, kinds - {"none"}) for c, kinds in zip(text, self.kinds, strict=True)
        ]
        return ExcelSource(pa.table(text, names=names), pa.table(native, names=names))


def _collect(name: str, rows: Iterator[tuple[Any, ...]]) -> tuple[tuple[str, ...], ExcelSource]:
    """The names in the first filled row, and the rows below; blank rows are no rows."""
    ragged: list[int] = []
    sheet, columns, gap = None, [], 0
    for number, cells in enumerate(rows, 1):
        row = [read_cell(cell) for cell in cells]
        while row and row[-1][0] is None:
            row.pop()
        if not row:
            gap += 1
        elif sheet is None:
            columns = [text or "" for text, _ in row]
            check_names(name, columns)
            sheet, gap = _Sheet(len(columns)), 0
        elif len(row) > len(columns):
            ragged.append(number)
        else:
            for _ in range(gap if len(columns) == 1 else 0):
                sheet.add([MISSING])
            sheet.add(row + [MISSING] * (len(columns) - len(row)))
            gap = 0
    if sheet is None:
        raise EmptyTableError(name, "the sheet is empty")
    if ragged:
        raise make_ragged_error(name, len(columns), ragged[:5], len(ragged))
    return tuple(columns), sheet.source()


def read_cell(cell: Any) -> tuple[str | None, str]:
    """The text a cell shows and the kind of its value.

    Whole numbers have no ".0", dates are written as ISO 8601 does, and a number that its format
    fills with zeros (a ZIP code) keeps them.
    """
    value = cell.value
    if value is None or value == "":
        return MISSING
    if isinstance(value, str):
        return ESCAPED.sub(lambda found: chr(int(found[1], 16)), value), "text"
    if isinstance(value, bool):
        return str(value).upper(), "bool"
    if isinstance(value, int | float):
        return _number(value, cell.number_format or "")
    if isinstance(value, dt.datetime):
        if value.time() == dt.time.min:
            return value.date().isoformat(), "date"
        return value.isoformat(sep=" "), "datetime"
    return (value.isoformat() if hasattr(value, "isoformat") else str(value)), "text"


def _number(value: float, form: str) -> tuple[str, str]:
    if float(value).is_integer() and abs(value) < 2**53:
        if len(form) > 1 and set(form) == {"0"}:
            return f"{int(value):0{len(form)}d}", "text"
        return str(int(value)), "int"
    return repr(float(value)), "float"


def type_column(text: pa.ChunkedArray, kinds: set[str]) -> pa.ChunkedArray:
    """A column in the type that all its cells share; text if they share none."""
    if kinds == {"bool"}:
        return pc.equal(text, "TRUE")
    for allowed, wanted in TYPES:
        if kinds and kinds <= allowed:
            return text.cast(wanted)
    return text


# Excel workbooks with one sheet, written as a stream.


SHEET_ROWS = 1_048_576
SHEET_COLUMNS = 16_384
LONGEST_CELL = 32_767
TOO_LONG = "discreet: a cell is too long for Excel"
CONTROL = [*range(9), 11, 12, 13, *range(14, 32)]
FIRST_DAY = "DATE '1900-03-01'"  # Excel believes that 1900 was a leap year

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
TOP = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{TYPE}.styles+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
    f'Type="{LINK}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{LINK}"><sheets>'
    '<sheet name="release" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{LINK}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{LINK}/styles" Target="styles.xml"/></Relationships>',
    "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><numFmts count="2">'
    '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>'
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="1"><fill><patternFill patternType="none"/></fill></fills>'
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="3"><xf/><xf numFmtId="164" applyNumberFormat="1"/>'
    '<xf numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>',
}


@dataclass(frozen=True)
class ExcelSink:
    """A workbook with the one sheet `release`; text stays text, never a formula.

    The XML of each row is made by the engine and packed at once, so that no part of the sheet is
    kept in memory or in a file of its own. The workbook names no author and no time.
    """

    def select(self, types: Sequence[pa.DataType]) -> list[str]:
        cells = " || ".join(_write_cell(number, kind) for number, kind in enumerate(types))
        return [f"'<row>' || {cells} || '</row>'"]

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        if len(names) > SHEET_COLUMNS:
            raise WriteError(
                "the Excel release",
                f"it has {len(names)} columns and a sheet holds {SHEET_COLUMNS}",
                "Write CSV or Parquet.",
            )
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as book:
            for name, text in PARTS.items():
                book.writestr(_make_member(name), TOP + text)
            with book.open(
                _make_member("xl/worksheets/sheet1.xml"), "w", force_zip64=True
            ) as sheet:
                sheet.write(f'{TOP}<worksheet xmlns="{MAIN}"><sheetData>'.encode())
                sheet.write(f"<row>{''.join(map(_name, names))}</row>".encode())
                for lines in read_line_bytes(_limit_rows(batches)):
                    sheet.write(lines)
                sheet.write(b"</sheetData></worksheet>")


def _limit_rows(batches: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    rows = 1
    for batch in batches:
        rows += batch.num_rows
        if rows > SHEET_ROWS:
            raise WriteError(
                "the Excel release",
                f"it has more rows than the {SHEET_ROWS - 1:,} that a sheet holds below its names",
                "Write CSV or Parquet.",
            )
        yield batch


def _make_member(name: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def _name(name: str) -> str:
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(name)}</t></is></c>'


def _write_cell(number: int, kind: pa.DataType) -> str:
    """SQL for the XML of a cell: numbers, truth values and dates as such where Excel can."""
    column, text = f"c{number}", _write_text_cell(write_as_text(number, kind))
    special = None
    if pa.types.is_boolean(kind):
        special = ("true", f"'<c t=\"b\"><v>' || CAST({column} AS INTEGER) || '</v></c>'")
    elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
        fits = f"abs(CAST({column} AS DOUBLE)) < 9007199254740992"
        fits = f"isfinite(CAST({column} AS DOUBLE)) AND {fits}"
        special = (fits, f"'<c><v>' || CAST({column} AS VARCHAR) || '</v></c>'")
    elif pa.types.is_date(kind):
        serial = f"date_diff('day', DATE '1899-12-30', CAST({column} AS DATE))"
        special = (f"{column} >= {FIRST_DAY}", f"'<c s=\"1\"><v>' || {serial} || '</v></c>'")
    elif pa.types.is_timestamp(kind) and kind.tz is None:
        moment = f"CAST({column} AS TIMESTAMP)"
        serial = f"date_diff('second', TIMESTAMP '1899-12-30', {moment}) / 86400.0"
        whole = f"{moment} >= {FIRST_DAY} AND date_trunc('second', {moment}) = {moment}"
        special = (whole, f"'<c s=\"2\"><v>' || ({serial}) || '</v></c>'")
    when = f"WHEN {special[0]} THEN {special[1]}" if special else ""
    return f"CASE WHEN {column} IS NULL THEN '<c/>' {when} ELSE {text} END"


def _write_text_cell(text: str) -> str:
    safe = f"replace(replace(replace({text}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')"
    odd = safe.replace(text, f"regexp_replace({text}, '_(x[0-9A-Fa-f]{{4}}_)', '_x005F_\\1', 'g')")
    for code in CONTROL:
        odd = f"replace({odd}, chr({code}), '_x{code:04X}_')"
    pattern = "[\\x00-\\x08\\x0b-\\x1f]|_x[0-9A-Fa-f]{4}_"
    return (
        '\'<c t="inlineStr"><is><t xml:space="preserve">\' || CASE WHEN '
        f"length({text}) > {LONGEST_CELL} THEN error('{TOO_LONG}') "
        f"WHEN regexp_matches({text}, '{pattern}') THEN {odd} ELSE {safe} END || '</t></is></c>'"
    )
