"""What ``discreet advise`` tells, and what other commands say of it in short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.cli import output
from discreet.cli.next_command import write_command
from discreet.errors import ReleaseError

if TYPE_CHECKING:
    from discreet.pipeline.anonymize import Release
    from discreet.policy.policy import Policy

MOST = 12
"""Suggestions that are shown; the JSON has all."""

SHORT = 2
"""Suggestions that other commands show."""

HEADS = ("change", "promises", "granularity", "loss", "rows left out", "cells kept", "* only")


def show_advice(facts: Mapping[str, Any]) -> None:
    """The advice for people: before, the changes with their figures, and the lines to paste."""
    before, found = facts["before"], facts["suggestions"]
    if before is None:
        output.write(f"The policy cannot be kept as it is: {facts['refused']}")
    else:
        _show_columns(facts["file"], before)
    rows = [] if before is None else [("(the policy as it is)", *_list_figures(before, False))]
    rows += [
        (f"{number}. {_join_changes(one)}", *_list_figures(one["after"], one["weakens"]))
        for number, one in enumerate(found[:MOST], start=1)
    ]
    if found:
        output.print_table("Tried", HEADS, rows)
    _say_rest(facts)
    if not found:
        output.write("No change that was tried keeps noticeably more.")
        return
    _show_lines(found)


def _show_columns(name: str, before: Mapping[str, Any]) -> None:
    rows = [
        (
            one["column"],
            "cell by cell" if one["level"] is None else f"level {one['level']}",
            one["rows_kept"],
            f"{100 * one['share']:.1f} %",
            one["granularity"],
        )
        for one in before["columns"]
    ]
    heads = ("column", "released at", "rows not *", "share", "granularity")
    output.print_table(f"What the policy keeps of {name} as it is", heads, rows)


def _list_figures(kept: Mapping[str, Any], weakens: bool) -> tuple[Any, ...]:
    lost = [one["column"] for one in kept["columns"] if one["granularity"] < 1e-9]
    return (
        "WEAKER" if weakens else "as before",
        kept["granularity"],
        kept["loss"],
        kept["rows_left_out"],
        kept["cells_kept"],
        ", ".join(lost) or "-",
    )


def _join_changes(one: Mapping[str, Any]) -> str:
    return "; ".join(change["text"] for change in one["changes"])


def _say_rest(facts: Mapping[str, Any]) -> None:
    more = len(facts["suggestions"]) - MOST
    if more > 0:
        output.write(f"{more} more suggestions are in the JSON (--json).")
    for title, key in (("Tried without gain", "without_gain"), ("Not tried", "not_tried")):
        if facts[key]:
            told = [_explain(one) for one in facts[key]]
            output.write(f"{title}: {'; '.join(told)}.")
    if any(one["weakens"] for one in facts["suggestions"]):
        output.write(
            "WEAKER: less is promised than before; whoever answers for the data must agree."
        )


def _explain(one: Mapping[str, str]) -> str:
    """A change with the reason, unless that is a figure that says what the title says."""
    why = one["why"].rstrip(".")
    return one["change"] if why.startswith("detail") else f"{one['change']} ({why})"


def _show_lines(found: Sequence[Mapping[str, Any]]) -> None:
    """The keys to change, for the best change and the best that changes one thing."""
    shown = [0]
    single = next((n for n, one in enumerate(found) if len(one["changes"]) == 1), 0)
    if single not in shown:
        shown.append(single)
    for number in shown:
        output.write(f"For {number + 1}, change in the policy:")
        output.write("".join(f"  {line}\n" for line in found[number]["policy"].splitlines()))


# In short, at the end of other commands.


ASKED = (
    *("policy", "profile", "quasi", "sensitive", "k", "anonymity", "suppress", "measure"),
    *("time_limit", "seed"),
)
"""Options that say what a release must keep, and that advice takes too."""

POOR = 0.5
"""A release with less granularity than this is shown with what would keep more."""

QUICK, BRIEFLY = 2.0, 1.5
"""Seconds that a release may take so that changes are tried at once, and how long they are."""


def advise_in_short(release: Release, policy: Policy, file: Path) -> list[str]:
    """What would keep more than a release that says little; nothing where it says enough."""
    from discreet.pipeline.advice.advise import advise_on
    from discreet.pipeline.advice.trials import measure_kept

    if policy.anonymity is not None and policy.anonymity.most_general:
        return []
    kept = measure_kept(release)
    if kept.granularity >= POOR and not kept.lost:
        return []
    what = f"NOTHING BUT * is left of {', '.join(kept.lost)}" if kept.lost else "LITTLE IS LEFT"
    lines = [f"{what} (granularity {kept.granularity:.3f}). What would keep more:"]
    if release.seconds <= QUICK:
        lines += summarize_advice(advise_on(release, policy, BRIEFLY, brief=True).facts())
    return [*lines, f"  {write_command('advise', file, also=ASKED)}"]


def add_advice(error: ReleaseError, table: Any, policy: Policy) -> ReleaseError:
    """The error of a promise that cannot be kept, with the changes that would make it possible."""
    from discreet.algorithms.claims import UnreachableError
    from discreet.pipeline.advice.advise import advise

    if not isinstance(error, UnreachableError):
        return error
    lines = summarize_advice(advise(table, policy, seconds=BRIEFLY).facts())
    told = "\n".join([error.template, "Changes that would make a release possible:", *lines])
    return ReleaseError(told) if lines else error


def summarize_advice(facts: Mapping[str, Any]) -> list[str]:
    """The best changes in a line each."""
    return [
        f"- {_join_changes(one)}: granularity {one['after']['granularity']:.3f}, "
        f"{one['after']['rows_left_out']:,} rows left out"
        + (" (WEAKER promise)" if one["weakens"] else "")
        for one in facts["suggestions"][:SHORT]
    ]
