"""``discreet levels``: what each anonymity level takes, for the columns of a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import levels_asked, options, output
from discreet.cli.target import check_picture
from discreet.errors import FlagError

With = Annotated[
    list[str] | None,
    typer.Option(
        "--with", metavar="COLUMN", help="Known too, and released as it is, such as sex; repeat."
    ),
]
Together = Annotated[
    bool, typer.Option("--together", help="Take all -q columns as one quasi-identifier.")
]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="A,A,...", help="The levels to show. Default: 0.1 to 0.9."),
]
MostDropped = Annotated[
    float,
    typer.Option(
        "--most-dropped",
        metavar="SHARE",
        help="Largest share of rows to leave out; 0.08 is the most in the printed figure.",
    ),
]
Hierarchy = Annotated[
    list[str] | None,
    typer.Option(
        "--hierarchy",
        metavar="COLUMN=H",
        help="As a policy has it, such as 'birth={dates: [month, year]}'; repeat.",
    ),
]
Picture = Annotated[
    Path | None,
    typer.Option(
        "--picture",
        metavar="PICTURE",
        readable=False,
        help="Draw what each level leaves out: .svg, .png or .pdf.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace PICTURE if it exists.")]


def levels(
    file: options.File,
    policy: options.PolicyFile = None,
    quasi: options.Quasi = None,
    with_: With = None,
    together: Together = False,
    at: At = None,
    most_dropped: MostDropped = 0.08,
    hierarchy: Hierarchy = None,
    picture: Picture = None,
    force: Force = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """See what each anonymity level takes.

    For each -q column of FILE and each level: k, the finest width of the column that has k rows of
    almost every value, and the share of rows that would still be left out. Widths are those of the
    policy's hierarchies; without one, months of dates and intervals of numbers. No value of FILE
    is shown.
    """
    from discreet.release.policy import Policy

    if picture is not None:
        from discreet.report.picture import ENDINGS, require_plots

        check_picture(picture, (file, policy), ENDINGS, force)
        require_plots()
    given = None if policy is None else Policy.load(policy)
    if given is not None and given.people is not None:
        what = "rows are counted here, and the policy is about people with many rows"
        raise FlagError("--policy", what, "Give -q instead, for a table of one row a person.")
    columns = levels_asked.columns(given, quasi or [], with_ or [], together)
    builders = levels_asked.builders(given, hierarchy or [], columns)
    table = options.read_table(file, separator, encoding, sheet)
    table = levels_asked.as_counted(table, given)
    asked = levels_asked.asked(given, at, most_dropped)
    if together:
        tables = [asked.together(table, columns, builders)]
    else:
        known = tuple(dict.fromkeys(with_ or ()))
        tables = [asked.column(table, name, builders.get(name), known) for name in columns]
    facts = {"file": file.name, "tables": tables}
    if picture is not None:
        from discreet.report.levels_picture import draw

        draw(facts, picture, force)
    if json and not quiet:
        output.print_json(facts)
    elif not quiet:
        for one in tables:
            _show(one, file.name)
        if picture is not None:
            output.write(f"Drawn to {picture}.")


def _show(facts: Mapping[str, Any], name: str) -> None:
    columns = facts["columns"]
    beside = f", with {', '.join(facts['with'])} as found" if facts["with"] else ""
    rows = [_line(one, columns) for one in facts["levels"]]
    title = f"{name}: {', '.join(columns)}{beside}, {facts['rows']:,} rows"
    output.table(title, ("anonymity", "k", *columns, "dropped", "average k"), rows)
    if facts["widths"] is not None:
        keys = ("name", "classes", "average_class_size", "smallest_class")
        every = [tuple(one[key] for key in keys) for one in facts["widths"]]
        output.table("What each width leaves", ("width", "classes", "average k", "smallest"), every)
    share = f"{100 * facts['most_dropped']:g} %"
    finest, best = "finest width that leaves", "release that loses least of all that leave"
    what = best if facts["widths"] is None else finest
    output.write(f"For each level: the {what} out at most {share} of the rows (--most-dropped).")
    for line in (output.missing_rule(None), *(f"Note: {note}." for note in facts["notes"])):
        output.write(line)


def _line(one: Mapping[str, Any], columns: list[str]) -> tuple[Any, ...]:
    share = f"{100 * one['share_dropped']:.1f} %"
    wide = [(one["width"] or {}).get(name, {}).get("name", "none is enough") for name in columns]
    return (f"{one['level']:g}", one["k"], *wide, share, one["average_class_size"])
