"""How far a set of columns tells rows apart: distinct ratio, separation ratio, uniques, entropy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from discreet.errors import EmptyTableError, ParameterError
from discreet.frequency.frequency_list import FrequencyList
from discreet.identify.coded_table import CodedTable, chosen
from discreet.identify.kernels import count_split, refine_labels, separated_pairs, split

Codes = npt.NDArray[np.int32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Separation:
    """What a set of columns tells apart in a table.

    ``distinct`` counts the different combinations of values, ``uniques`` the rows that nobody
    shares theirs with, ``pairs_alike`` the pairs of rows that the set does not separate.
    ``entropy`` is in bits: the mean information that the set gives about whose row it is.

    Notes
    -----
    [Motwani2007]_, sec. 1.1. *Departures*: a table of one row has no pair; its separation ratio is
    1, as every set of columns is a key of it. Uniques and entropy are not in the paper.
    """

    columns: tuple[str, ...]
    rows: int
    distinct: int
    uniques: int
    pairs_alike: int
    entropy: float

    @property
    def pairs(self) -> int:
        """The pairs of rows that there are."""
        return self.rows * (self.rows - 1) // 2

    @property
    def distinct_ratio(self) -> float:
        """The share of rows left when only one row of each combination is kept."""
        return self.distinct / self.rows

    @property
    def separation_ratio(self) -> float:
        """The share of all pairs of rows that differ somewhere in the set."""
        return separation_of(self.pairs_alike, self.rows)

    @property
    def is_key(self) -> bool:
        """Whether every row is unique."""
        return self.distinct == self.rows

    def facts(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "columns": list(self.columns),
            "distinct_ratio": self.distinct_ratio,
            "separation_ratio": self.separation_ratio,
            "distinct": self.distinct,
            "uniques": self.uniques,
            "entropy": self.entropy,
        }


@dataclass(frozen=True)
class SeparationEstimate:
    """The separation ratio as seen in random pairs of rows, with an interval that holds it.

    The interval is Clopper and Pearson's: over the draws, it misses the ratio of the whole table
    with a probability of at most 1 - ``confidence``.
    """

    columns: tuple[str, ...]
    pairs_sampled: int
    pairs_separated: int
    low: float
    high: float
    confidence: float

    @property
    def separation_ratio(self) -> float:
        """The share of the sampled pairs that the set separates."""
        return self.pairs_separated / self.pairs_sampled

    def facts(self) -> dict[str, Any]:
        """The figures as plain data."""
        return {
            "columns": list(self.columns),
            "separation_ratio": self.separation_ratio,
            "interval": [self.low, self.high],
            "confidence": self.confidence,
            "pairs_sampled": self.pairs_sampled,
        }


@dataclass(frozen=True)
class Promise:
    """What a sample of rows or of pairs lets be said of the whole table, and how surely.

    With probability 1 - ``delta`` over the draw, the ratio of the set is at least ``at_least``
    (minimum keys) or at most ``at_most`` (masking).
    """

    of: Literal["rows", "pairs"]
    sampled: int
    delta: float
    epsilon: float
    at_least: float | None = None
    at_most: float | None = None

    def facts(self) -> dict[str, Any]:
        """The promise as plain data."""
        return {
            "sampled": self.sampled,
            "of": self.of,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "at_least": self.at_least,
            "at_most": self.at_most,
        }


@dataclass(frozen=True, eq=False)
class RowsSample:
    """Some rows of a table, drawn without replacement, and how many rows the table has."""

    table: CodedTable
    rows: int

    @classmethod
    def of(cls, table: CodedTable, size: int, seed: int | np.random.Generator = 0) -> RowsSample:
        """Draw from a table in memory."""
        if size < 1:
            raise ParameterError("a sample of rows", "size", "a whole number above 0")
        draws = np.random.default_rng(seed)
        taken = np.sort(draws.choice(len(table), min(size, len(table)), replace=False))
        return cls(table.take(taken), len(table))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table."""
        return self.table.columns


@dataclass(frozen=True, eq=False)
class PairSample:
    """Random pairs of rows: ``bits[c]`` has a bit for each pair that column c separates."""

    columns: tuple[str, ...]
    pairs: int
    rows: int
    bits: npt.NDArray[np.uint64] = field(repr=False)

    @classmethod
    def of(cls, table: CodedTable, pairs: int, seed: int | np.random.Generator = 0) -> PairSample:
        """Draw from a table in memory."""
        left, right = draw_pairs(len(table), pairs, np.random.default_rng(seed))
        return cls(table.columns, pairs, len(table), separated_pairs(table.codes, left, right))

    def estimate(self, columns: Sequence[str], confidence: float = 0.95) -> SeparationEstimate:
        """The separation ratio of a set that was chosen before the pairs were drawn."""
        names = chosen("the sample", self.columns, columns, empty=True)
        covered = np.zeros(self.bits.shape[1], dtype=np.uint64)
        for name in names:
            covered |= self.bits[self.columns.index(name)]
        return estimate(names, int(np.bitwise_count(covered).sum()), self.pairs, confidence)


@dataclass(frozen=True, eq=False)
class Partition:
    """Rows in classes of those not yet told apart; rows alone in their class are left out.

    >>> table = CodedTable.of_codes(["a", "b"], [[0, 0, 1, 1], [0, 1, 0, 0]])
    >>> whole = Partition.whole(4)
    >>> one = whole.refine(table.codes[0], 2)
    >>> one.distinct, one.pairs_alike, one.refine(table.codes[1], 2).distinct
    (2, 2, 3)
    """

    rows: int
    order: Codes = field(repr=False)
    starts: Ints = field(repr=False)

    @classmethod
    def whole(cls, rows: int) -> Partition:
        """The partition by no column: all rows in one class."""
        if rows < 2:
            return cls(rows, np.empty(0, np.int32), np.zeros(1, np.int64))
        return cls(rows, np.arange(rows, dtype=np.int32), np.array([0, rows], dtype=np.int64))

    @classmethod
    def by(cls, table: CodedTable, places: Sequence[int]) -> Partition:
        """The partition of a table by the columns at ``places``."""
        found = cls.whole(len(table))
        for place in places:
            found = found.refine(table.codes[place], table.sizes[place])
        return found

    @property
    def alone(self) -> int:
        """Rows that are alone in their class."""
        return self.rows - len(self.order)

    @property
    def distinct(self) -> int:
        """Classes, those of one row included."""
        return self.alone + len(self.starts) - 1

    @property
    def pairs_alike(self) -> int:
        """Pairs of rows in the same class."""
        return alike(np.diff(self.starts))

    @property
    def separation_ratio(self) -> float:
        """The share of pairs of rows in different classes."""
        return separation_of(self.pairs_alike, self.rows)

    @property
    def sizes(self) -> Ints:
        """Rows of every class."""
        return np.concatenate([np.diff(self.starts), np.ones(self.alone, dtype=np.int64)])

    def refine(self, column: Codes, size: int) -> Partition:
        """The partition when a column is added."""
        order, starts = split(self.order, self.starts, column, size)
        return Partition(self.rows, order, starts)

    def counts_with(self, column: Codes, size: int) -> tuple[int, int]:
        """Distinct classes and pairs alike when a column is added, without making the classes."""
        classes, _, pairs = count_split(self.order, self.starts, column, size)
        return int(classes) + self.alone, int(pairs)


def refine(labels: Codes, column: Codes, classes: int, size: int) -> tuple[Codes, int]:
    """The class number of every row after a column is added, and how many classes there are.

    ``labels`` are below ``classes``, the codes of ``column`` below ``size``. Start with zeros
    and 1.
    """
    found, number = refine_labels(labels, column, classes, size)
    return found, int(number)


def measure(table: CodedTable | FrequencyList, columns: Sequence[str] | None = None) -> Separation:
    """What a set of columns tells apart, exactly; all columns if none are named.

    >>> table = CodedTable.of_codes(["age", "sex"], [[0, 1, 2, 0, 2], [0, 0, 0, 1, 1]])
    >>> found = measure(table, ["age"])
    >>> found.distinct_ratio, found.separation_ratio, found.uniques
    (0.6, 0.8, 1)

    Notes
    -----
    [Motwani2007]_, sec. 1.1. *Departures*: none. *Cost*: one pass over the rows in memory, or over
    the distinct tuples of a frequency list, for each column of the set.
    """
    name = table.name if isinstance(table, CodedTable) else "the frequency list"
    names = chosen(name, table.columns, columns, empty=True)
    sizes = class_sizes(table, names)
    rows = int(sizes.sum())
    if not rows:
        raise EmptyTableError(name, "the table has no rows")
    share = sizes / rows
    entropy = float(-(share * np.log2(share)).sum()) if len(sizes) > 1 else 0.0
    return Separation(names, rows, len(sizes), int((sizes == 1).sum()), alike(sizes), entropy)


def class_sizes(table: CodedTable | FrequencyList, names: Sequence[str]) -> Ints:
    """The rows of every class by a set of columns."""
    labels = np.zeros(table.codes[0].shape[0] if len(table.columns) else len(table), dtype=np.int32)
    classes = min(1, len(labels))
    for name in names:
        if classes == len(labels):
            break
        place = table.columns.index(name)
        column = np.ascontiguousarray(table.codes[place], dtype=np.int32)
        size = table.sizes[place] if isinstance(table, CodedTable) else int(column.max()) + 1
        labels, classes = refine(labels, column, classes, size)
    if isinstance(table, CodedTable):
        return np.bincount(labels, minlength=classes).astype(np.int64, copy=False)
    sizes = np.zeros(classes, dtype=np.int64)
    np.add.at(sizes, labels, table.rows)
    return sizes[sizes > 0]


def distinct_ratio(table: CodedTable | FrequencyList, columns: Sequence[str]) -> float:
    """The share of rows left when only one row of each combination of values is kept."""
    return measure(table, columns).distinct_ratio


def separation_ratio(table: CodedTable | FrequencyList, columns: Sequence[str]) -> float:
    """The share of all pairs of rows that differ in at least one of the columns."""
    return measure(table, columns).separation_ratio


def uniques(table: CodedTable | FrequencyList, columns: Sequence[str]) -> int:
    """The rows that share their values in the columns with no other row."""
    return measure(table, columns).uniques


def entropy(table: CodedTable | FrequencyList, columns: Sequence[str]) -> float:
    """The mean information, in bits, that the columns give about whose row it is."""
    return measure(table, columns).entropy


def estimate_separation(
    table: CodedTable,
    columns: Sequence[str],
    pairs: int = 10_000,
    confidence: float = 0.95,
    seed: int | np.random.Generator = 0,
) -> SeparationEstimate:
    """The separation ratio from random pairs of rows, with its interval."""
    names = chosen(table.name, table.columns, columns, empty=True)
    if not names:
        return estimate((), 0, pairs, confidence)
    return PairSample.of(table.only(names), pairs, seed).estimate(names, confidence)


def estimate(
    columns: tuple[str, ...], separated: int, pairs: int, confidence: float
) -> SeparationEstimate:
    """The estimate that ``separated`` of ``pairs`` random pairs give."""
    from scipy.special import betaincinv

    if not 0 < confidence < 1:
        raise ParameterError("separation estimate", "confidence", "above 0 and below 1")
    if pairs < 1:
        raise ParameterError("separation estimate", "pairs", "a whole number above 0")
    tail = (1 - confidence) / 2
    missed = pairs - separated
    low = float(betaincinv(separated, missed + 1, tail)) if separated else 0.0
    high = float(betaincinv(separated + 1, missed, 1 - tail)) if missed else 1.0
    return SeparationEstimate(columns, pairs, separated, low, high, confidence)


def draw_pairs(rows: int, pairs: int, draws: np.random.Generator) -> tuple[Ints, Ints]:
    """Independent random pairs of two different rows, any pair as likely as any other."""
    if rows < 2:
        raise EmptyTableError("the table", "it has one row, so there are no pairs of rows")
    if pairs < 1:
        raise ParameterError("a sample of pairs", "pairs", "a whole number above 0")
    left = draws.integers(0, rows, pairs)
    right = draws.integers(0, rows - 1, pairs)
    return left, right + (right >= left)


def alike(sizes: Ints) -> int:
    """Pairs of rows in the same class; exact for any table of fewer than 2**31 rows."""
    return int((sizes * (sizes - 1) // 2).sum())


def separation_of(pairs_alike: int, rows: int) -> float:
    """The separation ratio; every set separates the pairs of a table that has none."""
    pairs = rows * (rows - 1) // 2
    return (pairs - pairs_alike) / pairs if pairs else 1.0
