"""How to get there: each algorithm turns a counted table into a release that keeps the promises."""

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.cell_solution import CellSolution
from discreet.algorithms.datafly import Datafly
from discreet.algorithms.exact import Exact
from discreet.algorithms.k_similar import KSimilar
from discreet.algorithms.local import Local
from discreet.algorithms.mondrian import Mondrian
from discreet.algorithms.mpalm import Mpalm
from discreet.algorithms.mu_argus import MuArgus
from discreet.algorithms.optimal import Optimal
from discreet.algorithms.probabilistic import Probabilistic
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Search, Solution
from discreet.algorithms.spalm import Spalm
from discreet.algorithms.suppress import Suppress

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
)

__all__ = [
    "ALL",
    "Algorithm",
    "CellRecoding",
    "CellSolution",
    "Datafly",
    "Exact",
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
