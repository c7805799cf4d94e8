"""Names: word by word, so that ``Frank Graves``, ``Mr. Graves``, ``Frank`` and ``GRAVES`` agree.

Notes
-----
[Sweeney2001]_, sec. 9.3.1, fig. 107, 108 and 110.

Departures: the replacement depends on the word, not on its position as first or last name:
``Frank`` has one replacement, in Frank Graves and in Dr. Frank. That keeps parts consistent. A
first name that reveals the sex gets a replacement of the same sex.

Cost: some microseconds for a word that is new in its scope.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from discreet.scrubbing.replace.context import Context
from discreet.scrubbing.replace.words import Words, copy_case, fold_word, is_latin

_LETTERS = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*|\d+")
_INITIAL = re.compile(r"(?<![^\W\d_'’])[^\W\d_](?![^\W\d_'’])|\b[B-DF-HJ-NP-TV-XZ]{2}\b")
_GENERATIONS = ("Jr", "Sr", "JR", "SR", "II", "III")
_APOSTROPHES = "'’`´"


def replace_name(found: str, kind: str, context: Context) -> str | None:
    """A made-up name in the format of the one found; None if its letters are not Latin."""
    words = found.split(" ")
    special = context.words.set("titles", "suffixes", "kept", "name_particles")
    if all(w.isalpha() and w.isascii() and len(w) > 2 and w.lower() not in special for w in words):
        return " ".join([copy_case(word, context.name(word.lower())) for word in words])
    head, core, tail = ("", found, "") if context.whole else split_titles(found, context.words)
    places = list(_LETTERS.finditer(core))
    if not places or not is_latin("".join(place[0] for place in places)):
        return None
    last = find_last_name(core)
    parts, done = [head], 0
    for number, place in enumerate(places):
        parts.append(core[done : place.start()])
        parts.append(_replace_word(core, place, number, len(places), last, context))
        done = place.end()
    parts += [core[done:], tail]
    new = "".join(parts)
    return new if new != found else None


def _replace_word(
    core: str, place: re.Match[str], number: int, count: int, last: str, context: Context
) -> str:
    """The replacement of one word of a name."""
    word, before, after = place[0], core[: place.start()][-1:], core[place.end() :][:1]
    if word.isdigit():
        return context.stream.digits("digits", word)[: len(word)]
    if word in "sS" and before and before in _APOSTROPHES:
        return word
    ends = number == count - 1
    if len(word) == 1:
        if after and after in _APOSTROPHES and not ends and core[place.end() + 1 :][:1].isalpha():
            return word
        return _replace_initials(word, last, context)
    if context.whole and word in _GENERATIONS and ends:
        return word
    particle = word.lower() in context.words.set("name_particles") and (number or word.islower())
    particle = particle and (word.islower() or not context.whole)
    if context.whole and not particle:
        return copy_case(word, context.name(fold_word(word)))
    if not ends and (particle or (number and word in context.words.set("kept"))):
        return word
    if len(word) == 2 and word.isupper() and not core.isupper() and not set(word) & set("AEIOUY"):
        return _replace_initials(word, last, context)
    return copy_case(word, context.name(fold_word(word)))


def _replace_initials(letters: str, last: str, context: Context) -> str:
    """Initials of the replacement if the document has the full name; otherwise keyed ones."""
    low = fold_word(letters)
    known = context.initials.get((low, last))
    if known and len(known) == len(low):
        new = "".join(context.name(word)[0] for word in known)
    else:
        starts = context.words.sounds("last").starts
        new = "".join(starts[context.stream.number("initial", c, len(starts))] for c in low)
    return new.upper() if letters.isupper() else new


def split_titles(found: str, words: Words) -> tuple[str, str, str]:
    """Titles, the name itself, and what follows it (Jr., M.D.).

    Examples
    --------
    >>> from discreet.scrubbing.replace.words import load_words
    >>> split_titles("Dr. F. R. Graves, MD", load_words("en"))
    ('Dr. ', 'F. R. Graves', ', MD')
    """
    titles, suffixes = _compile_around(words)
    match = titles.match(found)
    head = match[0] if match else ""
    tail = suffixes.search(found, len(head))
    end = tail.start() if tail and tail.start() > len(head) else len(found)
    return head, found[len(head) : end], found[end:]


@lru_cache(maxsize=8)
def _compile_around(words: Words) -> tuple[re.Pattern[str], re.Pattern[str]]:
    titles = rf"\s*(?:(?:{words.any_of('titles')})(?:\.\s*|\s+))+(?=\w)"
    dotted = "|".join(r"\.\s?".join(word) for word in sorted(words.set("suffixes")))
    suffix = rf"(?:ph\.\s?d|{dotted}|{words.any_of('suffixes')})\.?"
    after_space = rf"\s+(?-i:Jr|Sr|JR|SR|II|III|IV|{words.any_of('suffixes').upper()})\.?"
    tail = rf"(?:\s*,\s*{suffix}(?!\w)|{after_space}(?!\w))+\s*$"
    return re.compile(titles, re.IGNORECASE), re.compile(tail, re.IGNORECASE)


def find_last_name(core: str) -> str:
    """The last name, folded: the last word, or the first before a comma."""
    part = core.partition(",")[0] if "," in core else core
    full = [word for word in _LETTERS.findall(part) if len(word) > 1]
    return fold_word(full[-1]) if full else ""


def list_name_words(core: str) -> list[str]:
    """The words of a name in its order, folded; initials left out.

    Examples
    --------
    >>> list_name_words("Frank R. Graves's")
    ['frank', 'graves']
    """
    return [fold_word(word) for word in _LETTERS.findall(core) if len(word) > 1 and word.isalpha()]


def has_initial(found: str) -> bool:
    """Whether a name may have initials, so that its replacement depends on the document."""
    return _INITIAL.search(found) is not None


def list_known_initials(
    names: Iterable[str], words: Words
) -> dict[tuple[str, str], tuple[str, ...]]:
    """For each full name of a document, the words that its initials stand for."""
    known: dict[tuple[str, str], tuple[str, ...]] = {}
    for found in names:
        core = split_titles(found, words)[1]
        last, firsts = find_last_name(core), list_name_words(core)
        if "," in core:
            firsts = [*firsts[1:], *firsts[:1]]
        if len(firsts) < 2:
            continue
        for word in firsts[:-1]:
            known.setdefault((word[0], last), (word,))
        run = "".join(word[0] for word in firsts[:-1])
        known.setdefault((run, last), tuple(firsts[:-1]))
        known.setdefault((run + last[:1], ""), tuple(firsts))
    return known
