"""``discreet levels``: what each anonymity level costs, for the columns of a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options, output
from discreet.cli.failure import FlagError
from discreet.cli.target import check_picture
from discreet.errors import DiscreetError

if TYPE_CHECKING:
    from discreet.hierarchy.hierarchy import Builder


# What ``discreet levels`` is asked for: hierarchies and levels, as options write them.


def read_hierarchies(given: list[str], columns: list[str]) -> dict[str, Builder]:
    """The hierarchies of the options, each with the column it is for."""
    import yaml

    from discreet.hierarchy.spec import make_builder
    from discreet.policy.policy_file import PolicyLoader

    found = {}
    for text in given:
        name = next((column for column in columns if text.startswith(f"{column}=")), None)
        flag = f"--hierarchy '{text}'"
        if name is None:
            what = "it must begin with one of the -q columns and ="
            raise FlagError(flag, what, f"Such as '{columns[0]}={{dates: [month, year]}}'.")
        spec = text.removeprefix(f"{name}=") or "{}"
        try:
            found[name] = make_builder(yaml.load(spec, PolicyLoader))
        except DiscreetError as error:
            raise FlagError(flag, str(error).rstrip("."), "") from None
        except (yaml.YAMLError, RecursionError, ValueError):
            raise FlagError(flag, "it is not a mapping", "Write it as in a policy.") from None
    return found


def read_levels(text: str | None) -> tuple[float, ...]:
    """The levels of the option, or those of the printed figure."""
    from discreet.pipeline.levels import LEVELS

    found = []
    for part in () if text is None else text.split(","):
        try:
            level = float(part)
        except ValueError:
            level = math.nan
        if not 0 <= level <= 1:
            fix = "Give numbers from 0 to 1, such as --at 0.3,0.7."
            raise FlagError(f"--at {text}", f"'{part.strip()}' is not an anonymity level", fix)
        found.append(level)
    return LEVELS if text is None else tuple(found)


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
        help="Largest share of rows to suppress; 0.08 is the most in the printed figure.",
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
    force: options.Force = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Show what each anonymity level costs.

    For each -q column of FILE and each level: k, the finest width of the column that has k rows of
    almost every value, and the share of rows that would still be left out. Widths are those of the
    policy's hierarchies; without one, months of dates and intervals of numbers. No value of FILE
    is shown.
    """
    import discreet
    from discreet.pipeline.levels import choose_columns

    if picture is not None:
        from discreet.reporting.pictures import ENDINGS, require_plots

        check_picture(picture, (file, policy), ENDINGS, force)
        require_plots(picture)
    given = None if policy is None else discreet.Policy.load(policy)
    columns = choose_columns(given, quasi or (), with_ or (), together)
    builders = read_hierarchies(hierarchy or [], columns)
    found = discreet.levels(
        options.read_table(file, separator, encoding, sheet),
        given,
        quasi=columns,
        with_=with_ or (),
        together=together,
        at=read_levels(at),
        most_dropped=most_dropped,
        hierarchy=builders,
    )
    facts = {**found.facts(), "file": options.show_file(file)}
    if picture is not None:
        from discreet.reporting.pictures import draw_levels

        draw_levels(facts, picture, force)
    if json and not quiet:
        output.print_json(facts)
    elif not quiet:
        for one in found.tables:
            _show(one, options.show_file(file))
        if picture is not None:
            output.write(f"Drawn to {picture}.")


def _show(facts: Mapping[str, Any], name: str) -> None:
    columns = facts["columns"]
    beside = f", with {', '.join(facts['with'])} as found" if facts["with"] else ""
    rows = [_render_level(one, columns) for one in facts["levels"]]
    title = f"{name}: {', '.join(columns)}{beside}, {facts['rows']:,} rows"
    output.print_table(title, ("anonymity", "k", *columns, "dropped", "average k"), rows)
    if facts["widths"] is not None:
        keys = ("name", "classes", "average_class_size", "smallest_class")
        every = [tuple(one[key] for key in keys) for one in facts["widths"]]
        output.print_table(
            "What each width leaves", ("width", "classes", "average k", "smallest"), every
        )
    share = f"{100 * facts['most_dropped']:g} %"
    finest, best = "finest width that leaves", "release that loses least of all that leave"
    what = best if facts["widths"] is None else finest
    output.write(f"For each level: the {what} out at most {share} of the rows (--most-dropped).")
    for line in (output.explain_missing_rule(None), *(f"Note: {note}." for note in facts["notes"])):
        output.write(line)


def _render_level(one: Mapping[str, Any], columns: list[str]) -> tuple[Any, ...]:
    share = f"{100 * one['share_dropped']:.1f} %"
    wide = [(one["width"] or {}).get(name, {}).get("name", "none is enough") for name in columns]
    return (f"{one['level']:g}", one["k"], *wide, share, one["average_class_size"])
