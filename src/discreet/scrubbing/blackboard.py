"""The blackboard: words already found to be a name of a person, an organization or a place.

Notes
-----
[Sweeney2001]_, sec. 9.3: "when an instance of an entity is found in the text, its corresponding
detection algorithm can post its results -- making them available to all detection algorithms";
after *Virginia P. Weston*, Virginia is a person and not the state.

Departures: a post holds for the whole document, including the text before the place where it was
found, and, for documents of a known person, for all documents of that person. Misspelt forms count
as well: one edit away for words of four letters and more, two for words of eight and more.

Cost: a few look-ups for each distinct capitalized word of a document that has posts.
"""

from __future__ import annotations

from collections.abc import Iterable

from discreet.scrubbing.templates.lexicon import Lexicon, fold_token

_SHORTEST = 4
"""Shorter words are too alike for one to count as a misspelling of another."""


class Blackboard:
    """Posted words and the features they give to tokens.

    Examples
    --------
    >>> board = Blackboard()
    >>> board.post("Virginia", "posted_name")
    >>> lexicon = Lexicon({"state": ["virginia"]})
    >>> sorted(board.overlay({"Virginia ", "Virgina", "state"}, lexicon))
    ['Virgina', 'Virginia ']
    """

    def __init__(self, *under: Blackboard) -> None:
        self._under = under
        self._words: dict[str, set[str]] = {}
        self._beginnings: dict[str, set[str]] = {}
        self._endings: dict[str, set[str]] = {}

    def post(self, word: str, role: str) -> None:
        """Post one word under a role: ``posted_name``, ``posted_org`` or ``posted_place``."""
        key = fold_token(word)
        roles = self._words.setdefault(key, set())
        if role not in roles:
            roles.add(role)
            if role == "posted_name" and len(key) >= _SHORTEST:
                self._beginnings.setdefault(key[:2], set()).add(key)
                self._endings.setdefault(key[-2:], set()).add(key)

    def __bool__(self) -> bool:
        return bool(self._words) or any(self._under)

    def roles(self, word: str) -> set[str]:
        """The roles a word was posted under, here or on the boards below this one."""
        found = set(self._words.get(word, ()))
        for board in self._under:
            found |= board.roles(word)
        return found

    def is_like(self, word: str) -> bool:
        """Whether a word is a posted name with a letter or two wrong.

        One mistake leaves the first two letters or the last two as they were.
        """
        names = self._beginnings.get(word[:2], _NONE) | self._endings.get(word[-2:], _NONE)
        if names and any(_is_close(word, name) for name in names):
            return True
        return any(board.is_like(word) for board in self._under)

    def overlay(self, tokens: Iterable[str], lexicon: Lexicon) -> dict[str, int]:
        """The feature bits that posts add, for the tokens that get any."""
        boards = [board for board in (self, *self._under) if board]
        posted = set[str]().union(*(board._words for board in boards))
        beginnings = set[str]().union(*(board._beginnings for board in boards))
        endings = set[str]().union(*(board._endings for board in boards))
        found, bits, plains = {}, lexicon.bits, lexicon.plains
        shapes, ordinary = bits["capitalized"] | bits["upper"], bits["ordinary"]
        for token in tokens:
            word = plains[token]
            if word in posted:
                found[token] = sum(bits[role] for role in self.roles(word))
            elif word[:2] in beginnings or word[-2:] in endings:
                mask = lexicon.mask(token) if len(word) >= _SHORTEST else 0
                if mask & shapes and not mask & ordinary and self.is_like(word):
                    found[token] = bits["posted_like"]
        return found


_NONE: frozenset[str] = frozenset()


def _count_allowed_edits(length: int) -> int:
    return 0 if length < _SHORTEST else 1 if length < 8 else 2


def _is_close(word: str, name: str) -> bool:
    """Whether two words differ by no more edits than the name's length allows."""
    limit = _count_allowed_edits(len(name))
    if abs(len(word) - len(name)) > limit or (word[0] != name[0] and len(name) <= 5):
        return False
    return 0 < _count_edits(*_strip_common_ends(word, name)) <= limit


def _strip_common_ends(a: str, b: str) -> tuple[str, str]:
    """Two words without their common first and last letters."""
    start, least = 0, min(len(a), len(b))
    while start < least and a[start] == b[start]:
        start += 1
    end = 0
    while end < least - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return a[start : len(a) - end], b[start : len(b) - end]


def _count_edits(a: str, b: str) -> int:
    """Edits between two words: a letter inserted, dropped or changed, or two neighbours swapped."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]
