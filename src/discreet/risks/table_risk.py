"""The risk of a table: that somebody in it is named, class by class and overall."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass, format_count, render_html_table
from discreet.errors import ParameterError
from discreet.frequency.classes import Floats, Ints
from discreet.frequency.count import Counted
from discreet.frequency.frequency_list import FrequencyList, KeyIndex, Packing
from discreet.models.parameters import require_real, require_whole
from discreet.risks.class_sizes import MOST_PEOPLE, ClassSizes
from discreet.risks.journalist_risk import Sought, estimate_risk
from discreet.risks.k_map import METHODS, KMap, KMapFinding
from discreet.risks.population_uniques import PopulationFindings, PopulationUniques
from discreet.risks.register import Register
from discreet.table.table import Table, make_changed_error

# What was found about the risk of a table.


BANDS = (1, 2, 3, 5, 10, 20, 50, 100)
"""Class sizes at which a new band of the overview begins."""


@dataclass(frozen=True)
class Intruder:
    """What one kind of intruder gets: the highest risk of a row, the average, and rows at risk.

    ``floor`` and ``ceiling`` are about the least and the most that the average can be, where that
    is known.
    """

    highest: float
    average: float
    rows_at_risk: int
    method: str
    floor: float | None
    ceiling: float | None

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

    def __repr__(self) -> str:
        rows, classes = format_count(self.sizes.rows, "row"), f"{self.sizes.classes:,} classes"
        return f"RiskFindings({rows}, {classes}, {self.sizes.uniques:,} unique)"

    def _repr_html_(self) -> str:
        return render_html_table(repr(self), *self.as_rows())

    def as_rows(self) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        """The heads and rows of a short table."""
        rows: list[tuple[Any, ...]] = [
            (name, one.highest, one.average, one.rows_at_risk)
            for name, one in (("prosecutor", self.prosecutor), ("journalist", self.journalist))
        ]
        heads = ("intruder", "highest risk", "average", "rows at risk")
        return heads, [*rows, ("marketer", "", self.marketer, "")]

    def facts(self) -> dict[str, Any]:
        """The risk as plain data."""
        rows = self.sizes.rows
        return {
            "columns": list(self.columns),
            "rows": rows,
            "classes": self.sizes.classes,
            "uniques": self.sizes.uniques,
            "smallest_class": int(self.sizes.sizes[0]),
            "rows_by_class_size": self._count_bands(),
            "threshold": self.threshold,
            "prosecutor": self.prosecutor.facts(),
            "journalist": self.journalist.facts(),
            "marketer": self.marketer,
            "expected_right": self.marketer * rows,
            "population": self._list_population_facts(),
            "register": None if self.register is None else self.register.facts(self.class_rows),
        }

    def _count_bands(self) -> list[dict[str, int | None]]:
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

    def _list_population_facts(self) -> dict[str, Any] | None:
        if self.register is not None:
            known = {"method": "register", "applies": True, "reason": "counted in the register"}
            share = self.register.uniques / max(1, self.register.size)
            known |= {"uniques": self.register.uniques, "share": share}
            found = {"size": self.register.size, "uniques": {"register": known}}
            return {**found, "k_map": [one.facts() for one in self.k_map]}
        if self.population is None:
            return None
        return {**self.population.facts(), "k_map": [one.facts() for one in self.k_map]}


EQUAL = 1e-9
"""Weights that differ by less, as a share, are the same."""


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
    [ElEmam2013]_; [Dankar2010]_. With f rows and F people in a class: the prosecutor's risk is 1/f,
    averaged over all rows. The journalist's is 1/F, averaged over the rows that fit somebody, or
    the classes over their people if that is larger. The marketer's average is the share of all rows
    that he names rightly; a row that fits nobody is never named. *Departures*: the papers know no
    row that fits nobody. Without a register 1/F is an expectation, see
    :func:`discreet.risks.journalist_risk.estimate_risk`; with no population either, the
    journalist is the prosecutor, the most he can be. Where a register holds fewer people
    than the class has rows it is not the population, and 1/f is taken.
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
            require_whole("risk", "population", self.population, 1, MOST_PEOPLE)

    def __call__(self, frequency: FrequencyList, register: Register | None = None) -> RiskFindings:
        """The risk of a counted table, with a register of the population if there is one."""
        sizes = ClassSizes.of(frequency.rows)
        weights = frequency.tallies.get("weight")
        rows = frequency.rows
        population, k_map = self._estimate_population(sizes, rows, weights, register)
        sought = _find_journalist_risk(rows, weights, register, population)
        right = float((rows * sought.risk).sum())
        journalist = self._describe_intruder(rows, sought)
        if register is not None:
            journalist = replace(journalist, average=_average_looked_up(rows, register, right))
            known = journalist.average
            journalist = replace(journalist, floor=known, ceiling=known)
        counted = Sought(1.0 / rows, "counted", *[len(rows) / sizes.rows] * 2)
        return RiskFindings(
            frequency.columns,
            rows,
            {"prosecutor": counted.risk, "journalist": sought.risk},
            self._describe_intruder(rows, counted),
            journalist,
            right / sizes.rows,
            self.threshold,
            population,
            k_map,
            register,
            sizes=sizes,
        )

    def _describe_intruder(self, rows: Ints, sought: Sought) -> Intruder:
        risk = sought.risk
        at_risk = int(rows[risk > self.threshold].sum())
        average = float((rows * risk).sum() / rows.sum())
        return Intruder(
            float(risk.max()), average, at_risk, sought.method, sought.floor, sought.ceiling
        )

    def _estimate_population(
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
            people = self._sum_weights(people, weights, sizes)
        if people is None:
            return None, ()
        found = PopulationUniques(people, equal)(sizes)
        if not equal:
            return found, ()
        tests = (KMap(self.k, people, self.significance, method)(sizes) for method in METHODS)
        return found, tuple(tests)

    def _sum_weights(self, people: int | None, weights: Floats, sizes: ClassSizes) -> int:
        """The population that the weights add up to, unless it is given."""
        summed = round(float(weights.sum()))
        if people is None and summed < sizes.rows:
            wanted = (
                f"numbers of people that rows represent: they add up to {summed:,}, and the table "
                f"has {sizes.rows:,} rows"
            )
            raise ParameterError("risk", "weight", wanted)
        return summed if people is None else people


def _find_journalist_risk(
    rows: Ints,
    weights: Floats | None,
    register: Register | None,
    population: PopulationFindings | None,
) -> Sought:
    """What is known of the population decides what the journalist gets."""
    if register is not None:
        return Sought(_find_register_risk(rows, register), "register")
    if population is None:
        return Sought(1.0 / rows, "as prosecutor: no population was given")
    return estimate_risk(
        rows, rows / population.sampled if weights is None else weights, population
    )


def _average_looked_up(rows: Ints, register: Register, right: float) -> float:
    """The average of the rows that fit somebody: picked by row, or by person if that is more."""
    found = register.people > 0
    people = np.maximum(register.people, rows)[found]
    return max(right / int(rows[found].sum()), len(people) / int(people.sum()))


def _find_register_risk(rows: Ints, register: Register) -> Floats:
    """1/F where the register has people who look like the class; 0 where it has none."""
    if len(register.people) != len(rows):
        raise ParameterError("risk", "register", "matched with the classes of this table")
    return np.where(register.people > 0, 1.0 / np.maximum(register.people, rows), 0.0)


# Risk row by row, in the order of the file.


def find_row_classes(table: Table, counted: Counted) -> Iterator[npt.NDArray[np.int32]]:
    """The class of each row of a counted table, batch by batch: a second pass over the rows."""
    frequency = counted.frequency
    names = frequency.columns
    packing = Packing.of([max(1, len(frequency.values[name])) for name in names])
    index = KeyIndex(packing.pack(frequency.codes, len(frequency)))
    for batch in table.scan(text=names):
        codes = [counted.dictionaries[name].encode(batch.column(i)) for i, name in enumerate(names)]
        if any(len(counted.dictionaries[n]) > len(frequency.values[n]) for n in names):
            raise make_changed_error(table.name)
        found = index.find(packing.pack(codes, batch.num_rows))
        if (found < 0).any():
            raise make_changed_error(table.name)
        yield found


def find_row_risk(table: Table, counted: Counted, class_risk: Floats) -> Floats:
    """The risk of each row, from the risk of each class.

    Notes
    -----
    *Cost*: a second pass over the rows, and one number a row.
    """
    parts = [class_risk[classes] for classes in find_row_classes(table, counted)]
    return np.concatenate(parts) if parts else np.zeros(0)
