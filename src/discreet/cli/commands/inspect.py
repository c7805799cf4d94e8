"""``discreet inspect``: what identifies people in this file, and a first policy to edit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.cli import options, output
from discreet.cli.next_command import name_policy, name_release, write_command

if TYPE_CHECKING:
    from discreet.identification.inspection import Column, Inspection
    from discreet.pipeline.advice.first_policy import FirstPolicy
    from discreet.table.table import Table


HEADS = ("column", "kind", "looks like", "different", "missing", "role", "why")


def inspect(
    file: options.File,
    write_policy: options.WritePolicy = None,
    tree: options.Tree = None,
    force: options.Force = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """See what identifies people in FILE; write a first policy.

    FILE is a table: CSV, JSON Lines, Parquet, Arrow, Excel, SQLite, DuckDB, Stata, SPSS; or -.
    Shows for each column what it holds, how many values are missing or differ, the role it seems to
    have and why. No value of FILE is shown, except with --tree: then only the hierarchy of that
    column is, with values that k rows have. Ends with 0; what it finds is for you to judge.
    """
    from discreet.identification.inspect import inspect as look
    from discreet.policy.policy_text import check_policy_path

    table = options.read_table(file, separator, encoding, sheet)
    if tree is not None:
        _show_tree(table, tree, json, quiet)
        return
    if write_policy is not None:
        check_policy_path(write_policy, file, force)
    found = look(table)
    first = None
    if write_policy is not None:
        first = _try_first_policy(table, found, quiet)
        first.save(write_policy, replace=force)
    if quiet:
        return
    if json:
        written = None if write_policy is None else str(write_policy)
        tried = {} if first is None else first.facts()
        output.print_json({**found.facts(), "policy": written, **tried})
    else:
        _show(found, file, write_policy, first)


def _show_tree(table: Table, column: str, json: bool, quiet: bool) -> None:
    from discreet.identification.inspect import inspect_tree

    found = inspect_tree(table, column)
    if json:
        output.print_json(found)
    elif not quiet:
        output.write(f"{column}: {found['reason']}")
        for line in found["tree"]:
            output.write(line)
        for one in found["given_up"]:
            output.write(f"Given up: {one['kind']}, {one['why']} ({one['values']:,} values)")


def _try_first_policy(table: Any, found: Inspection, quiet: bool) -> FirstPolicy:
    from discreet.pipeline.advice.first_policy import first_policy

    progress = output.Progress(quiet)
    with progress:
        return first_policy(table, found, progress=progress)


def _show(
    found: Inspection, file: Path, policy: Path | None, first: FirstPolicy | None = None
) -> None:
    for notice in found.notices:
        output.note_once(notice)
    missing = any(column.missing for column in found.columns)
    rows = [_make_row(column, missing) for column in found.columns]
    title = (
        f"{found.name}: {_format_count(found.rows, 'row')}, "
        f"{_format_count(len(found.columns), 'column')}"
    )
    output.print_table(title, [head for head in HEADS if missing or head != "missing"], rows)
    _show_combinations(found)
    _show_people(found)
    for line in _summarize_tries(first):
        output.write(line)
    output.write(_advise_next_step(file, policy))


def _show_combinations(found: Inspection) -> None:
    from discreet.identification.judge import format_percent

    rows = [
        [", ".join(one.columns), format_percent(one.singled_out_share)]
        for one in found.combinations
    ]
    if rows:
        output.print_table("Columns that single people out", ("columns", "rows singled out"), rows)


def _show_people(found: Inspection) -> None:
    from discreet.identification.rows_of_people import describe_people

    if found.people is not None:
        output.write(describe_people(found.people))


def _summarize_tries(first: FirstPolicy | None) -> list[str]:
    """What the policy that is written keeps, as far as it was tried."""
    if first is None:
        return []
    if first.chosen is None:
        return [f"The policy was not tried: {first.why}"]
    lines = [f"Tried {one.text}" for one in first.chosen.tried]
    best = first.chosen.best
    if best is None:
        return [*lines, "No release was possible; 'discreet advise' says what would make it so."]
    taken = f"algorithm {best.algorithm}, suppress {best.suppress:g}"
    return [*lines, f"The policy takes what was tried with {taken}."]


def _make_row(column: Column, missing: bool) -> list[str]:
    from discreet.identification.judge import format_percent

    more = "" if column.distinct_exact else "more than "
    cells = [
        column.name,
        column.kind.value,
        next(iter(column.shapes), "-"),
        f"{more}{column.distinct:,}",
        f"{column.role.value}{' ?' if column.doubt else ''}",
        _explain_column(column),
    ]
    if missing:
        cells.insert(4, format_percent(column.missing_share) if column.missing else "-")
    return cells


def _explain_column(column: Column) -> str:
    parts = [*column.reasons]
    if column.item:
        parts.append(f"HIPAA {column.item.value[:3]}")
    if column.special:
        parts.append(f"{column.special.article}: {column.special.value}")
    if column.doubt:
        parts.append(f"in doubt: {column.doubt}")
    return "; ".join([*parts, *column.hints])


def _advise_next_step(file: Path, policy: Path | None) -> str:
    if policy is None:
        command = write_command("inspect", file, "--write-policy", name_policy(file))
        return (
            "This is a guess from names and values; you know the data. For a first policy to edit:"
            f"\n  {command}"
        )
    command = write_command("anonymize", file, "--policy", policy, "-o", name_release(file))
    return f"{policy} is written: read every line, change what is wrong, then run\n  {command}"


def _format_count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
