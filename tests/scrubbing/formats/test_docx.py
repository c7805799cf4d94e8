"""DOCX: every text is found wherever it stands, and the rest of the file is as it was."""

from __future__ import annotations

import contextlib
import io
import re
import zipfile
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from discreet.errors import SourceError
from discreet.scrubbing.formats.docx import open_docx

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
    start = DOCUMENT[: DOCUMENT.index("Fra")].replace("00A1", "00000000")
    assert document.startswith(start)
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


WHO = "Dr. Frank Graves"
HIDDEN = {
    "word/document.xml": f"<w:document {W}><!-- {WHO} --><?by {WHO}?><w:body><w:p>"
    '<w:bookmarkStart w:id="0" w:name="Frank_Graves"/><w:r><w:t>Dear Dr. Frank Graves</w:t></w:r>'
    '<w:hyperlink w:anchor="Frank_Graves"><w:r><w:t>see</w:t></w:r></w:hyperlink>'
    '<w:pPr><w:pStyle w:val="FrankGraves"/></w:pPr>'
    "<w:r><w:instrText>REF Frank_Graves \\h</w:instrText></w:r>"
    '<w:fldChar><w:ffData><w:name w:val="FrankGraves"/><w:textInput>'
    f'<w:default w:val="{WHO}"/></w:textInput><w:ddList><w:listEntry w:val="{WHO}"/></w:ddList>'
    f'</w:ffData></w:fldChar><w:sdt><w:listItem w:displayText="{WHO}" w:value="{WHO}"/>'
    '<w:date w:fullDate="1994-03-03T00:00:00Z"/></w:sdt>'
    '<w:ins w:author="Frank" w:date="1994-03-03T00:00:00Z" w16du:dateUtc="1994-03-03T00:00:00Z"/>'
    '<wp:docPr id="1" name="Frank Graves"/><pic:cNvPr id="1" name="C:\\Frank Graves.jpg"/>'
    f'<v:shape alt="{WHO}"><v:textpath string="{WHO}"/><v:imagedata o:title="{WHO}" '
    f'o:href="file:///c:/Frank%20Graves.jpg"/></v:shape><w:attr w:name="x" w:val="{WHO}"/>'
    "</w:p></w:body></w:document>",
    "word/styles.xml": f'<w:styles {W}><w:style w:type="paragraph" w:customStyle="1" '
    'w:styleId="FrankGraves"><w:name w:val="Frank Graves"/><w:basedOn w:val="Normal"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Normal"><w:name w:val="Normal"/>'
    '<w:next w:val="FrankGraves"/></w:style></w:styles>',
    "word/settings.xml": f'<w:settings {W}><w:docVar w:name="Patient" w:val="{WHO}"/>'
    '<w:query w:val="select Frank"/><w:connectString w:val="UID=Frank"/></w:settings>',
    "word/_rels/document.xml.rels": "<Relationships><Relationship Id='b' "
    "Target='file:///c:/Users/Frank%20Graves/x.dot' TargetMode='External'/>"
    '<Relationship Id="c" Target="media/Frank_Graves.jpg"/></Relationships>',
    "word/media/Frank_Graves.jpg": "a photograph",
    "docProps/app.xml": "<Properties><Template>C:\\Frank Graves\\n.dotm</Template></Properties>",
    "docProps/custom.xml": f'<Properties><property name="{WHO}"/></Properties>',
    "customXml/item1.xml": f'<patient name="{WHO}"/>',
}


@pytest.mark.parametrize("prefix", ["w:", "ns0:"])
def test_names_are_found_where_nobody_looks(scrub: Callable[..., Any], prefix: str) -> None:
    """Any program may choose its own prefix for the name space of Word."""
    parts = {name: text.replace("w:", prefix) for name, text in HIDDEN.items()}
    for name, data in _unpacked(scrub({"a.docx": _packed(parts)}).bytes).items():
        left = [
            word for word in ("Frank", "Graves", "1994") if word in name + data.decode("latin-1")
        ]
        assert not left, name


def test_bookmarks_and_pictures_are_still_found_by_their_new_names(
    scrub: Callable[..., Any],
) -> None:
    parts = _unpacked(scrub({"a.docx": _packed(HIDDEN)}).bytes)
    document = parts["word/document.xml"].decode()
    assert document.count('"mark1"') == 2 and "REF mark1" in document
    assert '<w:pStyle w:val="Style1"/>' in document
    styles = parts["word/styles.xml"].decode()
    assert 'w:styleId="Style1"><w:name w:val="Style1"/>' in styles
    assert '<w:name w:val="Normal"/><w:next w:val="Style1"/>' in styles
    assert "word/media/file1.jpg" in parts
    assert b'Target="media/file1.jpg"' in parts["word/_rels/document.xml.rels"]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04broken", _packed({"a.txt": "x"})])
def test_what_is_no_docx_is_refused(data: bytes) -> None:
    with pytest.raises(SourceError, match="DOCX"):
        open_docx(data, "a.docx")


NASTY = {
    "word/Mary Miller.xml": f"{HEAD}<w:a {W}><w:p><w:r><w:t>Mary Miller</w:t></w:r></w:p></w:a>",
    "word/_rels/Mary Miller.xml.rels": f"{HEAD}<Relationships/>",
    "Mary Miller.xml": f"{HEAD}<a/>",
    "../../Mary Miller.xml": f"{HEAD}<a/>",
    "/Mary Miller.xml": f"{HEAD}<a/>",
    "word\\Mary Miller.xml": f"{HEAD}<a/>",
    "C:/Mary Miller/x.xml": f"{HEAD}<a/>",
    "word/Mary Miller/x.xml": f"{HEAD}<a/>",
    "word/media/image1.Miller": "x",
    "word/embeddings/Mary Miller.docx": "x",
    "docProps/thumbnail.jpeg": "x",
    "word/people.xml": f'{HEAD}<w15:people><w15:person w15:author="Mary Miller"/></w15:people>',
    "[Content_Types].xml": f'{HEAD}<Types><Default Extension="Miller" ContentType="image/x"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" ContentType="a"/>'
    '<Override PartName="/word/Mary%20Miller.xml" ContentType="a"/>'
    '<Override PartName="/word/gone/Mary Miller.xml" ContentType="a"/></Types>',
    "word/_rels/document.xml.rels": f'{HEAD}<Relationships><Relationship Id="rId1" Target="Mary'
    '%20Miller.xml"/><Relationship Id="rId2" Target="../../../Mary Miller.xml"/><Relationship '
    'Id="rId3" Target="gone/Mary Miller.xml"/><Relationship Id="rId4" Target="header1.xml"/>'
    '<Relationship Id="rId5" Target="media/image1.Miller"/></Relationships>',
}


def test_names_of_members_do_not_come_out_as_they_went_in() -> None:
    docx = open_docx(_packed({**PARTS, **NASTY}), "a.docx")
    new = _unpacked(docx.encode([part.replace("Mary Miller", "-") for part in docx.flow.parts]))
    for name, data in new.items():
        assert "Mary" not in name and "Miller" not in name and ".." not in name
        assert not name.startswith("/") and "\\" not in name and ":" not in name
        if name.endswith((".rels", "[Content_Types].xml")):
            assert b"Mary" not in data and b"Miller" not in data
    assert docx.flow.removed["parts in places of their own"] == 5


def test_links_between_members_lead_where_they_led() -> None:
    docx = open_docx(_packed({**PARTS, **NASTY}), "a.docx")
    new = _unpacked(docx.encode(docx.flow.parts))
    links = new["word/_rels/document.xml.rels"].decode()
    targets = re.findall(r'Id="(rId\d)" Target="([^"]+)"', links)
    assert [number for number, _ in targets] == ["rId1", "rId4", "rId5"]
    assert all(f"word/{target}" in new for _, target in targets)
    assert b"Mary" in new[f"word/{targets[0][1]}"], "the text of the part is in it"
    parts = re.findall(r'PartName="/([^"]+)"', new["[Content_Types].xml"].decode())
    assert len(parts) == 2 and all(part in new for part in parts)
    endings = re.findall(r'Extension="([^"]+)"', new["[Content_Types].xml"].decode())
    assert endings == ["bin", "xml"]


def test_a_member_that_is_there_twice_comes_out_once(scrub: Callable[..., Any]) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed, pytest.warns(UserWarning, match="Duplicate"):
        for name, text in [*PARTS.items(), ("word/document.xml", DOCUMENT)]:
            packed.writestr(name, text)
    docx = open_docx(file.getvalue(), "a.docx")
    with zipfile.ZipFile(io.BytesIO(docx.encode(docx.flow.parts))) as packed:
        assert packed.namelist().count("word/document.xml") == 1


def _with_flag(data: bytes, flag: int, method: int = 8) -> bytes:
    """The archive with a flag (locked) and a way of packing in every header."""
    made = bytearray(data)
    for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = made.find(mark)
        while at >= 0:
            made[at + place] |= flag
            made[at + place + 2] = method
            at = made.find(mark, at + 4)
    return bytes(made)


SOUND = _packed(PARTS)
PACKED = io.BytesIO()
with zipfile.ZipFile(PACKED, "w", zipfile.ZIP_DEFLATED) as _file:
    for _name, _text in PARTS.items():
        _file.writestr(_name, _text * 3 if _name.endswith("png") else _text)
DAMAGED = {
    "cut off": SOUND[: len(SOUND) // 2],
    "empty": b"",
    "no archive": b"Dr. Frank Graves",
    "no document": _packed({"word/styles.xml": "<a/>", "[Content_Types].xml": "<a/>"}),
    "no parts": _packed({}),
    "bad XML": _packed({**PARTS, "word/document.xml": "<w:document><w:p>Frank Graves</w:q>"}),
    "entities": _packed(
        {**PARTS, "word/document.xml": "<!DOCTYPE a [<!ENTITY b 'Frank'>]><a>&b;</a>"}
    ),
    "bad bytes": SOUND.replace(b"Frank", b"Fr\xffnk"),
    "bad sum": SOUND.replace(b"seen", b"sean"),
    "locked": _with_flag(PACKED.getvalue(), 1),
    "packed in a new way": _with_flag(PACKED.getvalue(), 0, 99),
    "packed with LZMA, or so it says": _with_flag(PACKED.getvalue(), 0, 14),
    "packed with bzip2, or so it says": _with_flag(PACKED.getvalue(), 0, 12),
    "damaged inside": PACKED.getvalue()[:60] + b"\xff" * 200 + PACKED.getvalue()[260:],
}


@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_file_is_told_of_without_its_words(how: str) -> None:
    with pytest.raises(SourceError) as raised:
        open_docx(DAMAGED[how], "a.docx")
    assert "Frank" not in str(raised.value) and "Graves" not in str(raised.value)


def test_more_text_than_anybody_writes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discreet.scrubbing.formats.docx.LARGEST", 1000)
    with pytest.raises(SourceError, match="when it is unpacked"):
        open_docx(_packed(PARTS), "a.docx")


@pytest.mark.parametrize("seed", range(150))
def test_a_file_with_any_bytes_changed_is_read_or_refused(seed: int) -> None:
    random = Random(seed)
    made = bytearray(PACKED.getvalue())
    for _ in range(random.choice((1, 3, 20))):
        made[random.randrange(len(made))] = random.randrange(256)
    with contextlib.suppress(SourceError):
        docx = open_docx(bytes(made), "a.docx")
        docx.encode(docx.flow.parts)
