"""Whether suppressed rows may stay in the release as rows of ``*``."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Solution
from discreet.frequency.classes import Classes, Histogram


def kept_as_stars(problem: Problem, solution: Solution) -> bool:
    """Whether the suppressed rows, all alike, keep every promise themselves.

    They form a class of their own. If it is below k, or its sensitive values give too much away, it
    would be the one class of the release that breaks the policy.
    """
    partly = (solution.dropped > 0) & (solution.dropped < solution.groups.rows)
    if not solution.suppressed or (partly.any() and solution.groups.entries):
        return False
    star = _star_class(problem, solution)
    for quasi in problem.requirement.quasis:
        if quasi.fails(star).any():
            return False
        for model in quasi.table_models:
            sizes = np.append(solution.class_sizes, solution.suppressed)
            if model.least_class(sizes) > int(sizes.min()):
                return False
    return True


def _star_class(problem: Problem, solution: Solution) -> Classes:
    counter = problem.counter
    gone = solution.dropped > 0
    histograms = {}
    for name, entries in solution.groups.entries.items():
        reference = counter.references[name]
        inside = gone[entries.owner]
        counts = np.bincount(
            entries.value[inside], weights=entries.count[inside], minlength=len(reference.counts)
        ).astype(np.int64)
        value = np.nonzero(counts)[0].astype(np.int32)
        owner = np.zeros(len(value), dtype=np.int32)
        histograms[name] = Histogram(owner, value, counts[value], reference)
    return Classes(np.array([solution.suppressed], dtype=np.int64), histograms)
