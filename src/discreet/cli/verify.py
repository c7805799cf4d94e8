"""``discreet verify``: does this file keep this policy; nothing but the file is trusted."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import options, output


def verify(
    file: options.File,
    policy: options.PolicyFile = None,
    original: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            readable=False,
            help="The private table, for models that compare with it.",
        ),
    ] = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    k: options.K = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    seed: options.Seed = None,
) -> None:
    """Check that a released FILE keeps its policy.

    Rows are counted anew, from FILE alone: a table in CSV, Parquet, Arrow, Excel or SQLite. Ends
    with 0 if every promise holds, 1 if one does not.
    """
    chosen = options.choose_policy(policy, quasi, sensitive, k, seed=seed)
    release = options.read_table(file, separator, encoding, None if original else sheet)
    private = original and options.read_table(original, separator, encoding, sheet)
    from discreet.release.verify import verify as check

    result = check(release, chosen.policy, original=private)
    facts = result.facts()
    if not quiet:
        output.say_changes(chosen.changes)
        if json:
            output.print_json(facts)
        else:
            _show(facts, file.name)
    if not result.holds:
        raise typer.Exit(1)


def _show(facts: dict[str, Any], name: str) -> None:
    holds = facts["holds"]
    output.verdicts(facts["verdicts"])
    rows = f" ({facts['rows']:,} rows)" if "rows" in facts else ""
    output.write(f"{name}{rows}: {'every promise holds' if holds else 'DOES NOT HOLD'}.")
    output.write(output.missing_rule(facts.get("missing")))
