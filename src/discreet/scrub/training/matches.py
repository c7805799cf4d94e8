"""What each template matched in a marked text, and whether it was right.

A match is right when at least half of its letters and digits are marked, whatever the label; a
match of a special detector, which keeps text, when none is. What lies in optional spans counts
neither way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from discreet.display import dataclass
from discreet.scrub.evaluate.gold import GoldSpan, GoldText
from discreet.scrub.finding import Finding
from discreet.scrub.machine import Scrubber
from discreet.scrub.resolve import resolve


def key_of(finding: Finding) -> str:
    """The template of a finding, as likelihoods name it."""
    return f"{finding.detector}/{finding.reason}"


@dataclass
class Tally:
    """Right and wrong matches of one template, and the kind it finds."""

    kind: str
    keep: bool
    right: int = 0
    wrong: int = 0

    @property
    def matches(self) -> int:
        """All that count."""
        return self.right + self.wrong


@dataclass(frozen=True)
class Looked:
    """A marked text, its casing, and all that detectors said of it before they competed."""

    gold: GoldText
    casing: str
    findings: list[Finding] = field(repr=False)


@dataclass
class Tallies:
    """Counts over all texts; a wording counts once a text, as repetitions say nothing new."""

    templates: dict[str, Tally] = field(default_factory=dict)
    winners: dict[str, dict[str, int]] = field(default_factory=dict)
    """By kind: how many right winners each template had."""

    def add(self, looked: Looked, threshold: float) -> None:
        """Count the matches of one text."""
        gold, findings = looked.gold, looked.findings
        marks = _Marks(gold)
        seen = set()
        for finding in findings:
            verdict = marks.is_right(finding)
            wording = key_of(finding), gold.text[finding.start : finding.end], verdict
            if verdict is not None and wording not in seen:
                seen.add(wording)
                self._count(finding, verdict)
        for finding in winners(looked, findings, threshold):
            if marks.is_right(finding):
                by_key = self.winners.setdefault(finding.kind, {})
                by_key[key_of(finding)] = by_key.get(key_of(finding), 0) + 1

    def _count(self, finding: Finding, verdict: bool) -> None:
        tally = self.templates.setdefault(key_of(finding), Tally(finding.kind, finding.keep))
        if verdict:
            tally.right += 1
        else:
            tally.wrong += 1


def look(scrubber: Scrubber, gold: GoldText) -> Looked:
    """Look at a text twice, as the scrubber does."""
    page, found = scrubber.candidates(gold.text)
    used = [f for f in found if f.keep or scrubber.is_wanted(f.kind)]
    return Looked(gold, page.casing, used)


def winners(looked: Looked, findings: Iterable[Finding], threshold: float) -> list[Finding]:
    """What would be replaced."""
    return [f for f in resolve(findings, threshold, looked.gold.text) if not f.keep]


class _Marks:
    """The marked characters of a text."""

    def __init__(self, gold: GoldText) -> None:
        self._text = gold.text
        self._marked = _cover(gold.text, (s for s in gold.spans if not s.optional))
        self._optional = _cover(gold.text, (s for s in gold.spans if s.optional))

    def is_right(self, finding: Finding) -> bool | None:
        """Whether a match is right; None where it does not count."""
        signs = list(self._signs(finding))
        marked = sum(self._marked[at] for at in signs)
        if not marked and any(self._optional[at] for at in signs):
            return None
        return not marked if finding.keep else 2 * marked >= max(len(signs), 1)

    def _signs(self, finding: Finding) -> Iterator[int]:
        return (at for at in range(finding.start, finding.end) if self._text[at].isalnum())


def _cover(text: str, spans: Iterable[GoldSpan]) -> bytearray:
    covered = bytearray(len(text))
    for span in spans:
        covered[span.start : span.end] = b"\x01" * (span.end - span.start)
    return covered
