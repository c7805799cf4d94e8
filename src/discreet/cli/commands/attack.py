"""``discreet attack``: what an intruder gets out of a release, before one tries."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import intruder, options, output
from discreet.cli.failure import FlagError


def attack(
    file: options.File,
    policy: options.PolicyFile = None,
    profile: options.Profile = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    k: options.K = None,
    register: intruder.Register = None,
    map_: intruder.Names = None,
    earlier: intruder.Earlier = None,
    summary: intruder.Summary = None,
    original: Annotated[
        Path | None,
        typer.Option(
            "--original",
            metavar="O",
            click_type=options.TABLE_PATH,
            rich_help_panel=intruder.HAS,
            help="The private table.",
        ),
    ] = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Attack a released FILE as an intruder would.

    Runs every attack that the files named allow: row order, an earlier release, a table that grew,
    published counts, a register, and what classes and the choice of levels reveal about sensitive
    values. Ends with 0 if none gets beyond the policy, 1 if one does or if that cannot be decided.
    Without a policy, rows with fewer than k candidates count (k is 2 if not given).
    """
    from discreet.pipeline.attack import attack as run

    if policy is None and profile is not None:
        raise FlagError("--profile", "no policy was given", "Give --policy P too.")
    chosen = None
    if policy is not None:
        chosen = options.choose_policy(policy, profile=profile).for_recipient().policy

    def open_file(path: Path | None) -> Any:
        return None if path is None else options.read_table(path, separator, encoding)

    found = run(
        options.read_table(file, separator, encoding, sheet),
        chosen,
        quasi or (),
        sensitive or (),
        k,
        register=open_file(register),
        earlier=[open_file(one) for one in earlier or ()],
        summary=open_file(summary),
        original=open_file(original),
        mapping=intruder.parse_mapping(map_ or (), register),
    )
    facts = found.facts()
    if json and not quiet:
        output.print_json(facts)
    elif not quiet:
        intruder.show(facts, options.show_file(file), chosen is not None)
    if not found.holds:
        raise typer.Exit(1)
