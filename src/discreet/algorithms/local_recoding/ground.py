"""The table as the compiled loops see it: codes, what they become, and what they are worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from discreet.algorithms.cell_recoding import part_mass
from discreet.algorithms.problem import Problem
from discreet.display import safe_repr
from discreet.frequency.classes import Floats, Ints
from discreet.measures import ColumnCost, Granularity

Keys = npt.NDArray[np.uint64]


@safe_repr
class Ground(NamedTuple):
    """Distinct tuples and flat tables of their columns.

    Column c at level l with ground code g is found at ``start[c] + l * size[c] + g``: ``up`` has
    the code there, ``worth`` how much of a row's cell is left there, and ``key`` the part of a key
    that is the same for tuples alike. ``unit`` is how much a row of each tuple counts, ``whole``
    what it is worth as it is, and ``reach`` the most that it can be worth in any class.

    Keys that do not fit in 64 bits can collide. Classes are tightened to what their members have in
    common, so that makes a class coarser, never wrong.
    """

    codes: npt.NDArray[np.int32]
    rows: Ints
    unit: Floats
    whole: Floats
    reach: Floats
    start: Ints
    size: Ints
    height: Ints
    up: npt.NDArray[np.int32]
    worth: Floats
    key: Keys


def guide(problem: Problem) -> ColumnCost:
    """What the search goes by: the policy's measure, or granularity if that counts classes."""
    return problem.cost if problem.cost is not None else Granularity().on(problem.table)


def ground_of(problem: Problem, columns: Sequence[int] | None = None) -> Ground:
    """Set the tables up for a problem, or for some of its columns only."""
    chosen = range(len(problem.frequency.columns)) if columns is None else columns
    frequency, cost = problem.frequency, guide(problem)
    hierarchies = [problem.lattice.hierarchies[c] for c in chosen]
    size = np.array([h.size(0) for h in hierarchies], dtype=np.int64)
    height = np.array([h.height for h in hierarchies], dtype=np.int64)
    start = np.concatenate([[0], np.cumsum(size * (height + 1))[:-1]]).astype(np.int64)
    codes = np.array([frequency.codes[c] for c in chosen], dtype=np.int32)
    codes = np.ascontiguousarray(codes.reshape(len(hierarchies), -1).T)
    steps = _strides(size)
    up, worth, key = [], [], []
    for c, step, hierarchy in zip(chosen, steps, hierarchies, strict=True):
        for level, codes_up in enumerate(hierarchy.maps):
            up.append(codes_up)
            worth.append(cost.slope[c] * cost.rise[c][level][codes_up])
            key.append(codes_up.astype(np.uint64) * step)
    flat = np.concatenate(worth)
    whole = np.zeros(len(frequency))
    for c in range(len(size)):
        whole += flat[start[c] + codes[:, c]]
    unit = part_mass(problem, np.arange(len(frequency)), frequency.rows) / frequency.rows
    return Ground(
        codes,
        np.array(frequency.rows, dtype=np.int64),
        unit,
        whole,
        whole,
        start,
        size,
        height,
        np.concatenate(up).astype(np.int32),
        flat,
        np.concatenate(key),
    )


def prices(ground: Ground, least: bool) -> list[Floats]:
    """What each level of each column costs a row: the least that it can, or on average."""
    found = []
    weight = ground.rows * ground.unit
    for c, (start, size) in enumerate(zip(ground.start, ground.size, strict=True)):
        levels = ground.height[c] + 1
        table = ground.worth[start : start + levels * size].reshape(levels, size)
        lost = table[0] - table
        share = np.bincount(ground.codes[:, c], weights=weight, minlength=size)
        mean = lost @ share / max(float(share.sum()), 1e-300)
        found.append(lost.min(axis=1) if least else mean)
    return found


def _strides(size: Ints) -> Keys:
    """What each column's code counts in a key: places of one number, or chance if that is full."""
    places = [math.prod(size[:c].tolist()) for c in range(len(size) + 1)]
    if places[-1] < 1 << 63:
        return np.array(places[:-1], dtype=np.uint64)
    random = np.random.default_rng(1)
    drawn = random.integers(0, 1 << 63, len(size), dtype=np.uint64)
    return drawn * np.uint64(2) + np.uint64(1)
