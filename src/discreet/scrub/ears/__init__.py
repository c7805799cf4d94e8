"""Optional ears: language models of others as one more detector on the same blackboard.

None is required, and none is loaded before it is asked for. A model has to be installed already:
nothing is downloaded.
"""

from __future__ import annotations

from discreet.errors import ParameterError
from discreet.scrub.ears.presidio import PresidioEar
from discreet.scrub.ears.spacy import SpacyEar

EARS: dict[str, type[SpacyEar] | type[PresidioEar]] = {"spacy": SpacyEar, "presidio": PresidioEar}


def ear(named: str) -> SpacyEar | PresidioEar:
    """The ear that ``spacy:MODEL`` or ``presidio:MODEL`` names.

    Examples
    --------
    >>> ear("spacy:de_core_news_sm").model
    'de_core_news_sm'
    """
    kind, _, model = named.partition(":")
    if kind not in EARS or not model:
        raise ParameterError("scrub", "ears", "spacy:MODEL or presidio:MODEL")
    return EARS[kind](model)


__all__ = ["EARS", "PresidioEar", "SpacyEar", "ear"]
