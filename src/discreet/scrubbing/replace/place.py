"""Streets, towns, organizations and addresses: made-up words next to the words for their kind.

Notes
-----
[Sweeney2001]_, fig. 108: ``Huntington 18`` becomes ``Alberdam Way``, ``Marina Corp`` becomes
``Garlaw Corp``.

Departures: the kind of street or organization stays (Avenue, Hospital, Corp). States and countries
stay, become one of the four census regions, or are removed, by choice.

Cost: some microseconds for each word that is new in its scope.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from discreet.scrubbing.replace.context import Context
from discreet.scrubbing.replace.numbers import replace_characters, replace_zip_code
from discreet.scrubbing.replace.words import copy_case, fold_word, is_latin

PLACES = ("keep", "region", "remove")
_PART = re.compile(r"\d+[^\W\d_]{0,2}\b|[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*")
_ZIP = re.compile(r"(?<![\w-])\d{5}(?:-\d{4})?(?![\w-])")
_ORDINAL = re.compile(r"(\d+)(st|nd|rd|th)?([^\W\d_]*)", re.IGNORECASE)
_SYLLABLE = re.compile(r"[^aeiouyäöü]*[aeiouyäöü]+[^aeiouyäöü]{1,2}")
_ACRONYM = 4


def replace_organization(found: str, kind: str, context: Context) -> str | None:
    """Another name for an organization; words such as Hospital or Corp stay."""
    kept = context.words.set("org_words", "kept")
    return _replace_parts(found, kept, context, "name")


def replace_street(found: str, kind: str, context: Context) -> str | None:
    """Another number and street of the same kind."""
    kept = context.words.set("street_types", "directions", "units")
    return _replace_parts(found, kept, context, "place")


def replace_city(found: str, kind: str, context: Context) -> str | None:
    """A made-up town."""
    kept = context.words.set("kept", "town_words")
    return _replace_parts(found, kept, context, "town")


def replace_state(found: str, kind: str, context: Context) -> str | None:
    """The state or country as found, its region, or nothing, by choice."""
    if context.choices.places == "keep":
        return found
    if context.choices.places == "region":
        return load_states().get(fold_word(found.replace(".", "")))
    return None


def replace_address(found: str, kind: str, context: Context) -> str | None:
    """A whole address: state and country by choice, the ZIP code generalized, the rest made up."""
    pieces, done = [], 0
    for place in _compile_states_and_codes().finditer(found):
        pieces.append(_replace_lines(found[done : place.start()], context))
        if place["zip"]:
            pieces.append(replace_zip_code(place[0], "ZIP", context) or "[ZIP]")
        else:
            pieces.append(replace_state(place[0], "STATE", context) or "[STATE]")
        done = place.end()
    pieces.append(_replace_lines(found[done:], context))
    return "".join(pieces) if None not in pieces else None


def _replace_lines(text: str, context: Context) -> str:
    """Parts of an address between states and codes: street or town."""
    kept = context.words.set("street_types", "directions", "units", "kept", "org_words")
    kept = frozenset() if context.whole else kept
    pieces = re.split(r"([,\n])", text)
    return "".join(
        _replace_parts(piece, kept, context, "place") or _keep_or_remove(piece, kept)
        for piece in pieces
    )


def _keep_or_remove(piece: str, kept: frozenset[str]) -> str:
    """Keep a piece without a name in it; anything else that was not replaced is removed."""
    words = [part[0].lower() for part in _PART.finditer(piece)]
    return piece if all(word in kept for word in words) else "[ADDRESS]"


def _replace_parts(found: str, kept: frozenset[str], context: Context, about: str) -> str | None:
    """Replace each word and number but those to keep; None if there is nothing to replace."""
    parts = list(_PART.finditer(found))
    if not is_latin(found):
        return None
    kept = frozenset() if context.whole else _choose_kept(parts, kept, context, about)
    new, done = [], 0
    for part in parts:
        new += [found[done : part.start()], _replace_part(part, kept, context, about)]
        done = part.end()
    text = "".join(new) + found[done:]
    return text if text != found else None


def _choose_kept(
    parts: list[re.Match[str]], kept: frozenset[str], context: Context, about: str
) -> frozenset[str]:
    """The words to keep, unless they are the whole name (South Street)."""
    told = [part[0].lower() for part in parts if not part[0][0].isdecimal() and len(part[0]) > 1]
    if not told or not all(word in kept for word in told):
        return kept
    if about != "place":
        return frozenset()
    rest = [word for word in told if word not in context.words.set("units")]
    return kept - {rest[0]} if len(rest) > 1 else kept


def _find_street_ending(word: str, context: Context) -> str:
    """The street type at the end of a compound: Hauptstraße."""
    endings = sorted(context.words.set("street_types"), key=len, reverse=True)
    return next((e for e in endings if word.endswith(e) and len(word) > len(e) + 2), "")


def _replace_part(part: re.Match[str], kept: frozenset[str], context: Context, about: str) -> str:
    word, text = part[0], part.string
    if word[0].isdecimal():
        return _replace_house_number(word, context)
    low = word.lower()
    possessive = low == "s" and text[: part.start()][-1:] in ("'", "’") and part.start() > 0
    if possessive or low in kept:
        return word
    if len(word) == 1:
        return replace_characters(word, "letter", context.stream)
    acronym = word.isupper() and len(word) <= _ACRONYM and (word == text or not text.isupper())
    if about == "name" and acronym:
        return replace_characters(word, "acronym", context.stream)
    if about == "place" and context.words.has("street_compounds"):
        ending = _find_street_ending(low, context)
        if ending:
            return copy_case(word, make_town(fold_word(low.removesuffix(ending)), context) + ending)
    return copy_case(word, _make_word(fold_word(word), context, about))


def _make_word(word: str, context: Context, about: str) -> str:
    """A made-up word; for a town, one with a town's ending."""
    if about == "name":
        return context.name(word)
    return make_town(word, context)


def make_town(word: str, context: Context) -> str:
    """A made-up place name: the first syllable of a made-up name and an ending of places."""
    endings = context.words.order("place_endings")
    syllable = _SYLLABLE.match(context.name(word))
    stem = syllable[0] if syllable else context.name(word)
    for turn in range(len(endings)):
        ending = endings[context.stream.number("town", word, len(endings), turn)]
        new = (stem[:-1] if stem[-1] == ending[0] else stem) + ending
        if word not in new and not context.words.is_real(new):
            return new
    return context.name(word)


def _replace_house_number(word: str, context: Context) -> str:
    """A house number of the same length without a leading zero; the ending (22nd) is adjusted."""
    match = _ORDINAL.fullmatch(word)
    digits = match[1] if match else word
    new = context.stream.digits("house", word)[: len(digits)]
    new = ("1" if new[0] == "0" and digits[0] != "0" else new[0]) + new[1:]
    if match is None:
        return new
    if match[2]:
        teen = new[-2:-1] == "1"
        ending = {"1": "st", "2": "nd", "3": "rd"}.get(new[-1], "th") if not teen else "th"
        return new + copy_case(match[2], ending)
    return new + replace_characters(match[3], "letter", context.stream)


@lru_cache(maxsize=1)
def load_states() -> dict[str, str]:
    """The region of each state of the United States, by code and name."""
    text = (files("discreet.scrubbing.replace") / "data" / "us_regions.toml").read_text("utf-8")
    regions: dict[str, str] = {}
    for region, table in tomllib.loads(text).items():
        for entry in table["states"].split(", "):
            code, _, name = entry.partition(" ")
            regions |= {code.lower(): region, name.lower(): region}
    return regions


@lru_cache(maxsize=1)
def _compile_states_and_codes() -> re.Pattern[str]:
    names = sorted((n for n in load_states() if len(n) > 2), key=len, reverse=True)
    codes = "|".join(sorted(n.upper() for n in load_states() if len(n) == 2))
    named = "|".join(names)
    return re.compile(
        rf"(?P<zip>{_ZIP.pattern})|(?<![\w'])(?:(?P<code>{codes})(?=[\s.,]*(?:\d{{5}}|$|\n|,))"
        rf"|(?<=,\s)(?i:{named})(?!\w)|(?i:USA|U\.S\.A\.|United States)(?!\w))"
    )
