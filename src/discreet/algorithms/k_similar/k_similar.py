"""Sweeney's k-Similar: rows are clustered with the k rows closest to them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np

from discreet.algorithms.cell_recoding import CellRecoding, recode_at_levels
from discreet.algorithms.claims import find_class_size
from discreet.algorithms.exact.exact import Exact, release_nothing
from discreet.algorithms.floors import find_floor_bound
from discreet.algorithms.k_similar.minimums import (
    Clique,
    Cluster,
    add_tuple,
    choose_disjoint,
    common_tuples,
    find_complements,
    generate_minimums,
    partition,
)
from discreet.algorithms.optimal.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Search, build_cell_solution
from discreet.display import dataclass
from discreet.errors import TooLargeError
from discreet.frequency.classes import Floats, Ints
from discreet.measures import Precision, WeightedPrecision
from discreet.models.k_anonymity import KAnonymity
from discreet.models.parameters import require_choice
from discreet.models.risks import LargestRisk
from discreet.models.safe_harbor import SafeHarbor

# CliqueConstruct: the distance vectors between every two rows.


def clique_construct(problem: Problem, owner: Ints) -> Clique:
    """Compare every two rows, ``owner`` being the distinct tuple of each.

    Notes
    -----
    [Sweeney2001]_, figs. 90 and 91. *Departures*: none; the length of the path between two values
    is the level at which they are first equal, as defined in sec. 8.2.1. *Cost*: the square of the
    rows, times levels.
    """
    columns = []
    for codes, hierarchy in zip(problem.frequency.codes, problem.lattice.hierarchies, strict=True):
        ground = codes[owner]
        distance = np.zeros((len(owner), len(owner)), dtype=np.uint8)
        for level in range(hierarchy.height):
            at_level = hierarchy.maps[level][ground]
            distance += at_level[:, None] != at_level[None, :]
        columns.append(distance)
    return Clique(np.stack(columns, axis=2), weigh_levels(problem))


def weigh_levels(problem: Problem) -> Floats:
    """The weight of one level of each column in Prec, or in the weighted Prec of the policy."""
    weighted = isinstance(problem.measure, WeightedPrecision)
    measure = problem.measure if weighted else Precision()
    heights = np.array([max(1, h.height) for h in problem.lattice.hierarchies], dtype=np.float64)
    slope = measure.on(problem.table).slope  # type: ignore[union-attr]
    shares: Floats = slope / slope.mean() / heights
    return shares


# TableConstruct: the rows of each cluster, generalized until they are equal.


def table_construct(
    problem: Problem, owner: Ints, clique: Clique, clusters: list[Cluster]
) -> CellRecoding:
    """Release every row at the maximal distance vector of its cluster.

    Notes
    -----
    [Sweeney2001]_, figs. 94 and 97. *Departures*: step 2.5.1 generalizes the rows numbered 1 to the
    size of the cluster; meant are the rows of the cluster.
    """
    parts = [
        (owner[row], *clique.maximal(cluster).tolist()) for cluster in clusters for row in cluster
    ]
    different, rows = np.unique(np.array(parts, dtype=np.int64), axis=0, return_counts=True)
    return recode_at_levels(problem, different[:, 1:], different[:, 0], rows)


# kSimilarRun and kSimilarRunParts: which rows are released together.


Tick = Callable[[], None]
"""Called from time to time; may raise to stop the work."""


def k_similar_run(clique: Clique, rows: Cluster, k: int, tick: Tick) -> list[Cluster]:
    """Divide k rows or more into clusters of at least k.

    Notes
    -----
    [Sweeney2001]_, fig. 92. *Departures*: see :func:`choose_disjoint`; the minimals of the
    remaining rows are made once, after all complementary minimums are removed.
    """
    tick()
    if len(rows) < 2 * k:
        return [rows] if rows else []
    mins = generate_minimums(clique, rows, k)
    complements = choose_disjoint(find_complements(mins), len(rows), k)
    rest = leave_out_rows(rows, *complements)
    if complements and rest:
        mins = generate_minimums(clique, rest, k)
    return complements + (k_similar_run_parts(clique, mins, k, tick) if rest else [])


def k_similar_run_parts(clique: Clique, mins: list[Cluster], k: int, tick: Tick) -> list[Cluster]:
    """Divide the rows of each connected group of minimals by itself.

    Notes
    -----
    [Sweeney2001]_, fig. 93. *Departures*: the figure asserts that the minimals of a group of 2k
    rows or more have rows in common. They need not (two rows may each be the nearest of several
    others), and then the figure would repeat with the same rows forever: instead, the closest
    minimal of the group is released, and the run continues with the rest. If fewer than 2k rows are
    left without the withheld ones, these are one cluster (step 4.2.1 has minimals minus the
    withheld rows, which are not clusters).
    """
    clusters: list[Cluster] = []
    while mins:
        group, mins = partition(mins)
        rows = tuple(sorted(set().union(*group)))
        withheld = common_tuples(group)
        if len(rows) < 2 * k:
            clusters.append(rows)
        elif withheld:
            others = k_similar_run(clique, leave_out_rows(rows, withheld), k, tick)
            clusters += add_tuple(clique, withheld, others, k)
        else:
            closest = min(group, key=clique.distortion)
            clusters += [closest, *k_similar_run(clique, leave_out_rows(rows, closest), k, tick)]
    return clusters


def leave_out_rows(rows: Cluster, *clusters: Cluster) -> Cluster:
    """The rows that are in none of the clusters."""
    gone = {row for cluster in clusters for row in cluster}
    return tuple(row for row in rows if row not in gone)


MOST_COMBINATIONS = 20_000
"""Most combinations of k rows: those of 200 rows for k = 2, 50 for k = 3, 27 for k = 4."""


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
    [Sweeney2001]_, sec. 8.2, figs. 84 to 106. *Departures*: those of the steps are noted with each
    step; the printed figures do not always find what the text and the walk-throughs say, or leave
    rows without a cluster. No row is suppressed, unless there are fewer than k and all may be. The
    distance is that of Prec, or of weighted Prec if that is the measure. The thesis calls the
    result a k-minimal distortion; it need not be (fig. 35's GT1 is not). *Cost*: the combinations
    of k rows; larger tables are refused.
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

        ``seconds`` applies to the variant ``exact``; ``published`` refuses tables that take long.
        """
        if self.variant == "exact":
            return Exact()(problem, seconds, progress)
        k = find_class_size(self, problem)
        search = Search(False, find_floor_bound(problem), problem.lattice.nodes, 0)
        if problem.total < k:
            return build_cell_solution(problem, self.name, release_nothing(problem), search)
        refuse_large(problem.total, k)
        owner = np.repeat(np.arange(len(problem.frequency)), problem.frequency.rows)
        clique = clique_construct(problem, owner)

        def tick() -> None:
            if progress is not None:
                progress(0)

        clusters = k_similar_run(clique, tuple(range(len(owner))), k, tick)
        recoding = table_construct(problem, owner, clique, clusters)
        return build_cell_solution(problem, self.name, recoding, search)


def refuse_large(rows: int, k: int) -> None:
    """Refuse a table that is too large before any work is done."""
    if math.comb(rows, k) > MOST_COMBINATIONS:
        most = k
        while math.comb(most + 1, k) <= MOST_COMBINATIONS:
            most += 1
        what = f"rows, for classes of {k}"
        raise TooLargeError.for_algorithm(KSimilar.name, what, rows, most, "local")
