"""Where the product lists what it has: the only lines of the net that name its modules.

When modules move, change them here; the entries and their frozen answers stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints


def app() -> Any:
    """The command line, to be called without a new process."""
    from discreet.cli.main import app as command_line

    return command_line


def list_commands() -> Iterable[str]:
    """Every command of ``discreet`` that answers; ``web`` shows pages (tests/web)."""
    from discreet.cli.main import COMMANDS

    return [name for name in COMMANDS if name != "web"]


def list_formats() -> Iterable[str]:
    """Endings of tables that can be read and written."""
    from discreet.table.read import KNOWN

    return KNOWN


def list_hierarchies() -> Iterable[str]:
    """What a policy can write under ``hierarchy``; ``auto`` is the policy's own."""
    from discreet.hierarchy.spec import KINDS

    return [*KINDS, "auto"]


def list_presets() -> Iterable[str]:
    """Presets of recipients."""
    from discreet.policy.profiles import PRESETS

    return PRESETS


def list_families() -> Mapping[str, Iterable[type]]:
    """The members of each family that a policy names, with their parameters."""
    from discreet import algorithms, measures, models, techniques

    return {
        "model": models.ALL,
        "algorithm": algorithms.ALL,
        "measure": measures.ALL,
        "technique": techniques.ALL,
    }


def list_record_rules() -> Iterable[str]:
    """What a policy can write under ``people.records``."""
    from discreet.policy.people import Kind

    return get_args(Kind)


def list_policy_keys() -> Mapping[str, tuple[Any, ...]]:
    """The top-level keys of a policy, with the values of those that have a few."""
    from discreet import Policy

    return {
        name: get_args(one.annotation) if get_origin(one.annotation) is Literal else ()
        for name, one in Policy.model_fields.items()
    }


def list_column_keys() -> Iterable[str]:
    """The keys of a column in a policy."""
    from discreet import ColumnPolicy

    return ColumnPolicy.model_fields


def list_choices(cls: type) -> Iterator[tuple[str, str]]:
    """Each parameter that has a few words for values, with each of them."""
    for field in fields(cls):  # type: ignore[arg-type]
        hint = _hint(cls, field.name)
        if get_origin(hint) is Literal:
            for value in get_args(hint):
                yield field.name, value


def _hint(cls: type, name: str) -> Any:
    """The type of one parameter; others may be of types that only a type checker loads."""
    text = cls.__annotations__[name]
    try:
        return get_type_hints(cls)[name]
    except NameError:
        module = __import__(cls.__module__, fromlist=["_"])
        try:
            return eval(text, vars(module)) if isinstance(text, str) else text
        except NameError:
            return Any
