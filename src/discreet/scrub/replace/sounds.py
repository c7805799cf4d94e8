"""Made-up words that sound like names: letters follow each other as they do in real names.

Notes
-----
[Sweeney2001]_, sec. 9.3.1: orthographic rules (Sprees) "replace personally identifying information
with fictitious names that sound like reasonable names but in fact belong to no known person".

Departures: the rules of Sprees are not printed. Here each letter is chosen by the three before it,
as often as it follows them in a list of names; by two where three leave little choice, since that
would copy names.

Cost: some milliseconds to learn a list, once; about two microseconds for each word tried.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable

from discreet.display import safe_repr

LONG, WIDE = 3, 3
"""Letters that a letter is chosen by, if at least this many different ones can follow."""
SHORTEST, LONGEST = 5, 9
_STEPS = struct.Struct(f">{LONGEST + 1}H").unpack_from
_HARD = re.compile(r"\$|(.)\1\1|(?!sch)[^aeiouyäöü]{4}|^[^aeiouyäöü]+$")


class Sounds:
    """What letters follow which in a list of words.

    Examples
    --------
    >>> Sounds(["hanna", "sanna", "banna"]).word(bytes(32))
    'hanna'
    """

    def __init__(self, words: Iterable[str]) -> None:
        follow: dict[str, list[str]] = {}
        for word in words:
            context = "^" * LONG
            for letter in word + "$":
                follow.setdefault(context, []).append(letter)
                follow.setdefault(context[1:], []).append(letter)
                context = context[1:] + letter
        self._early, self._late = _Follow(follow, ends=False), _Follow(follow, ends=True)
        self.starts = "".join(sorted(set(follow.get("^" * LONG, "a"))))

    def word(self, chances: bytes) -> str | None:
        """The word that 32 bytes choose; none if it is too long or hard to say."""
        steps = _STEPS(chances)
        follow, context, letters = self._early, "^" * LONG, ""
        for chance in steps[:SHORTEST]:
            choice = follow[context]
            letter = choice[chance % len(choice)]
            letters += letter
            context = context[1:] + letter
        follow = self._late
        for chance in steps[SHORTEST:]:
            choice = follow[context]
            letter = choice[chance % len(choice)]
            if letter == "$":
                return None if _HARD.search(letters) else letters
            letters += letter
            context = context[1:] + letter
        return None


@safe_repr
class _Follow(dict[str, str]):
    """The letters that can follow a context, as often as they do; found out when first asked."""

    def __init__(self, follow: dict[str, list[str]], ends: bool) -> None:
        super().__init__()
        self._follow, self._ends = follow, ends

    def __missing__(self, context: str) -> str:
        if context[-1] == "$":
            return "$"
        letters = self._follow.get(context, [])
        if len(set(letters)) < WIDE:
            letters = self._follow[context[1:]]
        inner = "" if self._ends else "".join(letters).replace("$", "")
        self[context] = inner or "".join(letters)
        return self[context]
