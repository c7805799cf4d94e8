"""Linking despite typing errors and outdated values, by a record-linkage library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.attacks.linking.columns import Truth, choose_columns, ensure_table
from discreet.display import dataclass
from discreet.errors import AttackError, EmptyTableError, MissingExtraError, ParameterError
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.table.engine import ENGINE_ERRORS, connect
from discreet.table.table import Table

# The likeliest person of each released row.


Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ProbableLinks:
    """For each released row, in file order, its likeliest entry of a register.

    ``score`` is the probability that the two are the same person, given all entries that the row is
    like; 0 where there is none. ``entry`` is the number of the entry from 1, or 0. ``right`` says
    whether it is the right one, None if the truth is not known.

    >>> ProbableLinks(np.array([0.95, 0.4]), np.array([7, 2]), 0.9).expected_matches
    0.95
    """

    score: Floats = field(repr=False)
    entry: NDArray[np.int64] = field(repr=False)
    threshold: float
    right: Mask | None = field(default=None, repr=False)

    @property
    def matched(self) -> Mask:
        """Rows whose likeliest entry is as likely as the threshold asks."""
        return np.greater_equal(self.score, self.threshold)

    @property
    def expected_matches(self) -> float:
        """How many of the matched rows are right, if the scores are."""
        return float(self.score[self.matched].sum())

    def facts(self) -> dict[str, Any]:
        """The links as plain data."""
        right = None if self.right is None else int((self.right & self.matched).sum())
        return {
            "rows": len(self.score),
            "threshold": self.threshold,
            "rows_matched": int(self.matched.sum()),
            "expected_matches": self.expected_matches,
            "correct_matches": right,
        }


MEMORY = "2GB"
PAIRS = 1e7


@dataclass(frozen=True)
class ProbableLinking:
    """Finds people in a register although values were mistyped or have changed slightly since.

    Parameters
    ----------
    threshold
        How likely an entry must be to count as a match.
    errors
        The share of values that differ between a row and the entry of the same person.
    drift
        Columns of numbers and by how much they may have moved: ``{"age": 1}``. Texts of other
        columns may differ by two letters.
    wrong_columns
        How many columns of a row may differ; pairs that differ in more are not looked at.
    seed
        For the sample of pairs that tells how often strangers are alike.

    Notes
    -----
    The model of [FellegiSunter1969]_, by splink [Linacre2022]_ (``pip install
    'discreet[linkage]'``). *Departures*: how often values of one person differ is a parameter, not
    estimated from the data, since most rows of a release have one match or none. Scores are shared
    out among all entries that a row is like, each row having one person at most. Suppressed cells
    are ignored; generalized values are compared as texts, so link by columns that are released as
    found. *Cost*: in memory, at most 2 GB; grows with the pairs that agree on all but
    ``wrong_columns`` columns.
    """

    threshold: float = 0.9
    errors: float = 0.05
    drift: Mapping[str, float] = field(default_factory=dict)
    wrong_columns: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value in (("threshold", self.threshold), ("errors", self.errors)):
            if not 0 < value < 1:
                raise ParameterError("probable linking", name, "a number between 0 and 1")
        if type(self.wrong_columns) is not int or self.wrong_columns < 0:
            raise ParameterError("probable linking", "wrong_columns", "a whole number from 0 on")

    def __call__(
        self,
        release: Any,
        register: Any,
        columns: Mapping[str, str] | Sequence[str] | None = None,
        truth: Truth | str | None = None,
    ) -> ProbableLinks:
        """Find the likeliest entry of each released row."""
        _require_splink()
        ours, theirs = ensure_table(release), ensure_table(register)
        told = Truth(truth) if isinstance(truth, str) else truth
        pairs = choose_columns(ours, theirs, columns, None, told.column if told else None)
        if len(pairs) <= self.wrong_columns:
            wanted = f"below the number of columns, which is {len(pairs)}"
            raise ParameterError("probable linking", "wrong_columns", wanted)
        numbers = [list(pairs).index(name) for name in self.drift if name in pairs]
        left = _read_columns(ours, list(pairs), numbers)
        right = _read_columns(theirs, list(pairs.values()), numbers)
        if not len(right):
            raise EmptyTableError(theirs.name)
        drift = {place: float(self.drift[list(pairs)[place]]) for place in numbers}
        row, entry, odds = (
            self._score_pairs(left, right, drift) if len(left) else _make_empty_pairs()
        )
        score, best = _choose_likeliest(row, entry, odds, len(left))
        sure = None if told is None else _mark_right(told, ours, theirs, best)
        return ProbableLinks(score, best, self.threshold, sure)

    def _score_pairs(
        self, left: pa.Table, right: pa.Table, drift: Mapping[int, float]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """The pairs that are alike, and the odds that each is one person."""
        from splink import DuckDBAPI, Linker

        failed = False
        connection = connect(MEMORY)
        try:
            engine = DuckDBAPI(connection)
            tables = [engine.register(left, table_name="a"), engine.register(right, table_name="b")]
            settings = self._make_settings(left.num_columns - 1, drift, len(right))
            linker = Linker(tables, settings, log_level="ERROR", validate_settings=False)
            linker.training.estimate_u_using_random_sampling(PAIRS, seed=self.seed)
            found = linker.inference.predict().as_pyarrow_table()
        except (*ENGINE_ERRORS, ValueError):
            failed = True
        finally:
            connection.close()
        if failed:
            raise AttackError(
                "probable linking",
                "the pairs to compare do not fit in memory, or values cannot be compared",
                "Link by more columns, or allow fewer wrong_columns.",
            )
        swapped = np.array(found["source_dataset_l"].to_pylist()) != "a"
        one, other = (np.asarray(found[f"unique_id_{side}"].to_numpy()) for side in "lr")
        odds = np.exp2(np.asarray(found["match_weight"].to_numpy(), dtype=np.float64))
        return np.where(swapped, other, one), np.where(swapped, one, other), odds

    def _make_settings(self, columns: int, drift: Mapping[int, float], people: int) -> Any:
        from splink import SettingsCreator, block_on
        from splink import comparison_library as compare

        near, far = 0.8 * self.errors, 0.2 * self.errors
        chances = [1 - self.errors, near, far]
        comparisons = []
        for place in range(columns):
            name = f"c{place}"
            if place in drift:
                one = _compare_moved(name, drift[place])
            else:
                one = compare.DamerauLevenshteinAtThresholds(name, [2])
            comparisons.append(one.configure(m_probabilities=chances))
        kept = combinations([f"c{place}" for place in range(columns)], columns - self.wrong_columns)
        return SettingsCreator(
            link_type="link_only",
            comparisons=comparisons,
            blocking_rules_to_generate_predictions=[block_on(*names) for names in kept],
            probability_two_random_records_match=1 / (people + 1),
            retain_matching_columns=False,
        )


def _require_splink() -> None:
    try:
        import splink  # noqa: F401
    except ImportError:
        raise MissingExtraError("probable linking", "linkage") from None


def _compare_moved(name: str, by: float) -> Any:
    """A number that is the same, or has moved a little."""
    from splink import comparison_level_library as level
    from splink import comparison_library as compare

    levels = [
        level.NullLevel(name),
        level.ExactMatchLevel(name),
        level.AbsoluteDifferenceLevel(name, difference_threshold=by),
        level.ElseLevel(),
    ]
    return compare.CustomComparison(output_column_name=name, comparison_levels=levels)


def _read_columns(table: Table, columns: Sequence[str], numbers: Sequence[int]) -> pa.Table:
    """The columns as c0, c1, ... with row numbers from 0; suppressed cells are missing."""
    rows = table.scan(text=list(columns)).read_all()
    cells = {"unique_id": pa.array(np.arange(len(rows)))}
    for place in range(len(columns)):
        column = rows.column(place)
        told = pc.if_else(pc.equal(column, SUPPRESSED), pa.scalar(None, pa.string()), column)
        cells[f"c{place}"] = _read_numbers(told, columns[place]) if place in numbers else told
    return pa.table(cells)


def _read_numbers(column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    try:
        return column.cast(pa.float64())
    except pa.ArrowInvalid:
        wanted = f"columns of numbers; '{name}' has other values"
    raise ParameterError("probable linking", "drift", wanted)


def _mark_right(
    truth: Truth, release: Table, register: Table, best: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether the likeliest entry of each row is of its own person."""
    people = register.scan(text=[truth.column]).read_all().column(0)
    found = people.take(pa.array(np.maximum(best - 1, 0)))
    keys = pa.chunked_array([truth.keys(release, len(best))])
    same = pc.equal(found, keys).fill_null(False)
    return np.array(same.to_pylist(), dtype=np.bool_) & (best > 0)


def _make_empty_pairs() -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)


def _choose_likeliest(
    row: NDArray[np.int64], entry: NDArray[np.int64], odds: Floats, rows: int
) -> tuple[Floats, NDArray[np.int64]]:
    """The likeliest entry of each row, numbered from 1, and its share of the row's odds."""
    total = np.bincount(row, weights=odds, minlength=rows)
    order = np.lexsort((entry, -odds, row))
    first = order[np.unique(row[order], return_index=True)[1]]
    score, best = np.zeros(rows), np.zeros(rows, dtype=np.int64)
    score[row[first]] = odds[first] / (1 + total[row[first]])
    best[row[first]] = entry[first] + 1
    return score, best
