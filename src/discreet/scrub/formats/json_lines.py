"""JSON lines: each line is a document of its own, or belongs to a person's documents."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from discreet.errors import SourceError
from discreet.scrub.editor import Editor
from discreet.scrub.finder import Looked
from discreet.scrub.formats.flow import Flow, Slot
from discreet.scrub.formats.json_text import is_json, json_flow
from discreet.scrub.formats.pieces import Piece, pieces
from discreet.scrub.report import ScrubReport

BATCH = 200_000
LONGEST = 1 << 26


@dataclass
class Batch:
    """Some lines, with the number of each, looked at together."""

    person: str | None = None
    numbers: list[int] = field(default_factory=list)
    flows: list[Flow] = field(default_factory=list)
    pieces: list[list[Piece]] = field(default_factory=list)

    def add(self, number: int, flow: Flow) -> None:
        """Take one more line."""
        self.numbers.append(number)
        self.flows.append(flow)
        self.pieces.append(list(pieces([flow.text])))

    @property
    def texts(self) -> tuple[str, ...]:
        """What is to be looked at."""
        return tuple(piece.shown for line in self.pieces for piece in line)

    def edited(self, editor: Editor, name: str, looked: Looked) -> list[str]:
        """The lines as they are written."""
        found = iter(zip(looked.findings, looked.doubtful, strict=True))
        lines = []
        for number, flow, line in zip(self.numbers, self.flows, self.pieces, strict=True):
            mine = [next(found) for _ in line]
            edits = editor.whole(line, mine, f"{name}, line {number}", self.person)
            lines += flow.put_back(edits)
        return lines


def line_batches(
    blocks: Iterable[str],
    name: str,
    fields: Collection[str],
    person: str | None,
    report: ScrubReport,
) -> Iterator[Batch]:
    """Lines in batches; with a field that names the person, a batch for each person."""
    people: dict[str, Batch] = {}
    batch, size = Batch(), 0
    for number, line in enumerate(_lines(blocks, name), 1):
        flow = json_or_text(line, report, fields)
        who = None if person is None else _who(line, person)
        if who is not None:
            people.setdefault(who, Batch(who)).add(number, flow)
            continue
        batch.add(number, flow)
        size += len(line)
        if size > BATCH:
            yield batch
            batch, size = Batch(), 0
    if batch.numbers:
        yield batch
    yield from people.values()


def json_or_text(source: str, report: ScrubReport, fields: Collection[str]) -> Flow:
    """The flow of a JSON text; of anything else, that of a plain text."""
    if is_json(source):
        return json_flow(source, fields)
    if source.strip():
        note = "Lines or documents that are not JSON are scrubbed as plain text."
        report.notices.extend([note] if note not in report.notices else [])
    return Flow([source], [Slot(0, 0, len(source), source)])


def _who(line: str, field: str) -> str | None:
    """The person of a line, if it names one."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    value = record.get(field) if isinstance(record, dict) else None
    return None if value is None else str(value)


def _lines(blocks: Iterable[str], name: str) -> Iterator[str]:
    """Lines with their ends; only line feeds end one, as JSON has other line ends in texts."""
    rest = ""
    for block in blocks:
        lines = (rest + block).split("\n")
        rest = lines.pop()
        if len(rest) > LONGEST:
            what = f"a line has more than {LONGEST:,} characters"
            raise SourceError(name, what, "Split it, or give the file the ending .txt.")
        for line in lines:
            yield line + "\n"
    if rest:
        yield rest
