"""Counts of what a run of scrub did, without any text."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import field
from typing import Any

from discreet.display import dataclass
from discreet.errors import name_arguments
from discreet.scrubbing.languages.noticed import NoticedLanguages

LIMITS = (
    "What was found is replaced; de-identified is not anonymous: what the texts say about a person "
    "may still single that person out."
)


@dataclass
class ScrubReport:
    """Counts of a run: documents, findings by kind, what was removed, what was not processed.

    ``left_out`` are documents of which nothing was written; ``problems`` counts everything that
    could not be read, including these. ``kept`` findings stay as they were by choice, such as ages
    below 90. ``languages`` says which documents are probably not in the language that was set.
    """

    documents: int = 0
    characters: int = 0
    left_out: int = 0
    kept: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    removed: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    notices: list[str] = field(default_factory=list)
    choices: dict[str, Any] = field(default_factory=dict)
    languages: NoticedLanguages = field(default_factory=NoticedLanguages)

    @property
    def unprocessed(self) -> int:
        """How many things could not be processed."""
        return sum(self.problems.values())

    def leave_out(self, why: str) -> None:
        """Count a document of which nothing is written."""
        self.left_out += 1
        self.problems[f"documents left out: {why}"] += 1

    def add_notice(self, notice: str) -> None:
        """Add a notice; one that applies to several documents is listed once."""
        if notice not in self.notices:
            self.notices.append(notice)

    def copied(self) -> ScrubReport:
        """A copy of the report, for ``go_back``."""
        return deepcopy(self)

    def go_back(self, before: ScrubReport) -> None:
        """Drop what was counted since, for a document that could not be read to its end."""
        for name, value in vars(before).items():
            setattr(self, name, value)

    def list_notices(self) -> list[str]:
        """Notices for the reader, with parameters as marks of :func:`discreet.errors.argument`."""
        return [*self.notices, *self.languages.list_notices(self.documents)]

    def facts(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "format": "discreet-scrub/1",
            "documents": self.documents,
            "characters": self.characters,
            "findings": dict(sorted(self.findings.items())),
            "kept": self.kept,
            "removed": dict(sorted(self.removed.items())),
            "unprocessed": self.unprocessed,
            "problems": dict(sorted((+self.problems).items())),
            "left_out": self.left_out,
            "notices": [name_arguments(notice) for notice in self.list_notices()],
            "languages": self.languages.facts(),
            **self.choices,
            "promise": LIMITS,
        }
