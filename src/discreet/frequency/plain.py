"""The loops of :mod:`discreet.frequency.kernels` in numpy and Arrow, for tables that are small.

Each gives the same answer as the loop of its name, bit for bit: classes are numbered in the order
in which they are met, and sums are added up one number after the other, in the same order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Keys = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int32]


def number_values(values: npt.NDArray[Any]) -> tuple[Places, int]:
    """The number of each value, in the order in which they are met, and how many there are."""
    found = pa.array(values).dictionary_encode()
    return found.indices.to_numpy(), len(found.dictionary)


def _number_keys(keys: Keys) -> tuple[Places, int]:
    """As :func:`number_values`, of keys of any number of words."""
    number, count = number_values(keys[0])
    for word in keys[1:]:
        more, size = number_values(word)
        number, count = number_values(number.astype(np.int64) * size + more)
    return number, count


def _find_first(number: Places, count: int) -> npt.NDArray[np.int64]:
    """Where each number is met first."""
    first = np.empty(count, np.int64)
    first[number[::-1]] = np.arange(len(number) - 1, -1, -1)
    return first


def _add_counts(number: Places, counts: npt.NDArray[np.int64], size: int) -> Any:
    """Sums of counts by number; of whole numbers up to 2**53, which doubles hold exactly."""
    return np.bincount(number, weights=counts, minlength=size).astype(np.int64)


def roll_up(
    keys: Keys,
    rows: Any,
    word: Any,
    shift: Any,
    bits: Any,
    table: Any,
    start: Any,
    most: Any,
    wanted: Any,
) -> Any:
    """Merge the classes of a node into those of a coarser one."""
    new = keys.copy()
    for w, s, b, first in zip(word, shift, bits, start, strict=True):
        place = np.uint64(s)
        mask = ~np.uint64(0) >> np.uint64(64 - b)
        new[w] &= ~(mask << place)
        new[w] |= table[first + ((keys[w] >> place) & mask).astype(np.int64)] << place
    number, count = _number_keys(new)
    out = np.ascontiguousarray(new[:, _find_first(number, count)])
    return out, _add_counts(number, rows, count), number if wanted else number[:0]


def roll_up_tallies(tallies: Any, inverse: Any, classes: Any) -> Any:
    """Add further sums up by coarser class."""
    out = np.zeros((tallies.shape[0], classes), np.float64)
    for tally, sums in zip(tallies, out, strict=True):
        sums[:] = np.bincount(inverse, weights=tally, minlength=classes)
    return out


def roll_up_values(owner: Any, value: Any, count: Any, inverse: Any, values: Any) -> Any:
    """Merge (class, value, rows) entries after their classes were merged by ``inverse``."""
    group = inverse[owner]
    number, found = number_values(group.astype(np.int64) * values + value)
    first = _find_first(number, found)
    return (
        group[first].astype(np.int32, copy=False),
        value[first].astype(np.int32, copy=False),
        _add_counts(number, count, found),
    )


def compose(table: Any, shift: Any, bits: Any, maps: Any, start: Any) -> None:
    """Fill ``table`` with the new content of a field that several columns share."""
    old = np.arange(len(table), dtype=np.uint64)
    table[:] = 0
    for c, (s, b) in enumerate(zip(shift, bits, strict=True)):
        code = ((old >> np.uint64(s)) & (~np.uint64(0) >> np.uint64(64 - b))).astype(np.int64)
        known = code < start[c + 1] - start[c]
        table[known] |= maps[start[c] + code[known]] << np.uint64(s)


def price(keys: Any, mass: Any, word: Any, shift: Any, bits: Any, table: Any, start: Any) -> Any:
    """Sum ``mass * table[start[c] + code]`` over the classes, for each column."""
    some = np.flatnonzero(mass)
    mass = mass[some]
    total = np.zeros(len(word), np.float64)
    for c in range(len(word) if len(some) else 0):
        mask = ~np.uint64(0) >> np.uint64(64 - bits[c])
        code = (keys[word[c], some] >> np.uint64(shift[c])) & mask
        # A running sum adds one number after the other; a sum would add them in pairs.
        total[c] = np.cumsum(mass * table[start[c] + code.astype(np.int64)])[-1]
    return total


def tally(
    slots: Any,
    indexed: Any,
    store: Any,
    rows: Any,
    tallies: Any,
    found: Any,
    batch: Any,
    amounts: Any,
) -> Any:
    """Count a batch of rows; gives the number of distinct keys. ``slots`` are left as they are."""
    number, count = _number_keys(np.concatenate([store[:, :found], batch], axis=1))
    first = _find_first(number, count)[found:] - found
    store[:, found:count] = batch[:, first]
    rows[:count] += np.bincount(number[found:], minlength=count)
    for sums, amount in zip(tallies, amounts, strict=True):
        sums[:count] = np.bincount(number, np.concatenate([sums[:found], amount]), count)
    return count


def find(slots: Any, indexed: Any, store: Any, batch: Any) -> Any:
    """The place in ``store`` of each key of a batch, or -1. ``slots`` are left as they are."""
    known = store.shape[1]
    number, _ = _number_keys(np.concatenate([store, batch], axis=1))
    return np.where(number[known:] < known, number[known:], np.int32(-1))
