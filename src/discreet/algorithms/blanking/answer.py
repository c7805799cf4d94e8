"""From chosen blanks to a release."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from discreet.algorithms.blanking.classes import Parts
from discreet.algorithms.blanking.floors import absent
from discreet.algorithms.cell_recoding import CellRecoding, at_levels
from discreet.algorithms.problem import Problem
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints, Mask
from discreet.hierarchy.hierarchy import SUPPRESSED


@dataclass(frozen=True, eq=False)
class Answer:
    """Parts of tuples with the columns that are blanked in each, or left out if not kept."""

    owner: npt.NDArray[np.int64]
    rows: Ints
    blank: Mask
    kept: Mask

    @property
    def blanks(self) -> int:
        """Cells of released rows that are blanked."""
        return int((self.rows * self.kept) @ self.blank.sum(axis=1))

    def cost(self, weights: Floats) -> float:
        """What the blanks cost; a row that is left out costs as much as one that is all blank."""
        lost = self.blank | ~self.kept[:, None]
        return float(self.rows @ (lost @ weights))

    def recoding(self, problem: Problem) -> CellRecoding:
        """The release: values as they are, or blank."""
        top = np.array([h.height + 1 for h in problem.lattice.hierarchies])
        levels = np.where(self.blank, top, 0)
        text = None if problem.requirement.wildcard else SUPPRESSED
        return at_levels(problem, levels, self.owner, self.rows, self.kept, text)


def answer_of(parts: Parts) -> Answer:
    """What was put together class by class; rows without a class are left out."""
    pieces = [(*parts.at(pattern), pattern) for pattern in sorted(parts.placed)]
    left = np.nonzero(parts.left)[0]
    owner = np.concatenate([*(piece[0] for piece in pieces), left])
    rows = np.concatenate([*(piece[1] for piece in pieces), parts.left[left]])
    chosen = [np.full(len(piece[0]), piece[2]) for piece in pieces]
    pattern = np.concatenate([*chosen, np.zeros(len(left), dtype=np.int64)]).astype(np.int64)
    kept = np.arange(len(owner)) < len(owner) - len(left)
    return Answer(owner, rows, parts.patterns.blank[pattern], kept)


def answer_by_row(problem: Problem, owner: npt.NDArray[np.int64], blank: Mask) -> Answer:
    """Blanks of single rows, those of one tuple and the same blanks together.

    Rows that are not named are released as they are, and what is missing is not blanked.
    """
    blank = blank & ~absent(problem)[:, owner].T
    rest = problem.frequency.rows - np.bincount(owner, minlength=len(problem.frequency))
    whole = np.nonzero(rest)[0]
    packed = np.packbits(blank, axis=1).astype(np.int64)
    _, first, place = np.unique(
        np.column_stack([owner, packed]), axis=0, return_index=True, return_inverse=True
    )
    rows = np.bincount(place.reshape(-1), minlength=len(first))
    return Answer(
        np.concatenate([owner[first], whole]),
        np.concatenate([rows, rest[whole]]).astype(np.int64),
        np.concatenate([blank[first], np.zeros((len(whole), blank.shape[1]), dtype=np.bool_)]),
        np.ones(len(first) + len(whole), dtype=np.bool_),
    )


def nothing_released(problem: Problem) -> Answer:
    """Every row is left out."""
    owner = np.arange(len(problem.frequency))
    blank = np.zeros((len(owner), len(problem.frequency.columns)), dtype=np.bool_)
    return Answer(owner, problem.frequency.rows, blank, np.zeros(len(owner), dtype=np.bool_))


def silent_cells(recoding: CellRecoding) -> int:
    """Cells of released rows that say nothing."""
    number = 0
    for values, codes in zip(recoding.values, recoding.codes, strict=True):
        number += int(recoding.rows[recoding.kept & values.suppressed[codes]].sum())
    return number
