"""Whether promises on sensitive values hold for what several releases tell apart together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.algorithms import Problem, Solution
from discreet.errors import EarlierReleaseError
from discreet.frequency.classes import Classes, Histogram, add_up
from discreet.frequency.kernels import roll_up_values
from discreet.ledger.guard import Guard
from discreet.ledger.known import Known
from discreet.ledger.numbered import Numbers, numbered
from discreet.ledger.whole_table import places
from discreet.models import KAnonymity, LargestRisk
from discreet.release.plan import reference
from discreet.release.policy import Policy

SIZES = (KAnonymity, LargestRisk)
"""Promises about numbers of rows, which the search has kept."""


def refuse_broken(
    guards: Sequence[Guard],
    models: Sequence[Any],
    policy: Policy,
    problem: Problem,
    solution: Solution,
    known: Known,
) -> None:
    """Refuse a release beside which an earlier one gives away what the models promise to keep.

    Looked at is what is told apart by several releases only: a class that is as one of them has
    it, or a piece as it was, keeps what that release promised.
    """
    others = [model for model in models if not isinstance(model, SIZES)]
    for guard in guards:
        for model in others:
            if model.columns == guard.columns:
                _refuse(guard, model, policy, problem, solution, known)


def _refuse(
    guard: Guard, model: Any, policy: Policy, problem: Problem, solution: Solution, known: Known
) -> None:
    shown = _shown(guard, problem, solution)
    apart = numbered([guard.told.piece, shown + 1])
    told = _told(guard, policy, shown, apart)
    if told is None:
        return
    fix = "Ask for a part without the rows that they have, or promise numbers of rows only."
    if guard.told.added.any() or guard.told.gone:
        what = f"the table has changed since, and {model.name} cannot be judged on shared rows"
        raise EarlierReleaseError(known.numbers, what, fix)
    if not model.verdict(told, policy.quasi).holds:
        what = f"{model.name} does not hold for rows that are told apart by this part and them"
        raise EarlierReleaseError(known.numbers, what, fix)


def _shown(guard: Guard, problem: Problem, solution: Solution) -> Numbers:
    """The class of every tuple of the whole table in the new release; -1 where it is in none."""
    codes = [
        hierarchy.maps[level][codes]
        for hierarchy, level, codes in zip(
            problem.lattice.hierarchies, solution.node, problem.frequency.codes, strict=True
        )
    ]
    keys = problem.counter.packing.pack(codes, len(problem.frequency))
    owner = places(solution.groups.keys.T, keys.T)
    owner = np.where((solution.kept > 0)[owner], owner, -1)
    found = np.full(len(guard.inside), -1, dtype=np.int64)
    found[guard.inside] = owner[guard.places]
    return found


def _told(guard: Guard, policy: Policy, shown: Numbers, apart: Numbers) -> Classes | None:
    """The groups of rows that only several releases together tell apart; None if there are none."""
    frequency = guard.whole.frequency
    size = int(apart.max(initial=0)) + 1
    rows = add_up(apart, frequency.rows, size).astype(np.int64)
    piece_rows = guard.told.rows[guard.told.piece]
    class_rows = add_up(shown + 1, frequency.rows, int(shown.max(initial=-1)) + 2)[shown + 1]
    mine = rows[apart]
    new = np.where(shown >= 0, mine < class_rows, mine < piece_rows)
    new &= (shown >= 0) | guard.told.seen[guard.told.piece]
    if not new.any():
        return None
    wanted = np.zeros(size, dtype=np.bool_)
    wanted[apart[new]] = True
    histograms = {}
    for name, entries in frequency.sensitive.items():
        about = reference(policy, frequency, name)
        owner, value, amount = roll_up_values(
            entries.owner,
            entries.value,
            entries.count,
            apart.astype(np.int32),
            len(frequency.values[name]),
        )
        histograms[name] = Histogram(owner, value, amount, about)
    return Classes(rows, histograms).only(wanted)
