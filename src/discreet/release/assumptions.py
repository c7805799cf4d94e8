"""What a release to a recipient assumes of them, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from discreet.release.presets import PRESETS
from discreet.release.profiles import Profile
from discreet.table.role import Role

if TYPE_CHECKING:
    from discreet.release.policy import Policy

NOTHING = "NOTHING IS PROTECTED: no column has to be made coarser, and nothing is promised."


def assumptions(
    policy: Policy,
    profile: Profile,
    likelihoods: Mapping[str, float],
    sets: Sequence[tuple[str, ...]],
) -> tuple[str, ...]:
    """What the preset rests on, and what this profile says of each column."""
    preset = () if profile.preset is None else PRESETS[profile.preset].assumes
    return (*preset, *_columns(policy, likelihoods, sets), *_dropped(policy, likelihoods))


def _columns(
    policy: Policy, likelihoods: Mapping[str, float], sets: Sequence[tuple[str, ...]]
) -> Iterator[str]:
    if not sets:
        yield NOTHING
        return
    for names in sets:
        if len(names) > 1:
            yield f"The recipient may link on {listed(names)} together."
    alone = [f"{names[0]} ({likelihoods[names[0]]:g})" for names in sets if len(names) == 1]
    if alone:
        joined = " or ".join(alone)
        yield f"The recipient may link on {joined} alone, not together with another column."
    guarded = {model.sensitive for model in policy.require}
    never = [name for name, number in likelihoods.items() if not number and name not in guarded]
    changed = {name: what for name in never if (what := _changes(policy, name))}
    found = [name for name in never if name not in changed]
    if found:
        yield f"The recipient does not link on {listed(found)}: released as found, unprotected."
    for name, what in changed.items():
        yield f"The recipient does not link on {name}: released {what}, not protected further."
    turned = [
        name
        for name, number in likelihoods.items()
        if number and policy.columns[name].role is not Role.quasi
    ]
    if turned:
        yield f"To this recipient {listed(turned)} is quasi, and made coarser where needed."


def _changes(policy: Policy, name: str) -> str:
    """What techniques do to a column, in words."""
    from discreet.release.technique_parts import steps

    return ", ".join(step.technique.done for step in steps(policy) if name in step.columns)


def _dropped(policy: Policy, likelihoods: Mapping[str, float]) -> Iterator[str]:
    """Promises that name columns on which this recipient does not link."""
    for model in policy.require:
        lost = [name for name in model.columns or () if not likelihoods.get(name)]
        if lost and any(likelihoods.values()):
            yield f"What {model.name} promises on {listed(lost)} is not promised to this recipient."


def listed(names: Sequence[str]) -> str:
    """Names as a sentence has them."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
