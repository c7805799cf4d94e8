"""``discreet techniques``: what each technique is for, and what it costs on a table."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options, output
from discreet.errors import DiscreetError, FlagError, TechniqueColumnError

if TYPE_CHECKING:
    from discreet.table.table import Table
    from discreet.techniques.suggested import Ordered, Tried, Unfit
    from discreet.techniques.technique import Technique


ROWS = 200_000
"""Of more rows than this, so many are drawn for the comparison."""
WORK = 375_000_000
"""Cells that are copied in all: rounding is tried for each column, and copies all of them. More
than 43 columns get fewer rows for that, 250 columns 6,000."""
MOST_TRIED = 250
"""Columns that are tried at once: rounding is tried for each alone, and copies all of them."""
AS_A_WHOLE = ("microaggregate", "perturb")
"""These look at the columns together, so that leaving one out is of no use."""

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
    """See what techniques there are, or what each would cost on FILE.

    Without FILE: each technique, the model of protection it works towards, whether rows stay true,
    and what it keeps. With FILE (CSV, Parquet, Arrow, Excel or SQLite): each is tried with common
    settings on the columns that it fits, and they are ordered by how much they distort what can be
    counted. Nothing is written. Ends with 0.
    """
    if file is None:
        given = (column, separator, encoding, sheet, seed)
        if any(one is not None for one in given):
            what = "without a FILE there is nothing to try techniques on"
            raise FlagError("FILE", what, "Name a table, or leave the options out.")
        facts: dict[str, Any] = {"techniques": _known()}
    else:
        table = options.read_table(file, separator, encoding, sheet)
        facts = _tried(table, column or [], seed, output.Progress(quiet or json))
    if json and not quiet:
        output.print_json(facts)
    elif not quiet:
        _show(facts) if file is None else _show_order(facts, file.name)


def _known() -> list[dict[str, Any]]:
    from discreet.techniques import ALL

    return [
        {
            "technique": cls.name,
            "protection": cls.protection,
            "truthful": cls.truthful if isinstance(cls.truthful, bool) else None,
            "keeps": cls.keeps,
        }
        for cls in ALL
    ]


def _tried(
    table: Table, columns: list[str], seed: int | None, progress: output.Progress
) -> dict[str, Any]:
    from discreet.input_file import check_column_count
    from discreet.techniques.arrow_rows import rows_of, table_of
    from discreet.techniques.suggested import Tried, in_order, suggested
    from discreet.techniques.utility import MOST_PAIRS, count_pairs

    if seed is not None and seed < 0:
        raise FlagError(f"--seed {seed}", "a seed is 0 or more", "Give a whole number from 0.")
    seed = secrets.randbits(64) if seed is None else seed
    chosen = tuple(dict.fromkeys(columns)) or table.columns
    fix = "Name the columns to change with -c COLUMN."
    check_column_count(table.name, len(chosen), "tried at once", fix, MOST_TRIED)
    held = rows_of(table, chosen)
    rows = held.num_rows
    most = min(ROWS, max(1, WORK // len(chosen) ** 2))
    table = _fewer(table_of(table, held), rows, most, seed)
    begin = suggested(rows_of(table), chosen)
    if count_pairs(len(table.columns), len(chosen)) > MOST_PAIRS:
        table = table_of(table, rows_of(table).select(chosen))
    try_one = Tried(table, chosen)
    unfit, found = list(begin.unfit), []
    for number, technique in enumerate(begin.techniques):
        progress("trying techniques,", number / len(begin.techniques))
        found += _one(try_one, technique, seed, unfit)
    progress.end()
    return {
        "rows": rows,
        "rows_compared": min(rows, most),
        "columns": list(chosen),
        "ordered": [_told(one) for one in in_order(found)],
        "unfit": [{"technique": t, "column": c, "why": why} for t, c, why in unfit],
    }


def _fewer(table: Table, rows: int, most: int, seed: int) -> Table:
    from discreet.techniques.change_rows import SampleRows

    return table if rows <= most else SampleRows(most / rows)(table, seed)


def _one(try_one: Tried, technique: Any, seed: int, unfit: list[Unfit]) -> list[Ordered]:
    """Try a technique, without the columns that turn out not to fit it."""
    from discreet.techniques.suggested import reason, without

    left: Technique | None = technique
    while left is not None:
        try:
            return [try_one(left, seed)]
        except TechniqueColumnError as error:
            if technique.name in AS_A_WHOLE:
                unfit.append((technique.name, None, f"'{error.column}' {reason(error)}"))
                return []
            unfit.append((technique.name, error.column, reason(error)))
            left = without(left, error.column)
        except DiscreetError as error:
            unfit.append((technique.name, None, str(error).removeprefix(f"{technique.name}: ")))
            return []
    return []


def _told(one: Ordered) -> dict[str, Any]:
    """The facts with the settings that were tried: what is not usual, and every number."""
    from discreet.policy.parts import parameters

    technique: Any = one.technique
    usual = {name: value for name, value in vars(technique).items() if type(value) in (int, float)}
    settings = {**usual, **parameters(technique)}
    columns = settings.pop("columns", None)
    return {**one.facts(), "columns": columns, "parameters": settings}


def _show(facts: dict[str, Any]) -> None:
    heads = ("technique", "towards", "rows stay true", "keeps")
    told = {True: "yes", False: "no", None: "by list"}
    rows = [
        (one["technique"], one["protection"], told[one["truthful"]], one["keeps"])
        for one in facts["techniques"]
    ]
    output.table("Techniques", heads, rows)
    output.write(
        "Encryption of identifiers is not among them: see columns.NAME.replace of a policy."
    )
    output.write("Try them on a table of yours: discreet techniques FILE -c COLUMN.")
    output.write("No technique is a proof: what a release promises is counted on the release.")


def _show_order(facts: dict[str, Any], name: str) -> None:
    rows = [
        (
            one["technique"],
            _listed(one["columns"], facts["columns"]),
            ", ".join(f"{key} {output.shown(value)}" for key, value in one["parameters"].items()),
            one["protection"],
            "yes" if one["truthful"] else "no",
            one["distortion"],
        )
        for one in facts["ordered"]
    ]
    title = f"{name}: from the least to the most distorting"
    heads = ("technique", "columns", "settings", "towards", "rows stay true", "distortion")
    output.table(title, heads, rows)
    unfit: dict[tuple[str, str], list[str]] = {}
    for one in facts["unfit"]:
        unfit.setdefault((one["column"] or "any", one["why"]), []).append(one["technique"])
    lines = [(column, ", ".join(names), why) for (column, why), names in unfit.items()]
    output.table("Not tried", ("column", "techniques", "because"), lines)
    if facts["rows_compared"] < facts["rows"]:
        output.write(f"Tried on {facts['rows_compared']:,} random rows of {facts['rows']:,}.")
    output.write("Distortion: 0 is every count as it was, 1 nothing in common. It says nothing of")
    output.write("protection: compare techniques that work towards the same, on the same columns.")


def _listed(columns: list[str] | None, chosen: list[str]) -> str:
    if columns is None:
        return "rows"
    return "all chosen" if len(columns) == len(chosen) > 3 else ", ".join(columns)
