"""The options of ``discreet anonymize`` that ask for a part of the table."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli.failure import FlagError

if TYPE_CHECKING:
    from discreet.pipeline.anonymize import Release
    from discreet.pipeline.part import Part
    from discreet.policy.profiles import Recipient


PART = "Part of the table"
LEDGER = "Ledger of releases"

WhereText = Annotated[
    str | None,
    typer.Option(
        "--where",
        metavar="CONDITION",
        rich_help_panel=PART,
        help="Only the rows that meet it: age >= 40 AND sex = 'f'.",
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="NAMES",
        rich_help_panel=PART,
        help="Only these columns: age,zip; or repeat.",
    ),
]


def parse_part(
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
        what = "it works only on the whole table"
        raise FlagError("--interactive", what, f"Leave out --interactive or {flag}.")
    if out is not None and ledger is None:
        what = (
            "a part can be written only with a ledger: without one, two parts that differ by one "
            "row would reveal that row"
        )
        raise FlagError(flag, what, "Give --ledger L --to NAME too, or leave out -o to try it.")
    from discreet.pipeline.part import Part

    return Part(where, tuple(name for text in columns or () for name in _split_names(text)))


def _split_names(text: str) -> list[str]:
    """Names between commas; a name that contains a comma is in double quotes."""
    try:
        lines = list(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error:
        lines = []
    names = [name.strip() for line in lines for name in line]
    if not names or not all(names):
        what = "names of columns with commas between them are expected"
        raise FlagError("--columns", what, "Write --columns age,zip.")
    return names


# The options of ``discreet anonymize`` that add a release to those in a ledger.


LedgerFile = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="L",
        readable=False,
        rich_help_panel=LEDGER,
        help="The ledger of releases; created if it does not exist.",
    ),
]
To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="NAME",
        rich_help_panel=LEDGER,
        help="With --ledger: the recipient; public means everybody.",
    ),
]
TableName = Annotated[
    str | None,
    typer.Option(
        "--table",
        metavar="NAME",
        rich_help_panel=LEDGER,
        help="With --ledger: which table, if it has several; else the same as --sheet.",
    ),
]
Removed = Annotated[
    bool,
    typer.Option(
        "--rows-removed",
        rich_help_panel=LEDGER,
        help="With --ledger: declare that rows were removed since earlier releases and none was "
        "changed.",
    ),
]


@contextmanager
def hold_ledger(
    ledger: Path | None, to: str | None, name: str | None, removed: bool, recipient: Recipient
) -> Iterator[Callable[..., Release]]:
    """How to make a release: by itself, or with those in a ledger, which is locked meanwhile."""
    if ledger is None:
        flags = (("--to", to), ("--table", name), ("--rows-removed", removed or None))
        for flag, value in flags:
            if value is not None:
                raise FlagError(flag, "it needs --ledger", "Give --ledger L too.")
        from discreet.pipeline.anonymize import anonymize

        yield anonymize
        return
    from discreet.ledger.anonymize_again import THE_TABLE, anonymize_again
    from discreet.ledger.audience import choose_audience
    from discreet.ledger.ledger import Ledger

    to = choose_audience(recipient, to)
    with Ledger.open(ledger) as held:
        yield partial(anonymize_again, ledger=held, to=to, name=name or THE_TABLE, removed=removed)


def list_ledger_files(ledger: Path | None) -> tuple[Path, ...]:
    """The files that a ledger consists of."""
    if ledger is None or not ledger.name:  # a folder such as "." has no name
        return ()
    return ledger, ledger.with_name(f"{ledger.name}.key")


def describe_ledger_place(place: dict[str, Any] | None) -> list[str]:
    """The place of a release in its ledger, for people."""
    if place is None:
        return []
    lines = []
    if not place["known"]:
        lines.append(f"No earlier release of this table is known to {place['to']}.")
    if place["number"] is not None:
        lines.append(f"Entered in {place['file']} as release {place['number']} to {place['to']}.")
    return lines
