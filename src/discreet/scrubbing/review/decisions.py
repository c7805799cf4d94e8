"""A person's decisions on the review page: spans of texts to replace, and spans to keep.

Notes
-----
A text is identified by its digest, not by its name, since a decision is about the text that was
read. The file holds no text, but says where in the texts people are named.
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
from discreet.scrubbing.finder import Finder, Work, WorkFindings
from discreet.scrubbing.finding import BLOCK, Finding
from discreet.scrubbing.invisible import look
from discreet.scrubbing.replace.kinds import REPLACERS
from discreet.scrubbing.resolve import resolve

FORMAT = "discreet scrub decisions 1"
KINDS = (*REPLACERS, "TEAM", "OCCUPATION", "PASSWORD")
_AGAIN = "Save it again from the review page."


@safe_repr
class Decision(NamedTuple):
    """Keep characters ``start`` to ``end`` of a text, or replace them as a ``kind``."""

    start: int
    end: int
    keep: bool
    kind: str

    @property
    def finding(self) -> Finding:
        """The finding of a person who decided to replace a span."""
        reason = "decided by a person"
        return Finding(self.start, self.end, self.kind, 1.0, "review", reason, BLOCK)


@dataclass(frozen=True)
class Decisions:
    """All decisions of a review, by the digest of their text."""

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
                what = f"decision {number:,} is not valid"
                fix = "It needs digest, start, end, do (keep or replace) and a kind. " + _AGAIN
                raise SourceError(path.name, what, fix) from None
        return cls(path.name, {one: tuple(sorted(many)) for one, many in by_text.items()})

    def of(self, text: str) -> tuple[Decision, ...]:
        """The decisions about a text."""
        return self.by_text.get(hash_text(text), ())


def hash_text(text: str) -> str:
    """The digest that identifies a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def apply_decisions(
    text: str, findings: Iterable[Finding], decisions: Iterable[Decision]
) -> list[Finding]:
    """The findings after a person's decisions.

    A finding inside a kept span is dropped. One that extends beyond it stays whole, which is safer.
    A span to replace overrides findings there; a span that is both kept and replaced is replaced.

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


# A finder that applies a person's decisions from the review page.


@dataclass(frozen=True)
class DecidingFinder(Finder):
    """A finder whose findings are changed by decisions; ``met`` are the texts that had any."""

    inner: Finder = field(default_factory=Finder)
    decisions: Decisions = field(default_factory=lambda: Decisions("decisions", {}))
    met: set[str] = field(default_factory=set)
    sees_all: ClassVar[bool] = True
    """Decisions are about unchanged texts, including invisible characters."""

    def look(self, works: Iterable[Work]) -> Iterator[tuple[Work, WorkFindings]]:
        """Each piece of work with the findings to replace, in the given order."""
        for work, looked in look(replace(self.inner, start=self.start), works):
            yield work, self._apply_decisions(work, looked)

    def check_met(self) -> None:
        """Refuse to finish if a decision is about a text that was not met.

        The text was changed after the review or is missing: spans that a person wanted replaced
        would be released.
        """
        many = sum(len(self.decisions.by_text[one]) for one in self._find_unmet())
        if many:
            what = f"decisions about texts that are not here or were changed: {many:,}"
            fix = "Give all documents of the review, or review them again."
            raise SourceError(self.decisions.name, what, fix)

    def facts(self) -> dict[str, int]:
        """How many decisions there are of each sort."""
        every = (one for many in self.decisions.by_text.values() for one in many)
        counted = Counter("kept" if one.keep else "replaced" for one in every)
        return {"kept": counted["kept"], "replaced": counted["replaced"]}

    def _find_unmet(self) -> set[str]:
        return self.decisions.by_text.keys() - self.met

    def _apply_decisions(self, work: Work, looked: WorkFindings) -> WorkFindings:
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
        return WorkFindings(findings, doubtful)


def make_deciding_finder(finder: Finder, path: Path) -> DecidingFinder:
    """The finder, extended by a file of decisions."""
    return DecidingFinder(
        finder.settings,
        finder.jobs,
        finder.doubtful,
        finder.start,
        finder,
        Decisions.load(path),
    )
