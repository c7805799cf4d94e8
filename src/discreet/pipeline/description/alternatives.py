"""What else could have been released: other algorithms, and other class sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from discreet.errors import DiscreetError
from discreet.models.k_anonymity import KAnonymity
from discreet.pipeline.compare import Comparison, make_release
from discreet.pipeline.description.facts import Alternative, CostOfK
from discreet.pipeline.people.people import People
from discreet.pipeline.prepare import prepare
from discreet.pipeline.progress import Progress
from discreet.pipeline.rows import Rows
from discreet.pipeline.stages import Unit
from discreet.policy.policy import Policy

SIZES = (2, 3, 5, 10, 20, 50)
"""Class sizes whose cost is measured, next to that of the policy."""


def list_alternatives(compared: Comparison, chosen: str) -> list[Alternative]:
    """Each algorithm of a comparison as a report lists it; ``chosen`` is a title."""
    return [
        Alternative(
            title=one["title"],
            chosen=one["title"] == chosen,
            holds=one["holds"],
            granularity=one["measures"].get("granularity"),
            smallest_class=one["smallest_class"],
            rows_suppressed=one["rows_suppressed"],
            seconds=one["seconds"],
        )
        for one in compared.facts()["results"]
    ]


def measure_cost_of_k(
    table: Any, policy: Policy, progress: Progress | None = None, sizes: Sequence[int] = SIZES
) -> list[CostOfK]:
    """What each class size costs in the policy's measure, all else alike.

    Notes
    -----
    Nothing if the policy does not promise one k. *Cost*: one count, then one search for each size.
    """
    promised = [model for model in policy.require if isinstance(model, KAnonymity)]
    if len(promised) != 1 or promised[0].k is None:
        return []
    source = prepare(table, policy, progress=progress)
    unit: Unit = Rows() if policy.people is None else People.of(policy)
    counted = unit.count(source, progress)
    found = []
    for k in sorted({*sizes, promised[0].k}):
        models = [replace(m, k=k) if m is promised[0] else m for m in policy.require]
        value = None
        try:
            settled = unit.settle(policy.replace(require=models), counted)
            made = make_release(unit, source, settled, counted, progress)
            value = made.solution.measures.get(policy.measure.name) if made.holds else None
        except DiscreetError:
            value = None  # this size cannot be reached
        found.append(
            CostOfK(k=k, measure=policy.measure.name, value=value, chosen=k == promised[0].k)
        )
    return found
