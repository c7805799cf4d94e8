"""*Text*: what identifies people in texts, to be looked at, decided on and replaced."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from discreet.errors import DiscreetError
from discreet.web import text_work
from discreet.web.policy_work import Edit
from discreet.web.screens.screen import Download, Fields, MemoryFolder, Screen
from discreet.web.workspace import LostError, WorkError, Workspace

SHORT = 0.6
"""Seconds that work may take without a progress bar."""
STYLES = ("pseudonym", "tag", "blank", "remove")
DATES = ("month", "nearest", "month-only", "year", "shift", "keep")
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9)
LANGUAGES = ("en", "de")
KINDS = (
    *("NAME", "ORGANIZATION", "STREET", "CITY", "STATE", "ZIP", "COUNTRY", "LOCATION"),
    *("PHONE", "FAX", "EMAIL", "URL", "IP", "USERNAME", "DATE", "AGE", "SSN", "RECORD"),
    *("ACCOUNT", "ID", "OCCUPATION", "PASSWORD", "ADDRESS", "TEAM", "LICENSE", "VEHICLE"),
    *("DEVICE", "CARD", "IBAN", "BLOCK"),
)
"""Kinds that a person may name, the usual ones first."""
DEFAULTS = {"style": "pseudonym", "dates": "month", "language": "en", "threshold": 0.7}


async def collect(workspace: Workspace, fields: Fields) -> dict[str, Any]:
    """The columns of text with their settings, and a page of passages of the chosen source."""
    kept = workspace.kept.get("text", {})
    if not workspace.is_busy and "folder" in kept:
        kept.pop("folder").remove()
    source = _choose_source(workspace, kept)
    asked = fields.get("first", "")
    first = int(asked) if asked.isdecimal() and len(asked) < 10 else kept.get("first", 0)
    first = first // text_work.PAGE * text_work.PAGE
    if source is not None:
        workspace.kept.setdefault("text", {})["first"] = first
    facts = {
        "columns": _list_columns(workspace),
        "source": source,
        "path": kept.get("path", ""),
        "finding": _choose_finding(workspace, kept, source),
        "style": kept.get("style", DEFAULTS["style"]),
        "out": kept.get("out", ""),
        "done": kept.get("done"),
        "exists": kept.get("exists", False),
        "decisions": len(kept.get("decisions", {})),
        "choices": {"style": STYLES, "dates": DATES, "threshold": THRESHOLDS},
        "languages_of_text": LANGUAGES,
        "kinds": KINDS,
        "page_of": None,
        "refused": "",
    }
    if source is None or workspace.has_to_wait:
        return facts
    try:
        found = await workspace.ask(text_work.read_passages, source, facts["finding"], first)
    except LostError:
        raise
    except WorkError as error:
        return {**facts, "refused": str(error)}
    decisions = kept.get("decisions", {})
    for one in found["passages"]:
        one["parts"] = _cut(one, decisions)
    return {**facts, "page_of": found}


def _list_columns(workspace: Workspace) -> list[dict[str, Any]]:
    """The columns with role text, each with how it is scrubbed, None where it is withheld."""
    said = workspace.reading["data"].get("columns")
    columns = said if isinstance(said, dict) else {}
    found = []
    for name in (workspace.opened or {"columns": ()})["columns"]:
        one = columns.get(name)
        if isinstance(one, dict) and one.get("role") == "text":
            scrub = one.get("scrub")
            given = scrub if isinstance(scrub, dict) else {}
            found.append({"name": name, "scrub": {**DEFAULTS, **given} if scrub else None})
    return found


def _choose_source(workspace: Workspace, kept: dict[str, Any]) -> dict[str, Any] | None:
    source: dict[str, Any] | None = kept.get("source")
    if source is not None and "column" in source:
        names = [one["name"] for one in _list_columns(workspace)]
        return source if source["column"] in names else None
    return source


def _choose_finding(
    workspace: Workspace, kept: dict[str, Any], source: dict[str, Any] | None
) -> dict[str, Any]:
    """How to find: as the policy says of a column, as chosen here for documents."""
    chosen: dict[str, Any] = kept
    if source is not None and "column" in source:
        scrubs = {one["name"]: one["scrub"] for one in _list_columns(workspace)}
        chosen = scrubs[source["column"]] or {}
    threshold = chosen.get("threshold", DEFAULTS["threshold"])
    is_sound = isinstance(threshold, int | float) and 0 <= threshold <= 1
    return {
        "language": str(chosen.get("language", DEFAULTS["language"])),
        "threshold": float(threshold) if is_sound else 0.7,
    }


def _cut(passage: dict[str, Any], decisions: dict[Any, dict[str, Any]]) -> list[dict[str, Any]]:
    """The passage in parts: text as it is, and findings as they were decided on."""
    start, end = passage["start"], passage["start"] + len(passage["text"])
    spans = {(one["start"], one["end"]): {**one, "state": "found"} for one in passage["findings"]}
    for (digest, first, last), one in decisions.items():
        if digest != passage["digest"] or not start <= first < end:
            continue
        before = spans.get((first, last), {"likelihood": None, "reason": "", "kind": one["kind"]})
        state = {"keep": "kept", "replace": "decided"}[one["do"]]
        kind = before["kind"] if state == "kept" else one["kind"]
        spans[first, last] = {**before, "start": first, "end": last, "kind": kind, "state": state}
    parts, done = [], start
    for (first, last), one in sorted(spans.items()):
        if first < done:  # lies within one that is shown
            continue
        last = min(last, end)
        parts.append({"text": passage["text"][done - start : first - start], "finding": None})
        parts.append({"text": passage["text"][first - start : last - start], "finding": one})
        done = last
    parts.append({"text": passage["text"][done - start :], "finding": None})
    return [one for one in parts if one["text"]]


async def show_column(workspace: Workspace, fields: Fields) -> None:
    """Look at the texts of a column."""
    kept = workspace.kept.setdefault("text", {})
    if fields["column"] in [one["name"] for one in _list_columns(workspace)]:
        kept.update(source={"column": fields["column"]}, first=0)


async def set_column(workspace: Workspace, fields: Fields) -> None:
    """Say in the policy how a column is scrubbed, or that it stays in the house."""
    column = fields["column"]
    if column not in [one["name"] for one in _list_columns(workspace)]:
        return
    scrub: Any = None
    if fields.get("released"):
        given = _read_choices(fields)
        known = next(one for one in _list_columns(workspace) if one["name"] == column)["scrub"]
        others = {key: value for key, value in (known or {}).items() if key not in DEFAULTS}
        scrub = {**others, **{key: one for key, one in given.items() if one != DEFAULTS[key]}}
        scrub = scrub or True
    await workspace.change(Edit("set_column", (column,), (("scrub", scrub),)))


def _read_choices(fields: Fields) -> dict[str, Any]:
    """What a form chose among the choices there are."""
    given = {key: fields.get(key, DEFAULTS[key]) for key in ("style", "dates", "language")}
    allowed = {"style": STYLES, "dates": DATES, "language": LANGUAGES}
    chosen = {key: one if one in allowed[key] else DEFAULTS[key] for key, one in given.items()}
    try:
        threshold = float(fields.get("threshold", DEFAULTS["threshold"]))
    except ValueError:
        threshold = 0.7
    return {**chosen, "threshold": threshold if 0 <= threshold <= 1 else 0.7}


async def show_path(workspace: Workspace, fields: Fields) -> None:
    """Look at a document, or all documents of a folder; decisions about others are forgotten."""
    path = fields.get("path", "").strip()
    if not path:
        raise DiscreetError("the path", "it is empty", "Name a document or a folder.")
    kept = workspace.kept.setdefault("text", {})
    chosen = _read_choices(fields)
    if kept.get("path") != path:
        kept.update(decisions={}, out=_propose_out(path), done=None, exists=False)
    kept.update(source={"path": path}, path=path, first=0)
    kept.update(language=chosen["language"], threshold=chosen["threshold"])


def _propose_out(path: str) -> str:
    """Beside what is read."""
    place = Path(path).expanduser().absolute()
    return str(place.with_name(f"{place.stem}_scrubbed{place.suffix}"))


async def decide(workspace: Workspace, fields: Fields) -> None:
    """Keep a finding, replace it (maybe as another kind), or leave it as it was found."""
    kept = workspace.kept.setdefault("text", {})
    decisions = kept.setdefault("decisions", {})
    try:
        place = fields["digest"], int(fields["start"]), int(fields["end"])
    except ValueError:
        return
    if fields.get("do") not in ("keep", "replace"):
        decisions.pop(place, None)
        return
    kind = fields.get("kind", "")
    decisions[place] = {
        "document": fields.get("document", ""),
        "do": fields["do"],
        "kind": kind if kind in KINDS or fields["do"] == "keep" else "NAME",
    }


async def add_missed(workspace: Workspace, fields: Fields) -> None:
    """Have words replaced that were missed, wherever they are in the text."""
    kept = workspace.kept.setdefault("text", {})
    source = kept.get("source")
    place, kind = fields.get("place", ""), fields.get("kind", "NAME")
    if source is None or "path" not in source or not place.isdecimal():
        return
    words = fields.get("words", "").strip()
    spans = await workspace.ask(
        text_work.find_words, source, kept.get("first", 0), int(place), words
    )
    decisions = kept.setdefault("decisions", {})
    for one in spans:
        decision = {"document": one["document"], "do": "replace"}
        decision["kind"] = kind if kind in KINDS else "NAME"
        decisions[one["digest"], one["start"], one["end"]] = decision


def _list_decisions(kept: dict[str, Any]) -> list[dict[str, Any]]:
    """The decisions as their file has them."""
    return [
        {**one, "digest": digest, "start": start, "end": end}
        for (digest, start, end), one in kept.get("decisions", {}).items()
    ]


async def send_decisions(workspace: Workspace, fields: Fields) -> Download:
    """The file of decisions; it has no word of the texts."""
    found = _list_decisions(workspace.kept.get("text", {}))
    content = text_work.render_decisions(found)
    return Download("decisions.json", content, "application/json")


async def scrub(workspace: Workspace, fields: Fields) -> None:
    """Write the scrubbed texts, as long work that can be cancelled."""
    kept = workspace.kept.setdefault("text", {})
    if "path" not in (kept.get("source") or {}):
        raise DiscreetError("the path", "it is empty", "Name a document or a folder.")
    out = fields.get("out", "").strip()
    if not out:
        raise DiscreetError("the path of the scrubbed text", "it is empty", "Name a file.")
    style = fields.get("style", "")
    kept.update(out=out, style=style if style in STYLES else "pseudonym", done=None)
    place = Path(out).expanduser()
    kept["exists"] = place.is_file()
    wanted = {key: kept[key] for key in ("path", "out", "style", "language", "threshold")}
    wanted |= {"replace": bool(fields.get("replace")), "decisions": None}
    if kept.get("decisions"):
        kept["folder"] = MemoryFolder()
        file = kept["folder"].path / "decisions.json"
        file.write_bytes(text_work.render_decisions(_list_decisions(kept)))
        wanted["decisions"] = str(file)

    async def keep(found: dict[str, Any]) -> None:
        kept.update(done={**found, "command": _write_command(wanted)}, exists=False)

    job = workspace.start("scrubbing", "text", text_work.scrub_documents, wanted, then=keep)
    await workspace.wait(job, SHORT)
    workspace.raise_failure()


def _write_command(wanted: dict[str, Any]) -> str:
    """The command that does the same."""
    words = ["discreet", "scrub", wanted["path"], "-o", wanted["out"]]
    for key in ("style", "language", "threshold"):
        words += [f"--{key}", str(wanted[key])] if wanted[key] != DEFAULTS[key] else []
    words += ["--decisions", "decisions.json"] if wanted["decisions"] else []
    return shlex.join(words)


SCREEN = Screen(
    "text",
    collect,
    actions={
        "show": show_column,
        "set": set_column,
        "open": show_path,
        "decide": decide,
        "add": add_missed,
        "scrub": scrub,
    },
    downloads={"decisions": send_decisions},
    needs_table=False,
)
