"""What became of each column, and of the dependence of columns on each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations
from typing import Any

from discreet.display import dataclass
from discreet.engines.table import find_engine_source
from discreet.errors import DiscreetError
from discreet.hierarchy import Dates
from discreet.hierarchy.hierarchy import SUPPRESSED
from discreet.identification.inspect import explain_roles
from discreet.pipeline.description.compared import Compared
from discreet.pipeline.description.counted_table import ColumnCounts
from discreet.pipeline.description.facts import Column, Dependence, SuppressedShare, Suppression
from discreet.pipeline.description.figures import (
    MOST_CATEGORIES,
    MOST_LABELS,
    count_by_label,
    list_labels,
    measure_dependence,
    summarize_numbers,
)
from discreet.pipeline.description.words import describe_technique
from discreet.pipeline.statements import describe_released_columns

MOST_PAIRED = 30
"""Columns whose dependence on each other is measured; 435 pairs."""


@dataclass(frozen=True, eq=False)
class ColumnDescriber:
    """Describes columns, one by one."""

    both: Compared

    def describe_all(self) -> list[Column]:
        """All columns of the policy, those too that are not released."""
        policy = self.both.policy
        names = dict.fromkeys(policy.columns)
        if policy.people is not None:
            names[policy.people.column] = None
        return [self._describe(name) for name in names]

    def _describe(self, name: str) -> Column:
        both, policy = self.both, self.both.policy
        settings = policy.columns.get(name)
        released = name in both.table.columns and name in policy.released
        plain: dict[str, Any] = {
            "name": name,
            "role": "identifier" if settings is None else settings.role.value,
            "reason": self._reasons.get(name, ""),
            "released": released,
            "released_as": self._released_as.get(name, "not released"),
        }
        if not released or name not in both.after.columns:
            return Column(**plain, technique=describe_technique(policy, name, released))
        after, before = both.after.count_column(name), both.count_before(name)
        ground = None if both.before is None or before is None else both.before.count_column(name)
        labels, kept = both.labels.get(name), count_by_label(after)
        level = labels.level if labels is not None else (both.run.levels or {}).get(name)
        stars = kept.get(SUPPRESSED, 0)
        loss = None if labels is None else labels.measure_loss(after)
        dated = settings is not None and isinstance(settings.hierarchy, Dates)
        numbers = None if ground is None else summarize_numbers(ground)
        return Column(
            **plain,
            technique=describe_technique(policy, name, released, level, stars > 0),
            level=level,
            height=None if labels is None else labels.hierarchy.height,
            distinct_before=None if ground is None else int((ground.rows > 0).sum()),
            distinct_after=int((after.rows > 0).sum()),
            suppressed_cells=stars / both.rows if both.rows else None,
            loss=loss,
            granularity=None if loss is None else 1 - loss,
            values=list_labels(after, before),
            numbers_before=numbers,
            numbers_after=None if dated or (ground and not numbers) else summarize_numbers(after),
            suppression=self._list_suppressed(name, before, kept),
            hierarchy=[]
            if labels is None or ground is None
            else labels.list_levels(both.after.code(name), both.after.joint.rows, ground),
        )

    @cached_property
    def _reasons(self) -> Mapping[str, str]:
        """Why columns have the roles they have, as far as an inspection comes to the same role."""
        if self.both.private is None or find_engine_source(self.both.private) is not None:
            return {}
        try:
            found = explain_roles(self.both.private)
        except DiscreetError:
            return {}
        columns = self.both.policy.columns
        return {
            name: "; ".join(reasons)
            for name, (role, reasons) in found.items()
            if name in columns and role is columns[name].role
        }

    @cached_property
    def _released_as(self) -> Mapping[str, str]:
        """What each column is released as, in words."""
        both, policy = self.both, self.both.policy
        people = () if policy.people is None else (policy.people.column,)
        levels = {name: one.level for name, one in both.labels.items()}
        levels = {**(both.run.levels or {}), **levels}
        heights = {name: one.hierarchy.height for name, one in both.labels.items()}
        found = describe_released_columns(policy, levels, heights, people)
        unknown = [name for name in policy.quasi if name not in levels]
        return {**found, **dict.fromkeys(unknown, "recoded by its hierarchy")}

    def _list_suppressed(
        self, name: str, before: ColumnCounts | None, kept: Mapping[str, int]
    ) -> list[SuppressedShare]:
        """Who was suppressed, by the value of a column; nothing if that is not known, or nobody."""
        both = self.both
        if both.before is None or before is None or not both.same_rows:
            return []
        if name in both.labels:
            if both.suppressed is None:
                return []
            column = both.labels[name].code_private(both.before.code(name))
            found = both.suppressed.count(column, both.before.joint.rows)
        elif both.policy.suppressed_rows == "keep":
            return []
        else:
            found = {
                label: (rows, max(0, rows - kept.get(label, 0)))
                for label, rows in count_by_label(before).items()
            }
        if not any(lost for _, lost in found.values()):
            return []
        ranked = sorted(found.items(), key=lambda one: (-one[1][0], one[0]))
        listed = [
            SuppressedShare(label=label, rows=rows, suppressed=lost)
            for label, (rows, lost) in ranked[:MOST_LABELS]
        ]
        if rest := ranked[MOST_LABELS:]:
            rows, lost = (sum(numbers[at] for _, numbers in rest) for at in (0, 1))
            listed.append(SuppressedShare(label=None, rows=rows, suppressed=lost))
        return listed


# All columns together.


def describe_suppression(both: Compared) -> Suppression:
    """Rows that were left out, or released as rows of ``*``."""
    rows, dropped = None, both.policy.suppressed_rows == "drop"
    if both.suppressed is not None:
        rows = both.suppressed.total
    elif both.run.suppressed is not None:
        rows = both.run.suppressed
    elif both.before is not None and both.same_rows and both.policy.people is None and dropped:
        rows = both.before.rows - both.rows
    total = both.run.rows_before if both.before is None else both.before.rows
    share = rows / total if rows is not None and total else None
    return Suppression(allowed=both.policy.suppress, rows=rows, share=share)


def describe_dependence(both: Compared) -> Iterator[Dependence]:
    """Cramer's V of every two quasi and sensitive columns of few values."""
    policy = both.policy
    names = [n for n in (*policy.quasi, *policy.sensitive) if n in both.after.joint.columns]
    values = {name: len(both.after.code(name).labels) for name in names}
    paired = [name for name in names if 1 < values[name] <= MOST_CATEGORIES][:MOST_PAIRED]
    if left_out := [name for name in names if values[name] > 1 and name not in paired]:
        both.notes.append(
            f"Dependence is measured for up to {MOST_PAIRED} columns of up to {MOST_CATEGORIES} "
            f"values; left out: {', '.join(left_out)}."
        )
    for pair in combinations(paired, 2):
        after = [both.after.code(name) for name in pair]
        private = [both.code_before(name) for name in pair]
        before = None
        if both.before is not None and private[0] is not None and private[1] is not None:
            before = measure_dependence(private[0], private[1], both.before.joint.rows)
        yield Dependence(
            columns=pair,
            before=before,
            after=measure_dependence(after[0], after[1], both.after.joint.rows),
        )
