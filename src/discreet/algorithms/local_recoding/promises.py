"""Which classes keep every promise by themselves, so that any release made of them does."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from discreet.algorithms.cell_recoding import moved
from discreet.algorithms.problem import Problem
from discreet.frequency.classes import Classes, Histogram, Mask, add_up
from discreet.models.model import ClassModel, TableModel


class Promises:
    """A class passes if it has ``least`` rows and keeps each promise about sensitive values.

    The union of classes that pass passes. Fewer columns, values with the same text, and missing
    values that match any only join classes, so the promises hold for those too. A promise about the
    table as a whole holds if every class would keep it alone. ``divides`` says whether rows of one
    tuple may go different ways: only if no promise looks at sensitive values.
    """

    def __init__(self, problem: Problem) -> None:
        self._frequency = problem.frequency
        self._references = problem.counter.references
        models = problem.requirement.models
        self.models = [m for m in models if isinstance(m, ClassModel) and m.sensitive is not None]
        sizes = [m.least_rows for m in models if isinstance(m, ClassModel)]
        alone = [_least_alone(m) for m in models if isinstance(m, TableModel)]
        self.least = max([1, *sizes, *alone])
        self.divides = not problem.frequency.sensitive

    def fails(self, home: npt.NDArray[Any], count: int) -> Mask:
        """Mark the classes that break a promise; tuples whose ``home`` is -1 are in none."""
        inside = home >= 0
        rows = add_up(home[inside], self._frequency.rows[inside], count).astype(np.int64)
        passing: Mask = rows >= self.least
        if self.models and passing.any():
            histograms = {}
            for name, entries in self._frequency.sensitive.items():
                reference = self._references[name]
                kept = moved(entries, home, len(reference.counts))
                histograms[name] = Histogram(kept.owner, kept.value, kept.count, reference)
            classes = Classes(rows, histograms)
            for model in self.models:
                if passing.any():
                    passing[passing] = ~model.fails(classes.only(passing))
        return ~passing


def _least_alone(model: TableModel) -> int:
    """The least size of which a class, if it were the whole table, keeps a promise about tables.

    Such promises are about means and shares over the rows, so they hold for all classes together
    if they hold for each alone.
    """
    high = 1
    while model.least_class(np.array([high])) > high:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if model.least_class(np.array([middle])) > middle:
            low = middle
        else:
            high = middle
    return high
