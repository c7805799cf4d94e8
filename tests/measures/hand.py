"""A table of two columns on which every measure can be worked out by hand.

Eight rows: zip 02138 four times, 02139 two, 02141 one, 02142 one; sex half and half. Zip has the
levels five digits, four digits, three digits; sex has the value and *.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.algorithms import Problem
from discreet.hierarchy import Prefix
from discreet.measures import Measure
from discreet.models import KAnonymity
from tests.algorithms.made import problem

ROWS = (
    *("02138 m", "02138 m", "02138 f", "02138 f"),
    *("02139 m", "02139 f"),
    "02141 m",
    "02142 f",
)


def town(rows: Sequence[str] = ROWS, builder: Any = None, **more: Any) -> Problem:
    """The table with its hierarchies; the zip code's builder may be another."""
    return problem(rows, [KAnonymity(1)], hierarchies={"a": builder or Prefix([4, 3])}, **more)


def measured(
    measure: Measure, node: tuple[int, ...], *, below: int = 0, tables: Problem | None = None
) -> float:
    """The measure as people know it, with classes of fewer than ``below`` rows suppressed."""
    made = town() if tables is None else tables
    groups = made.counter.groups(node)
    dropped = np.where(groups.rows < below, groups.rows, 0)
    return measure.convert_score(made.score(measure, groups, dropped))
