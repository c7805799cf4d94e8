"""Readable names for groups of values: the most frequent values, and how many others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from discreet.display import dataclass
from discreet.hierarchy.proposals.row_codes import Ints

NAMED = 2
"""Most values that a name lists, the most frequent first."""
LONGEST = 30
"""Most characters of one value in a name."""


@dataclass(frozen=True, eq=False)
class GroupNames:
    """Names the groups of a column without showing rare values or values outside the group.

    ``least`` is how many rows a value needs to be named. ``rank`` has the position of each value
    that is in an order; groups of adjacent values are then named by their ends.
    """

    values: Sequence[str]
    rows: Ints
    least: int
    rank: Mapping[int, int]

    def name_levels(self, levels: Sequence[Ints]) -> list[list[str]]:
        """The name of the group of each value at each level.

        A group that stays the same keeps its name; different groups have different names, at
        whatever level they are, since a cell may be released at any of them.
        """
        taken = set(self.values)
        names: dict[tuple[int, ...], str] = {}
        found = []
        for groups in levels:
            texts = [""] * len(groups)
            for group in np.unique(groups).tolist():
                members = tuple(np.flatnonzero(groups == group).tolist())
                if members not in names:
                    names[members] = self._find_free_name(members, taken)
                    taken.add(names[members])
                for at in members:
                    texts[at] = names[members]
            found.append(texts)
        return found

    def _find_free_name(self, members: Sequence[int], taken: set[str]) -> str:
        if len(members) == 1:
            return self.values[members[0]]
        name = free = self._name(members)
        number = 1
        while free in taken:
            number += 1
            free = f"{name} ({number})"
        return free

    def _name(self, members: Sequence[int]) -> str:
        """A name made of the values that may be shown; of the others it gives only the number."""
        common = [at for at in members if self.rows[at] >= self.least]
        if not common:
            return f"{len(members)} rare values"
        if all(at in self.rank for at in members):
            ends = sorted(members, key=lambda at: self.rank[at])
            if ends[0] in common and ends[-1] in common:
                return f"{self._shorten(ends[0])} to {self._shorten(ends[-1])}"
        first = sorted(common, key=lambda at: (-int(self.rows[at]), self.values[at]))[:NAMED]
        rest = len(members) - len(first)
        rare = len(members) - len(common)
        if rest == 1:
            if rare == 0:
                (last,) = set(common) - set(first)
                return ", ".join(map(self._shorten, [*first, last]))
            return ", ".join([*map(self._shorten, first), "1 rare value"])
        more = [f"{rest} rare values" if rare == rest else f"{rest} more"] if rest else []
        return ", ".join([*map(self._shorten, first), *more])

    def _shorten(self, at: int) -> str:
        text = " ".join(self.values[at].split())
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 3].rstrip()}..."
