"""Folders and patterns of Parquet files as one table, and releases that are such folders.

The files may be plain, or lie under folders whose names hold columns (``year=2024``).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from glob import has_magic
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pyarrow as pa

from discreet.display import dataclass, format_count
from discreet.errors import (
    ArgumentError,
    SourceError,
    UnknownColumnError,
    WriteError,
    argument,
)
from discreet.table.atomic import sync_folder
from discreet.table.files.parquet import (
    CODED,
    ParquetSink,
    ParquetSource,
    check_digits,
    open_parquet_source,
)
from discreet.table.table import Table, check_names, scan_source

ENDINGS = (".parquet", ".pq")
MOST_FILES = 20_000
MISSING = "__HIVE_DEFAULT_PARTITION__"
"""What Hive, Spark and their like write for a missing value in the name of a folder."""
LAKES = {
    "_delta_log": "a Delta Lake table",
    ".hoodie": "a Hudi table",
    "metadata": "an Iceberg table",
}
"""Folders that say which files still belong to a table: others hold rows that were removed."""


@dataclass(frozen=True)
class Part:
    """One file of a folder, what the folders above it say, and where it has the columns."""

    source: ParquetSource
    places: tuple[int, ...]
    empty: frozenset[int]
    """Columns without a type of their own: all their values are missing here."""
    values: tuple[str | None, ...]


@dataclass(frozen=True)
class FolderSource:
    """The files of a folder, one after the other in the order of their paths."""

    parts: tuple[Part, ...]

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        kinds = [pa.string() for _ in text] + [self._find_type(place) for place in native]
        schema = pa.schema((f"c{number}", kind) for number, kind in enumerate(kinds))
        batches = self._read_batches(text, native, rows_per_batch, schema, coded=False)
        return pa.RecordBatchReader.from_batches(schema, batches)

    def scan_coded(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """As ``scan``; columns of text come as dictionaries, and so do those of folder names."""
        kinds = [CODED for _ in text] + [self._find_type(place) for place in native]
        kinds = [CODED if kind == pa.string() else kind for kind in kinds]
        schema = pa.schema((f"c{number}", kind) for number, kind in enumerate(kinds))
        batches = self._read_batches(text, native, rows_per_batch, schema, coded=True)
        return pa.RecordBatchReader.from_batches(schema, batches)

    def _find_type(self, place: int) -> pa.DataType:
        """The type that the engine gives to a column of the first file that has one."""
        for part in self.parts:
            if place < len(part.places) and place not in part.empty:
                with part.source.scan([], [part.places[place]], 1) as reader:
                    return reader.schema.field(0).type
        return pa.string()

    def _read_batches(
        self,
        text: Sequence[int],
        native: Sequence[int],
        rows_per_batch: int,
        schema: pa.Schema,
        coded: bool,
    ) -> Iterator[pa.RecordBatch]:
        wanted = (*text, *native)
        for part in self.parts:
            inside = len(part.places)
            texts = [part.places[place] for place in text if place < inside]
            others = [part.places[place] for place in native if place < inside]
            if not texts and not others:  # the columns are in names of folders: rows are counted
                texts = [part.places[0]]
            for batch in scan_source(part.source, texts, others, rows_per_batch, coded):
                columns = iter(batch.columns)
                arrays = []
                for place, field in zip(wanted, schema, strict=True):
                    column = next(columns) if place < inside else None
                    if column is None:
                        column = _repeat(part.values[place - inside], batch.num_rows, field.type)
                    elif place in part.empty:
                        column = pa.nulls(batch.num_rows, field.type)
                    elif field.type == CODED and column.type != CODED:
                        column = column.cast(pa.string()).dictionary_encode()
                    arrays.append(column)
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _repeat(value: str | None, rows: int, kind: pa.DataType) -> pa.Array:
    """The value of a folder's name as a column."""
    if kind != CODED:
        return pa.repeat(pa.scalar(value, pa.string()), rows)
    places = pa.repeat(pa.scalar(0, pa.int32()), rows)
    return pa.DictionaryArray.from_arrays(places, pa.array([value], pa.string()))


def open_parquet_folder(folder: Path) -> Table:
    """The Parquet files of a folder and of its folders as a Table; only schemas are read now."""
    files = _list_files(folder)
    some = "its 1 file is" if len(files) == 1 else f"its {len(files):,} files are"
    notice = f"{folder.name} is a folder: {some} read as one table."
    return _open_files(folder.name, folder, files, folder, notice)


def open_parquet_pattern(pattern: Path) -> Table:
    """The Parquet files that a pattern fits as a Table; only schemas are read now."""
    files = list_matches(pattern)
    if not files:
        what = "no file has a name that fits this pattern"
        raise SourceError(pattern.name, what, f"Looked from {_find_root(pattern)} on.")
    _check_names(pattern.name, files)
    others = sum(not file.name.lower().endswith(ENDINGS) for file in files)
    if others:
        what = f"{format_count(others, 'file')} that it fits {'is' if others == 1 else 'are'}"
        raise SourceError(pattern.name, f"{what} not Parquet", "Let the pattern end in .parquet.")
    some = "1 file is" if len(files) == 1 else f"{len(files):,} files are"
    notice = f"{pattern.name} is a pattern: {some} read as one table."
    return _open_files(pattern.name, _find_root(pattern), files, None, notice)


def is_pattern(path: Path) -> bool:
    """Whether a path that does not exist is a pattern of Parquet files."""
    return has_magic(str(path)) and path.suffix.lower() in ENDINGS and not os.path.lexists(path)


def list_matches(pattern: Path) -> list[Path]:
    """The files that a pattern fits, in the order of their paths; hidden ones are left out."""
    root = _find_root(pattern)
    return sorted(
        file
        for file in root.glob(str(pattern.relative_to(root)))
        if file.is_file()
        and not any(part.startswith(("_", ".")) for part in file.relative_to(root).parts)
    )


def _find_root(pattern: Path) -> Path:
    """The folder from which a pattern starts: a name that exists is that name."""
    parents = pattern.parents
    return next(one for one in parents if not has_magic(str(one)) or os.path.lexists(one))


def _open_files(
    name: str, root: Path, files: Sequence[Path], path: Path | None, notice: str
) -> Table:
    keys = {tuple(key for key, _ in _split_names(root, file)) for file in files}
    if len(keys) > 1:
        what = "its files do not lie under folders of the same columns (name=value)"
        raise SourceError(name, what, "Name a folder in it, or sort the files.")
    opened = [_open_file(file) for file in files]
    names = tuple(opened[0][1].names)
    _check_columns(name, [schema for _, schema in opened], names)
    partition = next(iter(keys))
    check_names(name, names)
    both = [key for key in partition if key in names]
    if both:
        what = f"column '{both[0]}' is in the files and in the names of folders"
        raise SourceError(name, what, "Write the files without it.")
    columns = (*names, *partition)
    check_names(name, columns)
    parts = tuple(
        Part(
            source,
            tuple(schema.names.index(name) for name in names),
            frozenset(
                place
                for place, name in enumerate(names)
                if pa.types.is_null(schema.field(name).type)
            ),
            tuple(value for _, value in _split_names(root, file)),
        )
        for file, (source, schema) in zip(files, opened, strict=True)
    )
    return Table(name, columns, FolderSource(parts), path, notices=(notice,))


def _list_files(folder: Path) -> list[Path]:
    """The Parquet files of a folder in the order of their paths; others are an error."""
    found, others = [], 0

    def refuse(_: OSError) -> None:  # what cannot be listed would be left out without a word
        what = "a folder in it cannot be listed"
        raise SourceError(folder.name, what, "Ask its owner, or copy it to your folder.")

    for where, folders, names in os.walk(folder, onerror=refuse):
        for name, kind in LAKES.items():
            if name in folders:
                what = f"this is {kind}, which also keeps files with rows that were removed"
                raise SourceError(folder.name, what, "Export it to one Parquet file.")
        folders[:] = [name for name in folders if not name.startswith(("_", "."))]
        if any((Path(where) / name).is_symlink() for name in folders):
            what = "a link to another folder is in it, and links are not followed"
            raise SourceError(folder.name, what, "Copy the files of that folder into this one.")
        for name in names:
            if name.startswith(("_", ".")):  # notes of the program that wrote the folder
                continue
            if name.lower().endswith(ENDINGS):
                found.append(Path(where) / name)
            else:
                others += 1
        if len(found) > MOST_FILES:
            what = f"the folder has more than {MOST_FILES:,} files"
            raise SourceError(folder.name, what, "Write the table as fewer files.")
    if others or not found:
        what = "this is a folder, not a file, and no Parquet file is in it"
        if found:
            some = format_count(others, "file")
            what = f"this is a folder with {some} that {'is' if others == 1 else 'are'} not Parquet"
        raise SourceError(
            folder.name, what, "Name a file in it, or a folder of Parquet files only."
        )
    _check_names(folder.name, found)
    return sorted(found)


def _check_names(name: str, files: Sequence[Path]) -> None:
    """Stop at too many files, and at names that the engines, which take UTF-8, would not find."""
    if len(files) > MOST_FILES:
        what = f"there are more than {MOST_FILES:,} files"
        raise SourceError(name, what, "Write the table as fewer files.")
    unknown = sum(not _is_utf8(file) for file in files)
    if unknown:
        what = f"{format_count(unknown, 'file')} in it {'has' if unknown == 1 else 'have'} a name"
        raise SourceError(name, f"{what} that is not UTF-8 text", "Rename such files.")


def _is_utf8(path: Path) -> bool:
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def _split_names(folder: Path, file: Path) -> list[tuple[str, str | None]]:
    """The columns and values that folders name between the table and a file."""
    pairs: list[tuple[str, str | None]] = []
    for part in file.relative_to(folder).parts[:-1]:
        key, equals, value = part.partition("=")
        if equals:
            pairs.append((unquote(key), None if value == MISSING else unquote(value)))
    return pairs


def _open_file(file: Path) -> tuple[ParquetSource, pa.Schema]:
    source, schema = open_parquet_source(file)
    check_digits(file, schema)
    return source, schema


def _check_columns(table: str, schemas: Sequence[pa.Schema], names: Sequence[str]) -> None:
    """Stop unless all files have the same columns in the same types, or all missing."""
    other = sum(set(schema.names) != set(names) for schema in schemas)
    if other:
        verb = "has" if other == 1 else "have"
        what = f"{other:,} of its {len(schemas):,} files {verb} other columns than the first"
        raise SourceError(table, what, "Write all files with the same columns.")
    for name in names:
        kinds = {_get_plain_type(schema.field(name).type) for schema in schemas} - {pa.null()}
        if len(kinds) > 1:
            what = f"column '{name}' has {len(kinds)} types in its files"
            raise SourceError(table, what, "Write all files with the same types.")


def _get_plain_type(kind: pa.DataType) -> pa.DataType:
    """The type as the engine gives it: categories are plain values."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return pa.string() if pa.types.is_large_string(kind) else kind


# A release as a folder of Parquet files.


ROWS_PER_FILE = 4_000_000


def save_folder(folder: Path, names: Sequence[str], batches: pa.RecordBatchReader) -> None:
    """Write rows into an empty folder as Parquet files of some million rows each."""
    waiting = next(iter(batches), None)
    number = 0
    while waiting is not None or number == 0:
        path = folder / f"part-{number:05}.parquet"
        rows = _RowsOfFile(batches, waiting)
        with path.open("w+b") as file:
            ParquetSink().save(file, path, names, rows.open_reader())
            file.flush()
            os.fsync(file.fileno())
        waiting, number = rows.left, number + 1


class _RowsOfFile:
    """The batches of one file, up to some million rows, and the first of the next."""

    def __init__(self, batches: pa.RecordBatchReader, first: pa.RecordBatch | None) -> None:
        self._batches, self._first = batches, first
        self.left: pa.RecordBatch | None = None

    def open_reader(self) -> pa.RecordBatchReader:
        return pa.RecordBatchReader.from_batches(self._batches.schema, self._read())

    def _read(self) -> Iterator[pa.RecordBatch]:
        batch, rows = self._first, 0
        while batch is not None:
            yield batch
            rows += batch.num_rows
            batch = next(iter(self._batches), None)
            if rows >= ROWS_PER_FILE:
                self.left = batch
                return


# A release as folders that are named by the values of some columns (``zip=0213%2A``).


MOST_PARTITIONS = 500
ROWS_HELD = 4_000_000
"""Rows that wait to be written, so that files of partitions are not too small."""
LONGEST_NAME = 255
"""Bytes of a name that every file system takes."""
QUOTED = frozenset("\"#%'*/:=?\\{[]^<>|\x7f" + "".join(map(chr, range(32))))
"""What is written as %XX in the name of a folder: as Hive and Spark do, and as they read it."""


def save_partitions(
    folder: Path, names: Sequence[str], batches: pa.RecordBatchReader, by: Sequence[str]
) -> None:
    """Write rows into an empty folder, one folder in it for each combination of values of ``by``.

    The files have the other columns. Rows of a folder are in the order in which they come.
    """
    waiting: dict[tuple[str | None, ...], list[pa.RecordBatch]] = {}
    held, files = dict[tuple[str | None, ...], int](), dict[tuple[str | None, ...], int]()

    def save(values: tuple[str | None, ...]) -> None:
        place = _make_folders(folder, by, values)
        path = place / f"part-{files[values]:05}.parquet"
        with path.open("w+b") as file:
            rows = _encode_anew(pa.Table.from_batches(waiting.pop(values)))
            ParquetSink().save(file, path, rows.schema.names, rows.to_reader())
            file.flush()
            os.fsync(file.fileno())
        sync_folder(place)
        held[values] = 0
        files[values] += 1

    for batch in batches:
        for values, rows in _split_rows(batch.rename_columns(names), by):
            waiting.setdefault(values, []).append(rows)
            held[values] = held.get(values, 0) + rows.num_rows
            files.setdefault(values, 0)
        if len(files) > MOST_PARTITIONS:
            what = f"they have more than {MOST_PARTITIONS} different combinations of values"
            fix = "Choose fewer columns, or columns that are released more coarsely."
            raise WriteError(f"folders by {', '.join(by)}", what, fix)
        if sum(held.values()) > ROWS_HELD:
            for values in sorted(held, key=held.__getitem__, reverse=True):
                if sum(held.values()) <= ROWS_HELD // 2:
                    break
                save(values)
    for values in [*waiting]:
        save(values)


def check_partition(table: str, columns: Sequence[str], by: Sequence[str]) -> None:
    """Refuse columns by which a release cannot be put into folders."""
    for name in by:
        if name not in columns:
            raise UnknownColumnError(table, name, columns)
    subject = argument("partition_by")
    if len({*by}) < len(by):
        raise ArgumentError("partition_by", "a column is named twice", f"Drop one {subject}.")
    if len(by) == len(columns):
        what = "all released columns would be in the names of folders, and none in the files"
        raise ArgumentError("partition_by", what, "Name fewer columns.")


def _split_rows(
    batch: pa.RecordBatch, by: Sequence[str]
) -> Iterator[tuple[tuple[str | None, ...], pa.RecordBatch]]:
    """The rows of each combination of values, without these columns, in their order."""
    number = np.zeros(batch.num_rows, dtype=np.int64)
    texts = []
    for name in by:
        column = batch.column(name)
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        coded = column.cast(pa.string()).dictionary_encode(null_encoding="encode")
        codes = coded.indices.to_numpy(zero_copy_only=False)
        number = np.unique(number * len(coded.dictionary) + codes, return_inverse=True)[1]
        texts.append(coded)
    order = np.argsort(number, kind="stable")
    starts = np.searchsorted(number[order], np.arange(int(number.max(initial=-1)) + 2))
    others = batch.select([name for name in batch.schema.names if name not in by])
    rows = others.take(pa.array(order))
    for start, end in pairwise(starts.tolist()):
        values = tuple(coded[int(order[start])].as_py() or None for coded in texts)
        yield values, rows.slice(start, end - start)


def _encode_anew(rows: pa.Table) -> pa.Table:
    """Dictionaries with the values of these rows alone."""
    for place, field in enumerate(rows.schema):
        if pa.types.is_dictionary(field.type):
            cells = rows.column(place).cast(field.type.value_type).combine_chunks()
            rows = rows.set_column(place, field.name, cells.dictionary_encode())
    return rows.combine_chunks()


def _make_folders(folder: Path, by: Sequence[str], values: Sequence[str | None]) -> Path:
    """The folder of a combination of values."""
    for name, value in zip(by, values, strict=True):
        part = f"{quote_name(name)}={MISSING if value is None else quote_name(value)}"
        if len(part.encode()) > LONGEST_NAME:
            what = f"a released value is too long for the name of a folder ({LONGEST_NAME} bytes)"
            raise WriteError(f"folders by {name}", what, "Choose other columns.")
        above, folder = folder, folder / part
        if not folder.exists():
            folder.mkdir()
            sync_folder(above)
    return folder


def quote_name(text: str) -> str:
    """A text as the name of a folder holds it; ``unquote`` gives it back.

    >>> quote_name("02138"), quote_name("[20, 30["), quote_name("0213*")
    ('02138', '%5B20, 30%5B', '0213%2A')
    """
    if text in (MISSING, ".", "..") or text.startswith(("_", ".")):
        return f"%{ord(text[0]):02X}{quote_name(text[1:]) if text[1:] else ''}"
    return "".join(f"%{ord(one):02X}" if one in QUOTED else one for one in text)
