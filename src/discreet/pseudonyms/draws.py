"""Pseudonyms drawn for a set of identifiers, drawn anew until each has its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.errors import PseudonymRoomError
from discreet.pseudonyms.fingerprints import fingerprints, places_of, repeated
from discreet.pseudonyms.keyed_hash import Chance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from discreet.pseudonyms.formats.format import Format
    from discreet.replacement_key import ReplacementKey

TURNS = 64
_FIX = (
    "Take one with more, for all tables alike: for phone numbers the range unassigned, for other "
    "identifiers the format token."
)


@dataclass(frozen=True, eq=False, repr=False)
class Draws:
    """Identifiers, each with its pseudonym; both in the canonical way of writing."""

    canonical: pa.Array
    drawn: pa.Array
    redrawn: int

    def of(self, canonical: pa.Array) -> pa.Array:
        """The pseudonyms of some of the identifiers."""
        if canonical is self.canonical:
            return self.drawn
        return self.drawn.take(pc.index_in(canonical, value_set=self.canonical))


def draws(
    canonical: pa.Array,
    others: pa.Array,
    format: Format,
    key: ReplacementKey,
    domain: str,
    column: str,
) -> Draws:
    """A pseudonym for each identifier, none of them an identifier and no two alike.

    Of those that draw the same, the one that the key ranks first keeps it and the others draw
    again. So the answer depends on the key and on the set of identifiers, not on their order.
    """
    every = _every(canonical, others)
    real, prints = fingerprints(every), np.zeros(len(every), np.uint64)
    drawn, again, redrawn = every, np.arange(len(every)), 0
    for turn in range(TURNS):
        chance = Chance(key, domain or format.name, turn)
        new = format.draw(every.take(pa.array(again)) if turn else every, chance)
        prints[again] = fingerprints(new)
        waiting = np.zeros(len(every), bool)
        waiting[again] = True
        drawn = pc.replace_with_mask(drawn, pa.array(waiting), new) if turn else new
        again = _lost(every, real, drawn, prints, waiting, chance)
        redrawn = redrawn if turn else len(again)
        if not len(again):
            return Draws(every, drawn, redrawn)
    raise PseudonymRoomError(column, len(again), len(every), _FIX)


def _lost(
    every: pa.Array,
    real: NDArray[np.uint64],
    drawn: pa.Array,
    prints: NDArray[np.uint64],
    waiting: NDArray[np.bool_],
    chance: Chance,
) -> NDArray[np.int64]:
    """Which of those waiting drew what is taken; texts are compared where fingerprints meet."""
    alike = repeated(np.concatenate([real, prints]))
    met = places_of(alike, prints)
    now, before = met[waiting[met]], met[~waiting[met]]
    taken = [every.take(pa.array(places_of(alike, real))), drawn.take(pa.array(before))]
    new, texts = drawn.take(pa.array(now)), every.take(pa.array(now))
    return now[_must_draw_again(new, texts, pa.concat_arrays(taken), chance)]


def _every(canonical: pa.Array, others: pa.Array) -> pa.Array:
    """The different identifiers; the very same array if there are no others and no repeats."""
    if not len(others) and not len(repeated(fingerprints(canonical))):
        return canonical
    return pa.concat_arrays([canonical, others]).unique()


def _must_draw_again(
    new: pa.Array, texts: pa.Array, taken: pa.Array, chance: Chance
) -> NDArray[np.int64]:
    """Places of pseudonyms that are taken, or that another text with a better rank has."""
    coded = pa.concat_arrays([taken, new]).dictionary_encode()
    codes = np.asarray(coded.indices)[len(taken) :]
    bad = codes < len(taken)  # those in `taken` are all different and come first
    shared = np.flatnonzero(np.bincount(codes)[codes] > 1)
    if len(shared):
        rank = chance.digests(texts.take(pa.array(shared)), block=-1).view("<u8")[:, 0]
        order = shared[np.lexsort((rank, codes[shared]))]
        later = np.flatnonzero(codes[order][1:] == codes[order][:-1]) + 1
        bad[order[later]] = True
    return np.flatnonzero(bad)
