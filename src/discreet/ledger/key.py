"""The secret of a ledger: it signs the entries and hides what the classes say."""

from __future__ import annotations

import hmac
import json
import os
import re
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from discreet.display import dataclass
from discreet.errors import LedgerError, WriteError
from discreet.input_file import KEY, UnfitFileError, open_regular, read_open
from discreet.table.atomic import open_hidden_file, sweep

PRINT_BYTES = 16
SECRET_BYTES = 32
RESTORE = "Put it back from a copy; without it the ledger cannot be read or added to."


class LedgerKeyError(LedgerError):
    """The key of a ledger is missing, or not secret."""


@dataclass(frozen=True, repr=False)
class Key:
    """A secret from the operating system, and how far the ledger had come when it was last used.

    ``count`` and ``head``, the number of entries and the signature of the last, are kept here and
    not in the ledger, so that entries missing at its end are noticed. ``unconfirmed`` are the
    numbers of releases of which no run said whether their file took its name.
    """

    path: Path
    secret: bytes
    count: int = 0
    head: str = ""
    unconfirmed: tuple[int, ...] = ()

    @classmethod
    def create(cls, ledger: Path) -> Key:
        """Draw the key of a new ledger and keep it beside it, for its owner alone."""
        key = cls(find_key_path(ledger), secrets.token_bytes(SECRET_BYTES))
        key._save()
        return key

    @classmethod
    def load(cls, ledger: Path) -> Key:
        """Read the key of a ledger; refuse one that others can read."""
        path = find_key_path(ledger)
        try:
            rights, raw = _read(path)
            kept = json.loads(raw)
            found = cls(
                path,
                bytes.fromhex(kept["key"]),
                int(kept["count"]),
                str(kept["head"]),
                tuple(map(int, kept.get("unconfirmed", ()))),
            )
        except UnfitFileError as error:
            what = f"its key file {path.name} is not fit to be one: {error.what}"
            raise LedgerKeyError(ledger, what, RESTORE) from None
        except FileNotFoundError:
            raise LedgerKeyError(ledger, f"its key file {path.name} is missing", RESTORE) from None
        except OSError as error:
            what = f"its key file {path.name} cannot be read: {os.strerror(error.errno or 0)}"
            raise LedgerKeyError(ledger, what, "Run as the user who owns it.") from None
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            raise LedgerKeyError(ledger, f"its key file {path.name} is damaged", RESTORE) from None
        if len(found.secret) != SECRET_BYTES or found.count < 0:
            raise LedgerKeyError(ledger, f"its key file {path.name} is damaged", RESTORE)
        if rights & 0o077:
            what = f"other users can read its key file {path.name}"
            raise LedgerKeyError(ledger, what, f"Run: chmod 600 {path}.")
        return found

    def at(self, count: int, head: str, unconfirmed: Iterable[int]) -> Key:
        """The key with another end of the ledger, kept on disk."""
        moved = replace(self, count=count, head=head, unconfirmed=tuple(sorted(unconfirmed)))
        moved._save()
        return moved

    def sign(self, before: str, text: str) -> str:
        """The signature of an entry that follows the one signed ``before``."""
        return hmac.digest(self.secret, f"entry\n{before}\n{text}".encode(), "sha256").hex()

    def fingerprint(self, table: str, cells: Iterable[tuple[str, str | None]]) -> str:
        """The fingerprint of a class in the ledger: its (column, released text) pairs, hashed."""
        return self._print("class", [table, sorted(cells, key=lambda cell: cell[0])])

    def step_fingerprint(
        self, table: str, column: str, step: tuple[int, str | None, int, str | None]
    ) -> str:
        """The fingerprint of a hierarchy's label and its label at a higher level."""
        return self._print("step", [table, column, *step])

    def _print(self, kind: str, said: list[Any]) -> str:
        text = f"{kind}\n{json.dumps(said)}"
        return hmac.digest(self.secret, text.encode(), "sha256")[:PRINT_BYTES].hex()

    def _save(self) -> None:
        """Replace the key file in one step; it is never readable by others, not even for long."""
        kept: dict[str, Any] = {"key": self.secret.hex(), "count": self.count, "head": self.head}
        if self.unconfirmed:
            kept["unconfirmed"] = self.unconfirmed
        try:
            with open_hidden_file(self.path, ".key", 0o600, noted=False) as hidden:
                hidden.write_bytes(json.dumps(kept).encode() + b"\n")
        except (OSError, WriteError) as error:
            why = error.what if isinstance(error, WriteError) else os.strerror(error.errno or 0)
            what = f"the key file cannot be written: {why}"
            raise LedgerKeyError(self.path, what, "Look at the folder and the disk.") from None


def sweep_keys(ledger: Path) -> None:
    """Remove copies of the key that killed runs left; whoever calls this holds the ledger.

    Earlier versions named them after the key.
    """
    sweep(ledger.parent)
    earlier = re.compile(rf"{re.escape(find_key_path(ledger).name)}\.[0-9a-f]{{8}}\.tmp")
    with suppress(OSError):
        for left in list(ledger.parent.iterdir()):
            if earlier.fullmatch(left.name) and stat.S_ISREG(left.lstat().st_mode):
                left.unlink()


def _read(path: Path) -> tuple[int, bytes]:
    """Who may read a key file, and what is in it."""
    file = open_regular(path)
    try:
        return stat.S_IMODE(os.fstat(file).st_mode), read_open(file, path, KEY)
    finally:
        os.close(file)


def find_key_path(ledger: Path) -> Path:
    """Where the key of a ledger is: beside it, with ``.key`` added to its name."""
    return ledger.with_name(f"{ledger.name}.key")
