"""The statements of a release without the release: nothing is put, created or published.

A database administrator can read what would be run. Queries that only count are run, since what
is released depends on them.
"""

from __future__ import annotations

import dataclasses
import re

import pyarrow as pa

from discreet.display import format_count
from discreet.engines.engine import STAGING, Dialect, Engine, Relation, Target


class Rehearsal:
    """An engine that notes every statement, and runs those that change nothing."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._notes: list[str] = []
        self._put = 0

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.shown})"

    @property
    def statements(self) -> tuple[str, ...]:
        """What was run, and what would be, in order."""
        return tuple(self._notes)

    @property
    def dialect(self) -> Dialect:
        """How the SQL is written."""
        return self._engine.dialect

    @property
    def shown(self) -> str:
        """The engine and where it is."""
        return self._engine.shown

    @property
    def discards(self) -> int:
        """How often the work was thrown away."""
        return self._engine.discards

    def find(self, table: str | None) -> Relation:
        """The table of this name."""
        return self._engine.find(table)

    def pin(self, relation: Relation) -> Relation:
        """The table as it is now."""
        return self._engine.pin(relation)

    def query(self, sql: str, rows_per_batch: int = 131_072) -> pa.RecordBatchReader:
        """The answer to a query, which is noted."""
        self._notes.append(f"{sql};")
        return self._engine.query(sql, rows_per_batch)

    def put(self, rows: pa.Table) -> str:
        """The name that a small table would have."""
        self._put += 1
        name = f"put{self._put}"
        columns = ", ".join(rows.column_names)
        count = format_count(rows.num_rows, "row")
        self._notes.append(f"-- {name}: a temporary table of {columns}; {count}")
        return name

    def aim(self, name: str, replace: bool) -> Target:
        """The place for a release, which is checked; its hidden name is drawn for each run."""
        target = self._engine.aim(name, replace)
        shown = re.sub(rf"{STAGING}\w+", f"{STAGING}RANDOM", target.staging)
        return dataclasses.replace(target, staging=shown)

    def create(self, target: Target, select: str) -> Relation:
        """Note the statement that would make the table; the end of a rehearsal."""
        self._notes.append(f"{self.dialect.create.format(name=target.staging, select=select)};")
        self._notes.append(f"-- counts of {target.staging}, by the columns of each promise")
        self._notes.append(f"-- if every promise holds: {target.staging} becomes {target.sql}")
        raise RehearsedError

    def publish(self, target: Target) -> None:
        """Nothing is published."""

    def discard(self) -> None:
        """End the transaction that the queries ran in."""
        self._engine.discard()

    def close(self) -> None:
        """End the session."""
        self._engine.close()


class RehearsedError(Exception):
    """The statements are all noted."""
