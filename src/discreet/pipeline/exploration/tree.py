"""A column's hierarchy as it is drawn: labels of each level, as wide as their rows are many."""

from __future__ import annotations

from typing import Any

import numpy as np

from discreet.frequency.classes import Ints
from discreet.hierarchy.hierarchy import Hierarchy


def describe_tree(hierarchy: Hierarchy, rows: Ints, most: int) -> dict[str, Any]:
    """The levels from the top, each part under its parent.

    ``rows`` are those of each value as found. Of a level the ``most`` labels with most rows are
    named; what lies between two of them, under one parent, is one part without a label.
    """
    order = np.lexsort(hierarchy.maps)  # by the top level, then the next
    total = int(rows.sum())
    levels = []
    for level in range(hierarchy.height, -1, -1):
        codes = hierarchy.maps[level]
        sums = np.bincount(codes, weights=rows, minlength=hierarchy.size(level)).astype(np.int64)
        levels.append({
            "level": level,
            "labels": hierarchy.size(level),
            "parts": _list_parts(hierarchy, level, order, sums, most, total),
        })  # fmt: skip
    return {
        "column": hierarchy.column,
        "private": True,
        "height": hierarchy.height,
        "rows": total,
        "levels": levels,
    }


def _list_parts(
    hierarchy: Hierarchy, level: int, order: Any, sums: Ints, most: int, total: int
) -> list[dict[str, Any]]:
    """The parts of one level from left to right."""
    inside = dict.fromkeys(hierarchy.maps[level][order].tolist())
    named = set(np.argsort(-sums, kind="stable")[:most].tolist())
    parents = None if level == hierarchy.height else hierarchy.step(level)
    found: list[dict[str, Any]] = []
    start, left = 0, -1
    for code in inside:
        parent = -1 if parents is None else int(parents[code])
        rows = int(sums[code])
        last = found[-1] if found else None
        if code not in named and last is not None and last["others"] and left == parent:
            last["others"] += 1
            last["rows"] += rows
        else:
            label = hierarchy.labels[level][code]
            found.append({
                "label": label if code in named else None,
                "missing": code in named and label is None,
                "others": 0 if code in named else 1,
                "rows": rows,
                "start": start / total,
            })  # fmt: skip
        start, left = start + rows, parent
    for part in found:
        part["share"] = part["rows"] / total
    return found
