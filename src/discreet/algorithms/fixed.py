"""Levels that the data holder chose: the promises are checked there, and nothing is searched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import ClassVar

from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Search, Solution, build_solution_at
from discreet.display import dataclass
from discreet.errors import ParameterError, ReleaseError, did_you_mean
from discreet.hierarchy.lattice import Lattice, Node
from discreet.models import BY_CLASS, BY_REGISTER


@dataclass(frozen=True)
class Fixed:
    """Releases each quasi column at the level that you chose, or refuses if a promise would break.

    Classes that break a promise are suppressed, as long as they hold no more rows than the policy
    allows. Levels that were chosen by looking at the table may themselves tell something of it.

    Parameters
    ----------
    levels
        The level of each quasi column: 0 for values as found, then each level of its hierarchy.
        Columns that are not named are fully generalized.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2: one node of the lattice, here the data holder's. *Departures*: rows
    may be suppressed, by any model. *Cost*: one roll-up.

    >>> Fixed({"age": 2, "zip": 1}).name
    'fixed'
    """

    levels: Mapping[str, int] = field(default_factory=dict)

    name: ClassVar[str] = "fixed"
    claims: ClassVar[tuple[type, ...]] = (*BY_CLASS, *BY_REGISTER)

    def __post_init__(self) -> None:
        levels = self.levels
        if not isinstance(levels, Mapping):
            raise ParameterError(self.name, "levels", "a mapping of columns to levels: {age: 2}")
        for column, level in levels.items():
            whole = isinstance(level, int) and not isinstance(level, bool)
            if not isinstance(column, str) or not whole or level < 0:
                wanted = f"whole numbers from 0; that of '{column}' is not"
                raise ParameterError(self.name, "levels", wanted)
        object.__setattr__(self, "levels", dict(levels))

    def __hash__(self) -> int:
        return hash(frozenset(self.levels.items()))

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> Solution:
        """The release at the chosen levels, or the reason why there can be none.

        One node is counted, so ``seconds`` is not needed and not looked at.
        """
        node = self.find_node(problem.lattice)
        groups = problem.counter.groups(node)
        judged = problem.requirement.judge(problem.counter, groups)
        if judged.suppressed > problem.limit:
            raise _make_error(problem, node, min(judged.suppressed, problem.total))
        search = Search(False, None, problem.lattice.nodes, 1)
        return build_solution_at(problem, self.name, node, None, search)

    def find_node(self, lattice: Lattice) -> Node:
        """The chosen levels in the order of the lattice; refuses names and levels it has not."""
        heights = {one.column: one.height for one in lattice.hierarchies}
        for column, level in self.levels.items():
            if column not in heights:
                hint = did_you_mean(column, heights)[:-1]
                wanted = f"levels of quasi columns, and '{column}' is none. {hint}"
                raise ParameterError(self.name, "levels", wanted)
            if level > heights[column]:
                wanted = f"at most {heights[column]} for '{column}', the height of its hierarchy"
                raise ParameterError(self.name, "levels", wanted)
        return tuple(self.levels.get(column, height) for column, height in heights.items())


def _make_error(problem: Problem, node: Node, suppressed: int) -> ReleaseError:
    """How many rows would have to go, and how many may."""
    floor = problem.requirement.floor
    unit = problem.unit
    if floor is not None and any(a < b for a, b in zip(node, floor, strict=True)):
        what = "an earlier release or the anonymity level asks for coarser ones"
    else:
        what = (
            f"{suppressed:,} of {problem.total:,} {unit} would have to be suppressed to keep the "
            f"promises, and the policy allows {problem.limit:,}"
        )
    return ReleaseError(
        "the levels of algorithm fixed cannot be released",
        what,
        "Choose coarser levels, or use algorithm: optimal, which finds the best that are allowed.",
    )
