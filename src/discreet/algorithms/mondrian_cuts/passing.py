"""Which classes may stand by themselves: the promises, asked of many classes at once."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.cell_recoding import moved
from discreet.algorithms.claims import least_class_size
from discreet.algorithms.problem import Problem
from discreet.frequency.classes import Classes, Histogram, Ints, Mask


class Passing:
    """Every promise, asked of each class alone.

    Promises are closed under union, so a release whose classes all pass keeps every promise, also
    those for some of the columns, whose classes are unions of the released ones.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.least = least_class_size(problem)
        quasis = problem.requirement.quasis
        models = [model for quasi in quasis for model in quasi.class_models]
        self._models = [model for model in models if model.sensitive is not None]

    def __call__(self, owner: Ints, group: Ints, size: Ints, wanted: Mask) -> Mask:
        """Which of the ``wanted`` classes pass, given the class of each part and their sizes.

        The tuples in ``owner`` differ where a promise looks at sensitive values.
        """
        passing = wanted & (size >= self.least)
        if not self._models or not passing.any():
            return passing
        number = np.where(passing, np.cumsum(passing) - 1, -1)
        home = np.full(len(self._problem.frequency), -1, dtype=np.int64)
        home[owner] = number[group]
        left = np.ones(int(passing.sum()), dtype=np.bool_)
        classes = self._classes(home, size[passing])
        for model in self._models:
            if left.any():
                left[left] = ~model.fails(classes.only(left))
        passing[passing] = left
        return passing

    def _classes(self, home: Ints, size: Ints) -> Classes:
        histograms = {}
        for name, entries in self._problem.frequency.sensitive.items():
            reference = self._problem.counter.references[name]
            here = moved(entries, home, len(reference.counts))
            histograms[name] = Histogram(here.owner, here.value, here.count, reference)
        return Classes(size, histograms)
