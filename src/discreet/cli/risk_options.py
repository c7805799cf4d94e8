"""The options of ``discreet risk``, and which of them go together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options
from discreet.cli.failure import FlagError

STANDING_OUT = "Risk of single rows"
GROUPS = "Groups of people"
FREQUENCIES = "A published table of frequencies"
ALPHA = "Test of quasi-identifiers"

Weight = Annotated[
    str | None,
    typer.Option(
        "--weight",
        metavar="COLUMN",
        rich_help_panel=options.POPULATION,
        help="Column of survey weights: people that a row represents.",
    ),
]
Threshold = Annotated[
    float, typer.Option("--threshold", metavar="P", help="A row with a higher risk is at risk.")
]
MaxSize = Annotated[
    int | None,
    typer.Option(
        "--max-size",
        metavar="M",
        rich_help_panel=STANDING_OUT,
        help="Most columns of a special unique; 0: none.",
    ),
]
Rows = Annotated[
    Path | None,
    typer.Option(
        "--rows",
        metavar="OUT",
        readable=False,
        rich_help_panel=STANDING_OUT,
        help="Write the risk of each row, by its number, to a CSV file; no values.",
    ),
]
Level = Annotated[
    float,
    typer.Option(
        "--level",
        metavar="P",
        rich_help_panel=GROUPS,
        help="Group size at which uniqueness is below P.",
    ),
]
Group = Annotated[
    int | None,
    typer.Option(
        "--group",
        metavar="K",
        rich_help_panel=GROUPS,
        help="Probability that all of K people differ.",
    ),
]
Simulate = Annotated[
    bool,
    typer.Option(
        "--simulate",
        rich_help_panel=GROUPS,
        help="Check that probability by drawing groups of people.",
    ),
]
Picture = Annotated[
    Path | None,
    typer.Option(
        "--picture",
        metavar="P",
        readable=False,
        rich_help_panel=GROUPS,
        help="Draw uniqueness against group size: .svg, .png or .pdf.",
    ),
]
Frequency = Annotated[
    str | None,
    typer.Option(
        "--frequency",
        metavar="COLUMN",
        rich_help_panel=FREQUENCIES,
        help="FILE is a published table of frequencies: people that have the values of a row.",
    ),
]
With = Annotated[
    list[Path] | None,
    typer.Option(
        "--with",
        metavar="TABLE",
        readable=False,
        rich_help_panel=FREQUENCIES,
        help="With --frequency: one more table, of other columns of the same people; repeat.",
    ),
]
Width = Annotated[
    int | None,
    typer.Option(
        "--width",
        metavar="W",
        rich_help_panel=FREQUENCIES,
        help="With --frequency: publish W neighbouring values as one.",
    ),
]
Alpha = Annotated[
    float | None,
    typer.Option(
        "--alpha",
        metavar="A",
        rich_help_panel=ALPHA,
        help="Test sets of columns for being A-quasi-identifiers of the population.",
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="A,B",
        rich_help_panel=ALPHA,
        help="With --alpha: a set of quasi columns to test; repeat.",
    ),
]
Domain = Annotated[
    list[str] | None,
    typer.Option(
        "--domain",
        metavar="COLUMN=N",
        rich_help_panel=ALPHA,
        help="With --alpha: values that a column has in the population; repeat.",
    ),
]
Map = Annotated[
    Path | None,
    typer.Option(
        "--map",
        metavar="P",
        readable=False,
        rich_help_panel=ALPHA,
        help="With --alpha: draw the sets on the map of uniques: .svg, .png or .pdf.",
    ),
]


def read_sets(given: Sequence[str] | None) -> list[tuple[str, ...]]:
    """The sets of columns that were named; a name with a comma is put in quotes."""
    import csv

    return [tuple(name.strip() for name in next(csv.reader([text]), [])) for text in given or ()]


def read_domains(given: Sequence[str] | None) -> dict[str, int]:
    """How many values each column has in the population, where that was given."""
    found = {}
    for text in given or ():
        name, _, number = text.rpartition("=")
        if not name or not number.isdecimal() or int(number) < 1:
            what = "a column and its number of values, at least 1, are needed"
            raise FlagError(f"--domain {text}", what, "Say --domain age=100, for instance.")
        found[name] = int(number)
    return found
