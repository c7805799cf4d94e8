"""The fewest blanks where blanks are values, by an integer program."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.blanking.classes import Parts
from discreet.algorithms.blanking.patterns import Patterns
from discreet.algorithms.blanking.program import Program, Rounded
from discreet.algorithms.problem import Problem


def exact_cover(
    problem: Problem, patterns: Patterns, k: int, seconds: float | None
) -> tuple[Parts, Rounded] | None:
    """Each row goes to a class that fits it, or is left out; each class that is used has k rows.

    None if there is no answer in time. Classes that look alike need not be told apart, so a class
    is a pattern and the values it leaves.
    """
    rows = problem.frequency.rows
    tuples = np.arange(len(rows))
    parts = Parts(problem, patterns, k, rows.copy())
    program = Program()
    out = program.add(np.full(len(rows), patterns.cost[-1]), rows)
    share = [(tuples, out)]
    for pattern in range(len(patterns)):
        number, size = parts.numbers(pattern, tuples)
        fits = np.bincount(number, weights=rows, minlength=size)[number] >= k
        used = program.add(np.zeros(size), np.ones(size), whole=True)
        here = program.add(np.full(int(fits.sum()), patterns.cost[pattern]), rows[fits])
        mine = number[fits]
        program.rows([(mine, here, 1.0), (np.arange(size), used, -float(k))], 0.0, np.inf)
        each = np.arange(len(here))
        program.rows([(each, here, 1.0), (each, used[mine], -rows[fits])], -np.inf, 0.0)
        share.append((tuples[fits], here))
    program.rows([(owner, column, 1.0) for owner, column in share], rows, rows)
    program.rows([(np.zeros(len(out), dtype=np.int64), out, 1.0)], 0.0, problem.limit)
    found = program.solve(seconds)
    if found is None:
        return None
    for pattern, (owner, column) in enumerate(share[1:]):
        placed = np.rint(found.values[column]).astype(np.int64)
        parts.place(pattern, owner[placed > 0], placed[placed > 0])
        np.subtract.at(parts.left, owner, placed)
    return parts, found
