"""The book of pseudonyms: what a key gave out before, so that it gives the same again.

Notes
-----
[Sweeney2001]_, sec. 9.3.1: a look-up with the original as key gives consistent replacements.

Departures: only keyed 64-bit fingerprints of identifiers and pseudonyms are held, and the number of
the draw. Without the key a book tells how many pseudonyms there are and how many were drawn again.

Cost: 17 bytes for each identifier ever seen.
"""

from __future__ import annotations

import fcntl
import hmac
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from discreet.display import dataclass
from discreet.errors import PseudonymError, WriteError
from discreet.input_file import BOOK, UnfitFileError, open_regular, read_input
from discreet.pseudonyms.key import derive_subkey
from discreet.table.atomic import (
    close_held,
    keep_from_children,
    make_write_error,
    open_hidden_file,
    sweep,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.replacement_key import ReplacementKey


ROW = np.dtype([("identifier", "<u8"), ("pseudonym", "<u8"), ("turn", "u1")])
NEW = 255
"""In the place of a turn: none was drawn yet."""


@dataclass(frozen=True, eq=False)
class Book:
    """Rows of identifier, pseudonym and draw, ordered by the fingerprint of the identifier.

    Examples
    --------
    >>> one = np.array([7], np.uint64)
    >>> book = Book().with_rows(one, one + np.uint64(1), np.array([2], np.uint8))
    >>> book, book.found(np.array([7, 9], np.uint64))[0].tolist()
    (Book(1 pseudonyms), [2, 255])
    """

    rows: NDArray[np.void] = field(default_factory=lambda: np.zeros(0, ROW))

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Book({len(self.rows):,} pseudonyms)"

    def same(self, other: Book) -> bool:
        """Whether another book has just these rows."""
        return np.array_equal(self.rows, other.rows)

    def found(
        self, identifiers: NDArray[np.uint64]
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
        """The draw and the pseudonym of identifiers; ``NEW`` and 0 for those that are not in it.

        They should be in order: that is far faster.
        """
        turns, pseudonyms = np.full(len(identifiers), NEW, np.uint8), np.zeros_like(identifiers)
        if len(self.rows) and len(identifiers):
            known = np.ascontiguousarray(self.rows["identifier"])
            at = np.minimum(np.searchsorted(known, identifiers), len(known) - 1)
            here = known[at] == identifiers
            turns[here] = self.rows["turn"][at[here]]
            pseudonyms[here] = self.rows["pseudonym"][at[here]]
        return turns, pseudonyms

    def with_rows(
        self,
        identifiers: NDArray[np.uint64],
        pseudonyms: NDArray[np.uint64],
        turns: NDArray[np.uint8],
    ) -> Book:
        """With further rows, in the place of older ones of the same identifiers."""
        if not len(identifiers):
            return self
        order = np.argsort(identifiers)
        rows = np.empty(len(identifiers), ROW)
        rows["identifier"], rows["pseudonym"] = identifiers[order], pseudonyms[order]
        rows["turn"] = turns[order]
        if not len(self.rows):
            return Book(rows)
        kept = self.rows[~np.isin(self.rows["identifier"], identifiers)]
        both = np.concatenate([kept["identifier"], rows["identifier"]])
        return Book(np.concatenate([kept, rows])[np.argsort(both, kind="stable")])


# The book of a key, in a file beside it.


FIRST = b"discreet pseudonyms 1\n"
_SEAL = 32
_AGAIN = (
    "Put it back from a copy. If there is none, move it away: those that had to draw again may "
    "then have other pseudonyms than in earlier releases."
)
_PLACE = "Keep the key in a folder that you may write to, or take the format token."


def find_book_path(key_path: Path) -> Path:
    """Where the book of a key is: ``people.key.drawn`` beside ``people.key``."""
    return key_path.with_name(f"{key_path.name}.drawn")


@contextmanager
def hold_book(key_path: Path, key: ReplacementKey) -> Iterator[tuple[Book, Callable[[Book], None]]]:
    """The book of a key, and what keeps another one; another run waits for this one.

    Two runs that drew at the same time could give two people the same pseudonym.
    """
    real = Path(os.path.realpath(key_path))
    path = Path(os.path.realpath(find_book_path(real)))
    try:
        lock = open_regular(real)
    except UnfitFileError as error:
        raise PseudonymError(f"key {key_path}: {error.what}. {error.fix}") from None
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise PseudonymError(f"key {key_path}: it cannot be read: {why}.") from None
    keep_from_children(lock)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        sweep(path.parent)
        book = read_book(path, key)

        def keep(drawn: Book) -> None:
            if not drawn.same(book):
                _write(path, key, drawn)

        yield book, keep
    finally:
        close_held(lock)


def read_book(path: Path, key: ReplacementKey) -> Book:
    """The book of a file; an empty one if there is none yet."""
    try:
        raw = read_input(path, BOOK)
    except UnfitFileError as error:
        raise PseudonymError(f"book {path}: {error.what}. {error.fix}") from None
    except FileNotFoundError:
        return Book()
    except OSError as error:
        what = f"it cannot be read: {os.strerror(error.errno or 0)}"
        raise PseudonymError(f"book {path}: {what}. {_AGAIN}") from None
    seal, rows = raw[len(FIRST) : len(FIRST) + _SEAL], raw[len(FIRST) + _SEAL :]
    if not raw.startswith(FIRST) or not hmac.compare_digest(seal, _seal_rows(key, rows)):
        raise PseudonymError(f"book {path}: it is damaged, or of another key. {_AGAIN}")
    return Book(np.frombuffer(rows, ROW))


def _seal_rows(key: ReplacementKey, rows: bytes) -> bytes:
    return hmac.digest(derive_subkey(key, "book"), rows, "sha256")


def _write(path: Path, key: ReplacementKey, book: Book) -> None:
    """Whole or not at all, for its owner alone."""
    rows = book.rows.tobytes()
    try:
        with open_hidden_file(path, ".drawn", 0o600, noted=False) as hidden:
            hidden.write_bytes(FIRST + _seal_rows(key, rows) + rows)
    except (WriteError, OSError) as error:
        why = (
            make_write_error(path.parent, error.errno or 0) if isinstance(error, OSError) else error
        )
        raise PseudonymError(f"book {path}: it cannot be written. {why} {_PLACE}") from None
