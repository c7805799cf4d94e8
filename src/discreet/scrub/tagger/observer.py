"""What the tagger sees of a token: numbers of observations, each of which has its weights.

Notes
-----
An observation is a feature of the language (a shape, a word list the token is in), the word itself
if it is a usual one, or some letters in a row. The first two are looked at in the token and its
neighbours, letters in the token alone.

Cost: each different token is looked at once.
"""

from __future__ import annotations

from zlib import crc32

from discreet.display import dataclass
from discreet.scrub.alphabet import cased
from discreet.scrub.lexicon import Lexicon
from discreet.scrub.tagger.word_class import word_class

LETTERS = 1 << 13
"""Different observations of letters in a row; more share one by chance."""


@dataclass(frozen=True)
class Seen:
    """Observations of a token: those that count for its neighbours too, its letters, its class.

    ``word`` is the place of the word among the usual ones, from 1; 0 if it is none of them.
    """

    shared: tuple[int, ...]
    letters: tuple[int, ...]
    word_class: int
    word: int


class Observer:
    """Observes tokens in the terms of a model: its features by name, its usual words.

    Examples
    --------
    >>> observer = Observer(Lexicon({"sure_first": ["mary"]}), ("capitalized", "sure_first"), ())
    >>> observer.look("Mary ", "normal").shared
    (0, 1)
    """

    def __init__(self, lexicon: Lexicon, features: tuple[str, ...], words: tuple[str, ...]) -> None:
        self._lexicon = lexicon
        self._features = [
            (place, lexicon.bits[name])
            for place, name in enumerate(features)
            if name in lexicon.bits
        ]
        self._words = {word: place for place, word in enumerate(words, 1)}
        self._first_word = len(features) - 1
        self._frequent = lexicon.union("frequent")
        self._of_mask: dict[int, tuple[tuple[int, ...], int]] = {}

    def look(self, token: str, casing: str) -> Seen:
        """What is seen of a token in a text of a casing."""
        lexicon = self._lexicon
        mask = cased(lexicon.mask(token), casing, lexicon)
        word = lexicon.plains[token]
        shared, its_class = self._by_mask(mask, token.strip())
        number = self._words.get(word, 0)
        if number:
            shared = (*shared, self._first_word + number)
        is_open = mask & lexicon.bits["word"] and not mask & self._frequent
        letters = letters_of(word) if is_open else ()
        return Seen(shared, letters, its_class, number)

    def _by_mask(self, mask: int, text: str) -> tuple[tuple[int, ...], int]:
        """The features of a mask and its class; there are far fewer masks than tokens."""
        found = self._of_mask.get(mask)
        if found is None:
            bits = self._lexicon.bits
            shared = tuple(place for place, bit in self._features if mask & bit)
            found = shared, word_class(text, mask, bits)
            if not mask & bits["mark"]:
                self._of_mask[mask] = found
        return found


def letters_of(word: str) -> tuple[int, ...]:
    """Three and four letters in a row, and the first and last two, as numbers."""
    whole = f"^{word}$"
    rows = {whole[i : i + n] for n in (3, 4) for i in range(len(whole) - n + 1)}
    rows |= {"<" + word[:2], ">" + word[-2:]}
    return tuple(sorted({crc32(row.encode()) % LETTERS for row in rows}))
