"""The text of a file as UTF-8 blocks, whatever its packing and encoding, in bounded memory."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from discreet.display import dataclass
from discreet.errors import EmptyTableError, SourceError, argument
from discreet.input_file import MEGABYTE, RAISED, read_raised_limit
from discreet.table.files.archive import ARCHIVE_ERRORS, open_only_file

# How a CSV file is written: what a release must repeat to look like its source.


Compression = Literal["none", "gzip", "zstd", "bz2", "zip"]
PACKING: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2", ".zip": "zip"}
"""How a file is packed, by its last ending."""


@dataclass(frozen=True)
class Dialect:
    """The way a CSV file is written, so that its release can be opened in the same way.

    `quote` is empty when the file has no quoting at all. `encoding` is a Python codec name;
    `utf-8-sig` is UTF-8 with a byte-order mark.

    >>> Dialect().separator
    ','
    """

    separator: str = ","
    quote: str = '"'
    encoding: str = "utf-8"
    line_end: str = "\n"
    compression: Compression = "none"


BLOCK = 1 << 22
MOST_PACKED, UNSUSPICIOUS = 200, 256 * MEGABYTE
"""How many times its size a packed table may unpack to, and what it may have in any case."""
MARK = "\ufeff"


def read_byte_blocks(path: Path, compression: Compression, size: int = BLOCK) -> Iterator[bytes]:
    """The unpacked bytes of a file, a few megabytes at a time."""
    import pyarrow as pa  # scrubbed text does without

    damaged, unpacked = False, 0
    most = max(UNSUSPICIOUS, MOST_PACKED * path.stat().st_size, read_raised_limit() * MEGABYTE)
    if compression == "zip":
        opened: Any = open_only_file(path)
    else:
        packing = None if compression == "none" else compression
        opened = pa.input_stream(str(path), compression=packing, buffer_size=BLOCK)
    with opened as file:
        while True:
            try:
                block = file.read(size)
            except (OSError, pa.ArrowException, *ARCHIVE_ERRORS):
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


def read_utf8_blocks(
    path: Path, compression: Compression, encoding: str, *, assumed: bool = False
) -> Iterator[bytes]:
    """The text of a file as UTF-8, checked, without a byte-order mark.

    A line that is not in the encoding raises an EncodingError with its number.
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    plain = encoding in ("utf-8", "utf-8-sig")
    line, first, bad = 1, True, False
    for block in read_byte_blocks(path, compression):
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
        bad = not _is_complete(decoder)
    if bad:
        raise EncodingError(path.name, encoding, line, assumed)


class EncodingError(SourceError):
    """The bytes of a file are not text in the encoding that was named or found."""

    def __init__(self, name: object, encoding: str, line: int | None, assumed: bool) -> None:
        where = f"line {line}" if line else "the file"
        tried = "neither UTF-8 nor Windows-1252 text" if assumed else f"not {encoding} text"
        super().__init__(
            name,
            f"{where} is {tried}",
            f"Name the {argument('encoding')} it was saved in, such as iso-8859-15 or cp437.",
        )


def skip_blank_lines(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The same text without the blank lines that it starts with."""
    started = False
    for block in blocks:
        text = block if started else block.lstrip(b"\r\n")
        started = started or bool(text)
        if text:
            yield text


def _is_complete(decoder: codecs.IncrementalDecoder) -> bool:
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


# In which encoding a file was saved, found from its bytes.


SAMPLE = 1 << 20

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
MAGIC = (
    (b"PK\x03\x04", "an Excel workbook or zip archive", ".xlsx"),
    (b"PAR1", "a Parquet file", ".parquet"),
    (b"ARROW1", "an Arrow file", ".feather"),
    (b"SQLite format 3\x00", "a SQLite database", ".sqlite"),
    (b"\x1f\x8b", "gzip data", ".csv.gz"),
    (b"\x28\xb5\x2f\xfd", "zstd data", ".csv.zst"),
    (b"BZh", "bzip2 data", ".csv.bz2"),
    (b"$FL", "an SPSS file", ".sav"),
    (b"<stata_dta>", "a Stata file", ".dta"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls)", ".xlsx, saved anew from Excel"),
)
CONTROL = b"\x00\x05\x06\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19"
ASSUMED = "cp1252"


def find_encoding(name: str, encoding: str, start: bytes) -> str:
    """The codec a data holder means, or an error that says that there is none."""
    try:
        codec = codecs.lookup(encoding).name
        "".encode(codec)
    except (LookupError, TypeError):
        raise SourceError(
            name,
            f"the encoding {encoding!r} is not known",
            "Common ones are utf-8, utf-16, cp1252 (Windows), iso-8859-1 and cp437.",
        ) from None
    if not codec.startswith(("utf-16", "utf-32")):
        refuse_binary(name, start)
    return "utf-8-sig" if codec == "utf-8" and start.startswith(codecs.BOM_UTF8) else codec


def read_first_bytes(path: Path, compression: Compression) -> bytes:
    """The beginning of the unpacked file; an empty file is an error."""
    start = next(read_byte_blocks(path, compression, SAMPLE), b"")
    if not start:
        raise EmptyTableError(path.name)
    return start


def list_likely_encodings(name: str, start: bytes) -> list[str]:
    """The encodings to try in turn, until one fits all bytes of the file.

    A byte-order mark decides; else UTF-8, which other text hardly ever happens to be; else
    Windows-1252, the usual case of a file saved by an older program in the West, which is then
    only assumed and must be reported.
    """
    for mark, encoding in MARKS:
        if start.startswith(mark):
            return [encoding]
    refuse_binary(name, start)
    wide = _detect_utf16(start)
    return ["utf-8", ASSUMED] if wide is None else [wide]


def refuse_binary(name: str, start: bytes) -> None:
    """Stop at files that are no text, and say what they are where that is known."""
    for magic, kind, ending in MAGIC:
        if start.startswith(magic):
            raise SourceError(
                name, f"this is {kind}, not text", f"Give the file the ending {ending}."
            )
    if _detect_utf16(start) is None and start.translate(None, CONTROL) != start:
        raise SourceError(
            name,
            "this is not a text file: it holds bytes that no text has",
            "Save it as CSV, Parquet or Excel, or name its encoding.",
        )


def _detect_utf16(start: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of Western text is zero."""
    head = start[:4096]
    even, odd = head[::2].count(0), head[1::2].count(0)
    enough = len(head) // 4
    if odd > enough and even == 0:
        return "utf-16-le"
    if even > enough and odd == 0:
        return "utf-16-be"
    return None
