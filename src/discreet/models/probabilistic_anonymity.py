"""Probabilistic anonymity: every released combination of values fits k people, most likely."""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar, Literal

import scipy

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Classes, Ints
from discreet.models.parameters import require_choice
from discreet.models.verdict import Verdict
from discreet.number_range import NumberRange, check_range, within

if TYPE_CHECKING:
    from discreet.models.evidence import Evidence

PRESETS: dict[str, tuple[int, int]] = {"hipaa": (300_000_000, 20_000)}
"""Population and k by preset: a crowd of 20,000 among the people of the United States."""

LARGEST = 10**300
"""More combinations than this are shown as so many."""

TOO_MANY = "bounded by the classes; algorithm: probabilistic counts the values of each column"


def count_combinations_allowed(population: int, k: int, beta: float) -> float:
    """D', the most combinations that a population can show, each k times but with chance beta.

    Notes
    -----
    [Lodha2008]_, theorem 4: n / (k-1) * (1 + x - sqrt(x^2 + 2x)) with x = -ln(beta) / (k-1).
    *Departures*: the same number written so that k = 1 needs no case of its own and nothing
    cancels out.

    >>> round(300e6 / count_combinations_allowed(300_000_000, 100, 0.1), 1)
    122.8
    """
    others, doubt = k - 1, -math.log(beta)
    return population / (others + doubt + math.sqrt(doubt * doubt + 2 * doubt * others))


def find_crowd_chance(population: int, k: int, combinations: float) -> float:
    """The chance that one of equally likely combinations fits at least k of the population.

    Notes
    -----
    [Lodha2008]_, proof of theorem 4, first line: the binomial tail itself instead of Chernoff's
    bound on it.

    >>> round(find_crowd_chance(300_000_000, 100, 300e6 / 122.8), 3)
    0.985
    """
    return float(scipy.stats.binom.sf(k - 1, population, 1 / max(1.0, combinations)))


@dataclass(frozen=True)
class ProbabilisticAnonymity:
    """Every released row fits at least ``k`` people of the population, with chance 1 - ``beta``.

    This is for someone who joins the release with a register and hopes for a match. It is **not**
    a promise against someone who looks for one person: a row may be alone in the release. And it
    supposes that the combinations of released values are about equally frequent in the
    population; a rare one may fit fewer people than ``k``, or one.

    Parameters
    ----------
    population
        How many people a row may be about; those whom the register lists.
    k
        How many of them each combination of released values must fit.
    beta
        The chance that it fits fewer.
    preset
        ``hipaa``: k = 20,000 among 300,000,000, where those are not given.
    columns
        The quasi-identifier this holds for; all quasi columns if not given.

    Notes
    -----
    [Lodha2008]_, sec. 3, definition 4 and theorem 4. *Departures*: none; the number of
    combinations is the product of the values of each column (definition 3), also where fewer occur
    in the table: others may occur in the population. *Cost*: none to speak of.

    >>> ProbabilisticAnonymity(preset="hipaa").allowed
    14774
    """

    population: int | None = field(default=None, metadata=within(1, whole=True))
    k: int | None = field(default=None, metadata=within(1, whole=True))
    beta: float = field(default=0.1, metadata=within(above=0, below=1))
    preset: Literal["hipaa"] | None = None
    columns: tuple[str, ...] | None = None

    name: ClassVar[str] = "probabilistic"

    def __post_init__(self) -> None:
        if self.preset is not None:
            require_choice(self.name, "preset", self.preset, tuple(PRESETS))
            population, k = PRESETS[self.preset]
            if self.population is None:
                object.__setattr__(self, "population", population)
            if self.k is None:
                object.__setattr__(self, "k", k)
        check_range(self, "population")
        check_range(self, "k")
        check_range(self, "beta")
        assert self.population is not None
        assert self.k is not None
        require_crowd(self.name, self.population, self.k, self.beta)

    @property
    def sensitive(self) -> None:
        """None: it does not use sensitive values."""
        return None

    @property
    def allowed(self) -> int:
        """The most combinations of values that the release may be able to show."""
        assert self.population is not None
        assert self.k is not None
        return math.floor(count_combinations_allowed(self.population, self.k, self.beta))

    def find_least_class(self, rows: Ints) -> int:
        """Suppressing rows does not help: the promise is about what columns can show."""
        return 1

    def count_keepable(self, rows: Ints) -> int:
        """No row need be left out."""
        return int(rows.sum())

    @property
    def limit(self) -> float:
        """The number that its measure is compared with."""
        return self.allowed

    @property
    def promise(self) -> str:
        """The promise in a clause."""
        return (
            f"each combination of values fits at least {self.k:,} of {self.population:,} people "
            f"with a chance of {1 - self.beta:g}, if combinations are about equally frequent"
        )

    @property
    def least_rows(self) -> int:
        """No class smaller than this can pass."""
        return 1

    def check(self, evidence: Evidence) -> Verdict:
        """Measure the promise again on the released file, from its definition."""
        return check_probabilistic(self, evidence)

    def judge_classes(self, classes: Classes, columns: tuple[str, ...]) -> Verdict:
        """Bound what the columns can show by their classes: none has more values than there are."""
        most = len(classes) ** max(1, len(columns))
        rows = int(classes.rows.sum())
        return self.judge_combinations(most, rows, columns, TOO_MANY if len(columns) > 1 else "")

    def judge_combinations(
        self, combinations: int, rows: int, columns: tuple[str, ...], note: str = ""
    ) -> Verdict:
        """The verdict on a release whose columns can show this many combinations of values."""
        holds = combinations <= self.allowed
        measured = float(min(combinations, LARGEST))
        at_risk = 0 if holds else rows
        return Verdict(self.name, holds, measured, self.allowed, at_risk, columns, note)


def find_largest_crowd(population: int, beta: float) -> int:
    """The largest k that can be promised at all, if everyone looks the same; 0 if none can.

    Notes
    -----
    [Lodha2008]_, theorem 4 solved for k with D' = 1.

    >>> find_largest_crowd(1000, 0.1)
    933
    """
    k = max(0, math.floor(population - math.sqrt(-2 * math.log(beta) * population)) + 1)
    return k - (k > 0 and count_combinations_allowed(population, k, beta) < 1)


def require_crowd(owner: str, population: int, k: int, beta: float) -> None:
    """Refuse a crowd size that cannot be promised for this population."""
    if count_combinations_allowed(population, k, beta) >= 1:
        return
    most = find_largest_crowd(population, beta)
    if most < 1:
        least = math.ceil(-2 * math.log(beta))
        raise ParameterError(owner, "population", f"at least {least:,} for beta {beta:g}")
    what = f"at most {most:,}: more cannot be promised of {population:,} people, beta {beta:g}"
    raise ParameterError(owner, "k", what)


def require_chance(owner: str, key: str, value: object) -> None:
    """Refuse anything but a number above 0 and below 1."""
    NumberRange(above=0, below=1).check(owner, key, value)


# Second opinion on probabilistic anonymity: what the released columns can show, multiplied.


def check_probabilistic(model: ProbabilisticAnonymity, evidence: Evidence) -> Verdict:
    """Count the values of each released column and multiply; all rows are at risk if too many.

    Notes
    -----
    [Lodha2008]_, theorem 4, the condition solved for here being
    (n - (k-1) D')^2 >= 2 n D' ln(1/beta) with (k-1) D' <= n. *Departures*: none. *Cost*: one
    grouping a column.
    """
    columns = evidence.quasi_of(model)
    combinations = math.prod(_count_values(evidence, column) for column in columns)
    holds = _is_met(model, combinations)
    found = (float(min(combinations, LARGEST)), 0 if holds else evidence.rows)
    return evidence.make_verdict(model, found, model.allowed, holds=holds)


def _count_values(evidence: Evidence, column: str) -> int:
    """The different values of a column; a missing value is one."""
    field = evidence.field_of(column)
    counted = f"SELECT count(*) FROM (SELECT DISTINCT {field} FROM cells)"
    return int(evidence.session.row(counted)[0])


def _is_met(model: ProbabilisticAnonymity, combinations: int) -> bool:
    assert model.population is not None
    assert model.k is not None
    if combinations >= LARGEST:
        return False
    crowd = (model.k - 1) * combinations
    doubt = -2 * math.log(model.beta) * model.population * combinations
    return crowd <= model.population and (model.population - crowd) ** 2 >= doubt
