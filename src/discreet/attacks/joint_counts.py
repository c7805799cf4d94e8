"""What counts of two columns together leave for hidden cells: whole numbers that fit them all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from discreet.display import dataclass, safe_repr
from discreet.frequency.classes import Ints

MOST_UNKNOWNS = 20_000


@safe_repr
class Count(NamedTuple):
    """Rows whose cells lie in these pieces of some columns (by place) number ``rows``."""

    pieces: tuple[tuple[int, frozenset[int]], ...]
    rows: int


@dataclass(frozen=True, eq=False)
class Unknowns:
    """How many rows of each kind have each combination of pieces: the numbers to be found."""

    kind: Ints
    combination: Ints
    size: int

    @classmethod
    def of(cls, options: Sequence[Sequence[Sequence[int]]]) -> Unknowns | None:
        """One for each kind and each combination its columns allow; None if there are too many."""
        size = sum(int(np.prod([len(pieces) for pieces in kind])) for kind in options)
        if size > MOST_UNKNOWNS:
            return None
        kinds, combinations = [], []
        for number, kind in enumerate(options):
            for combination in product(*kind):
                kinds.append(number)
                combinations.append(combination)
        return cls(np.array(kinds), np.array(combinations), size)


def certain(
    unknowns: Unknowns, rows: Ints, counts: Sequence[Count], asked: Sequence[tuple[int, int]]
) -> list[int] | None:
    """For each (kind, column) asked the piece that all its rows must have, or -1.

    None if no whole numbers fit all counts.

    Notes
    -----
    An integer program: the rows of each kind and the rows of each count are given. One solution is
    found; a kind that has a single piece in it is certain if no solution has any other. The linear
    program, which is faster, often decides that; where it does not, the integer program does.
    *Cost*: one program for the solution, one or two for each kind and column asked.
    """
    program = _Program.of(unknowns, rows, counts)
    solution = program.largest(np.zeros(unknowns.size), whole=True)
    if solution is None:
        return None
    found = []
    for kind, column in asked:
        own = unknowns.kind == kind
        here = np.unique(unknowns.combination[own & (solution[1] > 0.5), column])
        piece = int(here[0]) if len(here) == 1 else -1
        if piece >= 0:
            other = (own & (unknowns.combination[:, column] != piece)).astype(np.float64)
            piece = piece if program.none(other) else -1
        found.append(piece)
    return found


@dataclass(frozen=True, eq=False)
class _Program:
    matrix: Any
    given: Any

    @classmethod
    def of(cls, unknowns: Unknowns, rows: Ints, counts: Sequence[Count]) -> _Program:
        from scipy import sparse

        lines = [unknowns.kind == kind for kind in range(len(rows))]
        for count in counts:
            line = np.ones(unknowns.size, dtype=np.bool_)
            for column, pieces in count.pieces:
                line &= np.isin(unknowns.combination[:, column], list(pieces))
            lines.append(line)
        given = np.concatenate([rows, [count.rows for count in counts]]).astype(np.float64)
        return cls(sparse.csr_matrix(np.array(lines, dtype=np.float64)), given)

    def largest(self, goal: Any, whole: bool) -> tuple[float, Any] | None:
        from scipy.optimize import LinearConstraint, milp

        size = self.matrix.shape[1]
        result = milp(
            -goal,
            constraints=LinearConstraint(self.matrix, self.given, self.given),
            integrality=np.full(size, int(whole)),
        )
        return (-float(result.fun), result.x) if result.x is not None else None

    def none(self, goal: Any) -> bool:
        """Whether the sum of these unknowns is 0 in every solution in whole numbers."""
        bound = self.largest(goal, whole=False)
        if bound is not None and bound[0] < 1 - 1e-6:
            return True
        found = self.largest(goal, whole=True)
        return found is not None and found[0] < 0.5
