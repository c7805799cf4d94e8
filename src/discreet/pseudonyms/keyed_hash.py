"""AES-CMAC of very many short texts at once.

Notes
-----
RFC 4493 and NIST SP 800-38B, with AES-256 of the package `cryptography`. The mode is a few
exclusive ors between blocks, so all texts of one length go through the cipher together. A test
compares the bytes with `cryptography`'s own CMAC.

Departures: none.

Cost: about a tenth of a microsecond a text of up to 16 bytes; one call of a hash from Python takes
seven times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from discreet.pseudonyms.written import by_length

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

BLOCK = 16
_PADDING = 0x80
_AT_ONCE = 1 << 15
"""Texts that go through the cipher together: as many as the caches of a processor hold."""


def cmac(secret: bytes, texts: pa.Array) -> NDArray[np.uint8]:
    """16 bytes for each text, one row each; the secret is an AES key.

    Examples
    --------
    >>> import pyarrow as pa
    >>> cmac(bytes(32), pa.array(["A17", "B4", "A17"])).shape
    (3, 16)
    """
    mac = Cmac(secret)
    found = np.empty((len(texts), BLOCK), np.uint8)
    for rows, cells in by_length(texts):
        found[rows] = mac.of(cells)
    return found


class Cmac:
    """The hash under one AES key, of any number of texts of one length."""

    def __init__(self, secret: bytes) -> None:
        self._encrypt = aes(secret)
        whole = doubled(self._encrypt(np.zeros((1, BLOCK), np.uint8))[0].tobytes())
        self._whole = np.frombuffer(whole, np.uint8)
        self._padded = np.frombuffer(doubled(whole), np.uint8)

    def of(self, cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """16 bytes for each row of bytes."""
        found = np.empty((len(cells), BLOCK), np.uint8)
        for start in range(0, len(cells), _AT_ONCE):
            found[start : start + _AT_ONCE] = self._of(cells[start : start + _AT_ONCE])
        return found

    def _of(self, cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
        length = cells.shape[1]
        blocks = max(1, -(-length // BLOCK))
        padded = np.zeros((len(cells), blocks * BLOCK), np.uint8)
        padded[:, :length] = cells
        whole = length == blocks * BLOCK
        if not whole:
            padded[:, length] = _PADDING
        padded[:, -BLOCK:] ^= self._whole if whole else self._padded
        state = np.zeros((len(cells), BLOCK), np.uint8)
        for start in range(0, blocks * BLOCK, BLOCK):
            state = self._encrypt(state ^ padded[:, start : start + BLOCK])
        return state


def aes(secret: bytes) -> Callable[[NDArray[np.uint8]], NDArray[np.uint8]]:
    """The block cipher, for any number of blocks at once."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    cipher = Cipher(algorithms.AES(secret), modes.ECB()).encryptor()

    def encrypt(blocks: NDArray[np.uint8]) -> NDArray[np.uint8]:
        done = cipher.update(np.ascontiguousarray(blocks).data.cast("B") if blocks.size else b"")
        return np.frombuffer(done, np.uint8).reshape(-1, BLOCK)

    return encrypt


def doubled(block: bytes) -> bytes:
    """Times x in the field of 2^128 elements."""
    number = int.from_bytes(block, "big") << 1
    if number >> 128:
        number ^= (1 << 128) | 0x87
    return number.to_bytes(BLOCK, "big")
