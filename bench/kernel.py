"""Roll-up alone: 200 nodes of a table of 10 million rows."""

from __future__ import annotations

import time

from bench.case import Benchmark, Case, Measured, Watch, own_peak

ROWS = 10_000_000
NODES = 200
SAMPLE = 3
SIZES = (100, 2, 500, 16, 12, 7)
HEIGHTS = (4, 1, 4, 2, 2, 1)


def kernel(peer: str) -> Measured:
    """Count the nodes by roll-up and compare with a peer."""
    import numpy as np

    from bench.made import correlated, frequency_of, joining
    from discreet.frequency.class_counter import ClassCounter
    from discreet.hierarchy.lattice import Lattice

    names = [f"c{number}" for number in range(len(SIZES))]
    columns = correlated(SIZES, ROWS, seed=3, noise=0.25)
    with Watch() as counting:
        frequency = frequency_of(columns, SIZES, names)
    lattice = Lattice(tuple(joining(*each) for each in zip(names, SIZES, HEIGHTS, strict=True)))
    nodes = np.random.default_rng(0).permutation(np.array(list(lattice)))[:NODES]
    counter = ClassCounter(frequency, lattice, {})
    with Watch() as watch:
        counted = [counter.groups(tuple(node.tolist())) for node in nodes]
    whole, peak = time.process_time(), own_peak()
    if peer == "one pass":
        seconds, label = _one_pass(counted, counter.base), "one pass over the keys"
    else:
        seconds, label = _numpy(columns, lattice, nodes), f"numpy, {peer}"
    result = (
        f"{len(frequency):,} distinct tuples counted in {counting.cpu:.2f} s, then "
        f"{NODES / watch.cpu:,.0f} nodes/s"
    )
    return Measured(
        watch.cpu, whole, watch.wall, peak, NODES, lattice.nodes, result, label, seconds, watch.cpu
    )


def _numpy(columns: list, lattice: object, nodes: object) -> float:
    """CPU time of grouping the rows of every node with numpy, from a sample of nodes."""
    import numpy as np

    with Watch() as watch:
        for node in nodes[:SAMPLE]:
            key, space = np.zeros(ROWS, dtype=np.int64), 1
            for codes, h, level in zip(columns, lattice.hierarchies, node, strict=True):
                key = key * h.size(int(level)) + h.maps[level][codes]
                space *= h.size(int(level))
            np.bincount(key, minlength=space) if space < 4 * ROWS else np.unique(key)
    return watch.cpu / SAMPLE * NODES


def _one_pass(counted: list, base: object) -> float:
    """CPU time of reading, for every node, keys and rows of the smallest finer node once."""
    import numpy as np

    seconds = 0.0
    levels = np.array([base.node] + [groups.node for groups in counted])
    every = [base, *counted]
    for number, groups in enumerate(counted, start=1):
        finer = np.flatnonzero((levels[:number] <= np.array(groups.node)).all(axis=1))
        source = min((every[i] for i in finer), key=len)
        with Watch() as watch:
            int(source.keys.sum()) + int(source.rows.sum())
        seconds += watch.cpu
    return seconds


BENCHMARK = Benchmark(
    "kernel",
    f"Roll-up of {NODES} nodes in random order, {ROWS:,} rows, {len(SIZES)} columns. whole: with\n"
    "making and counting the rows. Peers: grouping the rows anew with numpy (bincount where keys\n"
    "are few, else unique; from a sample), and reading each node's finer groups once.",
    (
        Case("roll-up and numpy", lambda: kernel("bincount or unique")),
        Case("roll-up and one pass", lambda: kernel("one pass")),
    ),
)
