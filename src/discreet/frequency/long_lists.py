"""Compiled loops for long frequency lists: packing codes, merging counts, dense roll-ups.

Apart from the other kernels because short lists need none of them: each is compiled when it is
first called, so that a small table never waits for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.frequency.compiled import compile_loop


@compile_loop(nogil=True)
def pack_places(keys: Any, lookup: Any, places: Any) -> None:
    """Put ``lookup[places[i]]`` into the bits of key ``i`` that are still empty."""
    for i in range(len(places)):
        keys[i] |= lookup[places[i]]


# Distinct sorted keys, and how often each came.


@compile_loop(nogil=True)
def count_runs(keys: Any, counts: Any) -> Any:
    """Move the distinct keys of a sorted list to its front, and count each; how many there are."""
    found = -1
    last = np.uint64(0)
    for i in range(len(keys)):
        key = keys[i]
        if found >= 0 and key == last:
            counts[found] += 1
        else:
            found += 1
            keys[found] = last = key
            counts[found] = 1
    return found + 1


@compile_loop(nogil=True)
def count_new(known: Any, more: Any) -> Any:
    """How many of some distinct sorted keys are not among the known ones."""
    i, j, common = 0, 0, 0
    while i < len(known) and j < len(more):
        one, other = known[i], more[j]
        common += one == other
        i += one <= other
        j += other <= one
    return len(more) - common


@compile_loop(nogil=True)
def merge_runs(keys: Any, rows: Any, size: Any, more: Any, counts: Any) -> None:
    """Merge distinct sorted keys with their counts into the first ``size`` ones, from the end.

    ``keys`` and ``rows`` have just the room that :func:`count_new` asks for, so nothing is written
    where it is still to be read.
    """
    i, j, at = size - 1, len(more) - 1, len(keys) - 1
    while j >= 0:
        if i >= 0 and keys[i] >= more[j]:
            key, number = keys[i], rows[i]
            if key == more[j]:
                number += counts[j]
                j -= 1
            i -= 1
        else:
            key, number = more[j], np.int64(counts[j])
            j -= 1
        keys[at], rows[at] = key, number
        at -= 1


# Roll-ups into few cells: a count for each combination that could be, whether it is or not.


STRETCH = 4096
"""Keys whose cells are found at a time, so that they stay in the processor's cache."""

FIELDS = 6
"""Fields of a key for which the loops are written out, which halves their time."""


@compile_loop(inner=True)
def _find_cells(keys: Any, shift: Any, masks: Any, table: Any, start: Any, cells: Any) -> None:
    s0, s1, s2 = np.uint64(shift[0]), np.uint64(shift[1]), np.uint64(shift[2])
    s3, s4, s5 = np.uint64(shift[3]), np.uint64(shift[4]), np.uint64(shift[5])
    m0, m1, m2, m3, m4, m5 = masks[0], masks[1], masks[2], masks[3], masks[4], masks[5]
    t0, t1, t2 = table[start[0] :], table[start[1] :], table[start[2] :]
    t3, t4, t5 = table[start[3] :], table[start[4] :], table[start[5] :]
    for i in range(len(keys)):
        key = keys[i]
        cells[i] = (
            (t0[(key >> s0) & m0] + t1[(key >> s1) & m1] + t2[(key >> s2) & m2])
            + (t3[(key >> s3) & m3] + t4[(key >> s4) & m4] + t5[(key >> s5) & m5])
        )  # fmt: skip


@compile_loop(nogil=True)
def roll_up_dense(
    keys: Any,
    rows: Any,
    shift: Any,
    masks: Any,
    table: Any,
    start: Any,
    sizes: Any,
    places: Any,
    wanted: Any,
) -> Any:
    """Merge classes into those of a coarser node that has few cells.

    ``table[start[j] + field]`` is what a field adds to the number of a cell, the columns being its
    digits in a system whose bases are ``sizes``; there are :data:`FIELDS` fields, of which some may
    add nothing. A column is at bit ``places[c]`` of a key.
    Returns as :func:`discreet.frequency.kernels.roll_up` does, with the classes in the order of
    their cells. There is no search for a place: a cell is where its number says, and keys that are
    in order meet cells that are neighbours.
    """
    space = np.int64(1)
    for size in sizes:
        space *= size
    counts = np.zeros(space, np.int64)
    met = np.zeros(space, np.bool_)
    cells = np.empty(STRETCH, np.uint32)
    for first in range(0, len(keys), STRETCH):
        some = keys[first : first + STRETCH]
        _find_cells(some, shift, masks, table, start, cells)
        for i in range(len(some)):
            counts[cells[i]] += rows[first + i]
            met[cells[i]] = True
    found = np.int64(0)
    for cell in range(space):
        found += met[cell]
    out, out_rows = np.empty((1, found), np.uint64), np.empty(found, np.int64)
    rank = np.empty(space if wanted else 0, np.int32)
    digits = np.zeros(len(sizes), np.int64)
    key, at = np.uint64(0), 0
    for cell in range(space):
        if met[cell]:
            out[0, at], out_rows[at] = key, counts[cell]
            if wanted:
                rank[cell] = at
            at += 1
        for c in range(len(sizes)):  # the next cell: count one up, with carries
            step = np.uint64(1) << np.uint64(places[c])
            digits[c] += 1
            if digits[c] < sizes[c]:
                key += step
                break
            key -= np.uint64(digits[c] - 1) * step
            digits[c] = 0
    inverse = np.empty(len(keys) if wanted else 0, np.int32)
    if wanted:
        for first in range(0, len(keys), STRETCH):
            some = keys[first : first + STRETCH]
            _find_cells(some, shift, masks, table, start, cells)
            for i in range(len(some)):
                inverse[first + i] = rank[cells[i]]
    return out, out_rows, inverse
