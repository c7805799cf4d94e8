"""*Policy*: the text itself, to be read, edited, opened and saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from discreet.web.screens.screen import Download, Fields, Screen
from discreet.web.workspace import Workspace


async def collect(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """The text, with where it was saved last."""
    return {"text": workspace.reading["text"], "saved": workspace.kept.get("saved")}


async def apply(workspace: Workspace, fields: Fields) -> None:
    """Take the text that was typed."""
    await workspace.change_text(fields.get("text", "").replace("\r\n", "\n"))


async def load(workspace: Workspace, fields: Fields) -> None:
    """Take the policy of a file."""
    await workspace.load_policy(fields.get("path", "").strip())


async def save(workspace: Workspace, fields: Fields) -> None:
    """Write the policy to a file."""
    path = fields.get("path", "").strip()
    workspace.kept["saved"] = await workspace.save_policy(path, bool(fields.get("replace")))


async def download(workspace: Workspace, fields: Fields) -> Download:
    """The text as a file, valid or not."""
    name = Path(workspace.policy_file).name
    return Download(name, workspace.reading["text"].encode(), "application/yaml")


SCREEN = Screen(
    "policy",
    collect,
    actions={"apply": apply, "load": load, "save": save},
    downloads={"file": download},
    in_navigation=False,
)
