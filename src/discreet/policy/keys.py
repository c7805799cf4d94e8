"""What the keys of a policy may hold: one place that says which keys exist.

Each marker here is put on a field of :class:`~discreet.policy.policy.Policy` or of one of its
columns. It turns what is written there into the object that means it, and describes it in the
JSON schema. What a parameter class needs is loaded when a policy first names it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, SchemaValidator, core_schema

from discreet.display import safe_repr
from discreet.errors import DiscreetError, did_you_mean
from discreet.hierarchy import Cuts, Dates, File, Flat, Intervals, Known, Prefix, Tree
from discreet.hierarchy.spec import make_builder
from discreet.number_range import SHARE
from discreet.policy.about import (
    ENVIRONMENTS,
    LONGEST,
    MOST,
    THRESHOLDS,
    About,
    Threshold,
    parse_about,
)
from discreet.policy.anonymity_level import ANONYMITY_SCHEMA, KOfLevel, parse_anonymity
from discreet.policy.messages import describe_value, hint_percent, hint_unquoted, make_mistake
from discreet.policy.parameter_classes import (
    BY_COLUMN,
    describe_parts,
    make_model,
    read_descriptions,
    read_parameters,
    read_summary,
    refer_to,
)
from discreet.policy.parts import Auto, OneOf
from discreet.policy.people import RECORDS_SCHEMA, PeoplePolicy, parse_people
from discreet.policy.profiles import PRESETS, Profile, parse_profiles
from discreet.policy.replacement import REPLACEMENT, parse_replacement
from discreet.policy.text_columns import TextScrub, parse_text_scrub
from discreet.table.missing import COLUMN_WORDS_SCHEMA, MISSING_SCHEMA, parse_missing, parse_words
from discreet.table.table import Role

ROLE_SYNONYMS = {
    "qi": "quasi",
    "qid": "quasi",
    "quasi-identifier": "quasi",
    "quasi-identifying": "quasi",
    "quasi_identifier": "quasi",
    "quasi identifier": "quasi",
    "key": "quasi",
    "direct": "identifier",
    "direct identifier": "identifier",
    "id": "identifier",
    "entity": "identifier",
    "identifying": "identifier",
    "confidential": "sensitive",
    "secret": "sensitive",
    "target": "sensitive",
    "free text": "text",
    "insensitive": "other",
    "non-sensitive": "other",
    "keep": "other",
    "none": "other",
}
"""Words that people and other programs use for our roles."""


def get_folder(info: ValidationInfo) -> Path:
    """The folder that paths of the policy are relative to."""
    folder: Path = (info.context or {}).get("folder", Path())
    return folder


class Parsed:
    """A key whose value one function reads and another describes."""

    def __init__(
        self,
        parse: Callable[[Any, Path], Any],
        describe: Callable[[GetJsonSchemaHandler], JsonSchemaValue],
    ) -> None:
        self.parse, self.describe = parse, describe

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self.validate)

    def __get_pydantic_json_schema__(
        self, _: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return self.describe(handler)

    def validate(self, value: Any, info: ValidationInfo) -> Any:
        """The object that the value means; what a class says of it becomes a mistake of the key."""
        try:
            return self.parse(value, get_folder(info))
        except DiscreetError as error:
            raise make_mistake(str(error)) from None


# Roles, shares and names


def parse_role(value: Any) -> Role:
    """The role that was named."""
    if isinstance(value, Role):
        return value
    roles = [role.value for role in Role]
    if isinstance(value, str) and value in roles:
        return Role(value)
    told = (
        f"'{value}' is not a role"
        if isinstance(value, str)
        else f"there is {describe_value(value)}"
    )
    meant = ROLE_SYNONYMS.get(str(value).casefold(), value)
    raise make_mistake(f"{told}. {did_you_mean(meant, roles)}")


def parse_share(value: Any) -> Any:
    """A share of rows; people write percent, so say what the share would be."""
    number = value
    if isinstance(value, str):
        if not value.strip().endswith("%"):
            found = f"{describe_value(value)}.{hint_unquoted(value)}"
            raise make_mistake(f"needs a share from 0 to 1, there is {found}")
        try:
            number = float(value.strip().removesuffix("%"))
        except ValueError:
            number = math.nan
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise make_mistake(f"needs a share from 0 to 1, there is {describe_value(value)}.")
    if SHARE.contains(number) and number is value:
        return float(number)
    what = f"is a share of the rows, from 0 to 1; there is {describe_value(value)}."
    raise make_mistake(f"{what}{hint_percent(number)}")


# Hierarchies


def _parse_hierarchy(value: Any, folder: Path) -> Any:
    """A builder of a hierarchy, or what proposes one from the data."""
    if value is None or callable(getattr(value, "build", None)):
        return value
    if value in ("auto", {"auto": True}):
        return Auto()
    if isinstance(value, Mapping) and "auto" in value:
        raise make_mistake("must be true, and the only key here. Write {auto: true}.", ("auto",))
    return make_builder(value, folder)


def _describe_hierarchy(handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """One kind of hierarchy, in its short or its long form, and a top above it."""
    number = {"type": "number"}
    short: dict[str, tuple[type[Any], dict[str, Any], str]] = {
        "intervals": (Intervals, number, "widths"),
        "prefix": (Prefix, {"type": "integer"}, "lengths"),
        "dates": (Dates, {"type": "string"}, "levels"),
    }
    properties: dict[str, Any] = {
        kind: {
            "description": read_summary(cls),
            "anyOf": [
                {"type": "array", "items": item, "description": read_descriptions(cls)[main]},
                item,
                refer_to(make_model(cls, change={main: _describe_list(item)}), handler),
            ],
        }
        for kind, (cls, item, main) in short.items()
    }
    levels = {"type": "array", "items": _describe_list(number)}
    cuts = {"anyOf": [levels, number]}
    properties["cuts"] = {
        "description": read_summary(Cuts),
        "anyOf": [
            {**levels, "description": read_descriptions(Cuts)["levels"]},
            number,
            refer_to(make_model(Cuts, change={"levels": cuts}), handler),
        ],
    }
    properties["tree"] = {
        "description": f"{read_summary(Tree)} {read_descriptions(Tree)['tree']}",
        "type": "object",
    }
    properties["file"] = {
        "description": read_summary(File),
        "anyOf": [
            {"type": "string", "description": "The path of the file."},
            refer_to(make_model(File), handler),
        ],
    }
    text = {"type": "string"}
    properties["known"] = {
        "description": read_summary(Known),
        "anyOf": [
            {"enum": Known.list_names(), "description": read_descriptions(Known)["name"]},
            refer_to(make_model(Known, change={"levels": _describe_list(text)}), handler),
        ],
    }
    properties["flat"] = {"description": read_summary(Flat), "enum": [True, None, {}]}
    properties["auto"] = {"description": read_summary(Auto), "const": True}
    properties["top"] = {
        "description": "`*` adds a level of suppressed values above a root that is something else.",
        "enum": ["*", None],
    }
    kinds = [kind for kind in properties if kind != "top"]
    mapping = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "oneOf": [{"required": [kind]} for kind in kinds],
    }
    return {"anyOf": [mapping, {"const": "auto"}, {"type": "null"}]}


def _describe_list(item: dict[str, Any]) -> dict[str, Any]:
    """A list, or a single item."""
    return {"anyOf": [{"type": "array", "items": item}, item]}


HIERARCHY = Parsed(_parse_hierarchy, _describe_hierarchy)


# Missing values


def _parse_missing(value: Any, _: Path) -> Any:
    return parse_missing(value)


def _parse_words(value: Any, _: Path) -> Any:
    return parse_words(value)


def _describe_missing(handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    return MISSING_SCHEMA


def _describe_words(handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    return COLUMN_WORDS_SCHEMA


MISSING = Parsed(_parse_missing, _describe_missing)
MISSING_WORDS = Parsed(_parse_words, _describe_words)


# Models, algorithms and measures


def _load_models() -> Iterable[type[Any]]:
    from discreet import models

    return models.ALL


def _pick_model(cls: type[Any], given: Any) -> type[Any]:
    """k-anonymity without a k is the one whose k follows from the anonymity level."""
    of_level = given is None or (isinstance(given, Mapping) and set(given) <= {"columns"})
    return KOfLevel if of_level and cls.name == KOfLevel.name else cls


def _load_algorithms() -> Iterable[type[Any]]:
    from discreet import algorithms

    return algorithms.ALL


def _load_measures() -> Iterable[type[Any]]:
    from discreet import measures

    return measures.ALL


MODEL = OneOf("model", _load_models, pick=_pick_model)
ALGORITHM = OneOf("algorithm", _load_algorithms)
MEASURE = OneOf("measure", _load_measures)


# Techniques


def _load_techniques() -> Iterable[type[Any]]:
    from discreet import techniques

    return techniques.ALL


def _refuse_key(technique: Any) -> None:
    if getattr(technique, "key", None) is not None:
        what = "a policy holds no key. Name its file in people.key, where techniques look for it."
        raise make_mistake(what, (technique.name, "key"))


TECHNIQUE = OneOf("technique", _load_techniques, accept=_refuse_key)


def replace_nothing(value: Any) -> Any:
    """Nothing is as good as an empty list."""
    return () if value is None else value


@safe_repr
class OfColumn(NamedTuple):
    """What a policy says of one column, with the column's name."""

    column: str
    said: Any


def name_columns(columns: Any) -> Any:
    """Tell the technique of a column which column that is."""
    if not isinstance(columns, dict):
        return columns
    return {
        name: {**column, "technique": OfColumn(name, column["technique"])}
        if isinstance(column, dict) and column.get("technique") is not None
        else column
        for name, column in columns.items()
    }


class ColumnTechniques:
    """The techniques of one column: one, or a list in order."""

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self.validate)

    def __get_pydantic_json_schema__(
        self, _: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        one = describe_parts(TECHNIQUE.classes, handler, of_column=True)
        return {"anyOf": [one, {"type": "array", "items": one}, {"type": "null"}]}

    @cached_property
    def _list(self) -> SchemaValidator:
        one = core_schema.with_info_plain_validator_function(_make_of_column)
        return SchemaValidator(core_schema.tuple_variable_schema(one))

    def validate(self, value: Any, info: ValidationInfo) -> tuple[Any, ...]:
        """The techniques that are named, each for the column alone."""
        if value is None or value == ():
            return ()
        if not isinstance(value, OfColumn):
            what = "a technique of a column is given in a policy, where the column has a name."
            raise make_mistake(what)
        context = {**(info.context or {}), "column": value.column}
        if not isinstance(value.said, list | tuple):
            return (_build_of_column(value.said, context),)
        made: tuple[Any, ...] = self._list.validate_python(value.said, context=context)
        return made


def _make_of_column(said: Any, info: ValidationInfo) -> Any:
    return _build_of_column(said, info.context or {})


def _build_of_column(said: Any, context: Mapping[str, Any]) -> Any:
    """One technique, which need not name its column, nor in the settings of a column."""
    column: str = context["column"]
    if is_dataclass(said) and not isinstance(said, type):
        found = TECHNIQUE.build(said, context)
        if getattr(found, "columns", None) != (column,):
            what = f"{found.name} is not about this column alone. Put it in 'techniques'."
            raise make_mistake(what)
        return found
    name, given = said, None
    if isinstance(said, Mapping) and len(said) == 1:
        ((name, given),) = said.items()
    cls = TECHNIQUE.classes.get(name) if isinstance(name, str) else None
    if cls is not None and (given is None or isinstance(given, Mapping)):
        if "columns" not in read_parameters(cls):
            what = f"{name} is about rows, not about one column. Put it in 'techniques'."
            raise make_mistake(what, (name,))
        if given and "columns" in given:
            what = "the column is this one. Remove 'columns', or put it in 'techniques'."
            raise make_mistake(what, (name, "columns"))
        said = {name: {"columns": [column], **_name_in_settings(column, given or {})}}
    return TECHNIQUE.build(said, context)


def _name_in_settings(column: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """A setting of this column need not name it."""
    return {
        name: {column: value} if name in BY_COLUMN and not isinstance(value, Mapping) else value
        for name, value in given.items()
    }


COLUMN_TECHNIQUES = ColumnTechniques()


# Identifiers and texts


def _parse_replacement(value: Any, folder: Path) -> Any:
    if value is None:
        return None
    return parse_replacement(value, folder)


def _describe_replacement(handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    return {"anyOf": [describe_parts(REPLACEMENT.classes, handler), {"type": "null"}]}


REPLACE = Parsed(_parse_replacement, _describe_replacement)


def _parse_scrub(value: Any, folder: Path) -> Any:
    """How texts are scrubbed; None if they are not."""
    if value is None or value is False:
        return None
    return parse_text_scrub(value, folder)


def _describe_scrub(handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    from discreet.scrubbing.replace.dates import RULES
    from discreet.scrubbing.replace.replacer import SCOPES, STYLES

    choices = {"style": STYLES, "scope": SCOPES, "dates": RULES}
    change = {name: {"enum": [*known]} for name, known in choices.items()}
    settings = refer_to(make_model(TextScrub, change=change), handler)
    return {"anyOf": [{"type": "boolean"}, settings, {"type": "null"}]}


SCRUB = Parsed(_parse_scrub, _describe_scrub)


# People, recipients and the anonymity level


def _parse_people(value: Any, folder: Path) -> Any:
    if value is None:
        return None
    return parse_people(value, folder)


def _describe_people(handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    names = read_parameters(PeoplePolicy)["names"].hint | None
    model = make_model(PeoplePolicy, change={"records": RECORDS_SCHEMA, "names": names})
    return {"anyOf": [refer_to(model, handler), {"type": "null"}]}


PEOPLE = Parsed(_parse_people, _describe_people)


def _parse_profiles(value: Any, _: Path) -> Any:
    if value is None:
        return {}
    return parse_profiles(value)


def _describe_profiles(handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    known = read_parameters(Profile)
    change: dict[str, Any] = {
        **{name: known[name].hint | None for name in ("quasi_identifiers", "includes")},
        "preset": {"enum": [*PRESETS, None]},
        "likelihoods": {
            "type": ["object", "null"],
            "additionalProperties": {"type": "number", **SHARE.schema},
        },
    }
    profile = refer_to(make_model(Profile, change=change), handler)
    return {"type": ["object", "null"], "additionalProperties": profile}


PROFILES = Parsed(_parse_profiles, _describe_profiles)


def _parse_anonymity(value: Any, _: Path) -> Any:
    if value is None:
        return None
    return parse_anonymity(value)


def _describe_anonymity(handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    return ANONYMITY_SCHEMA


ANONYMITY = Parsed(_parse_anonymity, _describe_anonymity)


# What the release is, for reports


def _parse_about(value: Any, _: Path) -> Any:
    return None if value is None else parse_about(value)


def _describe_about(handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    text = {"type": ["string", "null"], "minLength": 1, "maxLength": LONGEST}
    items = {"type": "string", "minLength": 1, "maxLength": LONGEST}
    texts = {"type": ["array", "null"], "items": items, "maxItems": MOST}
    risk = {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 1}
    presets = {"enum": [*THRESHOLDS, None]}
    threshold = make_model(Threshold, change={"preset": presets, "risk": risk, "reason": text})
    change: dict[str, Any] = {
        name: texts if one.default == () else text for name, one in read_parameters(About).items()
    }
    change |= {
        "environment": {"enum": [*ENVIRONMENTS, None]},
        "valid_until": {"type": ["string", "null"], "format": "date"},
        "threshold": {
            "anyOf": [_describe_threshold(refer_to(threshold, handler)), {"type": "null"}]
        },
    }
    return {"anyOf": [refer_to(make_model(About, change=change), handler), {"type": "null"}]}


def _describe_threshold(keys: JsonSchemaValue) -> JsonSchemaValue:
    """A preset, or a risk with its reason."""
    return {**keys, "anyOf": [{"required": ["preset"]}, {"required": ["risk", "reason"]}]}


ABOUT = Parsed(_parse_about, _describe_about)
