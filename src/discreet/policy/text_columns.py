"""Columns of free text in a release: scrubbed row by row, with the row's identifiers known.

Notes
-----
[Sweeney2001]_, sec. 9.1: "textual fields of the database".

Departures: the identifiers of a row are looked for in its texts, beside what detectors find.

Cost: one look at each text when the rows are written, on one core.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from discreet.display import dataclass
from discreet.errors import ParameterError, UnknownColumnError
from discreet.number_range import check_range, within
from discreet.policy.messages import describe_value, make_mistake
from discreet.policy.parameter_classes import read_parameters
from discreet.policy.parts import check_parameters, construct_part, place_file
from discreet.table.table import Role, Table

if TYPE_CHECKING:
    import pyarrow as pa

    from discreet.policy.policy import Policy
    from discreet.replacement_key import ReplacementKey
    from discreet.scrubbing.formats.table import TableScrub


ROWS = 2_000
"""Rows looked at together."""
_FILES = ("key", "likelihoods")
"""Choices that name a file."""


@dataclass(frozen=True)
class TextScrub:
    """How a text column is scrubbed: the choices of ``discreet scrub``.

    Parameters
    ----------
    style
        What findings are replaced by: a ``pseudonym``, a ``tag`` of their kind, a ``blank``, or
        nothing (``remove``).
    scope
        Where the same finding gets the same replacement: in one ``document`` (a cell), in all rows
        of a ``person``, or in the whole ``corpus``.
    dates
        What dates become: the first of their ``month``, of the ``nearest`` month or of their
        ``year``, their month without a day (``month-only``), moved (``shift``), or as found
        (``keep``).
    threshold
        How likely a finding must be, from 0 to 1.
    language
        The language of the texts.
    key
        The file of the key that replacements are made with; drawn for this run if not given.
    likelihoods
        A file of ``discreet scrub --train``.
    person
        The column that tells people apart, for the scope of a person.

    Examples
    --------
    >>> TextScrub(style="tag").scope
    'document'
    """

    style: str = "pseudonym"
    scope: str = "document"
    dates: str = "month"
    threshold: float = field(default=0.7, metadata=within(0, most=1))
    language: str = "en"
    key: Path | None = None
    likelihoods: Path | None = None
    person: str | None = None
    _drawn: list[ReplacementKey] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    name: ClassVar[str] = "scrub"

    def write_spec(self, folder: Path | None = None) -> dict[str, Any] | bool:
        """What a policy file says of it; paths become relative to ``folder``."""
        told = {
            one.name: value
            for one in fields(self)
            if one.init and (value := getattr(self, one.name)) != one.default
        }
        for name in _FILES:
            if name in told:
                path = told[name]
                told[name] = str(path) if folder is None else os.path.relpath(path, folder)
        return told or True

    def make_job(self, known: tuple[str, ...]) -> TableScrub:
        """What scrubs the rows; a key that is not named is drawn once."""
        from discreet.replacement_key import ReplacementKey
        from discreet.scrubbing.editor import Editor
        from discreet.scrubbing.finder import Finder
        from discreet.scrubbing.formats.table import TableScrub
        from discreet.scrubbing.replace.replacer import Replacer
        from discreet.scrubbing.report import ScrubReport
        from discreet.scrubbing.training.trained import load_likelihoods

        if not self._drawn:
            drawn = ReplacementKey.for_this_run()
            self._drawn.append(drawn if self.key is None else ReplacementKey.load(self.key))
        settings: dict[str, Any] = {"language": self.language, "threshold": self.threshold}
        if self.likelihoods is not None:
            settings["likelihoods"] = load_likelihoods(self.likelihoods, self.language)
        replacer = Replacer(self.style, self.scope, self._drawn[0], self.dates, self.language)
        editor = Editor(replacer, ScrubReport())
        return TableScrub(Finder(settings, jobs=1), editor, person=self.person, known=known)


def parse_text_scrub(value: Any, folder: Path) -> TextScrub | None:
    """What a policy says under ``scrub``: true, or choices."""
    if isinstance(value, TextScrub) or value is None or value is False:
        return value or None
    if value is True:
        return TextScrub()
    if not isinstance(value, Mapping):
        known = ", ".join(read_parameters(TextScrub))
        raise make_mistake(f"needs true, or some of {known}, there is {describe_value(value)}.")
    checked = check_parameters(TextScrub, value, {"folder": folder}, _place_file)
    made: TextScrub = construct_part(_make_checked, value, checked)
    return made


def _place_file(value: Any, folder: Path, name: str) -> Any:
    """A path, relative to the folder of the policy; nothing would be the folder itself."""
    return place_file(value, folder, name) if value else value


def _make_checked(**settings: Any) -> TextScrub:
    """The settings, unless they cannot be used; said before any work is done."""
    from discreet.scrubbing.replace.replacer import Replacer

    made = TextScrub(**settings)
    check_range(made, "threshold")
    for name in (*_FILES, "person"):
        if not isinstance(value := getattr(made, name), str | Path | None) or value == "":
            what = "the name of a column" if name == "person" else "the path of a file"
            raise ParameterError(made.name, name, what)
    Replacer(made.style, made.scope, dates=made.dates, language=made.language)
    if made.scope == "person" and made.person is None:
        what = "a column that tells people apart, for this scope"
        raise ParameterError(made.name, "person", what)
    return made


def scrub_text_columns(table: Table, policy: Policy) -> Table:
    """The table as the release sees it: its text columns are scrubbed when they are read."""
    scrubs = {
        table.columns.index(name): column.scrub
        for name, column in policy.columns.items()
        if column.scrub is not None
    }
    if not scrubs:
        return table
    for scrub in scrubs.values():
        if scrub.person is not None and scrub.person not in table.columns:
            raise UnknownColumnError(table.name, scrub.person, table.columns)
    people = () if policy.people is None else (policy.people.column,)
    known = tuple(dict.fromkeys((*policy.with_role(Role.identifier), *people)))
    scrubbed = replace(table, source=ScrubbedSource(table, scrubs, known))
    return replace(scrubbed, notices=(*table.notices, *_notice_languages(table, scrubs)))


def _notice_languages(table: Table, scrubs: Mapping[int, TextScrub]) -> Iterator[str]:
    """A sentence for each column whose first texts look like another language, without counts."""
    places = list(scrubs)
    batch = next(iter(table.source.scan(places, [], ROWS)), None)
    if batch is None:
        return
    for column, place in enumerate(places):
        noticed = scrubs[place].make_job(()).editor.report.languages
        for text in batch.column(column).to_pylist():
            noticed.add(scrubs[place].language, "", {"": text or ""})
        if noticed.suspected:
            yield noticed.write_column_notice(table.columns[place])


@dataclass(frozen=True)
class ScrubbedSource:
    """The rows of a table with some columns scrubbed.

    ``replaced`` says what the last pass that came to its end replaced: by column, then by kind.
    """

    table: Table
    scrubs: Mapping[int, TextScrub]
    known: tuple[str, ...]
    replaced: dict[str, dict[str, int]] = field(default_factory=dict)

    def scan(
        self, text: Sequence[int], native: Sequence[int], rows_per_batch: int
    ) -> pa.RecordBatchReader:
        """A fresh pass over the rows; a scrubbed column is text, whichever way it is asked for."""
        import pyarrow as pa

        wanted = [place for place in self.scrubs if place in {*text, *native}]
        if not wanted:
            return self.table.source.scan(text, native, rows_per_batch)
        people = dict.fromkeys(p for place in wanted if (p := self.scrubs[place].person))
        beside = [self.table.columns.index(name) for name in (*self.known, *people)]
        asked = [*wanted, *beside, *text]
        reader = self.table.source.scan(asked, native, min(rows_per_batch, ROWS))
        batches: Iterator[pa.RecordBatch] = iter(reader)
        for scrub in dict.fromkeys(self.scrubs[place] for place in wanted):
            mine = [n for n, place in enumerate(wanted) if self.scrubs[place] == scrub]
            known = [*range(len(wanted), len(wanted) + len(self.known))]
            if scrub.person is not None:
                known.append(len(wanted) + beside.index(self.table.columns.index(scrub.person)))
            names = [self.table.columns[wanted[n]] for n in mine]
            batches = self._scrub_rows(batches, mine, known, scrub, names)
        first = len(wanted) + len(beside)
        order = [
            wanted.index(place) if place in wanted else first + n
            for n, place in enumerate([*text, *native])
        ]
        schema = pa.schema(
            [
                (f"c{n}", pa.string() if at < len(wanted) else reader.schema.field(at).type)
                for n, at in enumerate(order)
            ]
        )
        made = (
            pa.RecordBatch.from_arrays([batch.column(at) for at in order], schema=schema)
            for batch in batches
        )
        return pa.RecordBatchReader.from_batches(schema, made)

    def _scrub_rows(
        self,
        batches: Iterator[pa.RecordBatch],
        mine: list[int],
        known: list[int],
        scrub: TextScrub,
        columns: list[str],
    ) -> Iterator[pa.RecordBatch]:
        """Batches with the columns at some places scrubbed; known ones, then the person's, help."""
        import pyarrow as pa

        names = [f"text {n + 1}" for n in mine]
        taken: deque[pa.RecordBatch] = deque()

        def read_texts() -> Iterator[pa.RecordBatch]:
            for batch in batches:
                taken.append(batch)
                yield batch.select([*mine, *known])

        job = scrub.make_job(self.known)
        for _, rows in job.cells(read_texts(), names, self.table.name):
            batch = taken.popleft()
            arrays = list(batch.columns)
            for n, place in enumerate(mine):
                arrays[place] = pa.array([row[n] for row in rows], pa.string())
            yield pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)
        for name, column in zip(names, columns, strict=True):
            self.replaced[column] = dict(sorted(job.replaced.get(name, {}).items()))


def find_replaced(table: Table) -> dict[str, dict[str, int]]:
    """What scrubbing replaced in a table when it was last read: by column, then by kind.

    Nothing is known of a table that was not read yet, or whose rows techniques hold since.
    """
    source = table.source
    while not isinstance(source, ScrubbedSource):
        inner = getattr(source, "table", None)
        if not isinstance(inner, Table):  # a source of its own, which may name a table in a file
            return {}
        source = inner.source
    return {name: dict(kinds) for name, kinds in source.replaced.items()}
