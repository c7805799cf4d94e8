"""The kinds of columns that discreet knows, one file a family, each with its table of examples."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from discreet.display import safe_repr
from discreet.kinds import (
    accounts,
    contact,
    dates,
    health,
    national,
    people,
    places,
    secrets,
    things,
    traits,
)
from discreet.kinds.column_name import join_phrase, list_phrases, split_name
from discreet.kinds.recognizer import Check, Item, Recognizer, Special

ALL: tuple[Recognizer, ...] = (
    *contact.ALL,
    *national.ALL,
    *health.ALL,
    *accounts.ALL,
    *things.ALL_THINGS,
    *things.ALL_BODIES,
    *things.ALL_CODES,
    *people.ALL,
    *places.ALL,
    *dates.ALL,
    *traits.ALL,
    *secrets.ALL,
    *things.ALL_NOTES,
)


SHORT_CODE = 6
"""Shorter names of a standard (ARM, WAGP) may be chance, and need a table about people."""
LONGEST_CODE = 40
"""Letters of the longest name that can be one of a standard."""


@safe_repr
class NameMatch(NamedTuple):
    """A recognizer that knows a column's name, and whether it needs a table about people."""

    recognizer: Recognizer
    vague: bool


def match_name(name: str) -> list[NameMatch]:
    """The recognizers that know a column's name, the longest phrase first.

    >>> [found.recognizer.kind for found in match_name("Haushaltsnettoeinkommen")]
    ['money']
    >>> match_name("test_result")[0].vague
    True

    Notes
    -----
    *Cost*: a few look-ups for each run of words in the name, however many phrases are known.
    """
    index = _index_names()
    best: dict[int, tuple[int, bool]] = {}

    def keep(found: tuple[int, bool] | None, length: int) -> None:
        if found is not None and length > best.get(found[0], (0, False))[0]:
            best[found[0]] = (length, found[1])

    for run, length in list_phrases(name).items():
        keep(index.phrases.get(run), length)
    words = split_name(name)
    whole = "".join(words)
    for place, form in index.coded:
        if len(whole) <= LONGEST_CODE and form.fullmatch(whole):
            keep((place, len(whole) < SHORT_CODE), len(whole))
    for word in words:
        for size in index.sizes:
            if size < len(word):
                keep(index.endings.get(word[-size:]), size)
                keep(index.beginnings.get(word[:size]), size)
    ranked = sorted(best.items(), key=lambda pair: (-pair[1][0], pair[0]))
    return [NameMatch(ALL[place], vague) for place, (_, vague) in ranked]


@safe_repr
class _Index(NamedTuple):
    """The place in `ALL` of each phrase and part of a word, and whether it is vague."""

    phrases: dict[str, tuple[int, bool]]
    endings: dict[str, tuple[int, bool]]
    beginnings: dict[str, tuple[int, bool]]
    sizes: tuple[int, ...]
    coded: tuple[tuple[int, re.Pattern[str]], ...]


@cache
def _index_names() -> _Index:
    sizes = tuple({len(part) - 1 for one in ALL for part in one.compounds})
    coded = tuple((n, re.compile(one.coded)) for n, one in enumerate(ALL) if one.coded)
    index = _Index({}, {}, {}, sizes, coded)
    for place, recognizer in enumerate(ALL):
        for name in recognizer.names:
            index.phrases.setdefault(join_phrase(name), (place, name in recognizer.vague))
        for part in recognizer.compounds:
            parts = index.endings if part.startswith("-") else index.beginnings
            parts.setdefault(part.strip("-"), (place, part in recognizer.vague))
    return index


__all__ = ["ALL", "Check", "Item", "NameMatch", "Recognizer", "Special", "match_name"]
