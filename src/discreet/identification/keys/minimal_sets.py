"""All minimal sets of columns that single people out: keys, and quasi-identifiers below a key."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.identification.keys import samples as sample_sizes
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.goal import (
    Measure,
    check_measure,
    find_least_count,
    make_ratio_error,
)
from discreet.identification.keys.growing import Growing, SeparatedPairs, SeparatedRows, add_columns
from discreet.identification.keys.hitting_sets import (
    Along,
    Clashes,
    DifferenceSets,
    Outsides,
    find_minimal_sets,
)
from discreet.identification.keys.minimum_key import MinimumKey
from discreet.identification.keys.samples import (
    PairSample,
    Promise,
    RowsSample,
    check_delta,
    make_sample_error,
    round_above,
)
from discreet.identification.keys.search_goal import SearchGoal, ask_of_rows, ask_of_sample
from discreet.identification.keys.separation import Separation

# The answer of the search for all minimal sets, with the facts about it.


Path = tuple[int, ...]


@dataclass(frozen=True)
class SampledSet:
    """A set found in a sample; how much it separates in all rows was not counted."""

    columns: tuple[str, ...]

    def facts(self) -> dict[str, Any]:
        """The set as plain data."""
        figures = ("distinct_ratio", "separation_ratio", "distinct", "uniques", "entropy")
        return {"columns": list(self.columns), **dict.fromkeys(figures)}


@dataclass(frozen=True)
class FoundSets:
    """All minimal sets with at least a ratio, with the facts about them.

    ``sets`` has small sets first, and the most identifying first among sets of one size. ``exact``
    means that these are all minimal sets, proven on all rows. ``complete`` is False if time ran
    out: then there may be more. With ``delta``, all of this holds only with probability 1 - delta:
    because samples ruled sets out, or, with a ``promise``, because only a sample was used. The
    figures of every set are counted on all rows if these were available.
    """

    measure: Measure
    beta: float
    max_size: int | None
    rows: int
    duplicates_removed: int
    sets: tuple[Separation | SampledSet, ...]
    exact: bool
    complete: bool
    delta: float | None = None
    promise: Promise | None = None
    looked: int = 0
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """The answer as plain data."""
        return {
            "measure": self.measure,
            "beta": self.beta,
            "max_size": self.max_size,
            "rows": self.rows,
            "duplicates_removed": self.duplicates_removed,
            "sets": [one.facts() for one in self.sets],
            "exact": self.exact,
            "complete": self.complete,
            "delta": self.delta,
            "promise": None if self.promise is None else self.promise.facts(),
            "looked_at": self.looked,
            "notes": list(self.notes),
        }


def order_sets(
    sets: Sequence[Separation | SampledSet], columns: Sequence[str], measure: Measure
) -> tuple[Separation | SampledSet, ...]:
    """Small sets first, then the most identifying, then by column order."""
    place = {name: i for i, name in enumerate(columns)}

    def order(one: Separation | SampledSet) -> tuple[int, int, list[int]]:
        left = 0
        if isinstance(one, Separation):
            left = -one.distinct if measure == "distinct" else one.pairs_alike
        return len(one.columns), left, [place[name] for name in one.columns]

    return tuple(sorted(sets, key=order))


def name_columns(columns: Sequence[str], path: Path) -> tuple[str, ...]:
    """The columns of a set, in table order."""
    return tuple(columns[place] for place in sorted(path))


def measure_set(table: CodedTable, path: Path, along: Along[SeparatedRows] | None) -> Separation:
    """The figures of a set, counted on all rows; without ``along`` the set is known to be a key."""
    columns, rows = name_columns(table.columns, path), len(table)
    if along is None:
        return Separation(columns, rows, rows, rows, 0, math.log2(rows))
    found = along.at(path).partition
    share = np.diff(found.starts) / rows
    alone = found.alone / rows * math.log2(rows)
    entropy = max(0.0, alone - float((share * np.log2(share)).sum()))
    return Separation(columns, rows, found.distinct, found.alone, found.pairs_alike, entropy)


# The search of the paper: all sets of one column, of two, and so on, but no supersets of answers.


def search_levelwise(
    start: Growing,
    columns: int,
    goal: int,
    border: Iterable[Path] = ((),),
    most: int | None = None,
    pause: Callable[[int], None] | None = None,
) -> Iterator[Path]:
    """All minimal sets that meet the goal, smallest first.

    ``border`` are sets of which every answer contains one: those of a sample table, or the empty
    set. The search starts there and goes upwards.

    Notes
    -----
    [Motwani2007]_, sec. 3.1. *Departures*: none. *Cost*: each set from the border up to the
    answers is counted once; the partition of its first columns is shared with the set before.
    """
    limit = columns if most is None else min(most, columns)
    along = Along(start)
    found: list[int] = []
    waiting = dict[int, set[Path]]()
    for path in border:
        waiting.setdefault(len(path), set()).add(tuple(sorted(path)))
    for size in range(limit + 1):
        for path in sorted(waiting.pop(size, ())):
            if pause is not None:
                pause(1)
            own = sum(1 << place for place in path)
            if any(answer & own == answer for answer in found):
                continue
            if along.value(path) >= goal:
                found.append(own)
                yield path
            elif size < limit:
                above = waiting.setdefault(size + 1, set())
                for place in range(columns):
                    if not own >> place & 1:
                        above.add(tuple(sorted((*path, place))))


# Sample tables that rule sets out before all rows are counted.
#
# Notes
# -----
# [Motwani2007]_, sec. 3 and lemmas 9 and 10. *Departures*: rows are drawn without replacement, so
# that the proof of lemma 10 needs no "negligible" (the share of good rows is then hypergeometric,
# and Chernoff's bound holds for it as well); with a largest size, only sets up to that size have to
# survive, not all 2**m; several sample tables share delta evenly.


@dataclass(frozen=True, eq=False)
class SampleTable:
    """A sample, and how much a set has to separate in it so as not to be ruled out."""

    start: Growing
    goal: int
    sampled: int


def sample_table(
    table: CodedTable,
    measure: Measure,
    beta: float,
    size: int,
    log_sets: float,
    draws: np.random.Generator,
) -> SampleTable:
    """Draw a sample table. Keys stay keys in it; with beta below 1, lemmas 9 and 10 apply.

    ``log_sets`` is the logarithm of the number of sets over delta.
    """
    if beta == 1:
        rows = RowsSample.of(table, size, draws).table
        return SampleTable(
            SeparatedRows.none(rows, False), len(rows) * (len(rows) - 1) // 2, len(rows)
        )
    lowered = lower_beta(beta, size, log_sets)
    if measure == "separation":
        pairs = PairSample.of(table, size, draws)
        return SampleTable(SeparatedPairs.none(pairs.bits), find_least_count(lowered, size), size)
    rows = RowsSample.of(table, size, draws).table
    if len(rows) == len(table):  # all rows: nothing is left to chance
        return SampleTable(
            SeparatedRows.none(rows, True), find_least_count(beta, len(rows)), len(rows)
        )
    return SampleTable(
        SeparatedRows.none(rows, True), find_least_count(lowered, len(rows)), len(rows)
    )


def lower_beta(beta: float, size: int, log_sets: float) -> float:
    """The ratio alpha beta below which a set is ruled out: alpha = 1 - sqrt(2 log_sets / beta k).

    >>> lower_beta(0.9, 10_000, log_sets_up_to(14, None, 0.01))
    0.8492...
    """
    alpha = 1 - math.sqrt(2 * log_sets / (beta * size))
    if alpha <= 0:
        raise make_sample_error(size, round_above(2 * log_sets / beta))
    return alpha * beta


def log_sets_up_to(columns: int, most: int | None, delta: float) -> float:
    """The logarithm of the number of sets that may be an answer, over delta.

    >>> log_sets_up_to(14, None, 0.01) == math.log(2**14 / 0.01)
    True
    >>> log_sets_up_to(14, 2, 0.01) == math.log((1 + 14 + 91) / 0.01)
    True
    """
    check_delta(delta)
    if most is None or most >= columns:
        return columns * math.log(2) - math.log(delta)
    return math.log(sum(math.comb(columns, size) for size in range(most + 1))) - math.log(delta)


# Progress and time limit of a search.


Progress = Callable[[str, float | None], None]


class OutOfTime(Exception):
    """Ends a search from within."""


class Watch:
    """Reports the progress of the search, and ends it when time is up."""

    def __init__(self, seconds: float | None, progress: Progress | None) -> None:
        self.until = None if seconds is None else time.monotonic() + seconds
        self.progress = progress
        self.found = self.looked = 0
        self.out = False

    def __call__(self, more: int) -> None:
        """Count sets that were checked; raises `OutOfTime`."""
        self.looked += more
        if self.until is not None and time.monotonic() > self.until:
            self.out = True
            raise OutOfTime
        if self.progress is not None:
            self.progress(f"searching, {self.found:,} sets found, {self.looked:,} checked", None)


Method = Literal["hitting", "levelwise"]
METHODS: tuple[Method, ...] = ("hitting", "levelwise")
OWNER = "minimal sets"

OnSet = Callable[[Separation | SampledSet], None]


@dataclass(frozen=True)
class MinimalSets:
    """All minimal sets of columns that single people out.

    With ``beta`` 1, all minimal keys; below, all minimal sets with at least that separation or
    distinct ratio. ``max_size`` is the size of the largest set searched for. ``samples`` are sizes
    of sample tables that rule sets out first; with ``epsilon`` only one sample is used. Both are
    right with probability 1 - ``delta``, except that samples which rule out keys are always right.

    >>> table = CodedTable.of_codes(
    ...     ["age", "sex", "state"], [[0, 1, 2, 0, 2], [0, 0, 0, 1, 1], [0, 0, 1, 2, 0]]
    ... )
    >>> [found.columns for found in MinimalSets()(table).sets]
    [('age', 'sex'), ('age', 'state')]
    >>> [found.columns for found in MinimalSets("distinct", 0.8)(table).sets]
    [('age', 'sex'), ('age', 'state'), ('sex', 'state')]

    Notes
    -----
    [Motwani2007]_, sec. 3. *Departures*: the default method does not go level by level. A set that
    misses the goal is grown to a maximal one that misses it, or, for keys, two rows that it leaves
    equal are found; every answer has a column of the complement or difference, so answers are the
    minimal hitting sets of those, see `discreet.identification.keys.hitting_sets`.
    ``method="levelwise"`` is the paper's. A table with repeated rows has no key, which is reported.
    In a table of one row the empty set is the only minimal one. Minimal beta-distinct sets are not
    promised from a sample alone (sec. 2.5). *Cost*: about one count of the rows not yet unique for
    each answer, and one for each column and maximal set that is not one; both numbers can be
    exponential in the columns, so there is a ``time_limit``, which returns what was found by then.
    """

    measure: Measure = "separation"
    beta: float = 1.0
    max_size: int | None = None
    method: Method = "hitting"
    samples: Sequence[int] = ()
    epsilon: float | None = None
    delta: float = 0.01
    seed: int = 0
    time_limit: float | None = None

    def __post_init__(self) -> None:
        check_measure(OWNER, self.measure)
        sample_sizes.check_beta(self.beta, OWNER)
        sample_sizes.check_delta(self.delta)
        if self.method not in METHODS:
            raise ParameterError(OWNER, "method", " or ".join(METHODS))
        if self.max_size is not None and not _is_whole(self.max_size):
            raise ParameterError(OWNER, "max_size", "a whole number above 0")
        if not all(_is_whole(size) for size in self.samples):
            raise ParameterError(OWNER, "samples", "whole numbers above 0")
        if self.time_limit is not None and not self.time_limit > 0:
            raise ParameterError(OWNER, "time_limit", "a number of seconds above 0")
        if self.epsilon is not None:
            if self.samples:
                raise ParameterError(OWNER, "epsilon", "absent where sample tables are given")
            self._make_minimum_key()

    def __call__(
        self, table: CodedTable, on_set: OnSet | None = None, progress: Progress | None = None
    ) -> FoundSets:
        """Search a table; ``on_set`` is called with each set as soon as it is found."""
        asked = ask_of_rows(table, self.measure, self.beta)
        most = asked.total if self.beta == 1 else _measure_all_columns(asked, len(table.columns))
        if most < asked.goal:
            raise make_ratio_error(table.name, self.measure, self.beta, most / asked.total)
        watch = Watch(self.time_limit, progress)
        sample = None if self.epsilon is None else self._make_minimum_key().draw(table)
        if sample is None or isinstance(sample, CodedTable):
            paths = self._search_rows(table, asked, watch)
        else:
            asked = self._make_search_goal(sample)
            paths = self._search(asked.start, asked.goal, len(table.columns), watch)
        keys = self.beta == 1 and asked.promise is None
        along = None if keys else Along(SeparatedRows.none(table, False))
        sets = self._gather(paths, lambda path: measure_set(table, path, along), watch, on_set)
        columns, removed = table.columns, table.duplicates_removed
        return self._make_found(columns, len(table), removed, sets, watch, asked)

    def on_sample(
        self,
        sample: PairSample | RowsSample,
        on_set: OnSet | None = None,
        progress: Progress | None = None,
    ) -> FoundSets:
        """Search a sample drawn from a stream; the promise follows from its size."""
        watch = Watch(self.time_limit, progress)
        asked = self._make_search_goal(sample)
        columns = sample.columns
        paths = self._search(asked.start, asked.goal, len(columns), watch)
        sets = self._gather(
            paths, lambda path: SampledSet(name_columns(columns, path)), watch, on_set
        )
        return self._make_found(columns, sample.rows, 0, sets, watch, asked)

    def _gather(
        self,
        paths: Iterator[Path],
        figures: Callable[[Path], Separation | SampledSet],
        watch: Watch,
        on_set: OnSet | None,
    ) -> list[Separation | SampledSet]:
        """The sets found before time is up, each with its figures."""
        sets = list[Separation | SampledSet]()
        try:
            for path in paths:
                sets.append(figures(path))
                watch.found = len(sets)
                if on_set is not None:
                    on_set(sets[-1])
        except OutOfTime:
            pass
        return sets

    def _make_found(
        self,
        columns: Sequence[str],
        rows: int,
        removed: int,
        sets: list[Separation | SampledSet],
        watch: Watch,
        asked: SearchGoal,
    ) -> FoundSets:
        notes = list(asked.notes)
        if rows == 1:
            notes.append("the table has one row: any column, and none, singles it out")
        if watch.out:
            notes.append(
                f"time ran out after {self.time_limit:g} s: every set shown is minimal, but there "
                "may be more sets; give more time, fewer columns or a largest size"
            )
        chance = asked.promise is not None or (bool(self.samples) and self.beta < 1)
        return FoundSets(
            self.measure,
            self.beta,
            self.max_size,
            rows,
            removed,
            order_sets(sets, columns, self.measure),
            not chance and not watch.out,
            not watch.out,
            self.delta if chance else None,
            asked.promise,
            watch.looked,
            tuple(notes),
        )

    def _make_minimum_key(self) -> MinimumKey:
        """The minimum key for the same sample; it refuses what no sample can promise."""
        return MinimumKey(
            self.measure, self.beta, epsilon=self.epsilon, delta=self.delta, seed=self.seed
        )

    def _make_search_goal(self, sample: PairSample | RowsSample) -> SearchGoal:
        return ask_of_sample(OWNER, sample, self.measure, self.beta, self.epsilon, self.delta)

    def _search_rows(self, table: CodedTable, asked: SearchGoal, watch: Watch) -> Iterator[Path]:
        """Search sample tables one after another, smallest first, then all rows."""
        columns = len(table.columns)
        known = DifferenceSets(columns)
        border: list[Path] = [()]
        for sample in self._draw_sample_tables(table):
            border = list(self._search(sample.start, sample.goal, columns, watch, border, known))
        yield from self._search(asked.start, asked.goal, columns, watch, border, known)

    def _draw_sample_tables(self, table: CodedTable) -> Iterator[SampleTable]:
        if not self.samples or len(table) < 2:
            return
        draws = np.random.default_rng(self.seed)
        delta = self.delta / len(self.samples)
        log_sets = log_sets_up_to(len(table.columns), self.max_size, delta)
        for size in sorted(self.samples):
            yield sample_table(table, self.measure, self.beta, size, log_sets, draws)

    def _search(
        self,
        start: Growing,
        goal: int,
        columns: int,
        watch: Watch,
        border: Sequence[Path] = ((),),
        known: DifferenceSets | None = None,
    ) -> Iterator[Path]:
        if self.method == "levelwise":
            return search_levelwise(start, columns, goal, border, self.max_size, watch)
        known = DifferenceSets(columns) if known is None else known
        outsides = Outsides(known, start, goal, watch)
        if isinstance(start, SeparatedRows) and not start.distinct and self.beta == 1:
            return find_minimal_sets(known, Clashes(known, start, outsides), self.max_size, watch)
        return find_minimal_sets(known, outsides, self.max_size, watch)


def _measure_all_columns(asked: SearchGoal, columns: int) -> int:
    return add_columns(asked.start, range(columns)).value


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number > 0
