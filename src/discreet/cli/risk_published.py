"""Uniqueness from published tables of frequencies, where nobody's row is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from discreet.errors import FlagError

if TYPE_CHECKING:
    from discreet.risk.value_frequencies import ValueFrequencies
    from discreet.table.table import Table


def frequencies_of(table: Table, columns: Sequence[str], frequency: str) -> ValueFrequencies:
    """How many people have each combination, in the order of the file."""
    from discreet.errors import EmptyTableError
    from discreet.frequency.count import count
    from discreet.risk.value_frequencies import ValueFrequencies

    counted = count(table, columns, weight=frequency).frequency
    if not len(counted):
        raise EmptyTableError(table.name, "it has no rows")
    order = np.argsort(counted.codes[0], kind="stable")
    return ValueFrequencies.of(counted.tallies["weight"][order])


def columns_of(table: Table, quasi: Sequence[str], frequency: str) -> tuple[str, ...]:
    """The columns that were named, or all but that of the frequencies."""
    if frequency not in table.columns:
        from discreet.errors import UnknownColumnError

        raise UnknownColumnError(table.name, frequency, table.columns)
    found = tuple(quasi) or tuple(name for name in table.columns if name != frequency)
    if frequency in found or not found:
        what = "this column counts people, and at least one other has their values"
        raise FlagError(f"--frequency {frequency}", what, "Name the columns of values with -q.")
    return found


def published(
    tables: Sequence[Table], quasi: Sequence[str], frequency: str, width: int | None
) -> tuple[ValueFrequencies, dict[str, Any]]:
    """The frequencies that uniqueness follows from, and what else is known of them."""
    names = [columns_of(tables[0], quasi, frequency)]
    names += [columns_of(table, (), frequency) for table in tables[1:]]
    every = [name for some in names for name in some]
    if len(set(every)) < len(every):
        what = "two of the tables have a column in common, so they do not go together apart"
        raise FlagError("--with", what, "Leave out one of them, or name other columns with -q.")
    margins = [
        frequencies_of(table, some, frequency) for table, some in zip(tables, names, strict=True)
    ]
    facts: dict[str, Any] = {"columns": every, "people": margins[0].total}
    facts["aggregated"] = None if len(margins) == 1 else _aggregated(margins)
    facts["grouped"] = None
    if width is None:
        return _joint(margins), facts
    if len(every) > 1 or width < 2:
        what = "neighbouring values are those of one column, two or more at a time"
        raise FlagError(f"--width {width}", what, "Name one column with -q, and --width 5.")
    facts["grouped"] = _grouped(margins[0], width)
    return margins[0].grouped(width), facts


def _joint(margins: Sequence[ValueFrequencies]) -> ValueFrequencies:
    from discreet.risk.value_frequencies import Aggregated

    return margins[0] if len(margins) == 1 else Aggregated(tuple(margins)).joint()


def _aggregated(margins: Sequence[ValueFrequencies]) -> dict[str, Any]:
    from discreet.risk.value_frequencies import Aggregated

    known = Aggregated(tuple(margins))
    return {
        "values": known.values,
        "kappa_independent": known.kappa,
        "kappa_most": known.kappa_most,
        "totals": [margin.total for margin in margins],
    }


def _grouped(single: ValueFrequencies, width: int) -> dict[str, Any]:
    return {
        "width": width,
        "values": single.values,
        "kappa": single.kappa,
        "kappa_from_groups": single.spread(width).kappa,
    }
