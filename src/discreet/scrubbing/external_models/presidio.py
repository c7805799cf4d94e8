"""What Presidio finds, with a spaCy model that is installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from discreet.display import dataclass
from discreet.scrubbing.detectors.detector import Example
from discreet.scrubbing.external_models.model import (
    Heard,
    import_library,
    load,
    run_in_pieces,
    write_reason,
)
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.page import Page

KINDS = {
    "PERSON": "NAME",
    "LOCATION": "LOCATION",
    "ORGANIZATION": "ORGANIZATION",
    "PHONE_NUMBER": "PHONE",
    "CREDIT_CARD": "CARD",
    "IBAN_CODE": "IBAN",
    "US_SSN": "SSN",
    "MEDICAL_LICENSE": "LICENSE",
    "US_PASSPORT": "ID",
    "US_DRIVER_LICENSE": "LICENSE",
}
"""Entities that are asked for. Mail and web addresses are not: Presidio checks them with a list
of domains that it fetches from the network, and nothing here may."""


@dataclass(frozen=True)
class PresidioEar:
    """Presidio as a detector; its score is the likelihood.

    Notes
    -----
    [Sweeney2001]_, sec. 9.3: any detector that reports a likelihood can take part.

    Departures: none.

    Cost: that of Presidio, often a hundred times that of all other detectors.
    """

    model: str
    name: str = "presidio"
    examples: tuple[Example, ...] = ()

    def find(self, page: Page) -> Iterator[Finding]:
        """What Presidio finds; in turn 1 only."""
        if page.turn == 2:
            return
        language = page.language.code
        engine, entities = _load_engine(self.model, language)
        if not entities:
            return

        def hear(text: str) -> Iterator[Heard]:
            for one in engine.analyze(text=text, language=language, entities=list(entities)):
                yield Heard(one.start, one.end, one.entity_type, float(one.score))

        for heard in run_in_pieces(page.text, hear):
            yield Finding(
                heard.start,
                heard.end,
                KINDS[heard.label],
                heard.score,
                self.name,
                write_reason(self.model, heard.label),
            )


@lru_cache(maxsize=4)
def _load_engine(model: str, language: str) -> tuple[Any, tuple[str, ...]]:
    """Presidio's engine, and those of our entities that it knows."""
    what = "An ear of Presidio"
    spacy = import_library("spacy", what)
    analyzer = import_library("presidio_analyzer", what)
    provider = import_library("presidio_analyzer.nlp_engine", what).NlpEngineProvider
    asked = {
        "nlp_engine_name": "spacy",
        "models": [{"lang_code": language, "model_name": model}],
    }
    nlp = load(spacy, model, lambda: provider(nlp_configuration=asked).create_engine())
    engine = analyzer.AnalyzerEngine(nlp_engine=nlp, supported_languages=[language])
    known = set(engine.get_supported_entities(language=language))
    return engine, tuple(entity for entity in KINDS if entity in known)
