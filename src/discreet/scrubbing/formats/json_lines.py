"""JSON lines: each line is a document of its own or one of a person's documents."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import field

from discreet.display import dataclass
from discreet.errors import SourceError
from discreet.scrubbing.editor import Editor
from discreet.scrubbing.finder import WorkFindings
from discreet.scrubbing.formats.fields import SeenFields, choose_known, write_cue
from discreet.scrubbing.formats.flow import NUMBER, Flow, Piece, Slot, cut_pieces
from discreet.scrubbing.report import ScrubReport

# JSON: strings and numbers are scrubbed, each with its key before it; everything else stays.


_TOKEN = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*+")(?P<key>\s*:)?|(?P<word>[^\s\[\]{},:"]+)|(?P<open>[\[{])'
    r"|(?P<close>[\]}])|(?P<comma>,)",
    re.DOTALL,
)
_PLAIN = re.compile(r"[a-z_]*")


def is_json(text: str) -> bool:
    """Whether a text is JSON."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def read_json_flow(source: str, fields: Collection[str] = ()) -> Flow:
    """The values of a valid JSON text, one value per line with its key before it.

    With ``fields``, only values under these keys are scrubbed. Keys other than plain words in small
    letters are appended, since people's names can be keys.

    Examples
    --------
    >>> read_json_flow('{"name": "Ann", "age": 7}').text
    'name: Ann\\nage: 7'
    >>> read_json_flow('{"name": "Ann", "note": "ill"}', ["note"]).text
    'ill'
    """
    slots: list[Slot] = []
    names: list[Slot] = []
    keys: list[str] = [""]
    for token in _TOKEN.finditer(source):
        if token["open"]:
            keys.append(keys[-1] if token[0] == "[" or keys[-1] in fields else "")
        elif token["close"]:
            keys.pop()
        elif token["key"] is not None:
            key = json.loads(token["string"])
            if len(keys) < 2 or keys[-2] not in fields:
                keys[-1] = key
            if not fields and not _PLAIN.fullmatch(key):
                start, end = token.span("string")
                names.append(Slot(0, start + 1, end - 1, key, "\n", "json"))
        elif not fields or keys[-1] in fields:
            slots += _read_value(token, "" if fields else write_cue(keys[-1]))
    slots += names
    if slots:
        slots[0] = slots[0]._replace(before=slots[0].before[1:])
    return Flow([source], slots)


def _read_value(token: re.Match[str], before: str) -> list[Slot]:
    start, end = token.span()
    if token["string"] is not None:
        return [Slot(0, start + 1, end - 1, json.loads(token["string"]), f"\n{before}", "json")]
    if token["word"] is not None and NUMBER.fullmatch(token["word"]):
        return [Slot(0, start, end, token["word"], f"\n{before}", "json number")]
    return []


_ESCAPED = re.compile(r"(?:\\u[0-9A-Fa-f]{4})+|\\[nrt/\"\\]")
BATCH = 200_000
LONGEST = 1 << 26


@dataclass
class Batch:
    """Some lines with their numbers, searched together."""

    person: str | None = None
    numbers: list[int] = field(default_factory=list)
    flows: list[Flow] = field(default_factory=list)
    pieces: list[list[Piece]] = field(default_factory=list)
    values: list[tuple[str, ...]] = field(default_factory=list)

    def add(self, number: int, flow: Flow, known: list[str]) -> None:
        """Add a line."""
        self.numbers.append(number)
        self.flows.append(flow)
        self.pieces.append(list(cut_pieces([flow.text])))
        texts = " ".join(slot.text for slot in flow.slots)
        self.values.append(choose_known(texts, known) if known else ())

    @property
    def known(self) -> tuple[tuple[str, ...], ...]:
        """Values to search each of the texts for; empty if no text has any."""
        if not any(self.values):
            return ()
        lines = zip(self.pieces, self.values, strict=True)
        return tuple(values for line, values in lines for _ in line)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts to search."""
        return tuple(piece.shown for line in self.pieces for piece in line)

    def edit_lines(self, editor: Editor, name: str, looked: WorkFindings) -> list[str]:
        """The lines to write."""
        found = iter(zip(looked.findings, looked.doubtful, strict=True))
        lines = []
        for number, flow, line in zip(self.numbers, self.flows, self.pieces, strict=True):
            mine = [next(found) for _ in line]
            title, contents = f"{name}, line {number}", {"": flow.content}
            edits = editor.whole(line, mine, title, self.person, contents)
            lines += flow.put_back(edits)
        return lines


def read_line_batches(
    blocks: Iterable[str], name: str, fields: SeenFields, report: ScrubReport
) -> Iterator[Batch]:
    """Lines in batches; with a person field, one batch per person."""
    people: dict[str, Batch] = {}
    batch, size = Batch(), 0
    for number, line in enumerate(_split_lines(blocks, name), 1):
        flow = read_json_or_text(line, report, fields)
        if fields.person is not None:
            of_person = people.setdefault(fields.person, Batch(fields.person))
            of_person.add(number, flow, fields.known)
            continue
        batch.add(number, flow, fields.known)
        size += len(line)
        if size > BATCH:
            yield batch
            batch, size = Batch(), 0
    if batch.numbers:
        yield batch
    yield from people.values()


def read_json_or_text(source: str, report: ScrubReport, fields: SeenFields) -> Flow:
    """The flow of a JSON text, or of a plain text if it is not JSON."""
    if is_json(source):
        fields.take(source)
        return read_json_flow(source, fields.asked.text)
    fields.forget()
    if source.strip():
        report.add_notice("Lines or documents that are not JSON are scrubbed as plain text.")
    return _read_unescaped(source)


def _read_unescaped(source: str) -> Flow:
    """A text that is not valid JSON, with its escaped letters decoded."""
    slots, done = [], 0
    for found in _ESCAPED.finditer(source):
        slots.append(Slot(0, done, found.start(), source[done : found.start()]))
        letters = json.loads(f'"{found[0]}"')
        slots.append(Slot(0, found.start(), found.end(), letters, "", "json"))
        done = found.end()
    slots.append(Slot(0, done, len(source), source[done:]))
    return Flow([source], [slot for slot in slots if slot.text or len(slots) == 1])


def _split_lines(blocks: Iterable[str], name: str) -> Iterator[str]:
    """Lines with their ends; only line feeds count, as JSON strings may contain other ends."""
    rest = ""
    for block in blocks:
        lines = (rest + block).split("\n")
        rest = lines.pop()
        if len(rest) > LONGEST:
            what = f"a line has more than {LONGEST:,} characters"
            raise SourceError(name, what, "Split it, or give the file the extension .txt.")
        for line in lines:
            yield line + "\n"
    if rest:
        yield rest
