"""Puts a first policy in its place: whole or not at all, and not over another by accident."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from discreet.errors import PolicyTargetError


def check_policy_path(path: Path, source: Path, force: bool) -> None:
    """Refuse a place for the policy before any work is done."""
    if path.is_dir():
        raise PolicyTargetError(path, "this is a folder", "Name a file in it.")
    if path.exists() and not path.is_file():
        raise PolicyTargetError(path, "this is not a plain file", "Name a file.")
    if path.exists() and source.exists() and path.samefile(source):
        raise PolicyTargetError(path, "this is the file that is read", "Name another file.")
    if not path.absolute().parent.is_dir():
        raise PolicyTargetError(path, "its folder does not exist", "Make the folder first.")
    if os.path.lexists(path) and not force:
        raise PolicyTargetError(path, "this file exists already", _FIX)


_FIX = "Name another file, or give --force to replace it."


def write_policy_text(path: Path, text: str, force: bool = False) -> None:
    """Write a policy file; an older one is as it was unless `force` is given."""
    try:
        handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=".discreet-")
    except OSError as error:
        raise _refused(path, error) from None
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())
        _move(name, path, force)
    except OSError as error:
        raise _refused(path, error) from None
    finally:
        Path(name).unlink(missing_ok=True)


def _move(name: str, path: Path, force: bool) -> None:
    """Give the finished file its name; a link fails where a file has appeared meanwhile."""
    if force:
        Path(name).replace(path)
        return
    try:
        os.link(name, path)
    except FileExistsError:
        raise PolicyTargetError(path, "this file exists already", _FIX) from None
    except OSError:
        Path(name).replace(path)  # no links on this file system; it was not there a moment ago


def _umask() -> int:
    now = os.umask(0o077)
    os.umask(now)
    return now


def _refused(path: Path, error: OSError) -> PolicyTargetError:
    what = f"it cannot be written ({(error.strerror or 'unknown reason').lower()})"
    return PolicyTargetError(path, what, "Check the space and the permissions of its folder.")
