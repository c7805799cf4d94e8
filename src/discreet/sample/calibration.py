"""How old the made town's voters are and how they spread over postal codes, and why just so.

The town is to be as identifying as the voter list of [Sweeney2001]_, fig. 16. Four numbers are
free and the four printed figures settle them; everything else is drawn independently.
`docs/decisions/0010-how-the-made-town-is-calibrated.md` tells the story.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass

Floats: TypeAlias = NDArray[np.float64]

VOTERS = 54_805
YEAR = 365.25
ADULT = 18.0
WOMEN = 0.53
YOUNG, YOUNG_SPREAD = 24.0, 4.0
HALL_AGE = 25.0
ZIPS = 8
VOTERS_PER_BLOCK = 12


@dataclass(frozen=True)
class Figures:
    """Share of a voter list that is alone in its birth date, with or without sex or postal code."""

    birth: float
    birth_sex: float
    birth_zip: float
    birth_postcode: float


PRINTED = Figures(birth=0.12, birth_sex=0.29, birth_zip=0.69, birth_postcode=0.97)


@dataclass(frozen=True)
class Shape:
    """The four numbers that decide how identifying a birth date is in the made town.

    Parameters
    ----------
    students
        Share of the voters in the bulge around 24, on top of an age pyramid in a straight line.
    oldest
        Age at which that line comes down to nobody.
    zip_ratio
        Each ZIP code has this many times the voters of the one before.
    halls
        Share of the voters under 25 who live in their ZIP code's student hall, which has one
        postal code.

    Examples
    --------
    >>> shape = Shape(students=0.1, oldest=95.0, zip_ratio=0.9, halls=0.5)
    >>> [round(float(share), 3) for share in shape.zip_shares()][:3]
    [0.176, 0.158, 0.142]
    """

    students: float
    oldest: float
    zip_ratio: float
    halls: float

    def ages(self) -> Floats:
        """Age in years on the day of the list, one for each possible birth date, youngest first."""
        return ADULT + np.arange(int((self.oldest - ADULT) * YEAR)) / YEAR

    def birth_shares(self) -> Floats:
        """Share of the voters that is born on each possible birth date, youngest first."""
        ages = self.ages()
        bulge = np.exp(-0.5 * ((ages - YOUNG) / YOUNG_SPREAD) ** 2)
        pyramid = self.oldest - ages
        mixed = self.students * bulge / bulge.sum() + (1 - self.students) * pyramid / pyramid.sum()
        return np.asarray(mixed, dtype=np.float64)

    def zip_shares(self) -> Floats:
        """Share of the voters in each ZIP code, largest first."""
        sizes = self.zip_ratio ** np.arange(ZIPS)
        return np.asarray(sizes / sizes.sum(), dtype=np.float64)

    def blocks(self) -> NDArray[np.int64]:
        """Number of ordinary postal codes (one side of a block of houses) in each ZIP code."""
        blocks = np.rint(self.zip_shares() * VOTERS / VOTERS_PER_BLOCK)
        return np.asarray(blocks, dtype=np.int64)


SHAPE = Shape(students=0.1158, oldest=94.8, zip_ratio=0.8856, halls=0.5)


def compute_expected(shape: Shape) -> Figures:
    """The four figures that a town of this shape has on average over all seeds.

    Notes
    -----
    A voter is alone in a cell that holds `rate` voters on average with probability exp(-rate).
    """
    return Figures(
        birth=_measure_by_birth(shape),
        birth_sex=_measure_by_sex(shape),
        birth_zip=_measure_by_zip(shape),
        birth_postcode=_measure_by_postcode(shape),
    )


def _measure_alone(cells: Floats) -> float:
    """Share of the voters that is alone in its cell, given the share that each cell holds."""
    return float((cells * np.exp(-VOTERS * cells)).sum())


def _combine_shares(first: Floats, second: Floats) -> Floats:
    """The share of each pair, given that the two are independent."""
    return first[:, None] * second[None, :]


def _measure_by_birth(shape: Shape) -> float:
    return _measure_alone(shape.birth_shares())


def _measure_by_sex(shape: Shape) -> float:
    return _measure_alone(_combine_shares(shape.birth_shares(), np.array([WOMEN, 1 - WOMEN])))


def _measure_by_zip(shape: Shape) -> float:
    return _measure_alone(_combine_shares(shape.birth_shares(), shape.zip_shares()))


def _measure_by_postcode(shape: Shape) -> float:
    cells = _combine_shares(shape.birth_shares(), shape.zip_shares())
    in_hall = np.where(shape.ages() < HALL_AGE, shape.halls, 0.0)[:, None]
    blocks = shape.blocks()
    housed = cells * (1 - in_hall) / blocks
    return _measure_alone(cells * in_hall) + float(
        (blocks * housed * np.exp(-VOTERS * housed)).sum()
    )


def calibrate(printed: Figures = PRINTED) -> Shape:
    """The shape whose expected figures are the printed ones; `SHAPE` is this, rounded.

    Notes
    -----
    Each figure depends on one number more than the figures before it, so one number after the
    other is found by bisection. *Cost*: about a second; the demo does not run it.
    """

    def with_students(share: float) -> Shape:
        start = replace(SHAPE, students=share)
        return _bisect(
            lambda x: replace(start, oldest=x), _measure_by_birth, printed.birth, 85, 105
        )

    ages = _bisect(with_students, _measure_by_sex, printed.birth_sex, 0.3, 0)
    zips = _bisect(lambda x: replace(ages, zip_ratio=x), _measure_by_zip, printed.birth_zip, 0.5, 1)
    return _bisect(
        lambda x: replace(zips, halls=x), _measure_by_postcode, printed.birth_postcode, 1, 0
    )


def _bisect(
    shape: Callable[[float], Shape],
    figure: Callable[[Shape], float],
    wanted: float,
    low: float,
    high: float,
) -> Shape:
    """The shape with the wanted figure, which rises from `low` to `high`."""
    for _ in range(20):
        middle = (low + high) / 2
        if figure(shape(middle)) < wanted:
            low = middle
        else:
            high = middle
    return shape((low + high) / 2)
