"""*Search*: the best release that keeps the promises, how sure that is, and what would help."""

from __future__ import annotations

from typing import Any

from discreet.errors import ArgumentError
from discreet.web import lattice_work
from discreet.web.screens.screen import Fields, Screen
from discreet.web.workspace import Workspace

SHARES = ("loss", "granularity", "precision", "weighted_precision", "non_uniform_entropy")
"""Measures from 0 to 1, whose gap is told in points of a hundred."""


async def collect(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """What was found last, and whether it is still what the policy asks for."""
    kept = workspace.kept.get("search", {})
    return {
        "problems": len(workspace.reading["problems"]),
        "found": kept.get("found"),
        "advice": kept.get("advice"),
        "is_current": kept.get("text") == workspace.reading["text"],
        "advised_current": kept.get("advised") == workspace.reading["text"],
        "in_points": SHARES,
    }


async def run(workspace: Workspace, fields: Fields) -> None:
    """Search for the release that the policy asks for."""
    text = workspace.reading["text"]

    async def keep(found: dict[str, Any]) -> None:
        workspace.kept["search"] = {"found": found, "text": text}

    work = lattice_work.find_release
    workspace.start("searching", "search", work, *describe_policy(workspace), then=keep)


async def advise(workspace: Workspace, fields: Fields) -> None:
    """Try changes to the policy."""
    text = workspace.reading["text"]

    async def keep(found: dict[str, Any]) -> None:
        kept = workspace.kept.setdefault("search", {})
        kept.update(advice=found, advised=text)

    work = lattice_work.find_changes
    workspace.start("advising", "search", work, *describe_policy(workspace), then=keep)


async def apply(workspace: Workspace, fields: Fields) -> None:
    """Make a suggested change to the policy, and search again."""
    suggestions = workspace.kept.get("search", {}).get("advice", {}).get("suggestions", [])
    asked = fields["number"]
    if not asked.isdecimal() or int(asked) >= len(suggestions):
        raise ArgumentError("number", "there is no such suggestion", "Load the page again.")
    if workspace.kept["search"].get("advised") != workspace.reading["text"]:
        what = "the policy has changed since this was tried"
        raise ArgumentError("policy", what, "Find changes again.")
    await workspace.change_text(suggestions[int(asked)]["text"])
    await run(workspace, fields)


def describe_policy(workspace: Workspace) -> tuple[str, str, str]:
    """The policy as functions of the child take it."""
    return workspace.reading["text"], workspace.policy_file, workspace.policy_folder


SCREEN = Screen("search", collect, actions={"run": run, "advise": advise, "apply": apply})
