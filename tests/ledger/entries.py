"""An entry of a ledger, made up."""

from __future__ import annotations

from discreet.ledger.entry import Entry


def entry(number: int, to: str = "public", table: str = "table") -> Entry:
    quasi = {"role": "quasi", "level": 1, "hierarchy": "h"}
    return Entry(
        number, "2026-11-16T00:00:00Z", table, to, "0.1", "columns: {}", "p", {"age": quasi},
        "optimal", False, 10, 0, "out.csv", "f", {"aa": 4, "bb": 6},
    )  # fmt: skip
