"""What else could have been released: other algorithms, and other class sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from discreet.display import dataclass
from discreet.errors import DiscreetError
from discreet.models.k_anonymity import KAnonymity
from discreet.pipeline.anonymize import Release
from discreet.pipeline.compare import Comparison, make_release
from discreet.pipeline.description.facts import Alternative, CostOfK
from discreet.pipeline.people.people import People
from discreet.pipeline.prepare import Prepared, prepare
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
    for one in release_each_k(unit, source, policy, counted, sizes, progress):
        value = None
        if one.release is not None and one.release.holds:
            value = one.release.solution.measures.get(policy.measure.name)
        found.append(CostOfK(k=one.k, measure=policy.measure.name, value=value, chosen=one.chosen))
    return found


@dataclass(frozen=True, eq=False)
class ReleaseForK:
    """The release that a class size leads to; without one, ``refused`` says why."""

    k: int
    chosen: bool
    release: Release | None
    refused: str | None


def release_each_k(
    unit: Unit,
    source: Prepared,
    policy: Policy,
    counted: Any,
    sizes: Sequence[int],
    progress: Progress | None = None,
) -> Iterator[ReleaseForK]:
    """A release for each class size and for that of the policy, which promises one, all else alike.

    Nothing is counted anew.
    """
    own = next(model for model in policy.require if isinstance(model, KAnonymity))
    for k in sorted({*sizes, own.k}):
        models = [replace(m, k=k) if m is own else m for m in policy.require]
        release, refused = None, None
        try:
            settled = unit.settle(policy.replace(require=models), counted)
            release = make_release(unit, source, settled, counted, progress)
        except DiscreetError as error:
            refused = str(error)
        yield ReleaseForK(k, k == own.k, release, refused)
