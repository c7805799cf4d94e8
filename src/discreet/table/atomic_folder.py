"""A folder of files that appears whole, or not at all."""

from __future__ import annotations

import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from discreet.errors import WriteError
from discreet.table import atomic

ENDING = ".tables"


@contextmanager
def appearing_folder(target: Path) -> Iterator[Path]:
    """A hidden folder beside the target, which becomes the target at the end.

    It is for its owner alone while it is filled. If the block raises, or the program is asked to
    end, it is removed with all in it, and there is no target. The target must not exist.
    """
    target = Path(os.path.realpath(target))
    check_new_folder(target)
    _sweep(target.parent)
    hidden = target.with_name(f"{atomic.PREFIX}{secrets.token_hex(8)}{ENDING}")
    with atomic.ended_politely():
        atomic.unfinished.add(hidden)
        try:
            with _held(hidden):
                yield hidden
                _reveal(hidden, target)
        finally:
            atomic.remove(hidden)
            atomic.unfinished.discard(hidden)


def check_new_folder(target: Path) -> None:
    """Stop before any work if the folder cannot be made."""
    if not target.is_dir():
        atomic.check_target(target)
    if target.exists() or target.is_symlink():
        what = "this exists already, and tables of two releases must not be mixed"
        raise WriteError(target, what, "Name a new folder.")


def _sweep(parent: Path) -> None:
    """Remove the hidden folders that killed programs left: those that no living one holds."""
    for left in parent.glob(f"{atomic.PREFIX}*{ENDING}"):
        with suppress(OSError):
            held = os.open(left, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if time.time() - os.fstat(held).st_mtime > atomic.MOMENT:
                    atomic.remove(left)
            finally:
                os.close(held)


@contextmanager
def _held(hidden: Path) -> Iterator[None]:
    """Make the folder and hold it, so that others see that it is being worked on."""
    try:
        hidden.mkdir(mode=0o700)
        held = os.open(hidden, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise atomic.refused(hidden.parent, error.errno or 0) from None
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _reveal(hidden: Path, target: Path) -> None:
    try:
        atomic.sync_folder(hidden)
        mask = os.umask(0o077)
        os.umask(mask)
        hidden.chmod(0o777 & ~mask)
        hidden.rename(target)
        atomic.sync_folder(target.parent)
    except OSError as error:
        what = f"the finished folder could not take its name: {os.strerror(error.errno or 0)}"
        raise WriteError(target, what, "Name another folder.") from None
