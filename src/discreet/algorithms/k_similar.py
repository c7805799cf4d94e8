"""Sweeney's k-Similar: rows are clustered with the k rows closest to them."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import numpy as np

from discreet.algorithms.box_search import Progress
from discreet.algorithms.cell_solution import CellSolution, cell_solution
from discreet.algorithms.claims import class_size
from discreet.algorithms.exact import Exact, nothing
from discreet.algorithms.floors import floor_bound
from discreet.algorithms.problem import Problem
from discreet.algorithms.similar.clique_construct import clique_construct
from discreet.algorithms.similar.k_similar_run import k_similar_run
from discreet.algorithms.similar.table_construct import table_construct
from discreet.algorithms.solution import Search
from discreet.display import dataclass
from discreet.errors import TooLargeError
from discreet.models.k_anonymity import KAnonymity
from discreet.models.largest_risk import LargestRisk
from discreet.models.parameters import require_choice
from discreet.models.safe_harbor import SafeHarbor

MOST_COMBINATIONS = 20_000
"""Combinations of k rows that are looked at: 200 rows for k = 2, 50 for k = 3, 27 for k = 4."""


@dataclass(frozen=True)
class KSimilar:
    """Each cell keeps a level of its own: rows are released with the rows closest to them.

    Parameters
    ----------
    variant
        ``published`` is the algorithm as printed, for small tables. ``exact`` finds what it was
        meant to find, the release with the least distortion, with the algorithm exact.

    Notes
    -----
    [Sweeney2001]_, sec. 8.2, figs. 84 to 106. *Departures*: in the steps, each at its own place
    (``algorithms/similar``); the printed figures do not always find what the text and the
    walk-throughs say, or leave rows without a cluster. No row is suppressed, unless there are fewer
    than k and all may be. The distance is that of Prec, or of weighted Prec if that is the
    measure. The thesis calls the result a k-minimal distortion; it need not be (fig. 35's GT1 is
    not). *Cost*: the combinations of k rows; larger tables are refused.
    """

    variant: Literal["published", "exact"] = "published"

    name: ClassVar[str] = "k-similar"
    claims: ClassVar[tuple[type, ...]] = (KAnonymity, LargestRisk, SafeHarbor)

    def __post_init__(self) -> None:
        require_choice(self.name, "variant", self.variant, ("published", "exact"))

    def __call__(
        self, problem: Problem, seconds: float | None = None, progress: Progress | None = None
    ) -> CellSolution:
        """Solve a problem, or raise if not even the most general release keeps the promises.

        ``seconds`` are for the variant exact; as published, tables that take long are refused.
        """
        if self.variant == "exact":
            return Exact()(problem, seconds, progress)
        k = class_size(self, problem)
        search = Search(False, floor_bound(problem), problem.lattice.nodes, 0)
        if problem.total < k:
            return cell_solution(problem, self.name, nothing(problem), search)
        refuse_large(problem.total, k)
        owner = np.repeat(np.arange(len(problem.frequency)), problem.frequency.rows)
        clique = clique_construct(problem, owner)

        def told() -> None:
            if progress is not None:
                progress(0, 0.0, None)

        clusters = k_similar_run(clique, tuple(range(len(owner))), k, told)
        recoding = table_construct(problem, owner, clique, clusters)
        return cell_solution(problem, self.name, recoding, search)


def refuse_large(rows: int, k: int) -> None:
    """Say so before any work is done on a table that is too large."""
    if math.comb(rows, k) > MOST_COMBINATIONS:
        most = k
        while math.comb(most + 1, k) <= MOST_COMBINATIONS:
            most += 1
        what = f"rows, for classes of {k}"
        raise TooLargeError(KSimilar.name, what, rows, most, "local")
