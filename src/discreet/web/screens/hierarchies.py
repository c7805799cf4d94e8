"""*Hierarchies*: how each quasi column becomes coarser, level by level, and what it may become."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from discreet.errors import DiscreetError
from discreet.web import groups, hierarchies_work
from discreet.web.policy_work import Edit
from discreet.web.screens.screen import Fields, Screen
from discreet.web.workspace import BusyError, Workspace

KINDS = ("intervals", "cuts", "dates", "prefix", "tree", "known", "file", "earlier", "flat")
"""The settings in their order; ``earlier`` takes over what another policy has."""
FITTING = {
    "number": ("intervals", "cuts"),
    "date": ("dates",),
    "code": ("prefix", "tree"),
    "category": ("tree", "known"),
}
"""The kinds that suit what a column holds, shown first."""
ALWAYS = ("file", "earlier", "flat")
"""The kinds that may suit any column."""
DATES = (
    *("day", "week", "month", "quarter", "half", "year"),
    *("2 years", "5 years", "10 years", "century"),
)
"""The steps of dates that are offered, from fine to coarse."""
MAIN = {
    "intervals": "widths",
    "cuts": "levels",
    "dates": "levels",
    "prefix": "lengths",
    "known": "name",
    "file": "path",
}
"""The setting that each kind is written by, where nothing but it is said."""
ENDS = ("bottom", "top", "origin")
"""Where intervals end and start, if that is said."""


async def collect(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """The quasi columns with their levels; of the chosen one all there is to see and to set."""
    columns = workspace.quasi
    kept = workspace.kept.setdefault("hierarchies", {})
    asked = fields.get("column", kept.get("column"))
    chosen = asked if asked in columns else (columns[0] if columns else None)
    kept["column"] = chosen
    found: dict[str, Any] = {}
    if chosen is not None and not workspace.is_busy:
        if "known" not in kept:
            kept["known"] = await workspace.ask(hierarchies_work.list_known)
        found = await workspace.ask(
            hierarchies_work.describe_columns,
            _read_columns(workspace),
            workspace.reading["data"].get("missing"),
            workspace.policy_folder,
            chosen,
        )
    listed = [_summarize(workspace, name, found.get(name)) for name in columns]
    facts: dict[str, Any] = {
        "columns": listed,
        "one": None,
        "busy": chosen is not None and not found,
    }
    if chosen is not None:
        facts["one"] = _describe(workspace, chosen, found.get(chosen))
        facts["known"] = kept.get("known", [])
    return facts


def _read_columns(workspace: Workspace) -> dict[str, Any]:
    """What the policy says of each quasi column."""
    return {name: _read_column(workspace, name) for name in workspace.quasi}


def _read_column(workspace: Workspace, name: str) -> dict[str, Any]:
    columns = workspace.reading["data"].get("columns")
    said = columns.get(name) if isinstance(columns, Mapping) else None
    return dict(said) if isinstance(said, Mapping) else {}


def _read_spec(workspace: Workspace, name: str) -> Any:
    spec = _read_column(workspace, name).get("hierarchy")
    return {"auto": True} if spec == "auto" else spec


def _name_kind(spec: Any) -> str:
    """The kind of hierarchy that a policy names; ``flat`` where it names none."""
    named = [key for key in spec if key != "top"] if isinstance(spec, Mapping) else []
    return str(named[0]) if named else "flat"


def _summarize(workspace: Workspace, name: str, found: Any) -> dict[str, Any]:
    """A column in the list: its kind, its levels, and whether anything is amiss or proposed."""
    spec = _read_spec(workspace, name)
    return {
        "name": name,
        "kind": _name_kind(spec),
        "steps": _write_steps(spec),
        "found": found,
        "proposed": _has_proposal(workspace, name, spec),
    }


def _has_proposal(workspace: Workspace, name: str, spec: Any) -> bool:
    guessed = workspace.opened and workspace.opened["inspection"][name]["hierarchy"]
    return bool(guessed) and guessed != spec


def _write_steps(spec: Any) -> str:
    """The levels of a hierarchy in short, as its kind writes them."""
    kind = _name_kind(spec)
    inner = spec.get(kind) if isinstance(spec, Mapping) else None
    if kind == "known":
        return str(inner.get("name", "") if isinstance(inner, Mapping) else inner)
    if kind == "file":
        return hierarchies_work.read_path(spec) or ""
    if kind not in MAIN or kind == "cuts":
        return ""
    return ", ".join(_write_list(inner.get(MAIN[kind]) if isinstance(inner, Mapping) else inner))


def _write_list(said: Any) -> list[str]:
    return [str(one) for one in (said if isinstance(said, list | tuple) else [said])]


def _describe(workspace: Workspace, name: str, found: Any) -> dict[str, Any]:
    """All that is shown of the chosen column."""
    spec = _read_spec(workspace, name)
    kind = _name_kind(spec)
    inner = spec.get(kind) if isinstance(spec, Mapping) else None
    settings = dict(inner) if isinstance(inner, Mapping) else {MAIN.get(kind, ""): inner}
    inspected = (workspace.opened or {})["inspection"][name]
    _, nodes = _read_nodes(spec, found)
    fitting = FITTING.get(inspected["kind"], ())
    shown = list(dict.fromkeys([*fitting, *([kind] if kind in KINDS else []), *ALWAYS]))
    lacking = [
        (value, rows)
        for value, rows in (found or {}).get("values", [])
        if value is not None and value not in groups.list_values(nodes)
    ]
    return {
        "name": name,
        "kind": kind,
        "steps": _write_steps(spec),
        "settings": {
            each: _write_settings(each, settings if each == kind else {}) for each in KINDS
        },
        "found": found,
        "inspected": inspected,
        "proposed": _has_proposal(workspace, name, spec),
        "proposal": _write_steps(inspected["hierarchy"]),
        "proposal_kind": _name_kind(inspected["hierarchy"]),
        "fitting": fitting,
        "kinds": shown,
        "other_kinds": [one for one in KINDS if one not in shown],
        "dates": _list_dates(settings.get("levels") if kind == "dates" else None),
        "nodes": nodes,
        "rows_of": dict((found or {}).get("values", [])),
        "lacking": lacking if kind == "tree" else [],
        "can_widen": kind in hierarchies_work.OPEN and hierarchies_work.widen(spec) != spec,
    }


def _list_dates(said: Any) -> list[str]:
    """The steps of dates that are offered, with those that the policy has besides."""
    found = [*DATES]
    for number, one in enumerate(levels := _write_list(said or [])):
        if one not in found:
            before = [found.index(other) for other in levels[:number]]
            found.insert(max(before, default=-1) + 1, one)
    return found


def _read_nodes(spec: Any, found: Any) -> tuple[str, list[groups.Node]]:
    """The tree of the policy; else the hierarchy as it is, as one to begin with."""
    tree = groups.read_tree(spec)
    if tree is not None:
        return tree
    return groups.ROOT, (found or {}).get("tree", [])


def _write_settings(kind: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """What the fields of a kind say, from what the policy says."""
    listed = settings.get(MAIN.get(kind, ""))
    texts = _write_list(listed) if listed is not None else []
    if kind == "cuts" and isinstance(listed, list):
        rows = listed if any(isinstance(one, list) for one in listed) else [listed]
        texts = [", ".join(_write_list(one)) for one in rows]
    texts_of = {
        key: "" if settings.get(key) is None else str(settings[key])
        for key in (*ENDS, "name", "path")
    }
    return {
        **texts_of,
        "levels": texts,
        "main": ("\n" if kind == "cuts" else ", ").join(texts),
        "others": settings.get("others") == "group" or settings.get("uncovered") == "root",
    }


# Changes


async def set_hierarchy(workspace: Workspace, fields: Fields) -> None:
    """Give a column a hierarchy of one of the kinds, from the fields of its form."""
    name, kind = _check_column(workspace, fields), fields["kind"]
    if kind == "flat":
        await workspace.change(Edit("set_hierarchy", (name, None)), strictly=True)
    elif kind in READERS:
        spec = _keep_others(kind, READERS[kind](fields), _read_spec(workspace, name))
        await _change(workspace, name, {kind: spec})


def _keep_others(kind: str, said: Any, before: Any) -> Any:
    """What a form says, with the settings of the same kind that it has no fields for."""
    inner = before.get(kind) if isinstance(before, Mapping) else None
    if not isinstance(inner, Mapping):
        return said
    main = MAIN[kind]
    asked = {main, "others", "uncovered", *ENDS}
    new = dict(said) if isinstance(said, Mapping) else {main: said}
    is_other = kind == "known" and new.get("name") != inner.get("name")
    kept = {} if is_other else {key: one for key, one in inner.items() if key not in asked}
    return {**new, **kept} if kept else said


async def propose(workspace: Workspace, fields: Fields) -> None:
    """Take what the column's name and values suggest."""
    name = _check_column(workspace, fields)
    guessed = (workspace.opened or {})["inspection"][name]["hierarchy"]
    await workspace.change(Edit("set_hierarchy", (name, guessed)), strictly=True)


async def widen(workspace: Workspace, fields: Fields) -> None:
    """Release values that do not fit the hierarchy as one group."""
    name = _check_column(workspace, fields)
    wider = hierarchies_work.widen(_read_spec(workspace, name))
    if wider is not None:
        await _change(workspace, name, wider)


async def add_rest(workspace: Workspace, fields: Fields) -> None:
    """Put the values that are in no group next to the groups, or into one."""
    name = _check_column(workspace, fields)
    nodes, root, found = await _find_nodes(workspace, name)
    rest = [one for one, _ in found["values"] if one not in groups.list_values(nodes)]
    group = fields.get("name", "").strip()
    if group:
        places = [(len(nodes) + number,) for number in range(len(rest))]
        nodes = groups.put_together([*nodes, *rest], places, group)
    else:
        nodes = [*nodes, *rest]
    await _change(workspace, name, groups.write_tree(nodes, root))


async def group(workspace: Workspace, fields: Fields) -> None:
    """Put ticked values and groups into a group, or take a group apart."""
    name = _check_column(workspace, fields)
    nodes, root, _ = await _find_nodes(workspace, name)
    if fields.get("apart"):
        nodes = groups.take_apart(nodes, _read_place(fields["apart"]))
    else:
        places = [_read_place(one) for one in fields.getlist("place")]
        nodes = groups.put_together(nodes, places, fields.get("name", ""))
    await _change(workspace, name, groups.write_tree(nodes, root))


async def take_over(workspace: Workspace, fields: Fields) -> None:
    """Take the hierarchies of an earlier policy: of this column, or of all that it has."""
    name = _check_column(workspace, fields)
    path = fields.get("path", "").strip()
    columns = list(workspace.quasi) if fields.get("all") else [name]
    if workspace.is_busy:
        raise BusyError
    folder = workspace.policy_folder
    found = await workspace.ask(hierarchies_work.take_hierarchies, path, columns, folder)
    if not found:
        what = "it has no hierarchy for " + (
            "these columns" if fields.get("all") else "this column"
        )
        raise DiscreetError(f"policy '{path}'", what, "Columns are compared by their names.")
    edits = [Edit("set_hierarchy", (column, spec)) for column, spec in found.items()]
    await workspace.change(*edits, strictly=True)


async def _change(workspace: Workspace, name: str, spec: dict[str, Any]) -> None:
    """Write a hierarchy into the policy, once it is known that it can be built."""
    before = _read_spec(workspace, name)
    if isinstance(before, Mapping) and "top" in before:
        spec = {**spec, "top": before["top"]}
    if not workspace.is_busy:
        columns = _read_columns(workspace)
        columns[name] = {**columns[name], "hierarchy": spec}
        missing = workspace.reading["data"].get("missing")
        folder = workspace.policy_folder
        await workspace.ask(hierarchies_work.try_hierarchy, columns, name, missing, folder)
    await workspace.change(Edit("set_hierarchy", (name, spec)), strictly=True)


async def _find_nodes(workspace: Workspace, name: str) -> tuple[list[groups.Node], str, Any]:
    """The tree that the page shows, to be changed."""
    if workspace.is_busy:
        raise BusyError
    found = await workspace.ask(
        hierarchies_work.describe_columns,
        _read_columns(workspace),
        workspace.reading["data"].get("missing"),
        workspace.policy_folder,
        name,
    )
    root, nodes = _read_nodes(_read_spec(workspace, name), found[name])
    return nodes, root, found[name]


def _check_column(workspace: Workspace, fields: Fields) -> str:
    """The column that a form is about; it is the one that is shown then."""
    name = fields["column"]
    if name not in workspace.quasi:
        raise DiscreetError(f"column '{name}'", "it is not quasi", "Load the page again.")
    workspace.kept.setdefault("hierarchies", {})["column"] = name
    return name


def _read_place(text: str) -> groups.Place:
    parts = text.split(".")
    if not all(part.isdecimal() and len(part) < 9 for part in parts):
        raise DiscreetError("the group", "a value is gone", "Load the page again.")
    return tuple(int(part) for part in parts)


# What the fields say


def read_numbers(text: str) -> list[Any]:
    """The numbers in a text, apart by commas, semicolons or spaces.

    >>> read_numbers("5, 10 2.5")
    [5, 10, 2.5]
    """
    return [read_number(one) for one in re.split(r"[,;\s]+", text.strip()) if one]


def read_number(text: str) -> Any:
    """A number where it is one; else the text, which the policy will refuse with its reason."""
    if re.fullmatch(r"[+-]?\d{1,30}", text):
        return int(text)
    if re.fullmatch(r"[+-]?\d{0,30}\.\d{1,30}", text):
        return float(text)
    return text


def _read_intervals(fields: Fields) -> Any:
    ends = {key: fields.get(key, "").strip() for key in ENDS}
    numbers = {key: read_number(text) for key, text in ends.items() if text}
    return _read_open(fields, "widths", read_numbers(fields.get("main", "")), numbers)


def _read_cuts(fields: Fields) -> Any:
    lines = [read_numbers(line) for line in fields.get("main", "").splitlines() if line.strip()]
    return _read_open(fields, "levels", lines, {})


def _read_prefix(fields: Fields) -> Any:
    return _read_open(fields, "lengths", read_numbers(fields.get("main", "")), {})


def _read_dates(fields: Fields) -> Any:
    return _read_open(fields, "levels", [one for one in fields.getlist("level") if one], {})


def _read_open(fields: Fields, main: str, listed: list[Any], more: dict[str, Any]) -> Any:
    """A list alone, or with the settings next to it."""
    if fields.get("others"):
        more = {**more, "others": "group"}
    return {main: listed, **more} if more else listed


def _read_known(fields: Fields) -> Any:
    return fields.get("name", "")


def _read_file(fields: Fields) -> Any:
    path = fields.get("path", "").strip()
    return {"path": path, "uncovered": "root"} if fields.get("others") else path


READERS = {
    "intervals": _read_intervals,
    "cuts": _read_cuts,
    "dates": _read_dates,
    "prefix": _read_prefix,
    "known": _read_known,
    "file": _read_file,
}
"""How the fields of each kind become what a policy says."""


SCREEN = Screen(
    "hierarchies",
    collect,
    actions={
        "set": set_hierarchy,
        "propose": propose,
        "widen": widen,
        "rest": add_rest,
        "group": group,
        "earlier": take_over,
    },
)
