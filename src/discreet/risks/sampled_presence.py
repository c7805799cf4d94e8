"""Who may be in a table whose released classes overlap, by drawing tables that fit the release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from discreet.display import dataclass
from discreet.errors import ParameterError
from discreet.frequency.classes import Floats, Mask
from discreet.hierarchy.atoms import Atoms
from discreet.hierarchy.hierarchy import Builder
from discreet.models.parameters import require_whole

Columns = Mapping[str, Sequence[str | None]]
"""The cells of each column, in the order of the rows."""

NAME = "sampled_presence"
LARGEST = 1 << 30
"""Rows times people times draws."""

LEAST_EFFECTIVE = 100.0
"""With fewer draws that count, the result says that its error is not to be trusted."""

TOO_UNEVEN = "few draws count: the error is not to be trusted; draw more"


@dataclass(frozen=True, eq=False)
class SampledPresence:
    """The chance of everybody in the public table to be in the private one, with its error.

    ``error`` is the half-width of an interval of 95 % for each chance by itself; ``overlapping``
    counts the people who fit released rows that differ.
    """

    chance: Floats = field(repr=False)
    error: Floats = field(repr=False)
    overlapping: int
    draws: int
    effective: float

    @property
    def notes(self) -> tuple[str, ...]:
        """What to bear in mind."""
        how = "measured by sampling, not counted: the release overlaps"
        told = how if self.overlapping else "sampled, although nothing overlaps: count instead"
        return (told, TOO_UNEVEN) if self.effective < LEAST_EFFECTIVE else (told,)

    def facts(self) -> dict[str, Any]:
        """The ends of the range, as plain data; nothing about anybody."""
        low, high = int(self.chance.argmin()), int(self.chance.argmax())
        return {
            "lowest": float(self.chance[low]),
            "lowest_error": float(self.error[low]),
            "highest": float(self.chance[high]),
            "highest_error": float(self.error[high]),
            "people": len(self.chance),
            "overlapping": self.overlapping,
            "draws": self.draws,
            "effective_draws": self.effective,
            "notes": list(self.notes),
        }


def match_people(released: Columns, public: Columns, builders: Mapping[str, Builder]) -> Mask:
    """Whether each released row can stand for each person of a public table with these columns.

    >>> ages = {"age": ["20-29", "25-39"]}, {"age": ["21", "27", "33"]}
    >>> count_overlapping(match_people(*ages, {}))
    1
    """
    count = [len(next(iter(table.values()))) for table in (released, public)]
    fits = np.ones(count, dtype=np.bool_)
    for name, cells in released.items():
        values = public[name]
        atoms = Atoms.of(name, cells, builders.get(name), ground=values)
        there, known = list(dict.fromkeys(cells)), list(dict.fromkeys(values))
        meet = np.array([[atoms.fits(text, value) for value in known] for text in there])
        row, person = [there.index(c) for c in cells], [known.index(v) for v in values]
        fits &= meet[np.ix_(row, person)]
    return fits


def count_overlapping(fits: Mask) -> int:
    """How many people fit two released rows that do not fit the same people.

    >>> count_overlapping(np.array([[1, 1, 0], [0, 1, 1]], dtype=bool))
    1
    """
    classes = np.unique(fits, axis=0)
    return int((classes.sum(axis=0) > 1).sum())


def sampled_presence(fits: Mask, draws: int = 2000, seed: int = 0) -> SampledPresence:
    """Measure presence for a release with few rows, overlapping or not.

    ``fits[row, person]`` says whether a released row can stand for a person. Every way to give each
    row a person of its own counts alike.

    Notes
    -----
    [Nergiz2007]_, definition 5; sec. 5.2 leaves overlapping releases out. *Departures*: our own.
    Rows draw their people one after the other, those with few to choose from first; a draw counts
    as much as the number of choices it had (sequential importance sampling), so that all ways are
    as likely, and one that ends with a row without a person counts nothing. *Cost*: rows times
    people times draws.
    """
    require_whole(NAME, "draws", draws, 2)
    if fits.size * draws > LARGEST:
        most = f"at most {LARGEST // fits.size:,} for so many rows and people"
        raise ParameterError(NAME, "draws", most)
    if not fits.any(axis=1).all():
        raise ParameterError(NAME, "fits", "a table in which every released row fits somebody")
    order = np.argsort(fits.sum(axis=1), kind="stable")
    taken, weight = _draw(fits[order], draws, np.random.default_rng(seed))
    if not weight.any():
        raise ParameterError(NAME, "fits", "a table with a person of its own for every row")
    share = weight / weight.sum()
    chance: Floats = share @ taken
    spread: Floats = np.sqrt((share**2) @ (taken - chance) ** 2)
    effective = float(1 / (share**2).sum())
    return SampledPresence(chance, 1.96 * spread, count_overlapping(fits), draws, effective)


def _draw(fits: Mask, draws: int, random: np.random.Generator) -> tuple[Mask, Floats]:
    """Who is in each drawn table, and how much it counts."""
    taken = np.zeros((draws, fits.shape[1]), dtype=np.bool_)
    weight = np.zeros(draws)
    for row in fits:
        people = np.nonzero(row)[0]
        free = ~taken[:, people]
        choices = free.sum(axis=1)
        nth = np.floor(random.random(draws) * choices).astype(np.int64)
        place = (np.cumsum(free, axis=1) > nth[:, None]).argmax(axis=1)
        with np.errstate(divide="ignore"):
            weight += np.log(choices)
        taken[np.arange(draws), people[place]] = True
    if np.isneginf(weight).all():
        return taken, np.zeros(draws)
    return taken, np.exp(weight - weight.max())
