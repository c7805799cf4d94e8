"""How likely anybody may be to be in a table, from what misuse of that knowledge would cost."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from discreet.display import dataclass, render_html_table
from discreet.errors import ParameterError
from discreet.models.parameters import require_real, require_whole

OWNER = "delta"
LEAST_DIGITS = 4


@dataclass(frozen=True)
class ChosenDelta:
    """The range of chances to be in the table that keeps misuse as small as was asked for.

    ``min`` and ``max`` are for the model ``delta_presence``. ``prior`` is how likely anybody is to
    have what the people in the table have, before the release.
    """

    rows: int
    population: int
    prior: float
    misuse: float
    misuse_absent: float
    min: float
    max: float

    def belief(self, chance: float) -> float:
        """How likely somebody has it who is in the table with this chance.

        >>> round(delta(40, 1000, 0.07, misuse=0.01).belief(0.04), 4)
        0.07
        """
        others = self.population - self.rows
        known = chance * self.population * (1 - self.prior) / others
        return known + (self.prior * self.population - self.rows) / others

    def __repr__(self) -> str:
        return f"ChosenDelta(min={self.min:g}, max={self.max:g})"

    def _repr_html_(self) -> str:
        rows = [
            ("the least likely", self.min, self.belief(self.min)),
            ("the most likely", self.max, self.belief(self.max)),
        ]
        heads = ("of the public", "chance to be in the table", "chance to have it")
        return render_html_table(repr(self), heads, rows)

    @property
    def line(self) -> str:
        """The promise as a line of a policy; the file is to be filled in."""
        low, high = (np.format_float_positional(end, trim="-") for end in (self.min, self.max))
        return f"- delta_presence: {{public: PEOPLE.csv, min: {low}, max: {high}}}"

    def facts(self) -> dict[str, Any]:
        """All of it as plain data, as ``discreet delta --json`` shows it."""
        return {
            "format": "discreet-delta/1",
            "rows": self.rows,
            "population": self.population,
            "prior": self.prior,
            "acceptable_misuse": self.misuse,
            "acceptable_misuse_absent": self.misuse_absent,
            "min": self.min,
            "max": self.max,
            "belief_at_min": self.belief(self.min),
            "belief_at_max": self.belief(self.max),
            "policy_line": self.line,
        }


def delta(
    rows: int,
    population: int,
    prior: float,
    *,
    misuse: float | None = None,
    misuse_absent: float | None = None,
    cost: float | None = None,
    cost_absent: float | None = None,
    damage: float | None = None,
) -> ChosenDelta:
    """The least ``max`` and the largest ``min`` of delta-presence that keep misuse acceptable.

    Parameters
    ----------
    rows
        People in the private table, all of whom have what must not be known.
    population
        People in the public table.
    prior
        The share of the public who have it, as everybody knows.
    misuse
        By how much a belief that somebody has it may rise. Or give ``cost`` and ``damage``.
    misuse_absent
        By how much it may fall; ``misuse`` if left out. Or give ``cost_absent``.
    cost, cost_absent
        The cost of misuse that is small enough to be accepted.
    damage
        What it costs if somebody is known for certain to have it.

    Notes
    -----
    [Nergiz2007]_, sec. 4. *Departures*: the ends are rounded to the safe side, and kept from 0 to
    1. Refused where fewer of the public have it than are in the table. *Cost*: none.

    >>> found = delta(4_000, 100_000, 0.07, cost=100, cost_absent=200, damage=10_000)
    >>> found.min, found.max
    (0.01936, 0.05032)
    """
    _check_people(rows, population, prior)
    up = _read_misuse("", misuse, cost, damage)
    down = up
    if misuse_absent is not None or cost_absent is not None:
        down = _read_misuse("_absent", misuse_absent, cost_absent, damage)
    share = rows / population
    room = (1 - share) / (1 - prior)
    low, high = max(0.0, share - down * room), min(1.0, share + up * room)
    return ChosenDelta(rows, population, prior, up, down, *_round_towards_share(low, share, high))


def _check_people(rows: int, population: int, prior: float) -> None:
    require_whole(OWNER, "rows", rows, 1)
    require_whole(OWNER, "population", population, 1)
    if population <= rows:
        what = f"above rows, which is {rows:,}: else everybody is known to be in the table"
        raise ParameterError(OWNER, "population", what)
    require_real(OWNER, "prior", prior, 0, 1)
    if prior >= 1:
        raise ParameterError(OWNER, "prior", "below 1: else there is nothing to hide")
    if prior * population < rows * (1 - 1e-9):
        what = f"at least rows / population, which is {rows / population:.6g}: all rows have it"
        raise ParameterError(OWNER, "prior", what)


def _read_misuse(end: str, misuse: float | None, cost: float | None, damage: float | None) -> float:
    """The acceptable change of belief, given as it is or as cost over damage."""
    if (misuse is None) == (cost is None):
        raise ParameterError(OWNER, f"misuse{end}", f"given, or else cost{end}: one of the two")
    if misuse is not None:
        require_real(OWNER, f"misuse{end}", misuse, 0, 1)
        return float(misuse)
    require_real(OWNER, f"cost{end}", cost, 0)
    require_real(OWNER, "damage", damage, 0)
    assert cost is not None and damage is not None
    if cost > damage:
        what = f"at most damage, which is {damage:g}: else no misuse is too much"
        raise ParameterError(OWNER, f"cost{end}", what)
    return cost / damage


def _round_towards_share(low: float, share: float, high: float) -> tuple[float, float]:
    """Few digits, rounded towards the share of the public that is in the table, never beyond it."""
    for digits in range(LEAST_DIGITS, 16):
        scale = 10.0 ** (digits - 1 - math.floor(math.log10(share)))
        least, most = math.ceil(low * scale) / scale, math.floor(high * scale) / scale
        if low <= least <= share <= most <= high:
            return least, most
    return low, high
