"""The two shapes a model can have: a promise about every class, or about the table as a whole."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from discreet.display import safe_repr
from discreet.errors import InternalError
from discreet.frequency.classes import Classes, Floats, Ints, Mask
from discreet.models.verdict import Verdict


class Model(Protocol):
    """A requirement on a release."""

    @property
    def name(self) -> str:
        """The name in a policy."""

    @property
    def columns(self) -> tuple[str, ...] | None:
        """Its own quasi-identifier, or None for all quasi columns."""

    @property
    def sensitive(self) -> str | None:
        """The sensitive column it is about, if any."""

    @property
    def limit(self) -> float:
        """The number that its measure is compared with, as in its verdict."""

    @property
    def promise(self) -> str:
        """The promise as a clause for a reader who does not know the model's name."""

    @property
    def least_rows(self) -> int:
        """No class smaller than this can pass; 1 if it promises no class size."""

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Measure how far the promise is kept by these classes."""


@runtime_checkable
class ClassModel(Model, Protocol):
    """A promise about each class; the union of two classes that pass always passes.

    That closure is what the search builds on: a release that passes at one node still passes when
    it is generalized further.
    """

    @property
    def hereditary(self) -> bool:
        """Whether every part of a failing class fails too."""

    def fails(self, classes: Classes) -> Mask:
        """Mark the classes that must not be released as they are."""

    def count_keepable(self, classes: Classes) -> Floats:
        """At most this many rows of each class can be released at any finer node."""


@safe_repr
class LeftOut(NamedTuple):
    """Whether a node may leave out what it does, and the rows every finer node must at least."""

    allowed: bool
    least: int


@runtime_checkable
class RegisterModel(ClassModel, Protocol):
    """A promise about each class and the people of a register whom its values fit.

    ``tally`` names the sums by class that count those people. Classes without rows of the table are
    there too, if they fit anybody.
    """

    @property
    def tally(self) -> str:
        """The name of the counts of the register."""

    @property
    def register(self) -> Path:
        """The file of the register."""

    @property
    def names(self) -> dict[str, str] | None:
        """The register's name of each quasi column that is called otherwise there."""

    @property
    def key(self) -> str | None:
        """The column that tells whose row it is, in the table and in the register."""

    def check_size(self, rows: int, register: int) -> None:
        """Refuse a table and a register for which no release can keep the promise."""

    def judge_left_out(self, classes: Classes, fails: Mask) -> LeftOut:
        """Judge what is learned of the people whom no released class fits."""


@runtime_checkable
class TableModel(Model, Protocol):
    """A promise about all rows together; small classes are suppressed until it holds."""

    def find_least_class(self, rows: Ints) -> int:
        """The smallest class size that may stay so that the promise holds for what stays."""

    def count_keepable(self, rows: Ints) -> int:
        """At most this many rows of the table can be released at any finer node."""


MEMBERS = (
    "name",
    "columns",
    "sensitive",
    "limit",
    "promise",
    "least_rows",
    "judge_classes",
    "check",
)
"""What every model of a policy has of its own; nothing is guessed where one is missing.

``check(evidence)`` is the second opinion: it measures the promise anew on the released file, in
SQL, from its definition, and uses none of the codes, keys or kernels of the search. A promise that
the file cannot show raises :class:`Unchecked` and says why. What holds a release to earlier ones,
in the ledger, has the shape of a model without it.
"""


def require_members(models: Iterable[type[object]]) -> None:
    """Refuse a model that lacks something that every release states about its models."""
    for model in models:
        lacking = [member for member in MEMBERS if not hasattr(model, member)]
        if lacking:
            raise InternalError(f"the model {model.__name__} lacks {', '.join(lacking)}")
