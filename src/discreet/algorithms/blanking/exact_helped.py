"""The fewest blanks where blanks match anything, by an integer program."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.blanking.floors import absent
from discreet.algorithms.blanking.program import Program, Rounded
from discreet.algorithms.problem import Problem
from discreet.frequency.classes import Floats, Mask


def exact_help(
    problem: Problem, weights: Floats, k: int, seconds: float | None
) -> tuple[Mask, Rounded] | None:
    """Which cell of which row is blanked, by row of the table; no row is left out.

    Two rows match if every column in which they differ is blank in one of them. Each row at risk
    has a blank at least, other rows have none. None if there is no answer in time.
    """
    owner = np.repeat(np.arange(len(problem.frequency)), problem.frequency.rows)
    codes = np.array(problem.frequency.codes)[:, owner]
    gaps = absent(problem)[:, owner]
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
