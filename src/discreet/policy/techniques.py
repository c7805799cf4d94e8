"""The techniques of a policy: for the table as a whole, and for single columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from discreet.display import safe_repr
from discreet.policy.parameter_classes import BY_COLUMN
from discreet.policy.parts import list_parameters
from discreet.policy.policy_file import Key
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
