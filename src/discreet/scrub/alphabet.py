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
        *("8" * n for n in range(1, 12)),
        "'s",
    )
    for space in ("", " ")
] + ["\n", "\n\n", "\t", "A1", "A1 ", "1st", "1st "]
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
        self._charsets: dict[str, tuple[int, str]] = {}
        self._seen = 0
        self._cases: dict[int, list[tuple[int, int, int]]] = {}
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

    @property
    def last(self) -> str:
        """The character given out last."""
        return chr(_code(len(self) - 1))

    def bits(self, atoms: Iterable[str]) -> int:
        """Atoms as bits of a signature."""
        return sum(self._bit[text] for text in atoms)

    def charset(self, atom: str) -> str:
        """The characters of an atom as a set of a regular expression."""
        codes = self.members[atom]
        size, text = self._charsets.get(atom, (-1, ""))
        if size != len(codes):
            text = _charset(codes)
            self._charsets[atom] = len(codes), text
        return text

    def _settle(self) -> None:
        """Take all characters given out so far for the usual ones."""
        self._last_usual = self.last

    def rare(self, characters: Iterable[str]) -> list[str]:
        """Those that were given out after the usual ones."""
        last = self._last_usual
        return sorted(character for character in characters if character > last)

    def present(self, characters: Iterable[str]) -> int:
        """The atoms that tokens with at least one of these characters fit, as bits."""
        bits, atoms_of = 0, self._atoms_of
        for character in characters:
            bits |= atoms_of[character]
        return bits

    def sharing(self, signature: int) -> Iterable[str]:
        """Characters of the atom that fewest have, of those that tokens fit."""
        fewest: list[int] = []
        while signature:
            lowest = signature & -signature
            members = self._lists[lowest.bit_length() - 1]
            if not fewest or len(members) < len(fewest):
                fewest = members
            signature ^= lowest
        return map(chr, fewest)

    def signature(self, character: str) -> int:
        """The atoms that tokens with a character fit, as bits."""
        return self._atoms_of[character]

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
                self._cases.setdefault(_highest(need), []).append((bit, need | forbid, need))

    def _give_out_usual(self) -> None:
        """Give out the characters of all words in the lists, in the usual shapes.

        In the order of their signatures, so that the members of an atom lie close together and
        its set of characters is short.
        """
        lexicon = self.lexicon
        shapes = _shapes(self._seen)
        known = lexicon.knowledge() | {lexicon.bit("unknown"), SHAPE_BIT["short"], 0}
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
        signature, rest, cases = 0, mask, self._cases
        for bit, looked_at, _ in cases.get(0, ()):
            if not mask & looked_at:
                signature |= bit
        while rest:
            highest = _highest(rest)
            rest ^= highest
            for bit, looked_at, need in cases.get(highest, ()):
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
        local = {token: cache.on_board[token, bits] for token, bits in posted.items()}
        return "".join([local[t] if t in local else cache[t] for t in tokens])


def _highest(bits: int) -> int:
    """The highest bit alone; knowledge is above shapes, so it is the one that fewest words have."""
    return 1 << bits.bit_length() - 1 if bits else 0


def _charset(codes: list[int]) -> str:
    """A set of a regular expression for characters whose codes are in order."""
    if not codes:
        return r"(?!)"
    runs: list[list[int]] = []
    for code in codes:
        if runs and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return "[" + "".join(chr(a) if a == b else f"{chr(a)}-{chr(b)}" for a, b in runs) + "]"


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
        self.on_board = _OnBoard(self)

    def __missing__(self, token: str) -> str:
        character = self.look_up(token, 0)
        if len(self) < _KEPT:
            self[token] = character
        return character

    def look_up(self, token: str, posted: int) -> str:
        lexicon = self._alphabet.lexicon
        mask = cased(lexicon.mask(token), self._casing, lexicon)
        return self._alphabet.character(mask | posted, lexicon.plains[token])


class _OnBoard(dict[tuple[str, int], str]):
    """The same for tokens with the bits that posts give them."""

    def __init__(self, classes: _Classes) -> None:
        super().__init__()
        self._classes = classes

    def __missing__(self, key: tuple[str, int]) -> str:
        character = self._classes.look_up(*key)
        if len(self) < _KEPT:
            self[key] = character
        return character


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
