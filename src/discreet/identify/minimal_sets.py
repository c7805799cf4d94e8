"""All minimal sets of columns that single people out: keys, and quasi-identifiers below a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import numpy as np

from discreet.display import dataclass
from discreet.errors import NoSuchSetError, ParameterError
from discreet.identify import sample_sizes
from discreet.identify.coded_table import CodedTable
from discreet.identify.cover.asked import Asked, asked_of_rows, asked_of_sample
from discreet.identify.cover.goal import Measure, check_measure
from discreet.identify.cover.growing import Growing, RowsTold, with_all
from discreet.identify.minimal.difference_sets import DifferenceSets
from discreet.identify.minimal.found_sets import FoundSets, SampledSet, in_order, measured, names
from discreet.identify.minimal.hitting_sets import minimal_sets
from discreet.identify.minimal.judges import Along, Clashes, Outsides
from discreet.identify.minimal.levelwise import levelwise
from discreet.identify.minimal.sampled_pruning import SampleTable, log_of_sets, sample_table
from discreet.identify.minimal.watch import OutOfTime, Progress, Watch
from discreet.identify.minimum_key import MinimumKey
from discreet.identify.samples import PairSample, RowsSample
from discreet.identify.separation import Separation

Method = Literal["hitting", "levelwise"]
METHODS: tuple[Method, ...] = ("hitting", "levelwise")
OWNER = "minimal sets"
Path = tuple[int, ...]
OnSet = Callable[[Separation | SampledSet], None]


@dataclass(frozen=True)
class MinimalSets:
    """Every way to single people out: all sets that do, and of which no part does.

    With ``beta`` 1, all minimal keys; below, all minimal sets with at least that separation or
    distinct ratio. ``max_size`` is the largest set looked for. ``samples`` are sizes of sample
    tables that rule sets out first; with ``epsilon`` nothing but one sample is looked at. Both
    hold with probability 1 - ``delta``, but for samples that rule out keys: that is certain.

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
    is too small is grown to a largest one that is, or, for keys, two rows that it leaves alike
    are looked for; every answer has a column of what is left, so answers are the minimal hitting
    sets of those, see `discreet.identify.minimal`. ``method="levelwise"`` is the paper's.
    A table with rows that repeat has no key: that is said. A table of one row is told apart by no
    column at all: the empty set is the only minimal one. Minimal beta-distinct sets are not
    promised from a sample alone (sec. 2.5). *Cost*: about one count of the rows not yet unique for
    each answer, and one for each column and largest set that is none; both numbers can be
    exponential in the columns, so there is a ``time_limit``, with what was found by then.
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
        if self.max_size is not None and not _whole(self.max_size):
            raise ParameterError(OWNER, "max_size", "a whole number above 0")
        if not all(_whole(size) for size in self.samples):
            raise ParameterError(OWNER, "samples", "whole numbers above 0")
        if self.time_limit is not None and not self.time_limit > 0:
            raise ParameterError(OWNER, "time_limit", "a number of seconds above 0")
        if self.epsilon is not None:
            if self.samples:
                raise ParameterError(OWNER, "epsilon", "absent where sample tables are given")
            self._minimum()

    def __call__(
        self, table: CodedTable, on_set: OnSet | None = None, progress: Progress | None = None
    ) -> FoundSets:
        """Look for the sets in a table; ``on_set`` is given each as soon as it is found."""
        asked = asked_of_rows(table, self.measure, self.beta)
        most = asked.total if self.beta == 1 else _most(asked, len(table.columns))
        if most < asked.goal:
            raise NoSuchSetError(table.name, self.measure, self.beta, most / asked.total)
        watch = Watch(self.time_limit, progress)
        sample = None if self.epsilon is None else self._minimum().draw(table)
        if sample is None or isinstance(sample, CodedTable):
            paths = self._on_rows(table, asked, watch)
        else:
            asked = self._asked(sample)
            paths = self._search(asked.start, asked.goal, len(table.columns), watch)
        keys = self.beta == 1 and asked.promise is None
        along = None if keys else Along(RowsTold.none(table, False))
        sets = self._gather(paths, lambda path: measured(table, path, along), watch, on_set)
        columns, removed = table.columns, table.duplicates_removed
        return self._found(columns, len(table), removed, sets, watch, asked)

    def on_sample(
        self,
        sample: PairSample | RowsSample,
        on_set: OnSet | None = None,
        progress: Progress | None = None,
    ) -> FoundSets:
        """Look for the sets in a sample, as a stream gives it; the promise follows its size."""
        watch = Watch(self.time_limit, progress)
        asked = self._asked(sample)
        columns = sample.columns
        paths = self._search(asked.start, asked.goal, len(columns), watch)
        sets = self._gather(paths, lambda path: SampledSet(names(columns, path)), watch, on_set)
        return self._found(columns, sample.rows, 0, sets, watch, asked)

    def _gather(
        self,
        paths: Iterator[Path],
        figures: Callable[[Path], Separation | SampledSet],
        watch: Watch,
        on_set: OnSet | None,
    ) -> list[Separation | SampledSet]:
        """The sets that are found before time is up, each with its figures."""
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

    def _found(
        self,
        columns: Sequence[str],
        rows: int,
        removed: int,
        sets: list[Separation | SampledSet],
        watch: Watch,
        asked: Asked,
    ) -> FoundSets:
        notes = list(asked.notes)
        if rows == 1:
            notes.append("the table has one row: any column, and none, singles it out")
        if watch.out:
            notes.append(
                f"time ran out after {self.time_limit:g} s: no part of a set shown will do, but "
                "there may be more sets; give more time, fewer columns or a largest size"
            )
        chance = asked.promise is not None or (bool(self.samples) and self.beta < 1)
        return FoundSets(
            self.measure,
            self.beta,
            self.max_size,
            rows,
            removed,
            in_order(sets, columns, self.measure),
            not chance and not watch.out,
            not watch.out,
            self.delta if chance else None,
            asked.promise,
            watch.looked,
            tuple(notes),
        )

    def _minimum(self) -> MinimumKey:
        """The minimum key with the same sample; it refuses what no sample can promise."""
        return MinimumKey(
            self.measure, self.beta, epsilon=self.epsilon, delta=self.delta, seed=self.seed
        )

    def _asked(self, sample: PairSample | RowsSample) -> Asked:
        return asked_of_sample(OWNER, sample, self.measure, self.beta, self.epsilon, self.delta)

    def _on_rows(self, table: CodedTable, asked: Asked, watch: Watch) -> Iterator[Path]:
        """Sample tables one after another, smallest first, then all rows."""
        columns = len(table.columns)
        known = DifferenceSets(columns)
        border: list[Path] = [()]
        for sample in self._sample_tables(table):
            border = list(self._search(sample.start, sample.goal, columns, watch, border, known))
        yield from self._search(asked.start, asked.goal, columns, watch, border, known)

    def _sample_tables(self, table: CodedTable) -> Iterator[SampleTable]:
        if not self.samples or len(table) < 2:
            return
        draws = np.random.default_rng(self.seed)
        delta = self.delta / len(self.samples)
        log_sets = log_of_sets(len(table.columns), self.max_size, delta)
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
            return levelwise(start, columns, goal, border, self.max_size, watch)
        known = DifferenceSets(columns) if known is None else known
        outsides = Outsides(known, start, goal, watch)
        if isinstance(start, RowsTold) and not start.distinct and self.beta == 1:
            return minimal_sets(known, Clashes(known, start, outsides), self.max_size, watch)
        return minimal_sets(known, outsides, self.max_size, watch)


def _most(asked: Asked, columns: int) -> int:
    return with_all(asked.start, range(columns)).value


def _whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number > 0
