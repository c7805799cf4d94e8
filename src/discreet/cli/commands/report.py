"""``discreet report``: what a release promises and keeps, what was lost, and what attacks got."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from discreet.cli import known_options, options, output
from discreet.cli.failure import FlagError
from discreet.cli.target import check_picture

if TYPE_CHECKING:
    from discreet.reporting.report import Report

ENDINGS = (".html", ".htm")

Released = Annotated[
    Path | None, typer.Argument(metavar="FILE", click_type=options.TABLE_PATH, hidden=True)
]
Out = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="OUT", readable=False, help="The page to write."),
]
Metadata = Annotated[
    Path | None,
    typer.Option(
        "--metadata",
        metavar="FOLDER",
        readable=False,
        help="Write what travels with FILE: Croissant, data dictionary, texts for papers.",
    ),
]
Edition = Annotated[
    Literal["inside", "outside"],
    typer.Option(
        "--edition",
        help="outside is for recipients: nothing in it that FILE does not show.",
    ),
]
Broken = Annotated[
    bool,
    typer.Option(
        "--broken",
        help="Report on a release that breaks its policy, inside; the report says that it fails.",
    ),
]
Pdf = Annotated[
    bool,
    typer.Option("--pdf", help="Print OUT to a PDF of the same name as well; needs Chromium."),
]


def report(
    file: Released = None,
    policy: options.PolicyFile = None,
    out: Out = None,
    pdf: Pdf = False,
    metadata: Metadata = None,
    edition: Edition = "inside",
    profile: options.Profile = None,
    original: known_options.Original = None,
    register: known_options.Register = None,
    population: known_options.Population = None,
    ledger: known_options.Ledger = None,
    facts: known_options.Facts = None,
    broken: Broken = False,
    force: options.Force = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Report on a released FILE: what is promised and holds, what was lost, what attacks got.

    Counts everything again from FILE; with --original it compares with the private table. The
    inside edition is for the holder of the data. Give recipients the outside edition. Ends with 1,
    and writes nothing, if a promise does not hold.
    """
    if file is None or str(file) == "-":
        what = "a report is about a file" if file else "no file is named"
        raise FlagError("FILE", what, "Name the released file.")
    if policy is None:
        raise FlagError("--policy", "a report is about what was promised", "Give --policy P.")
    if out is not None:
        read = (file, policy, original, register, ledger, *(facts or ()))
        check_picture(out, read, ENDINGS, force, "-o")
    if pdf:
        _check_pdf(out, read if out is not None else (), force)
    if metadata is not None:
        from discreet.reporting.metadata import check_folder

        check_folder(metadata, force)
    from discreet.pipeline.description.describe import BrokenReleaseError
    from discreet.reporting.report import report as make

    own_sheet = None if original else sheet
    try:
        made = make(
            file,
            options.choose_policy(policy, profile=profile).policy,
            original=_open(original, separator, encoding, sheet),
            register=_open(register, separator, encoding, None),
            ledger=ledger,
            facts=facts or (),
            population=population,
            edition=edition,
            broken=broken,
            open_table=partial(options.read_table, file, separator, encoding, own_sheet),
        )
    except BrokenReleaseError as error:
        _show_broken(error, json, quiet)
        raise typer.Exit(1) from None
    written = [] if metadata is None else made.write_metadata(metadata, replace=force)
    if out is not None:
        made.write(out, replace=force)
        if pdf:
            made.write_pdf(out.with_suffix(".pdf"), replace=force)
    if not quiet:
        if json:
            output.print_json(made.facts())
        else:
            _show(made, out, written)
    if not made.data.holds:
        raise typer.Exit(1)


def _open(path: Path | None, separator: str | None, encoding: str | None, sheet: str | None) -> Any:
    return None if path is None else options.read_table(path, separator, encoding, sheet)


def _check_pdf(out: Path | None, read: tuple[Path | None, ...], force: bool) -> None:
    """Refuse before any work is done where no PDF could be written."""
    if out is None:
        raise FlagError("--pdf", "it prints the page that is written", "Name it: -o report.html.")
    from discreet.reporting.browser import find_browser

    check_picture(out.with_suffix(".pdf"), read, (".pdf",), force, "--pdf")
    find_browser()


def _show_broken(error: Any, json: bool, quiet: bool) -> None:
    found = {} if error.found is None else error.found.facts()
    if json and not quiet:
        output.print_json({**found, "holds": False, "why": error.what})
    elif not quiet:
        if found:
            output.print_verdicts(found["verdicts"], found["unique_rows"])
        output.write(f"{error.subject}: {error.what}. NO REPORT. {error.fix}")


def _show(made: Report, out: Path | None, written: list[Path]) -> None:
    data = made.data
    output.print_verdicts([one.model_dump() for one in data.promises])
    heads = ("column", "role", "released as", "loss")
    rows = [
        [one.name, one.role, one.released_as, "" if one.loss is None else f"{one.loss:.2f}"]
        for one in data.columns
    ]
    output.print_table("Columns", heads, rows)
    tried = [one for one in data.attacks if one.applies]
    beyond = [one.attack for one in tried if one.breaks]
    got = f"beyond the policy: {', '.join(beyond)}" if beyond else "none beyond the policy"
    output.write(f"Attacks tried: {len(tried)}, {got}.")
    for note in data.notes:
        output.write(f"Note: {note}")
    if out is None and not written:
        output.write("Without -o nothing is written.")
    elif out is not None and data.edition == "inside":
        output.write(f"The report is in {out}, the edition for inside: keep it in the house.")
    elif out is not None:
        output.write(
            f"The report is in {out}, the edition for outside: read it before you send it."
        )
    if written and made.outside is not None:
        from discreet.reporting.metadata import list_unsaid

        names = ", ".join(one.name for one in written)
        output.write(f"Metadata in {written[0].parent}: {names}. Read them before you send them.")
        if unsaid := list_unsaid(made.outside):
            keys = ", ".join(f"about.{key}" for key in unsaid)
            output.write(f"Croissant asks for what the policy does not say: {keys}.")
