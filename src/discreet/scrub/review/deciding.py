"""A finder that does what a person decided on the review page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from pathlib import Path
from typing import ClassVar

from discreet.display import dataclass
from discreet.errors import SourceError
from discreet.scrub.finder import Finder, Looked, Work
from discreet.scrub.formats.invisible import look
from discreet.scrub.review.decisions import Decisions, decided, digest


@dataclass(frozen=True)
class DecidingFinder(Finder):
    """A finder whose findings are changed by decisions; ``met`` are texts that had some."""

    inner: Finder = field(default_factory=Finder)
    decisions: Decisions = field(default_factory=lambda: Decisions("decisions", {}))
    met: set[str] = field(default_factory=set)
    sees_all: ClassVar[bool] = True
    """Decisions are about texts as they are, with what nobody sees in them."""

    def look(self, works: Iterable[Work]) -> Iterator[tuple[Work, Looked]]:
        """Each piece of work with what is to be replaced in it, in the order given."""
        for work, looked in look(replace(self.inner, start=self.start), works):
            yield work, self._decided(work, looked)

    def check_met(self) -> None:
        """Refuse to go on where a decision is about a text that was not met.

        It was changed after the review, or was not given: what a person wanted to be replaced in
        it would come out.
        """
        many = sum(len(self.decisions.by_text[one]) for one in self._unmet())
        if many:
            what = f"decisions about texts that are not here or were changed: {many:,}"
            fix = "Give all documents of the review, or review them anew."
            raise SourceError(self.decisions.name, what, fix)

    def facts(self) -> dict[str, int]:
        """How many decisions there are of each sort."""
        every = (one for many in self.decisions.by_text.values() for one in many)
        counted = Counter("kept" if one.keep else "replaced" for one in every)
        return {"kept": counted["kept"], "replaced": counted["replaced"]}

    def _unmet(self) -> set[str]:
        return self.decisions.by_text.keys() - self.met

    def _decided(self, work: Work, looked: Looked) -> Looked:
        findings, doubtful = list(looked.findings), list(looked.doubtful)
        for place, text in enumerate(work.texts):
            mine = self.decisions.of(text)
            if mine:
                if max(one.end for one in mine) <= len(text):
                    self.met.add(digest(text))
                findings[place] = decided(text, findings[place], mine)
                spans = [(one.start, one.end) for one in mine]
                doubtful[place] = [
                    near
                    for near in doubtful[place]
                    if not any(near.start < end and start < near.end for start, end in spans)
                ]
        return Looked(findings, doubtful)


def deciding(finder: Finder, path: Path) -> DecidingFinder:
    """The finder, doing what a file of decisions says."""
    return DecidingFinder(
        finder.settings,
        finder.jobs,
        finder.doubtful,
        finder.start,
        finder,
        Decisions.load(path),
    )
