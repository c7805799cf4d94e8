"""What the private values of a quasi column were released as, found from the two tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from discreet.attacks.coded_rows import number_rows
from discreet.attacks.linking.fits import ColumnFits
from discreet.display import dataclass
from discreet.frequency.classes import Floats, Ints
from discreet.hierarchy.atoms import Atoms
from discreet.hierarchy.hierarchy import SUPPRESSED, Hierarchy
from discreet.measures.column_cost import normalize_shares
from discreet.pipeline.description.counted_table import (
    CodedColumn,
    ColumnCounts,
    CountedTable,
    Labels,
)
from discreet.pipeline.description.facts import LabelShare
from discreet.pipeline.description.figures import count_by_label
from discreet.pipeline.plan import build_hierarchy
from discreet.policy.policy import Policy

MOST_SHOWN = 60
"""Values of a level that are still shown; finer levels are left out."""


@dataclass(frozen=True, eq=False)
class ReleasedLabels:
    """A quasi column at the released level.

    ``level`` is None where cells differ: there a private value is counted under the smallest
    released label that covers it, ``*`` last. ``label_of`` has a label for each private value, -1
    if none covers it, and ``leaves`` how many leaves of the hierarchy lie under each label.
    """

    hierarchy: Hierarchy
    level: int | None
    labels: Labels
    label_of: Ints
    leaves: Floats

    @classmethod
    def find(
        cls,
        policy: Policy,
        column: str,
        private: Labels,
        released: ColumnCounts,
        levels: Mapping[str, int | None] | None,
    ) -> ReleasedLabels:
        """Compare a column of the private table with the release, rows of ``*`` left out.

        ``levels`` are those of the run, where they are known; else the lowest level is taken that
        has all released labels.
        """
        hierarchy = build_hierarchy(policy, column, private)
        texts = [text for text, rows in zip(released.values, released.rows, strict=True) if rows]
        level = levels.get(column) if levels is not None else find_level(hierarchy, texts)
        if level is not None:
            return cls(
                hierarchy,
                level,
                hierarchy.labels[level],
                hierarchy.maps[level].astype(np.int64),
                hierarchy.leaves[level].astype(np.float64),
            )
        return cls(hierarchy, None, *_cover_values(policy, column, private, texts, hierarchy))

    def code_private(self, column: CodedColumn) -> CodedColumn:
        """The column of the private table at the released level."""
        return CodedColumn(self.labels, self.label_of[column.codes])

    def code_released(self, column: CodedColumn) -> CodedColumn:
        """The column of the release, numbered alike; -1 is a label of no value (``*``)."""
        code = {label or "": number for number, label in enumerate(self.labels)}
        place = np.array([code.get(label or "", -1) for label in column.labels], dtype=np.int64)
        return CodedColumn(self.labels, place[column.codes])

    def measure_loss(self, released: ColumnCounts) -> float | None:
        """How much of the detail of the released cells is lost, from 0 to 1.

        Notes
        -----
        The x' of :class:`discreet.measures.Loss` for one column, over the rows of the release. Rows
        that were left out are not in it: they are counted as suppressed.
        """
        if not released.rows.sum():
            return None
        leaves = {
            label or "": number for label, number in zip(self.labels, self.leaves, strict=True)
        }
        all_leaves = float(self.hierarchy.leaf_count)
        shares = np.array([leaves.get(text or "", all_leaves) for text in released.values])
        mean = float((shares * released.rows).sum() / released.rows.sum()) / all_leaves
        return float(normalize_shares(np.array([mean]), np.array([all_leaves]))[0])

    def list_levels(
        self, released: CodedColumn, after: Ints, private: ColumnCounts
    ) -> list[list[LabelShare]]:
        """The values of each level from the top to the released one, each next to its siblings."""
        if self.level is None:
            return []
        hierarchy, level = self.hierarchy, self.level
        kept = self.code_released(released).count(after).rows
        order = np.lexsort(hierarchy.maps[level:])
        found = []
        for above in range(hierarchy.height, level - 1, -1):
            if hierarchy.size(above) > MOST_SHOWN:
                break
            up = np.zeros(hierarchy.size(level), dtype=np.int64)
            up[hierarchy.maps[level]] = hierarchy.maps[above]
            size = hierarchy.size(above)
            before = np.bincount(hierarchy.maps[above], weights=private.rows, minlength=size)
            now = np.bincount(up, weights=kept, minlength=size)
            shown = dict.fromkeys(hierarchy.maps[above][order].tolist())
            found.append(
                [
                    LabelShare(
                        label=hierarchy.labels[above][code] or "",
                        after=int(now[code]),
                        before=int(before[code]),
                    )
                    for code in shown
                ]
            )
        return found


def find_level(hierarchy: Hierarchy, texts: Sequence[str | None]) -> int | None:
    """The lowest level that has all these labels; None if none has, so that cells differ."""
    told = {text or "" for text in texts}
    for level, labels in enumerate(hierarchy.labels):
        if told and told <= {label or "" for label in labels}:
            return level
    return None


def _cover_values(
    policy: Policy,
    column: str,
    private: Labels,
    texts: Sequence[str | None],
    hierarchy: Hierarchy,
) -> tuple[Labels, Ints, Floats]:
    """The smallest released label of each private value, and the leaves under each label."""
    atoms = Atoms.of(column, texts, policy.columns[column].hierarchy, ground=private)
    fits = ColumnFits.of(atoms, texts, private)
    covering = np.full(fits.size, -1, dtype=np.int64)
    found = frozenset(private)
    mass = fits.mass.tolist()
    names = [text or "" for text in texts]
    order = sorted(
        range(len(texts)),
        key=lambda at: (-mass[at], names[at] != SUPPRESSED, texts[at] in found, names[at]),
    )
    for text in order:  # the smallest last: it stays
        for at in range(fits.start[text], fits.start[text + 1]):
            covering[fits.low[at] : fits.high[at]] = text
    known: dict[str, int] = {}
    for labels, leaves in zip(hierarchy.labels, hierarchy.leaves, strict=True):
        for label, number in zip(labels, leaves.tolist(), strict=True):
            known.setdefault(label or "", number)
    known[SUPPRESSED] = hierarchy.leaf_count
    under = [known.get(text or "", number) for text, number in zip(texts, mass, strict=True)]
    return tuple(texts), covering[fits.rank], np.array(under, dtype=np.float64)


# Rows that were suppressed, class by class.


@dataclass(frozen=True, eq=False)
class SuppressedRows:
    """Rows of the private table that the release lacks, by combination of the private table.

    ``rows`` is fractional where a class was left out in part: nobody knows which of its rows.
    """

    rows: Floats

    @classmethod
    def find(
        cls,
        private: CountedTable,
        release: CountedTable,
        columns: Mapping[str, ReleasedLabels],
    ) -> SuppressedRows | None:
        """Compare the classes of both tables at the released levels; None if they do not fit."""
        names = list(columns)
        mine = [columns[name].code_private(private.code(name)).codes for name in names]
        theirs = [columns[name].code_released(release.code(name)).codes for name in names]
        there = np.all([codes >= 0 for codes in theirs], axis=0)
        both = [
            np.concatenate([own, other[there]]) for own, other in zip(mine, theirs, strict=True)
        ]
        number = number_rows(both, len(both[0]))
        size = int(number.max(initial=-1)) + 1
        own, other = number[: len(private.joint)], number[len(private.joint) :]
        before = np.bincount(own, weights=private.joint.rows, minlength=size)
        after = np.bincount(other, weights=release.joint.rows[there], minlength=size)
        if (after > before).any():
            return None
        share = np.divide(before - after, before, out=np.zeros(size), where=before > 0)
        return cls(share[own] * private.joint.rows)

    @property
    def total(self) -> int:
        """All rows that were suppressed."""
        return round(float(self.rows.sum()))

    def count(self, column: CodedColumn, rows: Ints) -> dict[str, tuple[int, int]]:
        """By released label of a column: its rows in the private table, and those suppressed."""
        there = column.codes >= 0
        size = len(column.labels)
        lost = np.bincount(column.codes[there], weights=self.rows[there], minlength=size)
        every = count_by_label(column.count(rows))
        left_out = count_by_label(ColumnCounts(column.labels, np.rint(lost).astype(np.int64)))
        return {label: (number, left_out[label]) for label, number in every.items()}
