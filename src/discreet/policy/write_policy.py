"""Puts a policy file in its place: whole or not at all, and not over another by accident."""

from __future__ import annotations

import os
from pathlib import Path

from discreet.errors import WriteError, argument
from discreet.table.atomic import NameTakenError, open_hidden_file


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
