"""Texts in one case, all capitals or all small letters, where a capital says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrub.alphabet import NORMAL
from discreet.scrub.detectors.detector import Detector, Example
from discreet.scrub.finding import Finding
from discreet.scrub.page import Page


@dataclass(frozen=True)
class Caseless:
    """A detector that looks only at texts in one case; its templates do not look at case."""

    detector: Detector

    @property
    def name(self) -> str:
        """The detector's name."""
        return self.detector.name

    @property
    def examples(self) -> tuple[Example, ...]:
        """The detector's examples."""
        return self.detector.examples

    def find(self, page: Page) -> Iterator[Finding]:
        """What the detector finds, if the page is in one case."""
        if page.casing != NORMAL:
            yield from self.detector.find(page)
