"""A hierarchy for people to read: a tree with shares of rows, or a file to edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from discreet.hierarchy.file import save
from discreet.hierarchy.hierarchy import Builder, Hierarchy
from discreet.hierarchy.proposals.row_codes import Ints
from discreet.hierarchy.tree import Tree, list_leaves

MOST_SHOWN = 12
"""Most values of one group that are shown; of the others only the number."""


def show_tree(
    column: str, builder: Builder, values: Sequence[str | None], counts: Sequence[int], least: int
) -> list[str]:
    """Lines of a tree with the share of the rows of each group and value, the largest first.

    **Shows values of the table**, but only counts those that fewer than `least` rows have.
    """
    built = builder.build(column, values)
    rows = np.asarray(counts, dtype=np.int64)
    total = max(1, int(rows.sum()))
    shown = _Shown(built, rows, total, least)
    return list(shown.list_lines(built.height, np.arange(len(values)), 0))


class _Shown:
    def __init__(self, built: Hierarchy, rows: Ints, total: int, least: int) -> None:
        self.built, self.rows, self.total, self.least = built, rows, total, least

    def list_lines(self, level: int, members: Ints, depth: int) -> Iterator[str]:
        """The lines of one group with the values `members`, and of the groups below it."""
        while level > 0 and len(np.unique(self.built.maps[level - 1][members])) == 1:
            level -= 1  # this level divides nothing here
        text = self.built.labels[level][self.built.maps[level][members[0]]]
        yield self._write(depth, "(missing)" if text is None else text, members)
        if level == 0 or len(members) == 1:
            return
        codes = self.built.maps[level - 1][members]
        groups = [members[codes == code] for code in np.unique(codes).tolist()]
        groups.sort(key=lambda group: (-int(self.rows[group].sum()), int(group[0])))
        shown, more, rare = self._choose(groups)
        for group in shown:
            yield from self.list_lines(level - 1, group, depth + 1)
        if len(more):
            yield self._write(depth + 1, f"{len(more)} more", more)
        if len(rare):
            word = "1 rare value" if len(rare) == 1 else f"{len(rare)} rare values"
            yield self._write(depth + 1, word, rare)

    def _choose(self, groups: Sequence[Ints]) -> tuple[list[Ints], Ints, Ints]:
        """The groups to show, the number of values beyond the limit, and that of rare ones."""
        common = [group for group in groups if self.rows[group].sum() >= self.least]
        single = [int(group[0]) for group in common if len(group) == 1]
        more = set(single[MOST_SHOWN:])
        shown = [group for group in common if len(group) > 1 or int(group[0]) not in more]
        rare = [group for group in groups if self.rows[group].sum() < self.least]
        empty = np.empty(0, dtype=np.int64)
        return shown, np.array(sorted(more), dtype=np.int64), np.concatenate([empty, *rare])

    def _write(self, depth: int, text: str, members: Ints) -> str:
        share = 100 * int(self.rows[members].sum()) / self.total
        percent = f"{share:.1f}" if share >= 0.1 or share == 0 else "<0.1"
        return f"{percent:>6} %  {'  ' * depth}{text}"


def write_hierarchy_file(path: Path | str, tree: Tree) -> None:
    """Write a tree as lines ``value;group;...;*``, to edit and to use by ``{file: ...}``.

    **The file is private**: it holds the values of the table. Only its owner can read it.
    """
    leaves = list_leaves(tree)
    save(tree.build("tree", leaves), path)
