"""``discreet advise``: the smallest changes to a policy that keep most more of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options, output
from discreet.cli.failure import FlagError
from discreet.cli.render_advice import show_advice

if TYPE_CHECKING:
    from discreet.pipeline.advice.advise import Advice
    from discreet.policy.policy import Policy


Seconds = Annotated[
    float | None,
    typer.Option(
        "--seconds",
        metavar="N",
        rich_help_panel=options.SEARCH,
        help="How long to try changes (default: 20).",
    ),
]


def advise(
    file: options.File,
    policy: options.PolicyFile = None,
    profile: options.Profile = None,
    seconds: Seconds = None,
    quasi: options.Quasi = None,
    sensitive: options.Sensitive = None,
    k: options.K = None,
    anonymity: options.Anonymity = None,
    suppress: options.Suppress = None,
    measure: options.Measure = None,
    time_limit: options.TimeLimit = None,
    separator: options.Separator = None,
    encoding: options.Encoding = None,
    sheet: options.Sheet = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
    seed: options.Seed = None,
) -> None:
    """Show which changes to a policy would keep more of FILE.

    Every change is tried on FILE, and its figures are those of the release that the changed policy
    makes. Changes that leave every promise as it is come first; others are marked. No release is
    written, and no value of FILE is shown.
    """
    if seconds is not None and not seconds > 0:
        what = "there must be some time to try"
        raise FlagError("--seconds", what, "Give a number above 0.")
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
    )
    table = options.read_table(file, separator, encoding, sheet)
    found = _run_advise(table, chosen.policy, seconds, quiet)
    if quiet:
        return
    output.say_changes(chosen.changes)
    if json:
        output.print_json(found.facts())
    else:
        show_advice(found.facts())


def _run_advise(table: Any, policy: Policy, seconds: float | None, quiet: bool) -> Advice:
    from discreet.pipeline.advice.advise import advise as run

    progress = output.Progress(quiet)
    with progress:
        if seconds is None:
            return run(table, policy, progress=progress)
        return run(table, policy, seconds=seconds, progress=progress)
