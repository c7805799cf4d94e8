"""Which findings of a document are about the same thing: they get the same tag.

``Frank Graves``, ``Mr. Graves`` and ``GRAVES`` are one person as far as a document tells; where two
people share a last name, the last name alone is taken for the one with the most names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from discreet.scrub.replace.case import folded
from discreet.scrub.replace.name import name_words, split
from discreet.scrub.replace.words import Words


def entities(
    found: Iterable[tuple[str, str]], words: Words, same: Mapping[str, str]
) -> dict[tuple[str, str], str]:
    """For each (kind, text), what it is about: a text that all its forms share."""
    about: dict[tuple[str, str], str] = {}
    names: list[tuple[frozenset[str], str]] = []
    for kind, text in found:
        if kind == "NAME":
            parts = name_words(split(text, words)[1])
            names.append((frozenset(same.get(part, part) for part in parts), text))
        about[kind, text] = "".join(filter(str.isalnum, folded(text))) or text
    names.sort(key=lambda item: (-len(item[0]), item[1]))
    by_word: dict[str, list[frozenset[str]]] = {}
    for parts_of, text in names:
        if not parts_of:
            continue
        whole = _whole(parts_of, by_word)
        about["NAME", text] = " ".join(sorted(whole))
    return about


def _whole(parts: frozenset[str], by_word: dict[str, list[frozenset[str]]]) -> frozenset[str]:
    """The fuller name that has all these words, or these words as a new name."""
    for known in by_word.get(min(parts), ()):
        if parts <= known:
            return known
    for part in parts:
        by_word.setdefault(part, []).append(parts)
    return parts
