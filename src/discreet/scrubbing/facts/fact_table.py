"""The facts of many documents as a table with one row per document or person."""

from __future__ import annotations

import csv
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import astuple, field
from pathlib import Path
from typing import Any

from discreet.display import dataclass
from discreet.scrubbing.facts.fact_reader import FactReader
from discreet.scrubbing.facts.notes import COLUMNS, Facts, Notes
from discreet.scrubbing.finder import Finder, Work, WorkFindings
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.formats.flow import Piece
from discreet.scrubbing.review.review import Review
from discreet.table.atomic import make_write_error, open_hidden_file


@dataclass
class FactTable:
    """Gathers facts; with ``by_person``, all documents of a person make one row.

    The table is as private as the texts: it holds what singles people out.

    Notes
    -----
    Cost: one row of facts in memory for each document or person.

    Examples
    --------
    >>> table = FactTable()
    >>> table.add("a.txt", "She had a kidney transplant.", [])
    >>> table.add("b.txt", "She slept well.", [])
    >>> table.add("c.txt", "She slept well again.", [])
    >>> table.facts()
    {'rows': 3, 'telling': 3, 'unique': 1}
    """

    reader: FactReader = field(default_factory=FactReader)
    by_person: bool = False
    _people: dict[str, Notes] = field(default_factory=dict, repr=False)
    _done: list[tuple[str, Facts]] = field(default_factory=list, repr=False)
    _last: tuple[str, Notes] | None = field(default=None, repr=False)

    def add(
        self, document: str, text: str, findings: Iterable[Finding], person: str | None = None
    ) -> None:
        """Add the facts of a document, or of its next piece."""
        if self.by_person and person is not None:
            notes = self._people.setdefault(person, Notes())
        else:
            notes = self._of(document)
        self.reader.note(text, findings, notes)

    def _of(self, document: str) -> Notes:
        """The notes of a document; those of the previous document are condensed into facts."""
        if self._last is None or self._last[0] != document:
            if self._last is not None:
                self._done.append((self._last[0], self._last[1].facts()))
            self._last = document, Notes()
        return self._last[1]

    def rows(self) -> Iterator[tuple[str, Facts]]:
        """Each document with its facts in order of arrival, then each person."""
        yield from self._done
        for name, notes in (*([self._last] if self._last else []), *self._people.items()):
            yield name, notes.facts()

    def facts(self) -> dict[str, Any]:
        """How many rows there are, how many hold a fact, and how many are unique by their facts."""
        rows = [facts for _, facts in self.rows()]
        counts = Counter(facts for facts in rows if facts.filled_columns)
        return {
            "rows": len(rows),
            "telling": counts.total(),
            "unique": sum(count == 1 for count in counts.values()),
        }

    def write(self, path: Path, replace: bool = True) -> None:
        """Write the table as CSV that only its owner can read; a failed write leaves no file."""
        target = Path(os.path.realpath(path)) if replace else path
        try:
            with (
                open_hidden_file(target, ".csv", 0o600, replace=replace) as hidden,
                hidden.open("w", encoding="utf-8", errors="replace", newline="") as file,
            ):
                rows = csv.writer(file, lineterminator="\n")
                rows.writerow(("person" if self.by_person else "document", *COLUMNS))
                rows.writerows((name, *astuple(facts)) for name, facts in self.rows())
        except OSError as error:
            raise make_write_error(target, error.errno or 0) from None


# Facts are gathered while documents are scrubbed, at the point where the review gets them.


NOBODY = "\0"
"""Prefix of the person of a row that names nobody."""


@dataclass
class GatheringReview(Review):
    """A review that adds the facts of each document to a table; ``paged`` if a page is made too.

    ``person`` is the person the next documents are about.
    """

    table: FactTable = field(default_factory=FactTable)
    paged: bool = False
    person: str | None = None

    def add(
        self, title: str, piece: Piece, findings: Iterable[Finding], doubtful: Iterable[Finding]
    ) -> None:
        """Add a document, or a piece of a long one."""
        found = list(findings)
        is_part = piece.lead > 0 or piece.end < len(piece.shown)
        document = title.rpartition(", piece ")[0] if is_part else title
        self.table.add(document or title, piece.shown, found, self.person)
        if self.paged:
            super().add(title, piece, found, doubtful)


@dataclass(frozen=True)
class GatheringFinder(Finder):
    """A finder that tells the review whom the next documents are about."""

    review: GatheringReview | None = None

    def look(self, works: Iterable[Work]) -> Iterator[tuple[Work, WorkFindings]]:
        """Each piece of work with its findings, in the given order."""
        for work, looked in super().look(works):
            if self.review is not None:
                named = work.person is not None and not work.person.startswith(NOBODY)
                self.review.person = work.person if named else None
            yield work, looked


def make_gatherers(finder: Finder, by_person: bool) -> tuple[GatheringFinder, GatheringReview]:
    """A finder and a review that gather facts; a page is made if doubtful findings are wanted."""
    settings = finder.settings
    table = FactTable(FactReader(settings.get("language", "en")), by_person)
    review = GatheringReview(settings.get("threshold", 0.7), table=table, paged=finder.doubtful)
    made = GatheringFinder(settings, finder.jobs, finder.doubtful, finder.start, review)
    return made, review
