"""One line of a ledger: a release, that one never left the house, or who is part of whom."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import yaml

from discreet.display import dataclass
from discreet.policy.policy_file import PolicyLoader
from discreet.table.table import Role

RAW = (Role.sensitive.value, Role.other.value)
"""The roles of columns that are released as they are."""


@dataclass(frozen=True)
class Entry:
    """A release as a ledger has it: how it was made and whom it went to, never a row or a value.

    ``columns`` holds the role of each column of the policy and, for quasi columns, the level, a
    hash of the hierarchy and, under ``becomes``, keyed fingerprints of what the values of the table
    become; the level is None where cells differ. Older entries lack ``becomes``, and so do those
    made cell by cell, which ``cells`` tells. ``classes`` counts the released rows by the keyed
    fingerprint of their class. ``part`` is what was asked for, rows and columns, where that was not
    the whole table; entries of the whole table, and older ones, are written without it. ``unit`` is
    ``people`` where these were counted: then rows are people, and fingerprints are of nothing.
    """

    number: int
    time: str
    table: str
    to: str
    version: str
    policy: str
    policy_hash: str
    columns: Mapping[str, Mapping[str, Any]]
    algorithm: str
    cells: bool
    rows: int
    rows_suppressed: int
    file: str
    file_hash: str
    classes: Mapping[str, int]
    part: Mapping[str, Any] | None = None
    unit: str | None = None

    @property
    def where(self) -> str | None:
        """The condition that its rows met, if a part of the table was released."""
        return None if self.part is None else self.part["where"]

    @property
    def promises(self) -> frozenset[str]:
        """The names of the models that its policy requires."""
        return frozenset(name for promise in self._require for name in promise)

    @property
    def sets(self) -> tuple[tuple[str, ...], ...]:
        """The sets of columns that promises are about which have columns of their own."""
        said = (one.get("columns") for promise in self._require for one in promise.values())
        return tuple(dict.fromkeys(tuple(columns) for columns in said if columns))

    @cached_property
    def _require(self) -> Sequence[Mapping[str, Any]]:
        found: Sequence[Mapping[str, Any]] = yaml.load(self.policy, Loader=PolicyLoader).get(
            "require", ()
        )
        return found

    @property
    def levels(self) -> dict[str, int]:
        """The level of each quasi column."""
        return {name: c["level"] for name, c in self.columns.items() if c["role"] == "quasi"}

    @property
    def raw(self) -> tuple[str, ...]:
        """The columns that were released as they are."""
        return tuple(name for name, c in self.columns.items() if c["role"] in RAW)

    def facts(self) -> dict[str, Any]:
        """The release as plain data, without fingerprints; its classes are counted."""
        found = asdict(self)
        for column in found["columns"].values():
            column.pop("becomes", None)
        sizes = list(found.pop("classes").values())
        if self.unit is None:
            del found["unit"]
        return {**found, "classes": len(sizes), "smallest_class": min(sizes, default=None)}


@dataclass(frozen=True)
class Withdrawal:
    """A release that was entered and then could not be put in its place."""

    number: int
    time: str
    withdraws: int


@dataclass(frozen=True)
class Membership:
    """Audiences that are part of another, and so hold whatever it gets; never taken back."""

    number: int
    time: str
    audience: str
    includes: tuple[str, ...]


Line = Entry | Withdrawal | Membership


def read_clock() -> str:
    """The time, as the ledger has it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def write_text(line: Line) -> str:
    """An entry as the text that is signed."""
    said = asdict(line)
    for later in ("part", "unit"):
        if said.get(later, said) is None:
            del said[later]
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def write_line(text: str, signature: str) -> str:
    """The line of the file: the text with its signature at the end."""
    return f'{text[:-1]},"mac":"{signature}"}}'


def parse_line(line: str) -> tuple[Line, str] | None:
    """The entry and its signature, or None if this is no line of a ledger."""
    try:
        body = json.loads(line)
        signature = body.pop("mac")
        found = _make_line(body)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return (found, signature) if write_line(write_text(found), str(signature)) == line else None


def _make_line(body: dict[str, Any]) -> Line:
    if "withdraws" in body:
        return Withdrawal(**body)
    if "includes" in body:
        return Membership(**{**body, "includes": tuple(body["includes"])})
    return Entry(**body)
