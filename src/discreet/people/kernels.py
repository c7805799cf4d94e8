"""The compiled loops over the records of people: fingerprints of records, prices of records.

A record is the tuples ``tuples[start[r]:start[r + 1]]``, each with its table and its codes (-1 for
columns of other tables). ``maps[first[c] + code]`` is a code at the level in question; columns that
are not ``used`` count as if nobody saw them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.frequency.kernels import _kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ONE, _OTHER = np.uint64(0x243F6A8885A308D3), np.uint64(0x13198A2E03707344)


@_kernel(inline="always")
def _stirred(x: Any) -> Any:
    """The finalizer of splitmix64: every bit of the answer depends on every bit given."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@_kernel(nogil=True)
def fingerprints(
    records: Any,
    start: Any,
    tuples: Any,
    codes: Any,
    table: Any,
    maps: Any,
    first: Any,
    used: Any,
    once: Any,
) -> Any:
    """128 bits for each record that are the same for records alike, in any order of their rows.

    The sum over a record's tuples of a hash of each; ``once`` adds a tuple that repeats only once.
    """
    out = np.zeros((2, len(records)), np.uint64)
    for i in range(len(records)):
        low, high = start[records[i]], start[records[i] + 1]
        marks = np.empty((2, high - low if once else 0), np.uint64)
        for j in range(low, high):
            t = tuples[j]
            one = _stirred(_ONE + np.uint64(table[t]))
            other = _stirred(_OTHER + np.uint64(table[t]))
            for c in range(codes.shape[1]):
                if used[c] and codes[t, c] >= 0:
                    code = np.uint64(maps[first[c] + codes[t, c]] + 1)
                    one = _stirred(one + code * _GOLDEN)
                    other = _stirred(other ^ (code * _GOLDEN))
            if once:
                marks[0, j - low], marks[1, j - low] = one, other
            else:
                out[0, i] += one
                out[1, i] += other
        if once:
            order = np.argsort(marks[0])
            for j in range(len(order)):
                if j == 0 or marks[0, order[j]] != marks[0, order[j - 1]]:
                    out[0, i] += marks[0, order[j]]
                    out[1, i] += marks[1, order[j]]
    return out


@_kernel(nogil=True)
def price(
    records: Any,
    mass: Any,
    start: Any,
    tuples: Any,
    codes: Any,
    maps: Any,
    first: Any,
    costs: Any,
    begin: Any,
) -> Any:
    """Sum ``mass * costs[begin[c] + level code]`` over the rows of records, for each column."""
    total = np.zeros(codes.shape[1], np.float64)
    for i in range(len(records)):
        if mass[i] != 0.0:
            for j in range(start[records[i]], start[records[i] + 1]):
                for c in range(codes.shape[1]):
                    code = codes[tuples[j], c]
                    if code >= 0:
                        total[c] += mass[i] * costs[begin[c] + maps[first[c] + code]]
    return total
