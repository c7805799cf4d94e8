"""*Explore*: the levels around the best ones as a map and a list, pinned, compared and used."""

from __future__ import annotations

from typing import Any

from discreet.errors import ArgumentError
from discreet.web import lattice_work
from discreet.web.policy_work import Edit
from discreet.web.screens.screen import Fields, Part, Screen
from discreet.web.screens.search import describe_policy
from discreet.web.workspace import Workspace

MOST_PINS = 6


async def collect(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """The levels that are looked at and those around them, once the best ones are known."""
    view = _read_view(workspace, fields)
    problems = len(workspace.reading["problems"])
    facts: dict[str, Any] = {
        "problems": problems,
        "ready": False,
        "waiting": workspace.has_to_wait,
        "view": view,
        "write_node": write_node,
        "most_pins": MOST_PINS,
    }
    if problems or workspace.has_to_wait or not workspace.quasi:
        return facts
    asked = view | {"pins": list_pins(workspace)}
    return facts | await workspace.ask(lattice_work.look_around, *describe_policy(workspace), asked)


def _read_view(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """What is looked at: what the address says, else what was looked at before."""
    kept: dict[str, Any] = workspace.kept.setdefault("explore", {})
    view: dict[str, Any] = kept.setdefault("view", {})
    if "node" in fields:
        view["node"] = read_node(workspace, fields["node"])
    if "a" in fields:
        view["axes"] = [one for one in (fields["a"], fields.get("b")) if one]
    if "filter" in fields:
        view["suppressed"] = _read_number(fields.get("suppressed", ""))
        for key in ("at_least", "at_most"):
            read = {name: _read_number(fields.get(f"{key}-{name}", "")) for name in workspace.quasi}
            view[key] = {name: level for name, level in read.items() if level is not None}
    return view


def _read_number(said: str) -> int | None:
    return int(said) if said.isdecimal() and len(said) < 12 else None


def read_node(workspace: Workspace, said: str) -> dict[str, int] | None:
    """Levels as an address has them, ``2-0-1``, in the order of the policy; None if it has not."""
    levels = [_read_number(one) for one in said.split("-")]
    roles = workspace.reading["roles"]
    names = [name for name, role in roles.items() if role == "quasi"]
    if len(levels) != len(names):
        return None
    return {name: level for name, level in zip(names, levels, strict=True) if level is not None}


def write_node(levels: dict[str, int], column: str = "", level: int = 0) -> str:
    """Levels for an address, with one of them changed."""
    return "-".join(str(level if name == column else one) for name, one in levels.items())


def list_pins(workspace: Workspace) -> list[dict[str, int]]:
    """The levels that were pinned."""
    pins: list[dict[str, int]] = workspace.kept.setdefault("explore", {}).setdefault("pins", [])
    return pins


async def search(workspace: Workspace, fields: Fields) -> None:
    """Search for the best levels, which the map is drawn around."""
    workspace.start("searching", "explore", find_start, *describe_policy(workspace))


def find_start(held: Any, text: str, file: str, folder: str) -> None:
    """Let the child find the best levels, and keep them there."""
    lattice_work.find_best(held, text, file, folder)


async def pin(workspace: Workspace, fields: Fields) -> None:
    """Keep some levels in view, to compare them with others."""
    pins, node = list_pins(workspace), read_node(workspace, fields["node"])
    if not node or node in pins:
        return
    if len(pins) >= MOST_PINS:
        what = f"{MOST_PINS} nodes are pinned already"
        raise ArgumentError("node", what, "Take one of them away first.")
    pins.append(node)


async def unpin(workspace: Workspace, fields: Fields) -> None:
    """Take levels out of view."""
    pins, node = list_pins(workspace), read_node(workspace, fields["node"])
    if node in pins:
        pins.remove(node)


async def use(workspace: Workspace, fields: Fields) -> None:
    """Write levels into the policy, which then releases just these."""
    node = read_node(workspace, fields["node"])
    if node:
        await workspace.change(Edit("set", ("algorithm", {"fixed": {"levels": node}})))


SCREEN = Screen(
    "explore",
    collect,
    actions={"search": search, "pin": pin, "unpin": unpin, "use": use},
    parts={"view": Part("screens/explore-view.html", collect)},
)
