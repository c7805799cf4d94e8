"""Names inside a DOCX file that nobody reads: of bookmarks, styles, and the files that it holds.

People call a bookmark or a picture after a patient. Each gets a number for a name, wherever it is
named; names that Word gives by itself stay.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import PurePosixPath
from urllib.parse import quote
from xml.sax.saxutils import escape

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


def new_files(entries: Iterable[str]) -> dict[str, str]:
    """New names for files in the archive whose names are somebody's choice.

    Examples
    --------
    >>> new_files(["word/document.xml", "word/media/image1.png", "word/media/Ann Lee.jpg"])
    {'word/media/Ann Lee.jpg': 'word/media/file1.jpg'}
    """
    made: dict[str, str] = {}
    for entry in entries:
        path = PurePosixPath(entry)
        plain = entry.endswith((".xml", ".rels", "/"))
        if not plain and not _FILE.fullmatch(path.name) and entry not in made:
            made[entry] = str(path.with_name(f"file{len(made) + 1}{path.suffix}"))
    return made


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
