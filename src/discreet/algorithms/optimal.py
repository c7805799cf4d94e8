"""The provably best release at the level of columns: MinGen without its exhaustive search."""

from __future__ import annotations

from typing import ClassVar

from discreet.algorithms.box_search import BoxSearch, Progress
from discreet.algorithms.large_lattice import search_large
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Search, Solution, solution_at
from discreet.algorithms.unreachable import unreachable
from discreet.display import dataclass
from discreet.errors import OutOfTimeError
from discreet.models import BY_CLASS, BY_REGISTER

LARGE = 10_000_000
"""Lattices with more nodes get a limit of time even if none is asked for."""

LARGE_SECONDS = 30.0


@dataclass(frozen=True)
class Optimal:
    """Finds the release that loses least of all that keep the promises, and proves it.

    Every column is generalized to one level of its hierarchy; classes that break a promise are left
    out, as long as they hold no more rows than the policy allows. Of all such releases the one with
    the best measure is taken.

    Notes
    -----
    [Sweeney2001]_, sec. 5.5, fig. 31, at the level of columns. *Departures*: rows may be
    suppressed; any model and measure; ``preferred()`` is a stated rule (see :class:`BoxSearch`);
    nodes are pruned by bounds instead of enumerated. *Cost*: see
    ``docs/explain/optimal-search.md``; memory for the distinct tuples, the remembered nodes and
    the boxes still open.
    """

    name: ClassVar[str] = "optimal"
    claims: ClassVar[tuple[type, ...]] = (*BY_CLASS, *BY_REGISTER)

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> Solution:
        """Solve a problem, or raise if not even the most general release keeps the promises.

        After ``seconds`` the best release so far is returned, with a bound on how much better any
        other could be. Without it the search runs until the best is proven, except on lattices of
        more than ten million nodes, which get 30 seconds.
        """
        if problem.lattice.nodes > LARGE:
            found = search_large(problem, LARGE_SECONDS if seconds is None else seconds, progress)
        else:
            found = BoxSearch(problem, seconds, progress).run()
        if found.best is None:
            raise unreachable(problem) if found.proven else OutOfTimeError()
        bound = problem.measure.shown(found.bound)
        search = Search(found.proven, bound, problem.lattice.nodes, found.checked)
        return solution_at(problem, self.name, found.best.node, None, search)
