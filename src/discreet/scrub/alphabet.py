"""The alphabet of a set of templates: each token becomes one character.

Notes
-----
The character of a token says which atoms of the templates it fits (its *signature*), so all tokens
that no template tells apart share one, and a document is a string as long as it has tokens.

Departures: the thesis matches templates character by character; see ``template.py``.

Cost: one dictionary look-up a token. Characters of all words in the lists are given out
beforehand, in some hundredths of a second; rare ones are given out as they are met.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from string import ascii_uppercase, punctuation

from discreet.scrub.features import SHAPE_BIT
from discreet.scrub.lexicon import Lexicon, plain
from discreet.scrub.template import literal_words, parse_atom

NORMAL, UPPER, LOWER = "normal", "upper", "lower"
"""Casing of a text: capitals and small letters, only capitals, only small letters."""

_FIRST = 0x100
"""The first character given out; none of them means anything to a regular expression."""

_LITERAL = re.compile(r"\"[^\"]+\"|\{[^{}]*\}")
_KEPT = 300_000
_USUAL = [
    token + space
    for token in (
        *punctuation,
        *ascii_uppercase,
        *"“”‘’–—…",
        *("1" * n for n in range(1, 12)),
        "'s",
    )
    for space in ("", " ")
] + ["\n", "\n\n", "\t", "A1", "1st"]
"""Tokens that are no words and are in every text."""


class Alphabet:
    """Characters for tokens, by the atoms they fit.

    Examples
    --------
    >>> alphabet = Alphabet(["<capitalized>", "<digits>"], Lexicon({}))
    >>> a, b, c = alphabet.classes(["Anna ", "Bert", "12"])
    >>> a == b, a == c
    (True, False)
    """

    def __init__(self, atoms: Iterable[str], lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.members: dict[str, list[int]] = {text: [] for text in atoms}
        self._lists = list(self.members.values())
        self._bit = {text: 1 << place for place, text in enumerate(self.members)}
        self._signatures: dict[int, str] = {}
        self._atoms_of: dict[str, int] = {}
        self._characters: dict[tuple[int, str], str] = {}
        self._any: dict[frozenset[str], re.Pattern[str]] = {}
        self._seen = 0
        self._cases: list[tuple[int, int, int]] = []
        self._banning: list[tuple[int, int, int, frozenset[str]]] = []
        self._allowing: dict[str, list[tuple[int, int, int, frozenset[str]]]] = {}
        self._literals: set[str] = set()
        for place, text in enumerate(self.members):
            self._read(text, 1 << place)
        self._classes = {casing: _Classes(self, casing) for casing in (NORMAL, UPPER, LOWER)}
        self._give_out_usual()
        self._settle()

    def __len__(self) -> int:
        return len(self._signatures)

    def bits(self, atoms: Iterable[str]) -> int:
        """Atoms as bits of a signature."""
        return sum(self._bit[text] for text in atoms)

    def charset(self, *atoms: str) -> str:
        """The characters of some atoms as a set of a regular expression."""
        codes = sorted({code for atom in atoms for code in self.members[atom]})
        runs: list[list[int]] = []
        for code in codes:
            if runs and runs[-1][1] == code - 1:
                runs[-1][1] = code
            else:
                runs.append([code, code])
        if not runs:
            return r"(?!)"
        return "[" + "".join(chr(a) if a == b else f"{chr(a)}-{chr(b)}" for a, b in runs) + "]"

    def _settle(self) -> None:
        """Take all characters given out so far for the usual ones."""
        self._usual = len(self)
        self.last_usual = _code(self._usual - 1)
        self._rare = re.compile(f"[{chr(_code(self._usual))}-\uffff]")
        self._any.clear()

    def rare(self, classes: str) -> dict[str, list[int]]:
        """Where characters are that were given out after the usual ones.

        When there are many of them they become usual, and expressions are compiled for them.
        """
        if len(self) - self._usual > max(64, self._usual // 4):
            self._settle()
        places: dict[str, list[int]] = {}
        for found in self._rare.finditer(classes):
            places.setdefault(found[0], []).append(found.start())
        return places

    def any_of(self, atoms: frozenset[str]) -> re.Pattern[str]:
        """An expression that finds tokens with a usual character that fit one of some atoms."""
        if atoms not in self._any:
            self._any[atoms] = re.compile(self.charset(*sorted(atoms)))
        return self._any[atoms]

    def signature(self, character: str) -> int:
        """The atoms that tokens with a character fit, as bits."""
        return self._atoms_of[character]

    def characters(self) -> list[str]:
        """All characters given out, in that order."""
        return list(self._atoms_of)

    def present(
        self, vocabulary: Iterable[str], posted: Mapping[str, int], casing: str = NORMAL
    ) -> int:
        """The atoms that at least one of these tokens fits, as bits."""
        cache = self._classes[casing]
        bits = 0
        for character in set(map(cache.__getitem__, vocabulary)):
            bits |= self._atoms_of[character]
        for token, known in posted.items():
            bits |= self._atoms_of[cache.look_up(token, known)]
        return bits

    def _read(self, text: str, bit: int) -> None:
        """Sort the alternatives of an atom by what has to be looked at."""
        for literal in _LITERAL.findall(text):
            self._literals |= literal_words(literal)
        for need, forbid, allowed, banned in parse_atom(text, self.lexicon):
            self._seen |= need | forbid
            if allowed is not None:
                for word in allowed:
                    case = bit, need | forbid, need, banned
                    self._allowing.setdefault(word, []).append(case)
            elif banned:
                self._banning.append((bit, need | forbid, need, banned))
            else:
                self._cases.append((bit, need | forbid, need))

    def _give_out_usual(self) -> None:
        """Give out the characters of all words in the lists, in the usual shapes.

        In the order of their signatures, so that the members of an atom lie close together and
        its set of characters is short.
        """
        lexicon = self.lexicon
        shapes = _shapes(self._seen)
        known = lexicon.knowledge() | {lexicon.bit("unknown"), 0}
        known = {bits & self._seen for bits in known}
        known |= {bits | lexicon.bit("ordinary") & self._seen for bits in known}
        masks = {(bits | shape, "") for bits in known for shape in shapes}
        for word in self._literals:
            forms = word, word.capitalize(), word.upper()
            masks |= {(lexicon.mask(f + s) & self._seen, word) for f in forms for s in ("", " ")}
        for token in _USUAL:
            word = plain(token)
            literal = word if word in self._literals else ""
            masks.add((lexicon.mask(token) & self._seen, literal))
        for signature in sorted({self._signature(mask, word) for mask, word in masks}):
            self._give_out(signature)

    def character(self, mask: int, word: str) -> str:
        """The character of tokens with these features and this text."""
        key = mask & self._seen, word if word in self._literals else ""
        known = self._characters.get(key)
        if known is None:
            known = self._characters[key] = self._give_out(self._signature(*key))
        return known

    def _signature(self, mask: int, word: str) -> int:
        """Which atoms such tokens fit, as bits."""
        signature = 0
        for bit, looked_at, need in self._cases:
            if mask & looked_at == need:
                signature |= bit
        for bit, looked_at, need, banned in self._banning:
            if mask & looked_at == need and word not in banned:
                signature |= bit
        for bit, looked_at, need, banned in self._allowing.get(word, ()):
            if mask & looked_at == need and word not in banned:
                signature |= bit
        return signature

    def _give_out(self, signature: int) -> str:
        character = self._signatures.get(signature)
        if character is None:
            code = _code(len(self._signatures))
            character = self._signatures[signature] = chr(code)
            self._atoms_of[character] = signature
            while signature:
                lowest = signature & -signature
                self._lists[lowest.bit_length() - 1].append(code)
                signature ^= lowest
        return character

    def classes(
        self, tokens: Iterable[str], posted: Mapping[str, int] | None = None, casing: str = NORMAL
    ) -> str:
        """One character a token; ``posted`` are tokens on the blackboard with their bits."""
        cache = self._classes[casing]
        if not posted:
            return "".join(map(cache.__getitem__, tokens))
        local = {token: cache.look_up(token, bits) for token, bits in posted.items()}
        return "".join([local[t] if t in local else cache[t] for t in tokens])


def _code(place: int) -> int:
    """The code of the character given out at a place; surrogates are left out."""
    code = _FIRST + place
    return code if code < 0xD800 else code + 0x800


def _shapes(seen: int) -> set[int]:
    """The usual shapes of words, as far as templates look at them."""
    bit = SHAPE_BIT
    cases = (bit["lower"], bit["capitalized"], bit["upper"])
    return {(bit["word"] | case | space) & seen for case in cases for space in (0, bit["spaced"])}


class _Classes(dict[str, str]):
    """Token text to its character; a token met for the first time is looked up."""

    def __init__(self, alphabet: Alphabet, casing: str) -> None:
        super().__init__()
        self._alphabet, self._casing = alphabet, casing

    def __missing__(self, token: str) -> str:
        character = self.look_up(token, 0)
        if len(self) < _KEPT:
            self[token] = character
        return character

    def look_up(self, token: str, posted: int) -> str:
        lexicon = self._alphabet.lexicon
        mask = cased(lexicon.mask(token), self._casing, lexicon)
        return self._alphabet.character(mask | posted, lexicon.plains[token])


def cased(mask: int, casing: str, lexicon: Lexicon) -> int:
    """The features of a word in a text without small letters, or without capitals.

    There a word's case says nothing, so what is known of the word gives the case it would have:
    a capital for names and unknown words, small letters for ordinary words. A word that is both
    stays ``upper``; in a text without capitals it is ``small``, and so are unknown words, of which
    many are slips of the keyboard.
    """
    bit = lexicon.bits
    plain_case = {UPPER: bit["upper"], LOWER: bit["lower"]}.get(casing, 0)
    if not mask & plain_case:
        return mask
    ordinary, sure = mask & bit["ordinary"], lexicon.union("sure_first", "sure_last", "sure_city")
    if casing == UPPER:
        if mask & sure or not ordinary:
            return mask & ~plain_case | bit["capitalized"]
        is_both = mask & lexicon.union("first", "last")
        return mask if is_both else mask & ~plain_case | bit["lower"]
    if mask & sure and not mask & lexicon.union("frequent"):
        return mask & ~plain_case | bit["capitalized"]
    return mask | (bit["small"] if mask & lexicon.union("first", "last", "unknown") else 0)
