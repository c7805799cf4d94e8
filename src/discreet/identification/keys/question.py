"""The question of ``discreet identify``: the fewest columns or all sets, as facts of one shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from itertools import chain, combinations
from math import comb
from typing import Any

from discreet.display import dataclass
from discreet.errors import ArgumentError, EmptyTableError, ParameterError, argument
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.cover import MOST_EXACT
from discreet.identification.keys.goal import Measure, check_weights
from discreet.identification.keys.growing import SeparatedRows
from discreet.identification.keys.hitting_sets import Along
from discreet.identification.keys.minimal_sets import MinimalSets
from discreet.identification.keys.minimum_key import FoundKey, MinimumKey
from discreet.identification.keys.separation import Separation, measure
from discreet.identification.keys.stream import read_batches, sample_pairs

Progress = Callable[[str, float | None], None]
FIGURES = ("columns", "distinct_ratio", "separation_ratio", "distinct", "uniques", "entropy")
"""The facts on each set, next to its weight."""


@dataclass(frozen=True)
class Question:
    """Which columns single people out: the fewest that do, or every minimal set.

    The fewest columns are a proven minimum for up to 100 columns, greedy beyond. ``weights`` are
    what it costs to learn a column (1 if absent): the minimum is then the cheapest set, and of all
    sets the cheapest comes first.

    >>> table = CodedTable.of_codes(["age", "sex"], [[0, 1, 2, 0, 2], [0, 0, 0, 1, 1]])
    >>> Question(every=True)(table)["sets"][0]["columns"]
    ['age', 'sex']
    """

    every: bool = False
    measure: Measure = "separation"
    beta: float = 1.0
    max_size: int | None = None
    epsilon: float | None = None
    delta: float = 0.01
    seed: int = 0
    time_limit: float | None = None
    weights: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.weights and self.max_size is not None and not self.every:
            what = "the cheapest set may be larger, and a small one dear"
            fix = f"Ask for all sets ({argument('every')}), or leave one of the two out."
            raise ArgumentError(("max_size", "weights"), what, fix)

    def __call__(self, table: CodedTable, progress: Progress | None = None) -> dict[str, Any]:
        """The answer for a table in memory, as plain data."""
        columns = len(table.columns)
        check_weights(self.weights, table.columns, table.name)
        if self.every:
            return self._complete_facts(
                columns, self._make_all_sets()(table, progress=progress).facts()
            )
        search = self._make_minimum_key(columns)
        return self._complete_facts(
            columns, self._shape_like_all(search, search(table), table.duplicates_removed)
        )

    def of_stream(
        self, source: Any, names: Sequence[str] | None = None, progress: Progress | None = None
    ) -> dict[str, Any]:
        """The answer from one pass over the rows, in memory that does not grow with their number.

        Needs ``epsilon`` and the separation ratio; the figures of the sets are not counted.
        """
        rest = read_batches(source, names)
        first = next(rest, None)
        if first is None:
            raise EmptyTableError("the stream", "it has no rows")
        columns = len(first.schema.names)
        check_weights(self.weights, first.schema.names, "the stream")
        search = self._make_minimum_key(columns)
        pairs = search.sample_size(columns, 0)
        sample = sample_pairs(chain([first], rest), pairs, self.seed)
        if self.every:
            return self._complete_facts(
                columns, self._make_all_sets().on_sample(sample, progress=progress).facts()
            )
        return self._complete_facts(
            columns, self._shape_like_all(search, search.on_sample(sample), 0)
        )

    def _complete_facts(self, columns: int, facts: dict[str, Any]) -> dict[str, Any]:
        for one in facts["sets"]:
            one["weight"] = float(sum(self.weights.get(name, 1.0) for name in one["columns"]))
        if self.weights:
            facts["sets"].sort(key=lambda one: one["weight"])
        question = "all" if self.every else "minimum"
        return {"question": question, "columns": columns, "weights": dict(self.weights), **facts}

    def _make_all_sets(self) -> MinimalSets:
        return MinimalSets(
            self.measure,
            self.beta,
            self.max_size,
            epsilon=self.epsilon,
            delta=self.delta,
            seed=self.seed,
            time_limit=self.time_limit,
        )

    def _make_minimum_key(self, columns: int) -> MinimumKey:
        return MinimumKey(
            self.measure,
            self.beta,
            exact=columns <= MOST_EXACT,
            epsilon=self.epsilon,
            delta=self.delta,
            seed=self.seed,
            time_limit=self.time_limit,
            weights=self.weights,
        )

    def _shape_like_all(self, search: MinimumKey, found: FoundKey, removed: int) -> dict[str, Any]:
        """The answer for the fewest columns, in the shape of that for all sets."""
        key = found.facts()
        notes = list(key["notes"])
        size = len(key["columns"])
        fits = self.max_size is None or size <= self.max_size
        if not fits:
            least = "the fewest columns are" if key["exact"] else "the fewest found are"
            columns = "column" if self.max_size == 1 else "columns"
            notes.append(
                f"no set of at most {self.max_size:,} {columns} was found: {least} {size:,}"
            )
        if not search.exact:
            notes.append(f"with more than {MOST_EXACT} columns the search is greedy")
        return {
            "measure": key["measure"],
            "beta": key["beta"],
            "max_size": self.max_size,
            "rows": key["rows"],
            "duplicates_removed": removed,
            "sets": [{name: key.get(name) for name in FIGURES}] if fits else [],
            "exact": key["exact"],
            "complete": key["exact"] or key["promise"] is not None,
            "bound": key["bound"],
            "size_factor": key["size_factor"],
            "delta": None if key["promise"] is None else self.delta,
            "promise": key["promise"],
            "notes": notes,
        }


# The small sets of columns that separate the most rows, which to review first.


Path = tuple[int, ...]


@dataclass(frozen=True)
class MostIdentifying:
    """The sets of one, two and three columns with the most distinct combinations of values.

    ``count`` sets of each size up to ``max_size``. As long as counting all sets of a size costs at
    most ``effort`` cells, the answer is exact; beyond that, only the best sets with one column less
    are extended, as many as the effort allows.

    >>> table = CodedTable.of_codes(
    ...     ["age", "sex", "state"], [[0, 1, 2, 0, 2], [0, 0, 0, 1, 1], [0, 0, 1, 2, 0]]
    ... )
    >>> [found.columns for found in MostIdentifying(1)(table)]
    [('age',), ('age', 'sex'), ('age', 'sex', 'state')]

    Notes
    -----
    Ratios of [Motwani2007]_, sec. 1.1. *Departures*: none. *Cost*: one count of the rows for each
    set that is tried.
    """

    count: int = 8
    max_size: int = 3
    effort: int = 200_000_000

    def __post_init__(self) -> None:
        for name in ("count", "max_size", "effort"):
            if getattr(self, name) < 1:
                raise ParameterError("most identifying", name, "a whole number above 0")

    def __call__(self, table: CodedTable) -> tuple[Separation, ...]:
        """The sets, smallest first, and the most identifying first among sets of one size."""
        columns = len(table.columns)
        along = Along(SeparatedRows.none(table, True))
        affordable = max(self.count, self.effort // len(table))
        best: list[Path] = [()]
        found = list[Separation]()
        for size in range(1, min(self.max_size, columns) + 1):
            if comb(columns, size) <= affordable or size == 1:
                tried = list(combinations(range(columns), size))
            else:
                tried = _list_larger_sets(best[: max(1, affordable // columns)], columns)
            value = {path: along.value(path) for path in tried}
            best = sorted(tried, key=lambda path: (-value[path], path))
            names = [[table.columns[place] for place in path] for path in best[: self.count]]
            found += [measure(table, one) for one in names]
        return tuple(found)


def _list_larger_sets(paths: list[Path], columns: int) -> list[Path]:
    more = {tuple(sorted({*path, place})) for path in paths for place in range(columns)}
    return sorted(path for path in more if len(path) == len(paths[0]) + 1)
