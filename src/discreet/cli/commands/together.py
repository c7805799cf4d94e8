"""``discreet together``: several tables about the same people, released into one folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, output
from discreet.cli.failure import FlagError
from discreet.cli.render_release import show, warn
from discreet.cli.target import Target

Files = Annotated[list[Path], typer.Argument(metavar="FILE...", readable=False, hidden=True)]
Folder = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="FOLDER", help="The release: a new folder."),
]


def together(
    context: typer.Context,
    files: Files,
    policy: options.PolicyFile = None,
    profile: options.Profile = None,
    out: Folder = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    seed: options.Seed = None,
) -> None:
    """Release FILE... together, as tables about the same people.

    The policy names the column of people and writes columns as table.column; the table of
    visits.csv is visits. A person is known by the rows in all tables; who is suppressed is in none
    of them, and a pseudonym is the same in all. FOLDER is new and appears whole, with a file for
    each table. Without -o nothing is written.
    """
    import discreet
    from discreet.pipeline.people.together import name_tables

    if policy is None:
        raise FlagError("--policy", "there is no policy", "Give --policy P; it names the tables.")
    if any(str(file) == "-" for file in files):
        what = "a table from standard input has no name, and the policy names tables"
        raise FlagError("-", what, "Name files.")
    if out is not None:
        _check_folder(out)
        context.obj["target"] = Target(out)
    chosen = options.choose_policy(policy, profile=profile, seed=seed).for_recipient()
    tables = {
        name: options.read_table(file, separator, encoding)
        for name, file in name_tables(files).items()
    }
    progress = output.Progress(quiet)
    with progress:
        release = discreet.together(tables, chosen.policy, progress)
    if not quiet:
        warn(release, shown=not json)
    if out is not None:
        with progress:
            release.write(out, progress)
    if quiet:
        return
    output.say_changes(chosen.changes)
    facts = release.facts()
    if json:
        output.print_json(facts)
        return
    heads = ("table", "rows", "released", "of suppressed people", "left out")
    keys = ("rows", "rows_released", "rows_suppressed", "rows_left_out")
    rows = [(name, *(one[key] for key in keys)) for name, one in facts["tables"].items()]
    output.print_table("Tables", heads, rows)
    show(facts, release.policy, out, out)


def _check_folder(out: Path) -> None:
    from discreet.table.atomic import check_new_folder

    if str(out) == "-":
        raise FlagError("-o -", "several tables cannot go to standard output", "Name a folder.")
    check_new_folder(out.absolute())
