"""DOCX: every text of the file, as paragraphs; layout and all other parts stay as they are.

Runs of a paragraph are read as one text, so a name that is split over runs is found. Headers,
footers, notes, comments, text boxes, links, field codes, deleted text, alternative texts and
properties are looked at. Who wrote, changed or commented it is taken out, whoever it is.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from discreet.errors import SourceError
from discreet.scrub.formats.flow import Edit, Flow, Slot
from discreet.scrub.formats.xml import attributes, tokens, xml_flow

LARGEST = 1 << 29
"""Bytes that a file may have when it is unpacked: more is taken for an attack."""

STRUCTURE = re.compile(
    r"\[Content_Types\]\.xml|word/(?:styles|stylesWithEffects|settings|webSettings|fontTable|"
    r"numbering)\.xml|word/theme/.*\.xml"
)
"""Parts that say how a document looks; of these only the authors of changes are taken out."""
TEXT = {"w:t", "a:t", "m:t"}
APART = {"w:delText", "w:instrText", "w:delInstrText"}
"""Texts that are not read with those around them."""
BREAK = {"w:br": "\n", "w:cr": "\n", "w:tab": "\t", "w:noBreakHyphen": "-"}
PARAGRAPH = {"w:p", "a:p", "/w:p", "/a:p", "w:tc", "w:txbxContent"}
AUTHOR = {"w:author", "w:initials", "w15:author", "w:date", "w15:userId", "w15:providerId"}
SAID = {"descr", "title", "w:tooltip", "w:alias", "w:val", "Target"}
"""Attributes that people write; w:val only where the element holds a text."""
WITH_TEXT = {"w:alias", "w:tag", "w:docVar", "w:description", "w:helpText", "w:statusText"}
WHO = {"dc:creator", "cp:lastModifiedBy", "Company", "Manager", "dcterms:created",
       "dcterms:modified", "cp:lastPrinted", "HyperlinkBase"}  # fmt: skip
BLANK = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c02"
    "0000000b4944415478da6364f80f00010501012718e3660000000049454e44ae426082"
)
"""A picture of one clear point, in the place of pictures: what they show is not looked at."""


@dataclass(frozen=True)
class Docx:
    """A DOCX file taken apart: the flow of its texts, and the way back to bytes."""

    flow: Flow
    names: list[str]
    data: bytes

    def encode(self, parts: list[str]) -> bytes:
        """The file with these parts; all others are as they were, pictures blank."""
        new = dict(zip(self.names, parts, strict=True))
        target = io.BytesIO()
        with (
            zipfile.ZipFile(io.BytesIO(self.data)) as old,
            zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed,
        ):
            for entry in old.infolist():
                info = zipfile.ZipInfo(entry.filename)
                info.compress_type = zipfile.ZIP_DEFLATED
                if entry.filename in new:
                    packed.writestr(info, new[entry.filename].encode("utf-8"))
                elif _is_xml(entry.filename):
                    packed.writestr(info, old.read(entry))
                elif not entry.is_dir():
                    packed.writestr(info, BLANK if "/media/" in entry.filename else b"")
        return target.getvalue()


def open_docx(data: bytes, name: str) -> Docx:
    """Take a DOCX file apart."""
    flow = Flow([], [])
    names: list[str] = []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            _check_size(packed, name)
            for entry in packed.namelist():
                if _is_xml(entry) and entry != "[Content_Types].xml":
                    source = _source(packed.read(entry))
                    names.append(entry)
                    _add(flow, _part_flow(entry)(source, len(flow.parts)), source)
                elif not _is_xml(entry) and not entry.endswith("/"):
                    flow.problems["pictures and embedded files, emptied"] += 1
    except (zipfile.BadZipFile, RuntimeError, UnicodeError, EOFError, NotImplementedError):
        what = "this is not a DOCX file, or it is damaged or locked"
        raise SourceError(name, what, "Open and save it anew, without a password.") from None
    if not any(entry.startswith("word/") for entry in names):
        raise SourceError(
            name, "this is not a DOCX file", "Give it the ending that it should have."
        )
    return Docx(flow, names, data)


def _source(data: bytes) -> str:
    """The text of a part; written back as UTF-8, which its first line must then say."""
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    return re.sub(r'^(<\?xml[^>]*?encoding=["\'])[^"\']*', r"\1UTF-8", text)


def _check_size(packed: zipfile.ZipFile, name: str) -> None:
    if sum(entry.file_size for entry in packed.infolist()) > LARGEST:
        what = f"it holds more than {LARGEST >> 20} MB when it is unpacked"
        raise SourceError(name, what, "Split it.")


def _is_xml(entry: str) -> bool:
    return entry.endswith((".xml", ".rels"))


def _add(flow: Flow, more: Flow, source: str) -> None:
    flow.parts.append(source)
    if flow.slots and more.slots:
        more.slots[0] = more.slots[0]._replace(before="\n" + more.slots[0].before.lstrip("\n"))
    flow.slots.extend(more.slots)
    flow.cuts.extend(more.cuts)
    flow.problems.update(more.problems)
    flow.removed.update(more.removed)


def _part_flow(entry: str) -> Callable[[str, int], Flow]:
    if STRUCTURE.fullmatch(entry):
        return _authors_only
    if entry.endswith(".rels"):
        return _links
    if entry in ("docProps/core.xml", "docProps/app.xml"):
        return _properties
    return _paragraphs if entry.startswith("word/") else _any_xml


def _any_xml(source: str, part: int) -> Flow:
    return xml_flow(source, part, skip=lambda name: True)


def _paragraphs(source: str, part: int) -> Flow:
    """The texts of a part, a paragraph a line, then what is said in attributes."""
    flow = Flow([source], [])
    said: list[Slot] = []
    gap, element, apart = "", "", ""
    for token in tokens(source):
        if not token.name:
            if element in APART:
                before = "" if apart == element else "\n"
                said.append(Slot(part, token.start, token.end, token.text, before, "xml"))
                apart = element
            elif element in TEXT or (token.text.strip() and element not in PARAGRAPH):
                slot = Slot(part, token.start, token.end, token.text, gap, "xml")
                flow.slots.append(slot if flow.slots else slot._replace(before=""))
                gap = ""
            continue
        element = token.name
        if element in PARAGRAPH:
            gap, apart = "\n", ""
        elif element in BREAK:
            gap += BREAK[element]
        said += _said(token.name, attributes(token), part, flow)
    flow.slots.extend(said)
    return flow


def _said(
    element: str, found: Iterator[tuple[str, int, int, str]], part: int, flow: Flow
) -> Iterator[Slot]:
    for name, start, end, value in found:
        if name in AUTHOR:
            new = "1970-01-01T00:00:00Z" if name == "w:date" else "-"
            flow.cuts.append((part, Edit(start, end, new)))
        elif name in SAID and value.strip() and (name != "w:val" or element in WITH_TEXT):
            yield Slot(part, start, end, value, "\n", "attribute")


def _authors_only(source: str, part: int) -> Flow:
    flow = _paragraphs(source, part)
    return Flow([source], [], flow.cuts)


def _links(source: str, part: int) -> Flow:
    """Targets outside of the file: addresses of pages, mail and other files."""
    flow = Flow([source], [])
    for token in tokens(source):
        if 'TargetMode="External"' in token.text:
            flow.slots.extend(_said(token.name, attributes(token), part, flow))
    return flow


def _properties(source: str, part: int) -> Flow:
    """Title, subject and key words are looked at; who and when is taken out."""
    flow = xml_flow(source, part, skip=lambda name: True)
    element = ""
    cut = []
    for token in tokens(source):
        if token.name:
            element = token.name
        elif element in WHO:
            new = "1970-01-01T00:00:00Z" if element.startswith("dcterms") else ""
            cut.append((part, Edit(token.start, token.end, new)))
    taken = {edit.start for _, edit in cut}
    slots = [slot for slot in flow.slots if slot.start not in taken]
    return Flow([source], slots, [*flow.cuts, *cut])
