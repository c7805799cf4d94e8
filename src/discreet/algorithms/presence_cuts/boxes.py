"""What the parts of MPALM are released as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.mondrian import released
from discreet.algorithms.mondrian_cuts.cutting import Axis
from discreet.algorithms.mondrian_cuts.front import Front
from discreet.algorithms.mondrian_cuts.number_axis import NumberAxis
from discreet.algorithms.problem import Problem
from discreet.frequency.classes import Ints
from discreet.frequency.frequency_list import Codes
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.numbers import show


def boxes(
    problem: Problem, axes: tuple[Axis, ...], ranks: Codes, parts: Sequence[Ints]
) -> CellRecoding:
    """Each part's private rows as the least values and ranges that cover all its public tuples.

    Notes
    -----
    [Nergiz2007]_, algorithm 2, line 20. *Departures*: the paper takes the box of the private rows
    of a part. People of the part who are outside that box then fit no released row: they are known
    to be absent, and the others are more likely to be present than the cut was allowed for.
    Ranges that read like a value of the hierarchy with another meaning are written in words.
    """
    rows = problem.frequency.rows
    shown = [part for part in parts if rows[part].any()]
    low = np.array([ranks[:, part].min(axis=1) for part in shown], dtype=np.int64)
    high = np.array([ranks[:, part].max(axis=1) for part in shown], dtype=np.int64)
    own = [part[rows[part] > 0] for part in shown]
    owner = np.concatenate(own)
    length = np.array([len(part) for part in own])
    start = np.cumsum(length) - length
    size = np.add.reduceat(rows[owner], start)
    none = np.zeros(len(shown), dtype=np.int64)
    front = Front(owner, rows[owner], ranks[:, owner], start, size, low, high, low, none)
    recoding = released(problem, axes, front)
    first = np.searchsorted(recoding.owner, owner[start])
    values = list(recoding.values)
    for c, axis in enumerate(axes):
        if isinstance(axis, NumberAxis):
            hierarchy, labels = problem.lattice.hierarchies[c], list(values[c].labels)
            for code, a, b in zip(recoding.codes[c][first], low[:, c], high[:, c], strict=True):
                labels[code] = _plain(axis, hierarchy, labels[code], a, b)
            values[c] = replace(values[c], labels=tuple(labels))
    return replace(recoding, values=tuple(values))


def _plain(
    axis: NumberAxis, hierarchy: Hierarchy, text: str | None, low: int, high: int
) -> str | None:
    """``20 to 24`` where ``20-24`` is a value of the hierarchy that stands for other numbers.

    A single number that is written in another way or in several ways is a range too: ``7 to 7``.
    """
    if high == axis.missing:
        return text
    units, places = axis.numbers
    in_words = f"{show(int(units[low]), places)} to {show(int(units[high]), places)}"
    if low == high:
        # 7, +7 and 7.0 are one number; released as 7 it would not be read as the others.
        same = [hierarchy.labels[0][code] for code in np.flatnonzero(axis.rank == low)]
        if same != [text]:
            return in_words
    for codes, labels in zip(hierarchy.maps, hierarchy.labels, strict=True):
        if text in labels:
            under = axis.rank[codes == labels.index(text)]
            if (under.min(), under.max()) != (low, high):
                return in_words
    return text
