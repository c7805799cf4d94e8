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
from discreet.errors import PseudonymError, WriteError
from discreet.input_file import UnfitFileError, open_regular, refuse_address
from discreet.table.atomic import NameTakenError, open_hidden_file

SECRET_BYTES = 32
_LONGEST = 4096


class ReplacementKeyError(PseudonymError):
    """The key that replacements in text are drawn with cannot be used."""

    def __init__(self, where: object, what: str, fix: str = "") -> None:
        super().__init__(f"replacement key {where}", what, fix)


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
            with open_hidden_file(Path(path), ".key", 0o600, replace=False) as hidden:
                hidden.write_bytes(key.secret.hex().encode() + b"\n")
        except NameTakenError:
            raise ReplacementKeyError(path, *there) from None
        except (OSError, WriteError) as error:
            why = error.what if isinstance(error, WriteError) else _explain_error(error)
            fix = "Name a file in a folder that exists and that you may write to."
            raise ReplacementKeyError(path, f"it cannot be written: {why}", fix) from None
        return key

    @classmethod
    def load(cls, path: Path | str) -> ReplacementKey:
        """Read a key; refuse one that others can read."""
        refuse_address(path, "key")
        try:
            rights, raw = _read(path)
        except UnfitFileError as error:
            raise ReplacementKeyError(path, error.what, error.fix) from None
        except OSError as error:
            raise ReplacementKeyError(path, f"it cannot be read: {_explain_error(error)}") from None
        try:
            secret = bytes.fromhex(raw.decode("ascii"))
        except ValueError:
            secret = b""
        # Before a word about rights: nobody should change those of a file that is something else.
        if len(secret) != SECRET_BYTES:
            what = "this is not a key that discreet made, or it is damaged"
            fix = "Name a key file; put a lost key back from a copy, for another gives others."
            raise ReplacementKeyError(path, what, fix)
        if rights & 0o077:
            raise ReplacementKeyError(path, "other users can read it", f"Run: chmod 600 {path}.")
        return cls(secret)

    @property
    def fingerprint(self) -> str:
        """16 characters that distinguish two keys and reveal nothing about the key."""
        return hmac.digest(self.secret, b"fingerprint", "sha256").hex()[:16]


def _read(path: Path | str) -> tuple[int, bytes]:
    """Who may read a key file, and its start: a key is short, whatever else is never read whole."""
    file = open_regular(path)
    try:
        return stat.S_IMODE(os.fstat(file).st_mode), os.read(file, _LONGEST)
    finally:
        os.close(file)


def _explain_error(error: OSError) -> str:
    return os.strerror(error.errno or 0)
