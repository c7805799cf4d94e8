"""CSV files: every cell as text, exactly as it stands in the file."""

from __future__ import annotations

import codecs
import io
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from discreet.display import dataclass
from discreet.errors import DiscreetError, InternalError, SourceError
from discreet.table.engine import (
    ENGINE_ERRORS,
    borrow_connection,
    check_row_count,
    escape_path,
    quote_literal,
    select_columns,
    stream_answer,
)
from discreet.table.files.csv_structure import (
    LONGEST_ROW,
    Sample,
    Structure,
    diagnose,
    read_first_rows,
    read_structure,
    sniff,
)
from discreet.table.files.sink import pack_file, read_line_bytes, write_as_text
from discreet.table.files.text import (
    ASSUMED,
    PACKING,
    SAMPLE,
    BlockFile,
    Dialect,
    EncodingError,
    find_encoding,
    list_likely_encodings,
    read_byte_blocks,
    read_first_bytes,
    read_utf8_blocks,
    skip_blank_lines,
)
from discreet.table.header import looks_like_row, number_names, write_header_notice
from discreet.table.table import Table, check_names

LINE_END = re.compile(rb"\r?\n|\r")
WIDE = 500
"""Of more columns than these, DuckDB needs more memory than it is given."""
ENGINE_UNPACKS = ("none", "gzip", "zstd")


@dataclass(frozen=True)
class CsvSource:
    """A CSV file whose dialect and number of rows are known."""

    path: Path
    dialect: Dialect
    columns: int
    rows: int
    plain: bool  # UTF-8, one kind of line end, names on the first line: DuckDB reads it by itself
    quoted_line_ends: bool

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        wanted = [*text, *native]
        if not self.rows:
            names = [f"c{number}" for number in range(len(wanted))]
            return pa.table([pa.array([], pa.string())] * len(wanted), names=names).to_reader()
        by_duckdb = self.plain and self.columns <= WIDE
        reader = (self._scan_by_duckdb if by_duckdb else self._scan_by_arrow)(
            wanted, rows_per_batch
        )
        return check_row_count(reader, self.rows, self._make_failure)

    def _scan_by_duckdb(self, wanted: list[int], rows_per_batch: int) -> pa.RecordBatchReader:
        names = [f"f{number}" for number in range(self.columns)]
        types = ", ".join(f"'{name}': 'VARCHAR'" for name in names)
        quote = quote_literal(self.dialect.quote)
        query = (
            f"SELECT {select_columns(names, (), wanted)} FROM "
            f"read_csv({quote_literal(escape_path(self.path))}, "
            f"auto_detect = false, header = true, columns = {{{types}}}, "
            f"delim = {quote_literal(self.dialect.separator)}, quote = {quote}, escape = {quote}, "
            f"compression = '{self.dialect.compression}', max_line_size = {LONGEST_ROW}, "
            f"buffer_size = {2 * LONGEST_ROW}, "
            f"parallel = {str(not self.quoted_line_ends).lower()})"
        )
        return stream_answer(
            borrow_connection(), query, rows_per_batch, self.path.name, self._make_failure
        )

    def _scan_by_arrow(self, wanted: list[int], rows_per_batch: int) -> pa.RecordBatchReader:
        names = [f"f{number}" for number in range(self.columns)]
        options = {
            "read_options": pa.csv.ReadOptions(
                block_size=LONGEST_ROW,
                use_threads=False,
                column_names=names,
                skip_rows_after_names=1,
            ),
            "parse_options": pa.csv.ParseOptions(
                delimiter=self.dialect.separator,
                quote_char=self.dialect.quote or False,
                newlines_in_values=bool(self.dialect.quote),
                ignore_empty_lines=self.columns > 1,
            ),
            "convert_options": pa.csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                strings_can_be_null=True,
                null_values=[""],
                include_columns=list(dict.fromkeys(names[i] for i in wanted)),
            ),
        }
        schema = pa.schema((f"c{n}", pa.string()) for n in range(len(wanted)))
        batches = self._read_arrow_batches(options, [names[i] for i in wanted], rows_per_batch)
        return pa.RecordBatchReader.from_batches(
            schema, (pa.RecordBatch.from_arrays(columns, schema=schema) for columns in batches)
        )

    def _read_arrow_batches(
        self, options: dict[str, object], names: list[str], rows_per_batch: int
    ) -> Iterator[list[pa.Array]]:
        blocks = read_utf8_blocks(self.path, self.dialect.compression, self.dialect.encoding)
        broken = False
        try:
            whole = io.BufferedReader(
                BlockFile(skip_blank_lines(blocks))
            )  # reads as much as it is asked for
            for batch in pa.csv.open_csv(pa.PythonFile(whole, mode="r"), **options):
                for start in range(0, batch.num_rows, rows_per_batch):
                    piece = batch.slice(start, rows_per_batch)
                    yield [piece.column(name) for name in names]
        except ENGINE_ERRORS:
            broken = True
        if broken:
            raise self._make_failure()

    def _make_failure(self) -> DiscreetError:
        found = diagnose(self.path, self.dialect, self.columns)
        error = found.error(self.path.name, self.columns, self.dialect.quote)
        if error is not None:
            return error
        if found.rows != self.rows:
            return SourceError(
                self.path.name,
                f"the file had {self.rows} rows when it was opened and has {found.rows} now",
                "Wait until nothing writes to it any more, then start again.",
            )
        return SourceError(
            self.path.name,
            f"the rows cannot be split with separator {self.dialect.separator!r} and quote "
            f"{self.dialect.quote!r}, or a row is longer than {LONGEST_ROW >> 20} MB",
            "Name the separator and the quote, or save the file anew as UTF-8 CSV.",
        )


def open_csv(
    path: Path,
    separator: str | None,
    quote: str | None,
    encoding: str | None,
    header: bool | None = None,
) -> Table:
    """A CSV file as a Table: dialect found, whole file checked once, no row kept.

    With `header` the first line holds names, whatever it looks like.
    """
    name = path.name
    _check_marks(name, separator, quote)
    compression = PACKING.get(path.suffix.lower(), "none")
    start = read_first_bytes(path, compression)
    codecs = (
        [find_encoding(name, encoding, start)] if encoding else list_likely_encodings(name, start)
    )
    for codec in codecs:
        assumed = encoding is None and codec == ASSUMED
        try:
            base = Dialect(encoding=codec, compression=compression)
            return _open(path, base, separator, quote, assumed, header)
        except EncodingError:
            if codec == codecs[-1]:
                raise
    raise InternalError("no encoding was tried")


def _open(
    path: Path,
    base: Dialect,
    separator: str | None,
    quote: str | None,
    assumed: bool,
    named: bool | None,
) -> Table:
    def blocks() -> Iterator[bytes]:
        return read_utf8_blocks(path, base.compression, base.encoding, assumed=assumed)

    name = path.name
    sample = _sample(name, blocks())
    separator, quote = sniff(name, sample, separator, quote)
    first, *body = read_first_rows(name, sample, separator, quote)
    columns = tuple(first)
    check_names(name, columns)
    found = read_structure(skip_blank_lines(blocks()), separator, quote)
    if found.longest_line > LONGEST_ROW:
        raise _make_too_long_error(name)
    dialect = replace(base, separator=separator, quote=quote, line_end=found.line_end)
    plain = _is_plain(dialect, columns, found) and not sample.text.startswith(("\r", "\n"))
    source = _make_source(path, dialect, len(columns), found, plain)
    doubtful = not named and looks_like_row(columns, body)
    notices = _list_notices(name, assumed, found, () if doubtful or named else columns)
    if doubtful:
        notices, shown = (write_header_notice(name), *notices), number_names(len(columns))
        return Table(name, shown, source, path, dialect, notices, columns)
    return Table(name, columns, source, path, dialect, notices)


def _make_too_long_error(name: str) -> SourceError:
    what = f"a line is longer than {LONGEST_ROW >> 20} MB"
    return SourceError(name, what, "Check that this is a table with one row per line.")


def _sample(name: str, blocks: Iterator[bytes]) -> Sample:
    """The beginning of the text: a megabyte, or more where the first line is longer."""
    start = b""
    for block in blocks:
        start += block
        if len(start) > LONGEST_ROW or b"\n" in block or b"\r" in block:
            break
    first = LINE_END.search(start)
    if len(start) > LONGEST_ROW and (first is None or first.start() > LONGEST_ROW):
        raise _make_too_long_error(name)
    end = max(SAMPLE, first.end() if first else len(start))
    return Sample(start[:end].decode(errors="ignore"), cut=len(start) > end)


def _is_plain(dialect: Dialect, names: tuple[str, ...], found: Structure) -> bool:
    one_line = not any("\n" in name or "\r" in name for name in names)
    known = dialect.encoding in ("utf-8", "utf-8-sig") and dialect.compression in ENGINE_UNPACKS
    return known and not found.mixed and one_line


def _make_source(
    path: Path, dialect: Dialect, columns: int, found: Structure, plain: bool
) -> CsvSource:
    rows = found.rows(columns)
    if not found.sound or found.open_quote:
        exact = diagnose(path, dialect, columns)
        if exact.broken_quote is not None:
            raise exact.error(path.name, columns, dialect.quote) or InternalError("no diagnosis")
        rows = exact.rows
    return CsvSource(path, dialect, columns, rows, plain, found.quoted_line_ends > 0)


def _check_marks(name: str, separator: str | None, quote: str | None) -> None:
    for what, mark in (("separator", separator), ("quote", quote)):
        bad = mark is not None and (len(mark) > 1 or not mark.isascii() or mark in "\r\n")
        if bad and not (what == "quote" and mark == ""):
            raise SourceError(
                name, f"the {what} must be one plain character", "A tab is written \\t in a shell."
            )


def _list_notices(
    name: str, assumed: bool, found: Structure, columns: tuple[str, ...]
) -> tuple[str, ...]:
    notices = []
    if assumed:
        notices.append(
            f"{name} is not UTF-8 and has no byte-order mark: Windows-1252 is assumed. If letters "
            "look wrong, name the encoding."
        )
    if found.mixed:
        notices.append(f"{name} has lines that end in different ways; all are taken as line ends.")
    if any(_looks_like_data(column) for column in columns):
        notices.append(
            f"The first line of {name} holds numbers or dates: if it is a row and not the names "
            "of the columns, put a line of names above it."
        )
    return tuple(notices)


def _looks_like_data(column: str) -> bool:
    return bool(column) and not any(letter.isalpha() for letter in column)


# CSV files, written in the dialect of the source.


UTF8 = ("utf-8", "utf-8-sig")
MOST_LINES = 64 << 20
"""Bytes of lines that are made at a time."""


@dataclass(frozen=True)
class CsvSink:
    """A CSV file: fields quoted only where needed, a missing value an empty field.

    Values are written as they are, also those that a spreadsheet would take for a formula: a
    release must say what was checked, not something else.
    """

    dialect: Dialect

    @property
    def quote(self) -> str:
        return self.dialect.quote or '"'

    def select(self, types: Sequence[pa.DataType]) -> list[str]:
        fields = [self._write_field(number, kind, len(types)) for number, kind in enumerate(types)]
        separator = quote_literal(self.dialect.separator)
        line_end = ", ".join(f"chr({ord(letter)})" for letter in self.dialect.line_end)
        return [f"concat({f', {separator}, '.join(fields)}, {line_end})"]

    def write_lines(self, batches: pa.RecordBatchReader) -> pa.RecordBatchReader:
        """The line of each row, as often as its last column says; the others are texts or numbers.

        Values that come as a dictionary are quoted once for each value.
        """
        schema = pa.schema([("lines", pa.large_string())])
        lines = (self._write_lines(part) for batch in batches for part in _split_long_rows(batch))
        return pa.RecordBatchReader.from_batches(
            schema, (pa.RecordBatch.from_arrays([one], schema=schema) for one in lines)
        )

    def _write_lines(self, batch: pa.RecordBatch) -> pa.Array:
        *columns, times = batch.columns
        fields = [self._write_fields(column, len(columns)) for column in columns]
        fields[-1] = _join(fields[-1], self.dialect.line_end)
        lines = _join(*fields, between=self.dialect.separator)
        return lines.take(pa.array(np.repeat(np.arange(len(lines)), times.to_numpy())))

    def _write_fields(self, column: pa.Array, columns: int) -> pa.Array:
        """The cells of a column as they stand in a line."""
        if pa.types.is_dictionary(column.type):
            labels = self._write_fields(column.dictionary, columns)
            fields = labels.take(column.indices)
        else:
            texts = column.cast(pa.large_string())
            odd = pc.equal(texts, "")
            for mark in self._list_marks(columns):
                odd = pc.or_(odd, pc.match_substring(texts, mark))
            if not pc.any(odd).as_py():
                fields = texts
            else:
                doubled = pc.replace_substring(texts, self.quote, self.quote * 2)
                quoted = _join(self.quote, doubled, self.quote)
                fields = pc.if_else(odd, quoted, texts)
        return fields.fill_null(self.quote * 2 if columns == 1 else "")

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        marks = self._list_marks(len(names))
        head = self.dialect.separator.join(self._name(name, marks) for name in names)
        mark = codecs.BOM_UTF8 if self.dialect.encoding == "utf-8-sig" else b""
        with pack_file(file, self.dialect.compression) as out:
            out.write(mark + (head + self.dialect.line_end).encode())
            for lines in read_line_bytes(batches):
                out.write(lines)
        if self.dialect.encoding not in UTF8:
            self._transcode(file, path)

    def _write_field(self, number: int, kind: pa.DataType, columns: int) -> str:
        text, quote = write_as_text(number, kind), quote_literal(self.quote)
        marks = self._list_marks(columns)
        odd = " OR ".join(f"contains({text}, chr({ord(mark)}))" for mark in marks)
        quoted = f"{quote} || replace({text}, {quote}, {quote_literal(self.quote * 2)}) || {quote}"
        missing = quote_literal(self.quote * 2 if columns == 1 else "")
        return (
            f"CASE WHEN {text} IS NULL THEN {missing} WHEN {text} = '' OR {odd} "
            f"THEN {quoted} ELSE {text} END"
        )

    def _list_marks(self, columns: int) -> str:
        """Characters that want quotes; a single column shows no reader what its separator is."""
        usual = ",;\t|" if columns == 1 else ""
        return "".join(dict.fromkeys(f"{self.dialect.separator}{self.quote}\n\r{usual}"))

    def _name(self, name: str, marks: str) -> str:
        odd = any(mark in name for mark in marks)
        doubled = name.replace(self.quote, self.quote * 2)
        return f"{self.quote}{doubled}{self.quote}" if odd or not name else name

    def _transcode(self, file: BinaryIO, path: Path) -> None:
        """Put the text into the encoding of the source; if it has not all letters, UTF-8 stays."""
        encoder = codecs.getincrementalencoder(self.dialect.encoding)()
        decoder = codecs.getincrementaldecoder("utf-8")()
        with tempfile.TemporaryFile(dir=path.parent) as other:
            try:
                with pack_file(other, self.dialect.compression) as out:
                    for block in read_byte_blocks(path, self.dialect.compression):
                        out.write(encoder.encode(decoder.decode(block)))
            except UnicodeEncodeError:
                return
            other.seek(0)
            file.seek(0)
            file.truncate()
            shutil.copyfileobj(other, file, 1 << 22)
            file.flush()


def _join(*parts: pa.Array | str, between: str = "") -> pa.Array:
    """Texts joined row by row; those that are the same in each row are given once."""
    same = [pa.scalar(one, pa.large_string()) if isinstance(one, str) else one for one in parts]
    return pc.binary_join_element_wise(*same, pa.scalar(between, pa.large_string()))


def _split_long_rows(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The rows of a batch, which end with how often each comes, fewer at a time if cells are long.

    Texts in a dictionary take the room of a cell only when their lines are made.
    """
    widest = 0
    for column in batch.columns:
        texts = column.dictionary if pa.types.is_dictionary(column.type) else column
        if pa.types.is_string(texts.type):
            widest += pc.max(pc.binary_length(texts)).as_py() or 0
    total = widest * (pc.sum(batch.columns[-1]).as_py() or 0)
    size = max(1, batch.num_rows // (1 + total // MOST_LINES))
    return (batch.slice(start, size) for start in range(0, batch.num_rows, size))
