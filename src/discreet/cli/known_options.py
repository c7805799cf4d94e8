"""What is known besides a release: options that report, certify, verify, attack and risk share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options
from discreet.risks.class_sizes import MOST_PEOPLE

KNOWN = "What is known besides FILE"

Original = Annotated[
    Path | None,
    typer.Option(
        "--original",
        metavar="FILE",
        click_type=options.TABLE_PATH,
        rich_help_panel=KNOWN,
        help="The private table, to compare with.",
    ),
]
Register = Annotated[
    Path | None,
    typer.Option(
        "--register",
        metavar="R",
        click_type=options.TABLE_PATH,
        rich_help_panel=KNOWN,
        help="A register of people with the same quasi columns.",
    ),
]
Population = Annotated[
    int | None,
    typer.Option(
        "--population",
        metavar="N",
        min=1,
        max=MOST_PEOPLE,
        rich_help_panel=KNOWN,
        help="People of whom the table is a random sample.",
    ),
]
Ledger = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="L",
        readable=False,
        rich_help_panel=KNOWN,
        help="The ledger that has the release.",
    ),
]
Facts = Annotated[
    list[Path] | None,
    typer.Option(
        "--facts",
        metavar="FACTS",
        readable=False,
        rich_help_panel=KNOWN,
        help="What anonymize or attack printed with --json; repeat for both.",
    ),
]
