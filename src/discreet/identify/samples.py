"""Random rows and random pairs of rows of a table, and what these let be said of all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.errors import OneRowError, ParameterError, SampleTooLargeError
from discreet.identify.coded_table import CodedTable, chosen
from discreet.identify.kernels import separated_pairs

Ints = npt.NDArray[np.int64]
MOST_PAIRS = 100_000_000
"""Pairs of rows that are drawn at most; these take 2 GB, and an eighth of a byte a column."""


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


def check_pairs(pairs: int) -> None:
    """Refuse a number of pairs that is none, or more than can be held."""
    if pairs < 1:
        raise ParameterError("a sample of pairs", "pairs", "a whole number above 0")
    if pairs > MOST_PAIRS:
        raise SampleTooLargeError(pairs, MOST_PAIRS)


def draw_pairs(rows: int, pairs: int, draws: np.random.Generator) -> tuple[Ints, Ints]:
    """Independent random pairs of two different rows, any pair as likely as any other."""
    if rows < 2:
        raise OneRowError("the table")
    check_pairs(pairs)
    left = draws.integers(0, rows, pairs)
    right = draws.integers(0, rows - 1, pairs)
    return left, right + (right >= left)
