"""What an intruder may have: options that ``attack`` and ``anonymize --attack`` share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from discreet.cli import options, output
from discreet.cli.failure import FlagError

if TYPE_CHECKING:
    from discreet.pipeline.withstand import Intruder


FIRST = 20
"""Row numbers shown of each attack; JSON has more."""

GIVE = "Name the files that an intruder may have: --register, --earlier, --summary, --original."

BEFORE = "Attack before writing"
HAS = "What an intruder has"

Register = Annotated[
    Path | None,
    typer.Option(
        "--register",
        metavar="R",
        click_type=options.TABLE_PATH,
        rich_help_panel=HAS,
        help="A register of people to link to.",
    ),
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="A=B",
        rich_help_panel=HAS,
        help="Column A of the release is called B in the register; repeat for more.",
    ),
]
Earlier = Annotated[
    list[Path] | None,
    typer.Option(
        "--earlier",
        metavar="E",
        click_type=options.TABLE_PATH,
        rich_help_panel=HAS,
        help="An earlier release; repeat for more.",
    ),
]
Summary = Annotated[
    Path | None,
    typer.Option(
        "--summary",
        metavar="S",
        click_type=options.TABLE_PATH,
        rich_help_panel=HAS,
        help="Published counts: lines of column,value,count, or of two columns and values.",
    ),
]
AcceptUndecided = Annotated[
    bool,
    typer.Option(
        "--accept-undecided",
        rich_help_panel=BEFORE,
        help="With --attack: write the release even if an attack could not be decided. An attack "
        "that succeeds still blocks it.",
    ),
]


def build_intruder(
    attack: bool,
    register: Path | None,
    names: Sequence[str] | None,
    earlier: Sequence[Path] | None,
    summary: Path | None,
    undecided: bool,
    separator: str | None,
    encoding: str | None,
) -> Intruder | None:
    """Whom a release is to withstand before it is written, if anybody."""
    flags = {
        "--register": register,
        "--map": names,
        "--earlier": earlier,
        "--summary": summary,
        "--accept-undecided": undecided,
    }
    for flag, value in flags.items():
        if value and not attack:
            raise FlagError(flag, "it is for attacks on the release", "Give --attack too.")
    if not attack:
        return None
    from discreet.pipeline.withstand import Intruder

    def open_file(path: Path | None) -> Any:
        return None if path is None else options.read_table(path, separator, encoding)

    return Intruder(
        open_file(register),
        parse_mapping(names or (), register),
        tuple(open_file(path) for path in earlier or ()),
        open_file(summary),
    )


def parse_mapping(pairs: Sequence[str], register: Path | None) -> dict[str, str]:
    """Names of the register for columns of the release."""
    if pairs and register is None:
        raise FlagError("--map", "there is no register", "Name it with --register R.")
    found = {}
    for pair in pairs:
        ours, equals, theirs = pair.partition("=")
        if not (ours and equals and theirs):
            what = f"'{pair}' does not name two columns"
            raise FlagError("--map", what, "Write --map zip=postcode: the release's name first.")
        found[ours] = theirs
    return found


def show(facts: Mapping[str, Any], name: str, policy: bool) -> None:
    """Every attack and what it got, for people."""
    attacks = facts["attacks"]
    rows = [(one["attack"], _name_result(one), _count_exposed(one), one["note"]) for one in attacks]
    output.print_table("Attacks", ("attack", "result", "rows exposed", "what it reveals"), rows)
    for one in attacks:
        if one["rows"] or one["earlier_rows"]:
            output.write(_state_evidence(one))
    for one in facts["undecided"]:
        output.write(f"{one['attack']} could NOT be decided: {one['why']}. {one['fix']}")
    for line in facts["assumes"]:
        output.write(f"Assumed: {line}.")
    limit = "the policy" if policy else f"k = {facts['k']}"
    output.write(
        f"Exposed rows have fewer than {facts['k']} candidate rows on {', '.join(facts['quasi'])} "
        "after the attack, or it reveals that somebody is in the table, or a hidden or sensitive "
        "value, or makes such a value more likely."
    )
    if any(one["succeeds"] and not one["breaks"] for one in attacks):
        output.write(f"'learns': an intruder learns this, but {limit} does not promise to hide it.")
    if not any(one["applies"] for one in attacks):
        output.write(f"{name}: NO attack could be tried. {GIVE}")
        return
    verdict = f"withstands these attacks within {limit}" if facts["holds"] else "GIVES ROWS AWAY"
    if facts["holds"] is None:
        verdict = f"NOT known to withstand: {list_undecided(facts)} could not be decided"
    output.write(f"{name} ({facts['rows']:,} rows): {verdict}.")


def list_undecided(facts: Mapping[str, Any]) -> str:
    """The attacks that could not be decided, by name."""
    return " and ".join(dict.fromkeys(one["attack"] for one in facts["undecided"]))


def _name_result(one: Mapping[str, Any]) -> str:
    if not one["applies"]:
        return "not tried"
    if not one["decided"]:
        return "NOT KNOWN"
    if one["breaks"]:
        return "SUCCEEDS"
    return "learns" if one["succeeds"] else "withstood"


def _count_exposed(one: Mapping[str, Any]) -> int | None:
    return one["rows_exposed"] if one["applies"] and one["decided"] else None


def _state_evidence(one: Mapping[str, Any]) -> str:
    """Where to look: numbers of rows, counted from 1 below the column names."""
    parts = []
    if one["rows"]:
        parts.append(f"rows {_list_numbers(one['rows'], one['rows_exposed'])}")
    if one["earlier_rows"]:
        parts.append(f"rows {_list_numbers(one['earlier_rows'])} of {one['found']['other']}")
    return f"{one['attack']}: {' and '.join(parts)}."


def _list_numbers(rows: Sequence[int], of: int = 0) -> str:
    shown = ", ".join(str(row) for row in rows[:FIRST])
    return f"{shown} and more" if max(len(rows), of) > FIRST else shown
