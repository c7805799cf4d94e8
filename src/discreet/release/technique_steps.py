"""Runs the techniques of a policy on the table that is released, before anything is counted."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from discreet.errors import BelowZeroError, SampledBelowError
from discreet.release.at_level import UNKNOWN
from discreet.release.changed_table import Applied, ChangedTable
from discreet.release.technique_notes import technique_notes
from discreet.release.technique_parts import Step, steps
from discreet.table.table import Table
from discreet.techniques import Noise, Perturb, SampleRows
from discreet.techniques.arrow_rows import rows_of, table_of
from discreet.techniques.column_view import ColumnView, views, views_after
from discreet.techniques.utility import compared

if TYPE_CHECKING:
    from discreet.release.policy import Policy


def with_techniques(table: Table, policy: Policy) -> Table:
    """The table after the techniques of a policy.

    Notes
    -----
    [Sweeney2001]_, sec. 4.1 and 4.3: a release combines techniques. *Departures*: none. *Cost*:
    the columns that are released or looked at are held in memory; each technique once, and a
    comparison of the columns that it changes with all released ones.
    """
    found = steps(policy)
    named = [name for step in found for name in (*step.columns, *step.beside)]
    policy.check_columns(table.columns, table.name, [*policy.columns, *named])
    run = _Run(table, policy, {*named, *_held(policy)})
    for number, step in enumerate(found):
        run.step(_keyed(policy, step), _seed(policy, number, step))
    notices = (*run.table.notices, *technique_notes(policy, found), *run.notices)
    source, columns = run.table.source, run.table.columns
    dialect = table.dialect
    return ChangedTable(
        table.name, columns, source, dialect=dialect, notices=notices, applied=_told(run.applied)
    )


def _told(run: list[Applied]) -> tuple[Applied, ...]:
    """What was done, without numbers that tell cells once those of two steps are compared."""
    few = frozenset[str]().union(*(one.utility.few for one in run))
    return tuple(replace(one, utility=one.utility.without(few)) for one in run)


def _held(policy: Policy) -> Iterator[str]:
    """The columns that later steps look at."""
    yield from policy.released
    if policy.row_weight is not None:
        yield policy.row_weight
    if policy.people is not None:
        yield policy.people.column


def _keyed(policy: Policy, step: Step) -> Step:
    """The step with the key of people, so that a person is treated alike in all their tables."""
    technique: Any = step.technique
    if policy.people is None or policy.people.key is None or not hasattr(technique, "key"):
        return step
    from discreet.pseudonyms.key import load_key

    return step._replace(technique=replace(technique, key=load_key(policy.people.key)))


def _seed(policy: Policy, number: int, step: Step) -> int:
    """A seed of its own for each step, so that no two draw the same numbers."""
    if policy.seed is None:
        return secrets.randbits(128)
    text = f"{policy.seed} technique {number} {step.technique.name}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=16).digest(), "big")


class _Run:
    """The table on its way through the steps, and the columns as they are compared."""

    def __init__(self, table: Table, policy: Policy, held: set[str]) -> None:
        names = [name for name in table.columns if name in held]
        self.policy = policy
        self.table = table_of(table, table.scan(native=names).read_all())
        self.released = [name for name in names if name in policy.released]
        self.views: dict[str, ColumnView] = {}
        self.applied: list[Applied] = []
        self.notices: list[str] = []

    def step(self, step: Step, seed: int) -> None:
        """Run one technique and compare."""
        before = rows_of(self.table)
        self.views |= views(before, [name for name in self.released if name not in self.views])
        old = dict(self.views)
        self.table = step.technique(self.table, seed)
        rows = rows_of(self.table)
        touched = step.columns or tuple(self.released)
        new = old | views_after(rows, {name: old[name] for name in touched})
        self._check(step, old, new, rows)
        same_rows = step.technique.turn == "columns"
        self.applied.append(
            Applied(step.technique, touched, compared(old, new, touched, same_rows))
        )
        for name in touched:
            del self.views[name]

    def _check(
        self,
        step: Step,
        old: dict[str, ColumnView],
        new: dict[str, ColumnView],
        rows: pa.Table,
    ) -> None:
        technique = step.technique
        if isinstance(technique, SampleRows):
            least = max(model.least_rows for model in self.policy.require)
            if rows.num_rows < least < UNKNOWN:
                total = len(next(iter(old.values())).cells)
                raise SampledBelowError(technique.name, rows.num_rows, total, least)
        if isinstance(technique, Noise | Perturb):
            for name in technique.columns:
                self._below_zero(technique, name, old[name], new[name])

    def _below_zero(
        self, technique: Noise | Perturb, name: str, old: ColumnView, new: ColumnView
    ) -> None:
        """Numbers that are never negative, such as ages, must not become so unseen."""
        below = int(np.count_nonzero(new.filled < 0))
        if not below or old.filled.min() < 0:
            return
        if isinstance(technique, Perturb):
            self.notices.append(
                f"perturb: {below:,} values of '{name}' are below zero, which none was before."
            )
        elif name not in technique.domain:
            raise BelowZeroError(technique.name, name, below, len(new.filled))
