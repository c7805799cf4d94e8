"""People with several rows: the column that identifies them, and what a cap on their rows costs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from discreet.display import dataclass
from discreet.identification.judge import Evidence, Suspicion, format_percent, is_about_people
from discreet.identification.person_key import (
    ITEMS,
    KeyKind,
    find_key_kind,
    has_several_rows,
    is_of_others,
)
from discreet.table.row_counts import read_in_any_order
from discreet.table.row_sample import LONGEST, RowSample, read_arrow_numbers
from discreet.table.table import Role

if TYPE_CHECKING:
    from discreet.table.table import Table

DROPPED = 0.05
"""The largest share of rows that a proposed cap leaves out."""
CAPS = (1, 2, 3, 5, 10, 20, 50, 100)
"""Caps whose cost is reported next to the proposed one."""
SHOWN = 5
"""Most caps that are described in words."""


@dataclass(frozen=True)
class CapCost:
    """A cap on the rows of a person, and the share of rows that it leaves out."""

    cap: int
    rows_dropped: int
    share_dropped: float

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "cap": self.cap,
            "rows_dropped": self.rows_dropped,
            "share_dropped": self.share_dropped,
        }


@dataclass(frozen=True)
class PeopleProposal:
    """The column that identifies people, as a first policy would name it under ``people``.

    ``rows`` have a value there, belonging to ``people`` people (estimated unless ``exact``); the
    one with the most rows has ``most_rows``. ``unit`` is what the column counts: people, or cases
    of which a person may have several. ``cap`` is the proposed one; None keeps all rows.
    """

    column: str
    reason: str
    unit: str
    rows: int
    people: int
    most_rows: int
    exact: bool
    caps: tuple[CapCost, ...]
    cap: int | None

    @property
    def spec(self) -> dict[str, Any]:
        """What a policy says under ``people``."""
        if self.cap is None:
            return {"column": self.column}
        return {"column": self.column, "records": {"cap": self.cap}}

    def facts(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "column": self.column,
            "reason": self.reason,
            "unit": self.unit,
            "rows": self.rows,
            "people": self.people,
            "most_rows": self.most_rows,
            "exact": self.exact,
            "caps": [one.facts() for one in self.caps],
            "cap": self.cap,
            "spec": self.spec,
        }


def propose_people(
    table: Table, sample: RowSample, evidences: Sequence[Evidence], guessed: Sequence[Suspicion]
) -> PeopleProposal | None:
    """The likeliest column by which a person has several rows; None if everybody has one.

    Notes
    -----
    The share of rows that a cap leaves out is, over the rows, the mean of (m - cap) / m, where m is
    how many rows the person of a row has, so a sample of rows is enough to estimate it. *Cost*:
    nothing for a column whose values were counted; otherwise one more pass over that column, if a
    sample shows repeated values.
    """
    if not is_about_people(evidences, guessed):
        return None
    for place, kind in _list_keys(evidences, guessed):
        seen = evidences[place].profile
        if kind.decides and seen.exact and seen.distinct == seen.filled:
            return None  # one row each, whatever the less certain columns say
        if seen.exact:
            sizes, people = np.unique(np.array(seen.counts, dtype=np.int64), return_counts=True)
            rows = sizes * people
        elif seen.all_differ:
            continue
        else:
            each = _count_rows_each(table, seen.name, sample.column(place))
            sizes, rows = np.unique(each, return_counts=True)
        spread = _Spread(seen.filled, sizes, rows / max(1, rows.sum()), seen.exact)
        if has_several_rows(seen.filled, spread.people, kind.sure, kind.bare):
            return _make_proposal(seen.name, kind, spread)
    return None


@dataclass(frozen=True, eq=False)
class _Spread:
    """How many rows people have: the share of rows of people with each number of rows."""

    rows: int
    sizes: NDArray[np.int64]
    shares: NDArray[np.float64]
    exact: bool

    @property
    def people(self) -> int:
        return round(self.rows * float((self.shares / self.sizes).sum()))

    @property
    def most(self) -> int:
        return int(self.sizes.max(initial=1))

    def cost(self, cap: int) -> CapCost:
        beyond = np.maximum(self.sizes - cap, 0) / self.sizes
        share = float((self.shares * beyond).sum())
        return CapCost(cap, round(share * self.rows), share)


def _list_keys(
    evidences: Sequence[Evidence], guessed: Sequence[Suspicion]
) -> Iterator[tuple[int, KeyKind]]:
    """Columns that identify people, people before cases, the surest first."""
    keys = []
    for place, (evidence, found) in enumerate(zip(evidences, guessed, strict=True)):
        if found.role not in (Role.identifier, Role.other):
            continue
        kind = find_key_kind(evidence.profile.name)
        by_values = kind.kind is None and not is_of_others(evidence.profile.name)
        if by_values and found.item in ITEMS[:3]:
            kind = KeyKind(found.recognized, ITEMS.index(found.item))
        if kind.rank is not None and kind.unit != "households":
            keys.append((kind.unit != "people", kind.rank, place, kind))
    for _, _, place, kind in sorted(keys, key=lambda key: key[:3]):
        yield place, kind


def _count_rows_each(table: Table, name: str, sampled: Any) -> NDArray[np.int64]:
    """How many rows of the table the person of each sampled row has."""
    known = sampled.drop_null()
    people = known.unique()
    counts = np.zeros(len(people), dtype=np.int64)
    for batch in read_in_any_order(table, (name,)):
        column = pc.utf8_slice_codeunits(batch.column(0), 0, LONGEST)
        places = pc.index_in(column, value_set=people).drop_null().cast("int64")
        counts += np.bincount(read_arrow_numbers(places), minlength=len(people))
    places = pc.index_in(known, value_set=people).combine_chunks().cast("int64")
    return np.asarray(counts[read_arrow_numbers(places)])


def _make_proposal(name: str, kind: KeyKind, spread: _Spread) -> PeopleProposal:
    low, high = 1, spread.most
    while low < high:  # the smallest cap that leaves out few rows
        cap = (low + high) // 2
        few = spread.cost(cap).share_dropped <= DROPPED
        low, high = (low, cap) if few else (cap + 1, high)
    listed = sorted({cap for cap in (*CAPS, low) if cap < spread.most})
    return PeopleProposal(
        name,
        _write_reason(kind, spread),
        kind.unit,
        spread.rows,
        spread.people,
        spread.most,
        spread.exact,
        tuple(spread.cost(cap) for cap in listed),
        low if low < spread.most else None,
    )


def _write_reason(kind: KeyKind, spread: _Spread) -> str:
    about = "" if spread.exact else "about "
    mean = spread.rows / max(1, spread.people)
    return (
        f"its name says '{kind.kind}', and {spread.rows:,} rows are of {about}{spread.people:,} "
        f"{kind.unit}, {mean:.1f} each"
    )


def describe_people(found: PeopleProposal) -> str:
    """The proposal and what caps cost, in words."""
    one = {"people": "person", "cases": "case"}[found.unit]
    caps = ", ".join(
        f"{cost.cap:,} ({format_percent(cost.share_dropped)})" for cost in found.caps[:SHOWN]
    )
    said = [
        f"A {one} may have several rows: {found.column}, {found.reason}.",
        f"To count {found.unit} instead of rows, add people: {_write_spec(found.spec)} to the "
        "policy.",
        f"A cap leaves out rows: {caps}.",
    ]
    return " ".join(said if caps else said[:2])


_PLAIN = re.compile(r'"(?!(?:y|n|yes|no|on|off|true|false|null)")([A-Za-z_][A-Za-z0-9_-]*)"', re.I)
"""A quoted text that YAML reads the same without quotes."""


def _write_spec(spec: dict[str, Any]) -> str:
    """Plain data on one line, in the form of a policy.

    >>> _write_spec({"column": "a: b", "records": {"cap": 3}})
    '{column: "a: b", records: {cap: 3}}'
    """
    return _PLAIN.sub(r"\1", json.dumps(spec, ensure_ascii=False))
