"""What a replacer may know: the scope's keyed choices, the language, the document around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from discreet.display import dataclass
from discreet.kinds.zip_area import ZipTable
from discreet.scrub.replace.near import near
from discreet.scrub.replace.stream import Stream
from discreet.scrub.replace.words import Words

_TRIES = 200
_NEAR_TRIES = 20
_SHORT, _LONG = 3, 6
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
            new = near(found, meant, word, self.stream, turn)
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
                new = _nick(new) if len(word) <= _SHORT else new
                if self._fits(new, word):
                    return new
        return self._syllables(word)

    def _fits(self, new: str, word: str) -> bool:
        inside = len(word) >= _SHORT and (word in new or new in word)
        return not inside and new not in self.choices.avoid and not self.words.is_real(new)

    def _syllables(self, word: str) -> str:
        """A name by plain syllables, for the rare word that no sound fits; more with each try."""
        new, turn = "", 0
        while len(new) < _LONG or not self._fits(new, word):
            chance, turn = self.stream.number("syllables", word, 75, turn), turn + 1
            new += "bdfgklmnprstvwz"[chance % 15] + "aeiou"[chance // 15]
        return new


def _nick(name: str) -> str:
    """The beginning of a name, as short ones are: consonant, vowel, consonant if it can be."""
    return name[: 3 if name[1] in _VOWELS and name[2] not in _VOWELS else 4]


Replace = Callable[[str, str, Context], str | None]
"""A replacer of one kind: (text found, kind, context) -> new text, none if there is none."""
