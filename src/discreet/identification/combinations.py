"""Which sets of columns single people out, and what each column adds to the others.

A proposal names the columns that others may know. Whether they do is for the data holder to decide;
these facts show what the decision changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from discreet.display import dataclass
from discreet.identification.judge import format_percent
from discreet.identification.singling_out import (
    COUNTED,
    LARGEST,
    Names,
    SetCounts,
    count_alone,
    limit_columns,
)

FEW_PERCENT = 0.05
"""Least share of rows that a set must single out to be shown."""
SHOWN = 6
"""Most sets that are shown, the smallest first."""


@dataclass(frozen=True)
class Combination:
    """A minimal set of columns that single people out together.

    ``rows`` were counted. For a sample, the share is rather too large than too small: a row may be
    unique among those drawn but not in the table.
    """

    columns: Names
    singled_out_share: float
    rows: int

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "columns": list(self.columns),
            "singled_out_share": self.singled_out_share,
            "rows_checked": self.rows,
        }


@dataclass(frozen=True)
class Choice:
    """What a quasi column adds to the others: the share of rows singled out with and without it.

    ``optional`` if only the counts suggest the role: neither the column's name nor its values
    indicate that others know it. ``same_as`` are quasi columns that distinguish rows exactly as
    this one does, so that one of them is enough.
    """

    share_with: float
    share_without: float
    optional: bool = False
    same_as: Names = ()

    def describe(self) -> list[str]:
        """What the data holder may choose, in words; empty if there is little to choose."""
        said = []
        if self.same_as:
            said.append(f"tells rows apart exactly as {self.same_as[0]}: one of them is enough")
        if self.optional:
            shares = format_percent(self.share_without), format_percent(self.share_with)
            said.append(
                "a choice: it need not be quasi if nobody can know it. The quasi columns single "
                f"out {shares[1]} of the rows with it, {shares[0]} without it"
            )
        return said

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "singled_out_share_with": self.share_with,
            "singled_out_share_without": self.share_without,
            "optional": self.optional,
            "same_as": list(self.same_as),
        }


def find_combinations(
    tried: SetCounts, names: Sequence[str], more: Callable[[], SetCounts]
) -> tuple[Combination, ...]:
    """Sets of up to three columns that single out more than a few percent, no part of which does.

    Notes
    -----
    *Cost*: the sets have already been counted on the sample; the worst ones are counted on the rows
    that ``more`` returns, at most 20 per size.
    """
    found: list[Names] = []
    shown: list[Combination] = []
    names = _leave_out_copies(tried, names)
    best = sorted(names, key=lambda name: (-tried(name)[1], names.index(name)))
    for size in range(1, LARGEST + 1):
        few = set(names if size == 1 else best[: limit_columns(size)])
        sets = combinations([name for name in names if name in few], size)
        new = [one for one in sets if not any(set(part) <= set(one) for part in found)]
        worst = sorted(
            (one for one in new if tried.share(*one) >= FEW_PERCENT),
            key=lambda one: -tried.share(*one),
        )[:COUNTED]
        shares = {one: more().share(*one) for one in worst}
        kept = [one for one in worst if shares[one] >= FEW_PERCENT]
        kept.sort(key=lambda one: -shares[one])
        rows = len(more().data) if kept else 0
        shown += [Combination(one, shares[one], rows) for one in kept]
        found += kept
        if len(shown) >= SHOWN:
            break
    return tuple(shown[:SHOWN])


def _leave_out_copies(tried: SetCounts, names: Sequence[str]) -> Sequence[str]:
    """The columns without those that distinguish rows exactly as an earlier one does."""
    alike = _group_equivalent(tried, names)
    return [name for name in names if alike[name][0] == name]


def find_choices(
    tried: SetCounts, quasi: Sequence[str], optional: Sequence[str], more: Callable[[], SetCounts]
) -> dict[str, Choice]:
    """What each quasi column adds to the others.

    Notes
    -----
    *Cost*: one sort of the rows per column, and one per pair of columns with equally many values.
    """
    if not quasi:
        return {}
    counts = more() if tried.share(*quasi) >= FEW_PERCENT else tried
    data = counts.data
    whole = data.together(quasi)
    with_all = count_alone(whole)[0] / len(data)
    alike = _group_equivalent(counts, quasi)
    return {
        name: Choice(
            with_all,
            count_alone(whole - data.keys[name])[0] / len(data),
            name in optional,
            tuple(other for other in alike[name] if other != name),
        )
        for name in quasi
    }


def _group_equivalent(counts: SetCounts, names: Sequence[str]) -> dict[str, list[str]]:
    """For each column the ones that distinguish rows exactly as it does, including itself.

    A column is compared with only one of each group, since the relation is transitive.
    """
    groups: list[list[str]] = []
    for name in names:
        group = next((one for one in groups if _are_equivalent(one[0], name, counts)), None)
        if group is None:
            groups.append([name])
        else:
            group.append(name)
    return {name: group for group in groups for name in group}


def _are_equivalent(one: str, other: str, counts: SetCounts) -> bool:
    """Whether each column can be derived from the other, row by row."""
    distinct = counts(one)[1]
    if distinct < 2 or distinct != counts(other)[1]:
        return False
    return counts(*_order(counts, one, other))[1] == distinct


def _order(counts: SetCounts, *columns: str) -> Names:
    """Columns in the order in which sets were counted before."""
    return tuple(name for name in counts.data.keys if name in columns)
