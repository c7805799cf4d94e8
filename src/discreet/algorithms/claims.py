"""Which promises an algorithm can keep: refused by name before any work is done."""

from __future__ import annotations

from typing import Any

from discreet.algorithms.problem import Problem
from discreet.errors import UnclaimedModelError


def class_size(algorithm: Any, problem: Problem) -> int:
    """The one class size that every promise comes down to, for algorithms that know sizes alone.

    Refuses promises that the algorithm does not claim, and promises for some of the columns only.
    """
    everything = set(problem.frequency.columns)
    size = 1
    for model in problem.requirement.models:
        if not isinstance(model, algorithm.claims):
            raise UnclaimedModelError(algorithm.name, model.name, "it looks at class sizes alone")
        if model.columns is not None and set(model.columns) != everything:
            why = "it has columns of its own, and the classes are those of all quasi columns"
            raise UnclaimedModelError(algorithm.name, model.name, why)
        size = max(size, model.least_rows)
    return size
