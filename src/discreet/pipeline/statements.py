"""Statements next to the promises of a release: what columns show, and what is not promised.

Every number here is counted, none is a promise: rows that are unique on all quasi columns, columns
whose values are as good as a key. ``several_rows.py`` has those about people with several rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from discreet.display import dataclass
from discreet.hierarchy.spec import AS_FOUND, name_level
from discreet.identification.person_key import (
    is_id_name,
)
from discreet.pipeline.several_rows import ValueCounts, count_values, find_person_keys
from discreet.policy.techniques import describe_changes, list_steps
from discreet.table.table import Role, Table

if TYPE_CHECKING:
    from discreet.frequency.count import Counted
    from discreet.policy.policy import Policy
    from discreet.table.cleaning import Cleaned


ALONE = 0.1
"""A column in which this share of the rows has a value of its own is as good as a key to them."""
NEARLY_ALL = 0.9
"""Where this share of the rows has a value of its own, hardly any two rows share one."""
FEW_ROWS = 10
"""In fewer rows all values may differ by chance."""
PSEUDONYMS = "pseudonyms, one per person"
FIXES_OF_ID = "leave it out, or make it an identifier that a pseudonym replaces (replace)"
FIXES = "round it (round_values), top-code it, release it in bands, or leave it out"

Ints = npt.NDArray[np.int64]


# What each column is released as.


def describe_released_columns(
    policy: Policy,
    levels: Mapping[str, int | None],
    heights: Mapping[str, int],
    people: Sequence[str] = (),
    cleaned: Sequence[Cleaned] | None = None,
) -> dict[str, str]:
    """What every column of a policy is released as, in words, such as ``year only``.

    ``people`` are columns that tell people apart; ``cleaned`` has the cells that were read as
    something else. Without it, what the policy asks for is told, whether or not there were any.
    """
    read = _describe_cleaning(policy, cleaned)
    done = describe_changes(policy, tuple(policy.columns))
    found = {}
    for name, column in policy.columns.items():
        changes = done.get(name, ())
        if column.replace is not None:
            found[name] = column.replace.told
        elif name in people:
            found[name] = PSEUDONYMS
        elif name not in policy.released:
            found[name] = "not released"
        elif name in levels:
            found[name] = _describe_level(
                column.hierarchy, levels[name], heights.get(name), changes, read.get(name, ())
            )
        else:
            scrubbed = ["scrubbed"] if column.scrub is not None else []
            done_to = [*scrubbed, *changes] or ["as it is"]
            found[name] = ", ".join([*done_to, *read.get(name, ())])
        if name in policy.quoted and name not in people:
            found[name] += ", formulas quoted"
    if policy.people is not None and not set(people) <= set(policy.columns):
        found[policy.people.column] = PSEUDONYMS
    return found


NO_WORDS, ZEROS = "words for missing made empty", "lost zeros put back"


def _describe_cleaning(
    policy: Policy, cleaned: Sequence[Cleaned] | None
) -> dict[str, tuple[str, ...]]:
    """What was done to the values of each column as they were read."""
    if cleaned is None:
        asked = policy.cleanings(policy.columns)
        done = {name: (bool(how.words), how.zeros) for name, how in asked.items()}
    else:
        done = {one.column: (bool(one.missing), bool(one.zeros)) for one in cleaned}
    return {
        name: (*([NO_WORDS] if words else ()), *([ZEROS] if zeros else ()))
        for name, (words, zeros) in done.items()
    }


def _describe_level(
    builder: Any,
    level: int | None,
    height: int | None,
    done: Sequence[str],
    read: Sequence[str] = (),
) -> str:
    """The level of a quasi column, of values as found or as techniques left them."""
    before = ", ".join(done)
    if level is None:
        told = f"cell by cell, of values {before}" if before else "cell by cell"
        return ", ".join([told, *read])
    name = name_level(builder, level, height)
    if name == AS_FOUND:
        name = ", ".join([before or name, *read])
    elif before:
        name = f"{name}, of values {before}"
    place = f"level {level} of {height}" if height is not None else f"level {level}"
    return f"{place} ({name})"


# Rows that are unique on all quasi columns.


@dataclass(frozen=True)
class UniqueRows:
    """Released rows that are alone on all quasi columns, or in classes below the k that is named.

    ``promised`` is the class size that holds for all quasi columns together, 1 if none does;
    ``named`` is the largest that any promise names, which a reader may take for it.
    """

    columns: tuple[str, ...]
    rows: int
    alone: int
    below: int
    smallest: int | None
    promised: int
    named: int

    @classmethod
    def of(cls, policy: Policy, sizes: Ints) -> UniqueRows:
        """From the sizes of the released classes of all quasi columns."""
        quasi = set(policy.quasi)
        joint = [m for m in policy.require if not m.columns or quasi <= set(m.columns)]
        promised = max((model.least_rows for model in joint), default=1)
        named = max((model.least_rows for model in policy.require), default=1)
        return cls(
            policy.quasi,
            int(sizes.sum()),
            int((sizes == 1).sum()),
            int(sizes[sizes < named].sum()),
            int(sizes.min()) if len(sizes) else None,
            promised,
            named,
        )

    @property
    def note(self) -> str:
        """What is not promised, in a sentence; empty where classes are as large as is said."""
        if self.smallest is None or (not self.alone and not self.below):
            return ""
        where = f"on {_list_names(self.columns)}{' together' if len(self.columns) > 1 else ''}"
        if not self.alone:
            return (
                f"no row is unique {where}, but {_format_share(self.below, self.rows)} are in "
                f"classes of fewer than {self.named:,}: anyone who knows these values of a person "
                "is left with that few rows"
            )
        told = f"{_format_share(self.alone, self.rows)} are unique {where}"
        if self.below > self.alone:
            told = f"{told}, and {self.below:,} are in classes of fewer than {self.named:,}"
        return f"{told}: anyone who knows these values of a person may find the row"

    def facts(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "columns": list(self.columns),
            "rows": self.rows,
            "rows_unique": self.alone,
            "share": self.alone / self.rows if self.rows else 0.0,
            "rows_below_k": self.below,
            "smallest_class": self.smallest,
            "promised": self.promised,
            "note": self.note,
        }


# Columns whose values are as good as a key.


@dataclass(frozen=True)
class IdentifyingColumn:
    """A released column that is not quasi, and in which many rows have a value of their own."""

    column: str
    role: str
    rows: int
    alone: int
    values: int
    diverse: bool = False
    """Whether l-diversity of the column is promised."""

    @property
    def note(self) -> str:
        """What follows, and what to do, in a sentence."""
        fixes = FIXES_OF_ID if is_id_name(self.column) else FIXES
        empty = (
            "; l_diversity of it says no more than the size of the classes, since hardly any two "
            "rows share a value"
            if self.diverse and self.alone >= NEARLY_ALL * self.rows
            else ""
        )
        return (
            f"{self.column} ({self.role}) identifies rows: "
            f"{_format_share(self.alone, self.rows)} have a unique value, and anyone "
            f"who knows it finds the row{empty}; {fixes}"
        )

    def facts(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {
            "column": self.column,
            "role": self.role,
            "rows": self.rows,
            "rows_unique": self.alone,
            "share": self.alone / self.rows,
            "distinct": self.values,
            "note": self.note,
        }


def find_identifying_columns(
    policy: Policy, table: Table, counts: Mapping[tuple[str, ...], ValueCounts] | None = None
) -> tuple[IdentifyingColumn, ...]:
    """Released columns, other than quasi columns, whose values distinguish many rows.

    ``table`` is as it is released but for its quasi columns; ``counts`` are those of its columns,
    where they are at hand. Pseudonyms and scrubbed texts are left out, and so are values that
    techniques made untrue: nobody knows those of a person.
    """
    names = list_columns_to_judge(policy, table)
    if counts is None:
        counts = count_values(table, [(name,) for name in names])
    found = []
    for name in names:
        rows, alone, values = counts[name,]
        if rows >= FEW_ROWS and alone >= ALONE * rows:
            role = policy.columns[name].role.value
            diverse = any(m.name == "l_diversity" and m.sensitive == name for m in policy.require)
            found.append(IdentifyingColumn(name, role, rows, alone, values, diverse))
    return tuple(found)


def list_columns_to_judge(policy: Policy, table: Table) -> list[str]:
    """Released columns whose values somebody may know of a person, and that no class hides."""
    untrue = {n for step in list_steps(policy) if not step.technique.truthful for n in step.columns}
    released = {*policy.released}
    return [
        name
        for name in table.columns
        if name in released
        and name in policy.columns
        and name not in untrue
        and policy.columns[name].role in (Role.sensitive, Role.other)
    ]


def count_columns(
    policy: Policy, private: Table, source: Table, counted: Counted
) -> tuple[Mapping[tuple[str, ...], ValueCounts], Mapping[tuple[str, ...], ValueCounts]]:
    """The values of what may be a person's key, and of released columns that may be as good as one.

    Sensitive columns of promises are counted already. The rest takes one pass, or two if columns
    were changed before they were counted.
    """
    keys = [key.columns for key in find_person_keys(policy, private.columns)]
    known: dict[tuple[str, ...], ValueCounts] = {
        (name,): _count_sensitive_values(counted, name) for name in counted.frequency.sensitive
    }
    judged = [(name,) for name in list_columns_to_judge(policy, source) if (name,) not in known]
    if source is private:
        both = {**known, **count_values(source, list(dict.fromkeys([*keys, *judged])))}
        return both, both
    return count_values(private, keys), {**known, **count_values(source, judged)}


def _count_sensitive_values(counted: Counted, name: str) -> ValueCounts:
    """The values of a sensitive column, from the pass over the rows that counted them."""
    entries, values = counted.frequency.sensitive[name], counted.frequency.values[name]
    rows = np.bincount(entries.value, weights=entries.count, minlength=len(values))
    rows = rows[[value is not None for value in values]]
    return ValueCounts(int(rows.sum()), int((rows == 1).sum()), int((rows > 0).sum()))


def _format_share(part: int, whole: int) -> str:
    """Rows with their share, such as ``642 of 3,000 rows (21.4 %)``."""
    share = 100 * part / whole if whole else 0.0
    return f"{part:,} of {whole:,} rows ({share:.3g} %)"


def _list_names(names: Sequence[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
