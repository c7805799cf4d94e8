"""An estimate of population uniques, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from discreet.display import dataclass
from discreet.risk.class_sizes import ClassSizes
from discreet.risk.possible_populations import Possible

SMALL = 0.1
"""The share of the population up to which a table is a small sample."""

ALONE = 10.0
"""A model is not believed where so many times its number of unique people fit the sample."""

UNEQUAL = "rows were drawn with unequal chances (the weights differ), and this assumes equal ones"


@dataclass(frozen=True)
class PopulationEstimate:
    """How many people are alone in the population, by one method.

    ``uniques`` and ``share`` (of the population) are None where the method does not apply;
    ``reason`` then says why. ``interval`` holds the uniques with about 95 % probability if the
    model of the method is right; it says nothing of a wrong model, and not all methods have one.
    """

    method: str
    applies: bool
    uniques: float | None
    share: float | None
    reason: str = ""
    parameters: Mapping[str, float] = field(default_factory=dict)
    interval: tuple[float, float] | None = None

    @classmethod
    def found(
        cls,
        method: str,
        uniques: float,
        population: int,
        parameters: Mapping[str, float] | None = None,
        reason: str = "",
        interval: tuple[float, float] | None = None,
    ) -> PopulationEstimate:
        """An estimate that applies."""
        share = uniques / population
        return cls(method, True, uniques, share, reason, parameters or {}, interval)

    @classmethod
    def refused(
        cls, method: str, reason: str, parameters: Mapping[str, float] | None = None
    ) -> PopulationEstimate:
        """No number, and why."""
        return cls(method, False, None, None, reason, parameters or {})

    def facts(self) -> dict[str, Any]:
        """The estimate as plain data."""
        interval = None if self.interval is None else list(self.interval)
        return {**vars(self), "parameters": dict(self.parameters), "interval": interval}


def at_once(method: str, sizes: ClassSizes, population: int) -> PopulationEstimate | None:
    """What every method says of tables that leave nothing to estimate."""
    sizes.sampled(population)
    if sizes.rows == population:
        known = "the table is the whole population"
        return PopulationEstimate.found(method, float(sizes.uniques), population, reason=known)
    if sizes.uniques == 0:
        return PopulationEstimate.refused(
            method, "no row of the table is unique, so nothing shows how many are elsewhere"
        )
    return None


def outside(found: PopulationEstimate, possible: Possible | None) -> PopulationEstimate | None:
    """The refusal of a number that no population which fits the sample has."""
    if possible is None:
        reason = "no population gives such classes; is the table a simple random sample?"
        return PopulationEstimate.refused(found.method, reason, found.parameters)
    if found.uniques is None or possible.holds(found.uniques):
        return None
    reason = f"it says {found.uniques:,.0f}, but {possible} unique people fit the sample"
    return PopulationEstimate.refused(found.method, reason, found.parameters)


def by_model(found: PopulationEstimate, possible: Possible | None) -> PopulationEstimate:
    """A model's number, held against all populations that fit the sample.

    Refused where none of them has it, and where some have over ten times as many unique people:
    then the number comes from the model and not from the table. Else it says how far others go.
    """
    wrong = outside(found, possible)
    if wrong is not None or possible is None or found.uniques is None:
        return wrong or found
    if possible.most > ALONE * found.uniques:
        reason = (
            f"it says {found.uniques:,.0f}, which is the model's doing: {possible} unique people "
            "fit the sample"
        )
        return PopulationEstimate.refused(found.method, reason, found.parameters)
    if possible.decided:
        return found
    return replace(found, reason=f"if its model is right; {possible} fit the sample")


def too_small(method: str, sizes: ClassSizes, population: int) -> PopulationEstimate | None:
    """The refusal of methods that need more than a tenth of the population."""
    sampled = sizes.sampled(population)
    if sampled > SMALL:
        return None
    return PopulationEstimate.refused(
        method,
        f"the table is {100 * sampled:.2g} % of the population; up to {100 * SMALL:g} % this "
        "method estimates far too many",
    )
