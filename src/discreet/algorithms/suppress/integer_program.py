"""An integer program, built block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from discreet.display import dataclass
from discreet.frequency.classes import Floats

Index = npt.NDArray[np.int64]
Term = tuple[Index, Index, Any]
"""The constraint, variable and coefficient of each entry."""


@dataclass(frozen=True, eq=False)
class Rounded:
    """An answer, its cost, a lower bound on the cost, and whether these are equal."""

    values: Floats
    bound: float
    proven: bool


@dataclass(eq=False)
class Program:
    """Variables from 0 up to a limit each, at a cost, under linear constraints."""

    cost: list[Floats] = field(default_factory=list)
    most: list[Floats] = field(default_factory=list)
    whole: list[Floats] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)
    low: list[Floats] = field(default_factory=list)
    high: list[Floats] = field(default_factory=list)
    variables: int = 0
    constraints: int = 0

    def add(self, cost: Floats, most: npt.NDArray[Any], whole: bool = False) -> Index:
        """Add variables, and return their numbers."""
        self.cost.append(cost)
        self.most.append(most.astype(np.float64))
        self.whole.append(np.full(len(cost), float(whole)))
        self.variables += len(cost)
        return np.arange(self.variables - len(cost), self.variables)

    def rows(self, terms: Sequence[Term], low: Any, high: Any, count: int | None = None) -> None:
        """Add constraints: the sum of the terms of each is between ``low`` and ``high``."""
        number = count or max((int(t[0].max()) + 1 for t in terms if len(t[0])), default=0)
        for place, variable, factor in terms:
            entries = np.broadcast_to(np.asarray(factor, dtype=np.float64), place.shape)
            self.terms.append((place + self.constraints, variable, entries))
        self.low.append(np.broadcast_to(np.asarray(low, dtype=np.float64), (number,)))
        self.high.append(np.broadcast_to(np.asarray(high, dtype=np.float64), (number,)))
        self.constraints += number

    def solve(self, seconds: float | None) -> Rounded | None:
        """The cheapest answer, or the best one in time, or None."""
        place, variable, factor = (np.concatenate(part) for part in zip(*self.terms, strict=True))
        shape = (self.constraints, self.variables)
        matrix = scipy.sparse.csr_array((factor, (place, variable)), shape=shape)
        found = scipy.optimize.milp(
            np.concatenate(self.cost),
            integrality=np.concatenate(self.whole),
            bounds=scipy.optimize.Bounds(0.0, np.concatenate(self.most)),
            constraints=scipy.optimize.LinearConstraint(
                matrix, np.concatenate(self.low), np.concatenate(self.high)
            ),
            options={"mip_rel_gap": 0.0, **({} if seconds is None else {"time_limit": seconds})},
        )
        if found.x is None:
            return None
        return Rounded(found.x, float(found.mip_dual_bound), found.status == 0)
