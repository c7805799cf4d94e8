"""Writes a policy as a file that people can read and edit."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from discreet.errors import WriteError, argument
from discreet.policy.parts import list_parameters
from discreet.policy.policy_file import PolicyLoader
from discreet.table.atomic import NameTakenError, open_hidden_file

if TYPE_CHECKING:
    from discreet.policy.policy import ColumnPolicy, Policy


class PolicyDumper(yaml.SafeDumper):
    """Quotes whatever YAML 1.1 or 1.2 would take for something else than text."""

    def ignore_aliases(self, data: Any) -> bool:
        """Repeat a mapping that occurs twice rather than pointing at it."""
        return True


PolicyDumper.yaml_implicit_resolvers = {
    first: [*old, *PolicyLoader.yaml_implicit_resolvers.get(first, [])]
    for first, old in yaml.SafeDumper.yaml_implicit_resolvers.items()
}


def render_policy(policy: Policy, folder: Path | None = None) -> str:
    """The policy as YAML: columns, promises, then every setting that is not the default."""
    return _dump(write_plain_policy(policy, folder))


def render_changed_keys(before: Policy, after: Policy, folder: Path | None = None) -> str:
    """The keys that another policy has otherwise, as YAML to paste over those of the first.

    A list such as ``require`` is written as a whole; of the columns only those that differ. What is
    to be taken away is a comment, since a policy file has no line for it.
    """
    old, new = write_plain_policy(before, folder), write_plain_policy(after, folder)
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
    return "".join(f"{line}\n" for line in (*left_out, *gone)) + (_dump(data) if data else "")


def _dump(data: dict[str, Any]) -> str:
    return yaml.dump(
        data, Dumper=PolicyDumper, sort_keys=False, allow_unicode=True, default_flow_style=None
    )


def write_plain_policy(policy: Policy, folder: Path | None = None) -> dict[str, Any]:
    """The policy as plain data, as its file has it."""
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
    from discreet.hierarchy.spec import write_spec
    from discreet.policy.parts import Auto

    found: dict[str, Any] = {"role": column.role.value}
    if column.hierarchy is not None:
        proposed = isinstance(column.hierarchy, Auto)
        found["hierarchy"] = {"auto": True} if proposed else write_spec(column.hierarchy, folder)
    if column.weight != 1:
        whole = column.weight.is_integer()
        found["weight"] = int(column.weight) if whole else column.weight
    if column.scrub is not None:
        found["scrub"] = column.scrub.spec(folder)
    if column.replace is not None:
        found["replace"] = column.replace.spec(folder)
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
    return value.spec(folder) if hasattr(value, "spec") else value


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
