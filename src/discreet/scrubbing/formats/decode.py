"""From bytes to text and back, by the rules for CSV files; undecodable bytes are counted."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from discreet.display import dataclass
from discreet.table.files.text import ASSUMED, list_likely_encodings

LOST = "\ufffd"
"""Replaces bytes that are not valid in the encoding of a document."""

UNDECODABLE = "stretches of undecodable bytes, marked"

_CHARSET = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?([A-Za-z0-9_.:-]+)")


@dataclass(frozen=True)
class Decoded:
    """A text, its encoding, and how many runs of bytes could not be decoded."""

    text: str
    encoding: str
    lost: int = 0

    @property
    def assumed(self) -> bool:
        """Whether the encoding is only a guess."""
        return self.encoding == ASSUMED

    def encode(self, text: str, errors: str = "replace") -> bytes:
        """A changed text in the same encoding."""
        return text.encode(self.encoding, errors)


def decode(data: bytes, name: str, declared: bool = False) -> Decoded:
    """The text of a document held in memory; with ``declared``, markup may name its encoding."""
    encoding = (_find_declared(data) if declared else None) or find_encoding(name, [data])
    text = data.decode(encoding, "replace")
    return Decoded(text, encoding, _count_lost(text, data, encoding))


def is_other(start: str) -> bool:
    """Whether a text is source that encodes what people read in other letters: RTF, PDF.

    Examples
    --------
    >>> is_other("{\\\\rtf1 J\\\\'6fhn}"), is_other("Dear John,")
    (True, False)
    """
    return start.lstrip("\ufeff \t\r\n").startswith(("{\\rtf", "%PDF-", "%!PS"))


def find_encoding(name: str, blocks: Iterable[bytes], whole: bool = True) -> str:
    """The first likely encoding in which all blocks can be decoded; UTF-8 if there is none.

    Unless ``whole``, the blocks may end within a letter. Raises SourceError for binary data.
    """
    blocks = iter(blocks)
    start = next(blocks, b"")
    candidates = list_likely_encodings(name, start)
    decoders = {codec: codecs.getincrementaldecoder(codec)() for codec in candidates}
    for block, last in _mark_last(chain([start], blocks)):
        for codec in list(decoders):
            try:
                decoders[codec].decode(block, last and whole)
            except UnicodeError:
                del decoders[codec]
    return next(iter(decoders), candidates[0])


@dataclass
class TextBlocks:
    """The text of a stream, block by block; ``lost`` counts what could not be decoded so far."""

    blocks: Iterable[bytes]
    encoding: str
    lost: int = 0

    def __iter__(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder(self.encoding)("replace")
        for block, last in _mark_last(self.blocks):
            text = decoder.decode(block, last)
            self.lost += _count_lost(text, block, self.encoding)
            yield text


def make_encoder(encoding: str) -> codecs.IncrementalEncoder:
    """An encoder that writes text piece by piece, with a byte-order mark only once."""
    return codecs.getincrementalencoder(encoding)("replace")


def _count_lost(text: str, data: bytes, encoding: str) -> int:
    """Undecodable runs; a replacement mark that was already in the text does not count."""
    found = text.count(LOST)
    if not found:
        return 0
    there = data.count(LOST.encode()) if encoding.startswith("utf-8") else 0
    return max(found - there, 0)


def _find_declared(data: bytes) -> str | None:
    """The encoding that the markup declares, if it is known and fits."""
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return None
    named = _CHARSET.search(data[:2048])
    if named is None:
        return None
    try:
        codec = codecs.lookup(named[1].decode()).name
        data.decode(codec)
    except (LookupError, UnicodeError, ValueError):
        return None
    return codec


def _mark_last(blocks: Iterable[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Each block, and whether it is the last."""
    before: bytes | None = None
    for block in blocks:
        if before is not None:
            yield before, False
        before = block
    yield before or b"", True
