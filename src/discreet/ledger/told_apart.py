"""Which rows of the whole table earlier releases tell apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Ints, Mask, add_up
from discreet.ledger.entry import Entry
from discreet.ledger.fingerprints import classes_now
from discreet.ledger.key import Key
from discreet.ledger.numbered import Numbers, numbered
from discreet.ledger.whole_table import WholeTable


@dataclass(frozen=True, eq=False)
class ToldApart:
    """The piece of every tuple of the whole table: tuples that all releases show alike.

    Parameters
    ----------
    piece
        The number of each tuple's piece.
    rows
        Rows of each piece, now.
    seen
        Whether any release shows a piece.
    added
        At most so many rows of a piece came after some release that would show them.
    gone
        Rows of each release that the table does not have any more.
    """

    piece: Numbers
    rows: Ints
    seen: Mask
    added: Ints
    gone: dict[int, int]

    def unsure(self, k: int) -> bool:
        """Whether a piece may be as large as k only by rows that came later, wherever they are."""
        changed = bool(self.added.any()) or bool(self.gone)
        return changed and bool((self.seen & (self.rows - self.added < k)).any())

    def needs(self, k: int) -> Ints:
        """How many rows of each piece may be told apart from its others.

        At least k that were there all along, whichever rows came later. A piece that is smaller
        already may not be divided any more.
        """
        enough = k + self.added + sum(self.gone.values())
        whole = np.maximum(self.rows, 1)
        found = np.where(self.seen & (self.rows - self.added < k), whole, enough)
        return np.where(self.seen, found, k).astype(np.int64)


def told_apart(
    key: Key,
    table: str,
    whole: WholeTable,
    releases: Sequence[Entry],
    columns: Sequence[str] | None = None,
) -> ToldApart:
    """What somebody can tell apart who holds releases and knows some columns, or all, of everybody.

    A release shows the tuples that met its condition then and were in a class that the ledger has.

    *Cost*: one hash for each class at the levels of each release.
    """
    size = len(whole.frequency)
    piece, added = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    seen = np.zeros(size, dtype=np.bool_)
    gone: dict[int, int] = {}
    for entry in releases:
        inside = whole.meets(entry.where)
        now = classes_now(key, table, whole.frequency, whole.hierarchies, entry.levels)
        rows = add_up(now.owner, whole.frequency.rows * inside, len(now.first)).astype(np.int64)
        then = np.array([entry.classes.get(mark, 0) for mark in now.prints], dtype=np.int64)
        shown = inside & (then > 0)[now.owner]
        lost = sum(entry.classes.values()) - int(np.minimum(then, rows).sum())
        if lost:
            gone[entry.number] = lost
        more = np.where(then > 0, np.maximum(rows - then, 0), 0)
        added += np.where(shown, more[now.owner] if columns is None else more.sum(), 0)
        seen |= shown
        label = _labels(whole, entry, columns)
        piece = numbered([piece, np.where(shown, label + 1, 0)])
    rows_of = add_up(piece, whole.frequency.rows, int(piece.max(initial=0)) + 1).astype(np.int64)
    return ToldApart(
        piece,
        rows_of,
        _of_pieces(piece, seen.astype(np.int64), len(rows_of)) > 0,
        _of_pieces(piece, added, len(rows_of)),
        gone,
    )


def _labels(whole: WholeTable, entry: Entry, columns: Sequence[str] | None) -> Numbers:
    """What a release says of each tuple, in the columns that somebody knows."""
    frequency = whole.frequency
    found = [np.zeros(len(frequency), dtype=np.int64)]
    for name, level in entry.levels.items():
        if columns is None or name in columns:
            codes = frequency.codes[frequency.columns.index(name)]
            found.append(whole.hierarchies[name].maps[level][codes].astype(np.int64))
    return numbered(found)


def _of_pieces(piece: Numbers, amounts: Numbers, size: int) -> Ints:
    """The largest amount of any tuple of a piece."""
    found = np.zeros(size, dtype=np.int64)
    np.maximum.at(found, piece, amounts)
    return found
