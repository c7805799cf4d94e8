"""Names, organizations and places that a spaCy model finds."""

from __future__ import annotations

from collections.abc import Iterator

from discreet.display import dataclass
from discreet.scrubbing.detectors.detector import Example
from discreet.scrubbing.external_models.model import (
    Heard,
    load_spacy_model,
    run_in_pieces,
    write_reason,
)
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.page import Page

KINDS = {
    "PERSON": "NAME",
    "PER": "NAME",
    "ORG": "ORGANIZATION",
    "GPE": "LOCATION",
    "LOC": "LOCATION",
    "FAC": "LOCATION",
}
"""Labels of spaCy's models that are used. Dates and numbers are found better by templates."""


@dataclass(frozen=True)
class SpacyEar:
    """A spaCy model as a detector; what it finds is posted, and competes with what others find.

    Notes
    -----
    [Sweeney2001]_, sec. 9.3: any detector that reports a likelihood can take part.

    Departures: the model says no likelihood, so all it finds has the same one.

    Cost: that of the model, often a hundred times that of all other detectors.
    """

    model: str
    likelihood: float = 0.75
    name: str = "spacy"
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """What the model finds; in turn 1 only."""
        if page.turn == 2:
            return
        for heard in run_in_pieces(page.text, self._hear):
            yield Finding(
                heard.start,
                heard.end,
                KINDS[heard.label],
                heard.score,
                self.name,
                write_reason(self.model, heard.label),
            )

    def _hear(self, text: str) -> Iterator[Heard]:
        for entity in load_spacy_model(self.model)(text).ents:
            if entity.label_ in KINDS:
                yield Heard(entity.start_char, entity.end_char, entity.label_, self.likelihood)
