"""The uniqueness probability: how likely everybody in a group stands alone."""

from __future__ import annotations

import math
from typing import Any

from discreet.display import dataclass
from discreet.models.parameters import require_real, require_whole
from discreet.risk.all_different import log_all_different, log_poisson
from discreet.risk.birthday import log_birthday, log_birthday_between
from discreet.risk.value_frequencies import ValueFrequencies

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
            "says": judged(self.error()),
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
    chance is given beside them, see :mod:`discreet.risk.all_different`. The paper says that the
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
            _of_different_rows(frequencies, k, log_exact),
        )


def _of_different_rows(frequencies: ValueFrequencies, k: int, log_exact: float) -> float | None:
    """The chance for k different people of the counted table, if people were counted."""
    counts, total = frequencies.counts, frequencies.total
    if (counts != counts.round()).any() or total < 2 or k > total:
        return None
    log_chance = log_exact - log_birthday(k, int(total)) if math.isfinite(log_exact) else -math.inf
    return min(1.0, math.exp(log_chance))


def judged(error: float | None) -> str:
    """An approximation in a word: good within 5 %, rough within 25 %."""
    if error is None:
        return "no use"
    size = abs(error)
    return "good" if size <= GOOD else "rough" if size <= ROUGH else "poor"


@dataclass(frozen=True)
class GroupSize:
    """How large a group must be for it to be unlikely that everybody in it stands alone.

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
        from scipy.optimize import brentq

        values, kappa, limit = frequencies.values, frequencies.kappa, math.log(self.level)

        def above(k: float) -> float:
            return log_birthday_between(k, values) - kappa * k * k / values - limit

        return float(values) if above(values) >= 0 else float(brentq(above, 1.0, values))


@dataclass(frozen=True)
class UniquenessCurve:
    """Uniqueness against group size, and how good the approximation is along the way.

    Notes
    -----
    [Koot2011]_, fig. 3. The approximation is judged where the exact chance is between 1 % and
    99 %. *Departures*: exact chances beside it.
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
            "says": judged(worst),
            "curve": [{key: getattr(point, key) for key in keys} for point in self.points],
        }
