"""Identifiers that a released file has as they are, where its policy has pseudonyms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from discreet.models.verdict import Verdict
from discreet.pseudonyms.replaced import ReplacedSource
from discreet.table.formulas import QuotedSource
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.release.policy import Policy


def true_identifiers(table: Table, policy: Policy, private: Table | None) -> Iterator[Verdict]:
    """A verdict against each column of pseudonyms with values that the private table has there.

    A private table whose identifiers are replaced already, as a release has it, or that techniques
    have changed is not looked at.

    Notes
    -----
    *Cost*: one pass over such columns of both tables; the different values of one are held.
    """
    if private is None or policy.techniques:
        return
    if any(column.technique for column in policy.columns.values()):
        return
    if _is_replaced(private):
        return
    for name, column in policy.columns.items():
        if column.replace is None or name not in table.columns or name not in private.columns:
            continue
        if held := _held(table, private, name):
            note = f"{name} has values of the private table where pseudonyms should be"
            yield Verdict("released_columns", False, 1, 0, held, (name,), note)


def _is_replaced(private: Table) -> bool:
    """Whether the identifiers are pseudonyms already, under quoted formulas too."""
    while isinstance(private.source, QuotedSource):
        private = private.source.table
    return isinstance(private.source, ReplacedSource)


def _held(table: Table, private: Table, column: str) -> int:
    """How many rows of a file have a value that a column of the private table has."""
    parts = [batch.column(0).unique() for batch in private.scan(text=[column])]
    values = pa.chunked_array(parts, pa.string()).unique().drop_null()
    found = [pc.is_in(batch.column(0), value_set=values) for batch in table.scan(text=[column])]
    return sum(one.true_count for one in found)
