"""A misspelt name stays a misspelling: its replacement is near the replacement of the right one."""

from __future__ import annotations

from discreet.scrub.replace.stream import Stream

_VOWELS = "aeiou"
_CONSONANTS = "bcdfghklmnprstvwz"


def near(new: str, right: str, wrong: str, stream: Stream, turn: int = 0) -> str:
    """Change one letter of ``new`` as the misspelling changes ``right``.

    A letter more is a letter doubled, a letter less one left out, otherwise one is exchanged for
    its like. Where is up to the key, so the place of the slip tells nothing; ``turn`` gives others.

    Examples
    --------
    >>> near("cosborn", "long", "lang", Stream(bytes(32), "document", "a"))
    'casborn'
    """
    place = 1 + stream.number("near", wrong, len(new) - 1, turn)
    if len(wrong) > len(right):
        return new[:place] + new[place] + new[place:]
    if len(wrong) < len(right) and len(new) > 3:
        return new[:place] + new[place + 1 :]
    vowels = [i for i, letter in enumerate(new) if i and letter in _VOWELS]
    place = vowels[place % len(vowels)] if vowels else place
    letters = (_VOWELS if vowels else _CONSONANTS).replace(new[place], "")
    letter = letters[stream.number("letter", wrong, len(letters), turn)]
    return new[:place] + letter + new[place + 1 :]
