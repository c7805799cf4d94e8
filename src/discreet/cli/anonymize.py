"""``discreet anonymize``: the least damaging release of a file that keeps a policy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options, output
from discreet.cli.target import Target, check_target
from discreet.errors import FlagError

if TYPE_CHECKING:
    from discreet.release.policy import Policy
    from discreet.release.release import Release

Output = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="OUT",
        readable=False,
        help="The release; its ending says the kind.",
    ),
]
Suppress = Annotated[
    str | None,
    typer.Option("--suppress", metavar="SHARE", help="Largest share of rows to leave out, 0 to 1."),
]
Algorithm = Annotated[
    str | None, typer.Option("--algorithm", help="optimal, local, datafly, mu-argus ...")
]
Measure = Annotated[str | None, typer.Option("--measure", help="What best means, such as loss.")]
KeepOrder = Annotated[
    bool, typer.Option("--keep-order", help="Keep the order of rows, which may give rows away.")
]
KeepSuppressed = Annotated[
    bool, typer.Option("--keep-suppressed", help="Keep suppressed rows as rows of *.")
]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", metavar="SECONDS", help="Stop the search with the best so far."),
]
Interactive = Annotated[
    bool, typer.Option("--interactive", help="mu-argus: choose the columns to generalize.")
]
ReleaseUnprotected = Annotated[
    bool,
    typer.Option("--release-unprotected", help="Write even a release that breaks the policy."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace OUT if it exists.")]


UNPROTECTED = "The policy is NOT kept: see the promises above that fail, and their rows at risk."


def anonymize(
    context: typer.Context,
    file: options.File,
    policy: options.PolicyFile = None,
    out: Output = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    k: options.K = None,
    suppress: Suppress = None,
    algorithm: Algorithm = None,
    measure: Measure = None,
    keep_order: KeepOrder = False,
    keep_suppressed: KeepSuppressed = False,
    time_limit: TimeLimit = None,
    interactive: Interactive = False,
    release_unprotected: ReleaseUnprotected = False,
    force: Force = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    seed: options.Seed = None,
) -> None:
    """Release FILE under a policy.

    FILE is a table: CSV, Parquet, Arrow, Excel or SQLite. Simple case without a policy file: -q age
    -q zip -s disease -k 5. Columns that are not named are not released. Without -o nothing is
    written. Options win over the policy.
    """
    if interactive and (json or quiet):
        what = "a dialogue cannot be quiet, and --json prints the facts and nothing else"
        raise FlagError("--interactive", what, "Leave out --json and --quiet.")
    if out is not None:
        check_target(out, (file, policy), force)
        context.obj["target"] = Target(out)
    chosen = options.choose_policy(
        policy,
        quasi,
        sensitive,
        k,
        suppress=options.share(suppress),
        algorithm=algorithm,
        measure=measure,
        seed=seed,
        time_limit=time_limit,
        order="keep" if keep_order else None,
        suppressed_rows="keep" if keep_suppressed else None,
    )
    table = options.read_table(file, separator, encoding, sheet)
    asked = chosen.policy
    if interactive:
        from discreet.cli.interactive import chosen as choose

        asked = choose(table, asked)
    release = _make(table, asked, quiet)
    written = out if out is not None and (release.holds or release_unprotected) else None
    if written is not None:
        release.write(written, unprotected=release_unprotected)
    if not quiet:
        output.say_changes(chosen.changes)
        facts = release.facts()
        if json:
            output.print_json(facts)
        else:
            _show(facts, asked, out, written)
    if not release.holds:
        raise typer.Exit(1)


def _make(table: Any, policy: Policy, quiet: bool) -> Release:
    from discreet.release.anonymize import anonymize as make

    progress = output.Progress(quiet)
    try:
        return make(table, policy, progress=progress)
    finally:
        progress.end()


def _show(facts: dict[str, Any], policy: Policy, out: Path | None, written: Path | None) -> None:
    from discreet.cli.meaning import meaning
    from discreet.release.promise import not_promised, promised

    heights = facts.get("heights", {})
    rows = []
    for name, column in policy.columns.items():
        if name not in policy.released:
            rows.append((name, column.role.value, "not released"))
            continue
        if name not in facts["levels"]:
            told = "as it is"
        elif facts["levels"][name] is None:
            told = "cell by cell"
        else:
            told = meaning(column.hierarchy, facts["levels"][name], heights.get(name))
        rows.append((name, column.role.value, told))
    output.table("Released", ("column", "role", "as"), rows)
    output.table("", ("fact", "value"), _counts(facts))
    output.verdicts(facts["verdicts"])
    said = (_proof(facts), output.missing_rule(policy.missing), *_proposed(policy))
    for line in (*said, *(f"Note: {note.removesuffix('.')}." for note in facts["notes"])):
        output.write(line)
    holds = all(verdict["holds"] for verdict in facts["verdicts"])
    output.write(promised(policy) if holds else UNPROTECTED)
    output.write(not_promised(policy))
    if written is not None:
        output.write(f"Written to {written}{'' if holds else ', UNPROTECTED'}.")
    elif out is None:
        output.write("Nothing was written: give -o OUT.")
    else:
        output.write("Nothing was written: use another variant, or insist: --release-unprotected.")


def _counts(facts: dict[str, Any]) -> list[tuple[str, Any]]:
    names = ("rows", "rows_suppressed", "cells_suppressed", "classes", "smallest_class")
    counts = [(name.replace("_", " "), facts[name]) for name in names if name in facts]
    return counts + [(name.replace("_", " "), v) for name, v in facts["measures"].items()]


def _proof(facts: dict[str, Any]) -> str:
    """Whether this is the best release there is, or how far from it this may be."""
    optimal = facts.get("optimal") or {}
    checked = f"{facts['algorithm']}, {facts.get('seconds', 0):.2f} s"
    if optimal.get("nodes"):
        checked += f", {optimal['nodes_checked']:,} of {optimal['nodes']:,} nodes looked at"
    if optimal.get("proven"):
        return f"Proven to be the best release of its kind ({checked})."
    if optimal.get("bound") is not None:
        bound = f"{facts['measure']} {output.shown(optimal['bound'])}"
        gap = f", a gap of {output.shown(optimal['gap'])}" if optimal.get("gap") else ""
        return f"Not proven to be the best; none can do better than {bound}{gap} ({checked})."
    return f"Not proven to be the best release ({checked})."


def _proposed(policy: Policy) -> list[str]:
    from discreet.release.auto import Auto

    auto = [name for name in policy.quasi if isinstance(policy.columns[name].hierarchy, Auto)]
    if not auto:
        return []
    return [f"Hierarchies proposed from the data, not chosen by you: {', '.join(auto)}."]
