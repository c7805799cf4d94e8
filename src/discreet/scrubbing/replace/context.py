"""What a replacer may know: the scope's keyed choices, the language, the document around it."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import field

from discreet.display import dataclass
from discreet.kinds.zip_area import ZipTable
from discreet.scrubbing.replace.words import Words

# Numbers and letters that a key and a text decide, alike wherever the key is used.
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.3.1, for consistent replacements; HMAC-SHA256 for those without the key.
#
# Departures: see ``key.py``.
#
# Cost: about a microsecond for each hash.


_BYTES = 32
_LONG = 256
"""Characters of a text beyond which its digest stands for it."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Stream:
    """Keyed choices within one scope: the same question has the same answer.

    The scope's name is mixed into the key, so that two scopes share nothing.

    Examples
    --------
    >>> one, two = (Stream(bytes(32), "document", name) for name in ("a", "b"))
    >>> one.digits("phone", "255-1423") == Stream(bytes(32), "document", "a").digits(
    ...     "phone", "255-1423")
    True
    >>> one.digits("phone", "255-1423") == two.digits("phone", "255-1423")
    False
    """

    __slots__ = ("_key",)

    def __init__(self, secret: bytes, scope: str, name: str) -> None:
        self._key = hmac.digest(secret, f"{scope}\n{name}".encode("utf-8", "replace"), "sha256")

    def digest(self, about: str, text: str, turn: int = 0) -> bytes:
        """32 bytes; ``turn`` gives others for the same question."""
        asked = f"{about}\n{turn}\n{text}".encode("utf-8", "replace")
        return hmac.digest(self._key, asked, "sha256")

    def number(self, about: str, text: str, below: int, turn: int = 0) -> int:
        """A whole number from 0 to ``below`` - 1."""
        return int.from_bytes(self.digest(about, text, turn), "big") % below

    def digits(self, about: str, text: str, turn: int = 0) -> str:
        """76 decimal digits."""
        return f"{int.from_bytes(self.digest(about, text, turn), 'big'):077d}"[1:]

    def characters(self, about: str, text: str, count: int, turn: int = 0) -> bytes:
        """As many bytes as are asked for, to choose characters by."""
        first = turn << 16
        if count <= _BYTES:
            return self.digest(about, text, first)
        if len(text) > _LONG:  # or the time would grow with the square of the length
            text = self.digest(about, text, first).hex()
        parts = range(first, first + 1 + count // _BYTES)
        return b"".join(self.digest(about, text, part) for part in parts)


# A misspelt name stays a misspelling: its replacement is near the replacement of the right one.


_NEAR_VOWELS = "aeiou"
_CONSONANTS = "bcdfghklmnprstvwz"


def copy_misspelling(new: str, right: str, wrong: str, stream: Stream, turn: int = 0) -> str:
    """Change one letter of ``new`` as the misspelling changes ``right``.

    A letter more is a letter doubled, a letter less one left out, otherwise one is exchanged for
    its like. Where is up to the key, so the place of the slip tells nothing; ``turn`` gives others.

    Examples
    --------
    >>> copy_misspelling("cosborn", "long", "lang", Stream(bytes(32), "document", "a"))
    'casborn'
    """
    place = 1 + stream.number("near", wrong, len(new) - 1, turn)
    if len(wrong) > len(right):
        return new[:place] + new[place] + new[place:]
    if len(wrong) < len(right) and len(new) > 3:
        return new[:place] + new[place + 1 :]
    vowels = [i for i, letter in enumerate(new) if i and letter in _NEAR_VOWELS]
    place = vowels[place % len(vowels)] if vowels else place
    letters = (_NEAR_VOWELS if vowels else _CONSONANTS).replace(new[place], "")
    letter = letters[stream.number("letter", wrong, len(letters), turn)]
    return new[:place] + letter + new[place + 1 :]


_TRIES = 200
_NEAR_TRIES = 20
_SHORT, _LONG_WORD = 3, 6
_VOWELS = frozenset("aeiouyäöü")


@dataclass(frozen=True)
class Choices:
    """What the data holder chose for kinds that can be kept, made coarser or changed."""

    dates: str = "month"
    relative: str = "keep"
    places: str = "keep"
    oldest: int = 89
    zip_table: ZipTable = field(default_factory=ZipTable.load)
    avoid: frozenset[str] = frozenset()


@dataclass(frozen=True, repr=False)
class Context:
    """One document's surroundings of a replacement.

    ``same`` maps misspelt words to the words that were meant; ``initials`` maps an initial and a
    last name, or all initials of a person, to names that the document has in full. Words are
    folded: small letters without accents. ``whole`` asks that every word be another: titles, kinds
    of streets and the like may be part of a name that is known.
    """

    stream: Stream
    shift: Stream
    words: Words
    choices: Choices
    made: dict[str, str] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    initials: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    whole: bool = False

    def name(self, word: str) -> str:
        """The made-up name (small letters) of a folded word, alike wherever the word is found."""
        meant = self.same.get(word, word)
        found = self.made.get(meant)
        if found is None:
            found = self.made[meant] = self._make(meant)
        return found if meant == word else self._near(found, meant, word)

    def _near(self, found: str, meant: str, word: str) -> str:
        """A misspelling of a made-up name that is nobody's name either."""
        for turn in range(_NEAR_TRIES):
            new = copy_misspelling(found, meant, word, self.stream, turn)
            if new != found and self._fits(new, word):
                return new
        return self._make(word)

    def _make(self, word: str) -> str:
        """Try the scope's choices for a word until one is nobody's name.

        It is no word of the lists, and neither of the two has the other in it.
        """
        sounds, digest = self.words.sounds(self.words.flavour(word)), self.stream.digest
        for turn in range(_TRIES):
            new = sounds.word(digest("name", word, turn))
            if new is not None:
                new = _make_nick(new) if len(word) <= _SHORT else new
                if self._fits(new, word):
                    return new
        return self._make_from_syllables(word)

    def _fits(self, new: str, word: str) -> bool:
        inside = len(word) >= _SHORT and (word in new or new in word)
        return not inside and new not in self.choices.avoid and not self.words.is_real(new)

    def _make_from_syllables(self, word: str) -> str:
        """A name by plain syllables, for the rare word that no sound fits; more with each try."""
        new, turn = "", 0
        while len(new) < _LONG_WORD or not self._fits(new, word):
            chance, turn = self.stream.number("syllables", word, 75, turn), turn + 1
            new += "bdfgklmnprstvwz"[chance % 15] + "aeiou"[chance // 15]
        return new


def _make_nick(name: str) -> str:
    """The beginning of a name, as short ones are: consonant, vowel, consonant if it can be."""
    return name[: 3 if name[1] in _VOWELS and name[2] not in _VOWELS else 4]


Replace = Callable[[str, str, Context], str | None]
"""A replacer of one kind: (text found, kind, context) -> new text, none if there is none."""
