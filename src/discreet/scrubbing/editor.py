"""Turns the findings of a text into edits, counts them for the report and shows them for review."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

from discreet.display import dataclass
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.formats.flow import Edit, Piece, select_owned
from discreet.scrubbing.replace.replacer import Replacer
from discreet.scrubbing.report import ScrubReport
from discreet.scrubbing.review.review import Review


@dataclass
class Editor:
    """Replaces findings, one piece of a text after another."""

    replacer: Replacer
    report: ScrubReport
    review: Review | None = None
    progress: Callable[[str], None] | None = None
    _wide: Replacer = field(init=False)

    def __post_init__(self) -> None:
        narrow = self.replacer.style == "tag" and self.replacer.scope == "document"
        self._wide = replace(self.replacer, scope="person") if narrow else self.replacer

    def whole(
        self,
        pieces: Sequence[Piece],
        found: Sequence[tuple[list[Finding], list[Finding]]],
        name: str,
        person: str | None = None,
        contents: Mapping[str, str] | None = None,
    ) -> list[Edit]:
        """The edits of a text that is complete; ``contents`` are its texts by column."""
        text = Text(self, name, person, many=len(pieces) > 1)
        self.add_document(name, contents or {"": "".join(piece.own for piece in pieces)})
        edits: list[Edit] = []
        start = 0
        for piece, (findings, doubtful) in zip(pieces, found, strict=True):
            offset = start - piece.lead
            made = text.edits(piece, findings, doubtful)
            edits += [one._replace(start=one.start + offset, end=one.end + offset) for one in made]
            start += piece.end - piece.lead
        return edits

    def add_document(self, name: str, contents: Mapping[str, str]) -> None:
        """Count a document, and note if it is not in the language that is set."""
        self.report.documents += 1
        self.report.languages.add(self.replacer.language, name, contents)


class Text:
    """One text, whose pieces arrive in order."""

    def __init__(self, editor: Editor, name: str, person: str | None, many: bool) -> None:
        self.editor, self.name, self.person, self.many = editor, name, person, many
        self.over = 0
        """Characters of the next piece that have already been replaced."""
        self.id: str | None = None
        self.number = 0

    def edits(self, piece: Piece, findings: list[Finding], doubtful: list[Finding]) -> list[Edit]:
        """The edits of a piece, with offsets within it; they may reach into the next piece."""
        done = piece.lead + self.over
        mine = select_owned(piece, findings, done)
        scrubbed = self._make_replacer(piece).apply(piece.shown, mine, *self._list_ids())
        report = self.editor.report
        report.characters += piece.end - piece.lead
        report.findings.update(one.kind for one in mine)
        report.kept += scrubbed.kept
        if self.editor.progress is not None:
            self.editor.progress(f"scrubbing, {report.characters:,} characters")
        if self.editor.review is not None:
            near = select_owned(piece, doubtful, done)
            self.editor.review.add(self._make_title(), piece, mine, near)
        self.number += 1
        self.over = max(mine[-1].end - piece.end, 0) if mine else max(done - piece.end, 0)
        return [
            Edit(one.start, one.end, scrubbed.text[one.new_start : one.new_end], one.kind)
            for one in scrubbed.replacements
        ]

    def _make_replacer(self, piece: Piece) -> Replacer:
        """The pieces of a long text are one document, identified by its first piece."""
        if not self.many:
            return self.editor.replacer
        if self.id is None:
            self.id = hashlib.sha256(piece.shown.encode("utf-8", "replace")).hexdigest()
        return self.editor._wide

    def _list_ids(self) -> tuple[str | None, str | None]:
        tagged = self.many and self.editor._wide is not self.editor.replacer
        return (self.person or self.id if tagged else self.person), self.id

    def _make_title(self) -> str:
        return f"{self.name}, piece {self.number + 1}" if self.many else self.name
