"""Puts parameter classes together as pydantic's tagged unions: a name, or ``{name: {parameters}}``.

A model, algorithm, measure, technique or replacement is a frozen dataclass. Its fields are the
keys of a policy, its type hints say what is a list of names and what is a file, the section
Parameters of its docstring describes them, and its ``__post_init__`` checks values, for those who
call it from Python too. Nothing is said twice: :class:`OneOf` reads the class.

Each class is read when a policy first names it: reading all of them would take longer than most
commands.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, field, fields, is_dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, SchemaValidator, ValidationError, core_schema

from discreet.display import dataclass
from discreet.errors import DiscreetError, ParameterError, did_you_mean
from discreet.hierarchy.hierarchy import Builder, Hierarchy
from discreet.hierarchy.proposals import propose
from discreet.number_range import LARGEST, is_number
from discreet.policy.messages import (
    add_article,
    check_no_address,
    describe_value,
    hint_unquoted,
    make_mistake,
    make_mistakes,
)
from discreet.policy.parameter_classes import (
    Parameter,
    describe_parts,
    is_hint_of,
    read_parameters,
    write_example,
)
from discreet.policy.policy_file import Key

Place = Callable[[Any, Path, str], Any]
"""Makes a path of what is said under a parameter, given the policy's folder and the name."""

REPEATED = ("generalize",)
"""Lists in which a name may be repeated: each time raises the column by one level."""


class OneOf:
    """One of several parameter classes; in a policy its name is the tag.

    ``load`` gives the classes. ``pick`` may take another class for what is given, ``accept`` may
    refuse an object that is fine elsewhere, ``place`` finds the files that are named.
    """

    def __init__(
        self,
        kind: str,
        load: Callable[[], Iterable[type[Any]]],
        pick: Callable[[type[Any], Any], type[Any]] = lambda cls, given: cls,
        accept: Callable[[Any], None] = lambda part: None,
        place: Place | None = None,
    ) -> None:
        self.kind, self.load, self.pick, self.accept = kind, load, pick, accept
        self.place = place or place_file

    @cached_property
    def classes(self) -> dict[str, type[Any]]:
        """The classes by the names that a policy has for them."""
        return {cls.name: cls for cls in self.load()}

    @cached_property
    def _union(self) -> SchemaValidator:
        choices: dict[Any, CoreSchema] = {
            name: core_schema.with_info_plain_validator_function(partial(self._make, cls))
            for name, cls in self.classes.items()
        }
        return SchemaValidator(core_schema.tagged_union_schema(choices, _read_tag))

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self.validate)

    def __get_pydantic_json_schema__(
        self, _: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return describe_parts(self.classes, handler)

    def validate(self, value: Any, info: ValidationInfo) -> Any:
        """The object that is named, or the object itself."""
        return self.build(value, info.context)

    def build(self, value: Any, context: Mapping[str, Any] | None = None) -> Any:
        """The object that a policy names; paths are relative to the ``folder`` of the context."""
        made = value
        if not isinstance(value, tuple(self.classes.values())):
            try:
                made = self._union.validate_python(value, context=dict(context or {}))
            except ValidationError as error:
                raise self._explain(error) from None
        self.accept(made)
        return made

    def _explain(self, error: ValidationError) -> ValidationError:
        """The same mistakes; what pydantic says of tags is put into our words."""
        found: list[tuple[Key, str]] = []
        for one in error.errors(include_url=False):
            match one["type"]:
                case "union_tag_not_found":
                    found.append(((), self._explain_shape(one["input"])))
                case "union_tag_invalid":
                    name = one["ctx"]["tag"]
                    what = f"'{name}' is not a known {self.kind}"
                    found.append(((name,), f"{what}. {did_you_mean(name, self.classes)}"))
                case _:
                    context = one["ctx"]
                    found.append(((*one["loc"], *context["key"]), context["what"]))
        return make_mistakes(found)

    def _explain_shape(self, value: Any) -> str:
        if is_dataclass(value) and not isinstance(value, type):
            there = add_article(type(value).__name__)
            return f"{there} is not {add_article(self.kind)}. {did_you_mean('', self.classes)}"
        if not isinstance(value, Mapping):
            there = describe_value(value)
            return f"needs the name of {add_article(self.kind)}, there is {there}."
        return (
            f"needs one {self.kind} with its parameters, there are {len(value)} keys. "
            f"Write one {self.kind} per entry: - name: {{parameters}}."
        )

    def _make(self, cls: type[Any], value: Any, info: ValidationInfo) -> Any:
        """The object of the class that the tag names."""
        given = None if isinstance(value, str) else next(iter(value.values()))
        cls = self.pick(cls, given)
        if given is None and not any(one.is_needed for one in read_parameters(cls).values()):
            given = {}
        if not isinstance(given, Mapping):
            example = write_example(cls)
            raise make_mistake(
                f"needs its parameters, there is {describe_value(given)}. Write {example}."
            )
        checked = check_parameters(cls, given, info.context, self.place)
        return construct_part(cls, given, checked)


def _read_tag(value: Any) -> str | None:
    """The name in ``name`` or ``{name: {parameters}}``."""
    if isinstance(value, str):
        return value
    return str(next(iter(value))) if isinstance(value, Mapping) and len(value) == 1 else None


def check_parameters(
    cls: type[Any], given: Mapping[str, Any], context: Any, place: Place
) -> dict[str, Any]:
    """The parameters that are given for a class, all of them known, and their files found."""
    try:
        validator = _make_validator(cls, place)  # type: ignore[arg-type]  # classes can be hashed
        checked: dict[str, Any] = validator.validate_python(dict(given), context=context)
    except ValidationError as error:
        raise _explain_parameters(cls, error) from None
    return checked


@cache
def _make_validator(cls: type[Any], place: Place) -> SchemaValidator:
    """What checks which parameters are there, that names are text, and where files are."""
    found = {
        one.name: core_schema.typed_dict_field(_make_schema(one, place), required=one.is_needed)
        for one in read_parameters(cls).values()
    }
    return SchemaValidator(core_schema.typed_dict_schema(found, extra_behavior="forbid"))


def _make_schema(one: Parameter, place: Place) -> CoreSchema:
    """What checks one parameter; numbers and choices are checked by the class itself."""
    if one.name == "column":
        return core_schema.no_info_plain_validator_function(_check_column)
    if is_hint_of(one.hint, tuple[str, ...]):
        check = partial(_check_texts, one.name in REPEATED)
        return core_schema.no_info_plain_validator_function(check)
    if is_hint_of(one.hint, Path):
        return core_schema.with_info_plain_validator_function(partial(_find_file, place, one.name))
    return core_schema.any_schema()


def _check_column(value: Any) -> str:
    if not isinstance(value, str):
        raise make_mistake(f"needs a column name, there is {describe_value(value)}. Use quotes.")
    return value


def _check_texts(may_repeat: bool, value: Any) -> Any:
    """Names of columns and values are text: a number there has lost its zeros already."""
    if value is None:
        return value
    if not isinstance(value, list | tuple) or not value:
        there = "an empty list" if isinstance(value, list | tuple) else describe_value(value)
        raise make_mistake(f"needs a list, there is {there}. Write [a, b], or remove it.")
    for item in value:
        if not isinstance(item, str):
            raise make_mistake(f"needs text, there is {describe_value(item)}. Put it in quotes.")
    if not may_repeat and len(set(value)) != len(value):
        raise make_mistake("names something twice. Remove one.")
    return value


def _find_file(place: Place, name: str, value: Any, info: ValidationInfo) -> Any:
    return place(value, (info.context or {}).get("folder", Path()), name)


def place_file(value: Any, folder: Path, name: str) -> Any:
    """A path, relative to the folder of the policy; what else may be there the class refuses."""
    check_no_address(value, name)
    return folder / Path(value).expanduser() if isinstance(value, str) else value


def _explain_parameters(cls: type[Any], error: ValidationError) -> ValidationError:
    """The same mistakes in our words; an unknown parameter is likely the one that is missing."""
    known = read_parameters(cls)
    unknown: list[tuple[Key, str]] = []
    found: list[tuple[Key, str]] = []
    missing: list[tuple[Key, str]] = []
    for one in error.errors(include_url=False):
        key = one["loc"][0]
        match one["type"]:
            case "extra_forbidden" | "invalid_key":
                what = f"'{key}' is not a parameter of {cls.name}"
                unknown.append(((str(key),), f"{what}. {did_you_mean(str(key), known)}"))
            case "missing":
                missing.append(((), f"'{key}' is missing. Write {write_example(cls)}."))
            case _:
                found.append(((str(key),), one["ctx"]["what"]))
    return make_mistakes([*unknown, *found, *([] if unknown else missing[:1])])


def construct_part(
    make: Callable[..., Any], given: Mapping[str, Any], checked: Mapping[str, Any]
) -> Any:
    """The object with its parameters, which its class checks; a message quotes what was given."""
    try:
        made = make(**{key: _make_tuples(value) for key, value in checked.items()})
    except ParameterError as error:
        told = str(error).removeprefix(f"{error.owner}: '{error.key}' ")
        there = given.get(error.key)
        what = f"{told} There is {describe_value(there)}.{hint_unquoted(there)}"
        raise make_mistake(what, (error.key,)) from None
    except DiscreetError as error:
        raise make_mistake(str(error)) from None
    except OverflowError:
        made = None  # a number that does not fit; which one is said below
    for key, value in given.items():
        _check_numbers(key, value)
    return made


def _check_numbers(key: str, value: Any) -> None:
    """No parameter can be infinite, or a number that calculations would round or overflow."""
    match value:
        case list() | tuple():
            for one in value:
                _check_numbers(key, one)
        case Mapping():
            for one in value.values():
                _check_numbers(key, one)
        case bool():
            pass
        case int() | float() if not is_number(value):
            what = f"needs a finite number up to {LARGEST:,}, there is {describe_value(value)}."
            raise make_mistake(what, (key,))


def _make_tuples(value: Any) -> Any:
    """Lists of a file as the tuples that parameters are."""
    if isinstance(value, Mapping):
        return {key: tuple(one) if isinstance(one, list) else one for key, one in value.items()}
    return tuple(value) if isinstance(value, list) else value


def list_parameters(part: Any, folder: Path | None = None) -> dict[str, Any]:
    """The parameters of a model or algorithm that are not at their default, as plain data.

    Paths become relative to ``folder``.
    """
    found = {}
    for one in fields(part):
        value = getattr(part, one.name)
        default = one.default if one.default_factory is MISSING else one.default_factory()
        if default is MISSING or value != default:
            found[one.name] = _write_plain(value, folder)
    return found


def _write_plain(value: Any, folder: Path | None) -> Any:
    if isinstance(value, Path):
        return str(value) if folder is None else os.path.relpath(value, folder)
    if isinstance(value, Mapping):
        return {key: _write_plain(one, folder) for key, one in value.items()}
    return list(value) if isinstance(value, tuple) else value


# A hierarchy that is proposed from the data when the release is made.


@dataclass(frozen=True)
class Auto:
    """Let the table decide: dates by month and year, codes by prefix, categories by likeness, ...

    Written ``hierarchy: {auto: true}`` in a policy, and what the flag ``-q`` means. A hierarchy of
    the data holder's own, which ``discreet inspect`` helps to write, is the better choice for a
    release that is repeated: a proposal may differ when the data does. ``proposed`` is what was
    found for a table; before one was counted, only the values decide.

    >>> Auto().build("zip", ["02138", "02139", "02141", "02142", "02143", "02144"]).height
    3
    """

    proposed: Builder | None = field(default=None, compare=False, repr=False)

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Build what was proposed for the table, or propose a hierarchy for the values alone."""
        return self.find_builder(column, values).build(column, values)

    def find_builder(self, column: str, values: Sequence[str | None]) -> Builder:
        """What was proposed for the table, or what is proposed for the values alone."""
        return self.proposed or propose(column, values).builder
