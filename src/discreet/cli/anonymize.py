"""``discreet anonymize``: the least damaging release of a file that keeps a policy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options, output
from discreet.cli.target import Target, check_target

if TYPE_CHECKING:
    from discreet.release.policy import Policy

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
Algorithm = Annotated[str | None, typer.Option("--algorithm", help="optimal or datafly.")]
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
Force = Annotated[bool, typer.Option("--force", help="Replace OUT if it exists.")]


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
    facts = _release(table, chosen.policy, out, quiet)
    if quiet:
        return
    output.say_changes(chosen.changes)
    if json:
        output.print_json(facts)
    else:
        _show(facts, chosen.policy, out)


def _release(table: Any, policy: Policy, out: Path | None, quiet: bool) -> dict[str, Any]:
    from discreet.release.anonymize import anonymize as make

    progress = output.Progress(quiet)
    try:
        release = make(table, policy, progress=progress)
        if out is not None:
            release.write(out)
    finally:
        progress.end()
    facts: dict[str, Any] = release.facts()
    return facts


def _show(facts: dict[str, Any], policy: Policy, out: Path | None) -> None:
    from discreet.cli.meaning import meaning
    from discreet.release.promise import not_promised, promised

    heights = facts.get("heights", {})
    rows = []
    for name, column in policy.columns.items():
        if name not in policy.released:
            rows.append((name, column.role.value, "not released"))
            continue
        level = facts["levels"].get(name)
        told = "as it is" if level is None else meaning(column.hierarchy, level, heights.get(name))
        rows.append((name, column.role.value, told))
    output.table("Released", ("column", "role", "as"), rows)
    output.table("", ("fact", "value"), _counts(facts))
    output.verdicts(facts["verdicts"])
    said = (_proof(facts), output.missing_rule(policy.missing), *_proposed(policy))
    for line in (*said, *(f"Note: {note.removesuffix('.')}." for note in facts["notes"])):
        output.write(line)
    output.write(promised(policy))
    output.write(not_promised(policy))
    output.write(f"Written to {out}." if out else "Nothing was written: give -o OUT.")


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
        bound = output.shown(optimal["bound"])
        return f"Not proven to be the best; none can score better than {bound} ({checked})."
    return f"Not proven to be the best release ({checked})."


def _proposed(policy: Policy) -> list[str]:
    from discreet.release.auto import Auto

    auto = [name for name in policy.quasi if isinstance(policy.columns[name].hierarchy, Auto)]
    if not auto:
        return []
    return [f"Hierarchies proposed from the data, not chosen by you: {', '.join(auto)}."]
