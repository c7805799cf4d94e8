"""Refuses promises that an algorithm cannot keep, by name, before any work is done."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from discreet.algorithms.problem import Problem
from discreet.errors import InternalError, ReleaseError
from discreet.models.model import ClassModel
from discreet.models.requirement import Requirement
from discreet.models.risks import AverageRisk, SampleUniques
from discreet.models.verdict import TOLERANCE

COUNTS_DISTINGUISH = " The number of rows distinguishes people: see people.records."


class UnreachableError(ReleaseError):
    """No release keeps the promises, however general."""

    def __init__(
        self,
        failing: list[tuple[str, int]],
        rows: int,
        limit: int,
        unit: str = "rows",
        least_suppressed: int | None = None,
    ) -> None:
        self.failing, self.least_suppressed = failing, least_suppressed
        named = ", ".join(f"{name} fails for {n:,} of {rows:,} {unit}" for name, n in failing)
        super().__init__(
            "no release meets this policy, even with every quasi column fully generalized: "
            f"{named or f'the requirements together leave too few {unit}'}; the policy allows "
            f"{limit:,} to be suppressed. Ask for less, or allow more {unit} to be suppressed"
            f"{_write_enough(least_suppressed, rows)}."
            f"{COUNTS_DISTINGUISH if unit == 'people' else ''}"
        )


def _write_enough(least: int | None, rows: int) -> str:
    """The share of rows that would be enough; empty if most rows would have to go."""
    if least is None or least > rows / 2:
        return ""
    return f": suppress: {round_up_share(least, rows):g} is enough"


def round_up_share(part: int, rows: int) -> float:
    """The share of some rows, rounded up to thousandths."""
    return -(-1000 * part // rows) / 1000


class HeuristicError(ReleaseError):
    """A heuristic ended without a release; another algorithm may find one."""

    def __init__(self, algorithm: str) -> None:
        super().__init__(
            f"{algorithm} found no release that meets the policy, but there may be one: it does "
            "not try every node. Use algorithm: optimal, which does."
        )


def make_claim_error(
    algorithm: str, model: str, why: str, instead: str | None = None
) -> ReleaseError:
    """The error for a promise that an algorithm cannot keep."""
    other = "another algorithm" if instead is None else f"the algorithm {instead}"
    return ReleaseError(
        f"the algorithm {algorithm} cannot promise {model}",
        why,
        f"Use {other}, or another requirement.",
    )


def require_claimed(algorithm: Any, models: Iterable[Any]) -> None:
    """Refuse promises that an algorithm cannot keep."""
    for model in models:
        if not isinstance(model, algorithm.claims):
            known = ", ".join(claimed.name for claimed in algorithm.claims)
            raise make_claim_error(algorithm.name, model.name, f"it can promise {known}")


def find_class_size(algorithm: Any, problem: Problem) -> int:
    """The one class size that all promises amount to, for algorithms that know only sizes.

    Refuses promises that the algorithm does not claim, and promises for only some of the columns.
    """
    require_claimed(algorithm, problem.requirement.models)
    everything = set(problem.frequency.columns)
    for model in problem.requirement.models:
        if model.columns is not None and set(model.columns) != everything:
            why = "it has columns of its own, and the classes are those of all quasi columns"
            raise make_claim_error(algorithm.name, model.name, why, "local")
    return find_least_class_size(problem)


def find_least_class_size(problem: Problem) -> int:
    """The smallest size at which classes break no promise about sizes, whatever columns it names.

    Promises about the table are kept class by class: if every class by itself is large enough for
    the average risk, or has no unique row, then so have all together, and all unions of them.
    """
    return max([1, *(_find_least_size(model) for model in problem.requirement.models)])


def _find_least_size(model: Any) -> int:
    if isinstance(model, ClassModel):
        return model.least_rows
    if isinstance(model, AverageRisk):
        return math.ceil(1 / (model.max + TOLERANCE))
    if isinstance(model, SampleUniques):
        return 1 if model.max >= 1 else 2
    raise InternalError(f"no least class size is known for {model.name}")


# Why no release keeps the promises: which of them fails even at the top of the lattice.


def make_unreachable_error(problem: Problem) -> UnreachableError:
    """Name each promise that fails by itself when everything is generalized to the root."""
    groups = problem.counter.groups(problem.lattice.top)
    together, failing = problem.requirement, []
    for model in together.models:
        alone = Requirement([model], together.columns, together.wildcard)
        suppressed = alone.judge(problem.counter, groups).suppressed
        if suppressed > problem.limit:
            failing.append((model.name, suppressed))
    least = together.judge(problem.counter, groups).suppressed if problem.unit == "rows" else None
    return UnreachableError(failing, problem.total, problem.limit, problem.unit, least)
