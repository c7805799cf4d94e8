"""How to get there: each algorithm turns a counted table into a release that keeps the promises."""

from discreet.algorithms.datafly import Datafly
from discreet.algorithms.optimal import Optimal
from discreet.algorithms.problem import Problem
from discreet.algorithms.solution import Search, Solution

ALL = (Optimal, Datafly)

Algorithm = Optimal | Datafly

__all__ = ["ALL", "Algorithm", "Datafly", "Optimal", "Problem", "Search", "Solution"]
