"""Coarsens sensitive numbers that are unique in nearly every row.

Anybody who knows such a number (an employer a salary, an insurer a claim) can find the row by it,
whatever is promised for the quasi-identifier. Rounded and cut at both ends it is still useful, and
every number that is left is shared by several rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.identification.judge import FEW_ROWS, Evidence, Suspicion, format_percent
from discreet.identification.kind import Kind
from discreet.identification.profile import Profile, singles_out
from discreet.table.table import Role
from discreet.techniques.number_columns import LARGEST, NUMBER

Floats = NDArray[np.float64]

CUT = 0.1
"""The largest share of rows beyond the limits, both ends together: 5 % each is common practice."""
FEWEST_STEPS = 4
"""Fewest distinct numbers after rounding: with fewer, the column is better quasi."""
MOST_STEPS = 100_000
"""Most multiples that are tried; a base with more of them is far too small anyway."""
_NUMBER = re.compile(NUMBER)


@dataclass(frozen=True)
class Coarsening:
    """Rounding and limits for a column of numbers.

    Every released number is a multiple of ``base`` from ``bottom`` to ``top``, and at least
    ``shared_by`` of the rows checked have it. ``cut_share`` of the rows are beyond the limits.
    """

    base: float
    bottom: float
    top: float
    shared_by: int
    cut_share: float

    @property
    def spec(self) -> dict[str, Any]:
        """The settings in the column's policy entry, next to its role."""
        steps: list[dict[str, Any]] = [{"round_values": {"base": self.base}}]
        if self.cut_share:
            steps.append({"bottom_code": {"at": self.bottom}})
            steps.append({"top_code": {"at": self.top}})
        return {"technique": steps}

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "base": self.base,
            "bottom": self.bottom,
            "top": self.top,
            "shared_by": self.shared_by,
            "cut_share": self.cut_share,
            "spec": self.spec,
        }

    def describe(self) -> str:
        """What is proposed, in words."""
        cut = f" and cut at both ends ({format_percent(self.cut_share)} of the rows)"
        return (
            f"rounded to multiples of {self.base:,g}{cut if self.cut_share else ''}, so that at "
            f"least {self.shared_by} rows share every value"
        )


TELLS = "a sensitive number that nearly every row has to itself finds the row for those who know it"
DOUBT = "it is sensitive as well; rounding that leaves enough of it was not found"


def coarsen_sensitive(
    evidences: Sequence[Evidence], guessed: Sequence[Suspicion], k: int
) -> tuple[list[Suspicion], dict[str, Coarsening]]:
    """Propose rounding for sensitive numbers that single rows out; others become quasi."""
    found = list(guessed)
    coarser = {}
    for place, (one, guess) in enumerate(zip(evidences, guessed, strict=True)):
        seen = one.profile
        number = guess.role is Role.sensitive and one.kind is Kind.number
        if not number or seen.filled < FEW_ROWS or not singles_out(seen):
            continue
        coarsening = propose_coarsening(seen, k)
        if coarsening is not None:
            coarser[seen.name] = coarsening
        else:
            reasons = (*guess.reasons, TELLS)
            found[place] = replace(guess, role=Role.quasi, reasons=reasons, doubt=DOUBT)
    return found, coarser


def propose_coarsening(seen: Profile, k: int) -> Coarsening | None:
    """The finest rounding after which at least k rows share every number; None if none is useful.

    >>> numbers = tuple(str(980 + 7 * n) for n in range(200))
    >>> seen = Profile("wage", 200, 0, 200, True, numbers, {}, 200, 0.005, False, True,
    ...                (1,) * 200)
    >>> propose_coarsening(seen, 5).describe()
    'rounded to multiples of 50, so that at least 5 rows share every value'

    Notes
    -----
    [Sweeney2001]_, sec. 4.1, figure 17 (rounding). *Departures*: bases are 1, 2 or 5 with zeros.
    The middle of the numbers decides; the ends, where fewer than k rows share a multiple, are cut
    if they hold few rows. *Cost*: one sort of the distinct values, and a few passes over them.
    """
    if seen.marks:
        return None
    values = [value.strip() for value in seen.values]
    filled = [place for place, value in enumerate(values) if value]
    if not filled or not all(_NUMBER.match(values[place]) for place in filled):
        return None
    numbers = np.array([float(values[place]) for place in filled])
    weights = np.array(seen.counts, dtype=np.int64)[filled]
    if not np.isfinite(numbers).all() or np.abs(numbers).max() > LARGEST:
        return None
    whole = bool((numbers == np.rint(numbers)).all())
    return _find_base(numbers, weights, whole, k)


def _find_base(
    numbers: Floats, weights: NDArray[np.int64], whole: bool, k: int
) -> Coarsening | None:
    order = np.argsort(numbers, kind="stable")
    numbers, weights = numbers[order], weights[order]
    spread = float(numbers[-1] - numbers[0])
    if not spread > 0:
        return None
    power = floor(log10(spread / MOST_STEPS))
    for exponent in range(max(power, 0) if whole else power, floor(log10(spread)) + 1):
        for digit in (1, 2, 5):
            base = float(f"{digit}e{exponent}")
            found = _try_base(numbers, weights, base, k)
            if found is not None:
                low, high, steps, cut = found
                if steps < FEWEST_STEPS:
                    return None
                ends = (round(place * base, max(0, -exponent)) for place in (low, high))
                bottom, top = ((int(end) if exponent >= 0 else end) for end in ends)
                plain = int(base) if exponent >= 0 else base
                return Coarsening(plain, bottom, top, k, cut)
    return None


def _try_base(
    numbers: Floats, weights: NDArray[np.int64], base: float, k: int
) -> tuple[int, int, int, float] | None:
    """The ends and the number of multiples shared by k rows, and the share of rows beyond them."""
    multiples = np.rint(numbers / base)
    starts = np.flatnonzero(np.diff(multiples, prepend=-np.inf))
    counts = np.add.reduceat(weights, starts)
    total = int(counts.sum())
    middle = int(np.searchsorted(np.cumsum(counts), total / 2))
    rare = np.flatnonzero(counts < k)
    below, above = rare[rare < middle], rare[rare > middle]
    if counts[middle] < k:
        return None
    low = int(below[-1]) + 1 if len(below) else 0
    high = int(above[0]) - 1 if len(above) else len(counts) - 1
    cut = float(1 - counts[low : high + 1].sum() / total)
    if cut > CUT:
        return None
    return int(multiples[starts[low]]), int(multiples[starts[high]]), high - low + 1, cut
