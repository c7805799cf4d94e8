"""DOCX: every text is found wherever it stands, and the rest of the file is as it was."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from discreet.errors import SourceError
from discreet.scrub.formats.docx import open_docx

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
DOCUMENT = (
    f"{HEAD}<w:document {W}><w:body>"
    '<w:p w:rsidR="00A1"><w:pPr><w:jc w:val="center"/></w:pPr>'
    "<w:r><w:rPr><w:b/></w:rPr><w:t>Dr. Fra</w:t></w:r><w:r><w:t>nk Gra</w:t></w:r>"
    '<w:r><w:t xml:space="preserve">ves &amp; son </w:t></w:r></w:p>'
    '<w:p><w:ins w:id="1" w:author="Mary Miller" w:date="2024-01-02T10:00:00Z"><w:r><w:t>seen'
    "</w:t></w:r></w:ins><w:r><w:delText>Mr. Gra</w:delText></w:r>"
    "<w:r><w:delText>ves</w:delText></w:r>"
    '<w:r><w:instrText>HYPERLINK "mailto:frank.graves@clinic.org"</w:instrText></w:r></w:p>'
    '<w:p><wp:docPr id="1" name="Picture 1" descr="Photo of Frank Graves"/></w:p>'
    "</w:body></w:document>"
)
PARTS = {
    "[Content_Types].xml": f"{HEAD}<Types/>",
    "word/document.xml": DOCUMENT,
    "word/header1.xml": f"{HEAD}<w:hdr {W}><w:p><w:r><w:t>Frank Graves</w:t></w:r></w:p></w:hdr>",
    "word/comments.xml": f'{HEAD}<w:comments {W}><w:comment w:id="0" w:author="Mary Miller" '
    'w:initials="MM"><w:p><w:r><w:t>ask Frank Graves</w:t></w:r></w:p></w:comment></w:comments>',
    "word/styles.xml": f'{HEAD}<w:styles {W}><w:style w:styleId="Frank Graves"/></w:styles>',
    "word/_rels/document.xml.rels": f'{HEAD}<Relationships><Relationship Id="rId1" '
    'Target="mailto:frank.graves@clinic.org" TargetMode="External"/><Relationship Id="rId2" '
    'Target="header1.xml"/></Relationships>',
    "docProps/core.xml": f"{HEAD}<cp:coreProperties><dc:title>Letter on Frank Graves</dc:title>"
    "<dc:creator>Mary Miller</dc:creator><cp:lastModifiedBy>Mary Miller</cp:lastModifiedBy>"
    "</cp:coreProperties>",
    "docProps/custom.xml": f"{HEAD}<Properties><v>Dr. Frank Graves</v></Properties>",
    "word/media/image1.png": "a photograph",
}


def _packed(parts: dict[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return file.getvalue()


def _unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def test_names_are_found_in_every_part(scrub: Callable[..., Any]) -> None:
    done = scrub({"a.docx": _packed(PARTS)}, style="pseudonym")
    parts = _unpacked(done.bytes)
    assert list(parts) == list(PARTS)
    for name, data in parts.items():
        if name != "word/styles.xml":
            for word in (b"Frank", b"Graves", b"frank", b"Mary", b"Miller", b"MM"):
                assert word not in data, name
    assert done.report.problems == {"pictures and embedded files, emptied": 1}


def test_layout_is_kept(scrub: Callable[..., Any]) -> None:
    parts = _unpacked(scrub({"a.docx": _packed(PARTS)}).bytes)
    document = parts["word/document.xml"].decode()
    assert document.startswith(DOCUMENT[: DOCUMENT.index("Fra")])
    assert "<w:t>Dr. [NAME 1]</w:t></w:r><w:r><w:t></w:t></w:r>" in document
    assert '<w:t xml:space="preserve"> &amp; son </w:t>' in document
    for same in ("[Content_Types].xml", "word/styles.xml"):
        assert parts[same].decode() == PARTS[same]
    assert 'Target="header1.xml"' in parts["word/_rels/document.xml.rels"].decode()


def test_text_is_read_as_paragraphs() -> None:
    flow = open_docx(_packed({"word/document.xml": DOCUMENT}), "a.docx").flow
    assert flow.text.startswith("Dr. Frank Graves & son \nseen\nMr. Graves\nHYPERLINK")
    assert flow.text.endswith("\nPhoto of Frank Graves")


def test_a_file_without_findings_is_the_same_in_all_texts() -> None:
    parts = {"word/document.xml": f"{HEAD}<w:document {W}><w:p><w:t>ok</w:t></w:p></w:document>"}
    docx = open_docx(_packed(parts), "a.docx")
    assert (
        _unpacked(docx.encode(docx.flow.put_back([])))["word/document.xml"].decode()
        == (parts["word/document.xml"])
    )


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04broken", _packed({"a.txt": "x"})])
def test_what_is_no_docx_is_refused(data: bytes) -> None:
    with pytest.raises(SourceError, match="DOCX"):
        open_docx(data, "a.docx")
