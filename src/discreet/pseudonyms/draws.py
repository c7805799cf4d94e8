"""Pseudonyms drawn for a set of identifiers, and drawn again until each has its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass, safe_repr
from discreet.errors import PseudonymError
from discreet.pseudonyms.book import NEW, Book, hold_book
from discreet.pseudonyms.keyed_hash import Chance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from discreet.pseudonyms.formats import Format
    from discreet.replacement_key import ReplacementKey


TURNS = 64
_ROOM = (
    "Take one with more, for all tables alike: for phone numbers the range unassigned, for other "
    "identifiers the format token."
)


@dataclass(frozen=True, eq=False, repr=False)
class Draws:
    """A draw for each identifier: the first, but for those in ``later``.

    If they are known, ``first`` has the first draws of all identifiers in the order in which these
    were given, and ``places`` says where the ones of ``later`` are.
    ``changed`` identifiers had another pseudonym before, which is an identifier now.
    """

    format: Format
    chance: Chance
    book: Book
    later: pa.Array
    turns: NDArray[np.uint8]
    changed: int = 0
    first: pa.Array | None = None
    places: NDArray[np.int64] | None = None

    def of(self, canonical: pa.Array, same: bool = False) -> pa.Array:
        """The pseudonyms of identifiers that were drawn for; ``same`` if they are just those."""
        if same and self.first is not None and self.places is not None:
            drawn, again, turns = self.first, self.places, self.turns
        else:
            drawn = self.format.draw(canonical, self.chance)
            again, turns = self._find_later(canonical)
        if not len(again):
            return drawn
        new = _draw_texts(canonical.take(pa.array(again)), turns, self.format, self.chance)
        here = np.zeros(len(canonical), bool)
        here[again] = True
        return pc.replace_with_mask(drawn, pa.array(here), new)

    def _find_later(self, canonical: pa.Array) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """Which identifiers do not have their first draw, and which one they have."""
        if not len(self.later):
            return np.zeros(0, np.int64), np.zeros(0, np.uint8)
        place = pc.index_in(canonical, value_set=self.later)
        here = np.flatnonzero(np.asarray(place.is_valid()))
        return here, self.turns[np.asarray(place.drop_null())]


def draws(
    canonical: pa.Array,
    format: Format,
    key: ReplacementKey,
    domain: str,
    book: Book,
    column: str,
) -> Draws:
    """A distinct pseudonym for each identifier, none of which is an identifier.

    What the book has stays, unless it is an identifier of this column. Of the others that draw the
    same, the one that the key ranks first keeps it; the rest draw again, as does who drew an
    identifier or what the book has given out. So the answer depends on the key, the book and the
    set of identifiers, not on their order.
    """
    chance = Chance(key, domain, _use(format))
    every, names, order = _find_distinct(canonical, chance)
    ordered, given = names[order], np.sort(book.rows["pseudonym"])
    _refuse_given(_find_among(given, ordered), format, column)
    found = _Found(every, names, np.empty(len(every), np.uint8), np.empty_like(names))
    found.turns[order], found.prints[order] = book.found(ordered)
    known = found.turns != NEW
    clash = known & _find_among(ordered, found.prints) if len(book) else known
    if (found.turns[clash] >= NEW - TURNS).any():  # no number is left for their further draws
        raise _make_room_error(column, int(clash.sum()), len(every))
    mine = np.flatnonzero(~known | clash)
    taken = [ordered, np.ascontiguousarray(book.rows["identifier"]), given]
    first = _draw_apart(found, mine, taken, format, chance, column)
    if not format.roomy:
        book = book.with_rows(names[mine], found.prints[mine], found.turns[mine])
    later = np.flatnonzero(found.turns)
    again, turns = every.take(pa.array(later)), found.turns[later]
    first = first if len(every) == len(canonical) else None
    return Draws(format, chance, book, again, turns, int(clash.sum()), first, later)


@safe_repr
class _Found(NamedTuple):
    """Identifiers with their fingerprints; the turn of each, and the fingerprint of what it drew.

    The last two are filled in place.
    """

    every: pa.Array
    names: NDArray[np.uint64]
    turns: NDArray[np.uint8]
    prints: NDArray[np.uint64]


def _draw_apart(
    found: _Found,
    waiting: NDArray[np.int64],
    taken: list[NDArray[np.uint64]],
    format: Format,
    chance: Chance,
    column: str,
) -> pa.Array | None:
    """Let those waiting draw until nobody has what is taken; the first draws if all had to."""
    first = None
    for _ in range(TURNS):
        found.turns[waiting] += np.uint8(1)  # the first turn is 0: that of the new ones was 255
        whole = len(waiting) == len(found.every)
        texts = found.every if whole else found.every.take(pa.array(waiting))
        made = _draw_texts(texts, found.turns[waiting], format, chance)
        first = made if whole and not found.turns.any() else first
        drawn = chance.prints(made)
        lost, kept = _find_losers(drawn, found.names[waiting], taken)
        if format.roomy:
            _refuse_given(lost, format, column)
        found.prints[waiting] = drawn
        waiting = waiting[lost]
        if not len(waiting):
            return first
        taken = [*taken, kept]
    raise _make_room_error(column, len(waiting), len(found.every))


def _draw_texts(
    texts: pa.Array, turns: NDArray[np.uint8], format: Format, chance: Chance
) -> pa.Array:
    """The draws of texts, each at its turn."""
    parts, order = [], []
    if not len(texts) or turns.min() == turns.max():
        return format.draw(texts, set_turn(chance, int(turns[0]))) if len(texts) else texts
    for turn in np.unique(turns).tolist():
        rows = np.flatnonzero(turns == turn)
        parts.append(format.draw(texts.take(pa.array(rows)), set_turn(chance, turn)))
        order.append(rows)
    return pa.concat_arrays(parts).take(pa.array(np.argsort(np.concatenate(order))))


def _find_distinct(
    canonical: pa.Array, chance: Chance
) -> tuple[pa.Array, NDArray[np.uint64], NDArray[np.int64]]:
    """The different identifiers, their fingerprints, and the order of these."""
    names = chance.prints(canonical)
    order = np.argsort(names)
    if (names[order[1:]] == names[order[:-1]]).any():
        canonical = canonical.unique()
        names = chance.prints(canonical)
        order = np.argsort(names)
    return canonical, names, order


def set_turn(chance: Chance, turn: int) -> Chance:
    """The same chance at another turn."""
    return replace(chance, turn=turn)


def _use(format: Format) -> str:
    """The format with its parameters: another one is another use of the key."""
    return " ".join([format.name, *map(str, vars(format).values())])


def _refuse_given(given: NDArray[np.bool_], format: Format, column: str) -> None:
    """Refuse a column that is replaced already, wholly or in part.

    Pseudonyms of most formats are nobody's identifiers. Those of a shape may be, but not most.
    """
    held = int(np.count_nonzero(given))
    if held > (0 if format.apart else len(given) // 2):
        what = f"{held:,} of its {len(given):,} different values are pseudonyms of this key"
        raise PseudonymError("", what, "Leave out what is replaced already.", column=column)


def _find_among(ordered: NDArray[np.uint64], prints: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which fingerprints are among some that are in order."""
    if not len(ordered):
        return np.zeros(len(prints), bool)
    place = np.minimum(np.searchsorted(ordered, prints), len(ordered) - 1)
    return np.asarray(ordered[place] == prints)


def _find_losers(
    drawn: NDArray[np.uint64], names: NDArray[np.uint64], taken: Sequence[NDArray[np.uint64]]
) -> tuple[NDArray[np.bool_], NDArray[np.uint64]]:
    """Who drew what is taken, or what another with a better rank drew; and what others drew."""
    order = np.argsort(drawn)
    ordered = drawn[order]
    among = np.zeros(len(drawn), bool)
    for known in taken:
        among |= _find_among(known, ordered)
    lost = np.empty(len(drawn), bool)
    lost[order] = among
    same = np.flatnonzero(ordered[1:] == ordered[:-1])
    if len(same):
        met = order[np.unique(np.concatenate([same, same + 1]))]
        met = met[np.lexsort((names[met], drawn[met]))]
        lost[met[1:][drawn[met][1:] == drawn[met][:-1]]] = True
    return lost, ordered[~lost[order]]


# Draws that enter the book of their key when the first pseudonym is read.


class Kept:
    """The draws for a table, next to the book of a key.

    A try-out that reads no pseudonym leaves the book as it is. If another run drew meanwhile, this
    one draws again beside it.
    """

    def __init__(self, path: Path, key: ReplacementKey, draw: Callable[[Book], Draws]) -> None:
        self._path, self._key, self._draw = path, key, draw
        self._waits, self._alone = True, Lock()
        with hold_book(path, key) as (self._book, _):
            self.drawn = draw(self._book)

    def __call__(self) -> Draws:
        """The draws, from now on in the book."""
        with self._alone:
            if self._waits:
                self._keep()
        return self.drawn

    def _keep(self) -> None:
        with hold_book(self._path, self._key) as (book, keep):
            if not book.same(self._book):
                self.drawn = self._draw(book)
            keep(self.drawn.book)
        self._waits = False


def _make_room_error(column: str, without: int, of: int) -> PseudonymError:
    """There are too few pseudonyms of a format for the values of a column."""
    return PseudonymError(
        what=f"{without:,} of its {of:,} different values get no pseudonym of their own, since "
        "their format has too few",
        fix=_ROOM,
        column=column,
    )
