"""The job: documents in, scrubbed documents out, counted.

Notes
-----
[Sweeney2001]_, sec. 9.1 and 9.3: Scrub locates and replaces personally identifying information in
"text documents, textual fields of the database" and pages.

Departures: the way back into mail, HTML, DOCX and JSON, with their markup kept.

Cost: each document is read once (plain text twice, the first time for its encoding); memory is
that of a few pieces of a million characters, for documents with markup that of the document, for
a table with a person column that of the table.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import field
from typing import IO, Any

from discreet.display import dataclass
from discreet.errors import SourceError, UnknownColumnError
from discreet.input_file import TooWideError
from discreet.scrubbing.editor import Editor
from discreet.scrubbing.finder import Finder, Work
from discreet.scrubbing.formats.documents import Input, read_chunks
from discreet.scrubbing.formats.fields import Fields
from discreet.scrubbing.formats.invisible import look
from discreet.scrubbing.formats.kinds import find_document_kind
from discreet.scrubbing.formats.target import Target
from discreet.scrubbing.replace.replacer import Replacer
from discreet.scrubbing.report import ScrubReport
from discreet.scrubbing.review.review import Review


@dataclass(frozen=True)
class Scrub:
    """Scrubs documents of any kind with one choice of detectors and replacements.

    ``columns`` are the columns of tables, or fields of JSON, that hold text (all if none is named);
    ``person`` is the column or field with an id of the person a row is about, and values of the
    ``known`` columns are looked for in the texts of their row. ``sheet`` is that of a workbook, or
    a table of a database, if there are several. With ``header`` the first line of a table holds
    names, even if it looks like a row.
    """

    finder: Finder = field(default_factory=Finder)
    replacer: Replacer = field(default_factory=Replacer)
    columns: tuple[str, ...] = ()
    person: str | None = None
    known: tuple[str, ...] = ()
    sheet: str | None = None
    header: bool | None = None

    def __call__(
        self,
        documents: Sequence[Input],
        target: Target,
        report: ScrubReport,
        review: Review | None = None,
        strict: bool = False,
        progress: Callable[[str], None] | None = None,
    ) -> ScrubReport:
        """Scrub documents into a target; ``strict`` raises where one cannot be read."""
        editor = Editor(self.replacer, report, review, progress)
        tables = [one for one in documents if self._is_table(one)]
        rest = [one for one in documents if not self._is_table(one)]
        rest += [one for one in tables if not self._table(one, editor, target, strict)]
        self._texts(rest, editor, target, strict)
        report.choices |= self._choices()
        return report

    def _is_table(self, one: Input) -> bool:
        return one.path is not None and find_document_kind(one.path) == "table"

    def _texts(
        self, documents: Sequence[Input], editor: Editor, target: Target, strict: bool
    ) -> None:
        """All documents that are not tables, in one go over all cores."""
        open_now: tuple[Input, IO[bytes]] | None = None
        broken: list[str] = []
        with ExitStack() as stack:
            for work, looked in look(
                self.finder, self._list_works(documents, editor, broken, strict)
            ):
                one, chunk = work.tag
                if open_now is None or open_now[0] is not one:
                    stack.close()
                    open_now = one, stack.enter_context(target.write(one.name))
                open_now[1].write(chunk.finish(looked))
        for name in broken:
            target.discard(name)

    def _list_works(
        self, documents: Sequence[Input], editor: Editor, broken: list[str], strict: bool
    ) -> Iterator[Work]:
        """What there is to look at; documents that cannot be read are noted."""
        fields = Fields(self.columns, self.person, self.known)
        for one in documents:
            try:
                for chunk in read_chunks(one, editor, fields):
                    yield Work(chunk.texts, chunk.person, chunk.known, (one, chunk))
            except (SourceError, OSError) as error:
                if strict:
                    raise
                broken.append(one.name)
                editor.report.leave_out(_explain_error(error))

    def _table(self, one: Input, editor: Editor, target: Target, strict: bool) -> bool:
        """Scrub a table; False if it cannot be read as one and is to be scrubbed as text."""
        from discreet.scrubbing.formats.table import TableScrub
        from discreet.table.header import settle_names
        from discreet.table.read import read
        from discreet.table.write import fill

        before = editor.report.copied()
        try:
            table = read(one.path, sheet=self.sheet, header=self.header)
            named = [*self.columns, *self.known, *([] if self.person is None else [self.person])]
            table = settle_names(table, named)
            editor.report.notices.extend(table.notices)
            job = TableScrub(self.finder, editor, self.columns, self.person, self.known)
            reader = job.rows(table)
            out = target.path(one.name)
            if out is None:
                for _ in reader:
                    pass
            else:
                fill(reader, out, dialect=table.dialect, order_key=None)
        except (SourceError, zlib.error) as error:
            wide = isinstance(error, TooWideError)
            as_text = _is_csv(one) and not self.columns and not wide
            if isinstance(error, UnknownColumnError) or (strict and not as_text):
                raise
            editor.report.go_back(before)
            target.discard(one.name)
            if as_text:
                editor.report.notices.append(f"{one.name} is not a sound table: scrubbed as text.")
                return False
            editor.report.leave_out(_explain_error(error))
        return True

    def _choices(self) -> dict[str, Any]:
        return {
            "style": self.replacer.style,
            "scope": self.replacer.scope,
            "dates": self.replacer.dates,
            "key": "drawn for this run" if self.replacer.key.drawn else "given",
        }


def _is_csv(one: Input) -> bool:
    return one.path is not None and one.path.suffix.casefold() in (".csv", ".tsv", ".tab")


def _explain_error(error: Exception) -> str:
    """A reason without the name of the document."""
    return error.what if isinstance(error, SourceError) else "it cannot be read"
