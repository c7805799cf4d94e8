"""What a person decided on the review page: spans of texts to replace, and spans to keep.

Notes
-----
A text is known by a digest of it, not by its name: a decision is made about what was read. The
file holds no word of the texts, but says where in them people are named.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.errors import SourceError
from discreet.input_file import DECISIONS, read_input
from discreet.scrubbing.finder import Finder, Looked, Work
from discreet.scrubbing.finding import BLOCK, Finding
from discreet.scrubbing.formats.invisible import look
from discreet.scrubbing.replace.kinds import REPLACERS
from discreet.scrubbing.resolve import resolve

FORMAT = "discreet scrub decisions 1"
KINDS = (*REPLACERS, "TEAM", "OCCUPATION", "PASSWORD")
_AGAIN = "Save it anew from the review page."


@safe_repr
class Decision(NamedTuple):
    """Characters ``start`` to ``end`` of a text are kept, or replaced as a ``kind``."""

    start: int
    end: int
    keep: bool
    kind: str

    @property
    def finding(self) -> Finding:
        """What is replaced because a person said so."""
        reason = "decided by a person"
        return Finding(self.start, self.end, self.kind, 1.0, "review", reason, BLOCK)


@dataclass(frozen=True)
class Decisions:
    """All decisions of a review, by the digest of the text they are about."""

    name: str
    by_text: dict[str, tuple[Decision, ...]]

    @classmethod
    def load(cls, path: Path) -> Decisions:
        """Read a file that the review page saved."""
        try:
            given = json.loads(read_input(path, DECISIONS))
        except (ValueError, RecursionError):
            raise SourceError(path.name, "this is not JSON", _AGAIN) from None
        except OSError as error:
            what = f"it cannot be read: {(error.strerror or 'the system refused').lower()}"
            raise SourceError(path, what, "Check the path.") from None
        rows = given.get("decisions") if isinstance(given, dict) else None
        if not isinstance(rows, list) or given.get("format") != FORMAT:
            what = f"this is not a file of decisions, which says '{FORMAT}'"
            raise SourceError(path.name, what, _AGAIN)
        by_text: dict[str, list[Decision]] = {}
        for number, row in enumerate(rows, 1):
            try:
                by_text.setdefault(_read_digest(row), []).append(_read_decision(row))
            except (KeyError, TypeError, ValueError):
                what = f"decision {number:,} is not sound"
                fix = "It needs digest, start, end, do (keep or replace) and a kind. " + _AGAIN
                raise SourceError(path.name, what, fix) from None
        return cls(path.name, {one: tuple(sorted(many)) for one, many in by_text.items()})

    def of(self, text: str) -> tuple[Decision, ...]:
        """What was decided about a text."""
        return self.by_text.get(hash_text(text), ())


def hash_text(text: str) -> str:
    """What a text is known by."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def apply_decisions(
    text: str, findings: Iterable[Finding], decisions: Iterable[Decision]
) -> list[Finding]:
    """The findings as a person wants them.

    One that lies within what is kept goes. One that reaches out of it stays whole, which is the
    safe side. What is to be replaced wins over what was found there; what is both is replaced.

    Examples
    --------
    >>> text = "Will saw May Zorb."
    >>> found = [Finding(0, 4, "NAME", 0.8, "first", "list")]
    >>> wanted = [Decision(0, 4, True, "NAME"), Decision(9, 17, False, "NAME")]
    >>> [text[f.start : f.end] for f in apply_decisions(text, found, wanted)]
    ['May Zorb']
    """
    decisions = list(decisions)
    kept = [one for one in decisions if one.keep]
    rest = [f for f in findings if not any(k.start <= f.start and f.end <= k.end for k in kept)]
    added = [one.finding for one in decisions if not one.keep and one.end <= len(text)]
    return resolve([*rest, *added], 0.0, text)


def _read_digest(row: Any) -> str:
    found = row["digest"]
    if not isinstance(found, str):
        raise TypeError
    return found


def _read_decision(row: Any) -> Decision:
    start, end, do, kind = (row[name] for name in ("start", "end", "do", "kind"))
    if type(start) is not int or type(end) is not int or not 0 <= start < end:
        raise ValueError
    if do not in ("keep", "replace") or kind not in KINDS:
        raise ValueError
    return Decision(start, end, do == "keep", kind)


# A finder that does what a person decided on the review page.


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
            yield work, self._apply_decisions(work, looked)

    def check_met(self) -> None:
        """Refuse to go on where a decision is about a text that was not met.

        It was changed after the review, or was not given: what a person wanted to be replaced in
        it would come out.
        """
        many = sum(len(self.decisions.by_text[one]) for one in self._find_unmet())
        if many:
            what = f"decisions about texts that are not here or were changed: {many:,}"
            fix = "Give all documents of the review, or review them anew."
            raise SourceError(self.decisions.name, what, fix)

    def facts(self) -> dict[str, int]:
        """How many decisions there are of each sort."""
        every = (one for many in self.decisions.by_text.values() for one in many)
        counted = Counter("kept" if one.keep else "replaced" for one in every)
        return {"kept": counted["kept"], "replaced": counted["replaced"]}

    def _find_unmet(self) -> set[str]:
        return self.decisions.by_text.keys() - self.met

    def _apply_decisions(self, work: Work, looked: Looked) -> Looked:
        findings, doubtful = list(looked.findings), list(looked.doubtful)
        for place, text in enumerate(work.texts):
            mine = self.decisions.of(text)
            if mine:
                if max(one.end for one in mine) <= len(text):
                    self.met.add(hash_text(text))
                findings[place] = apply_decisions(text, findings[place], mine)
                spans = [(one.start, one.end) for one in mine]
                doubtful[place] = [
                    near
                    for near in doubtful[place]
                    if not any(near.start < end and start < near.end for start, end in spans)
                ]
        return Looked(findings, doubtful)


def make_deciding_finder(finder: Finder, path: Path) -> DecidingFinder:
    """The finder, doing what a file of decisions says."""
    return DecidingFinder(
        finder.settings,
        finder.jobs,
        finder.doubtful,
        finder.start,
        finder,
        Decisions.load(path),
    )
