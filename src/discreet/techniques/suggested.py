"""Every technique with settings to begin with, for the columns of a table that it fits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import floor, log10
from typing import Any

import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import ParameterError, TechniqueError
from discreet.table.table import Table
from discreet.techniques import ALL
from discreet.techniques.arrow_rows import read_rows, take_column
from discreet.techniques.change_rows import AddTuples, SampleRows, Scramble
from discreet.techniques.microaggregate import Microaggregate
from discreet.techniques.noise import Noise, Perturb
from discreet.techniques.number_columns import number_column, read_numbers
from discreet.techniques.outliers_to_median import OutliersToMedian
from discreet.techniques.round_values import RoundValues
from discreet.techniques.shift_dates import RelativeDates, ShiftDates
from discreet.techniques.substitute import Pram, Substitute
from discreet.techniques.suppress_values import SuppressValues
from discreet.techniques.swap import RankSwap, Shuffle, Swap
from discreet.techniques.technique import Technique
from discreet.techniques.top_code import BottomCode, TopCode
from discreet.techniques.utility import (
    ColumnUtility,
    Utility,
    compare_utility,
    view_columns,
    view_columns_after,
)

SHARE, K = 0.1, 5
"""Of cells, pairs or rows that are changed; of rows that must be alike."""
YOURS = "no setting is a fair start for every table: choose it yourself"
OWN: dict[type[Any], str] = {
    Substitute: "it needs a list of new values, which only you can give (replacements, categories)",
    ShiftDates: "it needs the column that says whose row it is (entity)",
    RelativeDates: "it needs the column that says whose row it is (entity)",
}
"""Techniques that cannot be tried without the data holder."""
Unfit = tuple[str, str | None, str]
"""A technique, the column that it does not fit (None: any), and why."""


@dataclass(frozen=True)
class Suggested:
    """Techniques to try, and those that do not fit a column, with the reason."""

    techniques: tuple[Technique, ...]
    unfit: tuple[Unfit, ...]


def suggest_techniques(rows: pa.Table, columns: tuple[str, ...]) -> Suggested:
    """Every technique once, rounding once a column, with settings that are often a fair start.

    >>> table = pa.table({"age": list(range(30)), "job": ["nurse", "cook"] * 15})
    >>> found = suggest_techniques(table, ("age", "job"))
    >>> [one.columns for one in found.techniques if one.name in ("noise", "shuffle")]
    [('age', 'job'), ('age',)]

    Notes
    -----
    A tenth of the cells, pairs or rows, groups of 5 rows, the outer 5 per cent: common choices of
    statistics offices. *Departures*: none. *Cost*: one pass over each column.
    """
    numbers, ordered, unfit = [], [], list[Unfit]()
    for name in columns:
        try:
            number_column("", rows, name)
            numbers.append(name)
        except TechniqueError as error:
            unfit += [(cls.name, name, state_reason(error)) for cls in NUMBERS]
        try:
            read_numbers("", name, take_column(rows, name))
            ordered.append(name)
        except TechniqueError as error:
            unfit.append((RankSwap.name, name, state_reason(error)))
    unit = len(columns) < rows.num_columns
    found = [
        *_suggest_for_any(columns, unit),
        *_suggest_for_ordered(tuple(ordered)),
        *_suggest_for_numbers(tuple(numbers)),
    ]
    found += [*_suggest_rounding(rows, numbers), *_suggest_grouping(columns, tuple(numbers))]
    found += [SampleRows(SHARE), AddTuples(SHARE), Scramble()]
    named = {one.name for one in found} | {one[0] for one in unfit}
    unfit += [(cls.name, None, OWN.get(cls, YOURS)) for cls in ALL if cls.name not in named]
    return Suggested(tuple(found), tuple(unfit))


NUMBERS: tuple[type[Any], ...] = (
    Noise,
    Perturb,
    RoundValues,
    TopCode,
    BottomCode,
    OutliersToMedian,
)


def state_reason(error: TechniqueError) -> str:
    """The problem stated in an error, without the names and the fix."""
    what = str(error).partition(f"column '{error.column}' ")[2] or str(error)
    return what.partition(". ")[0]


def drop_column(technique: Any, column: str) -> Technique | None:
    """The technique on its other columns; None if there are none."""
    left = tuple(name for name in technique.columns if name != column)
    if not left:
        return None
    changed: Technique = replace(technique, columns=left)
    return changed


def _suggest_for_any(columns: tuple[str, ...], unit: bool) -> Iterator[Technique]:
    yield SuppressValues(columns, rarer_than=K)
    yield Swap(columns, share=SHARE, unit=unit)
    yield Shuffle(columns)
    yield Pram(columns, share=SHARE)


def _suggest_for_ordered(columns: tuple[str, ...]) -> Iterator[Technique]:
    if columns:
        yield RankSwap(columns, p=5)


def _suggest_for_numbers(columns: tuple[str, ...]) -> Iterator[Technique]:
    if columns:
        yield Noise(columns, amount=SHARE)
        yield Perturb(columns)
        yield TopCode(columns, quantile=0.95)
        yield BottomCode(columns, quantile=0.05)
        yield OutliersToMedian(columns)


def _suggest_grouping(columns: tuple[str, ...], numbers: tuple[str, ...]) -> Iterator[Technique]:
    words = tuple(name for name in columns if name not in numbers)
    yield Microaggregate(columns, K, categories=words)


def _suggest_rounding(rows: pa.Table, numbers: list[str]) -> Iterator[Technique]:
    """A base of its own for each column: about a fifth of a standard deviation."""
    for name in numbers:
        column = number_column(RoundValues.name, rows, name)
        base = _round_number(float(column.known.std()) / 5)
        yield RoundValues((name,), max(2.0, base) if column.whole else base)


def _round_number(size: float) -> float:
    """The number 1, 2 or 5 with zeros that is nearest below; 1 of nothing."""
    if not size > 0:
        return 1.0
    power = 10.0 ** floor(log10(size))
    return power * max(digit for digit in (1, 2, 5) if digit * power <= size * (1 + 1e-9))


# Which technique costs least on the table at hand.


@dataclass(frozen=True)
class Ordered:
    """One technique and what it left of the table."""

    technique: Technique
    utility: Utility

    def facts(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "technique": self.technique.name,
            "protection": self.technique.protection,
            "truthful": self.technique.truthful,
            "keeps": self.technique.keeps,
            "distortion": self.utility.distortion,
        }


def order_by_utility(
    table: Table, techniques: Sequence[Technique], seed: int, columns: Sequence[str] = ()
) -> tuple[Ordered, ...]:
    """The techniques from the least to the most distorting, each alone on your own table.

    With `columns`, only these and their pairs with any column are compared.

    >>> import pyarrow as pa
    >>> from discreet.table.read import read
    >>> from discreet.techniques.change_rows import Scramble
    >>> from discreet.techniques.suppress_values import SuppressValues
    >>> table = read(pa.table({"sex": ["F", "M"] * 5, "ill": ["a", "b"] * 5}))
    >>> found = order_by_utility(table, [SuppressValues(("ill",)), Scramble()], seed=1)
    >>> [(part.technique.name, round(part.utility.distortion, 3)) for part in found]
    [('scramble', 0.0), ('suppress_values', 1.0)]

    Notes
    -----
    [Sweeney2001]_, sec. 4.3, fig. 24, orders techniques by an entropy metric. *Departures*: the
    metric is not defined there; ours is the mean
    Jensen-Shannon divergence, an entropy in bits, of the contingency tables of all pairs of
    columns. It compares what can be counted, so that a change of the order of rows costs nothing,
    and says nothing of protection: compare techniques that protect alike. One seed is one draw;
    techniques that come out close should be tried with others. *Cost*: each technique once, and a
    comparison of all pairs of columns.
    """
    if not techniques:
        raise ParameterError("order_by_utility", "techniques", "at least one technique")
    found = Tried(table, tuple(columns))
    return order_techniques([found(technique, seed) for technique in techniques])


def order_techniques(found: Iterable[Ordered]) -> tuple[Ordered, ...]:
    """From the least to the most distorting."""
    return tuple(sorted(found, key=lambda part: part.utility.distortion))


class Tried:
    """A table on which techniques are tried one by one; its columns are examined once."""

    def __init__(self, table: Table, columns: tuple[str, ...] = ()) -> None:
        self.table, self.columns = table, columns or table.columns
        rows = read_rows(table, columns)
        self.before = view_columns(rows, rows.column_names)
        self.unchanged: dict[str, ColumnUtility] = {}

    def __call__(self, technique: Technique, seed: int) -> Ordered:
        """The utility of the table after one technique."""
        rows = read_rows(technique(self.table, seed))
        touched = technique.columns or self.table.columns
        after = view_columns_after(rows, {name: self.before[name] for name in touched})
        found = compare_utility(
            self.before, self.before | after, self.columns, False, self.unchanged
        )
        return Ordered(technique, found)
