"""The techniques of a policy: for the table as a whole, and for single columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import PydanticCustomError

from discreet.display import safe_repr
from discreet.policy.parts import OfColumn, build, describe_value, list_parameters, mistake
from discreet.policy.policy_file import Key
from discreet.techniques import ALL
from discreet.techniques.technique import TURNS, Technique

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


BESIDE = ("within", "given", "classes", "entity")
"""Parameters that name columns which a technique looks at and leaves alone."""
BY_COLUMN = ("domain", "formats")
"""Parameters with a setting for each column; as the technique of one column, the setting alone."""


@safe_repr
class Step(NamedTuple):
    """A technique of a policy, and the key that asks for it."""

    key: Key
    technique: Technique

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it changes; none if it is about rows."""
        return self.technique.columns

    @property
    def beside(self) -> tuple[str, ...]:
        """The columns that it looks at and leaves alone."""
        found: list[str] = []
        for parameter in BESIDE:
            names = getattr(self.technique, parameter, ()) or ()
            found += [names] if isinstance(names, str) else names
        return tuple(found)


def parse_techniques(value: Any, folder: Path = Path()) -> tuple[Technique, ...]:
    """What a policy says under ``techniques``: a list, in the order in which they are run."""
    if not isinstance(value, list | tuple):
        raise mistake(
            f"needs a list, there is {describe_value(value)}. Write - noise: {{columns: [a]}}."
        )
    return _each(value, lambda one: _built(one, folder))


def parse_column_techniques(value: Any, folder: Path = Path()) -> tuple[Technique, ...]:
    """What a policy says under ``technique`` of a column: one, or a list in order."""
    if not isinstance(value, OfColumn):
        raise mistake("a technique of a column is told in a policy, where the column has a name.")
    column, said = value
    if not isinstance(said, list | tuple):
        return (_of_column(column, said, folder),)
    return _each(said, lambda one: _of_column(column, one, folder))


def list_steps(policy: Policy) -> tuple[Step, ...]:
    """The techniques in the order in which they are run.

    First those that choose rows, then columns, then those that add or move rows; of each kind
    those of single columns first, in the order of the policy.
    """
    found = [
        Step(("columns", name, "technique"), technique)
        for name, column in policy.columns.items()
        for technique in column.technique
    ]
    found += [
        Step(("techniques", number, technique.name), technique)
        for number, technique in enumerate(policy.techniques)
    ]
    return tuple(sorted(found, key=lambda step: TURNS.index(step.technique.turn)))


def write_technique(
    technique: Technique, folder: Path | None = None, column: str | None = None
) -> Any:
    """What a policy file says of a technique; of one of a ``column`` without the column's name."""
    told = list_parameters(technique, folder)
    if column is not None:
        told.pop("columns")
        for name, one in told.items():
            if name in BY_COLUMN:
                told[name] = one[column]
    return {technique.name: told} if told else technique.name


def _each(value: Any, make: Callable[[Any], Technique]) -> tuple[Technique, ...]:
    """Every entry of a list, or all mistakes in it."""
    made, problems = [], []
    for number, one in enumerate(value):
        try:
            made.append(make(one))
        except PydanticCustomError as error:
            context = error.context or {}
            problems.append(((number, *context["key"]), context["what"]))
    if problems:
        raise PydanticCustomError("policy", "{what}", {"what": "", "problems": problems})
    return tuple(made)


def _built(said: Any, folder: Path) -> Technique:
    found: Technique = build("technique", ALL, said, folder)
    if getattr(found, "key", None) is not None:
        what = "a policy holds no key. Name its file in people.key, where techniques look for it."
        raise mistake(what, (found.name, "key"))
    return found


def _of_column(column: str, said: Any, folder: Path) -> Technique:
    if is_dataclass(said) and not isinstance(said, type):
        found = _built(said, folder)
        if found.columns != (column,):
            raise mistake(f"{found.name} is not about this column alone. Put it in 'techniques'.")
        return found
    name, given = said, None
    if isinstance(said, Mapping) and len(said) == 1:
        ((name, given),) = said.items()
    cls: Any = next((cls for cls in ALL if cls.name == name), None)
    if cls is not None and (given is None or isinstance(given, Mapping)):
        if "columns" not in {field.name for field in fields(cls)}:
            what = f"{name} is about rows, not about one column. Put it in 'techniques'."
            raise mistake(what, (name,))
        if given and "columns" in given:
            what = "the column is this one. Remove 'columns', or put it in 'techniques'."
            raise mistake(what, (name, "columns"))
        said = {name: {"columns": [column], **_for_column(column, given or {})}}
    return _built(said, folder)


def _for_column(column: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """A setting of this column need not name it."""
    return {
        name: {column: value} if name in BY_COLUMN and not isinstance(value, Mapping) else value
        for name, value in given.items()
    }
