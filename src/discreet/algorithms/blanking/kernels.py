"""The compiled loop of blanks that match anything: what each row still needs to blank."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.frequency.kernels import _kernel

HIDDEN = np.int32(-1)
"""The code of a cell that is missing or blanked."""


@_kernel()
def _differences(shown: Any, mine: Any, length: Any, number: Any) -> None:
    """In how many columns each row of the window visibly differs from a row."""
    for i in range(length):
        number[i] = 0
    for c in range(len(mine)):
        code = mine[c]
        if code != HIDDEN:
            column = shown[c]
            for i in range(length):
                number[i] += np.int32((column[i] != code) & (column[i] != HIDDEN))


@_kernel()
def _helpers(
    codes: Any, row: Any, most: Any, shown: Any, window: Any, number: Any, pairs: Any
) -> Any:
    """Rows with blanks that hide a difference from ``row``: what differs, and what still shows."""
    found = 0
    mine = codes[row]
    for i in range(len(number) - 1, -1, -1):
        if number[i] <= most and found < len(pairs):
            truly, still = np.uint64(0), np.uint64(0)
            for c in range(len(mine)):
                other = codes[window[i], c]
                if mine[c] != other and mine[c] != HIDDEN and other != HIDDEN:
                    bit = np.uint64(1) << np.uint64(c)
                    truly |= bit
                    if shown[c, i] != HIDDEN:
                        still |= bit
            if truly != still:
                pairs[found, 0] = truly
                pairs[found, 1] = still
                found += 1
    return found


@_kernel()
def _enough(
    support: Any, first: Any, cheaper: Any, present: Any, masks: Any, pairs: Any, k: Any
) -> Any:
    """The first pattern with k matches that blanks something, if it is one of the ``cheaper``.

    Otherwise ``first``, with which the row has k without help. ``pairs`` are the rows that may
    match through blanks.
    """
    for pattern in range(cheaper):
        if masks[pattern] & present == 0:
            continue
        left = ~masks[pattern]
        number = support[pattern]
        for i in range(len(pairs)):
            if pairs[i, 1] & left == 0 and pairs[i, 0] & left != 0:
                number += 1
        if number >= k:
            return pattern
    return first


@_kernel()
def _bits(codes: Any) -> Any:
    """A bit for each cell that is not missing."""
    found = np.uint64(0)
    for c in range(len(codes)):
        if codes[c] != HIDDEN:
            found |= np.uint64(1) << np.uint64(c)
    return found


@_kernel()
def _enter(shown: Any, place: Any, codes: Any, mask: Any) -> None:
    """Put a row into the window as it is released."""
    for c in range(len(codes)):
        blank = (mask >> np.uint64(c)) & np.uint64(1) != 0
        shown[c, place] = HIDDEN if blank else codes[c]


@_kernel(nogil=True)
def choose(
    codes: Any,
    tuple_of: Any,
    support: Any,
    first: Any,
    cheaper: Any,
    masks: Any,
    sizes: Any,
    k: Any,
    begin: Any,
    end: Any,
    shown: Any,
    window: Any,
    work: Any,
    chosen: Any,
) -> None:
    """Give rows ``begin`` to ``end`` the cheapest pattern with which each has k matches.

    Rows that agree in truth are in ``support``; to them come rows of the window whose blanks hide
    the difference. The window holds the latest rows, in ``shown`` by column as they are released.
    """
    pairs = np.empty((len(window), 2), np.uint64)
    number = np.empty(len(window), np.int32)
    for row in range(begin, end):
        mine, length = tuple_of[row], min(row, len(window))
        pattern = first[mine]
        if cheaper[mine] > 1:
            _differences(shown, codes[row], length, number)
            most = sizes[pattern]
            some = pairs[: max(64, work // cheaper[mine])]
            found = _helpers(codes, row, most, shown, window, number[:length], some)
            present = _bits(codes[row])
            pattern = _enough(
                support[mine], pattern, cheaper[mine], present, masks, pairs[:found], k
            )
        chosen[row] = pattern
        window[row % len(window)] = row
        _enter(shown, row % len(window), codes[row], masks[pattern])
