"""What the child finds out about hierarchies: how each column becomes coarser, and what is amiss.

A column is looked at with all others as found, so that a mistake in one hides none of the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import discreet
from discreet.errors import DiscreetError, HierarchyError, PolicyError
from discreet.web.child import Held
from discreet.web.table_work import explore_quasi

MOST_LISTED = 200
"""Labels of a level that are named; the rest are put together."""
LINE = ", line 1: "
"""How a message about a policy of one column begins; it is on another line of the real one."""
MOST_DRAWN = 60
"""Parts of a level that can be told apart in a picture."""
REST = ("other", "Other or unknown")
"""What values that fit nowhere are released as."""
OPEN = {"file": ("path", "uncovered", "root")} | {
    kind: (main, "others", "group")
    for kind, main in (
        ("intervals", "widths"),
        ("cuts", "levels"),
        ("prefix", "lengths"),
        ("dates", "levels"),
    )
}
"""For each kind the setting that takes in values that do not fit, with the key of its list."""

Columns = Mapping[str, Mapping[str, Any]]
"""What a policy says of each quasi column."""


def describe_columns(
    held: Held, columns: Columns, missing: Any, folder: str, chosen: str
) -> dict[str, Any]:
    """The hierarchy of each column: its levels, or why there are none; of one column all facts."""
    try:
        _count_flat(held, columns, missing, folder)
    except DiscreetError as error:
        problem = {"problem": _strip_line(error), "levels": [], "rest": 0, "values": []}
        return dict.fromkeys(columns, problem)
    return {
        name: _describe_column(held, columns, name, missing, folder, name == chosen)
        for name in columns
    }


def _describe_column(
    held: Held, columns: Columns, name: str, missing: Any, folder: str, whole: bool
) -> dict[str, Any]:
    said = columns[name]
    stamp = _stamp_file(said.get("hierarchy"), folder)
    key = ("hierarchy", name, json.dumps([said, missing, folder, stamp], default=str))
    try:
        facts = held.find(key, partial(_find_facts, held, columns, name, missing, folder))
    except DiscreetError as error:
        values = []
        if whole:
            flat = _count_flat(held, columns, missing, folder)
            values = _list_values(flat.hierarchy(name, most=MOST_LISTED).facts())
        return {"problem": _strip_line(error), "levels": [], "rest": 0, "values": values}
    found: dict[str, Any] = {
        "problem": None,
        "levels": [
            {"level": one["level"], "labels": one["labels"]} for one in reversed(facts["levels"])
        ],
        "rest": _count_rest(facts),
    }
    if whole:
        found |= {
            "rows": facts["rows"],
            "list": facts["levels"],
            "picture": _draw(facts),
            "values": _list_values(facts),
            "tree": _grow_tree(facts),
        }
    return found


def _strip_line(error: DiscreetError) -> str:
    return str(error).removeprefix(LINE)


def _count_flat(held: Held, columns: Columns, missing: Any, folder: str) -> discreet.Exploration:
    """All columns without their hierarchies: rows are counted once, whatever hierarchies follow."""
    key = json.dumps([_write_flat(columns), missing], default=str)
    before: tuple[str, discreet.Exploration] | None = held.found.get("flat")
    if before is None or before[0] != key:
        policy = _make_policy(_write_flat(columns), missing, folder)
        before = held.found["flat"] = key, explore_quasi(held, policy)
    return before[1]


def _write_flat(columns: Columns) -> dict[str, dict[str, Any]]:
    return {
        name: {"role": "quasi", **{key: said[key] for key in ("missing", "repair") if key in said}}
        for name, said in columns.items()
    }


def _make_policy(columns: Columns, missing: Any, folder: str) -> discreet.Policy:
    policy = {"columns": columns, "require": [{"k_anonymity": {"k": 2}}]}
    if missing:
        policy["missing"] = missing
    return discreet.PolicyText(json.dumps(policy, default=str), "", folder).policy


def _find_facts(
    held: Held, columns: Columns, name: str, missing: Any, folder: str
) -> dict[str, Any]:
    """The hierarchy of one column, with the others as found."""
    written = _write_flat(columns)
    if columns[name].get("hierarchy") is not None:
        written[name]["hierarchy"] = columns[name]["hierarchy"]
    policy = _make_policy(written, missing, folder)
    explored = _count_flat(held, columns, missing, folder).change(policy, progress=held.progress)
    facts: dict[str, Any] = explored.hierarchy(name, most=MOST_LISTED).facts()
    return facts


def _stamp_file(spec: Any, folder: str) -> Any:
    """When the file of a hierarchy was changed last, so that a changed one is read again."""
    path = read_path(spec)
    if path is None:
        return None
    try:
        return (Path(folder) / path).expanduser().stat().st_mtime_ns
    except OSError:
        return None


def read_path(spec: Any) -> str | None:
    """The path in what a policy says of a hierarchy, if it is a file."""
    said = spec.get("file") if isinstance(spec, Mapping) else None
    path = said.get("path") if isinstance(said, Mapping) else said
    return path if isinstance(path, str) else None


def _count_rest(facts: Mapping[str, Any]) -> int:
    """Rows whose values fit nowhere, and are one group from the first level on."""
    if facts["height"] < 1:
        return 0
    above = facts["levels"][-2]["parts"]
    return sum(part["rows"] for part in above if part["label"] in REST)


def _list_values(facts: Mapping[str, Any]) -> list[tuple[str | None, int]]:
    """The values as found with their rows; none where they are too many to be named."""
    parts = facts["levels"][-1]["parts"]
    if any(part["others"] for part in parts):
        return []
    return [(part["label"], part["rows"]) for part in parts]


def _draw(facts: Mapping[str, Any]) -> str:
    """The levels that can be told apart, as a picture that takes its colours from the page."""
    shown = [one for one in facts["levels"] if len(one["parts"]) <= MOST_DRAWN]
    return strip_picture(discreet.View("hierarchy", {**facts, "levels": shown}).svg())


def strip_picture(svg: str) -> str:
    """A picture without a heading of its own and without the styles that the page has."""
    found = re.sub(r"<\?xml.*?\?>\s*|<style>.*?</style>", "", svg, flags=re.S)
    return re.sub(r'<rect [^>]*class="paper"/>', "", found)


def _grow_tree(facts: Mapping[str, Any]) -> list[Any]:
    """The hierarchy as a tree of groups below its top; empty where values are not all named."""
    levels = facts["levels"]
    if not _list_values(facts):
        return []

    def grow(depth: int, first: float, last: float) -> list[Any]:
        found: list[Any] = []
        for part in levels[depth]["parts"]:
            start, middle = part["start"], part["start"] + part["share"] / 2
            if not first <= middle < last:
                continue
            if depth == len(levels) - 1:
                found.append(part["label"])
                continue
            below = grow(depth + 1, start, start + part["share"])
            name = part["label"]
            same = len(below) == 1 and _name_node(below[0]) == name
            found += below if same or name is None else [{name: below}]
        return found

    return grow(1, -1.0, 2.0) if len(levels) > 1 else []


def _name_node(node: Any) -> Any:
    return next(iter(node)) if isinstance(node, Mapping) else node


# A change of a hierarchy is tried before it is made


def try_hierarchy(held: Held, columns: Columns, name: str, missing: Any, folder: str) -> None:
    """Raise what is wrong with a hierarchy, unless it is only that it lacks some values.

    What no policy can say is left to the policy, whose message names the line.
    """
    try:
        _find_facts(held, columns, name, missing, folder)
    except PolicyError:
        return
    except HierarchyError:
        spec = columns[name].get("hierarchy")
        if isinstance(spec, Mapping) and "tree" in spec:
            return
        wider = widen(spec)
        if wider is None or wider == spec:
            raise
        wide = {**columns, name: {**columns[name], "hierarchy": wider}}
        _find_facts(held, wide, name, missing, folder)


def widen(spec: Any) -> dict[str, Any] | None:
    """The same hierarchy where values that do not fit are released as one group.

    >>> widen({"intervals": [5, 10]})
    {'intervals': {'widths': [5, 10], 'others': 'group'}}
    """
    kind = next((key for key in spec if key in OPEN), None) if isinstance(spec, Mapping) else None
    if kind is None:
        return None
    main, key, value = OPEN[kind]
    inner = spec[kind]
    settings = dict(inner) if isinstance(inner, Mapping) else {main: inner}
    return {**spec, kind: {**settings, key: value}}


def take_hierarchies(
    held: Held, path: str, columns: Sequence[str], folder: str
) -> dict[str, dict[str, Any]]:
    """The hierarchies that another policy has for some columns, with paths as seen from here."""
    file = Path(path).expanduser()
    other = discreet.PolicyText.load(file)
    said = other.data.get("columns") or {}
    found = {}
    for name in columns:
        one = said.get(name)
        if isinstance(one, Mapping) and isinstance(one.get("hierarchy"), Mapping):
            found[name] = _move_path(dict(one["hierarchy"]), Path(other.folder), Path(folder))
    return found


def _move_path(spec: dict[str, Any], source: Path, target: Path) -> dict[str, Any]:
    """A path from one folder, written as from another."""
    path = read_path(spec)
    if path is None:
        return spec
    moved = (source / Path(path).expanduser()).absolute()
    here = target.absolute()
    written = str(moved.relative_to(here) if moved.is_relative_to(here) else moved)
    inner = spec["file"]
    return {**spec, "file": {**inner, "path": written} if isinstance(inner, Mapping) else written}


def list_known(held: Held) -> list[str]:
    """The names of the hierarchies that come with the package."""
    column = discreet.policy_schema()["$defs"]["ColumnPolicy"]["properties"]
    known = column["hierarchy"]["anyOf"][0]["properties"]["known"]
    return [*known["anyOf"][0]["enum"]]
