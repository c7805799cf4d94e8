"""The compiled loops of the search for keys: partitions of rows, refined and counted.

A partition is stripped: unique rows are left out, since nothing can separate them further.
``order`` holds the other rows, class after class and in file order within a class; class g is
``order[starts[g]:starts[g + 1]]``.

Small tables are searched by twins in numpy that return the same answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.frequency.compiled import compile_loop
from discreet.frequency.plain import number_values

_SPLIT = "Tuple((int32[::1], int64[::1]))(int32[::1], int64[::1], int32[::1], int64)"
_COUNT = "UniTuple(int64, 3)(int32[::1], int64[::1], int32[::1], int64)"


def _number_rows(order: Any, starts: Any, column: Any, size: Any) -> tuple[Any, Any]:
    """The part of its class that each row is in, numbered as met, and the rows of each part."""
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    number, found = number_values(owner * size + column[order])
    return number, np.bincount(number, minlength=found)


def _split_plain(order: Any, starts: Any, column: Any, size: Any) -> Any:
    number, rows = _number_rows(order, starts, column, size)
    kept = rows > 1
    ends = np.zeros(np.count_nonzero(kept) + 1, np.int64)
    np.cumsum(rows[kept], out=ends[1:])
    stays = kept[number]
    return order[stays][np.argsort(number[stays], kind="stable")], ends


def _count_split_plain(order: Any, starts: Any, column: Any, size: Any) -> Any:
    _, rows = _number_rows(order, starts, column, size)
    alike = (rows * (rows - 1) // 2).sum()
    return len(rows), int(np.count_nonzero(rows == 1)), int(alike)


def _refine_labels_plain(labels: Any, column: Any, classes: Any, size: Any) -> Any:
    return number_values(labels.astype(np.int64) * size + column)


def _separated_pairs_plain(codes: Any, left: Any, right: Any) -> Any:
    columns, pairs = codes.shape[0], len(left)
    out = np.zeros((columns, (pairs + 63) // 64 * 8), np.uint8)
    for values, bits in zip(codes, out, strict=True):
        packed = np.packbits(values[left] != values[right], bitorder="little")
        bits[: len(packed)] = packed
    return out.view("<u8").astype(np.uint64, copy=False)


def _covered_more_plain(bits: Any, covered: Any) -> Any:
    return np.bitwise_count(bits & ~covered).sum(axis=1, dtype=np.int64)


@compile_loop(_SPLIT, plain=_split_plain, nogil=True)
def split(order: Any, starts: Any, column: Any, size: Any) -> Any:
    """Split each class by the values of a column; classes of one row are left out."""
    count = np.zeros(size, np.int32)
    place = np.empty(size, np.int64)
    met = np.empty(size, np.int32)
    out = np.empty(len(order), np.int32)
    ends = np.empty(len(order) // 2 + 2, np.int64)
    ends[0] = 0
    classes, filled = 0, 0
    for g in range(len(starts) - 1):
        first, last = starts[g], starts[g + 1]
        values = 0
        for i in range(first, last):
            v = column[order[i]]
            if count[v] == 0:
                met[values] = v
                values += 1
            count[v] += 1
        for j in range(values):
            v = met[j]
            if count[v] > 1:
                place[v] = filled
                filled += count[v]
                classes += 1
                ends[classes] = filled
            else:
                place[v] = -1
            count[v] = 0
        for i in range(first, last):
            row = order[i]
            v = column[row]
            if place[v] >= 0:
                out[place[v]] = row
                place[v] += 1
    return out[:filled].copy(), ends[: classes + 1].copy()


@compile_loop(_COUNT, plain=_count_split_plain, nogil=True)
def count_split(order: Any, starts: Any, column: Any, size: Any) -> Any:
    """The counts of what ``split`` would return: classes, unique rows, equal pairs of rows."""
    count = np.zeros(size, np.int32)
    stamp = np.full(size, -1, np.int32)
    classes, alone, alike = 0, 0, 0
    for g in range(len(starts) - 1):
        for i in range(starts[g], starts[g + 1]):
            v = column[order[i]]
            if stamp[v] != g:
                stamp[v] = g
                count[v] = 1
                classes += 1
                alone += 1
            else:
                if count[v] == 1:
                    alone -= 1
                alike += count[v]
                count[v] += 1
    return classes, alone, alike


@compile_loop(plain=_refine_labels_plain, nogil=True)
def refine_labels(labels: Any, column: Any, classes: Any, size: Any) -> Any:
    """The class of each row after adding a column, numbered in order, and their number."""
    rows = len(labels)
    out = np.empty(rows, np.int32)
    found = 0
    if classes * size <= max(4 * rows, 1 << 16):
        number = np.full(classes * size, -1, np.int32)
        for i in range(rows):
            key = np.int64(labels[i]) * size + column[i]
            if number[key] < 0:
                number[key] = found
                found += 1
            out[i] = number[key]
        return out, found
    log_size = 12
    while (1 << log_size) < 2 * rows:
        log_size += 1
    slots = np.full(1 << log_size, -1, np.int32)
    first = np.empty(rows, np.int32)
    last = (1 << log_size) - 1
    for i in range(rows):
        key = np.uint64(labels[i]) * np.uint64(size) + np.uint64(column[i])
        slot = np.int64(((key ^ (key >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15))
                        >> np.uint64(64 - log_size))  # fmt: skip
        while True:
            group = slots[slot]
            if group < 0:
                slots[slot] = found
                first[found] = i
                out[i] = found
                found += 1
                break
            other = first[group]
            if labels[other] == labels[i] and column[other] == column[i]:
                out[i] = group
                break
            slot = (slot + 1) & last
    return out, found


@compile_loop(plain=_separated_pairs_plain, nogil=True)
def separated_pairs(codes: Any, left: Any, right: Any) -> Any:
    """Which columns separate which pairs of rows: one bit per pair, packed in words by column."""
    columns, pairs = codes.shape[0], len(left)
    out = np.zeros((columns, (pairs + 63) // 64), np.uint64)
    for c in range(columns):
        for p in range(pairs):
            if codes[c, left[p]] != codes[c, right[p]]:
                out[c, p >> 6] |= np.uint64(1) << np.uint64(p & 63)
    return out


@compile_loop(plain=_covered_more_plain, nogil=True)
def covered_more(bits: Any, covered: Any) -> Any:
    """How many pairs each column separates that are not separated yet."""
    out = np.zeros(bits.shape[0], np.int64)
    for c in range(bits.shape[0]):
        total = np.int64(0)
        for w in range(bits.shape[1]):
            x = bits[c, w] & ~covered[w]
            x -= (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
            x = (x & np.uint64(0x3333333333333333)) + (
                (x >> np.uint64(2)) & np.uint64(0x3333333333333333)
            )
            x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
            total += np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))
        out[c] = total
    return out
