"""Chooses levels without looking at the sensitive values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.algorithms.datafly import Datafly
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.optimal.optimal import Optimal
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Solution, build_solution_at
from discreet.algorithms.spalm import Spalm
from discreet.errors import ReleaseError
from discreet.frequency.classes import Classes, Histogram
from discreet.models.k_anonymity import KAnonymity

BLIND = (Optimal, Datafly, Spalm)
"""Algorithms that choose levels for whole columns, and can do so from class sizes alone."""

CLASSES_DRAWN = 2_000
"""Classes that are drawn to test whether a size may be large enough."""
STEP = 1.2
"""Factor between the sizes that are tried."""


def choose_blind(
    problem: Problem, algorithm: Any, seconds: float | None, progress: Progress | None
) -> Solution:
    """Choose levels and suppressed rows by class sizes; refuse them if a promise then fails.

    The search does not get the sensitive values. Whether the promises hold at the chosen node
    depends only on the released classes, so a release reveals nothing beyond its classes about who
    has which value: every assignment of a class's sensitive values to its people would have led to
    the same release.

    Notes
    -----
    [Wong2007]_ bounds the belief of someone who knows the program (m-confidentiality);
    [Cormode2010]_, sec. 3, on choices that do not depend on the sensitive values. *Departures*: if
    the promises fail, nothing else is tried, since that would reveal what was tried before. *Cost*:
    the search, and one count of the node.
    """
    # A promise about nothing, so that datafly never leaves out a part of a class: which values
    # are left would be up to chance, and could not be judged here.
    models = [*map(_reduce_to_size, problem.requirement.models), KAnonymity(k=1)]
    found = algorithm(problem.with_sensitive({}, models), seconds, progress)
    groups = problem.counter.groups(found.node)
    dropped = found.dropped[problem.counter.match_classes(found.groups, groups)]
    solution = build_solution_at(problem, found.algorithm, found.node, dropped, found.search)
    failing = [verdict.model for verdict in solution.verdicts if not verdict.holds]
    if failing:
        raise make_blind_error(failing, advise_size(problem) if problem.unit == "rows" else 0)
    return solution


def advise_size(problem: Problem) -> int | None:
    """A class size at which all promises would hold if values did not depend on quasi columns.

    It depends on how often each value occurs in the whole table, never on who has it, so every
    assignment of the values to people gives the same advice, which reveals nothing about anybody.
    None if there is no such size.

    Notes
    -----
    *Departures*: in no paper. Classes are drawn from the column's values; if values depend on quasi
    columns, classes have to be larger. *Cost*: a few hundred thousand numbers drawn for each size.
    """
    deep = [model for model in problem.requirement.models if model.sensitive is not None]
    size = max((model.least_rows for model in problem.requirement.models), default=1)
    while size < problem.total:
        if not any(_may_fail(model, problem, size) for model in deep):
            return size
        size = max(size + 1, round(STEP * size))
    return None


def _may_fail(model: Any, problem: Problem, size: int) -> bool:
    """Whether some of many classes of a size, drawn from the whole table, break a promise."""
    reference = problem.counter.references[model.sensitive]
    drawn = np.random.default_rng(0).multinomial(size, reference.shares, CLASSES_DRAWN)
    owner, value = np.nonzero(drawn)
    histogram = Histogram(
        owner.astype(np.int32), value.astype(np.int32), drawn[owner, value], reference
    )
    rows = np.full(CLASSES_DRAWN, size, dtype=np.int64)
    return bool(model.fails(Classes(rows, {model.sensitive: histogram})).any())


def _reduce_to_size(model: Any) -> Any:
    """What a promise requires of class sizes, whatever the sensitive values are."""
    if model.sensitive is None:
        return model
    return KAnonymity(k=max(1, model.least_rows), columns=model.columns)


def make_blind_error(failing: Sequence[str], size: int | None) -> ReleaseError:
    """The error for levels chosen without the sensitive values that break a promise about them.

    ``size`` is a sufficient class size; None if there is none, 0 if it was not computed.
    """
    if size == 0:
        fix = "Require k_anonymity with a larger k, or ask for less (a smaller ell, a larger t)."
    elif size is None:
        fix = (
            "Ask for less (a smaller ell, a larger t, beta or delta): not even classes of "
            "nearly the whole table would keep it."
        )
    else:
        fix = (
            f"Require k_anonymity with k well above {size:,}: with classes of {size:,} rows it "
            "would hold if the sensitive values were independent of the quasi columns. That number "
            "depends only on the counts of the whole column, not on who has which value."
        )
    return ReleaseError(
        "the levels that were chosen by sizes of classes alone (choice: blind) do not keep "
        f"{', '.join(dict.fromkeys(failing))}. Nothing was released. {fix} Do not disclose "
        "this refusal, and retry only once: anyone who knows that a k failed learns from it, as "
        "without choice: blind."
    )
