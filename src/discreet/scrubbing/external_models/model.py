"""Loads models that are installed, never downloads one, and gives them texts to hear."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from discreet.display import safe_repr
from discreet.errors import MissingExtraError, ParameterError
from discreet.scrubbing.formats.flow import cut_pieces

EXTRA = "external-models"
LONGEST, MARGIN = 100_000, 500
"""Characters that a model is given at once, and those around them that it is shown as well."""

UNLOADABLE = (
    AttributeError,
    ImportError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What libraries raise for a folder that is no model, or is one of another version."""


def import_library(name: str, what: str) -> Any:
    """A library that is not part of a plain installation."""
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtraError(what, EXTRA) from None


def load(spacy: Any, model: str, make: Callable[[], Any]) -> Any:
    """What ``make`` makes of a model; one that is not installed, or does not load, is refused."""
    if not (spacy.util.is_package(model) or Path(model).is_dir()):
        wanted = "an installed model of spaCy, or the folder of one: nothing is downloaded"
        raise ParameterError("scrub, external_model", model, wanted)
    try:
        return make()
    except UNLOADABLE as error:
        wanted = f"a model that the installed spaCy loads; it raised {type(error).__name__}"
        raise ParameterError("scrub, external_model", model, wanted) from None


@lru_cache(maxsize=4)
def load_spacy_model(model: str) -> Any:
    """A spaCy model, loaded once a process."""
    spacy = import_library("spacy", "An ear of spaCy")
    return load(spacy, model, lambda: spacy.load(model))


@safe_repr
class Heard(NamedTuple):
    """What a model takes characters ``start`` to ``end`` for."""

    start: int
    end: int
    label: str
    score: float


def run_in_pieces(text: str, hear: Callable[[str], Iterable[Heard]]) -> Iterator[Heard]:
    """What is heard in a text of any length: models refuse long ones, so they get it in pieces."""
    offset = 0
    for piece in cut_pieces([text], LONGEST, MARGIN):
        shift = offset - piece.lead
        for heard in hear(piece.shown):
            if piece.lead <= heard.start < piece.end:
                start, end = trim_span(piece.shown, heard.start, heard.end)
                if start < end:
                    yield heard._replace(start=start + shift, end=end + shift)
        offset += piece.end - piece.lead


def write_reason(model: str, label: str) -> str:
    """Why something was found; of a model in a folder only the name of the folder."""
    return f"model {Path(model).name}, {label}"


def trim_span(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without the space and marks at its ends, which models often take with a name.

    Examples
    --------
    >>> trim_span("to Ann's\\n", 3, 9)
    (3, 6)
    """
    while start < end and not text[start].isalnum():
        start += 1
    if text[start:end].rstrip().casefold().endswith(("'s", "\u2019s")):
        end = start + len(text[start:end].rstrip()) - 2
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return start, end
