"""What ``discreet anonymize`` tells of a release."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.cli import output
from discreet.cli.intruder import list_undecided
from discreet.cli.release_options import describe_ledger_place
from discreet.cli.target import show_target

if TYPE_CHECKING:
    from discreet.pipeline.anonymize import Release
    from discreet.pipeline.people.together import ReleaseTogether
    from discreet.policy.policy import Policy


UNPROTECTED = "The policy is NOT kept: see the promises above that fail, and their rows at risk."
FEW = 6
"""Columns that a technique is shown with; more are said to be all."""
FALLEN = (
    "Nothing was written: an attack succeeds. Use a stricter policy or another algorithm, or "
    "insist: --release-unprotected."
)
UNDECIDED = (
    "could not be decided. Follow the advice above, or release it without knowing: "
    "--accept-undecided."
)


def warn(release: Release | ReleaseTogether, shown: bool) -> None:
    """Before anything is written, print warnings about columns and other statements."""
    _ = release.several_rows
    for one in release.identifying_columns:
        if shown:
            output.write(f"Warning: {one.note}.")


def show(
    facts: dict[str, Any],
    policy: Policy,
    out: Path | None,
    written: Path | None,
    advice: Sequence[str] = (),
) -> None:
    """The release, its promises, what would keep more, and where it went, for people."""
    from discreet.pipeline.promise import state_limits, state_promises

    rows = [(name, _find_role(policy, name), how) for name, how in facts["released_as"].items()]
    output.print_table("Released", ("column", "role", "as"), rows)
    _show_techniques(facts)
    output.print_table("", ("fact", "value"), _list_counts(facts))
    output.print_verdicts(facts["verdicts"], facts["unique_rows"])
    output.say_people(facts["several_rows_per_person"])
    output.say_level(facts["anonymity"])
    output.say_profile(facts["profile"])
    said = (
        _state_proof(facts),
        *advice,
        *_state_choice(facts.get("chosen")),
        output.explain_missing_rule(policy.missing.meaning),
        *_note_proposed(policy),
    )
    for line in (*said, *(f"Note: {note.removesuffix('.')}." for note in facts["notes"])):
        output.write(line)
    holds = all(verdict["holds"] for verdict in facts["verdicts"])
    output.write(state_promises(policy) if holds else UNPROTECTED)
    output.write(state_limits(policy))
    if written is not None:
        output.write(f"Written to {show_target(written)}{'' if holds else ', UNPROTECTED'}.")
        _warn_of_keys(policy, written)
    elif out is None:
        output.write("Nothing was written: give -o OUT.")
    elif holds and facts.get("withstands", False) is None:
        output.write(f"Nothing was written: {list_undecided(facts)} {UNDECIDED}")
    elif holds:
        output.write(FALLEN)
    else:
        output.write("Nothing was written: use another variant, or insist: --release-unprotected.")
    for line in describe_ledger_place(facts.get("ledger")):
        output.write(line)


def _find_role(policy: Policy, name: str) -> str:
    """The role of a column; one that only tells people apart is an identifier."""
    return policy.columns[name].role.value if name in policy.columns else "identifier"


def _warn_of_keys(policy: Policy, written: Path) -> None:
    """Warn of keys that would go out with the folder of the release, if it is in one."""
    if not written.exists():  # a table of a database
        return
    keys = {column.replace.key for column in policy.columns.values() if column.replace is not None}
    if policy.people is not None and policy.people.key is not None:
        keys.add(policy.people.key)
    folder = (
        Path(os.path.realpath(written))
        if written.is_dir()
        else Path(os.path.realpath(written)).parent
    )
    for key in sorted(keys):
        if Path(os.path.realpath(key)).parent == folder:
            output.note(f"Note: {key.name} is in the folder of the release: never hand it out.")


def _name_column(technique: dict[str, Any], column: str) -> str:
    """A column that a technique changed, as the policy names it: by its table if it has one."""
    return f"{technique['table']}.{column}" if "table" in technique else column


def _show_techniques(facts: dict[str, Any]) -> None:
    rows = [
        (
            one["technique"],
            ", ".join(_name_column(one, column) for column in one["columns"])
            if len(one["columns"]) <= FEW
            else "all released",
            one["protection"],
            "not measured" if one["utility"] is None else one["utility"]["distortion"],
            one["keeps"],
        )
        for one in facts["techniques"]
    ]
    if rows:
        heads = ("technique", "columns", "towards", "distortion", "keeps")
        output.print_table("Techniques, in the order in which they were run", heads, rows)


def _list_counts(facts: dict[str, Any]) -> list[tuple[str, Any]]:
    people, rows = ("people", "people_suppressed"), ("rows", "rows_suppressed")
    names = (*people, *rows, "cells_suppressed", "classes", "smallest_class")
    counts = [(name.replace("_", " "), facts[name]) for name in names if name in facts]
    if left_out := facts.get("records", {}).get("rows_left_out"):
        counts.append(("rows left out by people.records", left_out))
    return counts + [(name.replace("_", " "), v) for name, v in facts["measures"].items()]


def _state_proof(facts: dict[str, Any]) -> str:
    """Whether this is the best release there is, or how far from it this may be."""
    optimal = facts.get("optimal") or {}
    checked = f"{facts['algorithm']}, {facts.get('seconds', 0):.2f} s"
    if optimal.get("nodes"):
        checked += f", {optimal['nodes_checked']:,} of {optimal['nodes']:,} nodes checked"
    if optimal.get("proven"):
        return f"Proven to be the best release of its kind ({checked})."
    if optimal.get("bound") is not None:
        bound = f"{facts['measure']} {output.format_fact(optimal['bound'])}"
        gap = f", a gap of {output.format_fact(optimal['gap'])}" if optimal.get("gap") else ""
        return f"Not proven to be the best; none can do better than {bound}{gap} ({checked})."
    return f"Not proven to be the best release ({checked})."


def _state_choice(chosen: Mapping[str, Any] | None) -> list[str]:
    """What was chosen by trying, where no policy says it."""
    if chosen is None or len(chosen["tried"]) < 2:
        return []
    tried = [
        f"{one['algorithm']} {100 * one['suppress']:g} %: {output.format_fact(one['granularity'])}"
        for one in chosen["tried"]
    ]
    settings = f"algorithm {chosen['algorithm']}, suppress {chosen['suppress']:g}"
    return [f"Chosen by trying, since no policy says it: {settings} ({', '.join(tried)})."]


def _note_proposed(policy: Policy) -> list[str]:
    from discreet.policy.parts import Auto

    auto = [name for name in policy.quasi if isinstance(policy.columns[name].hierarchy, Auto)]
    if not auto:
        return []
    return [f"Hierarchies proposed from the data, not chosen by you: {', '.join(auto)}."]
