"""Excel workbooks with one sheet, written as a stream."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO
from xml.sax.saxutils import escape

import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import WriteError
from discreet.table.sinks.sink import as_text, line_bytes

MOST_ROWS = 1_048_576
MOST_COLUMNS = 16_384
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
        cells = " || ".join(_cell(number, kind) for number, kind in enumerate(types))
        return [f"'<row>' || {cells} || '</row>'"]

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        if len(names) > MOST_COLUMNS:
            raise WriteError(
                "the Excel release",
                f"it has {len(names)} columns and a sheet holds {MOST_COLUMNS}",
                "Write CSV or Parquet.",
            )
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as book:
            for name, text in PARTS.items():
                book.writestr(_member(name), TOP + text)
            with book.open(_member("xl/worksheets/sheet1.xml"), "w", force_zip64=True) as sheet:
                sheet.write(f'{TOP}<worksheet xmlns="{MAIN}"><sheetData>'.encode())
                sheet.write(f"<row>{''.join(map(_name, names))}</row>".encode())
                for lines in line_bytes(_limited(batches)):
                    sheet.write(lines)
                sheet.write(b"</sheetData></worksheet>")


def _limited(batches: pa.RecordBatchReader) -> Iterator[pa.RecordBatch]:
    rows = 1
    for batch in batches:
        rows += batch.num_rows
        if rows > MOST_ROWS:
            raise WriteError(
                "the Excel release",
                f"it has more rows than the {MOST_ROWS - 1:,} that a sheet holds below its names",
                "Write CSV or Parquet.",
            )
        yield batch


def _member(name: str) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def _name(name: str) -> str:
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(name)}</t></is></c>'


def _cell(number: int, kind: pa.DataType) -> str:
    """SQL for the XML of a cell: numbers, truth values and dates as such where Excel can."""
    column, text = f"c{number}", _text_cell(as_text(number, kind))
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


def _text_cell(text: str) -> str:
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
