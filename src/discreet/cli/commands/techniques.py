"""``discreet techniques``: what each technique is for, and what it costs on a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import options, output
from discreet.cli.failure import FlagError

Column = Annotated[
    list[str] | None,
    typer.Option("-c", "--column", metavar="COLUMN", help="Change this column; repeat for more."),
]
File = Annotated[Path | None, typer.Argument(metavar="[FILE]", readable=False, hidden=True)]


def techniques(
    file: File = None,
    column: Column = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    seed: options.Seed = None,
) -> None:
    """List the techniques, or compare their distortion on FILE.

    Without FILE: each technique, the model of protection it works towards, whether rows stay true,
    and what it keeps. With FILE, a table: each is tried with common settings on the columns that it
    fits, and they are ordered by how much they distort what can be counted. Nothing is written.
    Ends with 0.
    """
    import discreet
    from discreet.pipeline.compare_techniques import list_techniques

    if file is None:
        given = (column, separator, encoding, sheet, seed)
        if any(one is not None for one in given):
            what = "without a FILE there is nothing to try techniques on"
            raise FlagError("FILE", what, "Name a table, or leave the options out.")
        facts: dict[str, Any] = {
            "format": "discreet-techniques/1",
            "techniques": list_techniques(),
        }
    else:
        table = options.read_table(file, separator, encoding, sheet)
        progress = output.Progress(quiet or json)
        try:
            found = discreet.compare_techniques(
                table, column=column or (), seed=seed, progress=progress
            )
        finally:
            progress.end()
        facts = found.facts()
    if json and not quiet:
        output.print_json(facts)
    elif not quiet:
        _show(facts) if file is None else _show_order(facts, options.show_file(file))


def _show(facts: dict[str, Any]) -> None:
    heads = ("technique", "towards", "rows stay true", "keeps")
    told = {True: "yes", False: "no", None: "by list"}
    rows = [
        (one["technique"], one["protection"], told[one["truthful"]], one["keeps"])
        for one in facts["techniques"]
    ]
    output.print_table("Techniques", heads, rows)
    output.write(
        "Encryption of identifiers is not among them: see columns.NAME.replace of a policy."
    )
    output.write("Try them on a table of yours: discreet techniques FILE -c COLUMN.")
    output.write("No technique is a proof: what a release promises is counted on the release.")


def _show_order(facts: dict[str, Any], name: str) -> None:
    rows = [
        (
            one["technique"],
            _name_columns(one["columns"], facts["columns"]),
            ", ".join(
                f"{key} {output.format_fact(value)}" for key, value in one["parameters"].items()
            ),
            one["protection"],
            "yes" if one["truthful"] else "no",
            one["distortion"],
        )
        for one in facts["ordered"]
    ]
    title = f"{name}: from the least to the most distorting"
    heads = ("technique", "columns", "settings", "towards", "rows stay true", "distortion")
    output.print_table(title, heads, rows)
    unfit: dict[tuple[str, str], list[str]] = {}
    for one in facts["unfit"]:
        unfit.setdefault((one["column"] or "any", one["why"]), []).append(one["technique"])
    lines = [(column, ", ".join(names), why) for (column, why), names in unfit.items()]
    output.print_table("Not tried", ("column", "techniques", "because"), lines)
    if facts["rows_compared"] < facts["rows"]:
        output.write(f"Tried on {facts['rows_compared']:,} random rows of {facts['rows']:,}.")
    output.write("Distortion: 0 is every count as it was, 1 nothing in common. It says nothing of")
    output.write("protection: compare techniques that work towards the same, on the same columns.")


def _name_columns(columns: list[str] | None, chosen: list[str]) -> str:
    if columns is None:
        return "rows"
    return "all chosen" if len(columns) == len(chosen) > 3 else ", ".join(columns)
