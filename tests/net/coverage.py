"""What the entries of the net use of the product, read from their policies and commands."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import yaml

from tests.net.catalogues import (
    list_choices,
    list_column_keys,
    list_commands,
    list_families,
    list_formats,
    list_hierarchies,
    list_policy_keys,
    list_presets,
    list_record_rules,
)
from tests.net.entry import Entry

Use = tuple[str, ...]
"""What is used, such as ("model", "l_diversity", "kind", "entropy")."""


def list_needed() -> Iterator[Use]:
    """Everything that the product's catalogues have, as uses."""
    for family, members in list_families().items():
        for cls in members:
            name = cls.name  # type: ignore[attr-defined]
            yield family, name
            for parameter, value in list_choices(cls):
                yield family, name, parameter, str(value)
    for key, values in list_policy_keys().items():
        yield "policy key", key
        yield from (("policy key", key, str(value)) for value in values)
    yield from (("column key", key) for key in list_column_keys())
    yield from (("hierarchy", kind) for kind in list_hierarchies())
    yield from (("preset", name) for name in list_presets())
    yield from (("records", rule) for rule in list_record_rules())
    yield from (("command", name) for name in list_commands())
    for ending in list_formats():
        yield "read", ending
        yield "write", ending


def list_used(entries: Iterable[Entry]) -> set[Use]:
    """What the entries use."""
    return {use for entry in entries for use in _list_used(entry)}


def _list_used(entry: Entry) -> Iterator[Use]:
    for text in entry.policy_texts().values():
        yield from _read_policy(yaml.safe_load(text))
    for command in entry.commands:
        name, *words = shlex.split(command)
        yield "command", name
        before = ""
        for word in words:
            ending = word.partition(".")[2]
            yield "write" if before == "-o" else "read", f".{ending}"
            before = word


def _read_policy(policy: Mapping[str, Any]) -> Iterator[Use]:
    for key, value in policy.items():
        yield "policy key", key
        if isinstance(value, str):
            yield "policy key", key, value
    for model in policy.get("require", ()):
        yield from _read_named("model", model)
    for family in ("algorithm", "measure"):
        if family in policy:
            yield from _read_named(family, policy[family])
    for technique in policy.get("techniques", ()):
        yield from _read_named("technique", technique)
    for column in policy["columns"].values():
        yield from (("column key", key) for key in column)
        yield from (("hierarchy", kind) for kind in column.get("hierarchy", ()))
        techniques = column.get("technique", [])
        for one in techniques if isinstance(techniques, list) else [techniques]:
            yield from _read_named("technique", one)
    for profile in policy.get("profiles", {}).values():
        yield "preset", profile.get("preset", "")
    records = policy.get("people", {}).get("records", "keep")
    yield "records", records if isinstance(records, str) else next(iter(records))


def _read_named(family: str, said: Any) -> Iterator[Use]:
    """A name alone, or one with parameters."""
    name, parameters = (said, {}) if isinstance(said, str) else next(iter(said.items()))
    yield family, name
    for key, value in parameters.items():
        yield family, name, key, value if isinstance(value, str) else json.dumps(value, default=str)
