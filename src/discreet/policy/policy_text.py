"""Writes a policy as a file that people can read and edit."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import DiscreetError, WriteError, argument
from discreet.hierarchy.spec import write_spec
from discreet.input_file import POLICY, find_largest_size
from discreet.policy.parts import Auto, list_parameters
from discreet.policy.policy_edit import dump_policy, edit_policy_text, is_same
from discreet.policy.policy_file import parse_policy
from discreet.table.atomic import NameTakenError, open_hidden_file

if TYPE_CHECKING:
    from discreet.policy.policy import ColumnPolicy, Policy


def render_policy(policy: Policy, folder: Path | None = None, comments: bool = True) -> str:
    """The policy as YAML: columns, promises, then every setting that is not the default.

    With ``comments``, one that was read from a file has the comments and the layout of that file.
    """
    data = write_policy_data(policy, folder)
    kept = _keep_comments(policy, data, folder) if comments else None
    return dump_policy(data) if kept is None else kept


def _keep_comments(policy: Policy, data: dict[str, Any], folder: Path | None) -> str | None:
    """The text that the policy was read from, changed where it has to be; None without any.

    What was read means the same as before only if it is read again and says so.
    """
    source = policy.source
    if not source.text:
        return None
    try:
        first = type(policy)(folder=source.folder, **parse_policy(source.text, source.file)[0])
        text = edit_policy_text(source.text, write_policy_data(first, source.folder), data)
        if text is None or len(text.encode()) > find_largest_size(POLICY):
            return None
        again = type(policy)(folder=folder or Path(), **parse_policy(text, source.file)[0])
        return text if is_same(write_policy_data(again, folder), data) else None
    except DiscreetError:
        return None


def render_changed_keys(before: Policy, after: Policy, folder: Path | None = None) -> str:
    """The keys that another policy has otherwise, as YAML to paste over those of the first.

    A list such as ``require`` is written as a whole; of the columns only those that differ. What is
    to be taken away is a comment, since a policy file has no line for it.
    """
    old, new = write_policy_data(before, folder), write_policy_data(after, folder)
    columns = {
        name: said for name, said in new["columns"].items() if said != old["columns"].get(name)
    }
    data = {"columns": columns} if columns else {}
    data |= {key: said for key, said in new.items() if key != "columns" and said != old.get(key)}
    gone = [f"# delete this key: {key}" for key in old if key not in new]
    left_out = [
        f"# delete this column: {json.dumps(name, ensure_ascii=False)}"
        for name in old["columns"]
        if name not in new["columns"]
    ]
    lines = "".join(f"{line}\n" for line in (*left_out, *gone))
    # Each key by itself, since a mapping of nothing but texts and numbers would be one in braces.
    return lines + "".join(
        dump_policy({key: said, "_": []}).removesuffix("_: []\n") for key, said in data.items()
    )


def write_policy_data(policy: Policy, folder: Path | None) -> dict[str, Any]:
    """The policy as the plain data of its file; paths become relative to ``folder``."""
    data: dict[str, Any] = {
        "columns": {
            name: _write_column(name, column, folder) for name, column in policy.columns.items()
        },
        "require": [{model.name: list_parameters(model, folder)} for model in policy.require],
    }
    for name, field in type(policy).model_fields.items():
        value = getattr(policy, name)
        if name in data:
            continue
        if name in ("algorithm", "measure"):
            settings = list_parameters(value)
            value = {value.name: settings} if settings else value.name
        if name == "techniques" and value:
            from discreet.policy.techniques import write_technique

            value = [write_technique(technique, folder) for technique in value]
        if value != field.get_default(call_default_factory=True):
            data[name] = _write_plain(value, folder)
    return data


def _write_column(name: str, column: ColumnPolicy, folder: Path | None) -> dict[str, Any]:
    found: dict[str, Any] = {"role": column.role.value}
    if column.hierarchy is not None:
        proposed = isinstance(column.hierarchy, Auto)
        found["hierarchy"] = {"auto": True} if proposed else write_spec(column.hierarchy, folder)
    if column.weight != 1:
        whole = column.weight.is_integer()
        found["weight"] = int(column.weight) if whole else column.weight
    if column.scrub is not None:
        found["scrub"] = column.scrub.write_spec(folder)
    if column.replace is not None:
        found["replace"] = column.replace.write_spec(folder)
    if column.missing:
        found["missing"] = list(column.missing)
    if column.repair is not None:
        found["repair"] = column.repair
    if column.technique:
        from discreet.policy.techniques import write_technique

        told = [write_technique(technique, folder, name) for technique in column.technique]
        found["technique"] = told[0] if len(told) == 1 else told
    return found


def _write_plain(value: Any, folder: Path | None) -> Any:
    """A setting as plain data; parts that have parameters of their own say what they are."""
    if isinstance(value, tuple):
        return [_write_plain(one, folder) for one in value]
    if isinstance(value, dict):
        return {name: _write_plain(one, folder) for name, one in value.items()}
    return value.write_spec(folder) if hasattr(value, "write_spec") else value


# Puts a policy file in its place: whole or not at all, and not over another by accident.


def check_policy_path(path: Path, source: Path, force: bool) -> None:
    """Refuse a place for the policy before any work is done."""
    if path.is_dir():
        raise _make_error(path, "this is a folder", "Name a file in it.")
    if path.exists() and not path.is_file():
        raise _make_error(path, "this is not a plain file", "Name a file.")
    if path.exists() and source.exists() and path.samefile(source):
        raise _make_error(path, "this is the file that is read", "Name another file.")
    if not path.absolute().parent.is_dir():
        raise _make_error(path, "its folder does not exist", "Make the folder first.")
    if os.path.lexists(path) and not force:
        raise _make_error(path, "this file exists already", _FIX)


_FIX = f"Name another file, or give {argument('force')} to replace it."


def write_policy_text(path: Path, text: str, force: bool = False) -> None:
    """Write a policy file; an older one is as it was unless `force` is given."""
    try:
        with open_hidden_file(path.absolute(), path.suffix, replace=force) as hidden:
            hidden.write_text(text, encoding="utf-8", newline="\n")
    except NameTakenError:
        raise _make_error(path, "this file exists already", _FIX) from None
    except (OSError, WriteError) as error:
        why = error.what if isinstance(error, WriteError) else os.strerror(error.errno or 0)
        fix = "Check the space and the permissions of its folder."
        raise _make_error(path, f"it cannot be written ({why})", fix) from None


def _make_error(path: Path, what: str, fix: str) -> WriteError:
    return WriteError(argument("write_policy", str(path)), what, fix, "No policy was written.")


# The policy as recipients see it, in a certificate or a report.


def write_shown_policy(policy: Policy) -> tuple[str, str]:
    """The name of the policy's file and its text, which is that of the file if nothing is left out.

    Left out are its seed, from which the order of rows and what was drawn could be reproduced;
    comments, which may tell about the private table; profiles of other recipients; and the folders
    of key files.
    """
    folder = policy.source.folder.absolute()
    columns = {
        name: column.model_copy(
            update={
                part: replace(settings, key=folder / settings.key.name)
                for part in ("replace", "scrub")
                if getattr(settings := getattr(column, part), "key", None) is not None
            }
        )
        for name, column in policy.columns.items()
    }
    changes: dict[str, Any] = {"columns": columns, "seed": None, "time_limit": None}
    if policy.people is not None and policy.people.key is not None:
        changes["people"] = replace(policy.people, key=folder / policy.people.key.name)
    text = policy.replace(**changes).to_yaml(folder, comments=False)
    file = policy.file if policy.file.endswith((".yaml", ".yml", ".json")) else "policy.yaml"
    own = policy.source.text
    if own and "#" not in own:
        read = type(policy).parse(own, policy.file, folder)
        if read.to_yaml(folder, comments=False) == text:
            text = own
    return file, text
