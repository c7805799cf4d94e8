"""Names inside a DOCX file that nobody reads: of bookmarks, styles, and the files that it holds.

People call a bookmark or a picture after a patient. Each gets a number for a name, wherever it is
named; names that Word gives by itself stay.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable
from functools import partial
from pathlib import PurePosixPath
from urllib.parse import quote, unquote
from xml.sax.saxutils import escape, unescape

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
"""Names that programs give to the parts of a document."""
_FOLDER = re.compile(
    r"(?:(?:_rels|docProps|docMetadata|customXml|word(?:/glossary)?(?:/(?:theme|media|embeddings|"
    r"charts|diagrams|drawings|fonts|activeX|controls|ink|webextensions|printerSettings|"
    r"documenttasks|customizations|model3d))?)(?:/_rels)?/)?"
)
"""Folders that programs give to a document."""
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
"""Endings of file names that say nothing of anybody."""
_LINK = re.compile(r"<(?:\w+:)?(?:Relationship|Override)\b[^<>]*?(?:/>|>\s*</[^<>]*>)")
_KIND = re.compile(r"<(?:\w+:)?Default\b[^<>]*?(?:/>|>\s*</[^<>]*>)")
_TARGET = re.compile(r"""\s(?:Target|PartName)\s*=\s*["']([^"']*)["']""")
_ENDING = re.compile(r"""\sExtension\s*=\s*["']([^"']*)["']""")
_OUTSIDE = re.compile(r"""TargetMode\s*=\s*["']External""")


def is_safe_place(entry: str) -> bool:
    """Whether an entry of the archive is in a folder of DOCX files, and nowhere else.

    Examples
    --------
    >>> [is_safe_place(name) for name in ("word/a.xml", "../../x.xml", "/x.xml", "Ann Lee/x.xml")]
    [True, False, False, False]
    """
    folder = entry[: entry.rfind("/") + 1]
    return "\\" not in entry and _FOLDER.fullmatch(folder) is not None


def new_files(entries: Iterable[str]) -> dict[str, str]:
    """New names for files in the archive whose names are somebody's choice.

    Examples
    --------
    >>> new_files(["word/document.xml", "word/media/image1.png", "word/media/Ann Lee.jpg"])
    {'word/media/Ann Lee.jpg': 'word/media/file1.jpg'}
    >>> list(new_files(["word/Ann Lee.xml", "word/_rels/Ann Lee.xml.rels"]).values())
    ['word/file1.xml', 'word/_rels/file1.xml.rels']
    """
    made: dict[str, str] = {}
    named: dict[str, str] = {}
    for entry in entries:
        folder, _, name = entry.rpartition("/")
        told = name.removesuffix(".rels")
        rels = name[len(told) :]
        known = _PART.fullmatch(name) or (_FILE.fullmatch(told) and _ending(told) in _ENDINGS)
        if known or not name:
            continue
        if told not in named:
            ending = _ending(told)
            ending = ending if ending in _ENDINGS else ".bin"
            named[told] = f"file{len(named) + 1}{ending}"
        made[entry] = f"{folder}/{named[told]}{rels}".removeprefix("/")
    return made


def _ending(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def without_dangling(entry: str, source: str, kept: Collection[str]) -> str:
    """A list of parts or links without those that lead to no part, which may be called anything."""
    if entry == "[Content_Types].xml":
        base = ""
        source = _with_known_endings(source)
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


def _with_known_endings(source: str) -> str:
    """A list of parts with the endings of files that are known, all others being those of .bin."""
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


def renaming(sources: Iterable[str], files: dict[str, str]) -> Callable[[str], str]:
    """What writes new names of bookmarks, styles and files into a part, in place of the old."""
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

    def renamed(source: str) -> str:
        for pattern, new in made:
            source = pattern.sub(partial(_renamed, new), source)
        if styles:
            source = _STYLE_NAME.sub(_as_its_id, source)
        if marks:
            source = _FIELD.sub(lambda found: found[1] + _words(found[2], marks), source)
        return source

    return renamed


def _renamed(new: dict[str, str], found: re.Match[str]) -> str:
    return found[1] + new[found[2]]


def _as_its_id(found: re.Match[str]) -> str:
    """A style with its id for a name."""
    ids = _STYLE_ID.search(found[1])
    return found[1] + (ids[1] if ids else "Style")


def _words(text: str, marks: dict[str, str]) -> str:
    return re.sub(r"[^\s\"'&;]+", lambda word: marks.get(word[0], word[0]), text)
