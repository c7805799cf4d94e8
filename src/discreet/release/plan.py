"""From a policy and a counted table to the problem that an algorithm solves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from discreet.algorithms.problem import Problem
from discreet.errors import NoOrderError, SensitiveHierarchyError
from discreet.frequency.classes import Reference
from discreet.frequency.frequency_list import FrequencyList
from discreet.hierarchy import Flat, Hierarchy
from discreet.hierarchy.lattice import Node
from discreet.models import Model, TCloseness
from discreet.release.policy import Policy


def looked_at(policy: Policy) -> tuple[str, ...]:
    """The sensitive columns that some promise is about, in the order of the policy."""
    wanted = {model.sensitive for model in policy.require}
    return tuple(name for name in policy.sensitive if name in wanted)


def problem_for(
    policy: Policy,
    frequency: FrequencyList,
    more: Sequence[Model] = (),
    floor: Node | None = None,
) -> Problem:
    """Build hierarchies and reference distributions, and put the problem together.

    Earlier releases may ask for ``more`` promises, and for levels of at least ``floor``. The
    highest anonymity level leaves no level but the top.
    """
    columns = policy.columns
    hierarchies = [hierarchy_of(policy, name, frequency.values[name]) for name in frequency.columns]
    if policy.anonymity is not None and policy.anonymity.most_general:
        floor = tuple(hierarchy.height for hierarchy in hierarchies)
    return Problem(
        frequency,
        hierarchies,
        (*policy.require, *more),
        policy.measure,
        policy.suppress,
        [columns[name].weight for name in frequency.columns],
        {name: reference(policy, frequency, name) for name in frequency.sensitive},
        policy.prefer,
        policy.missing == "wildcard",
        floor,
    )


def hierarchy_of(policy: Policy, column: str, values: Sequence[str | None]) -> Hierarchy:
    """The hierarchy of a column over the values found; without one in the policy, value then *."""
    builder = policy.columns[column].hierarchy or Flat()
    built: Hierarchy = builder.build(column, values)
    return built


def reference(policy: Policy, frequency: FrequencyList, column: str) -> Reference:
    """How a sensitive column is distributed over the whole table, before any suppression."""
    values = frequency.values[column]
    entries = frequency.sensitive[column]
    counts = np.bincount(entries.value, weights=entries.count, minlength=len(values))
    about = [m for m in policy.require if isinstance(m, TCloseness) and m.column == column]
    ranks = {m.order: _rank(m, values) for m in about if m.distance == "ordered"}
    levels: tuple[npt.NDArray[np.int32], ...] = ()
    if any(m.distance == "hierarchical" for m in about):
        if policy.columns[column].hierarchy is None:
            raise SensitiveHierarchyError(column)
        levels = hierarchy_of(policy, column, values).maps
    return Reference(column, counts.astype(np.int64), ranks, levels)


def _rank(model: TCloseness, values: Sequence[str | None]) -> npt.NDArray[np.int64]:
    """The place of each value from low to high; a missing value stands last."""
    if model.order is not None:
        place = {value: i for i, value in enumerate(model.order)}
        unlisted = sum(value is not None and value not in place for value in values)
        if unlisted:
            raise NoOrderError(model.column, unlisted, listed=True)
        keys = [float(len(place) if v is None else place[v]) for v in values]
    else:
        keys = [math.inf if v is None else _number(v) for v in values]
        unordered = sum(math.isnan(key) for key in keys)
        if unordered:
            raise NoOrderError(model.column, unordered, listed=False)
    order = sorted(range(len(values)), key=lambda code: (keys[code], values[code] or ""))
    rank = np.empty(len(values), dtype=np.int64)
    rank[order] = np.arange(len(values))
    return rank


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan
