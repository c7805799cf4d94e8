"""Random rows and random pairs of rows of a table, and what they promise for all of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import scipy

from discreet.display import dataclass
from discreet.errors import ColumnSetError, ParameterError, SourceError
from discreet.identification.keys.coded_table import CodedTable, select_columns
from discreet.identification.keys.kernels import separated_pairs

Ints = npt.NDArray[np.int64]
MOST_PAIRS = 100_000_000
"""Most pairs of rows that are drawn; these take 2 GB, plus a bit per pair and column."""


@dataclass(frozen=True)
class Promise:
    """What a sample of rows or of pairs promises for the whole table, and with what probability.

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
    """The separation ratio estimated from random pairs of rows, with a confidence interval.

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
        names = select_columns("the sample", self.columns, columns, empty=True)
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
    names = select_columns(table.name, table.columns, columns, empty=True)
    if not names:
        return estimate((), 0, pairs, confidence)
    return PairSample.of(table.select(names), pairs, seed).estimate(names, confidence)


def estimate(
    columns: tuple[str, ...], separated: int, pairs: int, confidence: float
) -> SeparationEstimate:
    """The estimate from ``separated`` of ``pairs`` random pairs."""
    if not 0 < confidence < 1:
        raise ParameterError("separation estimate", "confidence", "above 0 and below 1")
    if pairs < 1:
        raise ParameterError("separation estimate", "pairs", "a whole number above 0")
    tail = (1 - confidence) / 2
    missed = pairs - separated
    low = float(scipy.special.betaincinv(separated, missed + 1, tail)) if separated else 0.0
    high = float(scipy.special.betaincinv(separated + 1, missed, 1 - tail)) if missed else 1.0
    return SeparationEstimate(columns, pairs, separated, low, high, confidence)


def check_pairs(pairs: int) -> None:
    """Refuse a number of pairs that is not positive, or more than fits in memory."""
    if pairs < 1:
        raise ParameterError("a sample of pairs", "pairs", "a whole number above 0")
    if pairs > MOST_PAIRS:
        raise ColumnSetError(
            f"a sample of {pairs:,} pairs of rows is too large; at most {MOST_PAIRS:,} are drawn. "
            "Draw fewer, allow a larger epsilon, or use all rows (neither sample nor epsilon)."
        )


class OneRowError(SourceError):
    """Pairs of rows were requested of a table with one row."""

    def __init__(self, name: object) -> None:
        what = "it has one row, so there are no pairs of rows"
        super().__init__(name, what, "Give at least two rows.")


def make_sample_error(sample: int, least: int) -> ColumnSetError:
    """The error for a sample that is too small to promise anything."""
    return ColumnSetError(
        f"a sample of {sample:,} is too small for any promise with this many columns; at least "
        f"{least:,} is needed. Draw a larger sample, or use all rows."
    )


def draw_pairs(rows: int, pairs: int, draws: np.random.Generator) -> tuple[Ints, Ints]:
    """Independent random pairs of two different rows, with all pairs equally likely."""
    if rows < 2:
        raise OneRowError("the table")
    check_pairs(pairs)
    left = draws.integers(0, rows, pairs)
    right = draws.integers(0, rows - 1, pairs)
    return left, right + (right >= left)


# How many rows or pairs of rows a sample needs for a given promise.
#
# With probability at least 1 - delta over the draw, the findings in the sample hold for the whole
# table up to epsilon, for all 2**m sets of m columns at once.
#
# Notes
# -----
# [Motwani2007]_. Sizes are rounded up. *Departures*: lemma 6 is corrected, see `distinct_key_rows`.


OWNER = "a sample"


def log_sets(columns: int, delta: float) -> float:
    """The logarithm of 2**m / delta, for any number of columns."""
    check_delta(delta)
    return columns * math.log(2) - math.log(delta)


def check_epsilon(epsilon: float) -> None:
    """Refuse an error of nothing or everything."""
    if not _is_between(epsilon):
        raise ParameterError(OWNER, "epsilon", "above 0 and below 1")


def check_delta(delta: float) -> None:
    """Refuse an impossible probability of failure."""
    if not _is_between(delta):
        raise ParameterError(OWNER, "delta", "above 0 and below 1")


def check_beta(beta: float, owner: str = OWNER) -> None:
    """Refuse a ratio that no set of columns has."""
    if isinstance(beta, bool) or not isinstance(beta, int | float) or not 0 < beta <= 1:
        raise ParameterError(owner, "beta", "above 0 and at most 1")


def cover_elements(columns: int, epsilon: float, delta: float) -> int:
    """Theorem 4: elements to draw so that a cover of them covers 1 - epsilon of all.

    k = log(2**m / delta) to the base 1 / (1 - epsilon).

    >>> cover_elements(14, 0.001, 0.01)
    14303
    """
    check_epsilon(epsilon)
    return max(1, round_up(log_sets(columns, delta) / -math.log1p(-epsilon)))


def separation_key_pairs(columns: int, epsilon: float, delta: float) -> int:
    """Theorem 5: pairs of rows whose separation means a separation ratio of 1 - epsilon."""
    return cover_elements(columns, epsilon, delta)


def distinct_key_rows(columns: int, rows: int, epsilon: float, delta: float) -> int:
    """Theorem 7: rows among which a key means a distinct ratio of 1 - epsilon, at most all rows.

    >>> distinct_key_rows(14, 32561, 0.1, 0.01)
    2897

    Notes
    -----
    *Departures*: the bound of lemma 6, exp(-(1/alpha - 1) k**2 / 2n), does not follow from its
    product, and fails for small k (k = 2, n = 100, alpha = 1/2: 0.9899 against 0.9802). With
    k (k - 1) for k**2 it holds for every k, so the size here is the smallest k with
    k (k - 1) >= 2 (1 - epsilon) / epsilon n ln(2**m / delta): one row more than printed.
    """
    check_epsilon(epsilon)
    product = 2 * (1 - epsilon) / epsilon * rows * log_sets(columns, delta)
    return min(rows, round_up(0.5 + math.sqrt(0.25 + product)))


def printed_distinct_key_rows(columns: int, rows: int, epsilon: float, delta: float) -> int:
    """Theorem 7 as it is printed, at most all rows."""
    check_epsilon(epsilon)
    product = 2 * (1 - epsilon) / epsilon * rows * log_sets(columns, delta)
    return min(rows, round_up(math.sqrt(product)))


def separation_key_epsilon(columns: int, pairs: int, delta: float) -> float:
    """Theorem 5 inverted: the epsilon for which a number of pairs suffices."""
    return -math.expm1(-log_sets(columns, delta) / pairs)


def distinct_key_epsilon(columns: int, rows: int, sample: int, delta: float) -> float:
    """Theorem 7, corrected and inverted: the epsilon for which a number of rows suffices."""
    if sample >= rows:
        return 0.0
    return 1 / (1 + sample * (sample - 1) / (2 * rows * log_sets(columns, delta)))


def beta_separation_epsilon(columns: int, beta: float, pairs: int, delta: float) -> float:
    """Theorem 8 inverted; a sample that is too small for any promise is an error."""
    check_beta(beta)
    epsilon = math.sqrt(16 * log_sets(columns, delta) / (beta * pairs))
    if epsilon >= 1:
        raise make_sample_error(pairs, round_above(16 * log_sets(columns, delta) / beta))
    return epsilon


def beta_separation_pairs(columns: int, beta: float, epsilon: float, delta: float) -> int:
    """Theorem 8: pairs of rows needed to distinguish beta-separation from (1 - epsilon) beta."""
    check_epsilon(epsilon)
    check_beta(beta)
    return round_up(16 / beta / epsilon / epsilon * log_sets(columns, delta))


def beta_separation_goal(pairs: int, beta: float, epsilon: float) -> int:
    """Theorem 8: how many of the pairs the greedy cover has to separate."""
    return math.ceil((2 - epsilon) * beta * pairs / 2)


def masking_beta(columns: int, beta: float, sample: int, delta: float) -> float:
    """Sec. 4: the ratio that a published set may have in a sample, so that beta holds for all.

    By lemmas 9 and 10, beta' = (1 - sqrt(2 ln(2**m / delta) / (beta k))) beta. At 0 or below, the
    sample is too small for anything to be published.
    """
    check_beta(beta)
    return (1 - math.sqrt(2 * log_sets(columns, delta) / (beta * sample))) * beta


def masking_sample(columns: int, beta: float, epsilon: float, delta: float) -> int:
    """The sample with which `masking_beta` gives up at most a share epsilon of beta."""
    check_epsilon(epsilon)
    check_beta(beta)
    return round_up(2 * log_sets(columns, delta) / beta / epsilon / epsilon)


def round_up(size: float) -> int:
    """A size, rounded up; sizes beyond any table are returned as 10**18."""
    return math.ceil(min(size, 1e18))


def round_above(size: float) -> int:
    """The smallest whole number above a size, as far as `whole` goes."""
    return math.floor(min(size, 1e18)) + 1


def cover_size_factor(elements: int) -> float:
    """Lemma 1: the largest ratio of a greedy cover to the smallest: 1 + ln elements."""
    return 1 + math.log(max(1, elements))


def key_size_factor(rows: int) -> float:
    """Theorem 2: the largest ratio of a greedy key to the smallest: 1 + 2 ln rows."""
    return 1 + 2 * math.log(max(1, rows))


def _is_between(number: float) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and 0 < number < 1
