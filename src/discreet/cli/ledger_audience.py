"""``discreet ledger audience``: who is part of whom, and what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.cli import output
from discreet.errors import FlagError

if TYPE_CHECKING:
    from discreet.ledger.ledger import Ledger


def audience_facts(path: Path, name: str | None, includes: Sequence[str]) -> dict[str, Any]:
    """Everybody in an audience, after those that are said to be part of it have joined it."""
    from discreet.ledger.audience import audience
    from discreet.ledger.joined_hands import joined_hands
    from discreet.ledger.ledger import Ledger, existing_key

    if name is None:
        raise FlagError(
            "NAME", "whose members are meant is not said", "Give ledger audience L NAME."
        )
    who = audience(name, "NAME")
    members = [audience(one, "--includes") for one in includes]
    if not members:
        return {**_facts(Ledger.read(path), who), "joined": []}
    existing_key(path)  # a ledger is made by its first release, not by a slip in its name
    with Ledger.open(path) as opened:
        joined = joined_hands(opened.lines, opened.audiences.joined(who, members))
        opened.include(who, members)
        return {**_facts(opened, who), "joined": [hand.facts() for hand in joined]}


def all_audiences(ledger: Ledger) -> list[dict[str, Any]]:
    """Every audience that includes others."""
    known = ledger.audiences
    return [
        {"audience": name, "includes": list(members), "reaches": sorted(known.members(name))}
        for name, members in known.includes.items()
    ]


def _facts(ledger: Ledger, name: str) -> dict[str, Any]:
    from discreet.ledger.audience import held

    audiences = ledger.audiences
    return {
        "ledger": str(ledger.path),
        "audience": name,
        "includes": list(audiences.includes.get(name, ())),
        "reaches": sorted(audiences.members(name)),
        "part_of": sorted(audiences.including(name)),
        "holds": [entry.number for entry in held(ledger.releases(), name, audiences)],
    }


def show_audience(facts: dict[str, Any]) -> None:
    """An audience for people, and whom it brought releases that were never checked together."""
    from discreet.ledger.joined_hands import JoinedHand

    names = ("includes", "reaches", "part_of", "holds")
    rows = [(n.replace("_", " "), ", ".join(map(str, facts[n])) or "-") for n in names]
    output.table(f"Audience {facts['audience']}", ("fact", "value"), rows)
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
        output.table("Audiences", ("audience", "includes", "reaches"), rows)
