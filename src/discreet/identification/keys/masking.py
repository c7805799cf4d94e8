"""Which columns can be published so that no quasi-identifier is among them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

import numpy as np

from discreet.display import dataclass, format_count, render_html_table
from discreet.errors import ArgumentError, ColumnSetError, ParameterError, TooLargeError
from discreet.identification.keys import samples
from discreet.identification.keys.coded_table import CodedTable, select_columns
from discreet.identification.keys.cover import (
    MOST_EXACT,
    Best,
    find_most_exactly,
    find_most_greedily,
)
from discreet.identification.keys.goal import (
    Measure,
    check_measure,
    check_weights,
    fill_weights,
    find_count_below,
    find_most_count,
    round_apart,
)
from discreet.identification.keys.growing import Growing, SeparatedPairs, SeparatedRows, add_columns
from discreet.identification.keys.samples import PairSample, Promise, RowsSample
from discreet.identification.keys.separation import Separation
from discreet.identification.keys.separation import measure as measure_set

# The columns to publish and those to withhold, with the facts about the choice.


@dataclass(frozen=True)
class Masked:
    """The columns to publish and those to withhold.

    ``strict`` requires a ratio below beta, not at most beta. ``exact`` means that no heavier set
    keeps the limit, proven on all rows; ``bound`` is an upper bound on the weight of any set.
    ``measured`` is counted on all rows if they were available; otherwise only the ``promise`` is
    known.
    """

    publish: tuple[str, ...]
    withhold: tuple[str, ...]
    measure: Measure
    beta: float
    rows: int
    weight: float
    exact: bool
    bound: float
    measured: Separation | None = None
    promise: Promise | None = None
    notes: tuple[str, ...] = ()
    strict: bool = False

    def __repr__(self) -> str:
        columns = len(self.publish) + len(self.withhold)
        return (
            f"Masked({len(self.publish):,} of {format_count(columns, 'column')} can be published)"
        )

    def _repr_html_(self) -> str:
        rows = [("publish", name) for name in self.publish]
        return render_html_table(
            repr(self), ("", "column"), [*rows, *(("withhold", name) for name in self.withhold)]
        )

    def counted(self, measured: Separation) -> Masked:
        """The facts with the figures, and a note if these are not below beta."""
        notes = self.notes
        if self.publish and (said := self._explain_excess(measured)):
            notes = (*notes, said)
        return replace(self, measured=measured, notes=notes)

    def _explain_excess(self, measured: Separation) -> str:
        """The note on a ratio of beta or more; compared in whole numbers."""
        told, total = measured.distinct, measured.rows
        if self.measure == "separation":
            told, total = measured.pairs - measured.pairs_alike, measured.pairs
        if told <= find_count_below(self.beta, total):
            return ""
        if self.promise is not None and (self.strict or told > find_most_count(self.beta, total)):
            return "the sample misled: counted on all rows the limit is not kept; draw a larger one"
        return (
            "the ratio is exactly beta, which a search for quasi-identifiers counts as one; asking "
            "for less than beta (below) leaves none"
        )

    def facts(self) -> dict[str, Any]:
        """The answer as plain data, as ``discreet mask --json`` shows it."""
        measured = self.measured
        return {
            "format": "discreet-mask/1",
            "publish": list(self.publish),
            "withhold": list(self.withhold),
            "distinct_ratio": None if measured is None else measured.distinct_ratio,
            "separation_ratio": None if measured is None else measured.separation_ratio,
            "uniques": None if measured is None else measured.uniques,
            "exact": self.exact,
            "measure": self.measure,
            "beta": self.beta,
            "strict": self.strict,
            "rows": self.rows,
            "weight": self.weight,
            "bound": self.bound,
            "promise": None if self.promise is None else self.promise.facts(),
            "notes": list(self.notes),
        }


__all__ = ["Masked", "Masking"]


@dataclass(frozen=True)
class Masking:
    """The most columns that can be published while no set of them has a ratio above ``beta``.

    ``publish`` must and ``withhold`` must not be published; ``weights`` say what a column is worth
    (1 if absent). ``exact`` asks for the proven maximum, else greedy. With ``sample`` (rows for
    distinct, pairs for separation) or ``epsilon`` (the share of beta that may be given up), only a
    sample is used, and beta is kept with probability 1 - ``delta``. With ``strict`` the ratio stays
    below beta, so that `MinimalSets` finds no set for beta in what is published.

    >>> table = CodedTable.of_codes(
    ...     ["age", "sex", "state"], [[0, 1, 2, 0, 2], [0, 0, 0, 1, 1], [0, 0, 1, 2, 0]]
    ... )
    >>> Masking("distinct", 0.8)(table).publish
    ('sex', 'state')
    >>> len(Masking("separation", 0.8, exact=True)(table).publish)
    1

    Notes
    -----
    [Motwani2007]_, sec. 4. The paper has two limits: "greater than beta" is too much in sec. 1.1
    and in the example of table 1, which publishes a ratio of exactly beta; a beta quasi-identifier
    has at least beta, and none is to be published in sec. 4. The first is the default, ``strict``
    the second; both are counted in whole numbers. What a sample promises is the second: the bound
    of lemmas 9 and 10 holds for a set at the lowered limit too. *Departures*: a column that goes
    beyond beta is skipped and the search continues, which matters only with weights. The union
    bound counts only sets of the columns that are not decided in advance. Rows are drawn without
    replacement, for which the Chernoff bound of lemma 10 holds without its "negligible" repeats.
    Masking says nothing about single rows: some stay unique. *Cost*: greedy counts the rows once
    for each column and step, except those avoided by earlier counts.
    """

    measure: Measure
    beta: float
    publish: Sequence[str] = ()
    withhold: Sequence[str] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    exact: bool = False
    sample: int | None = None
    epsilon: float | None = None
    delta: float = 0.01
    seed: int = 0
    time_limit: float | None = 60.0
    strict: bool = False

    def __post_init__(self) -> None:
        check_measure("masking", self.measure)
        samples.check_beta(self.beta, "masking")
        samples.check_delta(self.delta)
        if self.epsilon is not None:
            samples.check_epsilon(self.epsilon)
            if self.sample is not None:
                raise ParameterError("masking", "sample", "absent where epsilon is given")
        if self.sample is not None and (isinstance(self.sample, bool) or self.sample < 1):
            raise ParameterError("masking", "sample", "a whole number above 0")
        both = [column for column in self.publish if column in set(self.withhold)]
        if both:
            what = f"'{both[0]}' is to be published and to be withheld"
            raise ArgumentError(("publish", "withhold"), what, "Name it in one of the two.")

    @property
    def sampled(self) -> bool:
        """Whether a sample is used instead of all rows."""
        return self.sample is not None or self.epsilon is not None

    def __call__(self, table: CodedTable) -> Masked:
        """Choose the columns of a table that is in memory; the choice is measured on all rows."""
        found = self.on_sample(self.draw(table) if self.sampled else table)
        return found.counted(measure_set(table, found.publish))

    def draw(self, table: CodedTable) -> CodedTable | RowsSample | PairSample:
        """The requested sample, or the table itself if that is not larger."""
        draws = np.random.default_rng(self.seed)
        size = self.sample_size(table.columns)
        if len(table) < 2 or (self.measure == "distinct" and size >= len(table)):
            return table
        if self.measure == "distinct":
            return RowsSample.of(table, size, draws)
        return PairSample.of(table, size, draws)

    def sample_size(self, columns: Sequence[str]) -> int:
        """Rows (distinct) or pairs (separation) to draw from a table with these columns."""
        if self.sample is not None:
            return self.sample
        if self.epsilon is None:
            raise ParameterError("masking", "sample", "given, or epsilon, to draw a sample")
        free = self._list_free(tuple(columns))
        return samples.masking_sample(len(free), self.beta, self.epsilon, self.delta)

    def on_sample(self, sample: CodedTable | RowsSample | PairSample) -> Masked:
        """Choose from a sample drawn from a stream; the promise follows from its size."""
        columns = sample.columns
        name = sample.name if isinstance(sample, CodedTable) else "the table"
        check_weights(self.weights, columns, name)
        for names in (self.publish, self.withhold):
            select_columns(name, columns, names, empty=True)
        must = self._find_places(columns, self.publish)
        free = self._list_free(columns)
        start, limit, total, promise = self._start(sample, len(free))
        fixed = add_columns(start, must)
        if must and fixed.value > limit:
            raise _make_identifying_error(
                tuple(columns[place] for place in must),
                self.measure,
                fixed.value / total if total else 1.0,
                self.beta if promise is None else limit / total,
                self.strict and promise is None,
            )
        best = self._solve(fixed, free, columns, limit)
        return self._make_masked(best, must, columns, sample, promise)

    def _start(
        self, sample: CodedTable | RowsSample | PairSample, free: int
    ) -> tuple[Growing, int, int, Promise | None]:
        """The start without columns, the limit of the value, its total, and the promise."""
        distinct = self.measure == "distinct"
        if isinstance(sample, CodedTable):
            rows = len(sample)
            total = rows if distinct else rows * (rows - 1) // 2
            limit = self._limit(total)
            if rows == 1 and (self.strict or self.beta < 1):
                limit = -1
            return SeparatedRows.none(sample, distinct), limit, total, None
        if isinstance(sample, RowsSample) != distinct:
            wanted = "distinct for a sample of rows, separation for one of pairs"
            raise ParameterError("masking", "measure", wanted)
        start: Growing
        if isinstance(sample, RowsSample):
            total, start = len(sample.table), SeparatedRows.none(sample.table, True)
        else:
            total, start = sample.pairs, SeparatedPairs.none(sample.bits)
        lower = samples.masking_beta(free, self.beta, total, self.delta)
        if lower <= 0:
            least = samples.round_above(2 * samples.log_sets(free, self.delta) / self.beta)
            raise samples.make_sample_error(total, least)
        given_up = 1 - lower / self.beta
        kind = "rows" if distinct else "pairs"
        promise = Promise(kind, total, self.delta, given_up, at_most=self.beta)  # type: ignore[arg-type]
        return start, math.floor(lower * total * (1 - 1e-12)), total, promise

    def _limit(self, total: int) -> int:
        """The largest part of a total that may be separated."""
        return (
            find_count_below(self.beta, total) if self.strict else find_most_count(self.beta, total)
        )

    def _solve(
        self, start: Growing, free: Sequence[int], columns: tuple[str, ...], limit: int
    ) -> Best:
        weights = fill_weights(self.weights, columns)
        picked = find_most_greedily(start, free, weights, limit)
        whole = float(sum(weights[place] for place in free))
        if len(picked) == len(free):
            return Best(picked, True, whole)
        if start.value > limit:  # nothing may be published, see the note
            return Best([], True, 0.0)
        if not self.exact:
            return Best(picked, False, whole)
        if len(free) > MOST_EXACT:
            raise TooLargeError.for_algorithm("exact", "columns", len(free), MOST_EXACT, "greedy")
        return find_most_exactly(start, free, weights, limit, picked, self.time_limit)

    def _make_masked(
        self,
        best: Best,
        must: Sequence[int],
        columns: tuple[str, ...],
        sample: CodedTable | RowsSample | PairSample,
        promise: Promise | None,
    ) -> Masked:
        weights = fill_weights(self.weights, columns)
        fixed = float(sum(weights[place] for place in must))
        published = {*must, *best.places}
        rows = sample.rows
        notes: tuple[str, ...] = ()
        if rows == 1 and (self.strict or self.beta < 1):
            notes = ("the table has one row, which every column identifies",)
        elif not published and self.measure == "distinct" and self._limit(rows) < 1:
            notes = ("one combination is too much for beta: not even a constant column keeps it",)
        return Masked(
            tuple(column for place, column in enumerate(columns) if place in published),
            tuple(column for place, column in enumerate(columns) if place not in published),
            self.measure,
            self.beta,
            rows,
            fixed + float(sum(weights[place] for place in best.places)),
            best.proven and promise is None,
            fixed + best.bound,
            None,
            promise,
            notes,
            self.strict,
        )

    def _find_places(self, columns: tuple[str, ...], names: Sequence[str]) -> tuple[int, ...]:
        found = select_columns("the table", columns, names, empty=True)
        return tuple(columns.index(name) for name in found)

    def _list_free(self, columns: tuple[str, ...]) -> tuple[int, ...]:
        """The columns that are not decided in advance."""
        decided = {
            *self._find_places(columns, self.publish),
            *self._find_places(columns, self.withhold),
        }
        return tuple(place for place in range(len(columns)) if place not in decided)


def _make_identifying_error(
    columns: Sequence[str], measure: str, ratio: float, beta: float, strict: bool
) -> ColumnSetError:
    """The error for columns that must be published but already separate too much."""
    one = len(columns) == 1
    which = "column that must be published" if one else "columns that must be published"
    return ColumnSetError(
        f"the {which} ({', '.join(columns)}) {'has' if one else 'have'} a {measure} ratio of "
        f"{round_apart(ratio, beta)}, {'not below' if strict else 'above'} {beta:.15g}. Publish "
        f"{'another' if one else 'fewer of them'}, or allow a larger ratio."
    )
