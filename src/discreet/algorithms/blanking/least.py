"""What no release of the kind that is looked for can do without."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.blanking.floors import Floors, absent
from discreet.algorithms.cell_recoding import part_mass
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.classes import Floats


@dataclass(frozen=True)
class Least:
    """The fewest blanks, cells of rows left out included, and the best score, if one is known."""

    blanks: int
    score: float | None


def least_of(problem: Problem, floors: Floors, helped: bool) -> Least:
    """Add up what each row must lose, at the least.

    Where blanks of other rows help, that is the cheapest cell of each row at risk, and otherwise
    the cheapest cells without which k rows are alike.
    """
    ones = np.ones((len(problem.frequency.columns), len(problem.frequency)))
    blanks = (_by_tuple(problem, floors, ones, helped) * problem.frequency.rows).sum()
    return Least(int(np.ceil(blanks - 1e-6)), _score(problem, floors, helped))


def _score(problem: Problem, floors: Floors, helped: bool) -> float | None:
    cost = problem.cost
    if cost is None:
        return None
    everyone = np.arange(len(problem.frequency))
    mass = part_mass(problem, everyone, problem.frequency.rows)
    lost = float((_by_tuple(problem, floors, prices(problem), helped) * mass).sum())
    ground = cost.score(problem.lattice.bottom, np.zeros(len(problem.frequency.columns)))
    return cost.least(ground + lost / max(cost.total, 1e-300))


def _by_tuple(problem: Problem, floors: Floors, price: Floats, helped: bool) -> Floats:
    """The least price of each tuple, for a row; what is missing cannot be blanked."""
    if not (problem.requirement.wildcard and helped):
        return floors.least(price)
    gaps = absent(problem)
    found = np.zeros(price.shape[1])
    found[floors.risky] = np.where(gaps, np.inf, price)[:, floors.risky].min(axis=0)
    return found


def prices(problem: Problem) -> Floats:
    """What a blank adds to the policy's measure, by column and tuple."""
    cost = problem.cost
    assert cost is not None
    columns = zip(cost.slope, cost.rise, problem.frequency.codes, strict=True)
    return np.array([slope * rise[0][codes] for slope, rise, codes in columns])


def proportional(problem: Problem, weights: Floats) -> bool:
    """Whether the cheapest blanks are the best release by the policy's measure, too."""
    if problem.cost is None or problem.cost.least is not float or not problem.unweighted:
        return False
    varied = [h.size(0) > 1 for h in problem.lattice.hierarchies]
    ratio = (prices(problem) / weights[:, None])[varied]
    return not ratio.size or bool(np.ptp(ratio) <= 1e-9 * ratio.max())
