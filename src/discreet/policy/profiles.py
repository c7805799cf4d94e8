"""What a policy says of each recipient: how likely they link on which column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.display import dataclass
from discreet.errors import did_you_mean
from discreet.number_range import SHARE
from discreet.policy.messages import describe_value, hint_percent, hint_unquoted, make_mistake
from discreet.policy.policy_file import Key
from discreet.table.table import Role

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


# Recipients that many data holders have, and what giving them data assumes.


@dataclass(frozen=True)
class Preset:
    """How likely a kind of recipient links on any one column, and what that rests on."""

    likelihood: float
    assumes: tuple[str, ...]


PRESETS: dict[str, Preset] = {
    "public use": Preset(
        1.0,
        (
            "Anyone may get this release and combine it with any other data; nobody is bound by a "
            "contract.",
            "An intruder may know a person's values in all of these columns.",
        ),
    ),
    "researcher": Preset(
        0.5,
        (
            "The recipient is bound by contract not to link people to other data, and not to pass "
            "the release on.",
            "Columns are protected as listed below, not all together: a recipient who breaks the "
            "contract and links on more of them may identify people.",
        ),
    ),
    "caretaker": Preset(
        0.0,
        (
            "The recipient may see the data unchanged: the people in it have agreed, or the law "
            "allows it.",
            "The recipient does not pass the release on.",
        ),
    ),
}
"""The recipients of [Sweeney2001]_, sec. 6.1: the public, researchers bound by contract, and those
who care for the people in the table."""


@dataclass(frozen=True)
class Profile:
    """How likely a recipient links on each column, from 0 (never) to 1 (for certain).

    Parameters
    ----------
    likelihoods
        The likelihood of each column where it is not that of the preset.
    preset
        The likelihood of columns that are not named: ``public use`` (1, also without a preset),
        ``researcher`` (0.5) or ``caretaker`` (0).
    quasi_identifiers
        Sets of columns that the recipient may join, apart from the columns at 1.
    audience
        Whom the ledger has as the recipient of these releases.
    includes
        Audiences that are part of it.

    Notes
    -----
    [Sweeney2001]_, sec. 6.1, "profile". *Departures*: see
    ``docs/decisions/0026-what-a-recipient-profile-means.md``. *Cost*: none.

    >>> Profile({"zip": 0.2}, preset="researcher").find_likelihood("birth")
    0.5
    """

    likelihoods: Mapping[str, float] = field(default_factory=dict)
    preset: str | None = None
    quasi_identifiers: tuple[tuple[str, ...], ...] = ()
    audience: str | None = None
    includes: tuple[str, ...] = ()

    def find_likelihood(self, column: str) -> float:
        """How likely the recipient links on a quasi column of the policy."""
        usual = 1.0 if self.preset is None else PRESETS[self.preset].likelihood
        return self.likelihoods.get(column, usual)

    def write_spec(self, folder: Path | None = None) -> dict[str, Any]:
        """The profile as a policy file has it."""
        said: dict[str, Any] = {
            "preset": self.preset,
            "likelihoods": dict(self.likelihoods),
            "quasi_identifiers": [list(names) for names in self.quasi_identifiers],
            "audience": self.audience,
            "includes": list(self.includes),
        }
        return {key: value for key, value in said.items() if value}


KEYS = tuple(part.name for part in fields(Profile))


def parse_profiles(value: Any) -> dict[str, Profile]:
    """The profiles of a policy, by the name of the recipient."""
    if not isinstance(value, Mapping):
        what = f"needs recipients by name, there is {describe_value(value)}."
        raise make_mistake(f"{what} Write profiles: {{registry: {{likelihoods: {{zip: 1}}}}}}.")
    found = {}
    for name, said in value.items():
        here: Key = (str(name),)
        _check_text(name, here, "a recipient")
        found[name] = _make_profile(_read_keys(said, here), here)
    return found


def _read_keys(said: Any, here: Key) -> Mapping[str, Any]:
    """The keys of one profile, all of them known."""
    if isinstance(said, Profile):
        return {part: getattr(said, part) for part in KEYS}
    if not isinstance(said, Mapping):
        what = f"needs a preset or likelihoods, there is {describe_value(said)}."
        raise make_mistake(
            f"{what} Write {{preset: researcher}} or {{likelihoods: {{zip: 1}}}}.", here
        )
    for key in said:
        if key not in KEYS:
            raise make_mistake(
                f"is not a key of a profile. {did_you_mean(key, KEYS)}", (*here, key)
            )
    return said


def _make_profile(said: Mapping[str, Any], here: Key) -> Profile:
    found = Profile(
        _parse_likelihoods(said.get("likelihoods"), (*here, "likelihoods")),
        _parse_preset(said.get("preset"), (*here, "preset")),
        _parse_sets(said.get("quasi_identifiers"), (*here, "quasi_identifiers")),
        said.get("audience"),
        _parse_names(said.get("includes"), (*here, "includes"), "an audience"),
    )
    if found.audience is not None:
        _check_text(found.audience, (*here, "audience"), "an audience")
    elif found.includes:
        what = "says who is part of an audience, but no audience is named. Add 'audience'"
        raise make_mistake(f"{what}, or remove it.", (*here, "includes"))
    return found


def _parse_preset(value: Any, here: Key) -> str | None:
    if value is None or (isinstance(value, str) and value in PRESETS):
        return value
    told = (
        f"'{value}' is not a preset"
        if isinstance(value, str)
        else f"there is {describe_value(value)}"
    )
    raise make_mistake(f"{told}. {did_you_mean(value, PRESETS)}", here)


def _parse_likelihoods(value: Any, here: Key) -> dict[str, float]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        what = f"needs a likelihood for each column, there is {describe_value(value)}."
        raise make_mistake(f"{what} Write {{zip: 1, birth: 0.5}}.", here)
    return {
        str(name): _parse_likelihood(number, (*here, str(name))) for name, number in value.items()
    }


def _parse_likelihood(value: Any, here: Key) -> float:
    wanted = "is a likelihood from 0 (never links on it) to 1 (for certain); there is"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise make_mistake(f"{wanted} {describe_value(value)}.{hint_unquoted(value)}", here)
    if SHARE.contains(value):
        return float(value)
    raise make_mistake(f"{wanted} {describe_value(value)}.{hint_percent(value)}", here)


def _parse_sets(value: Any, here: Key) -> tuple[tuple[str, ...], ...]:
    if value is None:
        return ()
    flat = isinstance(value, list | tuple) and value and all(isinstance(v, str) for v in value)
    if flat or not isinstance(value, list | tuple):
        there = "one list" if flat else describe_value(value)
        what = f"needs a list of quasi-identifiers, there is {there}."
        raise make_mistake(
            f"{what} Write [[birth, sex], [zip, sex]], or [[birth, sex]] for one.", here
        )
    found = []
    for number, names in enumerate(value):
        one = _parse_names(names, (*here, number), "a column")
        if not one:
            raise make_mistake("is empty. Name its columns, or remove it.", (*here, number))
        found.append(one)
    return tuple(found)


def _parse_names(value: Any, here: Key, what: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise make_mistake(
            f"needs a list of names, there is {describe_value(value)}. Write [a, b].", here
        )
    for name in value:
        _check_text(name, here, what)
    if len(set(value)) != len(value):
        raise make_mistake("names something twice. Remove one.", here)
    return tuple(value)


def _check_text(value: Any, here: Key, what: str) -> None:
    if not isinstance(value, str):
        raise make_mistake(
            f"needs the name of {what}, there is {describe_value(value)}. Use quotes.", here
        )
    if what != "a column" and (not value.strip() or not value.isprintable()):
        raise make_mistake(
            f"the name of {what} is empty or has characters that cannot be seen.", here
        )


# Whom a policy was made for, and what was assumed of them.


@dataclass(frozen=True)
class Recipient:
    """The recipient that a policy was made for; without a name, nobody in particular.

    Two policies that say the same are equal whomever they were made for: no field is compared.
    """

    name: str | None = field(default=None, compare=False)
    preset: str | None = field(default=None, compare=False)
    likelihoods: Mapping[str, float] = field(default_factory=dict, compare=False)
    quasi_identifiers: tuple[tuple[str, ...], ...] = field(default=(), compare=False)
    assumes: tuple[str, ...] = field(default=(), compare=False)
    audience: str | None = field(default=None, compare=False)
    includes: tuple[str, ...] = field(default=(), compare=False)

    def facts(self) -> dict[str, Any] | None:
        """What was assumed, as plain data; None if nobody was named."""
        if self.name is None:
            return None
        return {
            "name": self.name,
            "preset": self.preset,
            "likelihoods": dict(self.likelihoods),
            "quasi_identifiers": [list(names) for names in self.quasi_identifiers],
            "assumes": list(self.assumes),
            "audience": self.audience,
            "includes": list(self.includes),
        }


# What a release to a recipient assumes of them, in sentences.


NOTHING = "NOTHING IS PROTECTED: no column needs to be generalized, and nothing is promised."


def list_assumptions(
    policy: Policy,
    profile: Profile,
    likelihoods: Mapping[str, float],
    sets: Sequence[tuple[str, ...]],
) -> tuple[str, ...]:
    """What the preset rests on, and what this profile says of each column."""
    preset = () if profile.preset is None else PRESETS[profile.preset].assumes
    return (
        *preset,
        *_describe_columns(policy, likelihoods, sets),
        *_describe_dropped(policy, likelihoods),
    )


def _describe_columns(
    policy: Policy, likelihoods: Mapping[str, float], sets: Sequence[tuple[str, ...]]
) -> Iterator[str]:
    if not sets:
        yield NOTHING
        return
    for names in sets:
        if len(names) > 1:
            yield f"The recipient may link on {list_names(names)} together."
    alone = [f"{names[0]} ({likelihoods[names[0]]:g})" for names in sets if len(names) == 1]
    if alone:
        joined = " or ".join(alone)
        yield f"The recipient may link on {joined} alone, not together with another column."
    guarded = {model.sensitive for model in policy.require}
    never = [name for name, number in likelihoods.items() if not number and name not in guarded]
    changed = {name: what for name in never if (what := _describe_changes(policy, name))}
    found = [name for name in never if name not in changed]
    if found:
        yield f"The recipient does not link on {list_names(found)}: released as found, unprotected."
    for name, what in changed.items():
        yield f"The recipient does not link on {name}: released {what}, not protected further."
    turned = [
        name
        for name, number in likelihoods.items()
        if number and policy.columns[name].role is not Role.quasi
    ]
    if turned:
        are = "is" if len(turned) == 1 else "are"
        listed = list_names(turned)
        yield f"For this recipient {listed} {are} quasi and {are} generalized if necessary."


def _describe_changes(policy: Policy, name: str) -> str:
    """What techniques do to a column, in words."""
    from discreet.policy.techniques import list_steps

    return ", ".join(step.technique.done for step in list_steps(policy) if name in step.columns)


def _describe_dropped(policy: Policy, likelihoods: Mapping[str, float]) -> Iterator[str]:
    """Promises that name columns on which this recipient does not link."""
    for model in policy.require:
        lost = [name for name in model.columns or () if not likelihoods.get(name)]
        if lost and any(likelihoods.values()):
            names = list_names(lost)
            yield f"What {model.name} promises on {names} is not promised to this recipient."


def list_names(names: Sequence[str]) -> str:
    """Names as a sentence has them."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
