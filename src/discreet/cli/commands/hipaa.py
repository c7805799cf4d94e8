"""``discreet hipaa``: which rule of safe harbor each column meets or breaks, and a ready policy."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options, output
from discreet.errors import FlagError

if TYPE_CHECKING:
    from discreet.policy.policy import Policy
    from discreet.safe_harbor.checked import Checked, Question
    from discreet.table.table import Table


ZipTableFile = Annotated[
    Path | None,
    typer.Option(
        "--zip-table", metavar="CSV", readable=False, help="People by three-digit ZIP prefix."
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="DAY", help="Day of which ages count, such as 2026-11-16."),
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
    """See which rule of HIPAA's safe harbor each column of FILE meets or breaks.

    FILE is a table: CSV, Parquet, Arrow, Excel or SQLite. The rules are those about the eighteen
    identifiers of 45 CFR 164.514(b)(2). With --policy, what it would release of FILE is checked.
    No value of FILE is shown. Ends with 1 if a rule is broken, else 0; with 0 after --write-policy.
    """
    from discreet.identification.write_policy import check_policy_path
    from discreet.safe_harbor.check import check_safe_harbor

    if policy is not None and write_policy is not None:
        what = "a policy is checked or written, not both"
        raise FlagError("--policy, --write-policy", what, "Give one of the two.")
    table = options.read_table(file, separator, encoding, sheet)
    if write_policy is not None:
        check_policy_path(write_policy, file, force)
    table, question, seen = _asked(table, policy, zip_table, as_of, tuple(code or ()))
    found = check_safe_harbor(table, question)
    if write_policy is not None:
        _write(found, table, write_policy, zip_table, force)
    if not quiet:
        _show(found, file, seen, write_policy, json)
    if write_policy is None and not found.holds:
        raise typer.Exit(1)


def _asked(
    table: Table,
    file: Path | None,
    zip_table: Path | None,
    as_of: str | None,
    codes: tuple[str, ...],
) -> tuple[Table, Question, str]:
    """The table as it is checked, what is known beside it, and a word on that."""
    from discreet.safe_harbor.checked import Question

    if as_of is not None:
        _check_day(as_of)
    if file is None:
        question = Question.on(as_of, zip_table, codes=codes)
        return table, question, "every column, as if all were released"
    policy = options.choose_policy(file).for_recipient().policy
    question = _of_policy(policy, zip_table, as_of, codes)
    if set(table.columns) <= set(policy.released):
        return table, question, f"as it is: it has only columns that {file.name} releases"
    from discreet.pipeline.prepare import changed

    seen = f"what {file.name} releases of it, before rows are made coarser"
    return changed(table, policy), question, seen


def _of_policy(
    policy: Policy, zip_table: Path | None, as_of: str | None, codes: tuple[str, ...]
) -> Question:
    """What the policy says, with the options in the place of its own settings."""
    import datetime
    from dataclasses import replace

    from discreet.models import SafeHarbor
    from discreet.pipeline.prepare import question_of

    today = datetime.date.today().isoformat()
    own = [model for model in policy.require if isinstance(model, SafeHarbor)]
    model = own[0] if own else SafeHarbor(as_of or today)
    told = {"as_of": as_of, "zip_table": zip_table, "codes": codes or None}
    given: dict[str, Any] = {key: value for key, value in told.items() if value is not None}
    return question_of(policy, replace(model, **given))


def _check_day(as_of: str) -> None:
    from discreet.errors import ParameterError
    from discreet.kinds.written_years import iso_day

    try:
        iso_day(as_of, "hipaa")
    except ParameterError:
        raise FlagError("--as-of", "this is no day", "Write it as 2026-11-16.") from None


def _write(found: Checked, table: Table, path: Path, zip_table: Path | None, force: bool) -> None:
    from discreet.identification.inspect import inspect
    from discreet.identification.write_policy import write_policy_text
    from discreet.safe_harbor.ready_policy import ready_policy

    folder = path.absolute().parent
    written = None if zip_table is None else Path(os.path.relpath(zip_table, folder))
    write_policy_text(path, ready_policy(inspect(table), found, written), force)


def _show(found: Checked, file: Path, seen: str, policy: Path | None, json: bool) -> None:
    from discreet.safe_harbor.checked import RULES

    if json:
        rules = [rule.facts() for rule in RULES]
        written = None if policy is None else str(policy)
        output.print_json({**found.facts(), "checked": seen, "rules": rules, "policy": written})
        return
    for notice in found.notices:
        output.note_once(notice)
    rows = [
        (one.column, f"({one.rule})" if one.rule else "-", _word(one.standing), one.why, one.fix)
        for one in found.columns
    ]
    output.table(f"{found.name}: safe harbor of HIPAA, 45 CFR 164.514(b)(2)", HEADS, rows)
    for line in _told(found, seen):
        output.write(line)
    if policy is not None:
        release = file.with_name(f"{file.name.partition('.')[0]}_release{''.join(file.suffixes)}")
        output.write(f"{policy} is written: read every line, change what is wrong, then run")
        output.write(f"  discreet anonymize {file} --policy {policy} -o {release.name}")


def _word(standing: str) -> str:
    return "BREAKS" if standing == "breaks" else str(standing)


def _told(found: Checked, seen: str) -> list[str]:
    from discreet.safe_harbor.checked import ACTUAL_KNOWLEDGE, NO_K, NOT_SEEN, RULES, Standing

    broken = {one.rule for one in found.broken}
    names = [f"({rule.letter}) {rule.words}" for rule in RULES if rule.letter in broken]
    look = [one.column for one in found.standing(Standing.look)]
    lines = [f"Checked: {seen}; ages as of {found.question.cutoff.day}."]
    lines.append(f"Broken: {'; '.join(names)}." if names else "No rule is broken, as far as seen.")
    if look:
        lines.append(f"A person must look at: {', '.join(look)}.")
    return [*lines, found.question.zip_table.told(), ACTUAL_KNOWLEDGE, NOT_SEEN, NO_K]
