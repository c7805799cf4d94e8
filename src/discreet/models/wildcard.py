"""Missing values that match anything: the rows each row cannot be told from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from discreet.frequency.class_counter import ClassCounter, Groups
from discreet.frequency.classes import Classes, Histogram, Mask, Reference
from discreet.frequency.frequency_list import Entries
from discreet.hierarchy.hierarchy import Hierarchy


def keeps_missing(hierarchies: Sequence[Hierarchy]) -> bool:
    """Whether values missing at a level stay missing at coarser ones, until all are equal.

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


def find_missing_codes(counter: ClassCounter, node: Sequence[int]) -> list[int | None]:
    """The code of the missing value in each column at this node, if there is one."""
    found: list[int | None] = []
    for hierarchy, level in zip(counter.lattice.hierarchies, node, strict=True):
        labels = hierarchy.labels[level]
        found.append(labels.index(None) if None in labels else None)
    return found


def match_rows(
    counter: ClassCounter, groups: Groups, places: Sequence[int], kept: Mask | None
) -> Classes:
    """For each group, the kept rows that agree with it wherever neither is missing.

    Groups are sorted by which columns they miss. Two groups agree if they are alike on the columns
    that neither misses, so for each such pattern the others are taken together by the columns in
    common, and one projection of those groups finds all matches. *Cost*: the groups times the
    patterns, and one projection for each pattern and set of columns in common.
    """
    patterns, pattern = _find_patterns(counter, groups, places)
    here = np.ones(len(groups), dtype=np.bool_) if kept is None else kept
    members = [np.nonzero(here & (pattern == number))[0] for number in range(len(patterns))]
    rows = np.zeros(len(groups), dtype=np.int64)
    parts: dict[str, list[tuple[npt.NDArray[np.int64], ...]]] = {
        name: [] for name in groups.entries
    }
    for mine, own in enumerate(members):
        for common, others in _group_patterns(patterns, mine, places).items():
            theirs = np.concatenate([members[other] for other in others])
            classes, inverse = _project_classes(counter, groups, sorted(common), own, theirs)
            rows[own] += classes.rows[inverse]
            for name, histogram in classes.histograms.items():
                parts[name].append(_expand(histogram, inverse, own, len(classes)))
    histograms = {
        name: _join_entries(pieces, here, counter.references[name])
        for name, pieces in parts.items()
    }
    return Classes(rows, histograms)


def _group_patterns(
    patterns: Sequence[frozenset[int]], mine: int, places: Sequence[int]
) -> dict[frozenset[int], list[int]]:
    """The patterns by the columns that neither they nor one of them misses."""
    present = frozenset(places) - patterns[mine]
    found: dict[frozenset[int], list[int]] = {}
    for other, missing in enumerate(patterns):
        found.setdefault(present - missing, []).append(other)
    return found


def _project_classes(
    counter: ClassCounter,
    groups: Groups,
    common: Sequence[int],
    own: npt.NDArray[np.int64],
    theirs: npt.NDArray[np.int64],
) -> tuple[Classes, npt.NDArray[np.int32]]:
    """Classes of ``theirs`` on the columns in common, and the one that each of ``own`` is in."""
    if len(common) == len(groups.node):
        kept = np.zeros(len(groups), dtype=np.bool_)
        kept[theirs] = True
        classes, inverse = counter.project(groups, common, kept)
        return classes, inverse[own]
    place = np.full(len(groups), -1, dtype=np.int32)
    place[theirs] = np.arange(len(own), len(own) + len(theirs))
    both = np.concatenate([own, theirs])
    counted = np.concatenate([np.zeros(len(own), dtype=np.int64), groups.rows[theirs]])
    entries = {name: _move_entries(e, place) for name, e in groups.entries.items()}
    keys = np.ascontiguousarray(groups.keys[:, both])
    some = Groups(groups.node, keys, counted, np.zeros((0, len(both))), entries)
    classes, inverse = counter.project(some, common)
    return classes, inverse[: len(own)]


def _move_entries(entries: Entries, place: npt.NDArray[np.int32]) -> Entries:
    """The entries of groups that have a place, under their new number."""
    inside = place[entries.owner] >= 0
    return Entries(place[entries.owner[inside]], entries.value[inside], entries.count[inside])


def _find_patterns(
    counter: ClassCounter, groups: Groups, places: Sequence[int]
) -> tuple[list[frozenset[int]], npt.NDArray[np.int64]]:
    codes = find_missing_codes(counter, groups.node)
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
    """The entries of a class, once for each group that uses it."""
    order = np.argsort(histogram.owner, kind="stable")
    start = np.searchsorted(histogram.owner[order], np.arange(number + 1))
    length = (start[1:] - start[:-1])[classes]
    total = int(length.sum())
    first = np.repeat(start[:-1][classes] - np.cumsum(length) + length, length)
    entry = order[np.arange(total) + first]
    owner = np.repeat(owners, length)
    return owner, histogram.value[entry].astype(np.int64), histogram.count[entry]


def _join_entries(
    pieces: list[tuple[npt.NDArray[np.int64], ...]], here: Mask, reference: Reference
) -> Histogram:
    """All entries together, those of the same group and value added up."""
    if not pieces:
        nothing = np.empty(0, dtype=np.int32)
        return Histogram(nothing, nothing, np.empty(0, dtype=np.int64), reference)
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
