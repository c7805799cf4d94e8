"""Risk of a table: exact uniqueness, special uniques and population estimates."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.case import Benchmark, Case, Measured, Watch, own_peak
from bench.data import columns_of, file_of

if TYPE_CHECKING:
    from discreet.frequency.frequency_list import FrequencyList


def measured(counted: Callable[[], Any], work: Callable[[Any], tuple[str, int | None]]) -> Measured:
    """Make or read the data, do the work once to compile it, and again to measure it."""
    started = time.perf_counter()
    data = counted()
    work(data)
    with Watch() as watch:
        result, checked = work(data)
    whole, wall = time.process_time(), time.perf_counter() - started
    return Measured(watch.cpu, whole, wall, own_peak(), checked, result=result)


def adult() -> FrequencyList:
    """Adult on all nine columns of the file with hierarchies."""
    from discreet.frequency.count import count
    from discreet.table.read import read

    return count(read(file_of("adult")), columns_of("adult")).frequency


def skewed(classes: int) -> Any:
    """Frequencies of a skewed quasi-identifier: lognormal, from 1 to some thousands."""
    import numpy as np

    from discreet.risks.value_frequencies import ValueFrequencies

    return ValueFrequencies.of(np.random.default_rng(7).lognormal(3, 1, classes).round() + 1)


def curve(frequencies: Any) -> tuple[str, int | None]:
    """The whole curve of exact chances."""
    from discreet.risks.uniqueness import UniquenessCurve

    found = UniquenessCurve.of(frequencies)
    return f"below one half from {found.group_size:,} people on", len(found.points)


def special(size: int, frequency: FrequencyList) -> tuple[str, int | None]:
    """Minimal sample uniques; checked: sets of columns."""
    from discreet.risks.special_uniques import SpecialUniques

    found = SpecialUniques(size)(frequency)
    return f"{sum(found.by_size):,} minimal uniques of {found.rows_special:,} rows", found.subsets


def estimates(frequency: FrequencyList) -> tuple[str, int | None]:
    """Every population estimate for a population five times the table."""
    from discreet.risks.class_sizes import ClassSizes
    from discreet.risks.population_uniques import PopulationUniques

    sizes = ClassSizes.of(frequency.rows)
    found = PopulationUniques(5 * sizes.rows)(sizes)
    told = [
        f"{one.method} {one.uniques:,.0f}" for one in found.estimates if one.uniques is not None
    ]
    return f"{', '.join(told)}; at most {found.at_most:,}", None


def intruders(frequency: FrequencyList) -> tuple[str, int | None]:
    """Prosecutor, journalist and marketer for a population five times the table."""
    from discreet.risks.table_risk import TableRisk

    found = TableRisk(population=5 * frequency.total)(frequency)
    return f"journalist {found.journalist.average:.3f}, {found.journalist.method}", None


BENCHMARK = Benchmark(
    "risk",
    "search: the work, compiled before. checked: points of a curve, or sets of columns.",
    (
        Case("exact curve, 1 M values", partial(measured, partial(skewed, 1_000_000), curve)),
        Case("adult, special, size 3", partial(measured, adult, partial(special, 3))),
        Case("adult, special, size 5", partial(measured, adult, partial(special, 5))),
        Case("adult, population", partial(measured, adult, estimates)),
        Case("adult, intruders", partial(measured, adult, intruders)),
    ),
)
