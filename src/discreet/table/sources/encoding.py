"""In which encoding a file was saved, found from its bytes."""

from __future__ import annotations

import codecs
from pathlib import Path

from discreet.errors import EmptyTableError, SourceError
from discreet.table.dialect import Compression
from discreet.table.sources.blocks import byte_blocks

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
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls)", ".xlsx, saved anew from Excel"),
)
CONTROL = b"\x00\x05\x06\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19"
ASSUMED = "cp1252"


def named_encoding(name: str, encoding: str, start: bytes) -> str:
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


def first_bytes(path: Path, compression: Compression) -> bytes:
    """The beginning of the unpacked file; an empty file is an error."""
    start = next(byte_blocks(path, compression, SAMPLE), b"")
    if not start:
        raise EmptyTableError(path.name)
    return start


def likely_encodings(name: str, start: bytes) -> list[str]:
    """The encodings to try in turn, until one fits all bytes of the file.

    A byte-order mark decides; else UTF-8, which other text hardly ever happens to be; else
    Windows-1252, the usual case of a file saved by an older program in the West, which is then
    only assumed and must be told.
    """
    for mark, encoding in MARKS:
        if start.startswith(mark):
            return [encoding]
    refuse_binary(name, start)
    wide = _wide(start)
    return ["utf-8", ASSUMED] if wide is None else [wide]


def refuse_binary(name: str, start: bytes) -> None:
    """Stop at files that are no text, and say what they are where that is known."""
    for magic, kind, ending in MAGIC:
        if start.startswith(magic):
            raise SourceError(
                name, f"this is {kind}, not text", f"Give the file the ending {ending}."
            )
    if _wide(start) is None and start.translate(None, CONTROL) != start:
        raise SourceError(
            name,
            "this is not a text file: it holds bytes that no text has",
            "Save it as CSV, Parquet or Excel, or name its encoding.",
        )


def _wide(start: bytes) -> str | None:
    """UTF-16 without a mark: every other byte of Western text is zero."""
    head = start[:4096]
    even, odd = head[::2].count(0), head[1::2].count(0)
    enough = len(head) // 4
    if odd > enough and even == 0:
        return "utf-16-le"
    if even > enough and odd == 0:
        return "utf-16-be"
    return None
