"""What the data holder should know of the techniques of a policy, before any row is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from discreet.release.technique_parts import Step, steps
from discreet.techniques import (
    BottomCode,
    Microaggregate,
    Noise,
    OutliersToMedian,
    Perturb,
    Pram,
    RankSwap,
    RoundValues,
    SampleRows,
    Scramble,
    Shuffle,
    Swap,
    TopCode,
)

if TYPE_CHECKING:
    from discreet.release.policy import Policy

COARSE = (TopCode, BottomCode, RoundValues, Microaggregate, OutliersToMedian)
SPREAD = (Noise, Perturb)
MOVED = (Shuffle, Swap, RankSwap, Pram)


def technique_notes(policy: Policy, found: Sequence[Step]) -> Iterator[str]:
    """Sentences without a value of the table."""
    yield from _counted(policy, found)
    yield from _measured(policy, found)
    yield from _untrue(found)
    for number, step in enumerate(found):
        yield from _undone(step, found[:number])
    if policy.order == "scramble" and any(isinstance(one.technique, Scramble) for one in found):
        yield "scramble changes nothing: a release has its rows in random order (order: scramble)."
    chance = _names([one for one in found if one.technique.by_chance])
    if chance and policy.seed is not None:
        yield f"who knows the seed can undo part of {chance}: keep it as secret as the table."


def drawn_again(policy: Policy) -> tuple[str, ...]:
    """What to say where the recipient holds an earlier release of the table."""
    chance = [one for one in steps(policy) if one.columns and one.technique.by_chance]
    if not chance:
        return ()
    columns = ", ".join(dict.fromkeys(name for step in chance for name in step.columns))
    return (
        f"{_names(chance)} on {columns} is drawn anew, unless table and seed are those of the "
        "earlier release: who holds both can average, and learns more than from one.",
    )


def _counted(policy: Policy, found: Sequence[Step]) -> Iterator[str]:
    if any(isinstance(one.technique, SampleRows) for one in found):
        yield "promises are counted on the rows of the sample."
        if policy.people is not None:
            yield "sample_rows draws rows, not people: of some people a part of the rows is left."
    for name in policy.quasi:
        about = [one for one in found if name in one.columns]
        if about:
            yield (
                f"rows alike are counted on '{name}' as {_names(about)} left it, not on the values "
                "of the private table."
            )


def _measured(policy: Policy, found: Sequence[Step]) -> Iterator[str]:
    for model in policy.require:
        if model.sensitive is None:
            continue
        moved = {model.sensitive, *policy.quasi}
        about = [
            one
            for one in found
            if model.sensitive in one.columns
            or one.technique.turn == "rows"
            or (not one.technique.truthful and moved & set(one.columns))
        ]
        if about:
            yield (
                f"{model.name} is measured on '{model.sensitive}' as {_names(about)} left it, in "
                "the classes and in the whole table."
            )


def _untrue(found: Sequence[Step]) -> Iterator[str]:
    untrue = [one for one in found if not one.technique.truthful]
    columns = dict.fromkeys(name for one in untrue for name in one.columns)
    if columns:
        yield (
            f"released values of {', '.join(columns)} may not be those of their people "
            f"({_names(untrue)}): tell the recipient."
        )


def _undone(step: Step, before: Sequence[Step]) -> Iterator[str]:
    """Two techniques on one column, of which one undoes the other, or part of it."""
    technique = step.technique
    for earlier in before:
        shared = [name for name in step.columns if name in earlier.columns]
        if not shared:
            continue
        both = f"{technique.name} after {earlier.technique.name} on {', '.join(shared)}"
        if isinstance(technique, SPREAD) and isinstance(earlier.technique, COARSE):
            yield f"{both} makes of equal numbers different ones again, also beyond a limit."
        elif isinstance(technique, MOVED) and isinstance(earlier.technique, SPREAD):
            yield f"{both} gives the changed numbers to other rows: one of the two is enough."
        elif type(technique) is type(earlier.technique):
            yield f"{both}: the second can undo part of the first."


def _names(found: Sequence[Step]) -> str:
    return ", ".join(dict.fromkeys(one.technique.name for one in found))
