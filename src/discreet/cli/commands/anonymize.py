"""``discreet anonymize``: the least damaging release of a file that keeps a policy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import intruder, options, output, release_options
from discreet.cli.failure import FlagError
from discreet.cli.render_advice import add_advice, advise_in_short
from discreet.cli.render_release import show, warn
from discreet.cli.target import (
    Target,
    check_picture,
    check_target,
    check_written_columns,
    is_table_target,
    open_output,
)
from discreet.errors import ReleaseError

if TYPE_CHECKING:
    from discreet.pipeline.advice.first_policy import ChosenSettings
    from discreet.pipeline.anonymize import Release
    from discreet.pipeline.attack import Attacked
    from discreet.pipeline.withstand import Intruder
    from discreet.policy.policy import Policy


Algorithm = Annotated[
    str | None,
    typer.Option(
        "--algorithm",
        metavar="NAME",
        autocompletion=options.complete_algorithm,
        rich_help_panel=options.SEARCH,
        help="optimal, local, datafly, mu-argus ...",
    ),
]
WRITTEN = "The released file"
KEEP = "It has counts of the private table: keep it in the house."
KeepOrder = Annotated[
    bool,
    typer.Option(
        "--keep-order",
        rich_help_panel=WRITTEN,
        help="Keep the order of rows, which may identify rows.",
    ),
]
KeepSuppressed = Annotated[
    bool,
    typer.Option(
        "--keep-suppressed", rich_help_panel=WRITTEN, help="Keep suppressed rows as rows of *."
    ),
]
QuoteFormulas = Annotated[
    bool,
    typer.Option(
        "--quote-formulas",
        rich_help_panel=WRITTEN,
        help="Put an apostrophe before cells that a spreadsheet would run.",
    ),
]
Interactive = Annotated[
    bool,
    typer.Option(
        "--interactive",
        rich_help_panel=options.SEARCH,
        help="mu-argus: choose the columns to generalize.",
    ),
]
ReleaseUnprotected = Annotated[
    bool,
    typer.Option(
        "--release-unprotected",
        rich_help_panel=WRITTEN,
        help="Write the release even if it breaks the policy or an attack succeeds.",
    ),
]
PartitionBy = Annotated[
    list[str] | None,
    typer.Option(
        "--partition-by",
        metavar="COLUMN",
        rich_help_panel=WRITTEN,
        help="Of a folder OUT: a folder in it for each released value; repeat.",
    ),
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        rich_help_panel=WRITTEN,
        help="Of a table in a database: print the SQL that would write OUT, and write nothing.",
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="R",
        readable=False,
        rich_help_panel=WRITTEN,
        help="Write a report on the release as well, an HTML page: the inside edition.",
    ),
]
Attack = Annotated[
    bool,
    typer.Option(
        "--attack",
        rich_help_panel=intruder.BEFORE,
        help="Run the attacks first; write the release only if it withstands them.",
    ),
]


def anonymize(
    context: typer.Context,
    file: options.File,
    policy: options.PolicyFile = None,
    out: options.Output = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    k: options.K = None,
    anonymity: options.Anonymity = None,
    suppress: options.Suppress = None,
    profile: options.Profile = None,
    force: options.Force = False,
    algorithm: Algorithm = None,
    measure: options.Measure = None,
    keep_order: KeepOrder = False,
    keep_suppressed: KeepSuppressed = False,
    quote_formulas: QuoteFormulas = False,
    time_limit: options.TimeLimit = None,
    interactive: Interactive = False,
    release_unprotected: ReleaseUnprotected = False,
    dry_run: DryRun = False,
    partition_by: PartitionBy = None,
    report: Report = None,
    attack: Attack = False,
    accept_undecided: intruder.AcceptUndecided = False,
    register: intruder.Register = None,
    map_: intruder.Names = None,
    earlier: intruder.Earlier = None,
    summary: intruder.Summary = None,
    where: release_options.WhereText = None,
    columns: release_options.Columns = None,
    ledger: release_options.LedgerFile = None,
    to: release_options.To = None,
    name: release_options.TableName = None,
    rows_removed: release_options.Removed = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.SheetAlone = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    seed: options.Seed = None,
) -> None:
    """Release FILE under a policy.

    FILE is a table: CSV, JSON Lines, Parquet, Arrow, Excel, SQLite, DuckDB, Stata, SPSS; or -;
    or the address of a database: then rows stay there, and OUT is a table of it.
    Columns that neither the policy nor an option names are not released. Without -o nothing is
    written. Options override the policy. Without a policy: -q age -q zip -s disease -k 5.
    """
    if interactive and (json or quiet):
        what = "it needs the terminal, so it cannot be combined with --json or --quiet"
        raise FlagError("--interactive", what, "Leave out --json and --quiet.")
    wanted = release_options.parse_part(where, columns, out, ledger, interactive)
    stays = options.is_address(file) and (out is None or is_table_target(out))
    if dry_run and not (stays and out is not None):
        what = "it prints the SQL that would write a table of a database"
        raise FlagError("--dry-run", what, "Name a database and -o TABLE.")
    if partition_by and (out is None or stays or out.suffix):
        what = "only a folder of Parquet files has folders for the values of columns"
        raise FlagError("--partition-by", what, "Name a new folder with -o, such as -o release/.")
    if out is not None and not stays:
        read = (file, policy, *release_options.list_ledger_files(ledger))
        check_target(out, read, force, bool(partition_by))
        if str(out) != "-":
            context.obj["target"] = Target(out)
    if report is not None:
        _check_report(report, out, stays, (file, policy, register, ledger), force)
    chosen = options.choose_policy(
        policy,
        quasi,
        sensitive,
        k,
        anonymity=options.parse_share(anonymity),
        profile=profile,
        suppress=options.parse_share(suppress),
        algorithm=algorithm,
        measure=measure,
        seed=seed,
        time_limit=time_limit,
        order="keep" if keep_order else None,
        suppressed_rows="keep" if keep_suppressed else None,
        formulas="quote" if quote_formulas else None,
    ).for_recipient()
    if ledger is None and sheet is None and options.has_several(file):
        sheet, name = name, None
        context.params["sheet"] = sheet  # printed commands repeat it
    table = options.read_table(file, separator, encoding, sheet)
    out = out if out is None or stays else open_output(out, table, json)
    asked = chosen.policy
    progress = output.Progress(quiet)
    tried = None
    given = {"suppress": suppress, "algorithm": algorithm}
    fixed = [name for name, value in given.items() if value is not None]
    plain = wanted is None and ledger is None and not interactive
    if policy is None and plain and len(fixed) < len(given):
        tried = _try_settings(table, asked, fixed, progress)
        asked = tried.policy
    if interactive:
        from discreet.cli.interactive import choose_generalizations as choose

        asked = choose(table, asked)
    if out is not None and not stays:
        named = () if wanted is None else wanted.columns
        check_written_columns(out, named or asked.released)
    against = intruder.build_intruder(
        attack, register, map_, earlier, summary, accept_undecided, separator, encoding
    )
    with release_options.hold_ledger(ledger, to, name, rows_removed, asked.recipient) as make:
        making = partial(make, part=wanted, progress=progress)
        try:
            with progress:
                release, found = _make(making, table, asked, against, progress)
        except ReleaseError as error:
            if json or not plain:
                raise
            raise add_advice(error, table, asked) from None
        if dry_run:
            statements = release.list_statements(str(out), force)
            if json:
                output.print_json(
                    {"format": "discreet-anonymize/1", "statements": list(statements)}
                )
            for statement in () if json else statements:
                output.write(statement)
            return
        withstands = found is None or bool(found.holds) or (accept_undecided and not found.breaks)
        safe = release.holds and withstands
        written = out if out is not None and (safe or release_unprotected) else None
        if not quiet:
            warn(release, shown=not json)
        if written is not None:
            with progress:
                release.write(
                    str(written) if stays else written,
                    unprotected=release_unprotected,
                    replace=force,
                    progress=progress,
                    partition_by=partition_by or (),
                )
    if report is not None and written is not None:
        with progress:
            _write_report(release, found, written, report, ledger, progress, force)
    if not quiet:
        output.say_changes(chosen.changes)
        facts = release.facts()
        if found is not None:
            got = found.facts()
            facts |= found.list_findings()
        if tried is not None:
            facts["chosen"] = tried.facts()
        if json:
            output.print_json(facts)
        else:
            if found is not None:
                intruder.show(got, "The release", policy=True)
            more = advise_in_short(release, asked, file) if plain else []
            show(facts, release.policy, out, written, more)
            if report is not None and written is not None:
                output.write(f"The report is in {report}. {KEEP}")
    if not safe:
        raise typer.Exit(1)


def _check_report(
    report: Path, out: Path | None, stays: bool, read: tuple[Path | None, ...], force: bool
) -> None:
    if out is None or stays or str(out) == "-":
        what = "a report is about a file that is written"
        raise FlagError("--report", what, "Name it with -o, such as -o release.csv.")
    check_picture(report, (*read, out), (".html", ".htm"), force, "--report")


def _write_report(
    release: Release,
    found: Attacked | None,
    written: Path,
    report: Path,
    ledger: Path | None,
    progress: output.Progress,
    force: bool,
) -> None:
    """Describe what was written; everything about the run and the private table is at hand."""
    from discreet.reporting.report import report as make

    progress("reporting")
    facts = () if found is None else (found,)
    made = make(release, facts=facts, ledger=ledger, written=written, broken=not release.holds)
    made.write(report, replace=force)


def _try_settings(
    table: Any, policy: Policy, fixed: list[str], progress: output.Progress
) -> ChosenSettings:
    """Settings for a call without a policy file: those that first give a useful release."""
    from discreet.pipeline.advice.first_policy import choose_settings
    from discreet.pipeline.advice.trials import Trials

    with progress:
        return choose_settings(Trials(table, progress), policy, fixed=fixed)


def _make(
    make: Callable[..., Release],
    table: Any,
    policy: Policy,
    against: Intruder | None,
    progress: output.Progress,
) -> tuple[Release, Attacked | None]:
    if against is None:
        return make(table, policy), None
    from discreet.pipeline.withstand import release_and_attack

    return release_and_attack(make, table, policy, against, progress)
