"""What a key says of texts: numbers that nobody guesses without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discreet.display import dataclass
from discreet.pseudonyms.key import subkey
from discreet.pseudonyms.keyed_hash import cmac

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from discreet.replacement_key import ReplacementKey


@dataclass(frozen=True, repr=False)
class Chance:
    """What the key says of texts at one turn; each further turn is another draw."""

    key: ReplacementKey
    domain: str
    format: str = ""
    turn: int = 0

    def digests(self, texts: pa.Array, block: int = 0) -> NDArray[np.uint8]:
        """16 bytes a text, one row each; further blocks give further bytes."""
        return cmac(self._secret("one-way", self.turn, block), texts)

    def below(self, texts: pa.Array, limit: int) -> NDArray[np.uint64]:
        """A whole number from 0 to ``limit`` - 1 for each text, all but exactly even."""
        words = self.digests(texts).view("<u8")[:, 0]
        return np.asarray(words % np.uint64(limit))

    def prints(self, texts: pa.Array) -> NDArray[np.uint64]:
        """64 bits that stand for a text, the same at all turns; nothing without the key."""
        return np.ascontiguousarray(cmac(self._secret("prints"), texts).view("<u8")[:, 0])

    def _secret(self, *use: str | int) -> bytes:
        return subkey(self.key, *use[:1], self.format, self.domain, *use[1:])
