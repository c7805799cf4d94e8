"""The options of ``discreet risk``, and which of them go together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options
from discreet.errors import FlagError
from discreet.risks.class_sizes import MOST_PEOPLE

if TYPE_CHECKING:
    from discreet.frequency.frequency_list import FrequencyList


STANDING_OUT = "Rows that stand out"
GROUPS = "Groups of people"
FREQUENCIES = "A published table of frequencies"
ALPHA = "Test of quasi-identifiers"

Population = Annotated[
    int | None,
    typer.Option(
        "--population",
        metavar="N",
        min=1,
        max=MOST_PEOPLE,
        rich_help_panel=options.POPULATION,
        help="People of whom FILE is a random sample.",
    ),
]
RegisterFile = Annotated[
    Path | None,
    typer.Option(
        "--register",
        metavar="R",
        readable=False,
        rich_help_panel=options.POPULATION,
        help="A table of the whole population with the same quasi columns.",
    ),
]
Weight = Annotated[
    str | None,
    typer.Option(
        "--weight",
        metavar="COLUMN",
        rich_help_panel=options.POPULATION,
        help="Survey weights: people a row stands for.",
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
        help="Chance that everybody of K people differs.",
    ),
]
Simulate = Annotated[
    bool,
    typer.Option(
        "--simulate", rich_help_panel=GROUPS, help="Check that chance by drawing groups of people."
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


def check_together(given: Mapping[str, Any]) -> None:
    """Refuse options that do not go together; ``given`` has every option that was asked for."""
    asked = [flag for flag, value in given.items() if value not in (None, [], False)]
    _apart(
        asked,
        "--register",
        ("--population", "--weight"),
        "the register is the whole population, and says how many people there are",
    )
    _apart(
        asked,
        "--frequency",
        ("--population", "--register", "--weight", "--rows", "--alpha", "--max-size"),
        "a table of frequencies has no rows of people, and nothing is known but how many",
    )
    _needs(asked, "--alpha", "--population", "the test is about people in the population", "N")
    for flag in ("--map", "--set", "--domain"):
        _needs(asked, flag, "--alpha", "this is about what --alpha tests", "0.5")
    for flag in ("--with", "--width"):
        _needs(asked, flag, "--frequency", "this is about a table of frequencies", "COLUMN")


def _apart(asked: Iterable[str], flag: str, others: Sequence[str], what: str) -> None:
    if flag in asked:
        for other in others:
            if other in asked:
                raise FlagError(f"{flag}, {other}", what, f"Leave out {other} or {flag}.")


def _needs(asked: Iterable[str], flag: str, other: str, what: str, value: str) -> None:
    if flag in asked and other not in asked:
        raise FlagError(flag, what, f"Give {other} {value}.")


def sets_of(given: Sequence[str] | None, columns: Sequence[str]) -> list[tuple[str, ...]] | None:
    """The sets of columns that were named, or None; a name with a comma is put in quotes."""
    import csv

    if not given:
        return None
    found = [tuple(name.strip() for name in next(csv.reader([text]), [])) for text in given]
    for text, names in zip(given, found, strict=True):
        _known(f"--set {text}", names, columns)
    return found


def domains_of(given: Sequence[str] | None, columns: Sequence[str]) -> dict[str, int]:
    """How many values each column has in the population, where that was given."""
    found = {}
    for text in given or ():
        name, _, number = text.rpartition("=")
        if not name or not number.isdecimal() or int(number) < 1:
            what = "a column and its number of values, at least 1, are needed"
            raise FlagError(f"--domain {text}", what, "Say --domain age=100, for instance.")
        _known(f"--domain {text}", (name,), columns)
        found[name] = int(number)
    return found


def check_domains(given: Mapping[str, int], frequency: FrequencyList) -> None:
    """Refuse fewer values of a column than FILE itself has; its people are of the population."""
    for name, size in given.items():
        codes = frequency.codes[frequency.columns.index(name)]
        there = len(set(codes.tolist()))
        if size < there:
            what = f"FILE alone has {there:,} values of this column, so the population has too"
            raise FlagError(f"--domain {name}={size}", what, f"Give {there:,} or more.")


def _known(flag: str, names: Sequence[str], columns: Sequence[str]) -> None:
    unknown = [name for name in names if name not in columns]
    if unknown:
        what = f"'{unknown[0]}' is not among the quasi columns: {', '.join(columns)}"
        raise FlagError(flag, what, "Name it with -q, or mend its name.")
    if not names or len(set(names)) < len(names):
        raise FlagError(flag, "a set has at least one column, each once", "Say --set age,sex.")
