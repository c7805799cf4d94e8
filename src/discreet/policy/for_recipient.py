"""From a policy with profiles to the plain policy for one recipient."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from discreet.errors import did_you_mean
from discreet.models import KAnonymity, RegisterModel
from discreet.policy.anonymity_level import KOfLevel
from discreet.policy.policy_file import Key
from discreet.policy.profiles import Profile, Recipient, list_assumptions
from discreet.table.table import Role

if TYPE_CHECKING:
    from discreet.policy.policy import ColumnPolicy, Policy


LEAST = 0.001
"""Below this likelihood a column weighs no more than at it."""

Names = tuple[str, ...]


def make_policy_for(policy: Policy, name: str) -> Policy:
    """The plain policy for a recipient: roles, weights and promises as the profile has them.

    Columns at 1 form the quasi-identifier, together with the sets that the profile lists. A column
    between 0 and 1 that is in none of them is a quasi-identifier by itself. Every promise without
    columns of its own holds for each of these. Columns at 0 are released as they are. The less
    likely a column is linked on, the more its detail counts in the measure.

    Notes
    -----
    [Sweeney2001]_, sec. 6.1 and 6.2. *Departures*: see
    ``docs/decisions/0026-what-a-recipient-profile-means.md``. *Cost*: none beyond the promises.
    """
    profile: Profile = policy.profiles[name]
    likelihoods = list_likelihoods(policy, profile)
    sets = list_quasi_identifiers(likelihoods, profile)
    if sets:
        changes = _change_for_sets(policy, likelihoods, sets)
    else:
        changes = {"require": (KAnonymity(1),), "anonymity": None}
        changes |= {"algorithm": "optimal", "suppress": 0.0}
    made = policy.replace(**changes, profiles={}, profile=None)
    audience, includes = profile.audience, profile.includes
    told = list_assumptions(policy, profile, likelihoods, sets)
    recipient = Recipient(name, profile.preset, likelihoods, sets, told, audience, includes)
    return made.remember_recipient(recipient)


def list_likelihoods(policy: Policy, profile: Profile) -> dict[str, float]:
    """The likelihood of every quasi column, and of others that the profile names."""
    return {
        name: profile.find_likelihood(name)
        for name, column in policy.columns.items()
        if column.role is Role.quasi or name in profile.likelihoods
    }


def list_quasi_identifiers(likelihoods: dict[str, float], profile: Profile) -> tuple[Names, ...]:
    """Every set of columns that the recipient may join, largest first where one holds another.

    A set within another is left out: what holds for the classes of the larger set holds for those
    of the smaller, which are unions of them.
    """
    certain = [name for name, number in likelihoods.items() if number == 1]
    alone = [[name] for name, number in likelihoods.items() if 0 < number < 1]
    listed = [[name for name in likelihoods if name in one] for one in profile.quasi_identifiers]
    found: list[Names] = []
    for one in map(tuple, filter(None, [certain, *listed, *alone])):
        if not any(set(one) <= set(other) for other in found):
            found = [other for other in found if not set(other) <= set(one)]
            found.append(one)
    return tuple(found)


def _change_for_sets(
    policy: Policy, likelihoods: dict[str, float], sets: Sequence[Names]
) -> dict[str, Any]:
    quasi = [name for name, number in likelihoods.items() if number > 0]
    return {
        "columns": {
            name: _change_column(column, likelihoods.get(name))
            for name, column in policy.columns.items()
        },
        "require": tuple(list_promises(policy, quasi, sets)),
        "prefer": tuple(name for name in policy.prefer if name in quasi),
    }


def _change_column(column: ColumnPolicy, likelihood: float | None) -> ColumnPolicy:
    """The column as this recipient gets it."""
    if likelihood is None or (likelihood == 0 and column.role is not Role.quasi):
        return column
    if likelihood == 0:
        return column.model_copy(update={"role": Role.other, "hierarchy": None, "weight": 1.0})
    weight = column.weight / max(likelihood, LEAST)
    return column.model_copy(update={"role": Role.quasi, "weight": weight})


def list_promises(policy: Policy, quasi: Sequence[str], sets: Sequence[Names]) -> list[Any]:
    """Every promise for each quasi-identifier, or for those of its own columns that are quasi.

    One that is not about classes, and so has no columns, is kept as it is. The k of an anonymity
    level is for each of them as well, where the policy says a k beside the level.
    """
    models: list[Any] = list(policy.require)
    if policy.anonymity is not None and not any(isinstance(one, KOfLevel) for one in models):
        models += [KOfLevel()] if len(sets[0]) < len(quasi) else []
    found: list[Any] = []
    for model in models:
        if all(part.name != "columns" for part in fields(model)):
            found.append(model)
            continue
        own = [tuple(name for name in quasi if name in (model.columns or ()))]
        for names in sets if model.columns is None else filter(None, own):
            everything = len(names) == len(quasi)
            promise = replace(model, columns=None if everything else names)
            if promise not in found:
                found.append(promise)
    return found


# Says where the profiles of a policy contradict its columns and promises.


Problems = Iterator[tuple[Key, str]]


def find_profile_problems(policy: Policy) -> Problems:
    """What contradicts the rest of the policy, with its key."""
    yield from _find_choice_problems(policy)
    for name, profile in policy.profiles.items():
        here: Key = ("profiles", name)
        found = [
            *_find_likelihood_problems(policy, profile, here),
            *_find_set_problems(policy, profile, here),
        ]
        yield from found
        if not found:
            yield from _find_promise_problems(policy, profile, here)


def _find_choice_problems(policy: Policy) -> Problems:
    name = policy.profile
    if name is None or name in policy.profiles:
        return
    if not policy.profiles:
        what = f"there is no profile '{name}': the policy has no profiles. Add 'profiles'"
        yield ("profile",), f"{what}, or leave it out."
    else:
        yield ("profile",), f"there is no profile '{name}'. {did_you_mean(name, policy.profiles)}"


def _find_likelihood_problems(policy: Policy, profile: Profile, here: Key) -> Problems:
    for name, number in profile.likelihoods.items():
        key = (*here, "likelihoods", name)
        if name not in policy.columns:
            yield key, f"the policy has no column '{name}'. {did_you_mean(name, policy.columns)}"
            continue
        role = policy.columns[name].role
        guards = [model.name for model in policy.require if model.sensitive == name]
        if role in (Role.identifier, Role.text):
            what = f"column '{name}' has role {role.value}; a profile is about columns that are"
            yield key, f"{what} released with their values. Remove it."
        elif number and guards:
            what = f"{guards[0]} guards column '{name}', which cannot be quasi as well"
            yield key, f"{what}. Set it to 0 or remove it, or take {guards[0]} out of 'require'."


def _find_set_problems(policy: Policy, profile: Profile, here: Key) -> Problems:
    likelihoods = list_likelihoods(policy, profile)
    for number, names in enumerate(profile.quasi_identifiers):
        key = (*here, "quasi_identifiers", number)
        for name in names:
            if name not in policy.columns:
                what = f"the policy has no column '{name}'"
                yield key, f"{what}. {did_you_mean(name, policy.columns)}"
            elif name not in likelihoods:
                role = policy.columns[name].role.value
                what = f"column '{name}' has role {role} and no likelihood in this profile"
                yield key, f"{what}. Give it one above 0, or take it out."
            elif not likelihoods[name]:
                what = f"column '{name}' has likelihood 0, so nobody would link on this set"
                yield key, f"{what}. Give it one above 0, or take it out."


def _find_promise_problems(policy: Policy, profile: Profile, here: Key) -> Problems:
    likelihoods = list_likelihoods(policy, profile)
    sets = list_quasi_identifiers(likelihoods, profile)
    quasi = [name for name, number in likelihoods.items() if number]
    if sets and not list_promises(policy, quasi, sets):
        what = (
            "nothing in 'require' applies: it is about columns on which this recipient never links"
        )
        yield here, f"{what}. Add a promise without columns of its own, such as k_anonymity."
    for model in policy.require:
        if isinstance(model, RegisterModel) and sets and len(sets[0]) != len(quasi):
            what = f"{model.name} is joined on all quasi columns together, and here they are apart"
            yield here, f"{what}. Give each column 1 or 0, or take {model.name} out of 'require'."
