"""The options of ``discreet anonymize`` that ask for a part of the table."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discreet.errors import FlagError

if TYPE_CHECKING:
    from discreet.release.part import Part

WhereText = Annotated[
    str | None,
    typer.Option(
        "--where", metavar="CONDITION", help="Only the rows that meet it: age >= 40 AND sex = 'f'."
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option("--columns", metavar="NAMES", help="Only these columns: age,zip; or repeat."),
]


def part_asked(
    where: str | None,
    columns: list[str] | None,
    out: Path | None,
    ledger: Path | None,
    interactive: bool,
) -> Part | None:
    """The part that was asked for, or None for the whole table."""
    if where is None and not columns:
        return None
    flag = "--columns" if where is None else "--where"
    if interactive:
        what = "the dialogue is about the whole table"
        raise FlagError("--interactive", what, f"Leave out it or {flag}.")
    if out is not None and ledger is None:
        what = (
            "a part is written only beside a ledger: of two parts that differ by one row, that row "
            "is what the one has and the other has not"
        )
        raise FlagError(flag, what, "Give --ledger L --to NAME too, or leave out -o to try it.")
    from discreet.release.part import Part

    return Part(where, tuple(name for text in columns or () for name in _names(text)))


def _names(text: str) -> list[str]:
    """Names between commas; one that has a comma itself stands in double quotes."""
    try:
        lines = list(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error:
        lines = []
    names = [name.strip() for line in lines for name in line]
    if not names or not all(names):
        what = "names of columns with commas between them are expected"
        raise FlagError("--columns", what, "Write --columns age,zip.")
    return names
