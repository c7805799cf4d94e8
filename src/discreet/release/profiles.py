"""What a policy says of each recipient: how likely they link on which column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from pathlib import Path
from typing import Any

from discreet.display import dataclass
from discreet.errors import did_you_mean
from discreet.release.parts import meant_percent, mistake, shown, unquoted
from discreet.release.policy_file import Key
from discreet.release.presets import PRESETS


@dataclass(frozen=True)
class Profile:
    """How likely a recipient links on each column, from 0 (never) to 1 (for certain).

    Parameters
    ----------
    likelihoods
        The likelihood of each column that is not at the preset's.
    preset
        ``public use``, ``researcher`` or ``caretaker``: what columns have that are not named. 1
        without a preset.
    quasi_identifiers
        Sets of columns that the recipient joins, beside the set of all columns at 1.
    audience
        Whom the ledger has as the recipient of these releases.
    includes
        Audiences that are part of it.

    Notes
    -----
    [Sweeney2001]_, sec. 6.1, "profile". *Departures*: see
    ``docs/decisions/0026-what-a-recipient-profile-means.md``. *Cost*: none.

    >>> Profile({"zip": 0.2}, preset="researcher").likelihood("birth")
    0.5
    """

    likelihoods: Mapping[str, float] = field(default_factory=dict)
    preset: str | None = None
    quasi_identifiers: tuple[tuple[str, ...], ...] = ()
    audience: str | None = None
    includes: tuple[str, ...] = ()

    def likelihood(self, column: str) -> float:
        """How likely the recipient links on a quasi column of the policy."""
        usual = 1.0 if self.preset is None else PRESETS[self.preset].likelihood
        return self.likelihoods.get(column, usual)

    def spec(self, folder: Path | None = None) -> dict[str, Any]:
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


def profiles(value: Any) -> dict[str, Profile]:
    """The profiles of a policy, by the name of the recipient."""
    if not isinstance(value, Mapping):
        what = f"needs recipients by name, there is {shown(value)}."
        raise mistake(f"{what} Write profiles: {{registry: {{likelihoods: {{zip: 1}}}}}}.")
    found = {}
    for name, said in value.items():
        here: Key = (str(name),)
        _text(name, here, "a recipient")
        found[name] = _profile(_given(said, here), here)
    return found


def _given(said: Any, here: Key) -> Mapping[str, Any]:
    """The keys of one profile, all of them known."""
    if isinstance(said, Profile):
        return {part: getattr(said, part) for part in KEYS}
    if not isinstance(said, Mapping):
        what = f"needs a preset or likelihoods, there is {shown(said)}."
        raise mistake(f"{what} Write {{preset: researcher}} or {{likelihoods: {{zip: 1}}}}.", here)
    for key in said:
        if key not in KEYS:
            raise mistake(f"is not a key of a profile. {did_you_mean(key, KEYS)}", (*here, key))
    return said


def _profile(said: Mapping[str, Any], here: Key) -> Profile:
    found = Profile(
        _likelihoods(said.get("likelihoods"), (*here, "likelihoods")),
        _preset(said.get("preset"), (*here, "preset")),
        _sets(said.get("quasi_identifiers"), (*here, "quasi_identifiers")),
        said.get("audience"),
        _names(said.get("includes"), (*here, "includes"), "an audience"),
    )
    if found.audience is not None:
        _text(found.audience, (*here, "audience"), "an audience")
    elif found.includes:
        what = "says who is part of an audience, but none is named. Add 'audience'"
        raise mistake(f"{what}, or remove it.", (*here, "includes"))
    return found


def _preset(value: Any, here: Key) -> str | None:
    if value is None or (isinstance(value, str) and value in PRESETS):
        return value
    told = f"'{value}' is not a preset" if isinstance(value, str) else f"there is {shown(value)}"
    raise mistake(f"{told}. {did_you_mean(value, PRESETS)}", here)


def _likelihoods(value: Any, here: Key) -> dict[str, float]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        what = f"needs a likelihood for each column, there is {shown(value)}."
        raise mistake(f"{what} Write {{zip: 1, birth: 0.5}}.", here)
    return {str(name): _likelihood(number, (*here, str(name))) for name, number in value.items()}


def _likelihood(value: Any, here: Key) -> float:
    wanted = "is a likelihood from 0 (never links on it) to 1 (for certain); there is"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise mistake(f"{wanted} {shown(value)}.{unquoted(value)}", here)
    if 0 <= value <= 1:
        return float(value)
    raise mistake(f"{wanted} {shown(value)}.{meant_percent(value)}", here)


def _sets(value: Any, here: Key) -> tuple[tuple[str, ...], ...]:
    if value is None:
        return ()
    flat = isinstance(value, list | tuple) and value and all(isinstance(v, str) for v in value)
    if flat or not isinstance(value, list | tuple):
        there = "one list" if flat else shown(value)
        what = f"needs a list of quasi-identifiers, there is {there}."
        raise mistake(f"{what} Write [[birth, sex], [zip, sex]], or [[birth, sex]] for one.", here)
    found = []
    for number, names in enumerate(value):
        one = _names(names, (*here, number), "a column")
        if not one:
            raise mistake("is empty. Name its columns, or remove it.", (*here, number))
        found.append(one)
    return tuple(found)


def _names(value: Any, here: Key, what: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise mistake(f"needs a list of names, there is {shown(value)}. Write [a, b].", here)
    for name in value:
        _text(name, here, what)
    if len(set(value)) != len(value):
        raise mistake("names something twice. Remove one.", here)
    return tuple(value)


def _text(value: Any, here: Key, what: str) -> None:
    if not isinstance(value, str):
        raise mistake(f"needs the name of {what}, there is {shown(value)}. Use quotes.", here)
    if what != "a column" and (not value.strip() or not value.isprintable()):
        raise mistake(f"the name of {what} is empty or has characters that do not show.", here)
