"""Which parts of the public table may stand by themselves, asked of many at once."""

from __future__ import annotations

import numpy as np

from discreet.algorithms.problem import Problem
from discreet.frequency.classes import Classes, Floats, Mask
from discreet.models.delta_presence import DeltaPresence
from discreet.models.model import ClassModel, RegisterModel


class Passing:
    """Every promise, asked of each part alone; what is counted of a part is in ``amounts``.

    ``amounts[0]`` are rows of the private table, the others people, one line a register.
    """

    def __init__(self, problem: Problem) -> None:
        frequency = problem.frequency
        models = [m for m in problem.requirement.models if isinstance(m, ClassModel)]
        self._presence = [m for m in models if isinstance(m, DeltaPresence)]
        self._others = [m for m in models if not isinstance(m, DeltaPresence)]
        registers = [m.tally for m in (*self._presence, *models) if isinstance(m, RegisterModel)]
        self._names = tuple(dict.fromkeys(registers))
        tallies = [frequency.tallies[name] for name in self._names]
        self.amounts: Floats = np.array([frequency.rows, *tallies], dtype=np.float64)
        self.people = 1 if tallies else 0

    def __call__(self, amounts: Floats) -> Mask:
        """Which of some parts keep every promise, given their ``amounts``.

        A part without rows is not released. It keeps every promise but that of presence, by which
        its people must be likely enough to be in the private table.
        """
        classes = self.classes(amounts)
        passing = np.ones(len(classes), dtype=np.bool_)
        for presence in self._presence:
            passing &= ~presence.fails(classes)
        for model in self._others:
            passing &= (classes.rows == 0) | ~model.fails(classes)
        return passing

    def classes(self, amounts: Floats) -> Classes:
        """Parts as the promises see them."""
        tallies = dict(zip(self._names, amounts[1:], strict=True))
        return Classes(amounts[0].astype(np.int64), tallies=tallies)
