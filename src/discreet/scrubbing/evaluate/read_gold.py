"""Reads marked text in the usual formats: JSON lines, JSON, brat stand-off, i2b2 XML, folders."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from discreet.display import dataclass, safe_repr
from discreet.errors import ScrubError
from discreet.input_file import MARKED, read_input

# Gold: texts in which people have marked the personal information.


@safe_repr
class GoldSpan(NamedTuple):
    """Characters ``start`` to ``end`` are personal information of this kind.

    An ``optional`` span may be found or not: it counts neither for recall nor for precision
    (an age below 90, a month with a year).
    """

    start: int
    end: int
    label: str
    optional: bool = False


@safe_repr
class GoldProblem(NamedTuple):
    """Something in a gold file that cannot be right. It contains no text of the file."""

    where: str
    what: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}{f' ({self.detail})' if self.detail else ''}"


@dataclass(frozen=True)
class GoldText:
    """One marked text. Its ``repr`` shows no character of it."""

    name: str
    text: str = field(repr=False)
    spans: tuple[GoldSpan, ...] = field(repr=False)


@dataclass(frozen=True)
class Gold:
    """Marked texts, and the problems with their marks.

    Examples
    --------
    >>> gold = Gold.of([("letter", "Dear Ann,", [(5, 8, "NAME"), (5, 80, "NAME")])])
    >>> len(gold.texts[0].spans)
    1
    >>> print(gold.problems[0])
    letter, span 2: out of range (5 to 80 of 9 characters)
    """

    texts: tuple[GoldText, ...]
    problems: tuple[GoldProblem, ...] = ()

    @classmethod
    def of(cls, marked: Iterable[tuple[str, str, Iterable[tuple[int, int, str]]]]) -> Gold:
        """Gold from (name, text, spans), with the spans checked."""
        texts, problems = [], []
        for name, text, spans in marked:
            good, bad = check_spans(name, text, [GoldSpan(*span) for span in spans])
            texts.append(GoldText(name, text, good))
            problems.extend(bad)
        return cls(tuple(texts), tuple(problems))

    def problem_counts(self) -> dict[str, int]:
        """How often each problem occurred."""
        return dict(Counter(problem.what for problem in self.problems))


def check_spans(
    name: str, text: str, spans: Sequence[GoldSpan]
) -> tuple[tuple[GoldSpan, ...], list[GoldProblem]]:
    """The spans that can be scored, in order, and the problems with the others.

    White space at the ends of a span is dropped. A span that is out of range, empty or repeated is
    not scored. Overlapping spans are each scored, and reported.
    """
    good: list[GoldSpan] = []
    problems: list[GoldProblem] = []
    for number, span in enumerate(spans, 1):
        where = f"{name}, span {number}"
        if not 0 <= span.start <= span.end <= len(text):
            detail = f"{span.start} to {span.end} of {len(text)} characters"
            problems.append(GoldProblem(where, "out of range", detail))
            continue
        trimmed = _trim_span(text, span)
        if trimmed.start == trimmed.end:
            problems.append(GoldProblem(where, "empty", f"at {span.start}"))
        elif trimmed in good:
            problems.append(GoldProblem(where, "given twice", f"at {span.start}"))
        else:
            good.append(trimmed)
    good.sort()
    reach = 0
    for span in good:
        if span.start < reach:
            problems.append(GoldProblem(name, "overlapping", f"{span.start} to {span.end}"))
        reach = max(reach, span.end)
    return tuple(good), problems


def _trim_span(text: str, span: GoldSpan) -> GoldSpan:
    part = text[span.start : span.end]
    start = span.start + len(part) - len(part.lstrip())
    return span._replace(start=start, end=max(start, span.start + len(part.rstrip())))


# The shapes in which JSON corpora write a text and its spans.


TEXTS = ("text", "full_text", "source_text", "generated_text", "content", "document", "sentence")
SPANS = (
    "spans",
    "privacy_mask",
    "span_labels",
    "entities",
    "entity_mentions",
    "pii_spans",
    "annotations",
    "labels",
    "label",
    "result",
)
STARTS = ("start", "start_position", "start_offset", "start_char", "startOffset", "begin")
ENDS = ("end", "end_position", "end_offset", "end_char", "endOffset", "stop")
LABELS = ("label", "entity_type", "labels", "type", "kind", "entity", "tag", "category")
VALUES = ("text", "value", "entity_value", "surface")
OUTSIDE = ("", "O")


def find_text(record: Any) -> str | None:
    """The text of a record, under any of the usual names."""
    if isinstance(record, Sequence) and not isinstance(record, str) and record:
        return record[0] if isinstance(record[0], str) else None
    if not isinstance(record, Mapping):
        return None
    for key in TEXTS:
        if isinstance(record.get(key), str):
            return str(record[key])
    return find_text(record.get("data"))


def read_spans(record: Any, text: str, where: str) -> tuple[list[GoldSpan], list[GoldProblem]]:
    """The spans of a record as written, and those that cannot be read.

    These are lists under ``spans``, ``entities``, ``annotations`` and the like, of mappings
    (Prodigy, presidio-research, ai4privacy, Label Studio, TAB) or of ``[start, end, label]``
    (doccano, spaCy), even if the list is written as a string.
    """
    found: list[GoldSpan] = []
    problems: list[GoldProblem] = []
    items = find_span_items(record)
    if items is None:
        return found, [GoldProblem(where, "no spans", f"looked for {', '.join(SPANS)}")]
    for number, item in enumerate(items, 1):
        span = read_span(item)
        if span is None:
            problems.append(GoldProblem(f"{where}, span {number}", "not understood"))
        elif span.label not in OUTSIDE:
            found.append(span)
            if _has_other_text(item, text, span):
                what = "text differs from what the offsets point at"
                problems.append(GoldProblem(f"{where}, span {number}", what))
    return found, problems


def find_span_items(record: Any) -> list[Any] | None:
    """The list of spans of a record, under any known key; None if there is none."""
    if isinstance(record, Sequence) and not isinstance(record, str):
        return find_span_items(record[1]) if len(record) > 1 else None
    if not isinstance(record, Mapping):
        return None
    for key in SPANS:
        if key in record:
            items = list(_flatten_items(_parse_quoted(record[key])))
            if items or record[key] in ([], "[]", {}, None):
                return items
    return None


def read_span(item: Any) -> GoldSpan | None:
    """One span from a mapping or from ``[start, end, label]``."""
    if isinstance(item, Mapping):
        inner = item.get("value")
        if isinstance(inner, Mapping):
            return read_span(inner)
        start, end, label = (_find_first(item, keys) for keys in (STARTS, ENDS, LABELS))
        optional = item.get("optional") is True
    elif isinstance(item, list | tuple) and len(item) >= 3:
        start, end, label = item[0], item[1], item[2]
        optional = False
    else:
        return None
    if isinstance(label, list) and label:
        label = label[0]
    if not isinstance(label, str) or not _is_whole_number(start) or not _is_whole_number(end):
        return None
    return GoldSpan(int(start), int(end), label, optional)


def _flatten_items(value: Any) -> Iterator[Any]:
    """Spans from nested lists and from mappings of annotators or results."""
    if isinstance(value, Mapping):
        for part in value.values():
            yield from _flatten_items(find_span_items(part) if isinstance(part, Mapping) else part)
    elif isinstance(value, list | tuple):
        for part in value:
            nested = isinstance(part, Mapping) and read_span(part) is None and "result" in part
            yield from _flatten_items(part["result"]) if nested else (part,)


def _parse_quoted(value: Any) -> Any:
    """A list that a data frame wrote as a string."""
    if not isinstance(value, str):
        return value
    for read in (json.loads, ast.literal_eval):
        try:
            return read(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return None


def _find_first(item: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((item[key] for key in keys if item.get(key) is not None), None)


def _is_whole_number(value: Any) -> bool:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return whole or (isinstance(value, str) and value.isdecimal())


def _has_other_text(item: Any, text: str, span: GoldSpan) -> bool:
    value = _find_first(item, VALUES) if isinstance(item, Mapping) else None
    return isinstance(value, str) and text[span.start : span.end].strip() != value.strip()


# Stand-off marks: brat's ``.ann`` next to a ``.txt``, and i2b2's XML.


_ENTITY = re.compile(r"T\S*\t(\S+) (\d+ \d+(?:;\d+ \d+)*)\t?(.*)")


def read_brat_spans(marks: str, text: str, where: str) -> tuple[list[GoldSpan], list[GoldProblem]]:
    """The entities of a brat file; relations, events and notes are skipped.

    The parts of a discontinuous entity (``0 4;9 12``) become separate spans.
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


def read_xml_text(file: Path) -> tuple[str, list[GoldSpan]] | None:
    """Text and spans of an i2b2 file; None if it is not one."""
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


_Read = tuple[str, str | None, list[GoldSpan], list[GoldProblem]]
"""The name, the text (None if there is none), the spans as written, the problems."""


_SHAPES = (
    'A line of GOLD.jsonl is {"text": ..., "spans": [{"start": 0, "end": 4, "label": "NAME"}]}; '
    "brat (.ann next to .txt) and the usual JSON shapes are read too."
)


def read_gold(path: str | Path) -> Gold:
    """Marked texts from a file or a folder; problems in them are counted and named.

    Notes
    -----
    A line of ``GOLD.jsonl`` is
    ``{"text": ..., "spans": [{"start": 0, "end": 4, "label": "NAME"}]}``; offsets
    count characters (Unicode code points) from 0, ``end`` is one past the last.

    Departures: none; the thesis had its letters marked by hand and names no format.

    Cost: one pass; all texts are held in memory.
    """
    path = Path(path)
    if not path.exists():
        raise ScrubError(path, "there is no such file or folder", _SHAPES)
    texts: list[GoldText] = []
    problems: list[GoldProblem] = []
    for file in _list_files(path):
        for name, text, spans, said in _choose_reader(file)(file):
            problems.extend(said)
            if text is not None:
                good, bad = check_spans(name, text, spans)
                texts.append(GoldText(name, text, good))
                problems.extend(bad)
    if not texts:
        first = f"; the first problem: {problems[0]}" if problems else ""
        raise ScrubError(path.name, f"no marked text could be read from it{first}", _SHAPES)
    return Gold(tuple(texts), tuple(problems))


def _list_files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.suffix.lower() in _READERS)
    if path.suffix.lower() == ".txt":
        return [path.with_suffix(".ann")]
    return [path]


def _choose_reader(file: Path) -> Callable[[Path], Iterable[_Read]]:
    return _READERS.get(file.suffix.lower(), _read_json_lines)


def _read_json_lines(file: Path) -> Iterator[_Read]:
    try:
        lines = read_input(file, MARKED).decode("utf-8-sig").split("\n")
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _read_record_line(line, f"{file.name}, line {number}")
    except UnicodeDecodeError:
        yield _report_problem(file.name, "not UTF-8")


def _read_json(file: Path) -> Iterator[_Read]:
    try:
        whole = json.loads(read_input(file, MARKED).decode("utf-8-sig"))
    except UnicodeDecodeError:
        yield _report_problem(file.name, "not UTF-8")
        return
    except (ValueError, RecursionError):
        yield from _read_json_lines(file)
        return
    if isinstance(whole, dict) and find_text(whole) is None:
        whole = next((part for part in whole.values() if isinstance(part, list)), [])
    if not isinstance(whole, list) or (whole and isinstance(whole[0], str)):
        whole = [whole]
    for number, record in enumerate(whole, 1):
        yield _read_marked(record, f"{file.name}, record {number}")


def _read_record_line(line: str, where: str) -> _Read:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return _report_problem(where, "not JSON")
    return _read_marked(record, where)


def _read_marked(record: Any, where: str) -> _Read:
    text = find_text(record)
    if text is None:
        return _report_problem(where, "no text")
    return where, text, *read_spans(record, text, where)


def _read_brat(file: Path) -> Iterator[_Read]:
    beside = file.with_suffix(".txt")
    if not file.exists() or not beside.exists():
        lacking = file if not file.exists() else beside
        yield _report_problem(file.name, "the other half is missing", lacking.name)
        return
    try:
        text = read_input(beside, MARKED).decode("utf-8")
        marks = read_input(file, MARKED).decode("utf-8")
    except UnicodeDecodeError:
        yield _report_problem(file.name, "not UTF-8")
        return
    yield beside.name, text, *read_brat_spans(marks, text, file.name)


def _read_xml(file: Path) -> Iterator[_Read]:
    read = read_xml_text(file)
    yield _report_problem(file.name, "not understood") if read is None else (file.name, *read, [])


def _report_problem(where: str, what: str, detail: str = "") -> _Read:
    return where, None, [], [GoldProblem(where, what, detail)]


_READERS: dict[str, Callable[[Path], Iterable[_Read]]] = {
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
    ".json": _read_json,
    ".ann": _read_brat,
    ".xml": _read_xml,
}
