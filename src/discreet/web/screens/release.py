"""*Release*: makes, writes and verifies the release, and what goes with it."""

from __future__ import annotations

import asyncio
import io
import shlex
import zipfile
from pathlib import Path
from typing import Any

from discreet.errors import DiscreetError
from discreet.web import release_work, table_work
from discreet.web.screens.screen import Download, Fields, MemoryFolder, Screen
from discreet.web.workspace import WorkError, Workspace

SHORT = 0.6
"""Seconds that work may take without a progress bar."""
KINDS = ("inside", "outside", "metadata", "certificate")
MOST_SENT = 1 << 29
"""Bytes of a file that the browser is offered; a larger one is where it was written."""
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of files in an archive, so that the same files give the same bytes."""


async def collect(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """What would be released under which promises, where to, and what was made last."""
    kept = workspace.kept.get("release", {})
    asked = kept.get("form", {})
    made = kept.get("made")
    _tidy(workspace, kept)
    data = workspace.reading["data"]
    columns = data.get("columns") if isinstance(data.get("columns"), dict) else {}
    return {
        "opened": workspace.opened,
        "released": [name for name, one in columns.items() if _is_released(one)],
        "withheld": _count_withheld(workspace, columns),
        "promises": _list_promises(data),
        "asked": asked,
        "way": asked.get("way") or ("path" if _find_source(workspace) else "download"),
        "path": asked.get("path") or str(propose_path(workspace)),
        "name": asked.get("name") or propose_path(workspace).name,
        "exists": kept.get("exists", False),
        "made": made,
        "old": made is not None and made["policy"] != workspace.reading["text"],
        "files": [] if made is None else _list_files(made),
        "most": MOST_SENT,
        "kinds": KINDS,
    }


def _tidy(workspace: Workspace, kept: dict[str, Any]) -> None:
    """Remove what work that failed or was cancelled left in memory."""
    if not workspace.is_busy and kept.get("made") is None and kept.get("folder") is not None:
        kept.pop("folder").remove()


def _is_released(column: Any) -> bool:
    said = column if isinstance(column, dict) else {}
    is_known = said.get("role") in ("quasi", "sensitive", "other")
    return is_known or bool(said.get("scrub")) or bool(said.get("replace"))


def _count_withheld(workspace: Workspace, columns: dict[str, Any]) -> int:
    names = (workspace.opened or {"columns": ()})["columns"]
    return sum(not _is_released(columns.get(name)) for name in names)


def _list_promises(data: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The name of each promise with its parameters, as the policy writes them."""
    said = data.get("require")
    found = []
    for one in said if isinstance(said, list) else ():
        for name, given in one.items() if isinstance(one, dict) else ((str(one), {}),):
            found.append((str(name), given if isinstance(given, dict) else {}))
    return found


def _find_source(workspace: Workspace) -> str | None:
    path: str | None = (workspace.source or {}).get("path")
    return path


def _is_source(workspace: Workspace, path: Path) -> bool:
    """Whether a path is the open file, which is refused and not asked about."""
    source = _find_source(workspace)
    return source is not None and path == Path(source).expanduser().absolute()


def propose_path(workspace: Workspace) -> Path:
    """Beside the file that is open; of what has no place, in the folder of the command line."""
    name = shlex.split(workspace.command)[-1]
    source = _find_source(workspace)
    if source is None or "://" in source:
        return Path.cwd() / name
    return Path(source).expanduser().absolute().with_name(name)


def _list_files(made: dict[str, Any]) -> list[dict[str, Any]]:
    """All files that can be had, the release first."""
    return [*made["own"], *made["files"]] if made["written"] else []


async def make(workspace: Workspace, fields: Fields) -> None:
    """Make, write and verify the release, as long work that can be cancelled."""
    kept = workspace.kept.setdefault("release", {})
    kept.update(form=dict(fields), exists=False)
    download = fields.get("way") == "download"
    folder = None
    if download:
        name = _check_name(fields.get("name", "").strip())
        folder = MemoryFolder()
        path = folder.path / name
    else:
        path = Path(_check_path(fields.get("path", "").strip())).expanduser().absolute()
        kept["exists"] = not path.is_dir() and (path.exists() or path.is_symlink())
    replace = bool(fields.get("replace"))
    if kept["exists"] and not replace and not _is_source(workspace, path):
        what = "this exists already"
        raise DiscreetError(str(path), what, "Choose to replace it below, or name another file.")
    wanted = {
        "path": str(path),
        "replace": replace,
        "source": _find_source(workspace),
        "attack": bool(fields.get("attack")),
        "undecided": bool(fields.get("undecided")),
        "ledger": fields.get("ledger", "").strip(),
        "to": fields.get("to", "").strip(),
        "removed": bool(fields.get("removed")),
    }
    policy = (workspace.reading["text"], workspace.policy_file, workspace.policy_folder)

    async def keep(found: dict[str, Any]) -> None:
        own = [] if not found["written"] else [_describe(found), _describe_policy(*policy)]
        made = {**found, "own": own, "files": [], "download": download}
        made |= {"policy": policy[0], "command": _write_command(workspace, wanted, download)}
        kept["made"], kept["exists"] = made, False
        if found["written"]:
            await _count(workspace, made)

    job = workspace.start(
        "releasing", "release", release_work.make_release, *policy, wanted, then=keep
    )
    kept["folder"] = folder  # that of the release before goes with what was in it
    kept.pop("made", None)
    await _follow(workspace, job)


async def _count(workspace: Workspace, made: dict[str, Any]) -> None:
    """Count the promises in the written file; it is out by now, whatever comes of this."""
    if workspace.job is not None:
        workspace.job.progress.update(step="verifying the written file", share=None)
    made["counted"], made["not_counted"] = None, ""
    try:
        made["counted"] = await workspace.ask(release_work.count_written)
    except WorkError as error:
        made["not_counted"] = str(error) or "its process ended"


async def _follow(workspace: Workspace, job: Any) -> None:
    await workspace.wait(job, SHORT)
    workspace.raise_failure()


def _check_name(name: str) -> str:
    """A name of a file in no folder."""
    if not name or Path(name).name != name or name in (".", ".."):
        raise DiscreetError("the name", "this is not the name of a file", "Such as release.csv.")
    if not Path(name).suffix:
        what = "a file for download needs an ending"
        raise DiscreetError("the name", what, "Such as release.csv or release.parquet.")
    return name


def _check_path(path: str) -> str:
    if not path:
        raise DiscreetError("the path", "it is empty", "Name the file to write.")
    return path


def _describe(found: dict[str, Any]) -> dict[str, Any]:
    path = Path(found["path"])
    one = {"key": "release", "kind": "release", "name": path.name, "path": found["path"]}
    return {**one, "size": found["size"], "private": False, "folder": path.is_dir()}


def _describe_policy(text: str, file: str, folder: str) -> dict[str, Any]:
    content = text.encode()
    one = {"key": "policy", "kind": "policy", "name": Path(file).name, "content": content}
    return {**one, "size": len(content), "private": True}


def _write_command(workspace: Workspace, wanted: dict[str, Any], download: bool) -> str:
    """The commands that do the same in a pipeline."""
    target = Path(wanted["path"]).name if download else wanted["path"]
    words = [*shlex.split(workspace.command)[:-1], target]
    for option in ("ledger", "to"):
        words += [f"--{option}", wanted[option]] if wanted[option] else []
    words += ["--rows-removed"] if wanted["removed"] and wanted["ledger"] else []
    lines = [shlex.join([*words, "--force"] if wanted["replace"] else words)]
    if wanted["attack"]:
        source = _find_source(workspace) or (workspace.source or {}).get("name")
        more = ["--policy", workspace.policy_path, "--original", source or table_work.SAMPLE]
        lines.append(shlex.join(["discreet", "attack", target, *more]))
    return "\n".join(lines)


async def add_files(workspace: Workspace, fields: Fields) -> None:
    """Make reports, metadata and the certificate of the release that was written."""
    kept = workspace.kept.setdefault("release", {})
    made = kept.get("made")
    kinds = [one for one in KINDS if fields.get(one)]
    if made is None or not made["written"] or not kinds:
        return
    kept["folder"] = kept["folder"] or MemoryFolder()
    wanted = {
        "into": str(kept["folder"].path),
        "kinds": kinds,
        "key": fields.get("key", "").strip(),
        "draw": bool(fields.get("draw")),
    }
    policy = (made["policy"], workspace.policy_file, workspace.policy_folder)

    async def keep(found: list[dict[str, Any]]) -> None:
        fresh = {one["key"] for one in found}
        made["files"] = [*(one for one in made["files"] if one["key"] not in fresh), *found]

    job = workspace.start(
        "accompanying", "release", release_work.make_files, *policy, wanted, then=keep
    )
    await _follow(workspace, job)


def _find_made(workspace: Workspace) -> list[dict[str, Any]]:
    made = workspace.kept.get("release", {}).get("made")
    return [] if made is None else _list_files(made)


def _read(one: dict[str, Any]) -> bytes:
    if "content" in one:
        content: bytes = one["content"]
        return content
    try:
        return Path(one["path"]).read_bytes()
    except OSError:
        raise DiscreetError(one["name"], "it cannot be read any more", "Make it again.") from None


async def send_file(workspace: Workspace, fields: Fields) -> Download:
    """One of the files."""
    key = fields.get("key", "")
    one = next((one for one in _find_made(workspace) if one["key"] == key), None)
    if one is None or one.get("folder") or one["size"] > MOST_SENT:
        raise DiscreetError("the file", "it is not there any more", "Make the release again.")
    return Download(one["name"], await asyncio.to_thread(_read, one))


async def send_all(workspace: Workspace, fields: Fields) -> Download:
    """All files as one archive: what may be handed out, and what stays in the house."""
    found = [one for one in _find_made(workspace) if not one.get("folder")]
    if not found or sum(one["size"] for one in found) > MOST_SENT:
        raise DiscreetError("the archive", "there is nothing to put in", "Make the release first.")
    stem = found[0]["name"].partition(".")[0]
    return Download(f"{stem}.zip", await asyncio.to_thread(_pack, found), "application/zip")


def _pack(found: list[dict[str, Any]]) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in found:
            place = "keep_in_the_house" if one["private"] else "hand_out"
            more = "metadata/" if one["kind"] == "metadata" else ""
            info = zipfile.ZipInfo(f"{place}/{more}{one['name']}", LONG_AGO)
            info.external_attr = (0o600 if one["private"] else 0o644) << 16
            archive.writestr(info, _read(one), zipfile.ZIP_DEFLATED)
    return whole.getvalue()


SCREEN = Screen(
    "release",
    collect,
    actions={"make": make, "files": add_files},
    downloads={"file": send_file, "all": send_all},
)
