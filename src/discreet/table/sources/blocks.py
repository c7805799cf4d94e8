"""The text of a file as UTF-8 blocks, whatever its packing and encoding, in bounded memory."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import EncodingError, SourceError
from discreet.input_file import MEGABYTE, RAISED, raised_limit
from discreet.table.dialect import Compression

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 1 << 22
MOST_PACKED, UNSUSPICIOUS = 200, 256 * MEGABYTE
"""How many times its size a packed table may unpack to, and what it may have in any case."""
MARK = "\ufeff"


def open_bytes(path: Path, compression: Compression) -> pa.NativeFile:
    """The unpacked bytes of a file."""
    import pyarrow as pa

    return pa.input_stream(
        str(path), compression=None if compression == "none" else compression, buffer_size=BLOCK
    )


def byte_blocks(path: Path, compression: Compression, size: int = BLOCK) -> Iterator[bytes]:
    """The unpacked bytes of a file, a few megabytes at a time."""
    import pyarrow as pa

    damaged, unpacked = False, 0
    most = max(UNSUSPICIOUS, MOST_PACKED * path.stat().st_size, raised_limit() * MEGABYTE)
    with open_bytes(path, compression) as file:
        while True:
            try:
                block = file.read(size)
            except (OSError, pa.ArrowException):
                damaged = True
                break
            if not block:
                return
            unpacked += len(block)
            if compression != "none" and unpacked > most:
                break
            yield block
    if not damaged:
        what = f"it unpacks to more than {MOST_PACKED} times its size, which no usual table does"
        fix = f"Unpack it and look at it; or allow more megabytes with {RAISED} in the environment."
        raise SourceError(path.name, what, fix)
    if damaged:
        raise SourceError(
            path.name,
            f"the file cannot be read to its end as {compression} data"
            if compression != "none"
            else "the file cannot be read to its end",
            "It may be damaged or cut off; make or copy it again.",
        )


def utf8_blocks(
    path: Path, compression: Compression, encoding: str, *, assumed: bool = False
) -> Iterator[bytes]:
    """The text of a file as UTF-8, checked, without a byte-order mark.

    A line that is not in the encoding raises an EncodingError with its number.
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    plain = encoding in ("utf-8", "utf-8-sig")
    line, first, bad = 1, True, False
    for block in byte_blocks(path, compression):
        if plain and not first and block.isascii() and decoder.getstate()[0] == b"":
            line += block.count(b"\n")
            yield block
            continue
        try:
            text = decoder.decode(block)
        except UnicodeError as error:
            if isinstance(error, UnicodeDecodeError):
                line += error.object[: error.start].count(b"\n")
            bad = True
            break
        text = text.removeprefix(MARK) if first else text
        first = False
        encoded = text.encode()
        line += encoded.count(b"\n")
        yield encoded
    if not bad:
        bad = not _complete(decoder)
    if bad:
        raise EncodingError(path.name, encoding, line, assumed)


def from_first_line(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The same text without the blank lines that it starts with."""
    started = False
    for block in blocks:
        text = block if started else block.lstrip(b"\r\n")
        started = started or bool(text)
        if text:
            yield text


def _complete(decoder: codecs.IncrementalDecoder) -> bool:
    try:
        decoder.decode(b"", final=True)
    except UnicodeError:
        return False
    return True


class BlockFile(io.RawIOBase):
    """UTF-8 blocks as a file that can only be read forward."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        super().__init__()
        self._blocks = blocks
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._rest = memoryview(block)
        size = min(len(buffer), len(self._rest))
        buffer[:size] = self._rest[:size]
        self._rest = self._rest[size:]
        return size
