"""Why no release keeps the promises: which of them fails even at the top of the lattice."""

from __future__ import annotations

from discreet.algorithms.problem import Problem
from discreet.errors import UnreachableError
from discreet.models.requirement import Requirement


def unreachable(problem: Problem) -> UnreachableError:
    """Name each promise that fails on its own where everything is generalized to the root."""
    groups = problem.counter.groups(problem.lattice.top)
    together, failing = problem.requirement, []
    for model in together.models:
        alone = Requirement([model], together.columns, together.wildcard)
        suppressed = alone.judge(problem.counter, groups).suppressed
        if suppressed > problem.limit:
            failing.append((model.name, suppressed))
    return UnreachableError(failing, problem.total, problem.limit, problem.unit)
