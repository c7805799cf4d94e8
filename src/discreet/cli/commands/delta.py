"""``discreet delta``: asks what misuse would cost, and says which delta-presence to promise."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import click
import typer

from discreet.cli import options, output
from discreet.cli.failure import FlagError

if TYPE_CHECKING:
    from discreet.risks.delta import ChosenDelta


QUESTIONS: dict[str, tuple[str, Any]] = {
    "rows": ("How many people are in the private table?", int),
    "population": ("How many people are in the public table?", int),
    "prior": ("What share of those have what must not be known (0.07 for 7 %)?", float),
    "cost": ("What may misuse cost at most, for each person?", float),
    "damage": ("What does it cost if somebody is known for certain to have it?", float),
}
"""What is asked where no option says it, in this order."""

Rows = Annotated[
    int | None, typer.Option("--rows", metavar="N", help="People in the private table.")
]
Population = Annotated[
    int | None, typer.Option("--population", metavar="N", help="People in the public table.")
]
Prior = Annotated[
    float | None,
    typer.Option("--prior", metavar="P", help="Share of the public who have what is to be hidden."),
]
Cost = Annotated[
    float | None, typer.Option("--cost", metavar="C", help="Cost of misuse that is acceptable.")
]
CostAbsent = Annotated[
    float | None,
    typer.Option(
        "--cost-absent",
        metavar="C",
        help="The same for knowing that somebody is not in the table; else --cost.",
    ),
]
Damage = Annotated[
    float | None,
    typer.Option("--damage", metavar="D", help="Cost if somebody is known for certain to have it."),
]


def delta(
    rows: Rows = None,
    population: Population = None,
    prior: Prior = None,
    cost: Cost = None,
    cost_absent: CostAbsent = None,
    damage: Damage = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Choose the range of delta_presence from what misuse would cost.

    Asks for what the options do not say. Cost and damage are in any unit, the same for both.
    Prints the line to put under 'require' in a policy. Ends with 0.
    """
    import discreet

    given = zip(QUESTIONS, (rows, population, prior, cost, damage), strict=True)
    found = discreet.delta(**_ask_missing(dict(given)), cost_absent=cost_absent)
    if json and not quiet:
        output.print_json(found.facts())
    elif not quiet:
        _show(found)


def _ask_missing(given: dict[str, Any]) -> dict[str, Any]:
    """What was given, and answers to the questions for the rest."""
    lacking = [name for name, value in given.items() if value is None]
    if lacking and not _is_on_terminal():
        flags = " ".join(f"--{name}" for name in lacking)
        raise FlagError(flags, "needed, since there is no terminal to ask on", "Give all of them.")
    answers = {
        name: click.prompt(text, type=kind, prompt_suffix=" ", err=True)
        for name, (text, kind) in QUESTIONS.items()
        if name in lacking
    }
    return {**given, **answers}


def _is_on_terminal() -> bool:
    return sys.stdin.isatty()


def _show(found: ChosenDelta) -> None:
    share = found.rows / found.population
    rows = [
        ("somebody not yet looked up", share, found.prior),
        ("the least likely", found.min, found.belief(found.min)),
        ("the most likely", found.max, found.belief(found.max)),
    ]
    heads = ("of the public", "chance to be in the table", "chance to have it")
    output.print_table("What an intruder may come to believe", heads, rows)
    output.write("Put this under 'require' in the policy, with the name of the public table:")
    output.write(f"  {found.line}")
