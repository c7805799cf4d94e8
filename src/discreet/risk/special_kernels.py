"""The compiled loop of the search for minimal sample uniques.

One file on purpose: the cache of compiled code looks only at the file of a function.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.frequency.kernels import _kernel


@_kernel()
def split(
    members: Any,
    starts: Any,
    codes: Any,
    rows: Any,
    size: Any,
    subset: Any,
    heads: Any,
    nexts: Any,
    masks: Any,
    used: Any,
) -> Any:
    """Split every class by one more column.

    ``members`` are tuples, class by class from ``starts``. A tuple that stands alone with one row
    is recorded unless a set of columns that was recorded for it lies within ``subset``. Classes in
    which somebody may still be singled out are kept. Gives their members and starts, the tuples
    that were recorded, and how many records there are.
    """
    kept = np.empty(len(members), np.int32)
    new_starts = np.empty(len(members) + 1, np.int64)
    alone = np.empty(len(members), np.int32)
    count = np.zeros(size, np.int64)
    single = np.zeros(size, np.bool_)
    place = np.zeros(size, np.int64)
    length = np.zeros(size, np.int64)
    touched = np.empty(size, np.int64)
    found = filled = classes = 0
    new_starts[0] = 0
    for number in range(len(starts) - 1):
        low, high = starts[number], starts[number + 1]
        different = 0
        for i in range(low, high):
            code = codes[members[i]]
            if length[code] == 0:
                touched[different] = code
                different += 1
            length[code] += 1
            count[code] += rows[members[i]]
            if rows[members[i]] == 1:
                single[code] = True
        for j in range(different):
            code = touched[j]
            if count[code] == 1:
                place[code] = -1
            elif single[code]:
                place[code] = filled
                filled += length[code]
                classes += 1
                new_starts[classes] = filled
            else:
                place[code] = -2
        for i in range(low, high):
            member = members[i]
            code = codes[member]
            if place[code] == -1:
                seen = heads[member]
                minimal = True
                while seen >= 0:
                    if masks[seen] & ~subset == 0:
                        minimal = False
                        break
                    seen = nexts[seen]
                if minimal:
                    masks[used] = subset
                    nexts[used] = heads[member]
                    heads[member] = used
                    used += 1
                    alone[found] = member
                    found += 1
            elif place[code] >= 0:
                kept[place[code]] = member
                place[code] += 1
        for j in range(different):
            code = touched[j]
            count[code] = length[code] = 0
            single[code] = False
    return kept[:filled], new_starts[: classes + 1], alone[:found], used
