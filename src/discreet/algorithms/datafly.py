"""Datafly II's core: generalizes the most varied column until few enough rows are outliers."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from discreet.algorithms.claims import HeuristicError, make_unreachable_error
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Search, Solution, build_solution_at
from discreet.display import dataclass
from discreet.frequency.class_counter import Groups
from discreet.frequency.classes import Ints
from discreet.hierarchy.lattice import Node
from discreet.models import BY_CLASS, BY_REGISTER
from discreet.models.k_anonymity import KAnonymity
from discreet.models.parameters import require_choice
from discreet.models.risks import LargestRisk


@dataclass(frozen=True)
class Datafly:
    """Sweeney's heuristic: quick, keeps the promises, may generalize more than is needed.

    Parameters
    ----------
    heuristic
        ``distinct`` generalizes the column with the most distinct values, as published. ``minimal``
        then takes back levels that were not needed.

        They are taken back best first, so that ``minimal`` never ends above a minimal node.

    Notes
    -----
    [Sweeney2001]_, sec. 6.2, figs. 39 to 42; sec. 6.1 on profiles: columns of less weight are
    generalized first, and a recipient's profile gives columns that are more likely to be linked
    less weight. With equal weights the choice is the published one. *Departures*: any model of a
    policy decides which classes fail; if there are several quasi-identifiers, a column is taken
    from one that fails; the limit on suppressed rows is the policy's instead of k; if fewer than k
    rows are suppressed, more are added to make k, following the text of sec. 6.3.2 (fig. 42 counts
    down to 0 before the test, and then adds as many again, which can leave fewer than k). That
    complement may not exceed the limit either. ``minimal`` answers sec. 6.5, future work 1. *Cost*:
    one roll-up per step, at most the sum of the heights; ``minimal`` at most that times the columns
    more.
    """

    heuristic: Literal["distinct", "minimal"] = "distinct"

    name: ClassVar[str] = "datafly"
    claims: ClassVar[tuple[type, ...]] = (*BY_CLASS, *BY_REGISTER)

    def __post_init__(self) -> None:
        require_choice(self.name, "heuristic", self.heuristic, ("distinct", "minimal"))

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> Solution:
        """Solve a problem, or raise if not even the most general release keeps the promises.

        Quick on any table, so ``seconds`` is ignored.
        """
        node, checked = problem.lattice.bottom, 1
        dropped = suppress(problem, node)
        while dropped is None:
            node = generalize(problem, node)
            dropped = suppress(problem, node)
            checked += 1
            if progress is not None:
                progress(checked)
        if self.heuristic == "minimal":
            node, dropped, tried = _step_down(problem, node, dropped)
            checked += tried
        search = Search(False, None, problem.lattice.nodes, checked)
        return build_solution_at(problem, self.name, node, dropped, search)


def generalize(problem: Problem, node: Node) -> Node:
    """Raise one column by one level: the lightest, then that with most distinct values (fig. 40).

    If there are several quasi-identifiers, only columns of those that fail are considered.
    """
    groups = problem.counter.groups(node)
    distinct = problem.counter.count_variety(groups)
    top, weights = problem.lattice.top, problem.table.weights
    open_columns = [c for c in range(len(node)) if node[c] < top[c]]
    if not open_columns:
        never = problem.attempt(node).least_suppressed > problem.limit
        raise make_unreachable_error(problem) if never else HeuristicError(Datafly.name)
    failing = _find_failing_columns(problem, groups) & set(open_columns)
    column = max(failing or open_columns, key=lambda c: (-weights[c], distinct[c], -c))
    return (*node[:column], node[column] + 1, *node[column + 1 :])


def _find_failing_columns(problem: Problem, groups: Groups) -> set[int]:
    """Columns of the quasi-identifiers that suppress too many rows, or else any rows."""
    rows = problem.requirement.count_failing(problem.counter, groups)
    too_many = {places: number for places, number in rows.items() if number > problem.limit}
    return {c for places, number in (too_many or rows).items() if number for c in places}


def suppress(problem: Problem, node: Node) -> Ints | None:
    """Rows of each class to leave out, or None if they are more than allowed (fig. 42)."""
    groups = problem.counter.groups(node)
    judgement = problem.requirement.judge(problem.counter, groups)
    if judgement.suppressed > problem.limit:
        return None
    failing = np.where(judgement.fails, groups.rows, 0)
    dropped = suppress_complement(problem, groups, failing)
    more = int(dropped.sum()) - int(failing.sum())
    if int(dropped.sum()) > problem.limit or (
        more and not _keeps_promises(problem, groups, dropped)
    ):
        return None
    return dropped


def suppress_complement(problem: Problem, groups: Groups, dropped: Ints) -> Ints:
    """Suppress further rows of the smallest class, so that there are at least k suppressed rows."""
    models = problem.requirement.models
    sizes = [model for model in models if isinstance(model, KAnonymity | LargestRisk)]
    k = max((model.least_rows for model in sizes), default=0)
    divisible = len(sizes) == len(models) == 1
    dropped = dropped.copy()
    while 0 < int(dropped.sum()) < k and (dropped < groups.rows).any():
        wanted = k - int(dropped.sum())
        kept = groups.rows - dropped
        smallest = int(np.where(kept > 0, kept, np.iinfo(np.int64).max).argmin())
        spare = divisible and kept[smallest] - wanted >= k
        dropped[smallest] += wanted if spare else kept[smallest]
    return dropped


def _keeps_promises(problem: Problem, groups: Groups, dropped: Ints) -> bool:
    """Whether the rest keeps the promises: a complement can break one with its own columns."""
    rest = Groups(groups.node, groups.keys, groups.rows - dropped, groups.tallies, groups.entries)
    verdicts = problem.requirement.list_verdicts(problem.counter, rest, dropped < groups.rows)
    return all(verdict.holds for verdict in verdicts)


def _step_down(problem: Problem, node: Node, dropped: Ints) -> tuple[Node, Ints, int]:
    """Lower single columns while the promises hold, the best measure first."""
    tried = 0
    while True:
        best: tuple[float, Node, Ints] | None = None
        for column, level in enumerate(node):
            if level == 0:
                continue
            lower = (*node[:column], level - 1, *node[column + 1 :])
            tried += 1
            left_out = suppress(problem, lower)
            if left_out is None:
                continue
            score = problem.score(problem.measure, problem.counter.groups(lower), left_out)
            if best is None or score < best[0]:
                best = score, lower, left_out
        if best is None:
            return node, dropped, tried
        _, node, dropped = best
