"""Blanks that match anything: a blank in one row helps the rows that differ there, too."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from discreet.algorithms.blanking.floors import Floors, absent
from discreet.algorithms.box_search import Progress
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.classes import Mask

WINDOW = 1 << 14
"""Rows with blanks that a row is compared with: the latest. More would be slow on large tables."""

HELP = 1 << 18
"""Patterns to try times rows that are counted as help, for one row."""

BLOCK = 512
"""Rows between two signs of life."""

MOST_COLUMNS = 63
"""Columns whose choices fit a machine word."""


@dataclass(frozen=True, eq=False)
class Helped:
    """The pattern of each row at risk; ``alone`` rows have k matches without help."""

    owner: npt.NDArray[np.int64]
    pattern: npt.NDArray[np.int64]
    alone: npt.NDArray[np.bool_]


def help_out(problem: Problem, floors: Floors, progress: Progress | None = None) -> Helped:
    """Blank each row at risk in at least one cell, those that need least first.

    A row that needs more cells on its own gets by with fewer if blanks of the rows before it make
    up for the rest. Rows beyond the window are not counted as help, nor very many where there are
    many patterns, so a row may have more matches than were seen, never fewer.
    """
    from discreet.algorithms.blanking import kernels

    first, cost = floors.first[floors.risky], floors.patterns.cost
    order = np.argsort(cost[first], kind="stable")
    tuple_of = np.repeat(order, problem.frequency.rows[floors.risky][order])
    codes = np.array([c[floors.risky] for c in problem.frequency.codes], dtype=np.int32)
    codes[absent(problem)[:, floors.risky]] = kernels.HIDDEN
    codes = np.ascontiguousarray(codes[:, tuple_of].T)
    blank = floors.patterns.blank[: len(floors.support)]
    cheaper = np.searchsorted(cost[: len(blank)], cost[first])
    support = np.ascontiguousarray(floors.support.T)
    chosen = np.zeros(len(tuple_of), dtype=np.int64)
    window = np.zeros(min(WINDOW, max(1, len(chosen))), dtype=np.int64)
    shown = np.zeros((codes.shape[1], len(window)), dtype=np.int32)
    for begin in range(0, len(chosen), BLOCK):
        if progress is not None:
            progress(begin, 0.0, None)
        end = min(begin + BLOCK, len(chosen))
        kernels.choose(
            codes, tuple_of, support, first, cheaper, _as_words(blank), blank.sum(axis=1), floors.k,
            begin, end, shown, window, HELP, chosen,
        )  # fmt: skip
    alone = floors.support[chosen, tuple_of] >= floors.k
    return Helped(floors.risky[tuple_of], chosen, alone)


def _as_words(blank: Mask) -> npt.NDArray[np.uint64]:
    """Each pattern as a word with a bit for each column that it blanks."""
    bits = np.uint64(1) << np.arange(blank.shape[1], dtype=np.uint64)
    words: npt.NDArray[np.uint64] = (blank * bits).sum(axis=1, dtype=np.uint64)
    return words
