"""Optional external models: language models of others as one more detector on the same blackboard.

None is required, and none is loaded before it is asked for. A model has to be installed already:
nothing is downloaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from discreet.display import safe_repr
from discreet.errors import ParameterError
from discreet.scrubbing.detectors import ALL, Detector
from discreet.scrubbing.external_models.presidio import PresidioEar
from discreet.scrubbing.external_models.spacy import SpacyEar

EARS: dict[str, type[SpacyEar] | type[PresidioEar]] = {"spacy": SpacyEar, "presidio": PresidioEar}


def make_external_model(named: str) -> SpacyEar | PresidioEar:
    """The ear that ``spacy:MODEL`` or ``presidio:MODEL`` names.

    Examples
    --------
    >>> make_external_model("spacy:de_core_news_sm").model
    'de_core_news_sm'
    """
    kind, _, model = named.partition(":")
    if kind not in EARS or not model:
        raise ParameterError("scrub", "external_model", "spacy:MODEL or presidio:MODEL")
    return EARS[kind](model)


@safe_repr
class Listening(tuple[Detector, ...]):
    """All detectors and some external models; sent to another process by their names."""

    names: tuple[str, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return add_external_models, (self.names,)


def add_external_models(names: Iterable[str]) -> Listening:
    """All detectors, and the external models that are named, for ``Scrubber(detectors=...)``.

    Examples
    --------
    >>> add_external_models(["spacy:de_core_news_sm"])[-1].name
    'spacy'
    """
    named = tuple(names)
    made = Listening((*ALL, *map(make_external_model, named)))
    made.names = named
    return made


__all__ = ["EARS", "PresidioEar", "SpacyEar", "add_external_models", "make_external_model"]
