"""The risk of a table: that somebody in it is named, class by class and overall."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from discreet.errors import ParameterError
from discreet.frequency.classes import Floats, Ints
from discreet.frequency.frequency_list import FrequencyList
from discreet.models.parameters import require_real, require_whole
from discreet.risk.class_sizes import ClassSizes
from discreet.risk.individual_risk import individual_risk
from discreet.risk.k_map import METHODS, KMap, KMapFinding
from discreet.risk.population_uniques import PopulationFindings, PopulationUniques
from discreet.risk.register import Register

BANDS = (1, 2, 3, 5, 10, 20, 50, 100)
"""Class sizes at which a new band of the overview begins."""

EQUAL = 1e-9
"""Weights that differ by less, as a share, are the same."""


@dataclass(frozen=True)
class Intruder:
    """What one kind of intruder gets: the highest risk of a row, the average, and rows at risk."""

    highest: float
    average: float
    rows_at_risk: int
    method: str

    def facts(self) -> dict[str, Any]:
        """The risk as plain data."""
        return dict(vars(self))


@dataclass(frozen=True, eq=False)
class RiskFindings:
    """The risk of a table; ``class_risk`` holds prosecutor and journalist risk of each class."""

    columns: tuple[str, ...]
    class_rows: Ints
    class_risk: dict[str, Floats]
    prosecutor: Intruder
    journalist: Intruder
    marketer: float
    threshold: float
    population: PopulationFindings | None = None
    k_map: tuple[KMapFinding, ...] = ()
    register: Register | None = None
    sizes: ClassSizes = field(kw_only=True)

    def facts(self) -> dict[str, Any]:
        """The risk as plain data."""
        rows = self.sizes.rows
        return {
            "columns": list(self.columns),
            "rows": rows,
            "classes": self.sizes.classes,
            "uniques": self.sizes.uniques,
            "smallest_class": int(self.sizes.sizes[0]),
            "rows_by_class_size": self._bands(),
            "threshold": self.threshold,
            "prosecutor": self.prosecutor.facts(),
            "journalist": self.journalist.facts(),
            "marketer": self.marketer,
            "expected_right": self.marketer * rows,
            "population": self._population(),
            "register": None if self.register is None else self.register.facts(self.class_rows),
        }

    def _bands(self) -> list[dict[str, int | None]]:
        """Rows in classes of one row, of two, of three to four and so on."""
        rows = self.sizes.sizes * self.sizes.number
        found = []
        for low, high in zip(BANDS, (*BANDS[1:], None), strict=True):
            inside = self.sizes.sizes >= low
            if high is not None:
                inside &= self.sizes.sizes < high
            last = None if high is None else high - 1
            found.append({"from": low, "to": last, "rows": int(rows[inside].sum())})
        return found

    def _population(self) -> dict[str, Any] | None:
        if self.register is not None:
            known = {"method": "register", "applies": True, "reason": "counted in the register"}
            share = self.register.uniques / max(1, self.register.size)
            known |= {"uniques": self.register.uniques, "share": share}
            found = {"size": self.register.size, "uniques": {"register": known}}
            return {**found, "k_map": [one.facts() for one in self.k_map]}
        if self.population is None:
            return None
        return {**self.population.facts(), "k_map": [one.facts() for one in self.k_map]}


@dataclass(frozen=True)
class TableRisk:
    """How likely somebody in a table is named, by three intruders.

    The prosecutor knows that a person is in the table; the journalist names anybody, from the
    population; the marketer names as many as possible and minds no mistakes.

    Parameters
    ----------
    threshold
        A row is at risk if its chance is above this; 0.2 stands for classes of fewer than 5.
    population
        People in the population of which the table is a simple random sample, N. With weights it
        is what they add up to, unless given.
    k
        For k-map.

    Notes
    -----
    [ElEmam2013]_: prosecutor 1/f; journalist 1/F, on average the larger of classes over their
    people in the register and the mean of 1/F; marketer the mean of 1/F over the rows.
    *Departures*: 1/F is exact with a register; with weights or a population size it is E(1/F | f),
    see :func:`discreet.risk.individual_risk.individual_risk`; with neither the journalist is the
    prosecutor, the most he can be. Where the register holds fewer people than the class has rows
    it is not the population, and 1/f is taken; a class that is not in it is not named by it.
    *Cost*: one term a class.

    >>> from discreet.frequency.count import count
    >>> from discreet.table.read import read
    >>> import pyarrow as pa
    >>> table = read(pa.table({"age": [31, 31, 40, 40, 40]}))
    >>> found = TableRisk()(count(table, ["age"]).frequency)
    >>> found.prosecutor.highest, found.prosecutor.average
    (0.5, 0.4)
    """

    threshold: float = 0.2
    population: int | None = None
    k: int = 5
    significance: float = 0.1

    def __post_init__(self) -> None:
        require_real("risk", "threshold", self.threshold, above=0, most=1)
        require_whole("risk", "k", self.k, 1)
        if self.population is not None:
            require_whole("risk", "population", self.population, 1)

    def __call__(self, frequency: FrequencyList, register: Register | None = None) -> RiskFindings:
        """The risk of a counted table, with a register of the population if there is one."""
        sizes = ClassSizes.of(frequency.rows)
        weights = frequency.tallies.get("weight")
        rows = frequency.rows
        prosecuted = 1.0 / rows
        if register is not None:
            sought, method = _by_register(rows, register), "register"
        elif weights is not None:
            chance = rows / np.maximum(weights, rows)
            sought, method = individual_risk(rows, chance), "negative binomial, from weights"
        elif self.population is not None:
            chance = np.full(len(rows), sizes.sampled(self.population))
            sought, method = individual_risk(rows, chance), "negative binomial, from the population"
        else:
            sought, method = prosecuted, "as prosecutor: no population was given"
        journalist = self._intruder(rows, sought, method)
        marketer = journalist.average
        if register is not None:
            people = np.maximum(register.people, rows)[register.people > 0]
            share = len(people) / int(people.sum()) if len(people) else 0.0
            average = max(share, marketer)
            journalist = Intruder(
                journalist.highest, average, journalist.rows_at_risk, journalist.method
            )
        population, k_map = self._of_population(sizes, rows, weights, register)
        return RiskFindings(
            frequency.columns,
            rows,
            {"prosecutor": prosecuted, "journalist": sought},
            self._intruder(rows, prosecuted, "counted"),
            journalist,
            marketer,
            self.threshold,
            population,
            k_map,
            register,
            sizes=sizes,
        )

    def _intruder(self, rows: Ints, risk: Floats, method: str) -> Intruder:
        at_risk = int(rows[risk > self.threshold].sum())
        return Intruder(float(risk.max()), float((rows * risk).sum() / rows.sum()), at_risk, method)

    def _of_population(
        self, sizes: ClassSizes, rows: Ints, weights: Floats | None, register: Register | None
    ) -> tuple[PopulationFindings | None, tuple[KMapFinding, ...]]:
        if register is not None:
            small = register.people < self.k
            at_risk = int(rows[small].sum())
            return None, (KMapFinding(self.k, "register", self.k, at_risk),)
        people = self.population
        equal = True
        if weights is not None:
            mean = weights / rows
            equal = bool(mean.max() - mean.min() <= EQUAL * mean.max())
            people = self._weighed(people, weights, sizes)
        if people is None:
            return None, ()
        found = PopulationUniques(people, equal)(sizes)
        if not equal:
            return found, ()
        tests = (KMap(self.k, people, self.significance, method)(sizes) for method in METHODS)
        return found, tuple(tests)

    def _weighed(self, people: int | None, weights: Floats, sizes: ClassSizes) -> int:
        """The population that the weights add up to, unless it is given."""
        summed = round(float(weights.sum()))
        if people is None and summed < sizes.rows:
            wanted = (
                f"numbers of people that rows stand for: they add up to {summed:,}, and the table "
                f"has {sizes.rows:,} rows"
            )
            raise ParameterError("risk", "weight", wanted)
        return summed if people is None else people


def _by_register(rows: Ints, register: Register) -> Floats:
    """1/F where the register has people who look like the class; 0 where it has none."""
    if len(register.people) != len(rows):
        raise ParameterError("risk", "register", "matched with the classes of this table")
    return np.where(register.people > 0, 1.0 / np.maximum(register.people, rows), 0.0)
