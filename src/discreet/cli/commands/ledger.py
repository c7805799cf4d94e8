"""``discreet ledger``: what was released before, and to whom."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from discreet.cli import options, output
from discreet.cli.failure import FlagError

if TYPE_CHECKING:
    from discreet.ledger.ledger import Ledger


# ``discreet ledger audience``: who is part of whom, and what they hold.


def gather_audience_facts(path: Path, name: str | None, includes: Sequence[str]) -> dict[str, Any]:
    """Everybody in an audience, after those that are said to be part of it have joined it."""
    from discreet.ledger.audience import find_joined_hands, normalize_audience
    from discreet.ledger.ledger import Ledger, load_existing_key

    if name is None:
        raise FlagError(
            "NAME", "the name of the audience is missing", "Give ledger audience L NAME."
        )
    who = normalize_audience(name, "name")
    members = [normalize_audience(one, "includes") for one in includes]
    if not members:
        return {**_gather_facts(Ledger.read(path), who), "joined": []}
    load_existing_key(path)  # a ledger is made by its first release, not by a slip in its name
    with Ledger.open(path) as opened:
        joined = find_joined_hands(opened.lines, opened.audiences.include(who, members))
        opened.include(who, members)
        return {**_gather_facts(opened, who), "joined": [hand.facts() for hand in joined]}


def list_audiences(ledger: Ledger) -> list[dict[str, Any]]:
    """Every audience that includes others."""
    known = ledger.audiences
    return [
        {"audience": name, "includes": list(members), "reaches": sorted(known.members(name))}
        for name, members in known.includes.items()
    ]


def _gather_facts(ledger: Ledger, name: str) -> dict[str, Any]:
    from discreet.ledger.audience import list_held

    audiences = ledger.audiences
    return {
        "ledger": str(ledger.path),
        "audience": name,
        "includes": list(audiences.includes.get(name, ())),
        "reaches": sorted(audiences.members(name)),
        "part_of": sorted(audiences.list_including(name)),
        "holds": [entry.number for entry in list_held(ledger.releases(), name, audiences)],
    }


def show_audience(facts: dict[str, Any]) -> None:
    """An audience for people, and whom it brought releases that were never checked together."""
    from discreet.ledger.audience import JoinedHand

    names = ("includes", "reaches", "part_of", "holds")
    rows = [(n.replace("_", " "), ", ".join(map(str, facts[n])) or "-") for n in names]
    output.print_table(f"Audience {facts['audience']}", ("fact", "value"), rows)
    for hand in facts["joined"]:
        joined = JoinedHand(hand["audience"], hand["table"], tuple(hand["releases"]))
        output.write(f"WARNING: {joined}.")


def show_audiences(audiences: Sequence[dict[str, Any]]) -> None:
    """Every audience that includes others, for people."""
    rows = [
        (one["audience"], ", ".join(one["includes"]), ", ".join(one["reaches"]))
        for one in audiences
    ]
    if rows:
        output.print_table("Audiences", ("audience", "includes", "reaches"), rows)


UNCONFIRMED = (
    "Unconfirmed: the run was killed before it could note that the file was in place. Such a "
    "release may be out, and counts as released."
)

Action = Annotated[
    Literal["list", "show", "check", "audience"],
    typer.Argument(metavar="{list|show|check|audience}", hidden=True),
]
LedgerPath = Annotated[Path, typer.Argument(metavar="L", readable=False, hidden=True)]
Which = Annotated[str | None, typer.Argument(metavar="[NUMBER|NAME]", hidden=True)]
Includes = Annotated[
    list[str] | None,
    typer.Option(
        "--includes", metavar="NAME", help="audience: who is part of it, for good; repeat for more."
    ),
]
Released = Annotated[
    Path | None,
    typer.Option(
        "--file", metavar="FILE", readable=False, help="check: is FILE a release of the ledger?"
    ),
]


def ledger(
    context: typer.Context,
    action: Action,
    ledger: LedgerPath,
    which: Which = None,
    file: Released = None,
    includes: Includes = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Show earlier releases and their recipients.

    list L shows all releases of the ledger L; show L NUMBER one in full, the last without NUMBER;
    check L whether it is unchanged since it was written. Check ends with 1 if it is not, or if FILE
    is not one of its releases. audience L NAME shows who is part of NAME and what it holds; with
    --includes it adds members, and warns of releases that were never checked together.
    """
    if file is not None and action != "check":
        raise FlagError("--file", f"'{action}' does not look at a file", "Use it with check.")
    if which is not None and action not in ("show", "audience"):
        raise FlagError("NUMBER", f"'{action}' is about all releases", "Leave it out.")
    if includes and action != "audience":
        what = f"'{action}' does not change who is part of whom"
        raise FlagError("--includes", what, "Use it with audience.")
    holds = True
    if action == "check":
        facts, holds = _check(ledger, file)
    elif action == "audience":
        if includes:
            context.obj["interrupted"] = (
                f"interrupted; the membership may have been written: see ledger audience {ledger}"
            )
        facts = gather_audience_facts(ledger, which, includes or ())
    else:
        from discreet.ledger.ledger import Ledger

        facts = _list_facts(Ledger.read(ledger), action, _number(which))
    if not quiet:
        if json:
            output.print_json(facts)
        else:
            _SHOW[action](facts)
    if not holds:
        raise typer.Exit(1)


def _list_facts(ledger: Ledger, action: str, number: int | None) -> dict[str, Any]:
    from discreet.ledger.entry import Entry

    out, doubtful = ledger.withdrawn, ledger.unconfirmed
    found = [
        {
            **line.facts(),
            "withdrawn": line.number in out,
            "confirmed": line.number not in out | doubtful,
        }
        for line in ledger.lines
        if isinstance(line, Entry)
    ]
    if action == "list":
        audiences = list_audiences(ledger)
        return {"ledger": str(ledger.path), "releases": found, "audiences": audiences}
    wanted = [one for one in found if number is None or one["number"] == number]
    if not wanted:
        numbers = ", ".join(str(one["number"]) for one in found)
        has = f"It has {numbers}." if found else "It has none yet."
        raise FlagError("NUMBER", f"{ledger.path} has no release {number or ''}".rstrip(), has)
    return wanted[-1]


def _number(which: str | None) -> int | None:
    try:
        return None if which is None else int(which)
    except ValueError:
        raise FlagError("NUMBER", f"'{which}' is not a number", "Give that of a release.") from None


def _check(path: Path, file: Path | None) -> tuple[dict[str, Any], bool]:
    from discreet.ledger.entry import Entry
    from discreet.ledger.ledger import check_ledger, find_unconfirmed, load_existing_key

    key = load_existing_key(path)
    found = check_ledger(path, key)
    facts: dict[str, Any] = {
        "ledger": str(path),
        "holds": not found.problems,
        "entries": len(found.lines),
        "problems": list(found.problems),
        "unfinished": found.unfinished,
        "unconfirmed": sorted(find_unconfirmed(found.lines, key)),
    }
    if file is not None:
        digest = _hash(file)
        releases = [line for line in found.lines if isinstance(line, Entry)]
        numbers = [line.number for line in releases if line.file_hash == digest]
        facts |= {"file": str(file), "releases": numbers}
    return facts, facts["holds"] and (file is None or bool(facts["releases"]))


def _hash(file: Path) -> str:
    import hashlib
    import os

    from discreet.input_file import open_regular

    try:
        with os.fdopen(open_regular(file), "rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        what = f"it cannot be read: {(error.strerror or '').lower()}"
        raise FlagError(f"--file {file}", what, "Check the path.") from None


def _show_list(facts: dict[str, Any]) -> None:
    heads = ("release", "time", "table", "to", "rows", "suppressed", "smallest class", "file")
    rows = [
        (
            str(one["number"]),
            one["time"],
            one["table"],
            f"{one['to']}{_note_doubt(one)}",
            one["rows"],
            one["rows_suppressed"],
            one["smallest_class"],
            one["file"],
        )
        for one in facts["releases"]
    ]
    if rows:
        output.print_table("", heads, rows)
    else:
        output.write("No release yet.")
    if any(not one["confirmed"] and not one["withdrawn"] for one in facts["releases"]):
        output.write(UNCONFIRMED)
    show_audiences(facts["audiences"])


def _note_doubt(release: dict[str, Any]) -> str:
    """What is to be said of a release that nobody confirmed."""
    if release["confirmed"]:
        return ""
    return " (withdrawn)" if release["withdrawn"] else " (unconfirmed)"


def _show_one(facts: dict[str, Any]) -> None:
    columns = facts.pop("columns")
    policy = facts.pop("policy")
    asked = facts.pop("part") or {}
    rows: list[tuple[Any, ...]] = [(k.replace("_", " "), v) for k, v in facts.items()]
    if asked.get("where"):
        rows.append(("rows asked for", asked["where"]))
    if asked.get("columns"):
        rows.append(("columns asked for", ", ".join(asked["columns"])))
    output.print_table("", ("fact", "value"), rows)
    heads = ("column", "role", "level", "hierarchy")
    rows = [
        (name, column["role"], column.get("level"), column.get("hierarchy", "")[:12])
        for name, column in columns.items()
    ]
    output.print_table("Columns", heads, rows)
    output.write(f"Policy:\n{policy}")


def _show_check(facts: dict[str, Any]) -> None:
    for problem in facts["problems"]:
        output.write(f"{facts['ledger']}: {problem}.")
    if facts["holds"]:
        output.write(
            f"{facts['ledger']}: unchanged since it was written ({facts['entries']:,} entries)."
        )
    if facts["unfinished"]:
        output.write("A run was killed while it wrote a line; the next run removes that line.")
    if facts["unconfirmed"]:
        numbers = ", ".join(map(str, facts["unconfirmed"]))
        output.write(f"Release {numbers} is unconfirmed. {UNCONFIRMED.partition(': ')[2]}")
    if "file" in facts:
        numbers = " and ".join(map(str, facts["releases"]))
        of = f"is release {numbers}" if numbers else "IS NONE of its releases"
        output.write(f"{facts['file']} {of}.")


_SHOW = {
    "list": _show_list,
    "show": _show_one,
    "check": _show_check,
    "audience": show_audience,
}
