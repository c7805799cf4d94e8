"""Missing values that match anything: the rows each row cannot be told from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from discreet.frequency.class_counter import ClassCounter, Groups
from discreet.frequency.classes import Classes, Histogram, Mask, Reference
from discreet.hierarchy.hierarchy import Hierarchy


def stays_missing(hierarchies: Sequence[Hierarchy]) -> bool:
    """Whether what is missing at a level stays missing at the coarser ones, until all are alike.

    Only then do rows that match at one node match at every coarser one. A hierarchy in which the
    missing value is under a branch with others makes rows match that a coarser level tells apart.
    """
    for hierarchy in hierarchies:
        for level in range(hierarchy.height):
            if None not in hierarchy.labels[level] or hierarchy.size(level + 1) == 1:
                continue
            above = hierarchy.step(level)[hierarchy.labels[level].index(None)]
            if hierarchy.labels[level + 1][above] is not None:
                return False
    return True


def missing_codes(counter: ClassCounter, node: Sequence[int]) -> list[int | None]:
    """The code of the missing value in each column at this node, if there is one."""
    found: list[int | None] = []
    for hierarchy, level in zip(counter.lattice.hierarchies, node, strict=True):
        labels = hierarchy.labels[level]
        found.append(labels.index(None) if None in labels else None)
    return found


def matching(
    counter: ClassCounter, groups: Groups, places: Sequence[int], kept: Mask | None
) -> Classes:
    """For each group, the kept rows that agree with it wherever neither is missing.

    Groups are sorted by which columns they miss. Two groups agree if they are alike on the columns
    that neither misses, so one projection for each pair of such patterns finds all matches. *Cost*:
    the square of the number of different patterns, times the groups.
    """
    patterns, pattern = _patterns(counter, groups, places)
    rows = np.zeros(len(groups), dtype=np.int64)
    parts: dict[str, list[tuple[npt.NDArray[np.int64], ...]]] = {
        name: [] for name in groups.entries
    }
    here = np.ones(len(groups), dtype=np.bool_) if kept is None else kept
    for mine in range(len(patterns)):
        own = np.nonzero(pattern == mine)[0]
        for other in range(len(patterns)):
            common = [c for c in places if c not in patterns[mine] | patterns[other]]
            classes, inverse = counter.project(groups, common, here & (pattern == other))
            rows[own] += classes.rows[inverse[own]]
            for name, histogram in classes.histograms.items():
                parts[name].append(_expand(histogram, inverse[own], own, len(classes)))
    rows[~here] = 0
    histograms = {
        name: _joined(pieces, here, counter.references[name]) for name, pieces in parts.items()
    }
    return Classes(rows, histograms)


def _patterns(
    counter: ClassCounter, groups: Groups, places: Sequence[int]
) -> tuple[list[frozenset[int]], npt.NDArray[np.int64]]:
    codes = missing_codes(counter, groups.node)
    flags = np.zeros((len(groups), len(places)), dtype=np.bool_)
    for at, column in enumerate(places):
        if codes[column] is not None:
            flags[:, at] = counter.packing.unpack(groups.keys, column) == codes[column]
    different, pattern = np.unique(flags, axis=0, return_inverse=True)
    sets = [frozenset(c for c, flag in zip(places, row, strict=True) if flag) for row in different]
    return sets, pattern.reshape(-1)


def _expand(
    histogram: Histogram,
    classes: npt.NDArray[np.int32],
    owners: npt.NDArray[np.int64],
    number: int,
) -> tuple[npt.NDArray[np.int64], ...]:
    """The entries of a class, once for each group that looks at it."""
    order = np.argsort(histogram.owner, kind="stable")
    start = np.searchsorted(histogram.owner[order], np.arange(number + 1))
    length = (start[1:] - start[:-1])[classes]
    total = int(length.sum())
    first = np.repeat(start[:-1][classes] - np.cumsum(length) + length, length)
    entry = order[np.arange(total) + first]
    owner = np.repeat(owners, length)
    return owner, histogram.value[entry].astype(np.int64), histogram.count[entry]


def _joined(
    pieces: list[tuple[npt.NDArray[np.int64], ...]], here: Mask, reference: Reference
) -> Histogram:
    """All entries together, those of the same group and value added up."""
    owner, value, count = (np.concatenate(part) for part in zip(*pieces, strict=True))
    inside = here[owner] & (count > 0)
    key = owner[inside] * len(reference.counts) + value[inside]
    different, where = np.unique(key, return_inverse=True)
    summed = np.bincount(where, weights=count[inside]).astype(np.int64)
    return Histogram(
        (different // len(reference.counts)).astype(np.int32),
        (different % len(reference.counts)).astype(np.int32),
        summed,
        reference,
    )
