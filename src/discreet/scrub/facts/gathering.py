"""Facts gathered while documents are scrubbed, from the place where the review sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from discreet.display import dataclass
from discreet.scrub.facts.fact_reader import FactReader
from discreet.scrub.facts.fact_table import FactTable
from discreet.scrub.finder import Finder, Looked, Work
from discreet.scrub.finding import Finding
from discreet.scrub.formats.pieces import Piece
from discreet.scrub.review.review import Review

NOBODY = "\0"
"""How the person of a row begins that names none."""


@dataclass
class GatheringReview(Review):
    """A review that puts the facts of each document into a table; ``paged`` if it is shown too.

    ``person`` is the one whose documents come next.
    """

    table: FactTable = field(default_factory=FactTable)
    paged: bool = False
    person: str | None = None

    def add(
        self, title: str, piece: Piece, findings: Iterable[Finding], doubtful: Iterable[Finding]
    ) -> None:
        """Take one more document, or a piece of a long one."""
        found = list(findings)
        is_part = piece.lead > 0 or piece.end < len(piece.shown)
        document = title.rpartition(", piece ")[0] if is_part else title
        self.table.add(document or title, piece.shown, found, self.person)
        if self.paged:
            super().add(title, piece, found, doubtful)


@dataclass(frozen=True)
class GatheringFinder(Finder):
    """A finder that tells the review whose documents come next."""

    review: GatheringReview | None = None

    def look(self, works: Iterable[Work]) -> Iterator[tuple[Work, Looked]]:
        """Each piece of work with what was found in it, in the order given."""
        for work, looked in super().look(works):
            if self.review is not None:
                named = work.person is not None and not work.person.startswith(NOBODY)
                self.review.person = work.person if named else None
            yield work, looked


def gathering(finder: Finder, by_person: bool) -> tuple[GatheringFinder, GatheringReview]:
    """A finder and a review that gather; a page is made if doubtful findings are asked for."""
    settings = finder.settings
    table = FactTable(FactReader(settings.get("language", "en")), by_person)
    review = GatheringReview(settings.get("threshold", 0.7), table=table, paged=finder.doubtful)
    made = GatheringFinder(settings, finder.jobs, finder.doubtful, finder.start, review)
    return made, review
