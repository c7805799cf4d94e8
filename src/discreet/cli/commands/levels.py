"""``discreet levels``: what each anonymity level takes, for the columns of a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options, output
from discreet.cli.target import check_picture
from discreet.errors import DiscreetError, FlagError

if TYPE_CHECKING:
    from discreet.hierarchy.hierarchy import Builder
    from discreet.pipeline.levels import LevelsOf
    from discreet.policy.policy import Policy
    from discreet.table.table import Table


# What ``discreet levels`` is asked for: columns, their hierarchies, levels and a limit.


def choose_columns(
    policy: Policy | None, quasi: list[str], known: list[str], together: bool
) -> list[str]:
    """The columns to make coarser, each once: those named, else the policy's."""
    found = list(dict.fromkeys(quasi or (policy.quasi if policy else ())))
    if not found:
        raise FlagError("-q", "no column is named", "Give -q COLUMN, or --policy FILE.")
    if together and known:
        what = "all columns of a quasi-identifier are made coarser"
        raise FlagError("--together, --with", what, "Name them all with -q.")
    both = [name for name in known if name in found]
    if both:
        what = f"'{both[0]}' is named as a column to make coarser and as one that is not"
        raise FlagError("-q, --with", what, "Name it once.")
    return found


def choose_builders(
    policy: Policy | None, given: list[str], columns: list[str]
) -> dict[str, Builder]:
    """The hierarchies of the policy, and those of the options, which win."""
    import yaml

    from discreet.hierarchy.spec import from_spec
    from discreet.policy.auto import Auto
    from discreet.policy.policy_file import PolicyLoader

    there = {} if policy is None else policy.columns
    own = {name: there[name].hierarchy for name in columns if name in there}
    found = {name: one for name, one in own.items() if one and not isinstance(one, Auto)}
    for text in given:
        name = next((column for column in columns if text.startswith(f"{column}=")), None)
        flag = f"--hierarchy '{text}'"
        if name is None:
            what = "it must begin with one of the -q columns and ="
            raise FlagError(flag, what, f"Such as '{columns[0]}={{dates: [month, year]}}'.")
        spec = text.removeprefix(f"{name}=") or "{}"
        try:
            found[name] = from_spec(yaml.load(spec, PolicyLoader))
        except DiscreetError as error:
            raise FlagError(flag, str(error).rstrip("."), "") from None
        except (yaml.YAMLError, RecursionError, ValueError):
            raise FlagError(flag, "it is no mapping", "Write it as in a policy.") from None
    return found


def prepare_counted(table: Table, policy: Policy | None) -> Table:
    """The table after the techniques of the policy: a release is counted on that."""
    if policy is None:
        return table
    from discreet.pipeline.prepare import with_techniques
    from discreet.policy.techniques import steps

    return with_techniques(table, policy) if steps(policy) else table


def read_levels(policy: Policy | None, at: str | None, most_dropped: float) -> LevelsOf:
    """The levels and the limit, with the map of the policy."""
    from discreet.pipeline.levels import LEVELS, LevelsOf

    if not 0 <= most_dropped < 1:
        fix = "Give a number from 0 and below 1."
        raise FlagError(f"--most-dropped {most_dropped:g}", "this is no share to leave out", fix)
    points = policy.anonymity.points if policy and policy.anonymity else ()
    return LevelsOf(points, LEVELS if at is None else _levels(at), most_dropped)


def _levels(text: str) -> tuple[float, ...]:
    found = []
    for part in text.split(","):
        try:
            level = float(part)
        except ValueError:
            level = math.nan
        if not 0 <= level <= 1:
            fix = "Give numbers from 0 to 1, such as --at 0.3,0.7."
            raise FlagError(f"--at {text}", f"'{part.strip()}' is no anonymity level", fix)
        found.append(level)
    return tuple(sorted(set(found)))


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
    """See what each anonymity level takes.

    For each -q column of FILE and each level: k, the finest width of the column that has k rows of
    almost every value, and the share of rows that would still be left out. Widths are those of the
    policy's hierarchies; without one, months of dates and intervals of numbers. No value of FILE
    is shown.
    """
    from discreet.policy.policy import Policy

    if picture is not None:
        from discreet.report.pictures import ENDINGS, require_plots

        check_picture(picture, (file, policy), ENDINGS, force)
        require_plots()
    given = None if policy is None else Policy.load(policy)
    if given is not None and given.people is not None:
        what = "rows are counted here, and the policy is about people with many rows"
        raise FlagError("--policy", what, "Give -q instead, for a table of one row a person.")
    columns = choose_columns(given, quasi or [], with_ or [], together)
    builders = choose_builders(given, hierarchy or [], columns)
    table = options.read_table(file, separator, encoding, sheet)
    table = prepare_counted(table, given)
    asked = read_levels(given, at, most_dropped)
    if together:
        tables = [asked.together(table, columns, builders)]
    else:
        known = tuple(dict.fromkeys(with_ or ()))
        tables = [asked.column(table, name, builders.get(name), known) for name in columns]
    facts = {"file": file.name, "tables": tables}
    if picture is not None:
        from discreet.report.pictures import draw_levels

        draw_levels(facts, picture, force)
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
