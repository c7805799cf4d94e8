"""Encrypted pseudonyms of a table turned back by who holds the key."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from discreet.display import dataclass, format_count, render_html_table
from discreet.errors import ArgumentError
from discreet.pseudonyms.key import DOMAIN, load_key
from discreet.pseudonyms.reversible import Reversible, restore_table
from discreet.table.read import open_table
from discreet.table.table import Table
from discreet.table.write import write


@dataclass(frozen=True, eq=False)
class Restored:
    """A table whose pseudonyms are identifiers again, which is private.

    ``distinct`` says how many different ones each column has.
    """

    table: Table
    distinct: dict[str, int]

    def __repr__(self) -> str:
        return f"Restored({format_count(len(self.distinct), 'column')})"

    def _repr_html_(self) -> str:
        return render_html_table(repr(self), ("column", "different"), self.distinct.items())

    def facts(self) -> dict[str, Any]:
        """The restored columns as plain data; ``discreet restore --json`` names the file in it."""
        return {"columns": dict(self.distinct), "out": None}

    def write(self, path: str | Path, *, replace: bool = False) -> None:
        """Write the identifiers so that only their owner can read them, whole or not at all."""
        write(
            self.table.scan(native=self.table.columns),
            path,
            dialect=self.table.dialect,
            order_key=None,
            check=lambda written: None,
            replace=replace,
            rights=0o600,
        )


def restore(
    table: Any, *, column: Sequence[str], key: str | Path, domain: str | None = None
) -> Restored:
    """Turn encrypted pseudonyms of a table back.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes, whose columns were replaced
        with ``encrypt``.
    column
        The columns of pseudonyms.
    key, domain
        The file of the key, and the domain if any, that they were made with.

    Refused if a value was not made with this key and domain. Pseudonyms that were not encrypted
    cannot be turned back.

    Notes
    -----
    *Cost*: two passes over the columns; the different values of each are held.
    """
    names = (column,) if isinstance(column, str) else tuple(dict.fromkeys(column))
    if not names:
        raise ArgumentError("column", "no column of pseudonyms is named", "Name one or more.")
    hide = Reversible(load_key(Path(key)), DOMAIN if domain is None else domain)
    return Restored(*restore_table(open_table(table, names), names, hide))
