"""The risk of each class against the population, by the best that is known of the population."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints
from discreet.risk.class_sizes import ClassSizes
from discreet.risk.fit import LOOKED_AT
from discreet.risk.individual_risk import individual_risk
from discreet.risk.model_risk import pitman_risk, snb_risk
from discreet.risk.population_uniques import PopulationFindings
from discreet.risk.risk_floor import risk_floor

MORE = 1.1
"""A share of unique rows, or a floor of the risk, above this multiple contradicts a model."""

HALF = 0.5
"""A model's average is not taken below this part of the most that fits the sample."""

SURE = 0.05
"""The chance of so many unique rows under the model, below which it is contradicted."""

UNKNOWN = "as prosecutor, the most it can be: no model of the population fits this table"
UNDECIDED = "as prosecutor, the most it can be: the sample allows twice what models say, or more"


@dataclass(frozen=True, eq=False)
class Sought:
    """The chance of each class to be named from the population, how it came, and its floor.

    ``floor`` and ``ceiling`` are about the least and the most that the average over the rows can
    be, None where that is unknown.
    """

    risk: Floats
    method: str
    floor: float | None = None
    ceiling: float | None = None


def estimated(rows: Ints, weights: Floats, found: PopulationFindings) -> Sought:
    """E(1/F | f) where F is not known, by the first method that the table does not contradict.

    Parameters
    ----------
    rows
        Rows of each class, f.
    weights
        People that they stand for.
    found
        What is known of the population, with the models that fit.

    Notes
    -----
    First the negative binomial, see :func:`discreet.risk.individual_risk.individual_risk`. By it
    classes of f rows in the sample are as frequent as 1/f: a table with more unique rows than that
    contradicts it, and then it is far too low. Next the models of the population uniques that fit,
    :mod:`discreet.risk.model_risk`. A model can fit and be wrong, so none is taken whose average is
    below half of the most that any population allows which fits the sample: 1/F averages to classes
    over people, see :class:`~discreet.risk.possible_populations.PossiblePopulations`. Else the
    prosecutor's risk is taken, and the average is between ``floor`` and ``ceiling``. With weights
    that differ the ceiling is the prosecutor's, and models are held against the floor only.
    *Departures*: sdcMicro has the negative binomial whatever the table. *Cost*: one term a class.
    """
    sizes = ClassSizes.of(rows)
    floor = risk_floor(rows, np.maximum(weights, rows))
    ceiling = sizes.classes / sizes.rows
    least = 0.0
    if found.possible_classes is not None:
        ceiling = max(floor, min(ceiling, found.possible_classes.most / found.size))
        least = HALF * ceiling
    known = UNKNOWN
    for risk, method in _candidates(rows, weights, found, sizes):
        average = float((rows * risk).sum()) / sizes.rows
        if floor <= MORE * average and least <= average:
            return Sought(risk, method, floor, ceiling)
        known = UNDECIDED
    return Sought(1.0 / rows, known, floor, ceiling)


def _candidates(
    rows: Ints, weights: Floats, found: PopulationFindings, sizes: ClassSizes
) -> Iterator[tuple[Floats, str]]:
    if not too_many_uniques(sizes) or sizes.rows == found.size:
        chance = rows / np.maximum(weights, rows)
        yield individual_risk(rows, chance), "negative binomial"
    place = np.searchsorted(sizes.sizes, rows)
    known = {one.method: one.parameters for one in found.estimates if one.applies}
    if "snb" in known:
        model = known["snb"]
        risk = snb_risk(sizes.sizes, model["alpha"], model["beta"], found.sampled)
        yield risk[place], "slide negative binomial"
    if "pitman" in known:
        model = known["pitman"]
        risk = pitman_risk(sizes.sizes, model["theta"], model["alpha"], sizes.rows, found.size)
        yield risk[place], "pitman"


def too_many_uniques(sizes: ClassSizes) -> bool:
    """Whether more classes have one row than where classes of f rows are as frequent as 1/f."""
    from scipy.stats import binom

    small = sum(sizes.of_size(size) for size in range(1, LOOKED_AT + 1))
    share = 1 / sum(1 / size for size in range(1, LOOKED_AT + 1))
    alone = sizes.uniques
    return alone > MORE * share * small and binom.sf(alone - 1, small, share) < SURE
