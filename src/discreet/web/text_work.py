"""What the child does with texts: passages with what was found in them, and the scrubbed texts.

A passage is a cell of a column or a paragraph of a document. Decisions are about characters of the
whole text, known by a digest, in the format that the command line reads.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import discreet
from discreet.display import safe_repr
from discreet.errors import DiscreetError, SourceError
from discreet.web.child import Held

PAGE = 20
"""Passages that go to the browser at a time."""
LONGEST = 400_000
"""Characters of a document that is reviewed here, so that it is looked at in one piece."""
MOST_FILES = 1_000
LETTERS = 4_000
"""Letters of a passage that are shown."""
FORMAT = "discreet scrub decisions 1"
ENDINGS = (".txt", ".text", ".md", "")
"""Documents whose text is the file itself; others are scrubbed, but not reviewed here."""


@safe_repr
class Passage(NamedTuple):
    """Characters ``start`` to ``end`` of a text, and what the text is called."""

    document: str
    text: str
    start: int
    end: int


def read_passages(
    held: Held, source: Mapping[str, Any], finding: Mapping[str, Any], first: int
) -> dict[str, Any]:
    """A page of passages with the findings in them, and whether more follow."""
    if "column" in source:
        passages: Iterator[Passage] = _list_cells(held, source["column"])
    else:
        passages = _list_paragraphs(Path(source["path"]).expanduser())
    page = list(islice(passages, first, first + PAGE + 1))
    scrubber = _open_scrubber(held, finding)
    return {
        "first": first,
        "more": len(page) > PAGE,
        "passages": [_mark(held, scrubber, one) for one in page[:PAGE]],
    }


def _open_scrubber(held: Held, finding: Mapping[str, Any]) -> Any:
    """What finds, with its word lists; loaded once for each choice."""
    key = ("scrubber", finding["language"], finding["threshold"])
    return held.find(key, lambda: discreet.Scrubber(**finding))


def _list_cells(held: Held, column: str) -> Iterator[Passage]:
    """The texts of a column, row by row."""
    number = 0
    for batch in held.open_table.scan(text=(column,), rows_per_batch=1024):
        for cell in batch.column(0).to_pylist():
            number += 1
            if cell is not None and str(cell).strip():
                yield Passage(f"{number:,}", str(cell), 0, len(str(cell)))


def _list_paragraphs(path: Path) -> Iterator[Passage]:
    """The paragraphs of a document, or of all documents of a folder."""
    for one in _list_documents(path):
        text = _read_document(one)
        start = 0
        for line in text.splitlines(keepends=True):
            if line.strip():
                yield Passage(one.name, text, start, start + len(line.rstrip("\r\n")))
            start += len(line)


def _list_documents(path: Path) -> list[Path]:
    """The documents whose text is the file itself."""
    if not path.exists():
        raise SourceError(path, "there is no such file or folder", "Check the path.")
    if path.is_file():
        return [path]
    found = [one for one in sorted(path.rglob("*")) if one.is_file() and not one.is_symlink()]
    return [one for one in found if one.suffix.casefold() in ENDINGS][:MOST_FILES]


def _read_document(path: Path) -> str:
    if path.suffix.casefold() not in ENDINGS:
        what = "only plain text is reviewed here"
        raise SourceError(path.name, what, "Use discreet scrub with --review, or scrub it below.")
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        fix = "Use discreet scrub with --review, or save it as UTF-8."
        raise SourceError(path.name, "it is not UTF-8", fix) from None
    except OSError:
        raise SourceError(path.name, "it cannot be read", "Check its permissions.") from None
    if len(text) > LONGEST:
        what = f"it has more than {LONGEST:,} characters"
        raise SourceError(path.name, what, "Use discreet scrub with --review, or cut it.")
    return text


def hash_text(text: str) -> str:
    """What decisions know a text by."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _mark(held: Held, scrubber: Any, one: Passage) -> dict[str, Any]:
    """A passage with what was found in it, as the screen shows it."""
    digest = hash_text(one.text)
    key = ("found", scrubber.language, scrubber.threshold, digest)
    found = held.find(key, lambda: [_tell(each) for each in scrubber.find(one.text)])
    return {
        "document": one.document,
        "digest": digest,
        "start": one.start,
        "text": one.text[one.start : min(one.end, one.start + LETTERS)],
        "cut": one.end - one.start > LETTERS,
        "findings": [each for each in found if one.start <= each["start"] < one.end],
    }


def _tell(finding: Any) -> dict[str, Any]:
    """A finding as plain data."""
    return {
        "start": int(finding.start),
        "end": int(finding.end),
        "kind": str(finding.kind),
        "likelihood": float(finding.likelihood),
        "detector": str(finding.detector),
        "reason": str(finding.reason),
    }


def find_words(
    held: Held, source: Mapping[str, Any], first: int, place: int, words: str
) -> list[dict[str, Any]]:
    """Where words occur in the text of a passage: in all of it, not only where they were read."""
    passages = _list_paragraphs(Path(source["path"]).expanduser())
    passage = next(islice(passages, first + place, None), None)
    if passage is None or not words:
        raise DiscreetError("the words", "there are none", "Select or type what was missed.")
    found = []
    start = passage.text.find(words)
    while start >= 0:
        found.append((start, start + len(words)))
        start = passage.text.find(words, start + len(words))
    if not found:
        what = "they are not in this text"
        raise DiscreetError("the words", what, "Type them as they are written there.")
    digest = hash_text(passage.text)
    same = {"document": passage.document, "digest": digest}
    return [{**same, "start": one, "end": end} for one, end in found]


def render_decisions(decisions: Sequence[Mapping[str, Any]]) -> bytes:
    """The file of decisions that ``discreet scrub --decisions`` reads; it has no word of a text."""
    return json.dumps({"format": FORMAT, "decisions": list(decisions)}, indent=0).encode()


def scrub_documents(held: Held, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Scrub a document or a folder to a path, with decisions applied; gives what was counted.

    ``wanted`` has ``path``, ``out``, ``style``, ``language``, ``threshold``, ``replace`` and
    ``decisions``, the path of their file or None.
    """
    out = Path(wanted["out"]).expanduser()
    report = discreet.scrub(
        Path(wanted["path"]).expanduser(),
        out,
        style=wanted["style"],
        language=wanted["language"],
        threshold=wanted["threshold"],
        decisions=wanted["decisions"],
        replace=wanted["replace"],
        jobs=1,
        progress=held.progress,
    )
    return {
        "out": str(out),
        "documents": report.documents,
        "characters": report.characters,
        "left_out": report.left_out,
        "findings": dict(sorted(report.findings.items())),
        "problems": {what: count for what, count in report.problems.items() if count},
        "notices": list(report.notices),
    }
