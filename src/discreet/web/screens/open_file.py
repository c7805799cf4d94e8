"""*Open*: a file by its path, dropped, or the synthetic town; and its first rows."""

from __future__ import annotations

from typing import Any

from discreet.web import table_work
from discreet.web.screens.screen import Fields, Part, Screen
from discreet.web.workspace import Workspace

SHORT = 0.6
"""Seconds that opening may take without a progress bar."""


async def collect(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """The table that is open, if one is, with its first rows."""
    asked = workspace.kept.get("asked", {})
    if workspace.opened is None:
        return {"opened": None, "asked": asked}
    return {"opened": workspace.opened, "asked": asked, **await read_page(workspace, fields)}


async def read_page(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """A page of 50 rows; none while other work is under way."""
    if workspace.opened is None or workspace.has_to_wait:
        return {"rows": None}
    asked = fields.get("first", "0")
    first = int(asked) if asked.isdecimal() and len(asked) < 12 else 0
    first = min(first, max(workspace.opened["rows"] - 1, 0)) // table_work.PAGE * table_work.PAGE
    found = await workspace.ask(table_work.read_rows, first)
    return {**found, "columns": workspace.opened["columns"], "total": workspace.opened["rows"]}


async def open_path(workspace: Workspace, fields: Fields) -> str | None:
    """Open the file at a path, with the options of reading and a policy to go on with."""
    source: dict[str, Any] = {"path": fields.get("path", "").strip()}
    for name in (*table_work.OPTIONS, "header"):
        if fields.get(name, "").strip():
            source[name] = fields[name].strip()
    workspace.kept["asked"] = dict(fields)
    return await _open(workspace, source, fields.get("policy", "").strip() or None)


async def open_sample(workspace: Workspace, fields: Fields) -> str | None:
    """Open the hospital file of the synthetic town."""
    return await _open(workspace, {"sample": True}, None)


async def _open(workspace: Workspace, source: dict[str, Any], policy: str | None) -> str | None:
    job = workspace.start_opening(source, policy)
    await workspace.wait(job, SHORT)
    workspace.raise_failure()
    return "open"


SCREEN = Screen(
    "open",
    collect,
    actions={"path": open_path, "sample": open_sample},
    parts={"rows": Part("screens/open-rows.html", read_page)},
    needs_table=False,
)
