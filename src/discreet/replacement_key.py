"""The secret that replacements are drawn with: whoever lacks it cannot try words out.

Notes
-----
[Sweeney2001]_, sec. 9.3.1: a look-up with the original as key gives consistent replacements.

Departures: the look-up is a keyed hash (HMAC-SHA256) instead of a table. A table of all names would
be as private as the text; an unkeyed hash falls to anybody with a list of names.

Cost: one small file.
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from pathlib import Path

from discreet.display import dataclass
from discreet.errors import NameTakenError, ReplacementKeyError, WriteError, refuse_address
from discreet.table.atomic import appearing

SECRET_BYTES = 32
_LONGEST = 4096


@dataclass(frozen=True, repr=False)
class ReplacementKey:
    """32 bytes from the operating system; ``drawn`` if they are for this run only.

    Examples
    --------
    >>> ReplacementKey.for_this_run()
    ReplacementKey(drawn for this run)
    """

    secret: bytes
    drawn: bool = False

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_BYTES:
            raise ReplacementKeyError("the key", f"it does not have {SECRET_BYTES} bytes")

    def __repr__(self) -> str:
        return f"ReplacementKey({'drawn for this run' if self.drawn else 'given'})"

    @classmethod
    def for_this_run(cls) -> ReplacementKey:
        """A key that nobody keeps: no later run gives the same replacements."""
        return cls(secrets.token_bytes(SECRET_BYTES), drawn=True)

    @classmethod
    def create(cls, path: Path | str) -> ReplacementKey:
        """Draw a key and keep it in a new file, for its owner alone."""
        refuse_address(path, "key")
        key = cls(secrets.token_bytes(SECRET_BYTES))
        there = "the file is there already", "Use it, or name another file."
        if os.path.lexists(path):
            raise ReplacementKeyError(path, *there)
        try:
            with appearing(Path(path), ".key", 0o600, replace=False) as hidden:
                hidden.write_bytes(key.secret.hex().encode() + b"\n")
        except NameTakenError:
            raise ReplacementKeyError(path, *there) from None
        except (OSError, WriteError) as error:
            why = error.what if isinstance(error, WriteError) else _why(error)
            raise ReplacementKeyError(path, f"it cannot be written: {why}") from None
        return key

    @classmethod
    def load(cls, path: Path | str) -> ReplacementKey:
        """Read a key; refuse one that others can read."""
        refuse_address(path, "key")
        try:
            raw = _read(path)
        except OSError as error:
            raise ReplacementKeyError(path, f"it cannot be read: {_why(error)}") from None
        try:
            secret = bytes.fromhex(raw.decode("ascii"))
        except ValueError:
            secret = b""
        if len(secret) != SECRET_BYTES:
            fix = "Put it back from a copy; another key gives other replacements."
            raise ReplacementKeyError(path, "it is damaged, or no key", fix)
        return cls(secret)

    @property
    def fingerprint(self) -> str:
        """16 characters that tell two keys apart, and nothing of the key."""
        return hmac.digest(self.secret, b"fingerprint", "sha256").hex()[:16]


def _read(path: Path | str) -> bytes:
    """The start of a file that only its owner can use; a pipe would make the program wait."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise ReplacementKeyError(path, "it is not a plain file", "Name the file of a key.")
        if stat.S_IMODE(found.st_mode) & 0o077:
            fix = f"Take that right away: chmod 600 {path}."
            raise ReplacementKeyError(path, "others can read it", fix)
        return os.read(file, _LONGEST)
    finally:
        os.close(file)


def _why(error: OSError) -> str:
    return os.strerror(error.errno or 0)
