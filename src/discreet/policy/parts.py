"""Turns what a policy says of models, algorithms, measures and techniques into objects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pydantic_core import PydanticCustomError

from discreet.display import safe_repr
from discreet.errors import DiscreetError, ParameterError, did_you_mean
from discreet.input_file import AddressError, refuse_address
from discreet.models.parameters import LARGEST, is_number
from discreet.policy.policy_file import Key

TEXT_LISTS = (
    *("columns", "order", "most", "more", "identifying", "importance", "ranges"),
    *("within", "given", "classes", "codes"),
)
"""Parameters that are lists of column names or values; a single name is not a list."""


@safe_repr
class OfColumn(NamedTuple):
    """What a policy says of one column, with the column's name."""

    column: str
    said: Any


def mistake(what: str, key: Key = ()) -> PydanticCustomError:
    """A mistake at ``key`` below the field that is being checked."""
    return PydanticCustomError("policy", "{what}", {"what": what, "key": key})


def describe_value(value: object) -> str:
    """What there is, in a few words; a policy holds no private values."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int() | float():
            if isinstance(value, int) and abs(value) >= 10**18:
                return "a number of more than 18 digits"
            return f"{value:g}" if isinstance(value, float) else str(value)
        case str():
            return f"the text '{value if len(value) <= 40 else value[:37] + '...'}'"
        case Mapping():
            return "a mapping"
        case list() | tuple() | set():
            return "a list"
        case _:
            return f"a {type(value).__name__}"


def hint_unquoted(value: object) -> str:
    """A hint for a number that was written as text."""
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            return ""
        return f" Write it without quotes: {value.strip()}."
    return ""


def hint_percent(number: float) -> str:
    """A hint for a share that was written in percent.

    >>> hint_percent(2)
    ' Did you mean 0.02?'
    """
    return f" Did you mean {number / 100:g}?" if 0 < number <= 100 else ""


FILES = ("register", "public", "zip_table")
"""Parameters that are paths, in a policy relative to its folder."""


def check_no_address(path: Any, at: tuple[str, ...]) -> None:
    """Refuse an address in the place of a path, at its key in the policy."""
    try:
        refuse_address(path, at[-1])
    except AddressError as error:
        raise mistake(str(error), at) from None


def build(kind: str, known: Iterable[type[Any]], value: Any, folder: Path = Path()) -> Any:
    """The model or algorithm that a policy names, with its parameters.

    ``value`` is an object of one of the ``known`` classes, a name, or ``{name: {parameters}}``.
    Paths in the parameters are relative to ``folder``.
    """
    classes = {cls.name: cls for cls in known}
    if isinstance(value, tuple(classes.values())):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        raise mistake(f"{_one(type(value).__name__)} is no {kind}. {did_you_mean('', classes)}")
    name, given = _name_and_parameters(kind, value)
    if name not in classes:
        raise mistake(f"'{name}' is not a known {kind}. {did_you_mean(name, classes)}", (name,))
    if given is None and not _needed(classes[name]):
        given = {}
    if not isinstance(given, Mapping):
        example = _example(classes[name])
        raise mistake(
            f"needs its parameters, there is {describe_value(given)}. Write {example}.", (name,)
        )
    for key in FILES:
        check_no_address(given.get(key), (name, key))
    placed = {
        key: folder / Path(said).expanduser() if key in FILES and isinstance(said, str) else said
        for key, said in given.items()
    }
    return _constructed(name, classes[name], placed)


def list_parameters(part: Any, folder: Path | None = None) -> dict[str, Any]:
    """The parameters of a model or algorithm that are not at their default, as plain data.

    Paths become relative to ``folder``.
    """
    found = {}
    for field in fields(part):
        value = getattr(part, field.name)
        default = field.default if field.default_factory is MISSING else field.default_factory()
        if default is MISSING or value != default:
            found[field.name] = _plain(value, folder)
    return found


def _plain(value: Any, folder: Path | None) -> Any:
    if isinstance(value, Path):
        return str(value) if folder is None else os.path.relpath(value, folder)
    if isinstance(value, Mapping):
        return {key: _plain(one, folder) for key, one in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _tuples(value: Any) -> Any:
    """Lists of a file as the tuples that parameters are."""
    if isinstance(value, Mapping):
        return {key: tuple(one) if isinstance(one, list) else one for key, one in value.items()}
    return tuple(value) if isinstance(value, list) else value


def _name_and_parameters(kind: str, value: Any) -> tuple[str, Any]:
    if isinstance(value, str):
        return value, None
    if not isinstance(value, Mapping):
        raise mistake(f"needs the name of {_one(kind)}, there is {describe_value(value)}.")
    if len(value) != 1:
        raise mistake(
            f"needs one {kind} with its parameters, there are {len(value)} keys. "
            f"Write one {kind} an entry: - name: {{parameters}}."
        )
    ((name, given),) = value.items()
    return str(name), given


def _one(kind: str) -> str:
    return f"an {kind}" if kind[0].casefold() in "aeiou" else f"a {kind}"


def _constructed(name: str, cls: type[Any], given: Mapping[str, Any]) -> Any:
    known = [field.name for field in fields(cls) if field.init]
    for key, value in given.items():
        if key not in known:
            what = f"'{key}' is not a parameter of {name}. {did_you_mean(key, known)}"
            raise mistake(what, (name, key))
        _check_text(name, key, value)
    for key in _needed(cls):
        if key not in given:
            raise mistake(f"'{key}' is missing. Write {_example(cls)}.", (name,))
    plain = {key: _tuples(value) for key, value in given.items()}
    try:
        made = cls(**plain)
    except ParameterError as error:
        told = str(error).removeprefix(f"{error.owner}: '{error.key}' ")
        there = given.get(error.key)
        what = f"{told} There is {describe_value(there)}.{hint_unquoted(there)}"
        raise mistake(what, (name, error.key)) from None
    except DiscreetError as error:
        raise mistake(str(error), (name,)) from None
    except OverflowError:
        made = None  # a number that does not fit; which one is said below
    for key, value in given.items():
        _check_numbers(name, key, value)
    return made


def _check_text(name: str, key: str, value: Any) -> None:
    """Column names and values are text: a number there has lost its zeros already."""
    if key == "column" and not isinstance(value, str):
        raise mistake(
            f"needs a column name, there is {describe_value(value)}. Use quotes.", (name, key)
        )
    if key not in TEXT_LISTS or value is None:
        return
    if not isinstance(value, list | tuple) or not value:
        there = "an empty list" if isinstance(value, list | tuple) else describe_value(value)
        raise mistake(f"needs a list, there is {there}. Write [a, b], or remove it.", (name, key))
    for item in value:
        if not isinstance(item, str):
            what = f"needs text, there is {describe_value(item)}. Put it in quotes."
            raise mistake(what, (name, key))
    if len(set(value)) != len(value):
        raise mistake("names something twice. Remove one.", (name, key))


def _check_numbers(name: str, key: str, value: Any) -> None:
    """No parameter can be infinite, or a number that calculations would round or overflow."""
    match value:
        case list() | tuple():
            for one in value:
                _check_numbers(name, key, one)
        case Mapping():
            for one in value.values():
                _check_numbers(name, key, one)
        case bool():
            pass
        case int() | float() if not is_number(value):
            what = f"needs a finite number up to {LARGEST:,}, there is {describe_value(value)}."
            raise mistake(what, (name, key))


def _needed(cls: type[Any]) -> list[str]:
    return [field.name for field in fields(cls) if field.init and _bare(field)]


def _bare(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _example(cls: type[Any]) -> str:
    inside = ", ".join(f"{key}: ..." for key in _needed(cls))
    return f"{cls.name}: {{{inside}}}"
