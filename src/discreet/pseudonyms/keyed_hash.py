"""HMAC-SHA256 of very many short texts.

Notes
-----
RFC 2104: H(key ^ opad, H(key ^ ipad, text)). The two states that hold the key are made once and
copied for each text; SHA-256 itself is that of the standard library. A test compares the bytes
with those of `hmac`.

Departures: none.

Cost: about one microsecond a text, half of what `hmac.digest` takes.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from discreet.pseudonyms.key import subkey

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from discreet.replacement_key import ReplacementKey

DIGEST = 32
_BLOCK = 64


def hmac_sha256(secret: bytes, texts: Iterable[bytes]) -> bytes:
    """The HMAC of each text, one after the other; the secret has at most 64 bytes.

    Examples
    --------
    >>> import hmac
    >>> hmac_sha256(b"key", [b"text"]) == hmac.digest(b"key", b"text", "sha256")
    True
    """
    padded = secret.ljust(_BLOCK, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded)).copy
    outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in padded)).copy
    digests: list[bytes] = []
    add = digests.append
    for text in texts:
        one = inner()
        one.update(text)
        two = outer()
        two.update(one.digest())
        add(two.digest())
    return b"".join(digests)


@dataclass(frozen=True, repr=False)
class Chance:
    """What the key says of texts at one turn; each further turn is another draw."""

    key: ReplacementKey
    domain: str
    turn: int = 0

    def digests(self, texts: pa.Array, block: int = 0) -> NDArray[np.uint8]:
        """32 bytes a text, one row each; further blocks give further bytes."""
        secret = subkey(self.key, "one-way", self.domain, self.turn, block)
        raw = texts.cast(pa.binary()).to_numpy(zero_copy_only=False)
        return np.frombuffer(hmac_sha256(secret, raw), np.uint8).reshape(len(texts), DIGEST)

    def below(self, texts: pa.Array, limit: int) -> NDArray[np.uint64]:
        """A whole number from 0 to ``limit`` - 1 for each text, all but exactly even."""
        words = self.digests(texts).view("<u8")[:, 0]
        return np.asarray(words % np.uint64(limit))
