"""Reads the parameters of a class: names, types, defaults and descriptions, and their JSON schema.

Types are those of the fields; descriptions are those of the section Parameters in the docstring.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import sys
import warnings
from collections.abc import Collection, Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    WithJsonSchema,
    create_model,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

from discreet.display import safe_repr
from discreet.number_range import NumberRange

FOR_PYTHON: dict[str, Collection[str]] = {
    "add_tuples": ("share", "classes"),
    "shift_dates": ("key",),
    "suppress_values": ("drop",),
}
"""Parameters that a policy refuses, each with a message of its own; a technique without any other
is for Python as a whole."""

FOLLOWS = {"k_anonymity": {"k": "May be left out where there is `anonymity`."}}
"""Parameters that a class needs and a policy may leave out, since they follow from another key."""

BY_COLUMN = ("domain", "formats")
"""Parameters with a setting for each column; as the technique of one column, the setting alone."""


@safe_repr
class Parameter(NamedTuple):
    """One parameter of a class: name, type, default if it has one, and the numbers it may be."""

    name: str
    hint: Any
    default: Any = MISSING
    range: NumberRange | None = None

    @property
    def is_needed(self) -> bool:
        """Whether it has no default."""
        return self.default is MISSING


_read: dict[type[Any], dict[str, Parameter]] = {}


def read_parameters(cls: type[Any]) -> dict[str, Parameter]:
    """The parameters of a class, by name; a class is read once."""
    if cls not in _read:
        _read[cls] = {field.name: _read_field(cls, field) for field in fields(cls) if field.init}
    return _read[cls]


def _read_field(cls: type[Any], field: dataclasses.Field[Any]) -> Parameter:
    made = field.default_factory
    default = field.default if made is MISSING else made()
    return Parameter(field.name, _read_hint(cls, field.name), default, field.metadata.get("range"))


def _read_hint(cls: type[Any], name: str) -> Any:
    """The type of one field; the others may name types that are there for type checkers only."""
    home = next(one for one in cls.__mro__ if name in inspect.get_annotations(one))
    hint = inspect.get_annotations(home)[name]
    if isinstance(hint, str):
        return eval(hint, dict(vars(sys.modules[home.__module__])))  # noqa: S307 - our own source
    return hint


def is_hint_of(hint: Any, wanted: Any) -> bool:
    """Whether a type is the wanted one, or that or nothing.

    >>> is_hint_of(tuple[str, ...] | None, tuple[str, ...]), is_hint_of(int, str)
    (True, False)
    """
    union = get_origin(hint) in (UnionType, Union)
    return bool(wanted in get_args(hint) if union else hint == wanted)


def write_example(cls: type[Any]) -> str:
    """How a policy writes a part with the parameters that it needs."""
    needed = [one.name for one in read_parameters(cls).values() if one.is_needed]
    return f"{cls.name}: {{{', '.join(f'{key}: ...' for key in needed)}}}"


# Descriptions


def read_summary(cls: type[Any]) -> str:
    """What a class means to a data holder: the first paragraph of its docstring."""
    return _join_lines((inspect.getdoc(cls) or "").partition("\n\n")[0])


def read_descriptions(cls: type[Any]) -> dict[str, str]:
    """What the section Parameters of a docstring says of each.

    >>> from discreet.models import KAnonymity
    >>> sorted(read_descriptions(KAnonymity))
    ['columns', 'k']
    """
    _, _, section = (inspect.getdoc(cls) or "").partition("\nParameters\n----------\n")
    section = re.split(r"\n\S[^\n]*\n-{3,}\n", f"\n{section}")[0]
    found: dict[str, str] = {}
    for entry in re.split(r"\n(?=\w)", section):
        names, _, text = entry.strip("\n").partition("\n")
        if text[:1].isspace():
            told = _join_lines(text.partition("\n\n")[0])
            found |= dict.fromkeys(names.split(", "), told)
    return found


def _join_lines(text: str) -> str:
    return " ".join(text.split()).replace("``", "`")


# JSON schema


def make_model(
    cls: type[Any],
    suffix: str = "",
    skip: Collection[str] = (),
    change: Mapping[str, Any] | None = None,
) -> type[BaseModel]:
    """A pydantic model of the parameters of a class, which says what a policy may hold there.

    It describes; what checks is the class itself, in words that fit the policy. Where a policy
    writes a parameter otherwise than Python, ``change`` has its type, or its JSON schema.
    """
    told = read_descriptions(cls)
    name = getattr(cls, "name", None)
    hidden = {*skip, *FOR_PYTHON.get(str(name), ())}
    found: dict[str, Any] = {}
    for one in read_parameters(cls).values():
        if one.name in hidden:
            continue
        hint: Any = (change or {}).get(one.name, one.hint)
        if isinstance(hint, dict):
            hint = Annotated[Any, WithJsonSchema(hint)]
        default = ... if one.is_needed else None if is_dataclass(one.default) else one.default
        description = told.get(one.name)
        if one.name in (follows := FOLLOWS.get(str(name), {})):
            default, description = None, f"{description} {follows[one.name]}"
        limits: Any = one.range.schema if one.range else None
        found[one.name] = (
            hint,
            Field(default=default, description=description, json_schema_extra=limits),
        )
    config = ConfigDict(extra="forbid", title=name, arbitrary_types_allowed=True)
    with warnings.catch_warnings():
        # A model of a register has a parameter of that name, as all classes of pydantic have.
        warnings.filterwarnings("ignore", "Field name .* shadows", UserWarning)
        return create_model(
            f"{cls.__name__}{suffix}", __config__=config, __doc__=read_summary(cls), **found
        )


def refer_to(model: type[BaseModel], handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """The JSON schema of a model, as a definition that is referred to."""
    # The handler writes a schema out where it is, and refers to those within it.
    items: JsonSchemaValue = handler(core_schema.list_schema(model.__pydantic_core_schema__))
    return items["items"]  # type: ignore[no-any-return]


def describe_parts(
    classes: Mapping[str, type[Any]], handler: GetJsonSchemaHandler, of_column: bool = False
) -> JsonSchemaValue:
    """One of the classes by name, with its parameters or, where it needs none, without.

    ``of_column`` are the techniques of one column, which they do not name.
    """
    properties: dict[str, Any] = {}
    alone: list[str] = []
    for name, cls in classes.items():
        known = read_parameters(cls)
        about_columns = not of_column or "columns" in known
        if not about_columns or (known and set(known) == set(FOR_PYTHON.get(name, ()))):
            continue
        model = _make_model_of_column(cls) if of_column else make_model(cls)
        inside = refer_to(model, handler)
        if any(field.is_required() for field in model.model_fields.values()):
            properties[name] = inside
        else:
            properties[name] = {"anyOf": [inside, {"type": "null"}]}
            alone.append(name)
    mapping = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }
    return {"anyOf": [mapping, {"enum": alone}]} if alone else mapping


def _make_model_of_column(cls: type[Any]) -> type[BaseModel]:
    """The parameters of a technique where it is that of one column, which it need not name."""
    known = read_parameters(cls)
    change = {
        name: get_args(known[name].hint)[1] | known[name].hint
        for name in BY_COLUMN
        if name in known
    }
    return make_model(cls, "OfColumn", skip=("columns",), change=change)
