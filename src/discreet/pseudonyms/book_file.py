"""The book of a key, in a file beside it."""

from __future__ import annotations

import fcntl
import hmac
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from discreet.errors import PseudonymKeyError, UnfitFileError, WriteError
from discreet.input_file import BOOK, open_regular, read_input
from discreet.pseudonyms.book import ROW, Book
from discreet.pseudonyms.key import subkey
from discreet.table.atomic import appearing, close_held, keep_from_children, refused, sweep

if TYPE_CHECKING:
    from discreet.replacement_key import ReplacementKey

FIRST = b"discreet pseudonyms 1\n"
_SEAL = 32
_AGAIN = (
    "Put it back from a copy. If there is none, move it away: those that had to draw again may "
    "then have other pseudonyms than in earlier releases."
)
_PLACE = "Keep the key in a folder that you may write to, or take the format token."


def book_path(key_path: Path) -> Path:
    """Where the book of a key is: ``people.key.drawn`` beside ``people.key``."""
    return key_path.with_name(f"{key_path.name}.drawn")


@contextmanager
def held_book(key_path: Path, key: ReplacementKey) -> Iterator[tuple[Book, Callable[[Book], None]]]:
    """The book of a key, and what keeps another one; another run waits for this one.

    Two runs that drew at the same time could give two people the same pseudonym.
    """
    real = Path(os.path.realpath(key_path))
    path = Path(os.path.realpath(book_path(real)))
    try:
        lock = open_regular(real)
    except UnfitFileError as error:
        raise PseudonymKeyError(f"key {key_path}: {error.what}. {error.fix}") from None
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise PseudonymKeyError(f"key {key_path}: it cannot be read: {why}.") from None
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
        raise PseudonymKeyError(f"book {path}: {error.what}. {error.fix}") from None
    except FileNotFoundError:
        return Book()
    except OSError as error:
        what = f"it cannot be read: {os.strerror(error.errno or 0)}"
        raise PseudonymKeyError(f"book {path}: {what}. {_AGAIN}") from None
    seal, rows = raw[len(FIRST) : len(FIRST) + _SEAL], raw[len(FIRST) + _SEAL :]
    if not raw.startswith(FIRST) or not hmac.compare_digest(seal, _seal(key, rows)):
        raise PseudonymKeyError(f"book {path}: it is damaged, or of another key. {_AGAIN}")
    return Book(np.frombuffer(rows, ROW))


def _seal(key: ReplacementKey, rows: bytes) -> bytes:
    return hmac.digest(subkey(key, "book"), rows, "sha256")


def _write(path: Path, key: ReplacementKey, book: Book) -> None:
    """Whole or not at all, for its owner alone."""
    rows = book.rows.tobytes()
    try:
        with appearing(path, ".drawn", 0o600, noted=False) as hidden:
            hidden.write_bytes(FIRST + _seal(key, rows) + rows)
    except (WriteError, OSError) as error:
        why = refused(path.parent, error.errno or 0) if isinstance(error, OSError) else error
        raise PseudonymKeyError(f"book {path}: it cannot be written. {why} {_PLACE}") from None
