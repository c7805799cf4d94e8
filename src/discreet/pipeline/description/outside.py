"""The edition of a report for outside the house: what the release shows, and nothing besides.

Every field is named that may leave; one that is added later stays inside until it is named here. A
recipient has the release, so what is counted from it alone may be said. What is not is left out:
everything about before, how many rows were suppressed, what attacks exposed, notes, and the attack
with assumed counts of the private table, whose result tells of suppressed rows. Sizes and
counts below k are left out even where the release shows them, since a report may reach people whom
the release does not. Measures that depend on suppressed rows are said with two decimals, and only
if a step of the last one is worth k rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from discreet.models import DeltaPresence, KMap
from discreet.pipeline.description.facts import (
    Alternative,
    Bin,
    Classes,
    Column,
    Dependence,
    Facts,
    FreeText,
    LabelShare,
    NumberSummary,
    Promise,
    ReleasedFile,
    Risks,
    RiskValues,
    Search,
    Sources,
    Suppression,
    TriedAttack,
)
from discreet.pipeline.description.run import state_proof
from discreet.policy.about import note_validity
from discreet.policy.policy import Policy
from discreet.policy.policy_text import write_shown_policy

SHARES = ("precision", "loss", "granularity", "non_uniform_entropy")
"""Measures from 0 to 1. The others are sums over rows, and tell how many were suppressed."""
ABOUT = (
    *("title", "description", "purpose", "holder", "contact", "recipient", "environment"),
    *(
        "controls",
        "population",
        "period",
        "licence",
        "url",
        "reviewed_by",
        "valid_until",
        "threshold",
    ),
)
"""What the policy says about the release."""
STEP = 0.01
"""What the last decimal of a measure is worth."""
ROWS_OF_QUANTILES = 20
"""A column of numbers is summed up if it has this many times k rows: a quantile is a row's value.
"""
DIGITS = 3
"""Digits of means and quantiles."""


NO_COUNTS = (
    "This edition does not say what somebody gets who has exact counts of the private table: the "
    "answer depends on the rows that were left out."
)


def make_outside(facts: Facts, policy: Policy) -> Facts:
    """The same facts without what would tell a recipient more than the release does."""
    policy = policy.for_release(facts.rows_after)
    k = find_least_size(policy)
    rounded = facts.rows_after * STEP >= k or not policy.suppress
    return Facts(
        format=facts.format,
        edition="outside",
        version=facts.version,
        made=facts.made,
        sources=Sources(**facts.sources.model_dump(include=set(_SOURCES))),
        about={key: facts.about[key] for key in ABOUT if key in facts.about},
        files=[ReleasedFile(name=f.name, sha256=f.sha256, bytes=f.bytes) for f in facts.files],
        policy=write_outside_policy(policy),
        rows_before=None,
        rows_after=facts.rows_after,
        people=facts.people,
        holds=facts.holds,
        promises=[_show_promise(one) for one in facts.promises],
        search=None if facts.search is None else _show_search(facts.search, rounded),
        columns=[_show_column(one, k) for one in facts.columns],
        classes_before=None,
        classes_after=_show_classes(facts.classes_after, k),
        risks=Risks(
            threshold=facts.risks.threshold,
            threshold_reason=facts.risks.threshold_reason,
            before=None,
            after=_show_risk(facts.risks.after, k),
        ),
        suppression=Suppression(allowed=facts.suppression.allowed, rows=None, share=None),
        dependence=[
            Dependence(columns=one.columns, before=None, after=_round(one.after))
            for one in facts.dependence
        ],
        attacks=[_show_attack(one) for one in facts.attacks if not one.assumed],
        alternatives=[_show_alternative(one, rounded) for one in facts.alternatives],
        text=[FreeText(column=one.column, findings=None) for one in facts.text],
        notes=[*([over] if (over := note_validity(policy)) else []), NO_COUNTS],
        not_promised=list(facts.not_promised),
        reviews=list(facts.reviews),
    )


_SOURCES = ("original", "register_of_people", "ledger", "run")


def find_least_size(policy: Policy) -> int:
    """The size below which nothing is counted outside: the largest k promised, at least 2."""
    return max([2, *(int(model.least_rows) for model in policy.require)])


def write_outside_policy(policy: Policy) -> str:
    """The policy as recipients see it: registers by the name of their file, not by its path."""
    folder = policy.source.folder.absolute()
    models = tuple(_hide_register(model, folder) for model in policy.require)
    if models == policy.require:
        return write_shown_policy(policy)[1]
    return write_shown_policy(policy.replace(require=models))[1]


def _hide_register(model: Any, folder: Path) -> Any:
    if isinstance(model, KMap):
        return replace(model, register=folder / model.register.name)
    if isinstance(model, DeltaPresence):
        return replace(model, public=folder / model.public.name)
    return model


# The promises, and how the release was found.


def _show_promise(one: Promise) -> Promise:
    """A promise without its note, which may count rows of the private table."""
    whole = one.measured is not None and float(one.measured).is_integer()
    return Promise(
        model=one.model,
        title=one.title,
        sentence=one.sentence,
        limits=one.limits,
        holds=one.holds,
        measured=one.measured if whole else _round(one.measured),
        limit=one.limit,
        rows_at_risk=one.rows_at_risk,
        columns=list(one.columns),
    )


def _show_search(one: Search, rounded: bool) -> Search:
    measures = {name: round(one.measures[name], 2) for name in SHARES if name in one.measures}
    known = rounded and one.measure in SHARES
    gap = one.gap if known else None
    gap = None if gap is None else math.ceil(gap / STEP - 1e-9) * STEP
    return Search(
        algorithm=one.algorithm,
        measure=one.measure,
        value=_round(one.value) if known else None,
        proven=one.proven,
        bound=None,
        gap=gap,
        sentence=state_proof(one.measure, one.proven, gap),
        measures=measures if rounded else {},
    )


def _show_attack(one: TriedAttack) -> TriedAttack:
    return TriedAttack(
        attack=one.attack,
        title=one.title,
        criterion=one.criterion,
        applies=one.applies,
        decided=one.decided,
        succeeds=one.succeeds,
        breaks=one.breaks,
        rows_exposed=None,
        note="",
    )


def _show_alternative(one: Alternative, rounded: bool) -> Alternative:
    return Alternative(
        title=one.title,
        chosen=one.chosen,
        holds=one.holds,
        granularity=_round(one.granularity) if rounded else None,
        smallest_class=None,
        rows_suppressed=None,
        seconds=None,
    )


# The classes and their risk.


def _show_classes(one: Classes, k: int) -> Classes:
    """Classes by size, in bins from k on; smaller ones are not told apart from those."""
    small = one.smallest is not None and one.smallest < k
    return Classes(
        rows=one.rows,
        classes=one.classes,
        smallest=None if small else one.smallest,
        average=_round(one.average),
        unique_rows=None,
        bins=_join_small_bins(one.bins, k),
    )


def _join_small_bins(bins: Sequence[Bin], k: int) -> list[Bin]:
    """The bins, those that begin below k added to the first that does not end there."""
    below = [one for one in bins if one.most is not None and one.most < k]
    rest = list(bins[len(below) :])
    if not below or not rest:
        return rest or list(bins)
    joined = [*below, rest[0]]
    classes = [one.classes for one in joined if one.classes is not None]
    first = Bin(
        least=below[0].least if any(one.rows for one in below) else k,
        most=rest[0].most,
        rows=sum(one.rows for one in joined),
        classes=sum(classes) if len(classes) == len(joined) else None,
    )
    return [first, *rest[1:]]


def _show_risk(one: RiskValues, k: int) -> RiskValues:
    few = one.rows_above_threshold is not None and 0 < one.rows_above_threshold < k
    return RiskValues(
        prosecutor_highest=_round(one.prosecutor_highest),
        prosecutor_average=_round(one.prosecutor_average),
        journalist_highest=_round(one.journalist_highest),
        journalist_method=one.journalist_method,
        marketer=_round(one.marketer),
        rows_above_threshold=None if few else one.rows_above_threshold,
    )


# The columns.


def _show_column(one: Column, k: int) -> Column:
    shown = [name for level in one.hierarchy for name in level]
    return Column(
        name=one.name,
        role=one.role,
        released=one.released,
        released_as=one.released_as,
        technique=one.technique,
        level=one.level,
        height=one.height,
        distinct_after=one.distinct_after,
        suppressed_cells=_round(one.suppressed_cells),
        loss=_round(one.loss),
        granularity=_round(one.granularity),
        values=_show_labels(one.values, k),
        numbers_after=_show_numbers(one.numbers_after, k),
        hierarchy=[_show_labels(level, k) for level in one.hierarchy] if shown else [],
    )


def _show_labels(labels: Sequence[LabelShare], k: int) -> list[LabelShare]:
    """Labels with at least k rows in the release, the others together, which are at least k too."""
    there = [one for one in labels if one.after]
    kept = [one for one in there if one.label is not None and one.after >= k]
    rest = sum(one.after for one in there) - sum(one.after for one in kept)
    while 0 < rest < k and kept:
        smallest = min(kept, key=lambda one: one.after)
        kept.remove(smallest)
        rest += smallest.after
    shown = [LabelShare(label=one.label, after=one.after) for one in kept]
    return [*shown, LabelShare(label=None, after=rest)] if rest >= k else shown


def _show_numbers(one: NumberSummary | None, k: int) -> NumberSummary | None:
    if one is None or one.count < ROWS_OF_QUANTILES * k:
        return None
    return NumberSummary(
        count=one.count,
        mean=_shorten(one.mean),
        deviation=_shorten(one.deviation),
        quantiles={name: _shorten(value) for name, value in one.quantiles.items()},
        ranges=one.ranges,
    )


def _round(number: float | None) -> float | None:
    return None if number is None else round(number, 2)


def _shorten(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")
