"""Rubbish under every key of a policy gets a message that names the key, or a release.

The keys are those that the product itself lists: the fields of the classes of models, measures,
algorithms, techniques, profiles and scrubbing, and the fields of the policy. A new one is walked
without a change here; a class that cannot be made without parameters needs an entry in `NEEDED`.
"""

from __future__ import annotations

import copy
import datetime as dt
import math
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet import algorithms, measures, models, techniques
from discreet.errors import DiscreetError, InternalError, PolicyError
from discreet.hierarchy.cuts import Cuts
from discreet.hierarchy.dates import Dates
from discreet.hierarchy.intervals import Intervals
from discreet.hierarchy.prefix import Prefix
from discreet.hierarchy.spec import KINDS
from discreet.policy import replacement
from discreet.policy.people import KEYS as PEOPLE_KEYS
from discreet.policy.policy import ColumnPolicy, Policy
from discreet.policy.profiles import KEYS as PROFILE_KEYS
from discreet.policy.text_columns import TextScrub

RUBBISH: dict[str, Any] = {
    "inf": math.inf,
    "-inf": -math.inf,
    "nan": math.nan,
    "1e308": 1e308,
    "1e-320": 1e-320,
    "10**400": 10**400,
    "-10**400": -(10**400),
    "-1": -1,
    "0": 0,
    "0.5": 0.5,
    "2**63": 2**63,
    "true": True,
    "'5'": "5",
    "''": "",
    "null": None,
    "list": [1, 2],
    "list of inf": [math.inf],
    "list of huge": [10**400],
    "empty list": [],
    "nested list": [[1], {}],
    "map": {"a": 1},
    "map of inf": {"age": math.inf},
    "map of huge": {"age": [10**400, -math.inf]},
    "empty map": {},
    "date": dt.date(2001, 2, 3),
}

HEAD = "who,age,zip,birth,pay,job,note,ill"
ROWS = [
    f"p{n % 8},{20 + n % 5},0213{n % 3},19{60 + n % 9}-0{1 + n % 9}-11,{100 + 7 * n},"
    f"{('nurse', 'cook')[n % 2]},call {n},{('flu', 'gout', 'cold')[n % 3]}"
    for n in range(24)
]

# What a class needs beside the parameter that is walked.
NEEDED: dict[str, dict[str, Any]] = {
    "k_anonymity": {"k": 2},
    "l_diversity": {"column": "ill", "ell": 2, "kind": "recursive", "c": 3},
    "t_closeness": {"column": "ill", "t": 0.9},
    "delta_disclosure": {"column": "ill", "delta": 3},
    "beta_likeness": {"column": "ill", "beta": 3},
    "largest_risk": {"max": 0.5},
    "average_risk": {"max": 0.5},
    "sample_uniques": {"max": 0.5},
    "safe_harbor": {"as_of": "2026-11-16"},
    "k_map": {"k": 2, "register": "register.csv"},
    "delta_presence": {"public": "register.csv", "min": 0, "max": 0.9},
    "probabilistic": {"k": 2, "population": 1000},
    "suppress_values": {"columns": ["job"]},
    "substitute": {"columns": ["job"], "categories": {"nurse": "a", "cook": "b"}},
    "swap": {"columns": ["job"]},
    "rank_swap": {"columns": ["pay"]},
    "shuffle": {"columns": ["job"]},
    "pram": {"columns": ["job"], "share": 0.2},
    "noise": {"columns": ["pay"]},
    "perturb": {"columns": ["pay"]},
    "round_values": {"columns": ["pay"], "base": 5},
    "top_code": {"columns": ["pay"], "quantile": 0.9},
    "bottom_code": {"columns": ["pay"], "quantile": 0.1},
    "zip3": {"columns": ["zip"]},
    "year": {"columns": ["birth"], "as_of": "2026-11-16"},
    "outliers_to_median": {"columns": ["pay"]},
    "microaggregate": {"columns": ["pay"], "k": 3},
    "shift_dates": {"columns": ["birth"], "entity": "who"},
    "relative_dates": {"columns": ["birth"], "entity": "who"},
    "sample_rows": {"share": 0.5},
    "add_tuples": {"share": 0.2},
    "pseudonym": {"key": "people.key"},
    "encrypt": {"key": "people.key"},
}
OTHER_WAYS = {"top_code": ("at", "quantile"), "bottom_code": ("at", "quantile")}
"""Parameters of which one may be given: the other is taken out."""
HIERARCHIES: dict[str, tuple[str, type[Any] | None, Any]] = {
    "intervals": ("age", Intervals, {"widths": [5]}),
    "cuts": ("age", Cuts, {"levels": [[30]]}),
    "prefix": ("zip", Prefix, {"lengths": [3]}),
    "dates": ("birth", Dates, {"levels": ["year"]}),
    "tree": ("job", None, {"all": ["nurse", "cook"]}),
    "file": ("job", None, "job.csv"),
    "known": ("job", None, "isco-08"),
    "flat": ("job", None, True),
}

Change = Callable[[dict[str, Any], Any], None]


def base() -> dict[str, Any]:
    quasi = {"role": "quasi", "hierarchy": "auto"}
    return {
        "columns": {
            "who": {"role": "other"},
            "age": dict(quasi),
            "zip": {"role": "quasi"},
            "birth": {"role": "other"},
            "pay": {"role": "other"},
            "job": {"role": "other"},
            "ill": {"role": "sensitive"},
        },
        "require": [{"k_anonymity": {"k": 2}}],
        "suppress": 1,
        "seed": 1,
        "time_limit": 5,
    }


def set_at(*path: Any) -> Change:
    """Put a value at a place of the policy, with mappings made on the way."""

    def change(policy: dict[str, Any], value: Any) -> None:
        here: Any = policy
        for step in path[:-1]:
            here = here.setdefault(step, {}) if isinstance(here, dict) else here[step]
        here[path[-1]] = value

    return change


def list_changes() -> Iterator[tuple[str, str, Change]]:
    """Where a value goes: a name for the test, the key that a message must name, the change."""
    for key in Policy.model_fields:
        yield f"policy.{key}", key, set_at(key)
    for key in ColumnPolicy.model_fields:
        yield f"column.{key}", key, set_at("columns", "age", key)
    lists = {"require": models.ALL, "techniques": techniques.ALL}
    for place, classes in lists.items():
        for cls in classes:
            for key in names(cls):
                yield f"{cls.name}.{key}", key, _of_class(place, cls.name, key)
    for place, kinds in (("algorithm", algorithms.ALL), ("measure", measures.ALL)):
        for kind in kinds:
            for key in names(kind):
                yield f"{place}.{kind.name}.{key}", key, _of_part(place, kind.name, key)
    for kind, (column, builder, usual) in HIERARCHIES.items():
        yield f"hierarchy.{kind}", kind, _of_hierarchy(column, kind, None, usual)
        for key in names(builder) if builder else ():
            yield f"hierarchy.{kind}.{key}", key, _of_hierarchy(column, kind, key, usual)
    for key in PROFILE_KEYS:
        yield f"profile.{key}", key, _of_profile(key)
    yield "profile.likelihoods.age", "age", _of_profile("likelihoods", "age")
    for key in PEOPLE_KEYS:
        yield f"people.{key}", key, _of_people(key)
    for key in ("cap", "group"):
        yield f"people.records.{key}", key, _of_people("records", key)
    for key in names(TextScrub):
        yield f"scrub.{key}", key, set_at("columns", "note", "scrub", key)
    for cls in replacement.ALL:
        for key in names(cls):
            yield f"{cls.name}.{key}", key, _of_replacement(cls.name, key)


def names(cls: type[Any]) -> list[str]:
    return [one.name for one in fields(cls) if one.init]


def _given(name: str, key: str, value: Any) -> dict[str, Any]:
    given = copy.deepcopy(NEEDED.get(name, {}))
    for other in OTHER_WAYS.get(name, ()):
        if key in OTHER_WAYS[name]:
            given.pop(other, None)
    return {**given, key: value}


def _of_class(place: str, name: str, key: str) -> Change:
    def change(policy: dict[str, Any], value: Any) -> None:
        policy[place] = [{name: _given(name, key, value)}]
        if name == "probabilistic":
            policy["algorithm"] = "probabilistic"
        policy["columns"]["birth"] = {"role": "other"}

    return change


def _of_part(place: str, name: str, key: str) -> Change:
    def change(policy: dict[str, Any], value: Any) -> None:
        policy[place] = {name: {key: value}}
        if name == "mpalm":
            policy["require"] = [{"delta_presence": copy.deepcopy(NEEDED["delta_presence"])}]

    return change


def _of_hierarchy(column: str, kind: str, key: str | None, usual: Any) -> Change:
    def change(policy: dict[str, Any], value: Any) -> None:
        said = value if key is None else {**usual, key: value}
        policy["columns"][column] = {"role": "quasi", "hierarchy": {kind: said}}

    return change


def _of_profile(*path: str) -> Change:
    def change(policy: dict[str, Any], value: Any) -> None:
        policy["profile"] = "ward"
        set_at("profiles", "ward", *path)(policy, value)

    return change


def _of_people(*path: str) -> Change:
    def change(policy: dict[str, Any], value: Any) -> None:
        policy["people"] = {"column": "who"}
        del policy["columns"]["who"]
        set_at("people", *path)(policy, value)

    return change


def _of_replacement(name: str, key: str) -> Change:
    def change(policy: dict[str, Any], value: Any) -> None:
        given = _given(name, key, value)
        policy["columns"]["who"] = {"role": "identifier", "replace": {name: given}}

    return change


CHANGES = {name: (key, change) for name, key, change in list_changes()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("rubbish")
    (made / "table.csv").write_text("\n".join([HEAD, *ROWS]) + "\n")
    (made / "register.csv").write_text("\n".join([HEAD, *ROWS, *ROWS]) + "\n")
    (made / "job.csv").write_text("nurse;*\ncook;*\n")
    (made / "people.key").write_text("ab" * 32 + "\n")
    (made / "people.key").chmod(0o600)
    return made


@pytest.mark.parametrize("place", CHANGES)
def test_rubbish_under_a_key_gets_a_message_that_names_it_or_a_release(
    folder: Path, place: str
) -> None:
    key, change = CHANGES[place]
    owner = place.rpartition(".")[0].rpartition(".")[2]
    table = discreet.read(folder / "table.csv")
    wrong, released = [], set()
    for name, value in RUBBISH.items():
        said = base()
        if place.startswith("scrub."):
            said["columns"]["note"] = {"role": "text", "scrub": {}}
        change(said, copy.deepcopy(value))
        try:
            policy = discreet.Policy(folder=folder, **said)
        except PolicyError as error:
            if not any(part in str(error) for part in (key, owner)):
                wrong.append(f"{name}: a message that does not name {key}: {error}")
            continue
        if (text := policy.to_yaml(folder)) in released:
            continue
        released.add(text)
        try:
            discreet.anonymize(table, policy).to_arrow()
        except InternalError as error:
            wrong.append(f"{name}: an internal error: {error}")
        except DiscreetError:
            pass
    assert not wrong, "\n".join(wrong)


def test_every_class_that_needs_parameters_is_walked_with_them() -> None:
    classes = (*models.ALL, *techniques.ALL, *replacement.ALL)
    needing = [cls.name for cls in classes if any(_is_needed(one) for one in fields(cls))]
    assert set(needing) <= set(NEEDED)
    assert set(HIERARCHIES) == set(KINDS)


def _is_needed(field: Any) -> bool:
    return bool(field.init and field.default is MISSING and field.default_factory is MISSING)
