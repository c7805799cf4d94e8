"""What every kind of file to write has in common."""

from __future__ import annotations

import bz2
import gzip
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Protocol

import pyarrow as pa

from discreet.table.files.archive import pack_only_file
from discreet.table.files.text import Compression


class Sink(Protocol):
    """A kind of file that a release can be written to."""

    def select(self, types: Sequence[pa.DataType]) -> list[str]:
        """SQL for what is stored of a row, from its columns c0, c1, ... of the given types."""
        ...

    def save(
        self, file: BinaryIO, path: Path, names: Sequence[str], batches: pa.RecordBatchReader
    ) -> None:
        """Write the stored batches; `file` is open on `path`, empty, and will be closed later."""
        ...


def write_as_text(number: int, kind: pa.DataType) -> str:
    """SQL for the text of a column."""
    return f"c{number}" if pa.types.is_string(kind) else f"CAST(c{number} AS VARCHAR)"


def read_line_bytes(batches: Iterator[pa.RecordBatch]) -> Iterator[memoryview]:
    """The bytes of a column of lines, taken from Arrow as they lie in memory."""
    for batch in batches:
        lines = batch.column(0)
        if not len(lines):
            continue
        width = 8 if pa.types.is_large_string(lines.type) else 4
        offsets = memoryview(lines.buffers()[1]).cast("b").cast("q" if width == 8 else "i")
        first, last = offsets[lines.offset], offsets[lines.offset + len(lines)]
        yield memoryview(lines.buffers()[2])[first:last]


@contextmanager
def pack_file(
    file: BinaryIO, compression: Compression, ending: str = ".csv"
) -> Iterator[pa.NativeFile | gzip.GzipFile | bz2.BZ2File | IO[bytes]]:
    """The file, with everything written to it packed on the way; flushed at the end.

    `ending` is that of a file that is put into an archive.
    """
    if compression == "none":
        yield file
    elif compression == "gzip":  # no name and no time inside: the same rows give the same bytes
        with gzip.GzipFile("", "wb", compresslevel=5, fileobj=file, mtime=0) as out:
            yield out
    elif compression == "bz2":
        with bz2.BZ2File(file, "wb") as out:
            yield out
    elif compression == "zip":
        with pack_only_file(file, ending) as out:
            yield out
    else:
        file.flush()
        with (
            os.fdopen(os.dup(file.fileno()), "wb") as twin,  # the packer closes what it writes to
            pa.CompressedOutputStream(pa.PythonFile(twin, mode="w"), compression) as out,
        ):
            yield out
    file.flush()
