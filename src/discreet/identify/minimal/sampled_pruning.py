"""Sample tables that rule sets out before all rows are counted.

Notes
-----
[Motwani2007]_, sec. 3 and lemmas 9 and 10. *Departures*: rows are drawn without replacement, so
that the proof of lemma 10 needs no "negligible" (the share of good rows is then hypergeometric,
and Chernoff's bound holds for it as well); with a largest size, only sets up to that size have to
survive, not all 2**m; several sample tables share delta evenly.
"""

from __future__ import annotations

import math

import numpy as np

from discreet.display import dataclass
from discreet.errors import SampleTooSmallError
from discreet.identify.coded_table import CodedTable
from discreet.identify.cover.goal import Measure, at_least
from discreet.identify.cover.growing import Growing, PairsTold, RowsTold
from discreet.identify.sample_sizes import above, check_delta
from discreet.identify.samples import PairSample, RowsSample


@dataclass(frozen=True, eq=False)
class SampleTable:
    """A sample, and how much a set has to tell apart in it so as not to be ruled out."""

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
        return SampleTable(RowsTold.none(rows, False), len(rows) * (len(rows) - 1) // 2, len(rows))
    lowered = lowered_beta(beta, size, log_sets)
    if measure == "separation":
        pairs = PairSample.of(table, size, draws)
        return SampleTable(PairsTold.none(pairs.bits), at_least(lowered, size), size)
    rows = RowsSample.of(table, size, draws).table
    if len(rows) == len(table):  # all rows: nothing is left to chance
        return SampleTable(RowsTold.none(rows, True), at_least(beta, len(rows)), len(rows))
    return SampleTable(RowsTold.none(rows, True), at_least(lowered, len(rows)), len(rows))


def lowered_beta(beta: float, size: int, log_sets: float) -> float:
    """The ratio alpha beta below which a set is ruled out: alpha = 1 - sqrt(2 log_sets / beta k).

    >>> lowered_beta(0.9, 10_000, log_of_sets(14, None, 0.01))
    0.8492...
    """
    alpha = 1 - math.sqrt(2 * log_sets / (beta * size))
    if alpha <= 0:
        raise SampleTooSmallError(size, above(2 * log_sets / beta))
    return alpha * beta


def log_of_sets(columns: int, most: int | None, delta: float) -> float:
    """The logarithm of the number of sets that may be an answer, over delta.

    >>> log_of_sets(14, None, 0.01) == math.log(2**14 / 0.01)
    True
    >>> log_of_sets(14, 2, 0.01) == math.log((1 + 14 + 91) / 0.01)
    True
    """
    check_delta(delta)
    if most is None or most >= columns:
        return columns * math.log(2) - math.log(delta)
    return math.log(sum(math.comb(columns, size) for size in range(most + 1))) - math.log(delta)
