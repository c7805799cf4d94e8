"""CSV files, written in the dialect of the source."""

from __future__ import annotations

import codecs
import gzip
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from discreet.display import dataclass
from discreet.table.dialect import Compression, Dialect
from discreet.table.engine import literal
from discreet.table.sinks.sink import as_text, line_bytes
from discreet.table.sources.blocks import byte_blocks

UTF8 = ("utf-8", "utf-8-sig")


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
        fields = [self._field(number, kind, len(types)) for number, kind in enumerate(types)]
        separator = literal(self.dialect.separator)
        line_end = ", ".join(f"chr({ord(letter)})" for letter in self.dialect.line_end)
        return [f"concat({f', {separator}, '.join(fields)}, {line_end})"]

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        marks = self._marks(len(names))
        head = self.dialect.separator.join(self._name(name, marks) for name in names)
        mark = codecs.BOM_UTF8 if self.dialect.encoding == "utf-8-sig" else b""
        with packed(file, self.dialect.compression) as out:
            out.write(mark + (head + self.dialect.line_end).encode())
            for lines in line_bytes(batches):
                out.write(lines)
        if self.dialect.encoding not in UTF8:
            self._transcode(file, path)

    def _field(self, number: int, kind: pa.DataType, columns: int) -> str:
        text, quote = as_text(number, kind), literal(self.quote)
        marks = self._marks(columns)
        odd = " OR ".join(f"contains({text}, chr({ord(mark)}))" for mark in marks)
        quoted = f"{quote} || replace({text}, {quote}, {literal(self.quote * 2)}) || {quote}"
        missing = literal(self.quote * 2 if columns == 1 else "")
        return (
            f"CASE WHEN {text} IS NULL THEN {missing} WHEN {text} = '' OR {odd} "
            f"THEN {quoted} ELSE {text} END"
        )

    def _marks(self, columns: int) -> str:
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
                with packed(other, self.dialect.compression) as out:
                    for block in byte_blocks(path, self.dialect.compression):
                        out.write(encoder.encode(decoder.decode(block)))
            except UnicodeEncodeError:
                return
            other.seek(0)
            file.seek(0)
            file.truncate()
            shutil.copyfileobj(other, file, 1 << 22)
            file.flush()


@contextmanager
def packed(
    file: BinaryIO, compression: Compression
) -> Iterator[pa.NativeFile | gzip.GzipFile | BinaryIO]:
    """The file, with everything written to it packed on the way; flushed at the end."""
    if compression == "none":
        yield file
    elif compression == "gzip":  # no name and no time inside: the same rows give the same bytes
        with gzip.GzipFile("", "wb", compresslevel=5, fileobj=file, mtime=0) as out:
            yield out
    else:
        file.flush()
        with (
            os.fdopen(os.dup(file.fileno()), "wb") as twin,  # the packer closes what it writes to
            pa.CompressedOutputStream(pa.PythonFile(twin, mode="w"), compression) as out,
        ):
            yield out
    file.flush()
