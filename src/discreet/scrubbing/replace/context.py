"""What a replacer may use: the scope's keyed choices, the language, the surrounding document."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from dataclasses import field

from discreet.display import dataclass
from discreet.kinds.zip_area import ZipTable
from discreet.scrubbing.replace.words import Words

# Numbers and letters determined by a key and a text, the same wherever the key is used.
#
# Notes
# -----
# [Sweeney2001]_, sec. 9.3.1, for consistent replacements; HMAC-SHA256, so that nobody without the
# key can repeat them.
#
# Departures: the thesis does not say how choices are made repeatable; here a key decides.
#
# Cost: about a microsecond for each hash.


_BYTES = 32
_LONG = 256
"""A text with more characters is replaced by its digest."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Stream:
    """Keyed choices within one scope: the same question gets the same answer.

    The scope's name is mixed into the key, so that scopes are independent.

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
        """32 bytes; another ``turn`` gives other bytes for the same question."""
        asked = f"{about}\n{turn}\n{text}".encode("utf-8", "replace")
        return hmac.digest(self._key, asked, "sha256")

    def number(self, about: str, text: str, below: int, turn: int = 0) -> int:
        """A whole number from 0 to ``below`` - 1."""
        return int.from_bytes(self.digest(about, text, turn), "big") % below

    def digits(self, about: str, text: str, turn: int = 0) -> str:
        """76 decimal digits."""
        return f"{int.from_bytes(self.digest(about, text, turn), 'big'):077d}"[1:]

    def characters(self, about: str, text: str, count: int, turn: int = 0) -> bytes:
        """``count`` bytes by which to choose characters."""
        first = turn << 16
        if count <= _BYTES:
            return self.digest(about, text, first)
        if len(text) > _LONG:  # otherwise time would grow with the square of the length
            text = self.digest(about, text, first).hex()
        parts = range(first, first + 1 + count // _BYTES)
        return b"".join(self.digest(about, text, part) for part in parts)


# A misspelt name stays misspelt: its replacement is a misspelling of the right one's replacement.


_NEAR_VOWELS = "aeiou"
_CONSONANTS = "bcdfghklmnprstvwz"


def copy_misspelling(new: str, right: str, wrong: str, stream: Stream, turn: int = 0) -> str:
    """Change one letter of ``new`` as the misspelling changes ``right``.

    An extra letter becomes a doubled letter, a missing one a letter left out, and any other mistake
    a similar letter. The key decides where, so the place of the error reveals nothing; another
    ``turn`` gives another result.

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
    """The data holder's choices for kinds that can be kept, generalized or changed."""

    dates: str = "month"
    relative: str = "keep"
    places: str = "keep"
    oldest: int = 89
    zip_table: ZipTable = field(default_factory=ZipTable.load)
    avoid: frozenset[str] = frozenset()


@dataclass(frozen=True, repr=False)
class Context:
    """The context of replacements in one document.

    ``same`` maps misspelt words to the words that were meant; ``initials`` maps an initial and a
    last name, or all initials of a person, to full names in the document. Words are folded: small
    letters without accents. With ``whole``, every word is replaced, since titles, street types and
    the like may be part of a known name.
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
        """The made-up name (small letters) of a folded word, the same wherever the word occurs."""
        meant = self.same.get(word, word)
        found = self.made.get(meant)
        if found is None:
            found = self.made[meant] = self._make(meant)
        return found if meant == word else self._near(found, meant, word)

    def _near(self, found: str, meant: str, word: str) -> str:
        """A misspelling of a made-up name that is not a real name either."""
        for turn in range(_NEAR_TRIES):
            new = copy_misspelling(found, meant, word, self.stream, turn)
            if new != found and self._fits(new, word):
                return new
        return self._make(word)

    def _make(self, word: str) -> str:
        """Try the scope's choices for a word until one is not a real name.

        It is in no list, and neither word contains the other.
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
        """A name of plain syllables, for a rare word without a usable one; longer with each try."""
        new, turn = "", 0
        while len(new) < _LONG_WORD or not self._fits(new, word):
            chance, turn = self.stream.number("syllables", word, 75, turn), turn + 1
            new += "bdfgklmnprstvwz"[chance % 15] + "aeiou"[chance // 15]
        return new


def _make_nick(name: str) -> str:
    """The beginning of a name as a nickname: consonant, vowel, and a consonant if possible."""
    return name[: 3 if name[1] in _VOWELS and name[2] not in _VOWELS else 4]


Replace = Callable[[str, str, Context], str | None]
"""A replacer of one kind: (text found, kind, context) -> new text, or None."""
