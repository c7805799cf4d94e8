"""Uniqueness from published tables of frequencies, where nobody's row is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from discreet.errors import (
    ArgumentError,
    EmptyTableError,
    UnknownColumnError,
    argument,
)
from discreet.frequency.count import count
from discreet.risks.value_frequencies import Aggregated, ValueFrequencies
from discreet.table.table import Table


def _count_frequencies(table: Table, columns: Sequence[str], frequency: str) -> ValueFrequencies:
    """How many people have each combination, in the order of the file."""

    counted = count(table, columns, weight=frequency).frequency
    if not len(counted):
        raise EmptyTableError(table.name, "it has no rows")
    order = np.argsort(counted.codes[0], kind="stable")
    return ValueFrequencies.of(counted.tallies["weight"][order])


def _find_columns(table: Table, quasi: Sequence[str], frequency: str) -> tuple[str, ...]:
    """The columns that were named, or all but that of the frequencies."""
    if frequency not in table.columns:
        raise UnknownColumnError(table.name, frequency, table.columns)
    found = tuple(quasi) or tuple(name for name in table.columns if name != frequency)
    if frequency in found or not found:
        what = "this column counts people, and at least one other has their values"
        fix = f"Name the columns of values with {argument('quasi')}."
        raise ArgumentError("frequency", what, fix, f"{frequency}")
    return found


def read_published(
    tables: Sequence[Table], quasi: Sequence[str], frequency: str, width: int | None
) -> tuple[ValueFrequencies, dict[str, Any]]:
    """The frequencies that uniqueness follows from, and what else is known of them."""
    names = [_find_columns(tables[0], quasi, frequency)]
    names += [_find_columns(table, (), frequency) for table in tables[1:]]
    every = [name for some in names for name in some]
    if len(set(every)) < len(every):
        what = "two of the tables have a column in common, so they do not go together apart"
        fix = f"Leave out one of them, or name other columns with {argument('quasi')}."
        raise ArgumentError("with_", what, fix)
    margins = [
        _count_frequencies(table, some, frequency)
        for table, some in zip(tables, names, strict=True)
    ]
    facts: dict[str, Any] = {"columns": every, "people": margins[0].total}
    facts["aggregated"] = None if len(margins) == 1 else _describe_margins(margins)
    facts["grouped"] = None
    if width is None:
        return _join_margins(margins), facts
    if len(every) > 1 or width < 2:
        what = "neighbouring values are those of one column, two or more at a time"
        fix = f"Name one column with {argument('quasi')}, and {argument('width', '5')}."
        raise ArgumentError("width", what, fix, f"{width}")
    facts["grouped"] = _describe_groups(margins[0], width)
    return margins[0].group_values(width), facts


def _join_margins(margins: Sequence[ValueFrequencies]) -> ValueFrequencies:

    return margins[0] if len(margins) == 1 else Aggregated(tuple(margins)).joint()


def _describe_margins(margins: Sequence[ValueFrequencies]) -> dict[str, Any]:

    known = Aggregated(tuple(margins))
    return {
        "values": known.values,
        "kappa_independent": known.kappa,
        "kappa_most": known.kappa_most,
        "totals": [margin.total for margin in margins],
    }


def _describe_groups(single: ValueFrequencies, width: int) -> dict[str, Any]:
    return {
        "width": width,
        "values": single.values,
        "kappa": single.kappa,
        "kappa_from_groups": single.spread(width).kappa,
    }
