"""The uniqueness probability: how likely everybody in a group stands alone."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from discreet.display import dataclass
from discreet.models.parameters import require_real, require_whole
from discreet.risks.value_frequencies import ValueFrequencies

# The classical birthday probability: all values equally likely.


SUMMED = 1 << 22
"""Groups up to this size are added up term by term; larger ones by the gamma function."""

FAR = 1000
"""So many values beyond the group make Stirling's formula exact to the last digits."""


def birthday(k: int, values: int) -> float:
    """The chance that ``k`` people all differ when each of ``values`` values is equally likely.

    Notes
    -----
    [Koot2011]_, sec. 2. *Departures*: none; computed in logarithms. *Cost*: one term a person.

    >>> round(100 * birthday(29, 95), 2)
    0.84
    """
    require_whole("birthday", "k", k, 0)
    require_whole("birthday", "values", values, 1)
    return math.exp(log_birthday(k, values))


def log_birthday(k: int, values: int) -> float:
    """The logarithm of :func:`birthday`; minus infinity where two people must share a value."""
    if k > values:
        return -math.inf
    if k <= SUMMED:
        return float(np.log1p(-np.arange(k, dtype=np.float64) / values).sum())
    return log_birthday_between(k, values)


def log_birthday_between(k: float, values: int) -> float:
    """The same by the gamma function, also between whole numbers; up to ``values`` people."""
    if values - k < FAR:
        return math.lgamma(values + 1) - math.lgamma(values - k + 1) - k * math.log(values)
    left = values - k
    stirling = 1 / (12 * values) - 1 / (12 * left)
    return (left + 0.5) * -math.log1p(-k / values) - k + stirling


def birthday_approximation(k: int, values: float, kappa: float = 0.0) -> float:
    """The chance that ``k`` people all differ, as exp(-(1/2 + kappa) k^2 / N).

    With ``kappa`` 0 this is the classical approximation for equally likely values. It is good
    where k is of the size of the square root of N; for 29 people and 95 values it is already 42 %
    too high.

    Notes
    -----
    [Koot2011]_, formula 1 and the last formula of sec. 3.2. *Departures*: none. *Cost*: none.
    """
    require_real("birthday", "values", values, above=0)
    return math.exp(-(0.5 + kappa) * k * k / values)


# The exact chance that everybody in a group differs, by generating functions.


Floats = npt.NDArray[np.float64]

CHUNK = 1 << 20
"""Terms of the transform that are held at once."""

TAIL = 45.0
"""Exponent of the bound on what the transform leaves out: exp(-45) is 3e-20."""


def log_all_different(frequencies: ValueFrequencies, k: int) -> float:
    """The logarithm of the chance that ``k`` people, drawn one by one, have k different values.

    Notes
    -----
    The chance is k! times the coefficient of x^k in the product of all (1 + p_i x), [Koot2011]_,
    sec. 2, which points to generating functions. With x = lambda e^{it} the product is, up to a
    factor, the characteristic function of a sum S of independent coins; lambda is chosen so that S
    is k on average, and P(S = k) is read off by a discrete Fourier transform that is only as long
    as S varies. *Departures*: none; exact up to rounding, about 12 digits: what the short transform
    leaves out is below 1e-19 by Bernstein's inequality. *Cost*: the different shares times the
    square root of k.
    """
    shares, repeats = frequencies.alike
    occurring = frequencies.occurring
    if k <= 1:
        return 0.0
    if k > occurring:
        return -math.inf
    if k == occurring:
        return math.lgamma(k + 1) + float((repeats * np.log(shares)).sum())
    tilt = _solve_tilt(shares, repeats.astype(np.float64), k)
    odds = shares * math.exp(tilt)
    coins = odds / (1 + odds)
    scale = float((repeats * np.log1p(odds)).sum()) - k * tilt
    return math.lgamma(k + 1) + scale + math.log(_compute_sum_chance(coins, repeats, k))


def _solve_tilt(shares: Floats, repeats: Floats, k: int) -> float:
    """The logarithm of the lambda under which k people are expected."""

    def excess(tilt: float) -> float:
        odds = shares * math.exp(tilt)
        return float((repeats * (odds / (1 + odds))).sum()) - k

    low = math.log(k)
    high = low + 1
    while excess(high) <= 0:
        high += 2
    return float(scipy.optimize.brentq(excess, low - 1e-9, high, xtol=1e-12))


def _compute_sum_chance(coins: Floats, repeats: npt.NDArray[np.int64], k: int) -> float:
    """P(S = k) for a sum of coins that is k on average."""
    spread = coins * (1 - coins)
    variance = float((repeats * spread).sum())
    length = 2 * math.ceil((TAIL / 3 + math.sqrt(TAIL * TAIL / 9 + 2 * TAIL * variance)) / 2) + 1
    angles = 2 * math.pi * np.arange(1, length // 2 + 1) / length
    size, turn = np.zeros(len(angles)), -k * angles
    step = max(1, CHUNK // len(angles))
    for start in range(0, len(coins), step):
        part = slice(start, start + step)
        coin, many = coins[part, None], repeats[part].astype(np.float64)
        cosine, sine = np.cos(angles)[None, :], np.sin(angles)[None, :]
        size += 0.5 * many @ np.log1p(-2 * spread[part, None] * (1 - cosine))
        turn += many @ np.arctan2(coin * sine, 1 - coin + coin * cosine)
    return float(1 + 2 * (np.exp(size) * np.cos(turn)).sum()) / length


def log_poisson(frequencies: ValueFrequencies, k: int) -> float:
    """The logarithm of formula 3's product: the chance if the group's size were Poisson.

    Notes
    -----
    [Koot2011]_, formula 3, first line. *Departures*: none. *Cost*: one term a different share.
    """
    shares, repeats = frequencies.alike
    return float((repeats * (np.log1p(k * shares) - k * shares)).sum())


GOOD, ROUGH = 0.05, 0.25
"""Relative errors up to which an approximation is called good, and rough."""

FAINT = 1e-3
"""A curve ends where the chance falls below this."""

POINTS = 40


@dataclass(frozen=True)
class UniquenessEstimate:
    """The chance that all of a group differ: exact, and as each formula of the paper has it.

    ``exact`` and the approximations are for people drawn one by one from the frequencies.
    ``different_rows`` is exact for k different people of the table that was counted; nobody is
    drawn twice. It is None where shares were given and not people.
    """

    group: int
    values: int
    kappa: float
    discrepancy: float
    exact: float
    uniform: float
    approximation: float
    exponential: float
    formula_3: float
    formula_3_exponential: float
    different_rows: float | None

    def error(self, of: str = "approximation") -> float | None:
        """How far a formula is from the exact chance, as a share of it; None where that is 0."""
        return None if self.exact == 0 else float(getattr(self, of)) / self.exact - 1

    def facts(self) -> dict[str, Any]:
        """The estimate as plain data."""
        return {
            **vars(self),
            "error": self.error(),
            "error_formula_3": self.error("formula_3"),
            "says": grade_error(self.error()),
        }


@dataclass(frozen=True)
class Uniqueness:
    """How likely everybody in a group of ``group`` people is alone with a combination of values.

    Parameters
    ----------
    group
        How many people, k.

    Notes
    -----
    [Koot2011]_, sec. 2 to 4. ``uniform`` is pi_u(k, N); ``approximation`` is pi_u(k, N) e^(-kappa
    k^2/N); ``exponential`` is e^(-(1/2 + kappa) k^2/N), which sec. 4.2 uses; ``formula_3`` is the
    product of formula 3 and ``formula_3_exponential`` its second line. *Departures*: the exact
    chance is given with them, see :mod:`discreet.risks.uniqueness`. The paper says that the
    uniform chance is raised to the power kappa; by its own formula the power is 1 + 2 kappa.
    *Cost*: the different frequencies times the square root of k.

    >>> even = ValueFrequencies.of([1] * 95)
    >>> found = Uniqueness(29)(even)
    >>> round(found.uniform, 4), round(found.exact, 4)
    (0.0084, 0.0084)
    """

    group: int

    def __post_init__(self) -> None:
        require_whole("uniqueness", "group", self.group, 1)

    def __call__(self, frequencies: ValueFrequencies) -> UniquenessEstimate:
        """Exact and approximate chances for these frequencies."""
        k, values, kappa = self.group, frequencies.values, frequencies.kappa
        log_exact, log_uniform = log_all_different(frequencies, k), log_birthday(k, values)
        square = k * k / values
        return UniquenessEstimate(
            k,
            values,
            kappa,
            frequencies.discrepancy,
            math.exp(log_exact),
            math.exp(log_uniform),
            math.exp(log_uniform - kappa * square),
            math.exp(-(0.5 + kappa) * square),
            math.exp(log_poisson(frequencies, k)),
            math.exp(-k * k * frequencies.match / 2),
            _correct_for_rows(frequencies, k, log_exact),
        )


def _correct_for_rows(frequencies: ValueFrequencies, k: int, log_exact: float) -> float | None:
    """The chance for k different people of the counted table, if people were counted."""
    counts, total = frequencies.counts, frequencies.total
    if (counts != counts.round()).any() or total < 2 or k > total:
        return None
    log_chance = log_exact - log_birthday(k, int(total)) if math.isfinite(log_exact) else -math.inf
    return min(1.0, math.exp(log_chance))


def grade_error(error: float | None) -> str:
    """An approximation in a word: good within 5 %, rough within 25 %."""
    if error is None:
        return "no use"
    size = abs(error)
    return "good" if size <= GOOD else "rough" if size <= ROUGH else "poor"


@dataclass(frozen=True)
class GroupSize:
    """How large a group must be for it to be unlikely that everybody in it is unique.

    Parameters
    ----------
    level
        The chance that counts as unlikely, above 0 and below 1.

    Notes
    -----
    [Koot2011]_, sec. 4.2, fig. 3, read the other way round. *Departures*: the exact chance, which
    falls as the group grows, is searched by halving. :meth:`approximation` inverts the same formula
    that is judged, pi_u(k, N) e^(-kappa k^2/N), where the paper inverts e^(-(1/2 + kappa) k^2/N).
    *Cost*: some twenty exact chances.

    >>> GroupSize(0.5)(ValueFrequencies.of([1] * 365))
    23
    """

    level: float = 0.5

    def __post_init__(self) -> None:
        require_real("group size", "level", self.level, above=0, most=1)

    def __call__(self, frequencies: ValueFrequencies) -> int:
        """The smallest group for which the exact chance is below the level."""
        limit, low = math.log(self.level), 1
        guess = self.approximation(frequencies)
        high = max(2, min(frequencies.occurring + 1, math.ceil(guess)))
        while log_all_different(frequencies, high) >= limit:
            low, high = high, min(2 * high, frequencies.occurring + 1)
        while high - low > 1:
            middle = (low + high) // 2
            if log_all_different(frequencies, middle) < limit:
                high = middle
            else:
                low = middle
        return high

    def approximation(self, frequencies: ValueFrequencies) -> float:
        """The group size at which the approximation reaches the level, if sizes were continuous."""
        values, kappa, limit = frequencies.values, frequencies.kappa, math.log(self.level)

        def above(k: float) -> float:
            return log_birthday_between(k, values) - kappa * k * k / values - limit

        if above(values) >= 0:
            return float(values)
        return float(scipy.optimize.brentq(above, 1.0, values))


@dataclass(frozen=True)
class UniquenessCurve:
    """Uniqueness against group size, and how good the approximation is along the way.

    Notes
    -----
    [Koot2011]_, fig. 3. The approximation is judged where the exact chance is between 1 % and
    99 %. *Departures*: exact chances are given too.
    """

    level: float
    group_size: int
    group_size_approximation: float
    points: tuple[UniquenessEstimate, ...]

    @classmethod
    def of(cls, frequencies: ValueFrequencies, level: float = 0.5) -> UniquenessCurve:
        """Evaluate groups from one person on, until a chance is below a thousandth."""
        size = GroupSize(level)
        last = GroupSize(FAINT)(frequencies)
        step = max(1, last / POINTS)
        groups = sorted({1, 2, last, *(round(step * i) for i in range(1, POINTS + 1))})
        points = tuple(Uniqueness(k)(frequencies) for k in groups if 1 <= k <= last)
        return cls(level, size(frequencies), size.approximation(frequencies), points)

    def worst(self, of: str = "approximation") -> float | None:
        """The error that is largest in size where the exact chance is between 1 % and 99 %."""
        errors = [p.error(of) for p in self.points if 0.01 <= p.exact <= 0.99]
        return max((e for e in errors if e is not None), key=abs, default=None)

    def facts(self) -> dict[str, Any]:
        """The curve as plain data."""
        first = self.points[0]
        worst = self.worst()
        keys = ("group", "exact", "different_rows", "approximation", "formula_3", "uniform")
        return {
            "values": first.values,
            "kappa": first.kappa,
            "discrepancy": first.discrepancy,
            "level": self.level,
            "group_size": self.group_size,
            "group_size_approximation": self.group_size_approximation,
            "worst_error": worst,
            "worst_error_formula_3": self.worst("formula_3"),
            "worst_error_uniform": self.worst("uniform"),
            "says": grade_error(worst),
            "curve": [{key: getattr(point, key) for key in keys} for point in self.points],
        }
