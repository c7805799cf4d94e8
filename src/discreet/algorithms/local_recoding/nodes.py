"""Which nodes of a lattice are looked at, cheapest first, however many there are."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from itertools import product

import numpy as np

from discreet.frequency.classes import Floats, Ints

CHAINS = 64
"""Ways from the finest to the coarsest node that are walked where not all nodes can be."""


def cheapest(prices: Sequence[Floats], most: int) -> tuple[Ints, Floats]:
    """The nodes with the least prices, by rising price; ``prices`` rise with the level.

    At most one more than ``most``, so that the price of the first that is left out is known.
    """
    levels = [len(column) for column in prices]
    if math.prod(levels) <= most:
        nodes = np.array(list(product(*map(range, levels))), dtype=np.int64)
        return _sorted(nodes.reshape(-1, len(levels)), prices)
    bottom = (0,) * len(levels)
    heap: list[tuple[float, tuple[int, ...], int]] = [(0.0, bottom, 0)]
    found: list[tuple[int, ...]] = []
    while heap and len(found) <= most:
        price, node, last = heapq.heappop(heap)
        found.append(node)
        for c in range(last, len(levels)):
            if node[c] + 1 < levels[c]:
                step = float(prices[c][node[c] + 1] - prices[c][node[c]])
                above = (*node[:c], node[c] + 1, *node[c + 1 :])
                heapq.heappush(heap, (price + step, above, c))
    return _sorted(np.array(found, dtype=np.int64), prices)


def walked(prices: Sequence[Floats], most: int) -> Ints:
    """Nodes from the finest to the coarsest by rising price: all, or some if they are too many."""
    levels = [len(column) for column in prices]
    nodes, _ = cheapest(prices, most)
    if math.prod(levels) > most:
        nodes = np.unique(np.vstack([nodes, *_chains(levels, prices)]), axis=0)
        nodes, _ = _sorted(nodes, prices)
    return nodes


def _sorted(nodes: Ints, prices: Sequence[Floats]) -> tuple[Ints, Floats]:
    price = np.zeros(len(nodes))
    for c, column in enumerate(prices):
        price += column[nodes[:, c]]
    order = np.argsort(price, kind="stable")
    return nodes[order], price[order]


def _chains(levels: Sequence[int], prices: Sequence[Floats]) -> list[Ints]:
    """Ways up that take single steps, the cheap ones first, each with other columns favoured."""
    random = np.random.default_rng(1)
    found = []
    for _ in range(CHAINS):
        favour = random.exponential(size=len(levels))
        steps = sorted(
            (float(prices[c][level]) * favour[c], level, c)
            for c in range(len(levels))
            for level in range(1, levels[c])
        )
        node, chain = [0] * len(levels), [[0] * len(levels)]
        for _, _, c in steps:
            node[c] += 1
            chain.append(list(node))
        found.append(np.array(chain, dtype=np.int64))
    return found
