"""The book of pseudonyms: what a key gave out before, so that it gives the same again.

Notes
-----
[Sweeney2001]_, sec. 9.3.1: a look-up with the original as key gives consistent replacements.

Departures: only keyed 64-bit fingerprints of identifiers and pseudonyms are held, and the number of
the draw. Without the key a book tells how many pseudonyms there are and how many were drawn again.

Cost: 17 bytes for each identifier ever seen.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from discreet.display import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
