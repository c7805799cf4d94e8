"""*Compare and attack*: several releases side by side, their risk and use, and what attacks get."""

from __future__ import annotations

import math
from typing import Any

from discreet.errors import ArgumentError
from discreet.web import compare_work
from discreet.web.screens.explore import list_pins, write_node
from discreet.web.screens.screen import Fields, Screen
from discreet.web.screens.search import describe_policy
from discreet.web.workspace import Workspace

ALGORITHMS = (
    *("optimal", "local", "mondrian", "datafly", "mu-argus", "k-similar", "exact", "suppress"),
    *("probabilistic", "spalm", "mpalm"),
)
"""What can be compared; what cannot keep the promises of a policy is refused with the reason."""
FIRST = ("optimal", "local", "mondrian", "datafly")
"""What is chosen until somebody chooses otherwise."""
NEAR = 0.03
"""Points of the map that are closer share a label."""


async def collect(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """What was compared last, and what there is to compare."""
    kept = workspace.kept.get("compare", {})
    said = workspace.reading["data"].get("algorithm", "optimal")
    own = next(iter(said), "optimal") if isinstance(said, dict) else str(said)
    found = kept.get("found")
    names = [one for one in dict.fromkeys((own, *ALGORITHMS)) if one != "fixed"]
    return {
        "problems": len(workspace.reading["problems"]),
        "algorithms": names,
        "own": own,
        "chosen": kept.get("chosen", [name for name in (own, *FIRST) if name in names]),
        "pins": [write_node(one) for one in list_pins(workspace)],
        "found": found,
        "names": [] if found is None else [_name(one) for one in found["results"]],
        "map": None if found is None else draw_map(found["results"]),
        "attacks": [] if found is None else _list_attacks(found["results"]),
        "shown": kept.get("shown"),
        "is_current": kept.get("text") == workspace.reading["text"],
    }


def _name(one: dict[str, Any]) -> tuple[str, str]:
    """What a release is called: its algorithm, or its levels where these were pinned."""
    if one["algorithm"] == "fixed":
        return "pin", write_node(one["levels"])
    return "algorithm", one["title"]


def _list_attacks(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each attack that applies to some release, with what it got of each."""
    found = []
    for name in dict.fromkeys(one["attack"] for each in results for one in each["attacks"]):
        by_release = [
            next((one for one in each["attacks"] if one["attack"] == name), None)
            for each in results
        ]
        found.append({"attack": name, "outcomes": by_release})
    return sorted(found, key=lambda one: not any(each["applies"] for each in one["outcomes"]))


def draw_map(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Where each release lies between risk and use, as shares of the map; with its ticks.

    Those that lie on each other share a label, so that no number hides another.
    """
    highest = max((one["average"] or 0.0 for one in results), default=0.0) or 1.0
    step = 10 ** math.floor(math.log10(highest))
    step = next(size for size in (step / 5, step / 2, step, 2 * step) if highest / size <= 6)
    count = math.ceil(highest / step + 0.01)
    points: list[dict[str, Any]] = []
    for number, one in enumerate(results, 1):
        if one["average"] is None:
            continue
        x, y = one["average"] / (step * count), one["detail"]
        near = next((p for p in points if math.hypot(p["x"] - x, p["y"] - y) < NEAR), None)
        if near is not None:
            near["numbers"].append(number)
        points.append({"x": x, "y": y, "numbers": [number], "pin": one["algorithm"] == "fixed",
                       "hidden": near is not None})  # fmt: skip
    return {"points": points, "ticks": [step * place for place in range(count + 1)]}


async def run(workspace: Workspace, fields: Fields) -> None:
    """Make the chosen releases, and attack each."""
    chosen = [name for name in fields.getlist("algorithm") if name in ALGORITHMS]
    pins = list_pins(workspace) if fields.get("pins") else []
    if not chosen and not pins:
        raise ArgumentError("algorithm", "none is chosen", "Choose one at least.")
    text = workspace.reading["text"]

    async def keep(found: dict[str, Any]) -> None:
        workspace.kept["compare"] = {"found": found, "text": text, "chosen": chosen}

    work = compare_work.compare_releases
    asked = (*describe_policy(workspace), chosen, list(pins))
    workspace.start("comparing", "compare", work, *asked, then=keep)


async def show(workspace: Workspace, fields: Fields) -> None:
    """Show the columns of one release before and after."""

    async def keep(found: dict[str, Any]) -> None:
        workspace.kept.setdefault("compare", {})["shown"] = found

    workspace.start(
        "describing", "compare", compare_work.describe_columns, fields["title"], then=keep
    )


SCREEN = Screen("compare", collect, actions={"run": run, "show": show})
