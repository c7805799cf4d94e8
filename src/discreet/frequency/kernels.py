"""The compiled loops: grouping packed keys, rolling classes up, pricing suppressed classes.

Everything here works on integers that stand for values. Compiled once and cached beside the
package; all kernels release the interpreter lock, so two nodes can be counted at the same time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

Keys = npt.NDArray[np.uint64]

EMPTY = np.int32(-1)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)


@njit("uint64(uint64)", inline="always", cache=True)
def _mix(x: Any) -> Any:
    x = (x ^ (x >> _SHIFT)) * _MIX
    return x ^ (x >> np.uint64(29))


_ROLL_UP = (
    "Tuple((uint64[:,::1], int64[::1], int32[::1]))(uint64[:,::1], int64[::1], int64[::1],"
    " int64[::1], int64[::1], uint64[::1], int64[::1], int64)"
)


@njit(_ROLL_UP, cache=True, nogil=True)
def roll_up_narrow(
    keys: Any, rows: Any, word: Any, shift: Any, bits: Any, table: Any, start: Any, most: Any
) -> Any:
    """:func:`roll_up` for keys of a single word."""
    n = keys.shape[1]
    log_size = 2
    while (1 << log_size) < 2 * most:
        log_size += 1
    slots = np.full(1 << log_size, EMPTY, np.int32)
    down, last = np.uint64(64 - log_size), np.uint64((1 << log_size) - 1)
    out = np.empty((1, most), np.uint64)
    out_rows = np.zeros(most, np.int64)
    inverse = np.empty(n, np.int32)
    fields = len(shift)
    masks = np.empty(fields, np.uint64)
    untouched = ~np.uint64(0)
    for j in range(fields):
        masks[j] = ~np.uint64(0) >> np.uint64(64 - bits[j])
        untouched &= ~(masks[j] << np.uint64(shift[j]))
    found = 0
    for i in range(n):
        old = keys[0, i]
        key = old & untouched
        for j in range(fields):
            s = np.uint64(shift[j])
            key |= table[start[j] + np.int64((old >> s) & masks[j])] << s
        slot = ((key ^ (key >> _SHIFT)) * _MIX) >> down
        while True:
            group = slots[slot]
            if group == EMPTY:
                slots[slot] = found
                group = found
                out[0, found] = key
                found += 1
                break
            if out[0, group] == key:
                break
            slot = (slot + np.uint64(1)) & last
        inverse[i] = group
        out_rows[group] += rows[i]
    return out[:, :found].copy(), out_rows[:found].copy(), inverse


@njit(_ROLL_UP, cache=True, nogil=True)
def roll_up_wide(
    keys: Any, rows: Any, word: Any, shift: Any, bits: Any, table: Any, start: Any, most: Any
) -> Any:
    """:func:`roll_up` for keys of any number of words."""
    words, n = keys.shape
    size = 4
    while size < 2 * most:
        size *= 2
    slots = np.full(size, EMPTY, np.int32)
    out = np.empty((words, most), np.uint64)
    out_rows = np.zeros(most, np.int64)
    inverse = np.empty(n, np.int32)
    key = np.empty(words, np.uint64)
    found = 0
    for i in range(n):
        for w in range(words):
            key[w] = keys[w, i]
        for j in range(len(word)):
            w, s = word[j], np.uint64(shift[j])
            mask = ~np.uint64(0) >> np.uint64(64 - bits[j])
            old = np.int64((key[w] >> s) & mask)
            key[w] = (key[w] & ~(mask << s)) | (table[start[j] + old] << s)
        h = key[0]
        for w in range(1, words):
            h = _mix(h) + key[w]
        slot = np.int64(_mix(h) & np.uint64(size - 1))
        while True:
            group = slots[slot]
            if group == EMPTY:
                slots[slot] = found
                group = found
                for w in range(words):
                    out[w, found] = key[w]
                found += 1
                break
            same = True
            for w in range(words):
                if out[w, group] != key[w]:
                    same = False
                    break
            if same:
                break
            slot = (slot + 1) & (size - 1)
        inverse[i] = group
        out_rows[group] += rows[i]
    return out[:, :found].copy(), out_rows[:found].copy(), inverse


def roll_up(keys: Keys, *arguments: Any) -> Any:
    """Merge the classes of a node into those of a coarser one.

    Arguments are keys, rows, then ``word``, ``shift`` and ``bits``, which say where the changed
    fields sit in the packed keys, ``table`` and ``start``, so that ``table[start[j] + old]`` is the
    new content of field ``j``, and ``most``, a bound on the number of classes. Returns keys and
    rows of the coarser classes, and the coarser class of each finer one.
    """
    return (roll_up_narrow if len(keys) == 1 else roll_up_wide)(keys, *arguments)


@njit("float64[:,::1](float64[:,::1], int32[::1], int64)", cache=True, nogil=True)
def roll_up_tallies(tallies: Any, inverse: Any, classes: Any) -> Any:
    """Add further sums up by coarser class."""
    out = np.zeros((tallies.shape[0], classes), np.float64)
    for t in range(tallies.shape[0]):
        for i in range(len(inverse)):
            out[t, inverse[i]] += tallies[t, i]
    return out


@njit("void(uint64[::1], int64[::1], int64[::1], uint64[::1], int64[::1])", cache=True, nogil=True)
def compose(table: Any, shift: Any, bits: Any, maps: Any, start: Any) -> None:
    """Fill ``table`` with the new content of a field that several columns share.

    ``shift`` and ``bits`` place the columns within the field; ``maps[start[c] + code]`` is the new
    code of column ``c``, for codes up to ``start[c + 1] - start[c]``.
    """
    for old in range(len(table)):
        new = np.uint64(0)
        for c in range(len(shift)):
            s = np.uint64(shift[c])
            mask = ~np.uint64(0) >> np.uint64(64 - bits[c])
            code = np.int64((np.uint64(old) >> s) & mask)
            if code < start[c + 1] - start[c]:
                new |= maps[start[c] + code] << s
        table[old] = new


@njit(
    "Tuple((int32[::1], int32[::1], int64[::1]))"
    "(int32[::1], int32[::1], int64[::1], int32[::1], int64)",
    cache=True,
    nogil=True,
)
def roll_up_values(owner: Any, value: Any, count: Any, inverse: Any, values: Any) -> Any:
    """Merge (class, value, rows) entries after their classes were merged by ``inverse``."""
    n = len(owner)
    size = 4
    while size < 2 * n:
        size *= 2
    slots = np.full(size, EMPTY, np.int32)
    out_owner = np.empty(n, np.int32)
    out_value = np.empty(n, np.int32)
    out_count = np.zeros(n, np.int64)
    found = 0
    for i in range(n):
        group, v = inverse[owner[i]], value[i]
        h = _mix(np.uint64(group) * np.uint64(values) + np.uint64(v))
        slot = np.int64(h & np.uint64(size - 1))
        while True:
            entry = slots[slot]
            if entry == EMPTY:
                slots[slot] = found
                entry = found
                out_owner[found] = group
                out_value[found] = v
                found += 1
                break
            if out_owner[entry] == group and out_value[entry] == v:
                break
            slot = (slot + 1) & (size - 1)
        out_count[entry] += count[i]
    return out_owner[:found].copy(), out_value[:found].copy(), out_count[:found].copy()


@njit(
    "float64[::1](uint64[:,::1], float64[::1], int64[::1], int64[::1], int64[::1], float64[::1],"
    " int64[::1])",
    cache=True,
    nogil=True,
)
def price(keys: Any, mass: Any, word: Any, shift: Any, bits: Any, table: Any, start: Any) -> Any:
    """Sum ``mass * table[start[c] + code]`` over the classes, for each column."""
    columns = len(word)
    total = np.zeros(columns, np.float64)
    for i in range(keys.shape[1]):
        if mass[i] != 0.0:
            for c in range(columns):
                mask = ~np.uint64(0) >> np.uint64(64 - bits[c])
                code = (keys[word[c], i] >> np.uint64(shift[c])) & mask
                total[c] += mass[i] * table[start[c] + np.int64(code)]
    return total


@njit(
    "int64(int32[::1], uint64[:,::1], int64[::1], float64[:,::1], int64, uint64[:,::1],"
    " float64[:,::1])",
    cache=True,
    nogil=True,
)
def tally(
    slots: Any, store: Any, rows: Any, tallies: Any, found: Any, batch: Any, amounts: Any
) -> Any:
    """Count a batch of rows into a growing hash table; returns the number of distinct keys."""
    words, n = batch.shape
    last = len(slots) - 1
    for i in range(n):
        h = batch[0, i]
        for w in range(1, words):
            h = _mix(h) + batch[w, i]
        slot = np.int64(_mix(h)) & last
        while True:
            group = slots[slot]
            if group == EMPTY:
                slots[slot] = found
                group = found
                for w in range(words):
                    store[w, found] = batch[w, i]
                found += 1
                break
            same = True
            for w in range(words):
                if store[w, group] != batch[w, i]:
                    same = False
                    break
            if same:
                break
            slot = (slot + 1) & last
        rows[group] += 1
        for t in range(amounts.shape[0]):
            tallies[t, group] += amounts[t, i]
    return found


@njit("void(int32[::1], uint64[:,::1], int64)", cache=True, nogil=True)
def index(slots: Any, store: Any, found: Any) -> None:
    """Fill an empty slot table with the first ``found`` keys of ``store``, all distinct."""
    last = len(slots) - 1
    for g in range(found):
        h = store[0, g]
        for w in range(1, store.shape[0]):
            h = _mix(h) + store[w, g]
        slot = np.int64(_mix(h)) & last
        while slots[slot] != EMPTY:
            slot = (slot + 1) & last
        slots[slot] = g


@njit("int32[::1](int32[::1], uint64[:,::1], uint64[:,::1])", cache=True, nogil=True)
def find(slots: Any, store: Any, batch: Any) -> Any:
    """The place in ``store`` of each key of a batch, or EMPTY."""
    words, n = batch.shape
    last = len(slots) - 1
    found = np.empty(n, np.int32)
    for i in range(n):
        h = batch[0, i]
        for w in range(1, words):
            h = _mix(h) + batch[w, i]
        slot = np.int64(_mix(h)) & last
        while True:
            group = slots[slot]
            if group == EMPTY:
                break
            same = True
            for w in range(words):
                if store[w, group] != batch[w, i]:
                    same = False
                    break
            if same:
                break
            slot = (slot + 1) & last
        found[i] = group
    return found
