"""A release next to its private table, both counted, as all parts of a description see them."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from discreet.attacks.coded_rows import ShownPeople
from discreet.display import dataclass
from discreet.errors import ArgumentError
from discreet.frequency.classes import Ints, Mask
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.pipeline.auto_hierarchies import list_row_codes, settle_auto
from discreet.pipeline.description.counted_table import (
    CodedColumn,
    ColumnCounts,
    CountedTable,
    count_table,
)
from discreet.pipeline.description.released_labels import ReleasedLabels, SuppressedRows
from discreet.pipeline.description.run import Run
from discreet.policy.policy import Policy
from discreet.policy.techniques import list_steps
from discreet.table.table import Table

TOO_MANY = (
    "More rows are missing than the policy allows to suppress, as in a part of a table. They are "
    "not counted as suppressed; the facts of the run would tell."
)
ANOTHER_TABLE = "Give the private table that this release was made from, or leave it out."


@dataclass(eq=False)
class Compared:
    """The released table, the private one if there is one, and the counts of both.

    ``notes`` grows with what could not be compared. Nothing of the private table is known where
    ``private`` and ``before`` are None.
    """

    table: Table
    private: Table | None
    policy: Policy
    run: Run
    register: Any = None
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        policy = self.policy
        people = () if policy.people is None else (policy.people.column,)
        replaced = [name for name, one in policy.columns.items() if one.replace is not None]
        apart = {*people, *replaced, *policy.scrubbed}
        roles = (*policy.quasi, *policy.sensitive)
        single = [name for name in policy.released if name not in {*roles, *apart}]
        self.after = count_table(self.table, roles, single)
        self.before = None if self.private is None else count_table(self.private, roles, single)
        self.rows = self.after.rows
        private = None if self.before is None else self.before.rows
        self.policy = policy.for_release(self.rows, private)
        if self.before is not None:  # hierarchies left to the data are those of the private table
            present = [name for name in policy.quasi if name in self.before.columns]
            self.policy = settle_auto(self.policy, list_row_codes(self.before.joint, present))

    @cached_property
    def drawn(self) -> frozenset[str]:
        """Columns that techniques changed by chance, and so otherwise than in another run."""
        return frozenset(
            name
            for step in list_steps(self.policy)
            if step.technique.by_chance
            for name in (step.columns or self.policy.released)
        )

    @property
    def same_rows(self) -> bool:
        """Whether rows that the release lacks were suppressed, and not drawn or not asked for."""
        moved = any(step.technique.turn != "columns" for step in list_steps(self.policy))
        if self.before is None or moved or self.run.part:
            return False
        return self.run.rows_before is not None or not self._lacks_too_many

    @property
    def _lacks_too_many(self) -> bool:
        """Whether more rows are missing than were to be suppressed: likely a part was asked for."""
        if self.before is None or self.policy.people is not None:
            return False
        return self.before.rows - self.rows > self.policy.suppress * self.before.rows + 1

    @cached_property
    def labels(self) -> dict[str, ReleasedLabels]:
        """The quasi columns at the released level, as far as the private table shows it."""
        if self.before is None:
            return {}
        return {
            name: ReleasedLabels.find(
                self.policy,
                name,
                self.before.joint.values[name],
                self.count_told(name),
                self.run.levels,
            )
            for name in self.policy.quasi
            if name in self.before.columns and name in self.after.columns and name not in self.drawn
        }

    def count_told(self, name: str) -> ColumnCounts:
        """A quasi column of the release without the rows of ``*``, if suppressed rows are kept."""
        rows = self.after.joint.rows
        if self.policy.suppressed_rows == "keep" and self._stars.any():
            rows = np.where(self._stars, 0, rows)
        return self.after.code(name).count(rows)

    @cached_property
    def _stars(self) -> Mask:
        """The combinations of the release that are ``*`` in all quasi columns."""
        found = np.ones(len(self.after.joint), dtype=np.bool_)
        for name in self.policy.quasi:
            if name in self.after.columns:
                column = self.after.code(name)
                found &= np.array([one == SUPPRESSED for one in column.labels])[column.codes]
        return found

    @cached_property
    def suppressed(self) -> SuppressedRows | None:
        """Rows that were left out, where whole columns were recoded."""
        whole = len(self.labels) == len(self.policy.quasi) and self.policy.people is None
        if self.before is None or not self.same_rows or not whole or not self.labels:
            return None
        if any(one.level is None for one in self.labels.values()):
            return None
        found = SuppressedRows.find(self.before, self.after, self.labels)
        if found is None:
            what = "a class of the release has more rows than this table has there"
            raise ArgumentError("original", what, ANOTHER_TABLE)
        return found

    def check_rows(self) -> None:
        """Refuse a private table that is not the one of the release."""
        if self.before is None:
            return
        before, told = self.before.rows, self.run.rows_before
        if told is None and self._lacks_too_many:
            self.notes.append(TOO_MANY)
        if before < self.rows:
            what = f"it has {before:,} rows, and the release has {self.rows:,}"
            raise ArgumentError("original", what, ANOTHER_TABLE)
        if told is not None and self.same_rows and told != before:
            what = f"it has {before:,} rows, and the facts of the run are of {told:,}"
            raise ArgumentError("original", what, ANOTHER_TABLE)

    @cached_property
    def sizes_after(self) -> Ints | None:
        """The sizes of the released classes on all quasi columns, of rows or of people."""
        return self._count_classes(self.table, self.after)

    @cached_property
    def sizes_before(self) -> Ints | None:
        """The same of the private table, its values as found."""
        if self.private is None or self.before is None:
            return None
        return self._count_classes(self.private, self.before)

    def _count_classes(self, table: Table, counted: CountedTable) -> Ints | None:
        quasi, people = self.policy.quasi, self.policy.people
        if not set(quasi) <= set(counted.columns):
            return None
        if people is None:
            return counted.count_classes(quasi)
        if people.column not in table.columns:
            return None
        return ShownPeople.of(table, people.column, quasi, people.records.counts).classes.rows

    def code_before(self, name: str) -> CodedColumn | None:
        """A column of the private combinations at the released level; None if it is not known."""
        if self.before is None or name not in self.before.joint.columns or name in self.drawn:
            return None
        if name in self.labels:
            return self.labels[name].code_private(self.before.code(name))
        return None if name in self.policy.quasi else self.before.code(name)

    def count_before(self, name: str) -> ColumnCounts | None:
        """A column of the private table at the released level; None if it is not known."""
        if self.before is None or name not in self.before.columns or name in self.drawn:
            return None
        if name in self.before.single:
            return self.before.count_column(name)
        coded = self.code_before(name)
        return None if coded is None else coded.count(self.before.joint.rows)
