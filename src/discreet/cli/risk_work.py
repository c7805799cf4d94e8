"""The work behind ``discreet risk``: a table is counted once, and then asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.cli import output
from discreet.cli import risk_options as own
from discreet.display import dataclass
from discreet.errors import EmptyTableError, FlagError

if TYPE_CHECKING:
    from discreet.frequency.count import Counted
    from discreet.frequency.frequency_list import FrequencyList
    from discreet.policy.policy import Policy
    from discreet.risks.special_uniques import SpecialFindings
    from discreet.risks.table_risk import RiskFindings
    from discreet.risks.value_frequencies import ValueFrequencies
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
        from discreet.risks.simulation import Simulation
        from discreet.risks.uniqueness import Uniqueness, UniquenessCurve

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
        from discreet.risks.register import Register
        from discreet.risks.table_risk import TableRisk
        from discreet.risks.value_frequencies import ValueFrequencies

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
        from discreet.risks.alpha_quasi_identifier import alpha_table

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
    from discreet.risks.special_uniques import MOST_COLUMNS

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
    from discreet.risks.special_uniques import MOST_COLUMNS, SpecialUniques, size_that_fits

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
    from discreet.policy.techniques import steps

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
    from discreet.policy.at_level import released_at_level

    models = released_at_level(policy, rows, private=rows)[0].require
    return max((model.k for model in models if model.name == "k_anonymity"), default=DEFAULT_K)


# Uniqueness from published tables of frequencies, where nobody's row is known.


def frequencies_of(table: Table, columns: Sequence[str], frequency: str) -> ValueFrequencies:
    """How many people have each combination, in the order of the file."""
    from discreet.errors import EmptyTableError
    from discreet.frequency.count import count
    from discreet.risks.value_frequencies import ValueFrequencies

    counted = count(table, columns, weight=frequency).frequency
    if not len(counted):
        raise EmptyTableError(table.name, "it has no rows")
    order = np.argsort(counted.codes[0], kind="stable")
    return ValueFrequencies.of(counted.tallies["weight"][order])


def columns_of(table: Table, quasi: Sequence[str], frequency: str) -> tuple[str, ...]:
    """The columns that were named, or all but that of the frequencies."""
    if frequency not in table.columns:
        from discreet.errors import UnknownColumnError

        raise UnknownColumnError(table.name, frequency, table.columns)
    found = tuple(quasi) or tuple(name for name in table.columns if name != frequency)
    if frequency in found or not found:
        what = "this column counts people, and at least one other has their values"
        raise FlagError(f"--frequency {frequency}", what, "Name the columns of values with -q.")
    return found


def published(
    tables: Sequence[Table], quasi: Sequence[str], frequency: str, width: int | None
) -> tuple[ValueFrequencies, dict[str, Any]]:
    """The frequencies that uniqueness follows from, and what else is known of them."""
    names = [columns_of(tables[0], quasi, frequency)]
    names += [columns_of(table, (), frequency) for table in tables[1:]]
    every = [name for some in names for name in some]
    if len(set(every)) < len(every):
        what = "two of the tables have a column in common, so they do not go together apart"
        raise FlagError("--with", what, "Leave out one of them, or name other columns with -q.")
    margins = [
        frequencies_of(table, some, frequency) for table, some in zip(tables, names, strict=True)
    ]
    facts: dict[str, Any] = {"columns": every, "people": margins[0].total}
    facts["aggregated"] = None if len(margins) == 1 else _aggregated(margins)
    facts["grouped"] = None
    if width is None:
        return _joint(margins), facts
    if len(every) > 1 or width < 2:
        what = "neighbouring values are those of one column, two or more at a time"
        raise FlagError(f"--width {width}", what, "Name one column with -q, and --width 5.")
    facts["grouped"] = _grouped(margins[0], width)
    return margins[0].grouped(width), facts


def _joint(margins: Sequence[ValueFrequencies]) -> ValueFrequencies:
    from discreet.risks.value_frequencies import Aggregated

    return margins[0] if len(margins) == 1 else Aggregated(tuple(margins)).joint()


def _aggregated(margins: Sequence[ValueFrequencies]) -> dict[str, Any]:
    from discreet.risks.value_frequencies import Aggregated

    known = Aggregated(tuple(margins))
    return {
        "values": known.values,
        "kappa_independent": known.kappa,
        "kappa_most": known.kappa_most,
        "totals": [margin.total for margin in margins],
    }


def _grouped(single: ValueFrequencies, width: int) -> dict[str, Any]:
    return {
        "width": width,
        "values": single.values,
        "kappa": single.kappa,
        "kappa_from_groups": single.spread(width).kappa,
    }


# The risk of each row by its number, in a file that holds no value of the table.


ENDINGS = (".csv",)


def write_rows(
    out: Path,
    table: Table,
    counted: Counted,
    found: RiskFindings,
    special: SpecialFindings | None,
    replace: bool = True,
) -> None:
    """Write a line for each row in the order of the file, whole or not at all.

    ``row`` counts from 1, the header left out; ``class_rows`` are rows alike, itself included;
    ``journalist`` is 0 where nobody in the register fits.
    """
    from discreet.risks.table_risk import row_classes
    from discreet.table.atomic import appearing

    columns = {
        "class_rows": found.class_rows,
        "prosecutor": found.class_risk["prosecutor"],
        "journalist": found.class_risk["journalist"],
    }
    if special is not None:
        columns |= {"special_score": special.scores, "special_columns": special.smallest}
    if special is not None and special.dis_scores is not None:
        columns["dis_score"] = special.dis_scores
    lines = zip(*columns.values(), strict=True)
    texts = np.array([",".join(f"{one:.6g}" for one in line) for line in lines], dtype=object)
    row = 0
    with (
        appearing(out, out.suffix, replace=replace) as part,
        part.open("w", encoding="utf-8") as file,
    ):
        file.write(f"{','.join(['row', *columns])}\n")
        for classes in row_classes(table, counted):
            numbers = range(row + 1, row + 1 + len(classes))
            told = zip(numbers, texts[classes].tolist(), strict=True)
            file.write("".join(f"{number},{text}\n" for number, text in told))
            row += len(classes)
