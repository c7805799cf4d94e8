"""*Roles*: what each column is, as guessed and why, and as the policy has it."""

from __future__ import annotations

from typing import Any

from discreet.web.policy_work import Edit
from discreet.web.screens.screen import Fields, Screen
from discreet.web.workspace import Workspace

ROLES = ("identifier", "quasi", "sensitive", "other", "text", "none")
"""The choices in the order of their keys, 1 to 6; `none` is a column that the policy leaves out."""
MANY = 8
"""Quasi columns from which on hardly anything is left of each."""


async def collect(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """The columns, each with its guess and its role, and what is odd about all of them."""
    opened = workspace.opened or {}
    roles = workspace.reading["roles"]
    columns = [
        {**opened["inspection"][name], "chosen": roles.get(name) or "none"}
        for name in opened["columns"]
    ]
    return {
        "columns": columns,
        "roles": ROLES,
        "counts": {role: sum(one["chosen"] == role for one in columns) for role in ROLES},
        "warnings": list(_find_warnings(workspace, columns)),
        "readable": not workspace.reading["text"] or bool(workspace.reading["data"]),
    }


def _find_warnings(workspace: Workspace, columns: list[dict[str, Any]]) -> list[tuple[str, int]]:
    """What is odd about the roles: the name of a text, and a number for it."""
    quasi = len(workspace.quasi)
    found = []
    if not quasi:
        found.append(("warn_no_quasi", 0))
    elif quasi > MANY:
        found.append(("warn_many_quasi", quasi))
    released = [one for one in columns if one["hipaa"] and one["chosen"] in ("sensitive", "other")]
    if released:
        found.append(("warn_identifier", len(released)))
    return found


async def set_role(workspace: Workspace, fields: Fields) -> None:
    """Give a column a role, or leave it out of the policy."""
    column, role = fields["column"], fields["role"]
    chosen = workspace.reading["roles"].get(column)
    if role not in ROLES or column not in (workspace.opened or {"columns": ()})["columns"]:
        return
    if role == (chosen or "none"):
        return
    if role == "none":
        await workspace.change(Edit("remove_column", (column,)))
        return
    edits = [Edit("set_role", (column, role))]
    guessed = (workspace.opened or {})["inspection"][column]["hierarchy"]
    if role == "quasi" and guessed is not None:
        edits.append(Edit("set_column", (column,), (("hierarchy", guessed),)))
    await workspace.change(*edits)


SCREEN = Screen("roles", collect, actions={"set": set_role})
