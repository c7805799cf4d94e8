"""Blanks that are values: rows with the same blanks and the same rest must number k."""

from __future__ import annotations

import math

import numpy as np

from discreet.algorithms.blanking.classes import Parts, Places, in_turn
from discreet.algorithms.blanking.lend import lend, spare_rows, whole_classes
from discreet.algorithms.blanking.patterns import Patterns
from discreet.algorithms.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.errors import InternalError
from discreet.frequency.classes import Ints, add_up

STEPS = 5
"""How many sizes of a group that is too small are told apart."""


def cover(problem: Problem, patterns: Patterns, k: int, progress: Progress | None = None) -> Parts:
    """Put rows into classes, those first that cost least for each row that is helped.

    A group of rows alike on what a pattern leaves becomes a class if it has k rows without a class,
    or if rows that other classes can spare make up k, or a whole class of rows that were safe as
    they are. Rows that fit a class join it.
    Rows that are still left are left out, if the policy allows so many, or join blank rows.
    """
    rows = problem.frequency.rows
    parts = Parts(problem, patterns, k, np.where(rows >= k, 0, rows))
    safe = np.nonzero(rows >= k)[0]
    parts.place(0, safe, rows[safe])
    largest: dict[int, int] = {}
    for turn, (cost, pattern, least, whole) in enumerate(_turns(patterns, k)):
        may_be_left_out = problem.limit if cost > patterns.cost[-1] else 0
        if parts.left.sum() <= may_be_left_out:
            break
        if progress is not None:
            progress(turn, 0.0, None)
        if largest.get(pattern, k) >= least:
            largest[pattern] = _open(parts, pattern, least, whole)
    if parts.left.sum() > problem.limit:
        _blank_more(parts)
    return parts


def _turns(patterns: Patterns, k: int) -> list[tuple[float, int, int, bool]]:
    """Cost a row, pattern, rows without a class that a group must have, if classes may end.

    In rising order of cost.
    """
    sizes = sorted({max(1, math.ceil(k * step / STEPS)) for step in range(1, STEPS + 1)})
    turns = [
        (round(float(cost) * (k + whole * size) / size, 9), pattern, size, whole)
        for pattern, cost in enumerate(patterns.cost)
        for size in sizes
        for whole in (False, True)
        if pattern and not (whole and size == k)
    ]
    return sorted(turns)


def _open(parts: Parts, pattern: int, least: int, whole: bool) -> int:
    """Make classes of one pattern, and let rows join those it has.

    Gives the rows of the largest group that is left without a class.
    """
    mine = np.nonzero(parts.left)[0]
    has, _ = parts.at(pattern)
    number, size = parts.numbers(pattern, np.concatenate([mine, has]))
    exists = np.zeros(size, dtype=np.bool_)
    exists[number[len(mine) :]] = True
    number = number[: len(mine)]
    waiting = add_up(number, parts.left[mine], size).astype(np.int64)
    joins = (exists | (waiting >= parts.k))[number]
    if not joins.all() and least == parts.k:
        lenders = spare_rows(parts, pattern, free=True)
        joins[~joins] = lend(parts, pattern, mine[~joins], lenders, whole=False)
    short = ~joins & (waiting >= least)[number]
    if short.any():
        lenders = whole_classes(parts, pattern) if whole else spare_rows(parts, pattern, free=False)
        joins[short] = lend(parts, pattern, mine[short], lenders, whole)
    chosen = mine[joins]
    parts.place(pattern, chosen, parts.left[chosen])
    parts.left[chosen] = 0
    return int(waiting[number[~joins]].max(initial=0))


def _blank_more(parts: Parts) -> None:
    """Blank everything in the rows that are left, and in as many others as make up k.

    They are taken from the class that loses least: some of its rows if it stays large enough, or
    all of them.
    """
    last = len(parts.patterns) - 1
    lacking = parts.k - int(parts.left.sum())
    best: tuple[float, int, Places, Ints] | None = None
    for pattern in list(parts.placed):
        owner, rows = parts.at(pattern)
        number, size = parts.numbers(pattern, owner)
        held = add_up(number, rows, size).astype(np.int64)
        wanted = np.where(held - lacking >= parts.k, lacking, held)
        if not size:
            continue
        chosen = int(wanted.argmin())
        price = float(wanted[chosen] * (parts.patterns.cost[last] - parts.patterns.cost[pattern]))
        if best is None or price < best[0]:
            mine = np.nonzero(number == chosen)[0]
            given = in_turn(np.zeros(len(mine), dtype=np.int64), rows[mine], wanted[[chosen]])
            best = price, pattern, owner[mine], given
    if best is None:
        raise InternalError("no class is left to take rows from")
    _, pattern, owner, given = best
    left = np.nonzero(parts.left)[0]
    parts.place(pattern, owner, -given)
    parts.place(last, np.concatenate([owner, left]), np.concatenate([given, parts.left[left]]))
    parts.left[left] = 0
