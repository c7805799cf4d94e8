"""Reads a page of the docs as a list of steps that can be run.

Rules for whoever writes a page:

* In a ``console`` block every line that starts with ``$ `` is run, in order, in one folder a page;
  the lines below it are what it must print, where ``...`` stands for any text. No lines below: its
  output is not looked at.
* ``<!-- exit: 1 -->`` above a block is the exit code of its last command; 0 otherwise.
* ``<!-- file: policy.yaml -->`` above a block of any other language writes it as that file.
* ``<!-- setup: COMMAND -->`` runs a command that the reader is not shown.
* ``python`` blocks are run in one namespace a page, as doctests where they hold ``>>>``.
* ``<!-- not run: reason -->`` above a block leaves it out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [
        *(ROOT / "docs").rglob("*.md"),
        *(page for page in ROOT.glob("*.md") if page.name != "CHANGELOG.md"),
    ]
)

_FENCE = re.compile(r"^```(\w*)\s*$")
_NOTE = re.compile(r"^<!-- (exit|file|setup|not run): (.+?) -->$")


@dataclass(frozen=True)
class Command:
    """One shell command and what the page says comes of it."""

    line: int
    text: str
    output: str
    code: int = 0


@dataclass(frozen=True)
class File:
    """A file that the page shows."""

    line: int
    name: str
    text: str


@dataclass(frozen=True)
class Code:
    """A block of Python."""

    line: int
    text: str


Step = Command | File | Code


@dataclass(frozen=True)
class Block:
    """A fenced block with the notes that stand right above it."""

    line: int
    language: str
    text: str
    notes: dict[str, str]


def steps(page: Path) -> list[Step]:
    """All that a page asks its reader to do, in order."""
    found: list[Step] = []
    for block in _blocks(page):
        if "setup" in block.notes:
            found.append(Command(block.line, block.notes["setup"], ""))
        if "not run" in block.notes or not block.language:
            continue
        if "file" in block.notes:
            found.append(File(block.line, block.notes["file"], block.text))
        elif block.language == "console":
            found.extend(_commands(block))
        elif block.language == "python":
            found.append(Code(block.line, block.text))
    return found


def unrunnable(page: Path) -> list[int]:
    """Lines of shell blocks that no test would run and that do not say why."""
    return [
        block.line
        for block in _blocks(page)
        if "not run" not in block.notes
        and (
            block.language in ("sh", "bash", "shell")
            or (block.language == "console" and not block.text.startswith("$ "))
        )
    ]


def _blocks(page: Path) -> list[Block]:
    found: list[Block] = []
    notes: dict[str, str] = {}
    inside: list[str] | None = None
    start, language = 0, ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fence, note = _FENCE.match(line), _NOTE.match(line)
        if inside is not None and line.strip() == "```":
            found.append(Block(start, language, "\n".join(inside) + "\n", notes))
            inside, notes = None, {}
        elif inside is not None:
            inside.append(line)
        elif fence:
            inside, start, language = [], number, fence[1]
        elif note:
            if note[1] == "setup":
                found.append(Block(number, "", "", {"setup": note[2]}))
            else:
                notes[note[1]] = note[2]
        elif line.strip():
            notes = {}
    assert inside is None, f"{page}: the block of line {start} is not closed"
    return found


def _commands(block: Block) -> list[Command]:
    found: list[Command] = []
    text, output, line = "", [], block.line
    lines = [*block.text.splitlines(), "$ "]
    for offset, current in enumerate(lines, start=1):
        if current.startswith("$ "):
            if text:
                found.append(Command(line, text, "\n".join(output)))
            text, output, line = current[2:], [], block.line + offset
        elif text.endswith("\\"):
            text += "\n" + current
        else:
            output.append(current)
    last = found[-1]
    code = int(block.notes.get("exit", 0))
    return [*found[:-1], Command(last.line, last.text, last.output, code)]
