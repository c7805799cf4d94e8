"""Columns without an order: the finest level of the hierarchy with few enough values."""

from __future__ import annotations

import numpy as np

from discreet.frequency.classes import Ints
from discreet.hierarchy.hierarchy import Hierarchy


def level_sizes(hierarchy: Hierarchy) -> Ints:
    """How many values a column can be brought down to, rising."""
    sizes = {hierarchy.size(level) for level in range(hierarchy.height + 1)}
    return np.array(sorted(sizes), dtype=np.int64)


def finest_level(hierarchy: Hierarchy, most: int) -> int:
    """The finest level with at most so many values; the root if none has.

    Notes
    -----
    [Lodha2008]_, sec. 4.2, fig. 2. *Departures*: none; the values of a level are those that the
    table has.
    """
    levels = range(hierarchy.height + 1)
    return next((at for at in levels if hierarchy.size(at) <= most), hierarchy.height)
