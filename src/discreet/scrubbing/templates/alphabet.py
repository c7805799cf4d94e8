"""The alphabet of templates: each token of a text becomes one letter.

Notes
-----
Departures: the thesis matches templates character by character; see ``template.py``.

Cost: one look-up per token; a new token takes some microseconds.
"""

from __future__ import annotations

from collections.abc import Mapping

from discreet.display import safe_repr
from discreet.scrubbing.casing import LOWER, NORMAL, UPPER, adjust_to_casing
from discreet.scrubbing.templates.atoms import Atoms, Letter

__all__ = ["LOWER", "NORMAL", "UPPER", "Alphabet", "adjust_to_casing"]

_KEPT = 300_000
"""Most tokens that are cached, however long the stream."""


class Alphabet:
    """Letters for the tokens of texts of one casing.

    Examples
    --------
    >>> from discreet.scrubbing.templates.lexicon import Lexicon
    >>> alphabet = Alphabet(Atoms(["<capitalized>", "<digits>"], Lexicon({})))
    >>> a, b, c = alphabet.letters(["Anna ", "Bert", "12"])
    >>> a is b, a is c
    (True, False)
    """

    def __init__(self, atoms: Atoms, casing: str = NORMAL) -> None:
        self._atoms, self._casing = atoms, casing
        self._known = _Known(self)
        self._on_board = _OnBoard(self)

    def letters(self, tokens: list[str], posted: Mapping[str, int] | None = None) -> list[Letter]:
        """One letter per token; ``posted`` are tokens on the blackboard with their bits."""
        known = self._known
        if not posted:
            return list(map(known.__getitem__, tokens))
        local = {token: self._on_board[token, bits] for token, bits in posted.items()}
        return [local[t] if t in local else known[t] for t in tokens]

    def letter(self, token: str, posted: int = 0) -> Letter:
        """The letter of a token with the bits from its posts."""
        lexicon = self._atoms.lexicon
        mask = adjust_to_casing(lexicon.mask(token), self._casing, lexicon)
        return self._atoms.letter(mask | posted, lexicon.plains[token])


@safe_repr
class _Known(dict[str, Letter]):
    """Letters by token, computed on first use."""

    def __init__(self, alphabet: Alphabet) -> None:
        super().__init__()
        self._alphabet = alphabet

    def __missing__(self, token: str) -> Letter:
        letter = self._alphabet.letter(token)
        if len(self) < _KEPT:
            self[token] = letter
        return letter


@safe_repr
class _OnBoard(dict[tuple[str, int], Letter]):
    """The same for tokens with the bits from their posts."""

    def __init__(self, alphabet: Alphabet) -> None:
        super().__init__()
        self._alphabet = alphabet

    def __missing__(self, key: tuple[str, int]) -> Letter:
        letter = self._alphabet.letter(*key)
        if len(self) < _KEPT:
            self[key] = letter
        return letter
