"""Blanks that match anything: a blank in one row also helps the rows that differ there."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.algorithms.suppress.integer_program import Program, Rounded
from discreet.algorithms.suppress.patterns import Floors, find_missing_cells
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Mask
from discreet.frequency.compiled import compile_loop

WINDOW = 1 << 14
"""A row is compared with this many latest rows with blanks; more would be slow on large tables."""

HELP = 1 << 18
"""Most patterns times helping rows that are tried for one row."""

BLOCK = 512
"""Rows between two progress reports."""

MOST_COLUMNS = 63
"""Most columns whose patterns fit in a machine word."""


@dataclass(frozen=True, eq=False)
class Helped:
    """The pattern of each row at risk; ``alone`` rows have k matches without help."""

    owner: npt.NDArray[np.int64]
    pattern: npt.NDArray[np.int64]
    alone: npt.NDArray[np.bool_]


def help_rows_out(problem: Problem, floors: Floors, progress: Progress | None = None) -> Helped:
    """Blank each row at risk in at least one cell, those that need the fewest first.

    A row needs fewer cells than by itself if blanks of earlier rows make up for the rest. Rows
    beyond the window are not counted as help, nor many rows if there are many patterns, so a row
    may have more matches than were counted, never fewer.
    """

    first, cost = floors.first[floors.risky], floors.patterns.cost
    order = np.argsort(cost[first], kind="stable")
    tuple_of = np.repeat(order, problem.frequency.rows[floors.risky][order])
    codes = np.array([c[floors.risky] for c in problem.frequency.codes], dtype=np.int32)
    codes[find_missing_cells(problem)[:, floors.risky]] = HIDDEN
    codes = np.ascontiguousarray(codes[:, tuple_of].T)
    blank = floors.patterns.blank[: len(floors.support)]
    cheaper = np.searchsorted(cost[: len(blank)], cost[first])
    support = np.ascontiguousarray(floors.support.T)
    chosen = np.zeros(len(tuple_of), dtype=np.int64)
    window = np.zeros(min(WINDOW, max(1, len(chosen))), dtype=np.int64)
    shown = np.zeros((codes.shape[1], len(window)), dtype=np.int32)
    for begin in range(0, len(chosen), BLOCK):
        if progress is not None:
            progress(begin)
        end = min(begin + BLOCK, len(chosen))
        choose(
            codes, tuple_of, support, first, cheaper, _pack_patterns(blank), blank.sum(axis=1),
            floors.k, begin, end, shown, window, HELP, chosen,
        )  # fmt: skip
    alone = floors.support[chosen, tuple_of] >= floors.k
    return Helped(floors.risky[tuple_of], chosen, alone)


def _pack_patterns(blank: Mask) -> npt.NDArray[np.uint64]:
    """Each pattern as a word with a bit for each column that it blanks."""
    bits = np.uint64(1) << np.arange(blank.shape[1], dtype=np.uint64)
    words: npt.NDArray[np.uint64] = (blank * bits).sum(axis=1, dtype=np.uint64)
    return words


# The fewest blanks where blanks match anything, by an integer program.


def solve_exact_help(
    problem: Problem, weights: Floats, k: int, seconds: float | None
) -> tuple[Mask, Rounded] | None:
    """Which cell of which row is blanked, by row of the table; no row is left out.

    Two rows match if every column in which they differ is blank in one of them. Each row at risk
    has a blank at least, other rows have none. None if there is no answer in time.
    """
    owner = np.repeat(np.arange(len(problem.frequency)), problem.frequency.rows)
    codes = np.array(problem.frequency.codes)[:, owner]
    gaps = find_missing_cells(problem)[:, owner]
    columns, rows = codes.shape
    one, other = np.triu_indices(rows, 1)
    differ = (codes[:, one] != codes[:, other]) & ~gaps[:, one] & ~gaps[:, other]
    unlike = differ.any(axis=0)
    alike = np.concatenate([one[~unlike], other[~unlike]])
    needed = k - 1 - np.bincount(alike, minlength=rows)
    one, other, differ = one[unlike], other[unlike], differ[:, unlike]
    program = Program()
    may = ~gaps & (needed > 0)
    blank = program.add(np.repeat(weights, rows), may.reshape(-1), whole=True)
    blank = blank.reshape(columns, rows)
    match = program.add(np.zeros(len(one)), np.ones(len(one)))
    for c in range(columns):
        pair = np.nonzero(differ[c])[0]
        each = np.arange(len(pair))
        hidden = [(each, blank[c, side[pair]], -1.0) for side in (one, other)]
        program.rows([(each, match[pair], 1.0), *hidden], -np.inf, 0.0)
    program.rows([(one, match, 1.0), (other, match, 1.0)], needed, np.inf, count=rows)
    every = np.tile(np.arange(rows), columns)
    program.rows([(every, blank.reshape(-1), 1.0)], needed > 0, np.inf)
    found = program.solve(seconds)
    return None if found is None else (found.values[blank] > 0.5, found)


# The compiled loop of blanks that match anything: what each row still needs to blank.


HIDDEN = np.int32(-1)
"""The code of a cell that is missing or blanked."""


@compile_loop(inner=True)
def _count_differences(shown: Any, mine: Any, length: Any, number: Any) -> None:
    """In how many columns each row of the window visibly differs from a row."""
    for i in range(length):
        number[i] = 0
    for c in range(len(mine)):
        code = mine[c]
        if code != HIDDEN:
            column = shown[c]
            for i in range(length):
                number[i] += np.int32((column[i] != code) & (column[i] != HIDDEN))


@compile_loop(inner=True)
def _find_helpers(
    codes: Any, row: Any, most: Any, shown: Any, window: Any, number: Any, pairs: Any
) -> Any:
    """Rows with blanks that hide a difference from ``row``: all and the visible differences."""
    found = 0
    mine = codes[row]
    for i in range(len(number) - 1, -1, -1):
        if number[i] <= most and found < len(pairs):
            truly, still = np.uint64(0), np.uint64(0)
            for c in range(len(mine)):
                other = codes[window[i], c]
                if mine[c] != other and mine[c] != HIDDEN and other != HIDDEN:
                    bit = np.uint64(1) << np.uint64(c)
                    truly |= bit
                    if shown[c, i] != HIDDEN:
                        still |= bit
            if truly != still:
                pairs[found, 0] = truly
                pairs[found, 1] = still
                found += 1
    return found


@compile_loop(inner=True)
def _choose_pattern(
    support: Any, first: Any, cheaper: Any, present: Any, masks: Any, pairs: Any, k: Any
) -> Any:
    """The first non-empty pattern with k matches, if it is one of the ``cheaper``.

    Otherwise ``first``, with which the row has k without help. ``pairs`` are the rows that may
    match through blanks.
    """
    for pattern in range(cheaper):
        if masks[pattern] & present == 0:
            continue
        left = ~masks[pattern]
        number = support[pattern]
        for i in range(len(pairs)):
            if pairs[i, 1] & left == 0 and pairs[i, 0] & left != 0:
                number += 1
        if number >= k:
            return pattern
    return first


@compile_loop(inner=True)
def _pack_bits(codes: Any) -> Any:
    """A bit for each cell that is not missing."""
    found = np.uint64(0)
    for c in range(len(codes)):
        if codes[c] != HIDDEN:
            found |= np.uint64(1) << np.uint64(c)
    return found


@compile_loop(inner=True)
def _enter(shown: Any, place: Any, codes: Any, mask: Any) -> None:
    """Put a released row into the window."""
    for c in range(len(codes)):
        blank = (mask >> np.uint64(c)) & np.uint64(1) != 0
        shown[c, place] = HIDDEN if blank else codes[c]


@compile_loop(nogil=True)
def choose(
    codes: Any,
    tuple_of: Any,
    support: Any,
    first: Any,
    cheaper: Any,
    masks: Any,
    sizes: Any,
    k: Any,
    begin: Any,
    end: Any,
    shown: Any,
    window: Any,
    work: Any,
    chosen: Any,
) -> None:
    """Give rows ``begin`` to ``end`` the cheapest pattern with which each has k matches.

    Rows that really agree are in ``support``; rows of the window whose blanks hide the difference
    are added to them. The window holds the latest rows, in ``shown`` by column as they are
    released.
    """
    pairs = np.empty((len(window), 2), np.uint64)
    number = np.empty(len(window), np.int32)
    for row in range(begin, end):
        mine, length = tuple_of[row], min(row, len(window))
        pattern = first[mine]
        if cheaper[mine] > 1:
            _count_differences(shown, codes[row], length, number)
            most = sizes[pattern]
            some = pairs[: max(64, work // cheaper[mine])]
            found = _find_helpers(codes, row, most, shown, window, number[:length], some)
            present = _pack_bits(codes[row])
            pattern = _choose_pattern(
                support[mine], pattern, cheaper[mine], present, masks, pairs[:found], k
            )
        chosen[row] = pattern
        window[row % len(window)] = row
        _enter(shown, row % len(window), codes[row], masks[pattern])
