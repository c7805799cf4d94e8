"""Draws that enter the book of their key when the first pseudonym is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from discreet.pseudonyms.book import Book
from discreet.pseudonyms.book_file import held_book

if TYPE_CHECKING:
    from discreet.pseudonyms.draws import Draws
    from discreet.replacement_key import ReplacementKey


class Kept:
    """What is drawn for a table beside the book of a key.

    A try-out that reads no pseudonym leaves the book as it is. If another run drew meanwhile, this
    one draws again beside it.
    """

    def __init__(self, path: Path, key: ReplacementKey, draw: Callable[[Book], Draws]) -> None:
        self._path, self._key, self._draw = path, key, draw
        self._waits, self._alone = True, Lock()
        with held_book(path, key) as (self._book, _):
            self.drawn = draw(self._book)

    def __call__(self) -> Draws:
        """The draws, from now on in the book."""
        with self._alone:
            if self._waits:
                self._keep()
        return self.drawn

    def _keep(self) -> None:
        with held_book(self._path, self._key) as (book, keep):
            if not book.same(self._book):
                self.drawn = self._draw(book)
            keep(self.drawn.book)
        self._waits = False
