"""The risk of one row when its class in the population is not known."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.frequency.classes import Floats

SERIES, TERMS = 20, 64
"""Classes of as many rows are done by the series, and by how many terms of it."""

SMALLEST = 1e-300


def individual_risk(rows: npt.NDArray[Any], chance: npt.NDArray[Any] | float) -> Floats:
    """E(1/F | f): the chance to name the right one of F people, of whom f rows were drawn.

    Parameters
    ----------
    rows
        Rows of each class of the sample, f.
    chance
        The chance of each person of the class to be drawn: n/N, or rows over their summed weights.

    Notes
    -----
    [Benedetti1998]_; [Templ2015]_, sec. 3. F given f is negative binomial; then E(1/F | f) is
    (p^f/f) 2F1(f, f; f+1; 1-p). *Departures*: written as (p/f) 2F1(1, 1; f+1; 1-p), the same number
    by Euler's formula, which does not overflow; sdcMicro has series for large f. *Range*: exact
    where classes of the population are as often of size F as 1/F; too high where small classes are
    fewer. *Cost*: one function a class.

    >>> individual_risk(np.array([1, 2]), 1.0)
    array([1. , 0.5])
    """
    f, p = np.broadcast_arrays(
        np.asarray(rows, dtype=np.float64),
        np.clip(np.asarray(chance, dtype=np.float64), SMALLEST, 1.0),
    )
    found = _by_series(f, p)
    stepped = (f < SERIES) & (p <= 0.5)
    found[stepped] = _by_steps(f[stepped], p[stepped])
    return found


def _by_series(f: Floats, p: Floats) -> Floats:
    """The series of 2F1, whose terms fall fast for large classes and for large samples."""
    term = p / f
    total = term.copy()
    for n in range(TERMS):
        term = term * (1 - p) * (n + 1) / (f + 1 + n)
        total += term
    return np.asarray(total)


def _by_steps(f: Floats, p: Floats) -> Floats:
    """From class to class: with J(f) the integral of y^(f-1)/(p + (1-p) y) over (0, 1), the risk is
    p J(f), J(1) is -log(p)/(1-p), and (1-p) J(f+1) + p J(f) = 1/f."""
    integral = -np.log(p) / (1 - p)
    risk = p * integral
    for size in range(1, SERIES - 1):
        integral = (1 / size - p * integral) / (1 - p)
        risk = np.where(f == size + 1, p * integral, risk)
    return np.asarray(risk)
