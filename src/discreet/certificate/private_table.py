"""The keyed hash of a private table: without the key nobody can try out what it might hold."""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from discreet.certificate.keys import SigningKey
from discreet.engines.address import find_scheme
from discreet.engines.read import read
from discreet.engines.table import find_engine_source
from discreet.errors import ArgumentError, InternalError
from discreet.input_file import open_regular, refuse_address

BLOCK = 1 << 20


def hash_private(key: SigningKey, tables: Sequence[str | Path], salt: bytes) -> str:
    """A keyed hash of files, byte by byte, and of tables in databases, row by row.

    HMAC-SHA256 under a key that is derived from the signing key for the salt of one certificate, so
    that hashes of the same table in two certificates have nothing in common.

    Notes
    -----
    A table in a database has no bytes and no order. Every row is hashed there (SHA-256, with a key
    derived once more), and the hashes, sorted, are what is hashed here with the names of columns.
    *Cost*: one pass over the bytes of a file, or one statement that sorts a hash for each row.
    """
    secret = key.derive_secret(salt)
    whole = hmac.new(secret, digestmod="sha256")
    for table in tables:
        one = hmac.new(secret, digestmod="sha256")
        for block in _read_blocks(table) if find_scheme(table) is None else _seal(table, secret):
            one.update(block)
        whole.update(one.digest())
    return whole.hexdigest()


def _read_blocks(path: str | Path) -> Iterator[bytes]:
    """The bytes of a file."""
    refuse_address(path, "original")
    try:
        with os.fdopen(open_regular(Path(path)), "rb") as opened:
            while block := opened.read(BLOCK):
                yield block
        return
    except OSError as error:
        what = f"it cannot be read: {os.strerror(error.errno or 0)}"
    raise ArgumentError("original", what, "Give the path of the private table.")


def _seal(address: str | Path, secret: bytes) -> Iterator[bytes]:
    """The names of the columns of a table in a database, and a hash of each row."""
    source = find_engine_source(read(address))
    if source is None:
        raise InternalError("the address of a table does not lead to an engine")
    for column in source.relation.columns:
        yield f"{len(column.name)}:{column.name};".encode()
    row_key = hmac.digest(secret, b"discreet: rows of a private table", "sha256")
    try:
        for batch in source.seal_rows(row_key):
            digests, rows = (batch.column(place).to_pylist() for place in (0, 1))
            yield "".join(f"{d} {n};" for d, n in zip(digests, rows, strict=True)).encode()
    finally:
        source.engine.close()
