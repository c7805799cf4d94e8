"""How likely somebody in a table is named: a table is counted once, and then asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from discreet.attacks.coded_rows import ShownPeople
from discreet.display import dataclass, render_html_table
from discreet.errors import (
    ArgumentError,
    EmptyTableError,
    SourceError,
    UnknownColumnError,
    argument,
)
from discreet.frequency.classes import Ints
from discreet.frequency.count import Counted, count
from discreet.frequency.frequency_list import FrequencyList
from discreet.policy.anonymity_level import fill_in_released_k
from discreet.policy.policy import Policy, settle_policy
from discreet.policy.techniques import describe_changes
from discreet.risks.alpha_quasi_identifier import check_alpha_sets
from discreet.risks.published_frequencies import read_published
from discreet.risks.register import Register
from discreet.risks.risk_arguments import check_numbers, check_risk_arguments, is_given
from discreet.risks.simulation import Simulation
from discreet.risks.special_uniques import (
    MOST_COLUMNS,
    SpecialFindings,
    SpecialUniques,
    find_fitting_size,
)
from discreet.risks.table_risk import RiskFindings, TableRisk, find_row_classes
from discreet.risks.uniqueness import Uniqueness, UniquenessCurve
from discreet.risks.value_frequencies import ValueFrequencies
from discreet.table.atomic import open_hidden_file
from discreet.table.cleaning import clean_table
from discreet.table.read import open_table
from discreet.table.table import Table

DEFAULT_K = 5

MOST_DRAWN = 200_000_000
"""People that a simulation draws at most, some ten seconds."""

Progress = Callable[[str], None]

ROW_ENDINGS = (".csv",)
"""What the file of the risk of each row may be called."""


@dataclass(frozen=True, eq=False)
class Risk:
    """The risk of re-identification in a table; holds no value of the table.

    ``findings`` is None where the table was one of published frequencies.
    """

    _facts: dict[str, Any]
    findings: RiskFindings | None = None
    special: SpecialFindings | None = None
    table: Table | None = None
    counted: Counted | None = None
    row_classes: Ints | None = None
    """The class of each row, where classes are of people."""

    def __repr__(self) -> str:
        if self.findings is None:
            return f"Risk({self._facts['people']:,} people, published frequencies)"
        shown = repr(self.findings).replace("RiskFindings", "Risk", 1)
        if self.row_classes is None:
            return shown
        return shown.replace(" rows,", " people,", 1).replace(" row,", " person,", 1)

    def _repr_html_(self) -> str:
        if self.findings is None:
            kappa = self._facts["uniqueness"]["values"]
            return render_html_table(repr(self), ("different values",), [(kappa,)])
        return render_html_table(repr(self), *self.findings.as_rows())

    def facts(self) -> dict[str, Any]:
        """The risk as plain data, as ``discreet risk --json`` shows it."""
        return {"format": "discreet-risk/1", **deepcopy(self._facts)}

    def write_rows(self, path: str | Path, *, replace: bool = False) -> None:
        """Write the risk of each row by its number to a CSV file, whole or not at all.

        The file holds no value of the table. ``row`` counts from 1, the header left out;
        ``class_rows`` are the rows of its class (``class_people`` the people, where these are
        counted); ``journalist`` is 0 where nobody in the register fits.
        """
        if self.findings is None or self.table is None:
            what = "a table of frequencies has no rows of people"
            raise ArgumentError(
                "rows", what, f"Leave out {argument('rows')} or {argument('frequency')}."
            )
        columns = {
            "class_rows" if self.row_classes is None else "class_people": self.findings.class_rows,
            "prosecutor": self.findings.class_risk["prosecutor"],
            "journalist": self.findings.class_risk["journalist"],
        }
        if self.special is not None:
            columns |= {
                "special_score": self.special.scores,
                "special_columns": self.special.smallest,
            }
            if self.special.dis_scores is not None:
                columns["dis_score"] = self.special.dis_scores
        lines = zip(*columns.values(), strict=True)
        texts = np.array([",".join(f"{one:.6g}" for one in line) for line in lines], dtype=object)
        row, out = 0, Path(path)
        with (
            open_hidden_file(out, out.suffix, replace=replace) as part,
            part.open("w", encoding="utf-8") as file,
        ):
            file.write(f"{','.join(['row', *columns])}\n")
            for classes in self._list_row_classes():
                numbers = range(row + 1, row + 1 + len(classes))
                told = zip(numbers, texts[classes].tolist(), strict=True)
                file.write("".join(f"{number},{text}\n" for number, text in told))
                row += len(classes)

    def _list_row_classes(self) -> Iterable[Any]:
        """The class of each row, batch by batch."""
        if self.row_classes is not None:
            return (self.row_classes,)
        assert self.table is not None and self.counted is not None
        return find_row_classes(self.table, self.counted)


def risk(
    table: Any,
    policy: Policy | Mapping[str, Any] | str | Path | None = None,
    *,
    quasi: Sequence[str] = (),
    k: int | None = None,
    population: int | None = None,
    register: Any = None,
    weight: str | None = None,
    threshold: float = 0.2,
    max_size: int | None = None,
    level: float = 0.5,
    group: int | None = None,
    simulate: bool = False,
    frequency: str | None = None,
    with_: Sequence[Any] = (),
    width: int | None = None,
    alpha: float | None = None,
    set_: Sequence[Sequence[str]] = (),
    domain: Mapping[str, int] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Risk:
    """See how likely somebody in a table is named.

    Parameters
    ----------
    table, register, with_
        Tables, or anything that :func:`discreet.read` takes. ``register`` is the whole population;
        ``with_`` are more tables of published frequencies.
    policy, quasi, k
        A policy, or the quasi columns by themselves; ``k`` is that of k-map, 5 if absent.
    population, weight
        People of whom the table is a random sample; the column of survey weights.
    threshold
        A row with a higher risk is at risk.
    max_size
        Most columns of a special unique; 0 searches none.
    level, group, simulate, seed
        Group size at which uniqueness is below ``level``; the chance that everybody of ``group``
        people differs, checked by drawing groups.
    frequency, width
        The column that counts people, in a published table of frequencies; neighbouring values
        that are published as one.
    alpha, set_, domain
        Tests sets of columns for being quasi-identifiers of the population; values that a column
        has there.
    progress
        Called with a word on what is done.

    >>> import pyarrow as pa
    >>> people = pa.table({"age": ["30", "30", "40"], "sex": ["f", "f", "m"]})
    >>> risk(people, quasi=["age", "sex"])
    Risk(3 rows, 2 classes, 1 unique)

    Notes
    -----
    *Cost*: one pass over the rows of each table; then work on the frequency list.
    """
    given = {
        "population": population, "register": register, "weight": weight, "frequency": frequency,
        "with_": with_, "width": width, "max_size": max_size, "alpha": alpha, "set_": set_,
        "domain": domain,
    }  # fmt: skip
    check_risk_arguments(given)
    check_numbers(max_size, group, seed)
    groups = _Groups(level, group, simulate, seed)
    if frequency is not None:
        named = policy is not None or quasi
        names = _choose_policy(table, policy, quasi, k).quasi if named else ()
        tables = [open_table(one, (*names, frequency)) for one in (table, *with_)]
        frequencies, facts = read_published(tables, names, frequency, width)
        return Risk({**facts, "uniqueness": groups.facts(frequencies)})
    chosen = _choose_policy(table, policy, quasi, k)
    if not chosen.quasi:
        what = "no quasi column is named, and risk is about those"
        raise ArgumentError(
            ("policy", "quasi"), what, f"Name them with {argument('quasi')}, or in a policy."
        )
    source = _open(table, chosen)
    if chosen.people is not None:
        _check_people_arguments(given)
        return _measure_people(source, chosen, TableRisk(threshold, population), groups)
    people = None if register is None else _open(register, chosen)
    work = _Work(source, chosen, max_size, progress)
    facts = work.found(threshold, population, people, weight, groups)
    if alpha is not None and population is not None:
        facts["alpha"] = work.check_alpha(population, alpha, set_, domain or {})
    return Risk(facts, work.risk, work.special, source, work.counted)


# People who may have many rows: a class is all who have the same whole record.


def _check_people_arguments(given: Mapping[str, Any]) -> None:
    """Refuse what is about rows, or about entries of which a person has one."""
    asked = [name for name, value in given.items() if is_given(value)]
    why = {
        "register": "people have several rows, and an entry of a register may fit any of them",
        "weight": "survey weights are of rows, and the policy counts people",
        "alpha": "the test is about rows, and the policy counts people",
        "max_size": "special uniques are rows, and the policy counts people",
    }
    ways = {"register": "Use attack with the register, which compares whole records"}
    for name in asked:
        if name in why:
            fix = ways.get(name, f"Leave out {argument(name)}")
            raise ArgumentError(
                name, why[name], f"{fix}, or use {argument('quasi')} to count rows."
            )


def _measure_people(source: Table, policy: Policy, measure: TableRisk, groups: _Groups) -> Risk:
    """The same risks with people in the place of rows."""
    people = policy.people
    if people.column not in source.columns:
        raise UnknownColumnError(source.name, people.column, source.columns)
    shown = ShownPeople.of(source, people.column, policy.quasi, people.records.counts)
    if shown.nameless:
        what = f"{shown.nameless:,} rows have no value in '{people.column}', the column of people"
        raise SourceError(source.name, what, "Give each row an identifier, or leave them out.")
    sizes = shown.classes.rows
    measure = replace(measure, k=_find_k(policy, len(shown)))
    found = measure(FrequencyList(policy.quasi, (), sizes, {}))
    facts: dict[str, Any] = {**found.facts(), "unit": "people", "rows_in_file": shown.file.rows}
    facts["uniqueness"] = groups.facts(ValueFrequencies.of(sizes.astype(np.float64)))
    facts["special_uniques"] = None
    facts["notes"] = [
        "People are counted, by their whole records: a class is all people whose rows are the same "
        "on these columns. Special uniques were not searched: they are rows."
    ]
    return Risk(facts, found, None, source, None, shown.classes.of_row[shown.person])


def _open(table: Any, policy: Policy) -> Table:
    """A table with the values of its columns as the policy means them."""
    found = open_table(table, policy.quasi)
    return clean_table(found, policy.cleanings(found.columns))


def _choose_policy(table: Any, policy: Any, quasi: Sequence[str], k: int | None) -> Policy:
    if policy is None:
        if not quasi:
            fix = f"Give {argument('quasi', 'COLUMN')}, or {argument('policy', 'FILE')}."
            raise ArgumentError("quasi", "no quasi column is named", fix)
        return Policy.from_flags(quasi, (), DEFAULT_K if k is None else k)
    if quasi or k is not None:
        what = "the policy names the quasi columns and k"
        raise ArgumentError(("policy", "quasi", "k"), what, "Give a policy, or the other two.")
    return settle_policy(policy, table)


@dataclass(frozen=True)
class _Groups:
    """What is asked of random groups of people."""

    level: float
    group: int | None
    simulate: bool
    seed: int

    def facts(self, frequencies: ValueFrequencies) -> dict[str, Any]:
        """The curve, and the chance at one group size if that or a simulation was asked for."""

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


class _Work:
    """One table under one policy: counted once, then asked."""

    counted: Counted
    risk: RiskFindings
    special: SpecialFindings | None

    def __init__(
        self, table: Table, policy: Policy, size: int | None, progress: Progress | None
    ) -> None:
        self.table, self.policy, self.size = table, policy, size
        self.progress = progress or (lambda step: None)

    def found(
        self,
        threshold: float,
        population: int | None,
        people: Table | None,
        weight: str | None,
        groups: _Groups,
    ) -> dict[str, Any]:
        """Every fact but those of the alpha test."""

        self.counted = self._count(self.table, weight)
        frequency = self.counted.frequency
        measure = TableRisk(threshold, population, _find_k(self.policy, frequency.total))
        register = None
        if people is not None:
            register = Register.of(frequency, self._count(people, None).frequency)
        self.risk = measure(frequency, register)
        facts: dict[str, Any] = self.risk.facts()
        facts["uniqueness"] = groups.facts(ValueFrequencies.of_columns(frequency))
        sampled = None if self.risk.population is None else self.risk.population.sampled
        self.special = _find_special_uniques(frequency, self.size, sampled, self.progress)
        facts["special_uniques"] = None if self.special is None else self.special.facts()
        facts["notes"] = _write_notes(len(frequency.columns), self.size, self.special)
        facts["notes"] += _note_changed_columns(self.policy, people is not None)
        return facts

    def check_alpha(
        self,
        population: int,
        alpha: float,
        sets: Sequence[Sequence[str]],
        domains: Mapping[str, int],
    ) -> dict[str, Any]:
        """The test of column sets against the population."""
        _check_sets(sets, self.policy.quasi)
        _check_domains(domains, self.counted.frequency)
        found = check_alpha_sets(
            self.counted.frequency,
            population=population,
            alpha=alpha,
            sets=[tuple(names) for names in sets] or None,
            domains=domains,
        )
        return found.facts()

    def _count(self, table: Table, weight: str | None) -> Counted:

        def report_rows(rows: int) -> None:
            self.progress(f"{rows:,} rows")

        counted = count(table, self.policy.quasi, weight=weight, progress=report_rows)
        if not len(counted.frequency):
            raise EmptyTableError(table.name, "it has no rows")
        return counted


def _check_sets(sets: Sequence[Sequence[str]], columns: Sequence[str]) -> None:
    for names in sets:
        _check_known("set_", ",".join(names), names, columns)


def _check_domains(domains: Mapping[str, int], frequency: FrequencyList) -> None:
    """Refuse fewer values of a column than the table has; its people are of the population."""
    for name, size in domains.items():
        _check_known("domain", f"{name}={size}", (name,), frequency.columns)
        codes = frequency.codes[frequency.columns.index(name)]
        there = len(set(codes.tolist()))
        if size < there:
            what = f"the table alone has {there:,} values of this column, so the population has too"
            raise ArgumentError("domain", what, f"Give {there:,} or more.", f"{name}={size}")


def _check_known(parameter: str, value: str, names: Sequence[str], columns: Sequence[str]) -> None:
    unknown = [name for name in names if name not in columns]
    if unknown:
        what = f"'{unknown[0]}' is not among the quasi columns: {', '.join(columns)}"
        fix = f"Name it with {argument('quasi')}, or correct its name."
        raise ArgumentError(parameter, what, fix, value)
    if not names or len(set(names)) < len(names):
        what = "a set has at least one column, each once"
        raise ArgumentError(parameter, what, f"Say {argument('set_', 'age,sex')}.", value)


def _write_notes(columns: int, asked: int | None, special: SpecialFindings | None) -> list[str]:
    """What was left out, and how to get it."""

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
            "seconds; a max_size of 3 searches more."
        ]
    return []


def _find_special_uniques(
    frequency: FrequencyList, size: int | None, sampled: float | None, progress: Progress
) -> SpecialFindings | None:
    """Special uniques, as many columns at a time as was asked for or takes some seconds."""

    columns = len(frequency.columns)
    if size == 0 or (size is None and columns > MOST_COLUMNS):
        return None
    if size is None:
        size = find_fitting_size(columns, len(frequency))
    return SpecialUniques(size, sampled)(
        frequency, lambda sets: progress(f"{sets:,} sets of columns")
    )


def _note_changed_columns(policy: Policy, register: bool) -> list[str]:
    """What to say of columns that a policy changes: here values are counted as they are."""
    done = describe_changes(policy, policy.quasi)
    told = ", ".join(f"{name} ({', '.join(what)})" for name, what in done.items())
    if not done:
        return []
    if not register:
        return [
            f"The policy changes {told}. Values are counted as they are in the file: if it is the "
            "private table, a release tells less."
        ]
    return [
        f"The policy changes {told}. Values are compared with the register as they are "
        "written, so the file is taken for the private table. For a release, use attack "
        "with the register, which makes the same change to it."
    ]


def _find_k(policy: Policy, rows: int) -> int:
    """The k of the policy's k-anonymity, for k-map; 5 where it has none."""

    models = fill_in_released_k(policy, rows, private=rows)[0].require
    return max((model.k for model in models if model.name == "k_anonymity"), default=DEFAULT_K)
