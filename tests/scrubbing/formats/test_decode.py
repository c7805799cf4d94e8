"""Bytes become text by the rules for CSV files, and what is no text is counted."""

from __future__ import annotations

import codecs

import pytest

from discreet.errors import SourceError
from discreet.scrubbing.formats.decode import TextBlocks, decode, find_encoding, make_encoder

NAME = "Zoë Grävés"


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (NAME.encode(), "utf-8"),
        (codecs.BOM_UTF8 + NAME.encode(), "utf-8-sig"),
        (NAME.encode("utf-16"), "utf-16"),
        (NAME.encode("cp1252"), "cp1252"),
        (("Ann Lee " * 9).encode("utf-16-le"), "utf-16-le"),
    ],
)
def test_text_comes_back_as_the_same_bytes(data: bytes, encoding: str) -> None:
    decoded = decode(data, "x")
    assert decoded.encoding == encoding
    assert decoded.encode(decoded.text) == data
    blocks = [data[n : n + 1] for n in range(len(data))]
    stream = TextBlocks(blocks, find_encoding("x", blocks if encoding != "utf-16-le" else [data]))
    write = make_encoder(stream.encoding)
    assert b"".join(write.encode(text) for text in stream) == data
    assert stream.lost == decoded.lost == 0


def test_undecodable_bytes_are_counted_and_marked() -> None:
    decoded = decode(b"Ann \x81 Lee \x8d\xc3\xa4 \xef\xbf\xbd", "x")
    assert decoded.text == "Ann \ufffd Lee \ufffdä \ufffd"
    assert decoded.lost == 2  # the third was in the text


def test_markup_may_name_its_encoding() -> None:
    page = '<meta charset="iso-8859-7"><p>Νίκος'.encode("iso-8859-7")
    assert decode(page, "x", declared=True).text.endswith("Νίκος")


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(SourceError, match="not a text file"):
        decode(b"a\x00b\x01", "x")


def test_a_letter_on_the_end_of_the_beginning_of_a_pipe_is_no_error() -> None:
    start = "Zoë".encode()[:-1]
    assert find_encoding("x", [start], whole=False) == "utf-8"
