"""The work behind ``discreet risk``: a table is counted once, and then asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discreet.cli import output
from discreet.cli import risk_options as own
from discreet.display import dataclass
from discreet.errors import EmptyTableError

if TYPE_CHECKING:
    from discreet.frequency.count import Counted
    from discreet.frequency.frequency_list import FrequencyList
    from discreet.release.policy import Policy
    from discreet.risk.risk_findings import RiskFindings
    from discreet.risk.special_uniques import SpecialFindings
    from discreet.risk.value_frequencies import ValueFrequencies
    from discreet.table.table import Table

DEFAULT_K = 5

MOST_DRAWN = 200_000_000
"""People that a simulation draws at most, some ten seconds."""


@dataclass(frozen=True)
class Groups:
    """What is asked of random groups of people."""

    level: float
    group: int | None
    simulate: bool
    seed: int

    def facts(self, frequencies: ValueFrequencies) -> dict[str, Any]:
        """The curve, and the chance at one group size if that or a simulation was asked for."""
        from discreet.risk.simulation import Simulation
        from discreet.risk.uniqueness import Uniqueness, UniquenessCurve

        curve = UniquenessCurve.of(frequencies, self.level)
        found = {**curve.facts(), "at": None}
        if self.group is not None or self.simulate:
            size = curve.group_size if self.group is None else self.group
            found["at"] = {**Uniqueness(size)(frequencies).facts(), "simulated": None}
            if self.simulate:
                most = max(1, min(1_000_000, MOST_DRAWN // size))
                drawn = Simulation(size, most=most)(frequencies, self.seed)
                found["at"]["simulated"] = drawn.facts()
        return found


class Work:
    """One table under one policy: counted once, then asked."""

    counted: Counted
    risk: RiskFindings
    special: SpecialFindings | None

    def __init__(
        self, table: Table, policy: Policy, size: int | None, progress: output.Progress
    ) -> None:
        self.table, self.policy, self.size, self.progress = table, policy, size, progress

    def found(
        self,
        threshold: float,
        population: int | None,
        people: Table | None,
        weight: str | None,
        groups: Groups,
    ) -> dict[str, Any]:
        """Every fact but those of the alpha test."""
        from discreet.risk.register import Register
        from discreet.risk.table_risk import TableRisk
        from discreet.risk.value_frequencies import ValueFrequencies

        self.counted = self._count(self.table, weight)
        frequency = self.counted.frequency
        measure = TableRisk(threshold, population, _k_of(self.policy, frequency.total))
        register = None
        if people is not None:
            register = Register.of(frequency, self._count(people, None).frequency)
        self.risk = measure(frequency, register)
        facts: dict[str, Any] = self.risk.facts()
        facts["uniqueness"] = groups.facts(ValueFrequencies.of_columns(frequency))
        sampled = None if self.risk.population is None else self.risk.population.sampled
        self.special = _special(frequency, self.size, sampled, self.progress)
        facts["special_uniques"] = None if self.special is None else self.special.facts()
        facts["notes"] = _notes(len(frequency.columns), self.size, self.special)
        if people is not None:
            facts["notes"] += _as_written(self.policy)
        return facts

    def alpha(
        self, population: int, alpha: float, sets: list[str] | None, domains: list[str] | None
    ) -> dict[str, Any]:
        """The test of column sets against the population."""
        from discreet.risk.alpha_table import alpha_table

        names = self.policy.quasi
        sizes = own.domains_of(domains, names)
        own.check_domains(sizes, self.counted.frequency)
        found = alpha_table(
            self.counted.frequency,
            population=population,
            alpha=alpha,
            sets=own.sets_of(sets, names),
            domains=sizes,
        )
        return found.facts()

    def _count(self, table: Table, weight: str | None) -> Counted:
        from discreet.frequency.count import count

        def seen(rows: int) -> None:
            self.progress(f"{rows:,} rows")

        counted = count(table, self.policy.quasi, weight=weight, progress=seen)
        if not len(counted.frequency):
            raise EmptyTableError(table.name, "it has no rows")
        return counted


def _notes(columns: int, asked: int | None, special: SpecialFindings | None) -> list[str]:
    """What was left out, and how to get it."""
    from discreet.risk.special_uniques import MOST_COLUMNS

    if asked is not None:
        return []
    if special is None:
        return [
            f"Special uniques were not searched: there are {columns:,} quasi columns, and sets of "
            f"at most {MOST_COLUMNS} can be."
        ]
    if special.max_size < min(3, columns):
        return [
            f"Special uniques of up to {special.max_size} columns only were searched, to take "
            "seconds; --max-size 3 searches more."
        ]
    return []


def _special(
    frequency: FrequencyList, size: int | None, sampled: float | None, progress: output.Progress
) -> SpecialFindings | None:
    """Special uniques, as many columns at a time as was asked for or takes some seconds."""
    from discreet.risk.special_uniques import MOST_COLUMNS, SpecialUniques, size_that_fits

    columns = len(frequency.columns)
    if size == 0 or (size is None and columns > MOST_COLUMNS):
        return None
    if size is None:
        size = size_that_fits(columns, len(frequency))
    return SpecialUniques(size, sampled)(
        frequency, lambda sets: progress(f"{sets:,} sets of columns")
    )


def _as_written(policy: Policy) -> list[str]:
    """What to say of columns that a policy changes, where a register is compared as it is."""
    from discreet.release.technique_parts import steps

    told = [
        f"{name} ({step.technique.done})"
        for step in steps(policy)
        for name in step.columns
        if name in policy.quasi
    ]
    if not told:
        return []
    return [
        f"The policy changes {', '.join(told)}. Values are compared with the register as they are "
        "written, so the file is taken for the private table. For a release, use discreet attack "
        "--register, which makes the same change to the register."
    ]


def _k_of(policy: Policy, rows: int) -> int:
    """The k of the policy's k-anonymity, for k-map; 5 where it has none."""
    from discreet.release.at_level import released_at_level

    models = released_at_level(policy, rows, private=rows)[0].require
    return max((model.k for model in models if model.name == "k_anonymity"), default=DEFAULT_K)
