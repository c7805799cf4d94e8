"""What the child finds out about levels: the best ones, those around them, and what each keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discreet
from discreet.errors import ReleaseError
from discreet.web.child import Held
from discreet.web.table_work import explore_policy

Levels = Mapping[str, int]
EXAMPLES = 3
"""Released values that show what a level looks like."""
ON_LATTICE = ("optimal", "fixed")
"""Algorithms that choose one level for each column, which an exploration answers at once."""
SHADES = 6
"""Steps of color of a map of levels."""
TRIES = 30.0
"""Seconds that changes of a policy are tried."""


def find_release(held: Held, text: str, file: str, folder: str) -> dict[str, Any]:
    """The release that the policy asks for, as far as it is decided without writing it."""
    policy = discreet.PolicyText(text, file, folder).policy
    name = policy.algorithm.name
    try:
        if name not in ON_LATTICE:
            return describe_release(held, policy)
        lattice, _ = find_lattice(held, text, file, folder)
        if name == "optimal":
            facts = find_best(held, text, file, folder)
        else:
            facts = lattice.node(lattice.heights | policy.algorithm.levels).facts()
    except ReleaseError as error:
        return {"reachable": False, "why": str(error), "algorithm": name}
    if not facts["allowed"]:
        return {"reachable": False, "why": facts["why_not"], "algorithm": name}
    return {"reachable": True, "algorithm": name, **describe_levels(lattice, facts)}


def find_lattice(
    held: Held, text: str, file: str, folder: str
) -> tuple[discreet.Exploration, dict[str, Any]]:
    """The table counted under a policy, and what is kept with it as long as the policy stays.

    The algorithm is left out of the policy, so that levels can be fixed and looked at further.
    """
    asked = discreet.PolicyText(text, file, folder)
    key = repr({name: one for name, one in asked.data.items() if name != "algorithm"}), folder
    if held.found.get("lattice", ("",))[0] != key:
        plain = str(asked.set("algorithm", None))
        held.found["lattice"] = key, explore_policy(held, plain, file, folder), {}
    _, lattice, kept = held.found["lattice"]
    return lattice, kept


def find_best(held: Held, text: str, file: str, folder: str) -> dict[str, Any]:
    """The facts of the best levels; searched once for a policy."""
    lattice, kept = find_lattice(held, text, file, folder)
    if "best" not in kept:
        kept["best"] = lattice.best(held.progress).facts()
    found: dict[str, Any] = kept["best"]
    return found


def describe_levels(lattice: discreet.Exploration, facts: dict[str, Any]) -> dict[str, Any]:
    """The facts of some levels, with sentences for the promises and examples of values."""
    promises = [
        {**verdict, "sentence": model.promise}
        for model, verdict in zip(lattice.policy.require, facts["verdicts"], strict=True)
    ]
    columns = [
        {**one, "examples": find_examples(lattice, one["column"], one["level"])}
        for one in facts["columns"]
    ]
    risk = facts["risk"]
    return {
        **{key: facts[key] for key in KEPT},
        "optimal": facts.get("optimal"),
        "granularity": facts["measures"]["granularity"],
        "promises": promises,
        "columns": columns,
        "highest": risk and risk["prosecutor"]["highest"],
        "average": risk and risk["prosecutor"]["average"],
    }


KEPT = (
    *("levels", "heights", "unit", "rows", "allowed", "why_not", "rows_suppressed", "limit"),
    *("share_suppressed", "classes", "smallest_class", "measure", "score"),
)
"""The facts of levels that pages show as they are."""


def find_examples(lattice: discreet.Exploration, column: str, level: int) -> list[str]:
    """The most frequent values that a column has at a level; none of the values as found."""
    if level == 0:
        return []
    levels = lattice.hierarchy(column).facts()["levels"]
    parts = next(one["parts"] for one in levels if one["level"] == level)
    named = [one for one in parts if one["label"] is not None]
    return [one["label"] for one in sorted(named, key=lambda one: -one["rows"])[:EXAMPLES]]


def describe_release(held: Held, policy: discreet.Policy) -> dict[str, Any]:
    """The same of an algorithm that generalizes cell by cell, from the facts of its report."""
    release = discreet.anonymize(held.open_table, policy, progress=held.progress)
    facts, told = release.facts(), discreet.report(release).facts()
    columns = [
        {
            "column": one["name"],
            "level": facts["levels"][one["name"]],
            **{key: one[key] for key in ("height", "loss")},
            "labels": one["distinct_after"],
            "granularity": one["granularity"],
            "examples": [part["label"] for part in one["values"] if part["label"]][:EXAMPLES],
        }
        for one in told["columns"]
        if one["role"] == "quasi"
    ]
    after = told["risks"]["after"]
    return {
        "reachable": True,
        "algorithm": facts["algorithm"],
        "levels": None,
        "heights": {one["column"]: one["height"] for one in columns},
        "unit": "rows",
        "allowed": True,
        "why_not": None,
        "limit": None,
        **{key: facts[key] for key in ("rows", "rows_suppressed", "classes", "smallest_class")},
        "share_suppressed": facts["rows_suppressed"] / max(facts["rows"], 1),
        "measure": facts["measure"],
        "score": facts["measures"][facts["measure"]],
        "optimal": facts["optimal"],
        "granularity": facts["measures"]["granularity"],
        "promises": told["promises"],
        "columns": columns,
        "highest": after["prosecutor_highest"],
        "average": after["prosecutor_average"],
    }


def find_changes(held: Held, text: str, file: str, folder: str) -> dict[str, Any]:
    """Changes to the policy that keep more of the table, each tried, with the text it makes."""
    policy = discreet.PolicyText(text, file, folder).policy
    found = discreet.advise(held.open_table, policy, seconds=TRIES, progress=held.progress)
    return {
        "before": None if found.before is None else found.before.facts()["granularity"],
        "suggestions": [
            {
                "changes": [change.text for change in one.changes],
                "weakens": one.weakens,
                "detail": one.detail,
                "rows_suppressed": one.kept.facts()["rows_suppressed"],
                "text": str(one.policy_text),
            }
            for one in found.suggestions
        ],
    }


# The levels around others


def look_around(
    held: Held, text: str, file: str, folder: str, asked: Mapping[str, Any]
) -> dict[str, Any]:
    """The levels around some, those near to them that pass a filter, and those that are pinned.

    Not ready before the best levels were searched for: that may take long, and this does not.
    """
    lattice, kept = find_lattice(held, text, file, folder)
    if "best" not in kept:
        return {"ready": False}
    names, heights = lattice.columns, lattice.heights
    best = kept["best"]["levels"]
    node = _clip(asked.get("node") or best, heights) or best
    axes = [name for name in dict.fromkeys(asked.get("axes", ())) if name in heights][:2]
    around = lattice.around(node, axes or None).facts()
    nearest = lattice.nearest(
        node,
        at_least=_clip(asked.get("at_least", {}), heights, whole=False),
        at_most=_clip(asked.get("at_most", {}), heights, whole=False),
        suppressed=asked.get("suppressed"),
        most=15,
    ).facts()
    pins = [one for one in asked.get("pins", ()) if _clip(one, heights) == one]
    return {
        "ready": True,
        "columns": list(names),
        "heights": heights,
        "best": dict(best),
        "best_score": kept["best"]["score"],
        "around": _shade(around, best),
        "ticks": {
            name: [find_examples(lattice, name, level)[:1] for level in range(heights[name] + 1)]
            for name in around["columns"]
        },
        "nearest": nearest,
        "node": describe_levels(lattice, lattice.node(node).facts()),
        "pins": [describe_levels(lattice, lattice.node(one).facts()) for one in pins],
    }


def _clip(levels: Levels, heights: Levels, whole: bool = True) -> dict[str, int]:
    """Levels that the columns have; none if a column is missing where all are asked for."""
    if whole and set(levels) != set(heights):
        return {}
    return {name: min(max(levels[name], 0), heights[name]) for name in heights if name in levels}


def _shade(around: dict[str, Any], best: Levels) -> dict[str, Any]:
    """The cells in rows, with their shade: the higher, the better."""
    scores: Sequence[float] = [one["score"] for one in around["cells"] if one["allowed"]]
    low, high = (min(scores), max(scores)) if scores else (0.0, 0.0)
    for one in around["cells"]:
        place = (one["score"] - low) / (high - low) if one["allowed"] and high > low else 0.0
        good = 1.0 - place if around["lower_is_better"] else place
        one["shade"] = round(good * (SHADES - 1)) if one["allowed"] else None
        one["best"] = one["node"] == best
    wide = around["heights"][around["columns"][-1]] + 1 if len(around["columns"]) > 1 else 1
    cells = around.pop("cells")
    around["lines"] = [cells[start : start + wide] for start in range(0, len(cells), wide)]
    return around
