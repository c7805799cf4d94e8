"""Marks that stand apart from the text: brat's ``.ann`` beside a ``.txt``, and i2b2's XML."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from discreet.input_file import MARKED, read_input
from discreet.scrub.evaluate.gold import GoldProblem, GoldSpan

_ENTITY = re.compile(r"T\S*\t(\S+) (\d+ \d+(?:;\d+ \d+)*)\t?(.*)")


def brat_spans(marks: str, text: str, where: str) -> tuple[list[GoldSpan], list[GoldProblem]]:
    """The entities of a brat file; relations, events and notes are passed over.

    The parts of a broken entity (``0 4;9 12``) are spans of their own.
    """
    spans: list[GoldSpan] = []
    problems: list[GoldProblem] = []
    for number, line in enumerate(marks.splitlines(), 1):
        if not line.startswith("T"):
            continue
        entity = _ENTITY.fullmatch(line)
        if entity is None:
            problems.append(GoldProblem(f"{where}, line {number}", "not understood"))
            continue
        label, places, value = entity.groups()
        parts = [[int(offset) for offset in place.split()] for place in places.split(";")]
        spans.extend(GoldSpan(start, end, label) for start, end in parts)
        said = " ".join(text[start:end] for start, end in parts)
        if value and said.split() != value.split():
            what = "text differs from what the offsets point at"
            problems.append(GoldProblem(f"{where}, line {number}", what))
    return spans, problems


def xml_text(file: Path) -> tuple[str, list[GoldSpan]] | None:
    """Text and spans of a file as i2b2 wrote them; None if it is not one."""
    try:
        root = ElementTree.fromstring(read_input(file, MARKED))
    except (ElementTree.ParseError, ValueError, LookupError):
        return None
    text, tags = root.findtext("TEXT"), root.find("TAGS")
    if text is None or tags is None:
        return None
    spans = [
        GoldSpan(int(tag.get("start", "")), int(tag.get("end", "")), tag.get("TYPE") or tag.tag)
        for tag in tags
        if tag.get("start", "").isdecimal() and tag.get("end", "").isdecimal()
    ]
    return text, spans
