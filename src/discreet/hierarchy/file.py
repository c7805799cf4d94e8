"""A hierarchy that the data holder wrote down in a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.errors import GroundLabelError, HierarchyFileError, HierarchySpecError
from discreet.hierarchy.assemble import assemble
from discreet.hierarchy.cover import check_one_root, cover, find_ground_labels
from discreet.hierarchy.hierarchy import Hierarchy
from discreet.hierarchy.level import Level
from discreet.hierarchy.lines import line_numbers, read_levels

FIX = (
    "Add a line for each to the file, or write {file: {path: ..., uncovered: root}} in the policy, "
    "which sends them straight to the root."
)


@dataclass(frozen=True)
class File:
    """Release each value as the data holder's own file says, level by level.

    One line a value, ``value;level 1;...;top``, without a header: the form that ARX users have.
    Comma and tab separate as well, fields may be quoted, the encoding is found. The empty text is
    the missing value. Values of the file that the data does not hold count as leaves, so what a
    release loses is the same for every table that the file is used on.

    Parameters
    ----------
    path
        The file.
    uncovered
        What becomes of values of the data that have no line: ``refuse`` stops and counts them;
        ``root`` releases them as found or, from level 1 on, as the root.

    Notes
    -----
    [Sweeney2001]_, sec. 5.2, fig. 26. *Departures*: where lines end in different values, ``*`` is
    added above them. *Cost*: one pass over the file; 100,000 lines of six fields take 0.1 s.
    """

    path: Path
    uncovered: Literal["refuse", "root"] = "refuse"

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path))
        if self.uncovered not in ("refuse", "root"):
            fix = "Write refuse, or root."
            raise HierarchySpecError("file.uncovered", "there is no such setting", fix)

    def build(self, column: str, values: Sequence[str | None]) -> Hierarchy:
        """Read the file and keep what the values of the column need of it."""
        rows, leaves, levels = self.read()
        check_one_root(column, levels, _header_hint(levels))
        found = find_ground_labels(leaves, levels)
        if found is not None:
            pair = [int(rows[leaf]) for leaf in found[1][0]]
            lines = " and ".join(str(line) for line in sorted(line_numbers(self.path, pair)))
            place = f"compare lines {lines} of '{self.path}'"
            raise GroundLabelError(column, found[0], len(found[1]), place)

        def where(level: int, *pair: int) -> str:
            return self._where(rows, covered.levels[level - 1], pair)

        source = f"hierarchy file '{self.path}'"
        strays = levels[-1].labels[0] if self.uncovered == "root" and levels else None
        covered = cover(column, leaves, levels, values, source=source, fix=FIX, strays=strays)
        grown, above, picked = covered
        return Hierarchy(column, *assemble(column, grown, above, picked=picked, where=where))

    def read(self) -> tuple[NDArray[np.intp], tuple[str | None, ...], tuple[Level, ...]]:
        """Read the file: which of its lines are kept, their values, and the levels above them.

        A line that repeats an earlier one is left out; one that contradicts it is refused.
        """
        ground, *levels = read_levels(self.path)
        first = np.full(len(ground.labels), len(ground.codes), dtype=np.intp)
        first[ground.codes[::-1]] = np.arange(len(ground.codes) - 1, -1, -1)
        for level in levels:
            wrong = np.flatnonzero(level.codes != level.codes[first[ground.codes]])
            if len(wrong):
                raise self._contradiction(int(first[ground.codes[wrong[0]]]), int(wrong[0]))
        return first, ground.labels, tuple(level.take(first) for level in levels)

    def _where(self, rows: NDArray[np.intp], level: Level, leaves: Sequence[int]) -> str:
        label = level.labels[level.codes[leaves[0]]] or "(empty)"
        lines = line_numbers(self.path, [int(rows[leaf]) for leaf in leaves if leaf < len(rows)])
        places = [f"line {line}" for line in sorted(lines)]
        if len(places) < len(leaves):
            places.append("the missing value, which has no line")
        return f"'{label}' for one: compare {' and '.join(places)} of '{self.path}'"

    def _contradiction(self, first: int, second: int) -> HierarchyFileError:
        lines = line_numbers(self.path, [first, second])
        what = f"lines {lines[0]} and {lines[1]} have the same value but different parents"
        return HierarchyFileError(self.path, what, "Keep one of them.")


def _header_hint(levels: Sequence[Level]) -> str:
    roots = levels[-1] if levels else None
    alone = roots is not None and bool((roots.codes[1:] != roots.codes[0]).all())
    return "line 1 alone ends in its label: if it is a header, remove it" if alone else ""
