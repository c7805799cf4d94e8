"""A release of a table in which people have many rows: k counts people."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from discreet.display import dataclass, plural
from discreet.errors import InternalError
from discreet.models.verdict import Verdict, count_promises, render_verdicts
from discreet.pipeline.people.counted_people import PeopleTable
from discreet.pipeline.people.people_answer import PeopleAnswer, search_people_release
from discreet.pipeline.people.people_notes import write_people_notes
from discreet.pipeline.statements import (
    IdentifyingColumn,
    describe_released_columns,
    find_identifying_columns,
)
from discreet.pipeline.verify import verify
from discreet.pipeline.written import choose_order_key, make_polars_frame, reopen_written
from discreet.policy.changed_table import list_applied
from discreet.policy.policy import Policy
from discreet.table.formulas import FormulaCounter, Formulas
from discreet.table.read import TEXT, kind
from discreet.table.table import Table

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


@dataclass(frozen=True, eq=False)
class PeopleRelease:
    """The least damaging version of a table that keeps a policy about people, ready to be written.

    The outside is that of :class:`Release`. Every row has the pseudonym of its person. Nothing is
    handed out before a second, independent count of people has confirmed the promises.

    Notes
    -----
    [Sweeney2001]_, sec. 6.2: "a special facility for cases involving multiple tuples attributable
    to the same person". *Departures*: the thesis gives no rule; see docs/explain/people.md for
    ours. *Cost*: two passes over the rows, some sorting, and memory for a few numbers a row.
    """

    table: Table
    policy: Policy
    answer: PeopleAnswer
    seconds: float
    formulas: Formulas | None = field(init=False, default=None)
    """What the last text file that was written holds that a spreadsheet program would run."""

    def __repr__(self) -> str:
        rows, columns = plural(self.rows, "row"), plural(len(self.policy.released), "column")
        promises = count_promises(self.verdicts)
        return f"PeopleRelease({self.people:,} people, {rows}, {columns}, {promises})"

    def _repr_html_(self) -> str:
        return render_verdicts(repr(self), self.verdicts)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every promise, measured on the people who are released."""
        return self.answer.verdicts

    @property
    def levels(self) -> Mapping[str, int | None]:
        """The level at which each quasi column is released."""
        return self.answer.levels

    @property
    def holds(self) -> bool:
        """Whether every promise of the policy is kept."""
        return all(verdict.holds for verdict in self.verdicts)

    @property
    def people(self) -> int:
        """Number of people released."""
        return self.answer.kept.released

    @property
    def rows(self) -> int:
        """Number of rows released."""
        return self.answer.rows_released(0)

    @cached_property
    def identifying_columns(self) -> tuple[IdentifyingColumn, ...]:
        """Released columns, other than quasi columns, with a unique value in many rows."""
        return find_identifying_columns(self.policy, self.table)

    @property
    def several_rows(self) -> None:
        """Nothing to say: the promises are about people."""
        return None

    def facts(self) -> dict[str, Any]:
        """Everything there is to know about the release, without a row of it, as plain data."""
        answer, every = self.answer, len(self.answer.counted.rows[0])
        suppressed = answer.rows_suppressed(0)
        facts = answer.facts()
        return {
            **facts,
            "rows": every,
            "rows_released": self.rows,
            "rows_suppressed": suppressed,
            "records": {
                "rule": answer.people_policy.records.spec(),
                "rows_left_out": every - self.rows - suppressed,
            },
            "released_as": describe_released_columns(
                self.policy, facts["levels"], facts["heights"], (answer.people_policy.column,)
            ),
            "unique_rows": None,
            "several_rows_per_person": None,
            "identifying_columns": [one.facts() for one in self.identifying_columns],
            "techniques": [one.facts() for one in list_applied(self.table)],
            "formulas": None if self.formulas is None else self.formulas.facts(),
            "notes": [
                *self.table.notices,
                *answer.solution.notes,
                *write_people_notes(answer),
                *(() if self.formulas is None else self.formulas.notes),
            ],
            "seconds": self.seconds,
        }

    def write(self, path: str | Path, unprotected: bool = False, replace: bool = True) -> None:
        """Write the release whole and verified, or not at all; the ending says the kind of file.

        With ``replace`` off a file that is there, or appears meanwhile, stays as it is.
        ``unprotected`` is there as in :class:`Release`: no release of people breaks its policy.
        """
        from discreet.table.write import write

        is_text, counter = kind(Path(path)) in TEXT, FormulaCounter()
        with self._recoded().reader() as rows:
            write(
                counter.watch(rows) if is_text else rows,
                Path(path),
                dialect=self.table.dialect,
                order_key=choose_order_key(self.policy),
                check=lambda hidden: self._check(reopen_written(hidden, self.table.dialect)),
                replace=replace,
            )
        object.__setattr__(self, "formulas", counter.found if is_text else None)

    def to_arrow(self, unprotected: bool = False) -> pa.Table:
        """The release as an Arrow table, verified."""
        from discreet.table.write import gather_rows

        with self._recoded().reader() as rows:
            released = gather_rows(rows, choose_order_key(self.policy))
        self._check(released)
        return released

    def to_pandas(self) -> pd.DataFrame:
        """The release as a pandas frame, verified."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """The release as a polars frame, verified."""
        return make_polars_frame(self.to_arrow())

    def _recoded(self) -> Any:
        named = self.policy.columns.get(self.answer.people_policy.column)
        replaced = named is not None and named.replace is not None
        return self.answer.recoded(0, self.policy.released, replaced)

    def _check(self, written: Table | pa.Table) -> None:
        """Count the people of what was written anew and compare with what was promised."""
        found = verify(written, self.policy)
        broken = [verdict.model for verdict in found.verdicts if not verdict.holds]
        if broken:
            raise InternalError(f"the finished release does not keep {', '.join(broken)}")
        if (found.rows, found.people) != (self.rows, self.people):
            what = f"{found.rows} rows of {found.people} people"
            raise InternalError(
                f"the finished release has {what}, not {self.rows} of {self.people}"
            )


def anonymize_people(
    source: Table, policy: Policy, progress: Callable[..., None] | None = None
) -> PeopleRelease:
    """Find the least damaging release of a prepared table that keeps a policy about people.

    :func:`discreet.anonymize` calls this where the policy has ``people``.
    """
    started = time.perf_counter()
    whose = PeopleTable(source, policy.people.column, policy.quasi)
    answer = search_people_release([whose], policy.quasi, policy, progress)
    return PeopleRelease(source, policy, answer, time.perf_counter() - started)
