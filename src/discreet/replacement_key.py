"""The secret that replacements are drawn with: whoever lacks it cannot try words out.

Notes
-----
[Sweeney2001]_, sec. 9.3.1: a look-up with the original as key gives consistent replacements.

Departures: the look-up is a keyed hash (HMAC-SHA256) instead of a table. A table of all names would
be as private as the text; an unkeyed hash falls to anybody with a list of names.

Cost: one small file.
"""

from __future__ import annotations

import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from discreet.errors import ReplacementKeyError

SECRET_BYTES = 32


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
        key = cls(secrets.token_bytes(SECRET_BYTES))
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            fix = "Load it, or name another file."
            raise ReplacementKeyError(path, "the file is there already", fix) from None
        except OSError as error:
            raise ReplacementKeyError(path, f"it cannot be written: {_why(error)}") from None
        try:
            os.write(file, key.secret.hex().encode() + b"\n")
            os.fsync(file)
        finally:
            os.close(file)
        return key

    @classmethod
    def load(cls, path: Path | str) -> ReplacementKey:
        """Read a key; refuse one that others can read."""
        try:
            rights = stat.S_IMODE(Path(path).stat().st_mode)
            if rights & 0o077:
                fix = f"Take that right away: chmod 600 {path}."
                raise ReplacementKeyError(path, "others can read it", fix)
            return cls(bytes.fromhex(Path(path).read_text(encoding="ascii")))
        except OSError as error:
            raise ReplacementKeyError(path, f"it cannot be read: {_why(error)}") from None
        except ValueError:
            fix = "Put it back from a copy; another key gives other replacements."
            raise ReplacementKeyError(path, "it is damaged", fix) from None


def _why(error: OSError) -> str:
    return os.strerror(error.errno or 0)
