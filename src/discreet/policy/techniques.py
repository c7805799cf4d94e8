"""The techniques of a policy: for the table as a whole, and for single columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from discreet.display import safe_repr
from discreet.errors import did_you_mean
from discreet.policy.parameter_classes import BY_COLUMN
from discreet.policy.parts import list_parameters
from discreet.policy.policy_file import Key
from discreet.table.table import Role
from discreet.techniques import AddTuples, SuppressValues, Swap
from discreet.techniques.technique import TURNS, Technique

if TYPE_CHECKING:
    from discreet.policy.policy import Policy


BESIDE = ("within", "given", "classes", "entity")
"""Parameters that name columns which a technique looks at and leaves alone."""


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


def describe_changes(policy: Policy, columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What techniques do to each of these columns, in words, in the order of the steps."""
    found: dict[str, tuple[str, ...]] = {}
    for step in list_steps(policy):
        for name in step.columns:
            if name in columns:
                found[name] = (*found.get(name, ()), step.technique.done)
    return found


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


# Techniques that a policy must not have: on columns that stay, under promises that they undo.


COARSER = "round_values, top_code, bottom_code, microaggregate or suppress_values"
"""Techniques that leave a quasi column true, so that rows alike in it can be counted."""

Problem = tuple[Key, str]


def find_technique_problems(policy: Policy) -> Iterator[Problem]:
    """Why some techniques cannot be run, or must not."""
    found = list_steps(policy)
    for number, step in enumerate(found):
        for name in step.columns:
            yield from _find_unreleased_columns(policy, step, name)
        for name in step.beside:
            yield from _find_unseen_columns(policy, step, name)
        yield from _find_row_problems(policy, step)
        yield from _find_quasi_problems(policy, step)
        yield from _find_blanked_columns(step, found[:number])


def _find_unreleased_columns(policy: Policy, step: Step, name: str) -> Iterator[Problem]:
    """Only what is released is changed."""
    if name not in policy.columns:
        what = f"the policy has no column '{name}', so it is not released and not changed"
        yield step.key, f"{what}. {did_you_mean(name, policy.released)}"
    elif policy.columns[name].role is Role.identifier:
        what = f"column '{name}' is an identifier, and techniques never see identifiers"
        yield step.key, f"{what}. Replace it (columns.{name}.replace), or name another column."
    elif name not in policy.released:
        what = f"column '{name}' is not released, so it is not changed"
        yield step.key, f"{what}. Set columns.{name}.scrub: true, or name another column."
    elif step.key[0] == "columns" and (name,) != (step.key[1],):
        yield step.key, f"it is about column '{name}'. Put it in 'techniques'."


def _find_unseen_columns(policy: Policy, step: Step, name: str) -> Iterator[Problem]:
    """The columns beside are only looked at, but the true identifiers not even that."""
    column = policy.columns.get(name)
    own = name == getattr(step.technique, "entity", None)
    if column is not None and column.role is Role.identifier and not own:
        what = f"column '{name}' is an identifier, and techniques never see identifiers"
        yield step.key, f"{what}. Name another column."


def _find_row_problems(policy: Policy, step: Step) -> Iterator[Problem]:
    technique = step.technique
    if isinstance(technique, AddTuples):
        models = ", ".join(dict.fromkeys(model.name for model in policy.require))
        what = f"{models} would be counted on synthetic rows, which protect nobody"
        yield step.key, f"{what}. Remove it; from Python, synthetic rows can be added to a table."
    if isinstance(technique, SuppressValues) and technique.drop:
        what = "drop leaves columns out. Take them out of 'columns' instead"
        yield step.key, f"{what}: only columns that the policy names are released."
    if _is_whole_unit(technique, policy.released):
        what = "every released column is in the unit, so whole rows are swapped and nothing is"
        yield step.key, f"{what} hidden. Name the quasi columns only."


def _find_quasi_problems(policy: Policy, step: Step) -> Iterator[Problem]:
    """What promises are counted on must be what people have."""
    technique = step.technique
    models, columns = list[str](), list[str]()
    people = policy.people is not None  # rows that change places make records that nobody has
    for model in policy.require:
        counted = policy.quasi if model.columns is None else model.columns
        touched = [name for name in step.columns if name in counted]
        if not touched or getattr(model, "k", None) == 1:
            continue
        if hasattr(model, "register"):
            names = _list_names(touched)
            what = f"{model.name} compares {names} with a register, which has the values"
            fix = f"Use a hierarchy (columns.{touched[0]}.hierarchy)"
            yield step.key, f"{what} as they were. {fix}, or leave the column out of it."
        elif not technique.truthful and (people or not _is_whole_unit(technique, counted)):
            models.append(model.name)
            columns += touched
    if models:
        names = _list_names(columns)
        what = f"{_list_names(models)} would be counted on values of {names} that are not"
        unit = () if people else policy.quasi
        yield step.key, f"{what} the people's own. {_write_fix(technique, unit)}"


def _is_whole_unit(technique: Any, columns: Sequence[str]) -> bool:
    """Whether all these columns move as a unit: then their combinations stay people's own."""
    unit = isinstance(technique, Swap) and technique.unit
    return unit and set(columns) <= set(technique.columns)


def _write_fix(technique: Any, unit: Sequence[str]) -> str:
    coarser = f"Use one that only generalizes it ({COARSER}), or change other columns"
    if isinstance(technique, Swap) and unit:
        return f"Swap all quasi columns as a unit (columns: [{', '.join(unit)}]). Or: {coarser}."
    return f"{coarser}."


def _find_blanked_columns(step: Step, before: Sequence[Step]) -> Iterator[Problem]:
    """A column that is blanked as a whole loses what was done to it."""
    technique = step.technique
    if not isinstance(technique, SuppressValues) or technique.drop:
        return
    if technique.share < 1 or technique.rarer_than is not None:
        return
    for name in technique.columns:
        lost = [one.technique.name for one in before if name in one.columns]
        if lost:
            what = f"blanks all of '{name}' after {_list_names(lost)}, whose effect is lost"
            yield step.key, f"{what}. Remove one of the two."


def _list_names(names: Sequence[str]) -> str:
    *most, last = dict.fromkeys(names)
    return f"{', '.join(most)} and {last}" if most else last
