"""The fewest columns that separate enough: what an intruder would collect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError, TooLargeError
from discreet.identification.keys import samples
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.cover import (
    MOST_EXACT,
    Best,
    find_least_exactly,
    find_least_greedily,
)
from discreet.identification.keys.goal import (
    MEASURES,
    Measure,
    check_measure,
    check_weights,
    fill_weights,
    make_ratio_error,
)
from discreet.identification.keys.growing import add_columns
from discreet.identification.keys.samples import PairSample, Promise, RowsSample
from discreet.identification.keys.search_goal import SearchGoal, ask_of_rows, ask_of_sample
from discreet.identification.keys.separation import Separation
from discreet.identification.keys.separation import measure as measure_set

# The answer of the search for the fewest columns, with the facts about it.


@dataclass(frozen=True)
class FoundKey:
    """A small set of columns that separates rows, with the facts about it.

    ``exact`` means that no lighter set suffices, proven on all rows; ``bound`` is a lower bound on
    the weight of any set. ``measured`` is counted on all rows if they were available. The
    ``promise`` is what a sample guarantees. ``size_factor`` bounds the loss of the greedy search in
    the worst case: the set is at most that many times as heavy as the lightest.
    """

    columns: tuple[str, ...]
    measure: Measure
    beta: float
    rows: int
    weight: float
    exact: bool
    bound: float
    size_factor: float | None
    measured: Separation | None = None
    promise: Promise | None = None
    notes: tuple[str, ...] = ()

    def facts(self) -> dict[str, Any]:
        """The answer as plain data."""
        found = {"distinct_ratio": None, "separation_ratio": None, "uniques": None}
        return {
            **(found if self.measured is None else self.measured.facts()),
            "columns": list(self.columns),
            "measure": self.measure,
            "beta": self.beta,
            "rows": self.rows,
            "weight": self.weight,
            "exact": self.exact,
            "bound": self.bound,
            "size_factor": self.size_factor,
            "promise": None if self.promise is None else self.promise.facts(),
            "notes": list(self.notes),
        }


__all__ = ["MEASURES", "FoundKey", "Measure", "MinimumKey"]

OWNER = "minimum key"


@dataclass(frozen=True)
class MinimumKey:
    """The fewest columns that single out everybody, or nearly everybody.

    With ``beta`` below 1, the fewest columns with a ratio of at least beta. ``weights`` are what
    it costs to learn a column (1 if absent). ``exact`` asks for a proven minimum, else greedy.
    With ``epsilon``, a sample is used, and the ratio is promised up to epsilon with
    probability 1 - ``delta``.

    >>> table = CodedTable.of_codes(
    ...     ["age", "sex", "state"], [[0, 1, 2, 0, 2], [0, 0, 0, 1, 1], [0, 0, 1, 2, 0]]
    ... )
    >>> MinimumKey(exact=True)(table).columns
    ('age', 'sex')
    >>> MinimumKey(beta=0.8)(table).columns
    ('age',)

    Notes
    -----
    [Motwani2007]_, sec. 2. *Departures*: columns that a greedy set turns out not to need are
    removed again, which keeps every promise and makes no set larger. The exact minimum is found by
    growing each set that misses the goal to a maximal one, and by hitting the complements of all of
    these with an integer program; the paper has no exact algorithm. A table with repeated rows has
    no key, which is reported. beta-distinct is greedy or exact on all rows only; sec. 2.5 shows why
    samples promise nothing. *Cost*: greedy, one count of the rows not yet unique for each column
    and step, fewer where old gains decide (adult: 88 of 104); the exact search grows with the
    number of counterexamples.
    """

    measure: Measure = "separation"
    beta: float = 1.0
    exact: bool = False
    weights: Mapping[str, float] = field(default_factory=dict)
    epsilon: float | None = None
    delta: float = 0.01
    seed: int = 0
    time_limit: float | None = 60.0

    def __post_init__(self) -> None:
        check_measure(OWNER, self.measure)
        samples.check_beta(self.beta, OWNER)
        samples.check_delta(self.delta)
        if self.epsilon is not None:
            samples.check_epsilon(self.epsilon)
            if self.measure == "distinct" and self.beta < 1:
                raise ParameterError(
                    OWNER, "epsilon", "absent for a distinct ratio below 1: no sample of "
                    "rows bounds it (Motwani and Xu, sec. 2.5)"
                )  # fmt: skip

    def __call__(self, table: CodedTable) -> FoundKey:
        """Search a table that is in memory."""
        check_weights(self.weights, table.columns, table.name)
        if self.epsilon is None:
            return self._search_rows(table)
        found = self.on_sample(self.draw(table))
        return replace(found, measured=measure_set(table, found.columns))

    def draw(self, table: CodedTable) -> PairSample | RowsSample | CodedTable:
        """The sample that the promise needs, or the table itself if that is not larger."""
        draws = np.random.default_rng(self.seed)
        size = self.sample_size(len(table.columns), len(table))
        if self.measure == "distinct":
            return table if size >= len(table) else RowsSample.of(table, size, draws)
        return table if len(table) < 2 else PairSample.of(table, size, draws)

    def sample_size(self, columns: int, rows: int) -> int:
        """Rows (distinct) or pairs (separation) by theorem 7, 5 or 8."""
        if self.epsilon is None:
            raise ParameterError(OWNER, "epsilon", "given, where a sample is to be drawn")
        if self.measure == "distinct":
            return samples.distinct_key_rows(columns, rows, self.epsilon, self.delta)
        if self.beta < 1:
            return samples.beta_separation_pairs(columns, self.beta, self.epsilon, self.delta)
        return samples.separation_key_pairs(columns, self.epsilon, self.delta)

    def on_sample(self, sample: PairSample | RowsSample | CodedTable) -> FoundKey:
        """Search a sample drawn from a stream; the promise follows from its size."""
        if isinstance(sample, CodedTable):
            return self._search_rows(sample)
        check_weights(self.weights, sample.columns, "the sample")
        asked = ask_of_sample(OWNER, sample, self.measure, self.beta, self.epsilon, self.delta)
        return self._make_found(asked, sample.columns, sample.rows, "the sample")

    def _search_rows(self, table: CodedTable) -> FoundKey:
        asked = ask_of_rows(table, self.measure, self.beta)
        found = self._make_found(asked, table.columns, len(table), table.name)
        return replace(found, measured=measure_set(table, found.columns))

    def _solve(self, asked: SearchGoal, columns: tuple[str, ...], name: str) -> Best:
        start, goal = asked.start, asked.goal
        places = range(len(columns))
        weights = fill_weights(self.weights, columns)
        picked = find_least_greedily(start, places, weights, goal)
        if picked is None:
            most = add_columns(start, places).value
            raise make_ratio_error(name, self.measure, self.beta, most / asked.total)
        if not self.exact:
            return Best(picked, False, 0.0)
        if len(columns) > MOST_EXACT:
            raise TooLargeError.for_algorithm(
                "exact", "columns", len(columns), MOST_EXACT, "greedy"
            )
        return find_least_exactly(start, places, weights, goal, picked, self.time_limit)

    def _make_found(
        self, asked: SearchGoal, columns: tuple[str, ...], rows: int, name: str
    ) -> FoundKey:
        best = self._solve(asked, columns, name)
        weights = fill_weights(self.weights, columns)
        notes = asked.notes
        if rows == 1:
            notes = (*notes, "the table has one row: any column, and none, singles it out")
        return FoundKey(
            tuple(columns[place] for place in sorted(best.places)),
            self.measure,
            self.beta,
            rows,
            float(sum(weights[place] for place in best.places)),
            best.proven and asked.promise is None,
            best.bound,
            1.0 if best.proven else asked.size_factor,
            None,
            asked.promise,
            notes,
        )
