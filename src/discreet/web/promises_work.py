"""What the child says of promises: which there are, known thresholds, and what each k costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discreet
from discreet.web.child import Held
from discreet.web.hierarchies_work import strip_picture
from discreet.web.table_work import explore_policy

ANY: dict[str, Any] = {
    "columns": {"any": {"role": "quasi"}},
    "require": [{"k_anonymity": {"k": 2}}],
}
"""A policy that holds nothing but what is asked of it."""


def describe_choices(held: Held) -> dict[str, Any]:
    """What a policy can promise, with what each promise is set by; and the choices next to it."""
    schema = discreet.policy_schema()
    parts, properties = schema["$defs"], schema["properties"]
    models = properties["require"]["items"]["anyOf"][0]["properties"]
    return {
        "models": {name: _describe_model(parts, one) for name, one in models.items()},
        "algorithms": _list_named(parts, properties["algorithm"]),
        "measures": _list_named(parts, properties["measure"]),
        "thresholds": [
            _describe_threshold(name)
            for name in parts["Threshold"]["properties"]["preset"]["enum"]
            if name is not None
        ],
        "presets": [one for one in parts["Profile"]["properties"]["preset"]["enum"] if one],
    }


def _follow(parts: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    """What a reference leads to, in one of several forms or alone."""
    for one in (said, *said.get("anyOf", ())):
        if "$ref" in one:
            found: dict[str, Any] = parts[one["$ref"].rpartition("/")[2]]
            return found
    return dict(said)


def _describe_model(parts: Mapping[str, Any], said: Mapping[str, Any]) -> dict[str, Any]:
    model = _follow(parts, said)
    required = model.get("required", ())
    return {
        "about": model["description"],
        "settings": {
            name: {
                "type": _name_type(one),
                "about": one["description"],
                "choices": [*one.get("enum", ())],
                "default": one.get("default"),
                "required": name in required,
            }
            for name, one in model["properties"].items()
        },
    }


def _name_type(said: Mapping[str, Any]) -> str:
    """What a setting takes: integer, number, string, array or object."""
    named = said.get("type") or next(one["type"] for one in said["anyOf"] if "type" in one)
    return str(named if isinstance(named, str) else named[0])


def _list_named(parts: Mapping[str, Any], said: Mapping[str, Any]) -> list[dict[str, str]]:
    choices = said["anyOf"][0]["properties"]
    return [
        {"name": name, "about": _follow(parts, one)["description"]} for name, one in choices.items()
    ]


def _describe_threshold(name: str) -> dict[str, Any]:
    """A threshold that others have set: its number, and who says so."""
    about = discreet.Policy(**ANY, about={"threshold": {"preset": name}}).about
    facts: dict[str, Any] = about.facts()["threshold"] if about is not None else {}
    return {"name": name, "risk": float(facts["risk"]), "reason": str(facts["reason"])}


def find_costs(
    held: Held, text: str, file: str, folder: str, sizes: Sequence[int]
) -> dict[str, Any]:
    """What each class size costs: the best release that can be found for it."""
    explored = explore_policy(held, text, file, folder)
    view = explored.cost_of_k(tuple(sizes), progress=held.progress)
    return {**view.facts(), "picture": strip_picture(view.svg())}
