"""``discreet scrub``: names, addresses, dates and numbers in text, found and replaced."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from discreet.cli import interrupt, options, output
from discreet.cli.failure import FlagError, name_flags
from discreet.cli.render_sets import format_count
from discreet.cli.target import (
    Target,
    check_columns,
    check_facts,
    check_out,
    check_private,
    check_review,
    write_review,
)
from discreet.display import dataclass, hide_credentials, safe_repr
from discreet.errors import SourceError, did_you_mean

if TYPE_CHECKING:
    from discreet.replacement_key import ReplacementKey
    from discreet.scrubbing.finder import Finder
    from discreet.scrubbing.formats.target import Target as Place
    from discreet.scrubbing.report import ScrubReport
    from discreet.scrubbing.review.review import Review


# ``discreet scrub --train``: likelihoods of templates fitted to marked text; and external models.


@safe_repr
class Told(NamedTuple):
    """Whether a call names more than it can do, may replace files, and how it shows."""

    more: bool
    force: bool
    json: bool
    quiet: bool


def load_more_knowledge(
    language: str, likelihoods: Path | None, external_models: list[str] | None
) -> dict[str, Any]:
    """Settings of a scrubber that are there only if they are asked for."""
    found: dict[str, Any] = {}
    if likelihoods is not None:
        from discreet.scrubbing.training import load_likelihoods

        found["likelihoods"] = load_likelihoods(likelihoods, language)
    if external_models:
        from discreet.scrubbing.external_models import add_external_models

        found["detectors"] = add_external_models(external_models)
    return found


def run_training(gold: Path, target: Path | None, settings: dict[str, Any], told: Told) -> None:
    """Train on marked text, show what came of it, and write the likelihoods."""
    from discreet.scrubbing.evaluate import read_gold
    from discreet.scrubbing.machine import Scrubber
    from discreet.scrubbing.training import Training, show

    if told.more:
        what = "marked text is trained on, not scrubbed or measured"
        raise FlagError("--train", what, "Give it without PATH, -o, --evaluate and the like.")
    if target is not None and target.exists() and not told.force:
        raise FlagError(f"--likelihoods {target}", "it is there already", "Add --force.")
    trained = Training()(Scrubber(**settings), read_gold(gold))
    if target is not None:
        trained.save(target, replace=told.force)
    if told.json and not told.quiet:
        output.print_json(trained.facts())
    elif not told.quiet:
        output.write(show(trained))
        where = "Nothing was written: give --likelihoods." if target is None else ""
        output.write(where or f"Written to {target}; it holds no text.")


FINDING = "What is found"
REPLACING = "Replacement"
TABLES = "Tables and JSON"
LOOKING = "Review and facts"
MEASURING = "Marked text"

Paths = Annotated[list[Path] | None, typer.Argument(metavar="PATH...", readable=False, hidden=True)]
Out = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="OUT", help="File or folder to write; - to print."),
]
Style = Annotated[
    str,
    typer.Option(
        "--style", metavar="S", rich_help_panel=REPLACING, help="pseudonym, tag, blank or remove."
    ),
]
Scope = Annotated[
    str,
    typer.Option(
        "--scope",
        metavar="S",
        rich_help_panel=REPLACING,
        help="Where replacements are the same: document, person or corpus.",
    ),
]
Key = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        rich_help_panel=REPLACING,
        help="Key for replacements; created if it does not exist.",
    ),
]
Dates = Annotated[
    str,
    typer.Option(
        "--dates",
        metavar="RULE",
        rich_help_panel=REPLACING,
        help="month, shift or keep; see the reference.",
    ),
]
Threshold = Annotated[
    float,
    typer.Option(
        "--threshold", metavar="T", rich_help_panel=FINDING, help="Least likelihood, 0 to 1."
    ),
]
Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kinds",
        metavar="KIND",
        rich_help_panel=FINDING,
        help="Only this kind, such as NAME; repeat.",
    ),
]
People = Annotated[
    Path | None,
    typer.Option(
        "--people",
        metavar="FILE",
        rich_help_panel=FINDING,
        help="Names that you know of, one per line.",
    ),
]
Language = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="L",
        rich_help_panel=FINDING,
        help="Language of the texts, such as en.",
    ),
]
Column = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="COLUMN",
        rich_help_panel=TABLES,
        help="Column or field with text; repeat.",
    ),
]
Person = Annotated[
    str | None,
    typer.Option(
        "--person",
        metavar="COLUMN",
        rich_help_panel=TABLES,
        help="Column or field that identifies the person.",
    ),
]
Known = Annotated[
    list[str] | None,
    typer.Option(
        "--known",
        metavar="COLUMN",
        rich_help_panel=TABLES,
        help="Search for its values in the texts of their row; repeat for more.",
    ),
]
Gold = Annotated[
    Path | None,
    typer.Option(
        "--evaluate",
        metavar="GOLD",
        rich_help_panel=MEASURING,
        help="Measure recall and precision on GOLD.",
    ),
]
Train = Annotated[
    Path | None,
    typer.Option(
        "--train",
        metavar="GOLD",
        rich_help_panel=MEASURING,
        help="Adjust likelihoods to GOLD, into FILE.",
    ),
]
Likelihoods = Annotated[
    Path | None,
    typer.Option(
        "--likelihoods",
        metavar="FILE",
        rich_help_panel=MEASURING,
        help="Trained likelihoods to find with.",
    ),
]
ExternalModels = Annotated[
    list[str] | None,
    typer.Option(
        "--external-model",
        metavar="MODEL",
        rich_help_panel=FINDING,
        help="spacy:MODEL or presidio:MODEL, as a detector.",
    ),
]
ReviewPage = Annotated[
    Path | None,
    typer.Option(
        "--review",
        metavar="PAGE",
        rich_help_panel=LOOKING,
        help="Write a review page with the original texts; private.",
    ),
]
Decisions = Annotated[
    Path | None,
    typer.Option(
        "--decisions",
        metavar="FILE",
        rich_help_panel=LOOKING,
        help="Do what was decided on the review page.",
    ),
]
FactsFile = Annotated[
    Path | None,
    typer.Option(
        "--facts",
        metavar="CSV",
        rich_help_panel=LOOKING,
        help="Write the facts found in each document; private.",
    ),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", metavar="N", help="Cores to use (default: all).")
]


def scrub(
    context: typer.Context,
    paths: Paths = None,
    out: Out = None,
    style: Style = "pseudonym",
    scope: Scope = "document",
    key: Key = None,
    dates: Dates = "month",
    threshold: Threshold = 0.7,
    kinds: Kinds = None,
    people: People = None,
    language: Language = "en",
    column: Column = None,
    person: Person = None,
    known: Known = None,
    sheet: options.Sheet = None,
    evaluate: Gold = None,
    train: Train = None,
    likelihoods: Likelihoods = None,
    external_model: ExternalModels = None,
    review: ReviewPage = None,
    decisions: Decisions = None,
    facts: FactsFile = None,
    jobs: Jobs = None,
    force: options.Force = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find and replace what identifies people in texts.

    PATH is a document (text, HTML, DOCX, PDF, mail, JSON, a table), a folder, or - for text from a
    pipe. Without -o nothing is written; findings are only counted. What comes out is
    de-identified, not anonymous. Ends with 0; with 1 where a document had to be left out.
    """
    settings = {
        "language": language,
        "threshold": threshold,
        "kinds": _parse_kinds(kinds),
        "people": () if people is None else _read_names(people),
        **load_more_knowledge(language, None if train else likelihoods, external_model),
    }
    if jobs is not None and jobs < 1:
        raise FlagError(f"--jobs {jobs}", "there must be a core to work on", "Give 1 or more.")
    more = bool(paths) or any(given is not None for given in (out, review, facts, key))
    if train is not None:
        run_training(train, likelihoods, settings, Told(more or bool(evaluate), force, json, quiet))
        return
    if evaluate is not None:
        _evaluate(evaluate, settings, more, json, quiet)
        return
    if not paths:
        raise FlagError("PATH", "there is nothing to scrub", "Name a document, a folder or -.")
    if str(out) == "-" and json:
        raise FlagError("-o -, --json", "both print", "Name a file with -o.")
    if str(out) == "-" and decisions is not None:
        what = "what is printed cannot be taken back if a text turns out to be changed"
        raise FlagError("-o -, --decisions", what, "Name a file with -o.")
    check_out(out, paths, force)
    if str(out) == "-":
        context.obj["interrupted"] = "interrupted; what was printed is not complete"
    elif out is not None:
        context.obj["target"] = Target(out)
    check_review(review, paths, out, force)
    check_facts(facts, [*paths, *([review] if review else [])], out, bool(kinds), force)
    check_columns(scope, person, column, known, paths)
    if key is not None:
        check_private(f"--key {key}", key, [*paths, *filter(None, (review, facts))], out)
    report = _scrub(
        Asked(
            paths,
            out,
            review,
            settings,
            {"style": style, "scope": scope, "dates": dates, "language": language},
            {
                "columns": tuple(column or ()),
                "person": person,
                "known": tuple(known or ()),
                "sheet": sheet,
                "header": interrupt.state.get("header") or None,
            },
            jobs,
            facts,
            decisions,
            force,
        ),
        key,
        output.Progress(quiet or json),
    )
    if json and not quiet:
        output.print_json(report.facts())
    elif not quiet:
        _show(report, out, review, facts)
    if report.left_out:
        raise typer.Exit(1)


@dataclass(frozen=True)
class Asked:
    """What a call asks for: where from and where to, how to find, how to replace, which columns."""

    paths: list[Path]
    out: Path | None
    review: Path | None
    finding: dict[str, Any]
    replacing: dict[str, Any]
    table: dict[str, Any]
    jobs: int | None
    facts: Path | None = None
    decisions: Path | None = None
    force: bool = False

    @property
    def single(self) -> bool:
        """Whether one document is named."""
        return len(self.paths) == 1 and not self.paths[0].is_dir()


def _scrub(asked: Asked, key: Path | None, progress: output.Progress) -> ScrubReport:
    from discreet.scrubbing.formats.documents import list_inputs, refuse_pdf_name
    from discreet.scrubbing.replace.replacer import Replacer
    from discreet.scrubbing.report import ScrubReport
    from discreet.scrubbing.review.decisions import make_deciding_finder
    from discreet.scrubbing.scrub import Scrub

    report = ScrubReport()
    documents = list_inputs(asked.paths, report)
    refuse_pdf_name(documents, asked.out)
    finder, review = _make_finder(asked)
    wanted = None if asked.decisions is None else make_deciding_finder(finder, asked.decisions)
    avoid = frozenset(word for name in asked.finding["people"] for word in name.split())
    replacer = Replacer(avoid=avoid, **asked.replacing)
    if key is not None:
        replacer = replace(replacer, key=_load_or_create_key(key, progress.quiet))
    job = Scrub(wanted or finder, replacer, **asked.table)
    with ExitStack() as stack:
        target = _open_target(asked, stack)
        job(documents, target, report, review, asked.single, progress)
        progress.end()
        if wanted is not None:
            wanted.check_met()
            report.choices["decisions"] = wanted.facts()
        if asked.review is not None and review is not None:
            write_review(asked.review, review.page(), asked.force)
        if asked.facts is not None:
            report.choices["facts"] = _write_facts(asked.facts, review, asked.force)
    return report


def _write_facts(path: Path, review: Review | None, replace: bool) -> dict[str, Any]:
    """Write what the texts tell; gives the figures of it."""
    from discreet.scrubbing.facts.fact_table import GatheringReview

    assert isinstance(review, GatheringReview)
    review.table.write(path, replace)
    return review.table.facts()


def _make_finder(asked: Asked) -> tuple[Finder, Review | None]:
    """What finds, and what looks on: for a page of review, for a table of facts, or for both."""
    from discreet.scrubbing.finder import Finder
    from discreet.scrubbing.review.review import Review

    paged = asked.review is not None
    finder = Finder(asked.finding, asked.jobs, doubtful=paged)
    if asked.facts is not None:
        from discreet.scrubbing.facts.fact_table import make_gatherers

        return make_gatherers(finder, by_person=asked.table["person"] is not None)
    return finder, Review(asked.finding["threshold"]) if paged else None


def _open_target(asked: Asked, stack: ExitStack) -> Place:
    from discreet.scrubbing.formats.target import Nowhere, Output, open_folder, open_one_file

    if asked.out is None:
        return Nowhere()
    if str(asked.out) == "-":
        return Output()
    if asked.single and not asked.out.is_dir():
        return stack.enter_context(open_one_file(asked.out, asked.force))
    return stack.enter_context(open_folder(asked.out, asked.force))


def _load_or_create_key(path: Path, quiet: bool) -> ReplacementKey:
    """The key of a file; a new one, which is said, if there is no such file."""
    from discreet.replacement_key import ReplacementKey

    if os.path.lexists(path):
        return ReplacementKey.load(path)
    key = ReplacementKey.create(path)
    if not quiet:
        output.note(f"A new key is stored in {path}: anyone who has it can test names.")
    return key


def _parse_kinds(given: list[str] | None) -> frozenset[str] | None:
    from discreet.scrubbing.replace.kinds import REPLACERS

    if not given:
        return None
    known = [*REPLACERS, "TEAM", "PASSWORD", "OCCUPATION"]
    asked = [kind.strip().upper() for one in given for kind in one.split(",") if kind.strip()]
    for kind in asked:
        if kind not in known:
            raise FlagError(f"--kinds {kind}", "there is no such kind", did_you_mean(kind, known))
    return frozenset(asked)


def _read_names(path: Path) -> tuple[str, ...]:
    """Names of people, one a line; of several fields the first."""
    from discreet.input_file import NAMES, read_input
    from discreet.scrubbing.formats.decode import decode

    try:
        raw = read_input(path, NAMES)
    except OSError as error:
        what = f"it cannot be read: {(error.strerror or 'the system refused').lower()}"
        raise SourceError(path, what, "Check the path.") from None
    lines = decode(raw, path.name).text.splitlines() if raw else []
    names = (line.partition("\t")[0].strip().strip('"') for line in lines)
    return tuple(dict.fromkeys(name for name in names if name))


def _evaluate(gold: Path, settings: dict[str, Any], more: bool, json: bool, quiet: bool) -> None:
    from discreet.scrubbing.evaluate import evaluate, read_gold, show
    from discreet.scrubbing.machine import Scrubber

    if more:
        what = "marked text is measured, not scrubbed"
        raise FlagError("--evaluate", what, "Give it without PATH, -o and the like.")
    found = evaluate(Scrubber(**settings).find, read_gold(gold))
    if json and not quiet:
        output.print_json(found.facts())
    elif not quiet:
        output.write(show(found))


def _show(
    report: ScrubReport, asked_out: Path | None, review: Path | None, facts: Path | None
) -> None:
    """The counts; on standard error where the text itself is printed."""
    printing = str(asked_out) == "-"
    tell = output.note if printing else output.write
    found = sum(report.findings.values())
    tell(
        f"{format_count(report.documents, 'document')}, {report.characters:,} characters: "
        f"{format_count(found, 'finding')}"
    )
    if report.findings and not printing:
        output.print_table("", ("kind", "found"), sorted(report.findings.items()))
    for what, count in _list_counts(report):
        tell(f"{what}: {count:,}.")
    for notice in report.list_notices():
        output.note(f"Note: {name_flags(notice, interrupt.state)}")
    if asked_out is None:
        nothing = "Nothing" if review is None and facts is None else "No scrubbed text"
        tell(f"{nothing} was written: give -o to scrub.")
    elif not printing:
        key = "" if report.choices["key"] == "given" else " The key was drawn for this run only."
        tell(
            f"Written to {hide_credentials(str(asked_out))}, {report.choices['style']} style.{key}"
        )
    if review is not None:
        tell(f"{review} shows the original texts: private, readable only by you.")
    if facts is not None:
        tell(f"{facts} contains the facts found in the texts: private, readable only by you.")
        told = report.choices["facts"]
        what = f"{told['telling']:,} of {format_count(told['rows'], 'row')} contain facts"
        tell(f"{what}; {told['unique']:,} of these are unique.")
    tell(report.facts()["promise"])


def _list_counts(report: ScrubReport) -> Iterable[tuple[str, int]]:
    if report.kept:
        yield "Found and kept by choice", report.kept
    for what, count in sorted((+report.removed).items()):
        yield f"Taken out, {what}", count
    for what, count in sorted((+report.problems).items()):
        yield f"Not processed, {what}", count
