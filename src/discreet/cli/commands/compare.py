"""discreet compare: several algorithms side by side on one table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options, output
from discreet.cli.failure import FlagError
from discreet.cli.target import check_picture
from discreet.errors import PolicyError, ReleaseError

if TYPE_CHECKING:
    from discreet.pipeline.compare import Comparison
    from discreet.policy.policy import Policy


Algorithms = Annotated[
    list[str] | None,
    typer.Option(
        "-a",
        "--algorithm",
        metavar="NAME",
        autocompletion=options.complete_algorithm,
        help="An algorithm, or {name: {parameters}}; repeat. Default: all that keep the policy.",
    ),
]
Picture = Annotated[
    Path | None,
    typer.Option(
        "--picture",
        metavar="PICTURE",
        readable=False,
        help="Draw protection against detail: .svg, .png or .pdf.",
    ),
]

Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="R",
        readable=False,
        help="Write a report on the first that keeps the policy, the others as alternatives.",
    ),
]


def compare(
    file: options.File,
    policy: options.PolicyFile = None,
    profile: options.Profile = None,
    algorithm: Algorithms = None,
    picture: Picture = None,
    report: Report = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    k: options.K = None,
    anonymity: options.Anonymity = None,
    suppress: options.Suppress = None,
    measure: options.Measure = None,
    time_limit: options.TimeLimit = None,
    force: options.Force = False,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    seed: options.Seed = None,
) -> None:
    """Compare algorithms on FILE under a policy.

    Shows for each what it protects, what it keeps and how long it takes. No release is written.
    """
    if picture is not None:
        from discreet.reporting.pictures import ENDINGS, require_plots

        check_picture(picture, (file, policy), ENDINGS, force)
        require_plots(picture)
    if report is not None:
        read = tuple(filter(None, (file, policy, picture)))
        check_picture(report, read, (".html", ".htm"), force, "--report")
    chosen = options.choose_policy(
        policy,
        quasi,
        sensitive,
        k,
        anonymity=options.parse_share(anonymity),
        profile=profile,
        suppress=options.parse_share(suppress),
        measure=measure,
        seed=seed,
        time_limit=time_limit,
    ).for_recipient()
    wanted = [_read_algorithm(text, chosen.policy) for text in algorithm or ()]
    table = options.read_table(file, separator, encoding, sheet)
    found = _run_compare(table, chosen.policy, wanted, quiet)
    facts = found.facts()
    if not found.releases:
        told = " ".join(f"{title}: {why}" for title, why in found.refused.items())
        what = "no algorithm made a release, so there is nothing to compare"
        raise ReleaseError("", what, told)
    if picture is not None:
        from discreet.reporting.pictures import draw_comparison

        draw_comparison(facts, picture, force)
    if report is not None:
        _write_report(found, report, force, quiet)
    if quiet:
        return
    output.say_changes(chosen.changes)
    if json:
        output.print_json(facts)
    else:
        output.say_profile(chosen.policy.recipient.facts())
        _show(facts, picture)
        if report is not None:
            output.write(
                f"The report is in {report}, the edition for inside: keep it in the house."
            )


def _write_report(found: Comparison, path: Path, force: bool, quiet: bool) -> None:
    from discreet.reporting.report import report_comparison

    progress = output.Progress(quiet)
    try:
        report_comparison(found, progress).write(path, replace=force)
    finally:
        progress.end()


def _run_compare(table: Any, policy: Policy, wanted: list[Any], quiet: bool) -> Comparison:
    from discreet.pipeline.compare import compare as run

    progress = output.Progress(quiet)
    try:
        return run(table, policy, wanted, progress)
    finally:
        progress.end()


def _read_algorithm(text: str, policy: Policy) -> Any:
    """A name, or a mapping as a policy file has it."""
    import yaml

    from discreet.policy.policy_file import PolicyLoader

    flag = f"-a '{text}'"
    try:
        return policy.replace(algorithm=yaml.load(text, PolicyLoader)).algorithm
    except (yaml.YAMLError, RecursionError, ValueError):
        fix = "Write a name, or '{mu-argus: {variant: complete}}' in quotes."
        raise FlagError(flag, "this is neither a name nor a mapping", fix) from None
    except PolicyError as error:
        raise FlagError(flag, error.problems[0].what.rstrip("."), "") from None


def _show(facts: dict[str, Any], picture: Path | None) -> None:
    results = facts["results"]
    if results:
        output.print_table("Protection", PROTECTION, [_render_protection(one) for one in results])
        output.print_table(
            "Detail", DETAIL, [_render_detail(one, facts["measure"]) for one in results]
        )
    for one in facts["refused"]:
        output.write(f"Not run: {one['title']}: {one['why']}")
    output.write(
        "attacks it fails: they get beyond the policy, with the rows exposed; by the others "
        "intruders learn what the policy does not promise to hide."
    )
    output.write(
        f"bound: no release of its kind can do better in {facts['measure']}; - where none is known."
    )
    if picture is not None:
        output.write(f"Drawn to {picture}.")


PROTECTION = (
    "algorithm",
    "policy",
    "smallest class",
    "rows at risk",
    "attacks it fails",
    "intruders learn by",
)
DETAIL = (
    "algorithm",
    "precision",
    "granularity",
    "loss",
    "bound",
    "rows suppressed",
    "cells suppressed",
    "classes",
    "seconds",
)


def _render_protection(one: dict[str, Any]) -> tuple[Any, ...]:
    got = [a for a in one["attacks"] if a["succeeds"]]
    failed = [_name_attack(a) for a in got if a["breaks"]]
    told = ", ".join(failed) or "none"
    if one["undecided"]:
        told += f"; NOT KNOWN: {', '.join(a['attack'] for a in one['undecided'])}"
    return (
        one["title"],
        "kept" if one["holds"] else "BROKEN",
        one["smallest_class"],
        one["rows_at_risk"],
        told,
        ", ".join(_name_attack(a) for a in got if not a["breaks"]) or "-",
    )


def _name_attack(one: dict[str, Any]) -> str:
    return f"{one['attack']} ({one['rows_exposed']:,})"


def _render_detail(one: dict[str, Any], measure: str) -> tuple[Any, ...]:
    measures, optimal = one["measures"], one["optimal"]
    bound = "proven best" if optimal["proven"] else output.format_fact(optimal["bound"])
    return (
        one["title"],
        measures["precision"],
        measures["granularity"],
        measures["loss"],
        bound,
        one["rows_suppressed"],
        one["cells_suppressed"],
        one["classes"],
        round(one["seconds"], 2),
    )
