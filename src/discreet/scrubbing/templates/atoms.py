"""The atoms of templates, and which of them a token fits: its letter.

Notes
-----
Tokens that no template distinguishes share one letter, so a text is read as a row of letters.

Departures: the thesis matches templates character by character; see ``template.py``.

Cost: some microseconds for new features; after that one look-up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from discreet.scrubbing.templates.lexicon import Lexicon
from discreet.scrubbing.templates.template import parse_atom, read_literal_words

_LITERAL = re.compile(r"\"[^\"]+\"|\{[^{}]*\}")


class Letter:
    """Everything templates can see of a token: the atoms that it fits, as bits."""

    __slots__ = ("fits",)

    def __init__(self, fits: int) -> None:
        self.fits = fits


START, END = Letter(1), Letter(2)
"""Sentinels before the first token and after the last; they fit no atom."""


class Atoms:
    """Letters for tokens, by the atoms they fit; ``bits`` has the bit of each atom.

    Examples
    --------
    >>> lexicon = Lexicon({})
    >>> atoms = Atoms(["<capitalized>", "<digits>"], lexicon)
    >>> anna, bert, number = (atoms.letter(lexicon.mask(t), "") for t in ("Anna ", "Bert", "12"))
    >>> anna is bert, anna is number
    (True, False)
    """

    def __init__(self, atoms: Iterable[str], lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.bits = {text: 4 << place for place, text in enumerate(dict.fromkeys(atoms))}
        self._seen = 0
        self._cases: dict[int, list[tuple[int, int, int]]] = {}
        self._banning: list[tuple[int, int, int, frozenset[str]]] = []
        self._allowing: dict[str, list[tuple[int, int, int, frozenset[str]]]] = {}
        self._literals: set[str] = set()
        self._by_features: dict[tuple[int, str], Letter] = {}
        self._by_fits: dict[int, Letter] = {}
        for text, bit in self.bits.items():
            self._read(text, bit)

    def _read(self, text: str, bit: int) -> None:
        """Sort the alternatives of an atom by what has to be checked."""
        for literal in _LITERAL.findall(text):
            self._literals |= read_literal_words(literal)
        for need, forbid, allowed, banned in parse_atom(text, self.lexicon):
            self._seen |= need | forbid
            if allowed is not None:
                for word in allowed:
                    case = bit, need | forbid, need, banned
                    self._allowing.setdefault(word, []).append(case)
            elif banned:
                self._banning.append((bit, need | forbid, need, banned))
            else:
                self._cases.setdefault(_find_highest_bit(need), []).append(
                    (bit, need | forbid, need)
                )

    def letter(self, mask: int, word: str) -> Letter:
        """The letter of tokens with these features and this text."""
        key = mask & self._seen, word if word in self._literals else ""
        letter = self._by_features.get(key)
        if letter is None:
            fits = self._fits(*key)
            letter = self._by_features[key] = self._by_fits.setdefault(fits, Letter(fits))
        return letter

    def _fits(self, mask: int, word: str) -> int:
        """The atoms that such tokens fit, as bits."""
        fits, rest, cases = 0, mask, self._cases
        for bit, looked_at, _ in cases.get(0, ()):
            if not mask & looked_at:
                fits |= bit
        while rest:
            highest = _find_highest_bit(rest)
            rest ^= highest
            for bit, looked_at, need in cases.get(highest, ()):
                if mask & looked_at == need:
                    fits |= bit
        for bit, looked_at, need, banned in self._banning:
            if mask & looked_at == need and word not in banned:
                fits |= bit
        for bit, looked_at, need, banned in self._allowing.get(word, ()):
            if mask & looked_at == need and word not in banned:
                fits |= bit
        return fits


def _find_highest_bit(bits: int) -> int:
    """The highest bit alone; knowledge is above shapes, so fewest words have it."""
    return 1 << bits.bit_length() - 1 if bits else 0
