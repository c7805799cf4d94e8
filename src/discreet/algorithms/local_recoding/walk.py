"""The first classes: nodes by rising cost, each group that passes becomes a class."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.box_search import Progress
from discreet.algorithms.local_recoding.ground import Ground, prices
from discreet.algorithms.local_recoding.nodes import walked
from discreet.algorithms.local_recoding.promises import Promises
from discreet.frequency.classes import Ints

NODES = 20_000
"""At most so many nodes are walked, and some ways from the finest to the coarsest."""

JUDGED = 400
"""At most so many are walked where each group's sensitive values are judged."""


def walk(ground: Ground, promises: Promises, progress: Progress | None) -> tuple[Ints, int]:
    """The class of each tuple, numbered from 0, or -1; and how many nodes were visited.

    Tuples without a class are those that are left when every node was visited. *Cost*: nodes times
    the tuples that have no class yet, which are soon few.
    """
    nodes = walked(prices(ground, least=False), NODES)
    if promises.models:
        return _walk_judged(ground, promises, _thinned(nodes), progress)
    from discreet.algorithms.local_recoding import kernels

    home = np.full(len(ground.rows), -1)
    live, classes, at = np.arange(len(home)), 0, 0
    while at < len(nodes) and len(live):
        left, classes, at = kernels.walk(ground, nodes, at, promises.least, live, home, classes)
        live = live[:left].copy()
        if progress is not None:
            progress(at, 0.0, None)
    return home, at


def _walk_judged(
    ground: Ground, promises: Promises, nodes: Ints, progress: Progress | None
) -> tuple[Ints, int]:
    """The same where groups are judged by more than their size."""
    from discreet.algorithms.local_recoding import kernels

    home = np.full(len(ground.rows), -1)
    classes = 0
    for at, node in enumerate(nodes):
        live = np.nonzero(home < 0)[0]
        if not len(live):
            return home, at
        slots = np.empty(kernels.table_size(len(live)), dtype=np.int32)
        keys, out = np.empty(len(live), dtype=np.uint64), np.empty(len(live), dtype=np.int32)
        found = kernels.group(ground, live, len(live), node, slots, keys, out)
        rows = np.bincount(out, weights=ground.rows[live], minlength=found)
        large = rows >= promises.least
        if large.any():
            tried = np.full(len(home), -1)
            tried[live] = np.where(large[out], out, -1)
            passing = ~promises.fails(tried, found)
            number = np.where(passing, classes + np.cumsum(passing) - 1, -1)
            home[live] = number[out]
            classes += int(passing.sum())
        if progress is not None:
            progress(at + 1, 0.0, None)
    return home, len(nodes)


def _thinned(nodes: Ints) -> Ints:
    """At most so many nodes as can be judged, the first and the last among them."""
    if len(nodes) <= JUDGED:
        return nodes
    return nodes[np.linspace(0, len(nodes) - 1, JUDGED).round().astype(np.int64)]
