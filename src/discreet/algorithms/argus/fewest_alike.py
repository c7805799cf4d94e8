"""The fewest suppressed cells with which every row looks like k - 1 others."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import combinations as choose

import numpy as np

from discreet.algorithms.argus.looks import Looks, looks_of
from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.problem import Problem

MOST_PAIRS = 6_000
"""The integer program is not tried with more (class, place for it) pairs than these."""

SECONDS = 5.0

Place = tuple[tuple[int, ...], tuple[int, ...]]
"""Classes that are alike once some columns are lost, and those columns."""


def least_cells(looks: Looks, k: int, seconds: float = SECONDS) -> int:
    """No release of this kind can suppress fewer cells than these.

    Each row in a class below k must lose so many cells that the rest of it is that of k rows.
    Sets of columns are tried by their size; when time is up, rows still without an answer count
    with the size that was reached.
    """
    end = time.monotonic() + seconds
    least = np.where(looks.size < k, -1, 0)
    everything = np.ones(len(least), dtype=np.bool_)
    columns = looks.codes.shape[1]
    for number in range(1, columns + 1):
        for lost in choose(range(columns), number):
            open_ = np.nonzero(least < 0)[0]
            if not len(open_) or time.monotonic() > end:
                break
            fits = looks.rows_alike(lost, everything)[open_] >= k
            least[open_[fits]] = number
        if time.monotonic() > end:
            least[least < 0] = number
    return int((np.maximum(least, 0) * looks.size).sum())


def fewest_alike(
    problem: Problem, recoding: CellRecoding, k: int, seconds: float = SECONDS
) -> CellRecoding | None:
    """The release with the fewest further suppressed cells of all in which every class has k rows.

    None if the table is too large for the integer program, or if time ran out.

    Notes
    -----
    [Sweeney2001]_, sec. 7.6, future work 2 and 5. Rows go to places (classes of rows alike but for
    some lost columns); a place in use has k rows. *Departures*: none. *Cost*: an integer program
    that can grow without limit, so it is tried on small tables only.
    """
    looks = looks_of(problem, recoding)
    if seconds <= 0 or 2 ** min(60, looks.codes.shape[1]) * len(looks.size) > 20 * MOST_PAIRS:
        return None
    places = _places(looks, k)
    if sum(len(members) for members, _ in places) > MOST_PAIRS:
        return None
    dealt = _program(looks, places, k, seconds)
    if dealt is None:
        return None
    for (members, lost), rows in zip(places, dealt, strict=True):
        gone = np.isin(np.arange(looks.codes.shape[1]), lost)
        for source, number in zip(members, rows, strict=True):
            if number and not looks.blank[source][gone].all():
                looks.move(source, number, looks.add(source, gone))
    return looks.recoding(recoding)


def _places(looks: Looks, k: int) -> list[Place]:
    """All different places of k rows, each with the fewest lost columns."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    columns = range(looks.codes.shape[1])
    for number in range(len(columns) + 1):
        for lost in choose(columns, number):
            for members in _alike(looks, lost, k):
                found.setdefault(members, lost)
    return list(found.items())


def _alike(looks: Looks, lost: tuple[int, ...], k: int) -> Iterator[tuple[int, ...]]:
    left = [c for c in range(looks.codes.shape[1]) if c not in lost]
    classes, inverse = looks.counter.project(looks.counter.base, left)
    for number in np.nonzero(classes.rows >= k)[0]:
        yield tuple(np.nonzero(inverse == number)[0].tolist())


def _program(looks: Looks, places: list[Place], k: int, seconds: float) -> list[list[int]] | None:
    """How many rows of each member go to each place."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    source = np.array([m for members, _ in places for m in members])
    place = np.repeat(np.arange(len(places)), [len(members) for members, _ in places])
    cost = np.array(
        [
            (~looks.blank[m, list(lost)]).sum() if lost else 0
            for members, lost in places
            for m in members
        ]
    )
    pairs, number = len(source), np.arange(len(source))
    ones = np.ones(pairs)
    shape = (len(looks.size), pairs + len(places))
    every = csr_array((ones, (source, number)), shape=shape)
    shape = (len(places), pairs + len(places))
    used = csr_array((ones, (place, number)), shape=shape) - csr_array(
        (np.full(len(places), float(k)), (np.arange(len(places)), pairs + np.arange(len(places)))),
        shape=shape,
    )
    shape = (pairs, pairs + len(places))
    opened = csr_array((ones, (number, number)), shape=shape) - csr_array(
        (looks.size[source].astype(np.float64), (number, pairs + place)), shape=shape
    )
    most = np.concatenate([looks.size[source], np.ones(len(places))])
    found = milp(
        np.concatenate([cost, np.zeros(len(places))]),
        integrality=np.ones(pairs + len(places)),
        bounds=Bounds(0, most),
        constraints=[
            LinearConstraint(every, looks.size, looks.size),
            LinearConstraint(used, lb=0),
            LinearConstraint(opened, ub=0),
        ],
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    if found.status != 0 or found.x is None:
        return None
    rows = np.round(found.x[:pairs]).astype(np.int64)
    return [part.tolist() for part in np.split(rows, np.cumsum(np.bincount(place))[:-1])]
