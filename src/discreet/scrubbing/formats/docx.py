"""DOCX: all text of the file, as paragraphs; layout and other parts stay unchanged.

Runs of a paragraph are read as one text, so a name that is split over runs is found. Headers,
footers, notes, comments, text boxes, links, field codes, forms, deleted text, alternative texts,
variables and properties are scrubbed too. Authors of the text, of changes and of comments are
always removed, as are names of bookmarks, styles, pictures and files. Parts in folders that DOCX
files do not have (``../../x.xml``) are left out, as are links that lead to no part.
"""

from __future__ import annotations

import io
import lzma
import posixpath
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from pathlib import PurePosixPath
from urllib.parse import quote, unquote
from xml.parsers.expat import ExpatError, ParserCreate
from xml.sax.saxutils import escape, unescape

from discreet.display import dataclass
from discreet.errors import SourceError
from discreet.scrubbing.formats.flow import Edit, Flow, Slot
from discreet.scrubbing.formats.html import decode_links
from discreet.scrubbing.formats.xml import read_attributes, read_tokens, read_xml_flow

# Internal names in a DOCX file: of bookmarks, styles and embedded files.
#
# A bookmark or a picture may be named after a patient. Each name becomes a number everywhere it is
# used; names that Word assigns stay.


_BOOKMARK = re.compile(
    r"""<(?:\w+:)?(?:bookmarkStart\b[^<>]*?[\s:]name|ffData\b[^<>]*>\s*<(?:\w+:)?name\s[^<>]*?val)
    \s*=\s*["']([^"']+)""",
    re.VERBOSE,
)
_STYLE = re.compile(r"""<(?:\w+:)?style\s[^<>]*?customStyle\s*=\s*["'](?:1|true|on)["'][^<>]*>""")
_STYLE_ID = re.compile(r"""styleId\s*=\s*["']([^"']+)""")
_STYLE_NAME = re.compile(
    rf"""({_STYLE.pattern}\s*<(?:\w+:)?name\s[^<>]*?val\s*=\s*["'])([^"']*)(?=["'])"""
)
_GIVEN = re.compile(r"_.*|(?:Text|Check|Dropdown|mark)\d+")
_FIELD = re.compile(r"(<(?:\w+:)?(?:instrText|delInstrText)\b[^<>]*>)([^<]*)")
_FILE = re.compile(
    r"(?:image|oleObject|thumbnail|hdphoto|media|font|activeX|printerSettings|vbaProject|afchunk|"
    r"Microsoft_(?:Excel|Word|PowerPoint)_\w+?)\d*\.\w+",
    re.IGNORECASE,
)
_PART = re.compile(
    r"\[Content_Types\]\.xml|(?:\.|(?:document|styles|stylesWithEffects|settings|webSettings|"
    r"fontTable|numbering|theme|themeOverride|header|footer|footnotes|endnotes|comments|"
    r"comments(?:Extended|Ids|Extensible)|people|item|itemProps|core|app|custom|chart|chartEx|"
    r"style|colors|data|layout|quickStyle|drawing|vmlDrawing|activeX|control|ink|keymap|vbaData|"
    r"customizations|attachedToolbars|recipientData|recipients|mailMergeRecipients|glossary|"
    r"webextension|taskpanes|documenttasks|tasks|intelligence|LabelInfo|afchunk)\d{0,6}"
    r"(?:\.(?:xml|vml|bin))?)?(?:\.xml|\.rels)"
)
"""Part names that programs assign."""
_FOLDER = re.compile(
    r"(?:(?:_rels|docProps|docMetadata|customXml|word(?:/glossary)?(?:/(?:theme|media|embeddings|"
    r"charts|diagrams|drawings|fonts|activeX|controls|ink|webextensions|printerSettings|"
    r"documenttasks|customizations|model3d))?)(?:/_rels)?/)?"
)
"""Folders that programs create in a document."""
_ENDINGS = frozenset(
    f".{ending}"
    for group in (
        ("xml", "rels", "vml", "bin", "png", "jpg", "jpeg", "jfif", "gif", "bmp", "tif", "tiff"),
        ("svg", "emf", "wmf", "emz", "wmz", "wdp", "odttf", "ttf", "otf", "fntdata", "eps", "ole"),
        ("xlsx", "xlsm", "xlsb", "xls", "docx", "docm", "doc", "pptx", "pptm", "ppt", "vsdx"),
        ("pdf", "txt", "htm", "html", "mht", "rtf", "mp3", "mp4", "wav", "glb", "sldx"),
    )
    for ending in group
)
"""File name extensions that identify nobody."""
_LINK = re.compile(r"<(?:\w+:)?(?:Relationship|Override)\b[^<>]*?(?:/>|>\s*</[^<>]*>)")
_KIND = re.compile(r"<(?:\w+:)?Default\b[^<>]*?(?:/>|>\s*</[^<>]*>)")
_TARGET = re.compile(r"""\s(?:Target|PartName)\s*=\s*["']([^"']*)["']""")
_ENDING = re.compile(r"""\sExtension\s*=\s*["']([^"']*)["']""")
_OUTSIDE = re.compile(r"""TargetMode\s*=\s*["']External""")


def is_safe_place(entry: str) -> bool:
    """Whether an entry of the archive is in a folder that DOCX files have.

    Examples
    --------
    >>> [is_safe_place(name) for name in ("word/a.xml", "../../x.xml", "/x.xml", "Ann Lee/x.xml")]
    [True, False, False, False]
    """
    folder = entry[: entry.rfind("/") + 1]
    return "\\" not in entry and _FOLDER.fullmatch(folder) is not None


def choose_file_names(entries: Iterable[str]) -> dict[str, str]:
    """New names for files in the archive whose names a person chose.

    Examples
    --------
    >>> choose_file_names(["word/document.xml", "word/media/image1.png", "word/media/Ann Lee.jpg"])
    {'word/media/Ann Lee.jpg': 'word/media/file1.jpg'}
    >>> list(choose_file_names(["word/Ann Lee.xml", "word/_rels/Ann Lee.xml.rels"]).values())
    ['word/file1.xml', 'word/_rels/file1.xml.rels']
    """
    made: dict[str, str] = {}
    named: dict[str, str] = {}
    for entry in entries:
        folder, _, name = entry.rpartition("/")
        told = name.removesuffix(".rels")
        rels = name[len(told) :]
        known = _PART.fullmatch(name) or (_FILE.fullmatch(told) and _find_ending(told) in _ENDINGS)
        if known or not name:
            continue
        if told not in named:
            ending = _find_ending(told)
            ending = ending if ending in _ENDINGS else ".bin"
            named[told] = f"file{len(named) + 1}{ending}"
        made[entry] = f"{folder}/{named[told]}{rels}".removeprefix("/")
    return made


def _find_ending(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def drop_dangling(entry: str, source: str, kept: Collection[str]) -> str:
    """A list of parts or links without dangling ones, whose names could be anything."""
    if entry == "[Content_Types].xml":
        base = ""
        source = _keep_known_endings(source)
    elif entry.endswith(".rels"):
        base = posixpath.dirname(posixpath.dirname(entry))
    else:
        return source

    def leads(link: re.Match[str]) -> str:
        target = _TARGET.search(link[0])
        if target is None or _OUTSIDE.search(link[0]):
            return link[0]
        path = unescape(unquote(target[1]), {"&quot;": '"', "&apos;": "'"})
        place = path.lstrip("/") if path.startswith("/") else posixpath.join(base, path)
        return link[0] if posixpath.normpath(place) in kept else ""

    return _LINK.sub(leads, source)


def _keep_known_endings(source: str) -> str:
    """A list of parts with known file extensions only; all others become .bin."""
    has_bin = any(found.lower() == "bin" for found in _ENDING.findall(source))

    def known(default: re.Match[str]) -> str:
        nonlocal has_bin
        found = _ENDING.search(default[0])
        if found is not None and f".{found[1].lower()}" in _ENDINGS:
            return default[0]
        if has_bin:
            return ""
        has_bin = True
        tag = default[0][1:].split(None, 1)[0]
        return f'<{tag} Extension="bin" ContentType="application/octet-stream"/>'

    return _KIND.sub(known, source)


def make_renamer(sources: Iterable[str], files: dict[str, str]) -> Callable[[str], str]:
    """A function that replaces names of bookmarks, styles and files in a part by new ones."""
    marks: dict[str, str] = {}
    styles: dict[str, str] = {}
    for source in sources:
        for style in _STYLE.findall(source):
            for name in _STYLE_ID.findall(style):
                styles.setdefault(name, f"Style{len(styles) + 1}")
        for name in _BOOKMARK.findall(source):
            if not _GIVEN.fullmatch(name):
                marks.setdefault(name, f"mark{len(marks) + 1}")
    ends: dict[str, str] = {}
    for old, new in files.items():
        name = PurePosixPath(old).name
        ends |= dict.fromkeys((name, escape(name), quote(name)), PurePosixPath(new).name)
    rules = [
        (r"""((?:[\s:](?:name|anchor)|:name\s+\w+:val)\s*=\s*["'])(%s)(?=["'])""", marks),
        (
            r"""(styleId\s*=\s*["']|(?:pStyle|rStyle|tblStyle|basedOn|next|link|styleLink|"""
            r"""numStyleLink)\s+(?:\w+:)?val\s*=\s*["'])(%s)(?=["'])""",
            styles,
        ),
        (r"""((?:Target|PartName)\s*=\s*["'](?:[^"']*/)?)(%s)(?=["'])""", ends),
    ]
    made = [
        (re.compile(rule % "|".join(map(re.escape, sorted(new, key=len, reverse=True)))), new)
        for rule, new in rules
        if new
    ]

    def rename_all(source: str) -> str:
        for pattern, new in made:
            source = pattern.sub(partial(_rename_found, new), source)
        if styles:
            source = _STYLE_NAME.sub(_replace_by_id, source)
        if marks:
            source = _FIELD.sub(lambda found: found[1] + _rename_words(found[2], marks), source)
        return source

    return rename_all


def _rename_found(new: dict[str, str], found: re.Match[str]) -> str:
    return found[1] + new[found[2]]


def _replace_by_id(found: re.Match[str]) -> str:
    """A style named by its id."""
    ids = _STYLE_ID.search(found[1])
    return found[1] + (ids[1] if ids else "Style")


def _rename_words(text: str, marks: dict[str, str]) -> str:
    return re.sub(r"[^\s\"'&;]+", lambda word: marks.get(word[0], word[0]), text)


LARGEST = 1 << 27
"""Most bytes of unpacked text: a larger file is refused as a decompression bomb."""
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError),
    *(RuntimeError, ValueError, KeyError, IndexError, OverflowError, MemoryError),
)
"""What a damaged archive raises: any part may be cut off, encrypted or oddly compressed."""
_MAIN = re.compile(r"word/document\d*\.xml")

LOOKS = re.compile(
    r"word/(?:styles|stylesWithEffects|webSettings|fontTable|numbering)\.xml|word/theme/.*\.xml"
)
"""Parts that define the layout; only authors of changes are removed from them."""
TEXT = {"t"}
APART = {"delText", "instrText", "delInstrText"}
"""Texts that are read separately from those around them."""
BREAK = {"br": "\n", "cr": "\n", "tab": "\t", "noBreakHyphen": "-"}
PARAGRAPH = {"p", "/p", "tc", "txbxContent"}
_NEVER = "1970-01-01T00:00:00Z"
CUT = {"author": "-", "initials": "-", "userId": "-", "providerId": "-", "date": _NEVER,
       "dateUtc": _NEVER, "fullDate": _NEVER}  # fmt: skip
"""Attributes that hold authors and dates, and what replaces them."""
SAID = {"descr", "title", "tooltip", "alt", "string", "href", "displayText"}
"""Attributes with text that people write."""
WITH_TEXT = {"alias", "tag", "docVar", "description", "helpText", "statusText", "default",
             "listEntry", "listItem", "attr", "mailSubject"}  # fmt: skip
"""Elements that hold a text in ``val``, ``value`` or ``name``."""
SOURCES = {"connectString", "query", "udl", "addressFieldName", "mappedName", "src", "mailAs"}
"""Elements that locate the data of a form letter: their values are removed."""
PICTURES = {"docPr", "cNvPr"}
"""Elements whose ``name`` names a picture, often by its file name."""
WHO = {"creator", "lastModifiedBy", "Company", "Manager", "created", "modified", "lastPrinted",
       "HyperlinkBase", "Template"}  # fmt: skip
_COUNT = re.compile(r"\s*(?:\d{1,6}(?:\.\d+)?|true|false)\s*")
"""Statistics such as the number of pages and words."""
_LOCAL = re.compile(r"\s*(?:file:|[A-Za-z]:[\\/]|\\\\|//)")
_EXTERNAL = re.compile(r"""TargetMode\s*=\s*["']External""")
BLANK = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c02"
    "0000000b4944415478da6364f80f00010501012718e3660000000049454e44ae426082"
)
"""A transparent pixel that replaces every picture, since pictures are not checked."""


@dataclass(frozen=True)
class Docx:
    """A parsed DOCX file: the flow of its texts, and the way back to bytes."""

    flow: Flow
    names: list[str]
    data: bytes
    files: dict[str, str]

    def encode(self, parts: list[str]) -> bytes:
        """The file with these parts replaced; other parts are unchanged, pictures blank."""
        new = dict(zip(self.names, parts, strict=True))
        target = io.BytesIO()
        with (
            zipfile.ZipFile(io.BytesIO(self.data)) as old,
            zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed,
        ):
            for name in dict.fromkeys(old.namelist()):
                info = zipfile.ZipInfo(self.files.get(name, name))
                info.compress_type = zipfile.ZIP_DEFLATED
                if name in new:
                    packed.writestr(info, new[name].encode("utf-8"))
                elif not name.endswith("/") and is_safe_place(name):
                    packed.writestr(info, BLANK if "/media/" in name else b"")
        return target.getvalue()


def open_docx(data: bytes, name: str) -> Docx:
    """Parse a DOCX file."""
    flow = Flow([], [])
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            _check_size(packed, name)
            given = [one for one in dict.fromkeys(packed.namelist()) if not one.endswith("/")]
            entries = [entry for entry in given if is_safe_place(entry)]
            names = [entry for entry in entries if _is_xml(entry)]
            sources = [_decode_source(packed.read(entry)) for entry in names]
    except _DAMAGED:
        what = "this is not a DOCX file, or it is damaged or locked"
        raise SourceError(name, what, "Open it and save it again, without a password.") from None
    if not any(map(_MAIN.fullmatch, names)):
        raise SourceError(
            name, "this is not a DOCX file", "Give it the file extension that it should have."
        )
    if not all(map(_is_sound, sources)):
        raise SourceError(name, "a part of it is not valid XML", "Open it and save it again.")
    files = choose_file_names(entries)
    kept = frozenset(entries)
    sources = [drop_dangling(*one, kept) for one in zip(names, sources, strict=True)]
    rename = make_renamer(sources, files)
    for entry, source in zip(names, map(rename, map(decode_links, sources)), strict=True):
        _add(flow, _choose_flow(entry)(source, len(flow.parts)), source)
    if len(entries) > len(names):
        flow.problems["pictures and embedded files, emptied"] += len(entries) - len(names)
    if len(given) > len(entries):
        flow.removed["parts in places of their own"] += len(given) - len(entries)
    return Docx(flow, names, data, files)


def _is_sound(source: str) -> bool:
    """Whether a part is XML without entities of its own, which would not be scrubbed."""
    if "<!DOCTYPE" in source or "<!ENTITY" in source:
        return False
    try:
        ParserCreate("UTF-8").Parse(source.encode("utf-8"), True)
    except (ExpatError, UnicodeError):
        return False
    return True


def _decode_source(data: bytes) -> str:
    """The text of a part; it is written back as UTF-8, so its XML declaration is adjusted."""
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    return re.sub(r'^(<\?xml[^>]*?encoding=["\'])[^"\']*', r"\1UTF-8", text)


def _check_size(packed: zipfile.ZipFile, name: str) -> None:
    texts = (entry.file_size for entry in packed.infolist() if _is_xml(entry.filename))
    if sum(texts) > LARGEST:
        what = f"it holds more than {LARGEST >> 20} MB of text when it is unpacked"
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


def _choose_flow(entry: str) -> Callable[[str, int], Flow]:
    if LOOKS.fullmatch(entry) or entry == "[Content_Types].xml":
        return _cut_authors
    if entry.endswith(".rels"):
        return _read_links
    if entry in ("docProps/core.xml", "docProps/app.xml"):
        return _read_properties
    return _read_paragraphs if entry.startswith("word/") else _read_any_xml


def _read_any_xml(source: str, part: int) -> Flow:
    return read_xml_flow(source, part, skip=lambda name: name in ("fmtid", "pid", "ds:itemID"))


def _read_paragraphs(source: str, part: int) -> Flow:
    """The texts of a part, one paragraph per line, then the texts in attributes."""
    flow = Flow([source], [])
    said: list[Slot] = []
    gap, element, apart = "", "", ""
    for token in read_tokens(source):
        if token.name == "!":
            flow.cuts.append((part, Edit(token.start, token.end, "")))
            continue
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
        element = strip_namespace(token.name)
        if element in PARAGRAPH:
            gap, apart = "\n", ""
        elif element in BREAK:
            gap += BREAK[element]
        said += _read_attribute_texts(element, read_attributes(token), part, flow)
    flow.slots.extend(said)
    return flow


def strip_namespace(name: str) -> str:
    """The name of an element without its namespace prefix, which differs between programs.

    Examples
    --------
    >>> strip_namespace("w:p"), strip_namespace("/ns0:p")
    ('p', '/p')
    """
    return name[: name.startswith("/")] + name.lstrip("/").rpartition(":")[2]


def _read_attribute_texts(
    element: str, found: Iterator[tuple[str, int, int, str]], part: int, flow: Flow
) -> Iterator[Slot]:
    for name, start, end, value in found:
        key = strip_namespace(name)
        new = _find_substitute(element, key, value)
        if new is not None:
            flow.cuts.append((part, Edit(start, end, new)))
        elif value.strip() and (
            key in SAID or (element in WITH_TEXT and key in ("val", "value", "name"))
        ):
            yield Slot(part, start, end, value, "\n", "attribute")


def _find_substitute(element: str, key: str, value: str) -> str | None:
    """The substitute for a value that is removed; None for all others."""
    if key in CUT:
        return CUT[key]
    if key == "name" and element in PICTURES:
        return "Object"
    if element in SOURCES and key == "val":
        return ""
    if key.startswith("rsid") or (key == "val" and element.startswith("rsid")):
        return "00000000"
    if key in ("href", "src") and _LOCAL.match(value):
        return "removed"
    return None


def _cut_authors(source: str, part: int) -> Flow:
    flow = _read_paragraphs(source, part)
    return Flow([source], [], flow.cuts)


def _read_links(source: str, part: int) -> Flow:
    """Targets outside the file: web and mail addresses are scrubbed, file paths removed."""
    flow = Flow([source], [])
    for token in read_tokens(source):
        if not _EXTERNAL.search(token.text):
            continue
        for name, start, end, value in read_attributes(token):
            if name == "Target" and _LOCAL.match(value):
                flow.cuts.append((part, Edit(start, end, "removed")))
            elif name == "Target":
                flow.slots.append(Slot(part, start, end, value, "\n", "attribute"))
    return flow


def _read_properties(source: str, part: int) -> Flow:
    """Title, subject and keywords are scrubbed; authors and dates are removed."""
    flow = read_xml_flow(source, part, skip=lambda name: True)
    element = ""
    cut = []
    for token in read_tokens(source):
        if token.name:
            element = token.name
        elif strip_namespace(element) in WHO:
            new = _NEVER if strip_namespace(element) in ("created", "modified") else ""
            cut.append((part, Edit(token.start, token.end, new)))
    taken = {edit.start for _, edit in cut}
    slots = [s for s in flow.slots if s.start not in taken and not _COUNT.fullmatch(s.text)]
    return Flow([source], slots, [*flow.cuts, *cut])
