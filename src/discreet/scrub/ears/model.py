"""Loads a spaCy model that is installed; never downloads one."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from discreet.errors import MissingExtraError, ParameterError

EXTRA = "ears"


def library(name: str, what: str) -> Any:
    """A library that is not part of a plain installation."""
    try:
        return import_module(name)
    except ImportError:
        raise MissingExtraError(what, EXTRA) from None


def check_installed(spacy: Any, model: str) -> None:
    """Refuse a model that would have to be downloaded."""
    if not (spacy.util.is_package(model) or Path(model).is_dir()):
        wanted = "an installed model of spaCy, or the folder of one: nothing is downloaded"
        raise ParameterError("scrub --ears", model, wanted)


@lru_cache(maxsize=4)
def spacy_model(model: str) -> Any:
    """A spaCy model, loaded once a process."""
    spacy = library("spacy", "An ear of spaCy")
    check_installed(spacy, model)
    return spacy.load(model)
