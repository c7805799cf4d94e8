"""Says what is wrong with the profiles of a policy, beside its columns and promises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from discreet.errors import did_you_mean
from discreet.models import RegisterModel
from discreet.policy.for_recipient import list_likelihoods, list_promises, list_quasi_identifiers
from discreet.policy.policy_file import Key
from discreet.policy.profiles import Profile
from discreet.table.table import Role

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


Problems = Iterator[tuple[Key, str]]


def find_profile_problems(policy: Policy) -> Problems:
    """What contradicts the rest of the policy, at the key where it stands."""
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
            "of 'require' nothing is left: it is about columns on which this recipient never links"
        )
        yield here, f"{what}. Add a promise without columns of its own, such as k_anonymity."
    for model in policy.require:
        if isinstance(model, RegisterModel) and sets and len(sets[0]) != len(quasi):
            what = f"{model.name} is joined on all quasi columns together, and here they are not"
            yield here, f"{what}. Give each column 1 or 0, or take {model.name} out of 'require'."
