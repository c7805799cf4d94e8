"""JSON Lines: one object per line, its keys the columns; numbers keep every digit."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from discreet.display import dataclass, format_count, safe_repr
from discreet.errors import DiscreetError, EmptyTableError, SourceError, WriteError
from discreet.input_file import check_column_count
from discreet.table.engine import (
    ENGINE_ERRORS,
    borrow_connection,
    check_row_count,
    lend_connection,
    quote_literal,
    stream_answer,
)
from discreet.table.files.csv_structure import LONGEST_ROW
from discreet.table.files.parquet import scan_slices
from discreet.table.files.sink import pack_file, read_line_bytes
from discreet.table.files.text import (
    PACKING,
    BlockFile,
    Compression,
    Dialect,
    find_encoding,
    list_likely_encodings,
    read_first_bytes,
    read_utf8_blocks,
)
from discreet.table.table import Table, check_names

NEVER = "\x01"
"""A character that no line of JSON holds unescaped: a whole line is one field."""
MANY_DIGITS = "[0-9.]{17,}"
"""Numbers that may have more digits than a double holds; these lines are read exactly."""
SCALARS = ("VARCHAR", "BOOLEAN", "BIGINT", "UBIGINT", "DOUBLE")
NESTED = ("OBJECT", "ARRAY")
EXACT = 1 << 53
LARGEST = (1 << 63) - 1
NO_OBJECT = "is not a JSON object"
ONE_OBJECT = 'Write one object per line, such as {"age": 31, "zip": "02138"}.'


@dataclass
class _Column:
    """What was found in one column: kinds of values and their counts, never a value."""

    kinds: set[str]
    nested: int = 0
    lossy: int = 0
    beyond: bool = False
    large: bool = False

    def choose_type(self) -> pa.DataType:
        """The type that holds every value of the column unchanged; text where none does."""
        if self.kinds == {"BOOLEAN"}:
            return pa.bool_()
        if self.kinds and self.kinds <= {"BIGINT", "UBIGINT"} and not self.beyond:
            return pa.int64()
        numbers = {"BIGINT", "UBIGINT", "DOUBLE"}
        if "DOUBLE" in self.kinds and self.kinds <= numbers and not (self.beyond or self.large):
            return pa.float64()
        return pa.string()


@dataclass(frozen=True)
class JsonLinesSource:
    """A file of JSON objects whose columns, their types and number of rows are known."""

    path: Path
    dialect: Dialect
    columns: tuple[str, ...]
    types: tuple[pa.DataType, ...]
    rows: int

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        reader = scan_slices(self._scan, text, native, rows_per_batch, self.path.name)
        return check_row_count(reader, self.rows, self._make_failure)

    def _scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        wanted = sorted({*text, *native})
        parts = [self._write_text(place, wanted.index(place)) for place in text]
        parts += [self._write_native(place, wanted.index(place)) for place in native]
        named = ", ".join(f"{part} AS c{number}" for number, part in enumerate(parts))
        query = (
            f"SELECT {named} FROM (SELECT json_extract_string(line, "
            f"{_write_pointers(self.columns[place] for place in wanted)}) AS v FROM lines)"
        )
        connection = borrow_connection()
        connection.register("lines", read_lines(self.path, self.dialect))
        return stream_answer(connection, query, rows_per_batch, self.path.name, self._make_failure)

    def _write_text(self, place: int, number: int) -> str:
        value = f"v[{number + 1}]"
        if self.types[place] == pa.float64():  # as the same number would be in a typed file
            return f"CAST(CAST({value} AS DOUBLE) AS VARCHAR)"
        return value

    def _write_native(self, place: int, number: int) -> str:
        kinds = {pa.bool_(): "BOOLEAN", pa.int64(): "BIGINT", pa.float64(): "DOUBLE"}
        kind = kinds.get(self.types[place])
        return f"v[{number + 1}]" if kind is None else f"CAST(v[{number + 1}] AS {kind})"

    def _make_failure(self) -> DiscreetError:
        found = _find_bad_line(self.path, self.dialect)
        return found or SourceError(
            self.path.name,
            "the file is not the same as when it was opened",
            "Wait until nothing writes to it any more, then start again.",
        )


def open_json_lines(path: Path, encoding: str | None) -> Table:
    """A file of JSON objects as a Table: every line is checked once, no row is kept."""
    name = path.name
    compression = PACKING.get(path.suffix.lower(), "none")
    start = read_first_bytes(path, compression)
    codec = find_encoding(name, encoding, start) if encoding else ""
    codec = codec or list_likely_encodings(name, start)[0]
    dialect = Dialect(encoding=codec, compression=compression)
    columns, rows = _look_at_lines(path, dialect)
    if not rows:
        raise EmptyTableError(name, "there is no line with an object")
    check_names(name, tuple(columns))
    for column, found in columns.items():
        _refuse_unreadable(name, column, found)
    types = tuple(found.choose_type() for found in columns.values())
    source = JsonLinesSource(path, dialect, tuple(columns), types, rows)
    return Table(name, tuple(columns), source, path)


def read_lines(path: Path, dialect: Dialect) -> pa.RecordBatchReader:
    """The lines of a file that are not blank, in batches of one column."""
    blocks = read_utf8_blocks(path, dialect.compression, dialect.encoding)
    whole = io.BufferedReader(BlockFile(blocks))
    return pa.csv.open_csv(
        pa.PythonFile(whole, mode="r"),
        read_options=pa.csv.ReadOptions(
            block_size=LONGEST_ROW, use_threads=False, column_names=["line"]
        ),
        parse_options=pa.csv.ParseOptions(delimiter=NEVER, quote_char=False, double_quote=False),
        convert_options=pa.csv.ConvertOptions(
            column_types={"line": pa.string()}, strings_can_be_null=False
        ),
    )


def _look_at_lines(path: Path, dialect: Dialect) -> tuple[dict[str, _Column], int]:
    """Every column with what it holds, in the order of first appearance; and the rows."""
    columns: dict[str, _Column] = {}
    rows, broken = 0, False
    try:
        with lend_connection() as connection:
            for batch in read_lines(path, dialect):
                connection.register("lines", pa.Table.from_batches([batch]))
                if not _take_names(connection, columns):
                    broken = True
                    break
                check_column_count(path.name, len(columns), "read", "Give fewer keys.")
                _take_kinds(connection, columns)
                _take_long_numbers(batch, columns)
                rows += batch.num_rows
    except (*ENGINE_ERRORS, ValueError, RecursionError):
        broken = True
    if broken:
        raise _find_bad_line(path, dialect) or SourceError(
            path.name,
            "the lines cannot be read as JSON, or a line is longer than 8 MB",
            ONE_OBJECT,
        )
    return columns, rows


def _take_names(connection: Any, columns: dict[str, _Column]) -> bool:
    """Note the keys of a batch; False if a line is no object or names a key twice."""
    query = (
        "SELECT k, min(n), bool_and(t = 'OBJECT' AND len(list_distinct(k)) = len(k)) FROM ("
        "SELECT json_keys(line) AS k, json_type(line) AS t, row_number() OVER () AS n FROM lines) "
        "GROUP BY k ORDER BY 2"
    )
    for keys, _, sound in connection.execute(query).fetchall():
        if not sound:
            return False
        for key in keys:
            columns.setdefault(key, _Column(set()))
    return True


def _take_kinds(connection: Any, columns: dict[str, _Column]) -> None:
    """Note which kinds of values the columns of a batch hold, and the sizes of their numbers."""
    names = list(columns)
    for start in range(0, len(names), 400):
        part = names[start : start + 400]
        pointers = _write_pointers(part)
        query = (
            "SELECT p, t, count(*), max(abs(TRY_CAST(v AS DOUBLE))), "
            "bool_and(isfinite(TRY_CAST(v AS DOUBLE)) AND NOT regexp_matches(v, '^-?[0-9]+$')) "
            f"FROM (SELECT unnest(range({len(part)})) AS p, "
            f"unnest(json_type(line, {pointers})) AS t, "
            f"unnest(json_extract_string(line, {pointers})) AS v FROM lines) "
            "WHERE t IS NOT NULL AND t <> 'NULL' GROUP BY p, t"
        )
        for place, kind, count, largest, plain in connection.execute(query).fetchall():
            found = columns[part[place]]
            if kind in NESTED:
                found.nested += count
                continue
            found.kinds.add(kind)
            if kind == "DOUBLE":  # also whole numbers of more than 64 bits, as found
                found.beyond = found.beyond or not plain
            elif kind in ("BIGINT", "UBIGINT"):
                found.large = found.large or largest > EXACT
                found.beyond = found.beyond or largest > LARGEST


def _take_long_numbers(batch: pa.RecordBatch, columns: dict[str, _Column]) -> None:
    """Count the numbers of which a double would lose digits; few lines have such long ones."""
    lines = batch.column(0)
    for line in lines.filter(pc.match_substring_regex(lines, MANY_DIGITS)).to_pylist():
        for name, value in json.loads(line, parse_float=_Number, parse_int=str).items():
            if isinstance(value, _Number) and value.is_lossy():
                columns[name].lossy += 1


class _Number(str):
    """A number with a point, as its line writes it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "a number"  # it is a cell of the table

    def is_lossy(self) -> bool:
        return Decimal(self) != Decimal(repr(float(self)))


def _refuse_unreadable(name: str, column: str, found: _Column) -> None:
    if found.nested:
        what = f"column '{column}' holds a list or an object in {format_count(found.nested, 'row')}"
        fix = "Write its parts as columns of their own, or leave it out."
        raise SourceError(name, what, fix)
    if found.lossy:
        some = format_count(found.lossy, "number")
        what = f"column '{column}' has {some} with more digits than can be kept"
        raise SourceError(name, what, "Write these numbers as texts, in quotes.")


def _write_pointers(columns: Iterable[str]) -> str:
    """SQL for the places of columns in an object, as JSON pointers: any name can be written."""
    escaped = (column.replace("~", "~0").replace("/", "~1") for column in columns)
    return f"[{', '.join(quote_literal(f'/{one}') for one in escaped)}]"


def _find_bad_line(path: Path, dialect: Dialect) -> SourceError | None:
    """Read line by line until one is not an object; what is wrong with it, without its text."""
    number = 0
    blocks = read_utf8_blocks(path, dialect.compression, dialect.encoding)
    with io.TextIOWrapper(io.BufferedReader(BlockFile(blocks)), encoding="utf-8") as file:
        while line := file.readline(LONGEST_ROW + 1):
            number += 1
            if len(line) > LONGEST_ROW:
                what = f"line {number:,} is longer than {LONGEST_ROW >> 20} MB"
                return SourceError(path.name, what, ONE_OBJECT)
            what = _judge_line(line) if line.strip() else ""
            if what:
                whole = number == 1 and what == NO_OBJECT and line.lstrip()[0] in "[{"
                more = " If the file is one JSON document, save it as JSON Lines." if whole else ""
                return SourceError(path.name, f"line {number:,} {what}", ONE_OBJECT + more)
    return None


def _judge_line(line: str) -> str:
    try:
        found = json.loads(line, object_pairs_hook=_list_pairs, parse_int=str)
    except RecursionError:
        return "is nested too deeply"
    except ValueError:
        return NO_OBJECT
    if not isinstance(found, _Pairs):
        return NO_OBJECT
    names = [name for name, _ in found]
    if len(set(names)) < len(names):
        return "has the same key twice"
    return "holds a character that JSON does not allow" if NEVER in line else ""


@safe_repr
class _Pairs(list[Any]):
    """The keys and values of an object, repeated keys too."""


def _list_pairs(pairs: list[Any]) -> _Pairs:
    return _Pairs(pairs)


# JSON Lines, written.


@dataclass(frozen=True)
class JsonLinesSink:
    """One object per line: numbers and truth values as such, all else as text, missing as null."""

    compression: Compression = "none"

    def select(self, types: Sequence[pa.DataType]) -> list[str]:
        return [f"c{number}" for number in range(len(types))]

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        pairs = [
            f"{quote_literal(json.dumps(name, ensure_ascii=False) + ': ')}, "
            f"coalesce({_write_value(field)}, 'null')"
            for name, field in zip(names, batches.schema, strict=True)
        ]
        comma = ", ', ', "
        row = f"concat('{{', {comma.join(pairs)}, '}}', chr(10))"
        rows = 0
        with lend_connection() as connection:
            connection.register("released", batches)
            query = f"SELECT {row} AS line FROM released"
            lines = connection.sql(query).to_arrow_reader(65_536)
            with pack_file(file, self.compression, ".jsonl") as out:
                for batch in lines:
                    rows += batch.num_rows
                    for block in read_line_bytes(iter([batch])):
                        out.write(block)
        if not rows:
            what = "there are no rows, and JSON Lines has no place for the names of columns"
            raise WriteError("the JSON Lines release", what, "Write CSV or Parquet.")


MOST_EXACT_DIGITS = 15


def _write_value(field: pa.Field) -> str:
    """SQL for the JSON of a column: a number where every reader gets the same one back."""
    kind, text = field.type, f"CAST({field.name} AS VARCHAR)"
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind):
        return text
    if pa.types.is_floating(kind):
        return f"CASE WHEN isfinite({field.name}) THEN {text} ELSE to_json({text}) END"
    if pa.types.is_decimal(kind) and kind.precision <= MOST_EXACT_DIGITS and kind.scale >= 0:
        return text
    return f"CAST(to_json({text}) AS VARCHAR)"
