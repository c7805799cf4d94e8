"""Algorithms: each turns a counted table into a release that keeps the promises."""

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.datafly import Datafly
from discreet.algorithms.exact.exact import Exact
from discreet.algorithms.fixed import Fixed
from discreet.algorithms.k_similar.k_similar import KSimilar
from discreet.algorithms.local.local import Local
from discreet.algorithms.mondrian.mondrian import Mondrian
from discreet.algorithms.mpalm.mpalm import Mpalm
from discreet.algorithms.mu_argus.mu_argus import MuArgus
from discreet.algorithms.optimal.optimal import Optimal
from discreet.algorithms.probabilistic.probabilistic import Probabilistic
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import CellSolution, Search, Solution
from discreet.algorithms.spalm import Spalm
from discreet.algorithms.suppress.suppress import Suppress

ALL = (
    Optimal,
    Datafly,
    Local,
    Exact,
    KSimilar,
    MuArgus,
    Suppress,
    Mondrian,
    Probabilistic,
    Spalm,
    Mpalm,
    Fixed,
)

Algorithm = (
    Optimal
    | Datafly
    | Local
    | Exact
    | KSimilar
    | MuArgus
    | Suppress
    | Mondrian
    | Probabilistic
    | Spalm
    | Mpalm
    | Fixed
)

__all__ = [
    "ALL",
    "Algorithm",
    "CellRecoding",
    "CellSolution",
    "Datafly",
    "Exact",
    "Fixed",
    "KSimilar",
    "Local",
    "Mondrian",
    "Mpalm",
    "MuArgus",
    "Optimal",
    "Probabilistic",
    "Problem",
    "Search",
    "Solution",
    "Spalm",
    "Suppress",
]
