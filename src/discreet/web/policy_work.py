"""What the child does with the text of the policy; these functions need no table.

A text is edited by naming methods of :class:`discreet.PolicyText` with their arguments, so that
each click is one step to undo, however many keys it changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import discreet
from discreet.display import safe_repr
from discreet.errors import PolicyError, PolicyProblem


@safe_repr
class Edit(NamedTuple):
    """One call of a method of `PolicyText` that gives another text."""

    method: str
    args: tuple[Any, ...] = ()
    keys: tuple[tuple[str, Any], ...] = ()


def read_text(text: str, file: str, folder: str) -> dict[str, Any]:
    """What a text says, as far as it can be read: ``data`` is empty where it is no YAML."""
    found = discreet.PolicyText(text, file, folder)
    try:
        data = found.data
    except PolicyError:
        data = {}
    columns = data.get("columns")
    said = columns.items() if isinstance(columns, dict) else ()
    return {
        "text": found.text,
        "data": data,
        "roles": {name: one.get("role") for name, one in said if isinstance(one, dict)},
        "problems": list(found.problems),
    }


def load_text(path: str) -> dict[str, Any]:
    """The policy in a file, with its name and the folder that its paths start from."""
    found = discreet.PolicyText.load(Path(path).expanduser())
    reading = read_text(found.text, found.file, str(found.folder))
    return {**reading, "file": found.file, "folder": str(Path(found.folder).absolute())}


def edit_text(
    text: str, file: str, folder: str, edits: Sequence[tuple[Any, ...]]
) -> dict[str, Any]:
    """The text after some edits, one after the other."""
    found = discreet.PolicyText(text, file, folder)
    for method, args, keys in edits:
        found = getattr(found, method)(*args, **dict(keys))
    return read_text(str(found), file, folder)


def edit_strictly(
    text: str, file: str, folder: str, edits: Sequence[tuple[Any, ...]]
) -> dict[str, Any]:
    """The same, but edits that bring a problem into the policy are refused."""
    before = {(one["key"], one["what"]) for one in read_text(text, file, folder)["problems"]}
    found = edit_text(text, file, folder, edits)
    for one in found["problems"]:
        if (one["key"], one["what"]) not in before:
            raise PolicyError([PolicyProblem(**one)], file)
    return found


def save_text(text: str, file: str, folder: str, path: str, replace: bool) -> str:
    """Write the policy to a file, with its paths relative to it; an invalid one is refused."""
    target = Path(path).expanduser()
    discreet.PolicyText(text, file, folder).policy.save(target, replace=replace)
    return str(target)
