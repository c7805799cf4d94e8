"""Numbers and letters that a key and a text decide, alike wherever the key is used.

Notes
-----
[Sweeney2001]_, sec. 9.3.1, for consistent replacements; HMAC-SHA256 for those without the key.

Departures: see ``key.py``.

Cost: about a microsecond for each hash.
"""

from __future__ import annotations

import hmac

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
