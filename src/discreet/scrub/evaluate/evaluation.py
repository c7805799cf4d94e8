"""What an evaluation measured: recall and precision, overall and by kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, NamedTuple

from discreet.display import dataclass


class Excerpt(NamedTuple):
    """A missed span or a false finding with the text around it, for the terminal only."""

    document: str
    kind: str
    before: str
    text: str
    after: str

    def __repr__(self) -> str:
        return f"Excerpt(document={self.document!r}, kind={self.kind!r}, ...)"


@dataclass(frozen=True)
class Share:
    """So many of so many; the ratio is None where there is nothing to count."""

    part: int = 0
    whole: int = 0

    @property
    def ratio(self) -> float | None:
        """The share itself."""
        return self.part / self.whole if self.whole else None

    def __add__(self, other: Share) -> Share:
        return Share(self.part + other.part, self.whole + other.whole)


@dataclass(frozen=True)
class KindScore:
    """Gold spans and findings of one kind: how many were found, how many were right."""

    spans: Share = Share()
    characters: Share = Share()
    findings: Share = Share()
    finding_characters: Share = Share()

    def __add__(self, other: KindScore) -> KindScore:
        return KindScore(
            self.spans + other.spans,
            self.characters + other.characters,
            self.findings + other.findings,
            self.finding_characters + other.finding_characters,
        )

    def facts(self) -> dict[str, Any]:
        """The score as plain data."""
        return {
            "spans": self.spans.whole,
            "found": self.spans.part,
            "recall": self.spans.ratio,
            "character_recall": self.characters.ratio,
            "findings": self.findings.whole,
            "right": self.findings.part,
            "precision": self.findings.ratio,
            "character_precision": self.finding_characters.ratio,
        }


@dataclass(frozen=True)
class Evaluation:
    """Recall and precision of a finder on marked text.

    A gold span is *found* when every character of it is covered by findings, whatever their kinds.
    A finding is *right* when it overlaps a gold span. The kinds of ``kinds`` are the labels of the
    gold for recall and the kinds of the findings for precision; a corpus with labels of its own
    shows up with both. ``recall_loose`` asks only for the letters and digits of a span: a comma
    that stays between a city and a state tells nothing.

    Notes
    -----
    [Sweeney2001]_, sec. 9.4, fig. 114, counts references that were found, as ``recall`` does.

    Departures: the thesis gives no precision; character level figures are ours.
    """

    documents: int
    length: int
    total: KindScore
    kinds: Mapping[str, KindScore]
    loose: Share
    optional: Share
    bad_gold: Mapping[str, int]
    seconds: float
    missed: tuple[Excerpt, ...] = field(default=(), repr=False)
    false: tuple[Excerpt, ...] = field(default=(), repr=False)

    @property
    def recall(self) -> float | None:
        """Gold spans that were found, over all; None without gold spans."""
        return self.total.spans.ratio

    @property
    def precision(self) -> float | None:
        """Findings that were right, over all; None without findings."""
        return self.total.findings.ratio

    @property
    def speed(self) -> float | None:
        """Characters a second of the finder alone."""
        return self.length / self.seconds if self.seconds else None

    def facts(self) -> dict[str, Any]:
        """The figures as plain data, without a character of the texts."""
        return {
            "documents": self.documents,
            "characters": self.length,
            **self.total.facts(),
            "recall_loose": self.loose.ratio,
            "optional": self.optional.whole,
            "optional_found": self.optional.part,
            "kinds": {kind: score.facts() for kind, score in self.kinds.items()},
            "bad_gold": dict(self.bad_gold),
            "seconds": self.seconds,
            "characters_per_second": self.speed,
        }
