"""Reads marked text in the usual formats: JSON lines, JSON, brat stand-off, i2b2 XML, folders."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from discreet.errors import GoldError
from discreet.input_file import MARKED, read_input
from discreet.scrub.evaluate.gold import Gold, GoldProblem, GoldSpan, GoldText, checked
from discreet.scrub.evaluate.span_shapes import spans_of, text_of
from discreet.scrub.evaluate.standoff import brat_spans, xml_text

_Read = tuple[str, str | None, list[GoldSpan], list[GoldProblem]]
"""Name, text (None if there is none), spans as written, problems."""


def read_gold(path: str | Path) -> Gold:
    """Marked texts from a file or a folder; what is wrong in them is counted and named.

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
        raise GoldError(str(path), "there is no such file or folder")
    texts: list[GoldText] = []
    problems: list[GoldProblem] = []
    for file in _files(path):
        for name, text, spans, said in _reader(file)(file):
            problems.extend(said)
            if text is not None:
                good, bad = checked(name, text, spans)
                texts.append(GoldText(name, text, good))
                problems.extend(bad)
    if not texts:
        first = f"; the first problem: {problems[0]}" if problems else ""
        raise GoldError(path.name, f"no marked text could be read from it{first}")
    return Gold(tuple(texts), tuple(problems))


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.suffix.lower() in _READERS)
    if path.suffix.lower() == ".txt":
        return [path.with_suffix(".ann")]
    return [path]


def _reader(file: Path) -> Callable[[Path], Iterable[_Read]]:
    return _READERS.get(file.suffix.lower(), _json_lines)


def _json_lines(file: Path) -> Iterator[_Read]:
    try:
        lines = read_input(file, MARKED).decode("utf-8-sig").split("\n")
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _record(line, f"{file.name}, line {number}")
    except UnicodeDecodeError:
        yield _nothing(file.name, "not UTF-8")


def _json(file: Path) -> Iterator[_Read]:
    try:
        whole = json.loads(read_input(file, MARKED).decode("utf-8-sig"))
    except UnicodeDecodeError:
        yield _nothing(file.name, "not UTF-8")
        return
    except (ValueError, RecursionError):
        yield from _json_lines(file)
        return
    if isinstance(whole, dict) and text_of(whole) is None:
        whole = next((part for part in whole.values() if isinstance(part, list)), [])
    if not isinstance(whole, list) or (whole and isinstance(whole[0], str)):
        whole = [whole]
    for number, record in enumerate(whole, 1):
        yield _marked(record, f"{file.name}, record {number}")


def _record(line: str, where: str) -> _Read:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return _nothing(where, "not JSON")
    return _marked(record, where)


def _marked(record: Any, where: str) -> _Read:
    text = text_of(record)
    if text is None:
        return _nothing(where, "no text")
    return where, text, *spans_of(record, text, where)


def _brat(file: Path) -> Iterator[_Read]:
    beside = file.with_suffix(".txt")
    if not file.exists() or not beside.exists():
        lacking = file if not file.exists() else beside
        yield _nothing(file.name, "the other half is missing", lacking.name)
        return
    try:
        text = read_input(beside, MARKED).decode("utf-8")
        marks = read_input(file, MARKED).decode("utf-8")
    except UnicodeDecodeError:
        yield _nothing(file.name, "not UTF-8")
        return
    yield beside.name, text, *brat_spans(marks, text, file.name)


def _xml(file: Path) -> Iterator[_Read]:
    read = xml_text(file)
    yield _nothing(file.name, "not understood") if read is None else (file.name, *read, [])


def _nothing(where: str, what: str, detail: str = "") -> _Read:
    return where, None, [], [GoldProblem(where, what, detail)]


_READERS: dict[str, Callable[[Path], Iterable[_Read]]] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".json": _json,
    ".ann": _brat,
    ".xml": _xml,
}
