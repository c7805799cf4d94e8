"""The words in the name of a column, however it is spelled: `dateOfBirth`, `DATE_OF_BIRTH`."""

from __future__ import annotations

import re
import unicodedata

_TOKEN = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_LIGATURES = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d"})


def _strip_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.translate(_LIGATURES))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def split_words(text: str) -> frozenset[str]:
    """The words of a text, for looking up."""
    return frozenset(text.split())


def fold(text: str) -> str:
    """A word without accents and capitals, so that José and JOSE are equal."""
    return _strip_accents(text.casefold())


def split_name(name: str) -> tuple[str, ...]:
    """The words of a column's name.

    >>> split_name("patientBirthDate_2")
    ('patient', 'birth', 'date', '2')
    """
    return tuple(token.lower() for token in _TOKEN.findall(_strip_accents(name)))


LONGEST = 8
"""Most words of a run that is checked; no known phrase is longer."""


def list_phrases(name: str) -> dict[str, int]:
    """Every run of neighbouring words, written as one, with the number of its letters.

    A phrase is found in a name when it is one of these, so it does not matter whether the words
    were divided by a dash, a capital or nothing. The whole name stands there with a `=` as well.

    >>> sorted(list_phrases("zipCode"))
    ['=zipcode', 'code', 'zip', 'zipcode']
    """
    words = split_name(name)
    runs = {
        "".join(words[start:stop])
        for start in range(len(words))
        for stop in range(start + 1, min(start + LONGEST, len(words)) + 1)
    }
    singular = {run[:-1] for run in runs if run.endswith("s") and len(run) > 4}
    whole = "".join(words)
    return {run: len(run) for run in runs | singular} | {f"={whole}": len(whole)}


def join_phrase(phrase: str) -> str:
    """A phrase as it is looked up among those of a name."""
    return phrase.replace(" ", "")
