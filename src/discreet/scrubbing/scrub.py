"""The job: reads documents, writes scrubbed documents, counts findings.

Notes
-----
[Sweeney2001]_, sec. 9.1 and 9.3: Scrub locates and replaces personally identifying information in
"text documents, textual fields of the database" and pages.

Departures: scrubbed text is put back into mail, HTML, DOCX and JSON, with their markup kept.

Cost: each document is read once (plain text twice, the first time for its encoding); memory holds a
few pieces of a million characters, a whole document if it has markup, a whole table if it has a
person column.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import field
from dataclasses import replace as replace_fields
from pathlib import Path
from typing import IO, Any

from discreet.display import dataclass
from discreet.errors import ArgumentError, SourceError, UnknownColumnError, argument
from discreet.input_file import TooWideError
from discreet.replacement_key import ReplacementKey
from discreet.scrubbing.editor import Editor
from discreet.scrubbing.finder import Finder, Work
from discreet.scrubbing.formats.documents import (
    Input,
    list_inputs,
    read_chunks,
    refuse_pdf_name,
)
from discreet.scrubbing.formats.fields import Fields
from discreet.scrubbing.formats.kinds import find_document_kind
from discreet.scrubbing.formats.target import Nowhere, Target, open_folder, open_one_file
from discreet.scrubbing.invisible import look
from discreet.scrubbing.replace.replacer import Replacer
from discreet.scrubbing.report import ScrubReport
from discreet.scrubbing.review.decisions import make_deciding_finder
from discreet.scrubbing.review.review import Review
from discreet.scrubbing.training.trained import load_likelihoods
from discreet.table.header import settle_names
from discreet.table.read import read


@dataclass(frozen=True)
class Scrub:
    """Scrubs documents of any kind with one choice of detectors and replacements.

    ``columns`` are the columns of tables, or fields of JSON, that hold text (all if none is named);
    ``person`` is the column or field with an id of the person a row is about, and values of the
    ``known`` columns are looked for in the texts of their row. ``sheet`` names a sheet of a
    workbook, or a table of a database, if there are several. With ``header`` the first line of a
    table holds column names, even if it looks like a row.
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
        rest += [one for one in tables if not self._scrub_table(one, editor, target, strict)]
        self._scrub_texts(rest, editor, target, strict)
        report.choices |= self._list_choices()
        return report

    def _is_table(self, one: Input) -> bool:
        return one.path is not None and find_document_kind(one.path) == "table"

    def _scrub_texts(
        self, documents: Sequence[Input], editor: Editor, target: Target, strict: bool
    ) -> None:
        """Scrub all documents that are not tables, in one run over all cores."""
        open_now: tuple[Input, IO[bytes]] | None = None
        broken: list[str] = []
        with ExitStack() as stack:
            for work, looked in look(
                self.finder, self._list_works(documents, editor, broken, strict)
            ):
                one, chunk = work.tag
                if open_now is None or open_now[0] is not one:
                    stack.close()
                    open_now = one, stack.enter_context(target.write(one.written_as))
                open_now[1].write(chunk.finish(looked))
        for name in broken:
            target.discard(name)

    def _list_works(
        self, documents: Sequence[Input], editor: Editor, broken: list[str], strict: bool
    ) -> Iterator[Work]:
        """The works of all documents; documents that cannot be read are noted."""
        fields = Fields(self.columns, self.person, self.known)
        for one in documents:
            try:
                for chunk in read_chunks(one, editor, fields):
                    yield Work(chunk.texts, chunk.person, chunk.known, (one, chunk))
            except (SourceError, OSError) as error:
                if strict:
                    raise
                broken.append(one.written_as)
                editor.report.leave_out(_explain_error(error))

    def _scrub_table(self, one: Input, editor: Editor, target: Target, strict: bool) -> bool:
        """Scrub a table; False if it cannot be read as one and has to be scrubbed as text."""
        # Loads Arrow and DuckDB, which text does not need.
        from discreet.scrubbing.formats.table import TableScrub
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
                editor.report.notices.append(f"{one.name} is not a valid table: scrubbed as text.")
                return False
            editor.report.leave_out(_explain_error(error))
        return True

    def _list_choices(self) -> dict[str, Any]:
        return {
            "language": self.replacer.language,
            "style": self.replacer.style,
            "scope": self.replacer.scope,
            "dates": self.replacer.dates,
            "key": "drawn for this run" if self.replacer.key.drawn else "given",
        }


def scrub(
    path: str | Path | Sequence[str | Path],
    out: str | Path | None = None,
    *,
    style: str = "pseudonym",
    scope: str = "document",
    dates: str = "month",
    language: str = "en",
    threshold: float = 0.7,
    kinds: Iterable[str] = (),
    people: Iterable[str] = (),
    column: Iterable[str] = (),
    person: str | None = None,
    known: Iterable[str] = (),
    sheet: str | None = None,
    header: bool | None = None,
    key: ReplacementKey | str | Path | None = None,
    likelihoods: str | Path | None = None,
    decisions: str | Path | None = None,
    jobs: int | None = None,
    replace: bool = False,
    progress: Callable[[str], None] | None = None,
) -> ScrubReport:
    """Find what identifies people in documents, and write the documents with it replaced.

    What comes out is de-identified, not anonymous. Without ``out``, findings are only counted.

    Parameters
    ----------
    path
        A document (text, HTML, DOCX, PDF, mail, JSON, a table), a folder, or several of these.
    out
        The file to write, or a folder for several documents. A file that exists stays as it is
        unless ``replace`` is true.
    style, scope, dates, key
        How findings are replaced; see :class:`discreet.Replacer`. A ``key`` may be a file, which is
        created if it does not exist.
    language, threshold, kinds, people, likelihoods
        What is found; see :class:`discreet.Scrubber`. ``likelihoods`` is a file written by
        training.
    column, person, known, sheet, header
        Columns of a table or fields of JSON that hold text, identify the person, or hold values to
        be searched for in the text of their row; the sheet of a workbook; whether its first line
        holds names.
    decisions
        A file of decisions that the review page saved. If one is about a text that is not met,
        nothing is written.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.txt").write_text("Seen by Dr. Frank Graves.")
    >>> scrub(folder / "a.txt", folder / "b.txt", style="tag").documents
    1
    >>> (folder / "b.txt").read_text()
    'Seen by Dr. [NAME 1].'
    """
    paths = [Path(path)] if isinstance(path, str | os.PathLike) else [Path(one) for one in path]
    target = None if out is None else Path(out)
    _refuse_target(paths, target, replace)
    if scope == "person" and person is None:
        raise ArgumentError("person", "no column identifies the person", "Name one.")
    names = tuple(people)
    finding: dict[str, Any] = {
        "language": language,
        "threshold": threshold,
        "kinds": frozenset(kinds) or None,
        "people": names,
    }
    if likelihoods is not None:
        finding["likelihoods"] = load_likelihoods(Path(likelihoods), language)
    avoid = frozenset(word for name in names for word in name.split())
    replacer = Replacer(style=style, scope=scope, dates=dates, language=language, avoid=avoid)
    if key is not None:
        replacer = replace_fields(replacer, key=_settle_key(key))
    report = ScrubReport()
    documents = list_inputs(paths, report)
    refuse_pdf_name(documents, target)
    columns = tuple(column), person, tuple(known)
    finder = Finder(finding, jobs)
    wanted = None if decisions is None else make_deciding_finder(finder, Path(decisions))
    job = Scrub(wanted or finder, replacer, *columns, sheet, header)
    single = len(paths) == 1 and not paths[0].is_dir()
    with ExitStack() as stack:
        place = _open_target(target, single, replace, stack)
        job(documents, place, report, None, single, progress)
        if wanted is not None:
            wanted.check_met()
            report.choices["decisions"] = wanted.facts()
        return report


def _refuse_target(paths: Sequence[Path], out: Path | None, replace: bool) -> None:
    """Refuse to write over or among the documents that are read."""
    if out is None:
        return
    place = Path(os.path.realpath(out))
    for path in paths:
        source = Path(os.path.realpath(path))
        if place == source or place.is_relative_to(source) or source.is_relative_to(place):
            raise ArgumentError("out", "the documents are there", "Name another place.")
    if out.is_file() and not replace:
        fix = f"Name another file, or give {argument('replace', 'True')}."
        raise ArgumentError("out", "this file exists already", fix)


def _open_target(out: Path | None, single: bool, replace: bool, stack: ExitStack) -> Target:
    if out is None:
        return Nowhere()
    if single and not out.is_dir():
        return stack.enter_context(open_one_file(out, replace))
    return stack.enter_context(open_folder(out, replace))


def _settle_key(key: ReplacementKey | str | Path) -> ReplacementKey:
    """A key, or the key in a file, which is created if it does not exist."""
    if isinstance(key, ReplacementKey):
        return key
    path = Path(key)
    return ReplacementKey.load(path) if os.path.lexists(path) else ReplacementKey.create(path)


def _is_csv(one: Input) -> bool:
    return one.path is not None and one.path.suffix.casefold() in (".csv", ".tsv", ".tab")


def _explain_error(error: Exception) -> str:
    """A reason without the name of the document."""
    return error.what if isinstance(error, SourceError) else "it cannot be read"
