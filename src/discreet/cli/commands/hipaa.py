"""``discreet hipaa``: which rule of safe harbor each column meets or breaks, and a ready policy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from discreet.cli import options, output
from discreet.cli.failure import FlagError
from discreet.cli.next_command import name_release, write_command

if TYPE_CHECKING:
    from discreet.safe_harbor.checked import Checked


ZipTableFile = Annotated[
    Path | None,
    typer.Option(
        "--zip-table", metavar="CSV", readable=False, help="People by three-digit ZIP prefix."
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of", metavar="DAY", help="Date for which ages are computed, such as 2026-11-16."
    ),
]
Codes = Annotated[
    list[str] | None,
    typer.Option("--code", metavar="COLUMN", help="A code assigned at random; repeat for more."),
]
HEADS = ("column", "rule", "standing", "why", "what to do")


def hipaa(
    file: options.File,
    policy: options.PolicyFile = None,
    write_policy: options.WritePolicy = None,
    force: options.Force = False,
    zip_table: ZipTableFile = None,
    as_of: AsOf = None,
    code: Codes = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Check FILE against the rules of HIPAA safe harbor.

    FILE is a table: CSV, JSON Lines, Parquet, Arrow, Excel, SQLite, DuckDB, Stata, SPSS; or -. The
    rules are those about the eighteen identifiers of 45 CFR 164.514(b)(2). With --policy, what it
    would release of FILE is checked. No value of FILE is shown. Ends with 1 if a rule is broken,
    else 0; with 0 after --write-policy.
    """
    import discreet
    from discreet.policy.policy_text import check_policy_path

    if policy is not None and write_policy is not None:
        what = "a policy is checked or written, not both"
        raise FlagError("--policy, --write-policy", what, "Give one of the two.")
    table = options.read_table(file, separator, encoding, sheet)
    if write_policy is not None:
        check_policy_path(write_policy, file, force)
    found = discreet.hipaa(table, policy, zip_table=zip_table, as_of=as_of, code=code or ())
    if write_policy is not None:
        found.write_policy(write_policy, replace=force)
    if json and not quiet:
        written = None if write_policy is None else str(write_policy)
        output.print_json({**found.facts(), "policy": written})
    elif not quiet:
        _show(found.found, file, found.scope, write_policy)
    if write_policy is None and not found.holds:
        raise typer.Exit(1)


def _show(found: Checked, file: Path, seen: str, policy: Path | None) -> None:
    for notice in found.notices:
        output.note_once(notice)
    rows = [
        (
            one.column,
            f"({one.rule})" if one.rule else "-",
            _name_standing(one.standing),
            one.why,
            one.fix,
        )
        for one in found.columns
    ]
    output.print_table(f"{found.name}: safe harbor of HIPAA, 45 CFR 164.514(b)(2)", HEADS, rows)
    for line in _list_findings(found, seen):
        output.write(line)
    if policy is not None:
        output.write(f"{policy} is written: read every line, change what is wrong, then run")
        command = write_command("anonymize", file, "--policy", policy, "-o", name_release(file))
        output.write(f"  {command}")


def _name_standing(standing: str) -> str:
    return "BREAKS" if standing == "breaks" else str(standing)


def _list_findings(found: Checked, seen: str) -> list[str]:
    from discreet.safe_harbor.checked import ACTUAL_KNOWLEDGE, NO_K, NOT_SEEN, RULES, Standing

    broken = {one.rule for one in found.broken}
    names = [f"({rule.letter}) {rule.words}" for rule in RULES if rule.letter in broken]
    look = [one.column for one in found.list_standing(Standing.look)]
    lines = [f"Checked: {seen}; ages as of {found.question.cutoff.day}."]
    lines.append(f"Broken: {'; '.join(names)}." if names else "No rule is broken, as far as seen.")
    if look:
        lines.append(f"Check these columns yourself: {', '.join(look)}.")
    return [*lines, found.question.zip_table.describe_source(), ACTUAL_KNOWLEDGE, NOT_SEEN, NO_K]
