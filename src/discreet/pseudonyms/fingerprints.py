"""Numbers that stand for texts, to find quickly the few texts that may be alike.

Texts with different numbers are different; those with the same number are compared as texts.

Notes
-----
The polynomial hash of Karp and Rabin, modulo 2^64. *Departures*: none. It has no key and hides
nothing; it never leaves the program. *Cost*: a multiplication a character; sorting numbers is far
faster than looking texts up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from discreet.pseudonyms.written import flat

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

_BASE = np.uint64(0x9E3779B97F4A7C15)
_SLOTS = np.uint64((1 << 20) - 1)
_SHIFT = np.uint64(40)


def fingerprints(texts: pa.Array) -> NDArray[np.uint64]:
    """A number of 64 bits for each text; the same text has the same number.

    Examples
    --------
    >>> import pyarrow as pa
    >>> one, two, three = fingerprints(pa.array(["A17", "B4", "A17"])).tolist()
    >>> one == three, one == two
    (True, False)
    """
    ends, data = flat(texts)
    lengths = np.diff(ends)
    prints = np.zeros(len(lengths), np.uint64)
    for length in np.unique(lengths).tolist():
        rows = np.flatnonzero(lengths == length)
        alone = length and len(rows) == len(lengths)
        cells = data.reshape(-1, length).T if alone else None
        found = np.full(len(rows), length, np.uint64)
        for place in range(length):
            found *= _BASE
            found += data[ends[rows] + place] if cells is None else cells[place]
        prints[rows] = found
    return prints


def repeated(prints: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The numbers that occur more than once."""
    ordered = np.sort(prints)
    return np.unique(ordered[1:][ordered[1:] == ordered[:-1]])


def places_of(few: NDArray[np.uint64], prints: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Where one of a few numbers is; a table of a million slots leaves few to compare."""
    if not len(few):
        return np.zeros(0, np.int64)
    slots = np.zeros(int(_SLOTS) + 1, bool)
    slots[few >> _SHIFT & _SLOTS] = True
    maybe = np.flatnonzero(slots[prints >> _SHIFT & _SLOTS])
    return maybe[np.isin(prints[maybe], few)]
