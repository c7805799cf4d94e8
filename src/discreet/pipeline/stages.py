"""What differs between releases: the unit that is counted, and what is already out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Solution
from discreet.display import safe_repr
from discreet.pipeline.prepare import Prepared
from discreet.pipeline.progress import Progress
from discreet.pipeline.rows import RowAnswer
from discreet.pipeline.search import run_algorithm
from discreet.policy.policy import Policy

if TYPE_CHECKING:
    from discreet.pipeline.people.people import PeopleAnswer


class Unit(Protocol):
    """What is counted, and so what the promises are about: rows, or people."""

    def count(self, source: Prepared, progress: Progress | None = None) -> Any:
        """One pass over the rows; what was counted has a ``total``."""

    def settle(self, policy: Policy, counted: Any) -> Policy:
        """The policy with hierarchies for the columns that leave them to the data."""

    def plan(self, policy: Policy, counted: Any) -> Problem:
        """The problem that an algorithm solves: hierarchies, models, measure, constraints."""

    def answer(
        self,
        source: Prepared,
        policy: Policy,
        counted: Any,
        problem: Any,
        solution: Solution | CellSolution,
    ) -> RowAnswer | PeopleAnswer:
        """What the solution releases: verdicts, facts, and the second pass over the rows."""


class History(Protocol):
    """What is already out of a table."""

    def recall(self, policy: Policy) -> Recalled:
        """What the recipients of a new release hold; refuses a policy that cannot go with it."""


class Recalled(Protocol):
    """What the recipients of a new release hold already, and what that demands of it."""

    def search(
        self,
        source: Prepared,
        policy: Policy,
        counted: Any,
        problem: Problem,
        progress: Progress | None,
    ) -> Found:
        """The best release that keeps the promises together with what is out."""


class Record(Protocol):
    """Remembers a release: entered before its file takes its name, and confirmed after."""

    @property
    def known(self) -> tuple[int, ...]:
        """The numbers of the earlier releases that its recipients hold."""

    def begin(self) -> None:
        """The release is about to be written, maybe once more."""

    def draft(self, name: str, hidden: Path | None) -> None:
        """Take down what was written and verified, and is to appear under this name.

        A table of a database has no ``hidden`` file.
        """

    def facts(self) -> dict[str, Any]:
        """Where the release is remembered, as plain data."""

    def enter(self) -> None:
        """Remember it, on disk: from the next moment on it may be out."""

    def withdraw(self) -> None:
        """It is certain that it is not out."""

    def confirm(self) -> None:
        """It is certain that it is out."""


@safe_repr
class Found(NamedTuple):
    """The problem that was solved, its solution, and what there is to say and remember of it."""

    problem: Problem
    solution: Solution | CellSolution
    notes: tuple[str, ...] = ()
    record: Record | None = None


class NothingOut:
    """No earlier release is known, and this one is not remembered."""

    def recall(self, policy: Policy) -> NothingOut:
        """Any policy goes with nothing."""
        return self

    def search(
        self,
        source: Prepared,
        policy: Policy,
        counted: Any,
        problem: Problem,
        progress: Progress | None,
    ) -> Found:
        """What the policy's algorithm finds."""
        return Found(problem, run_algorithm(problem, policy, progress))
