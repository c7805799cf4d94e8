"""What was found about the risk of a table."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from discreet.display import dataclass, html_table, plural
from discreet.frequency.classes import Floats, Ints
from discreet.risk.class_sizes import ClassSizes
from discreet.risk.k_map import KMapFinding
from discreet.risk.population_uniques import PopulationFindings
from discreet.risk.register import Register

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
        rows, classes = plural(self.sizes.rows, "row"), f"{self.sizes.classes:,} classes"
        return f"RiskFindings({rows}, {classes}, {self.sizes.uniques:,} unique)"

    def _repr_html_(self) -> str:
        rows = [
            (name, one.highest, one.average, one.rows_at_risk)
            for name, one in (("prosecutor", self.prosecutor), ("journalist", self.journalist))
        ]
        heads = ("intruder", "highest risk", "average", "rows at risk")
        return html_table(repr(self), heads, [*rows, ("marketer", "", self.marketer, "")])

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
