"""A file that appears whole, or not at all."""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import shutil
import signal
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

from discreet.errors import WriteError

PREFIX = ".discreet-"
MOMENT = 60

unfinished: set[Path] = set()
"""Hidden files and folders under way, for a program that has to end without unwinding."""


def discard_unfinished() -> None:
    """Remove every hidden file and folder under way."""
    for hidden in list(unfinished):
        remove(hidden)


@contextmanager
def appearing(target: Path, endings: str, rights: int | None = None) -> Iterator[Path]:
    """The path of a hidden file beside the target, which becomes the target at the end.

    It is there, empty and for its owner alone; the caller fills and syncs it. Without ``rights``
    the target gets those of the file it replaces, or of any new file. If the block raises,
    or the program is asked to end, the hidden file is removed and the target stays as it was. Its
    name is random and says nothing. A program that is killed cannot clean up, so each run removes
    what killed ones left in the folder: hidden files that no living program holds.
    """
    _sweep(target.parent)
    hidden = target.with_name(f"{PREFIX}{secrets.token_hex(8)}.tmp{endings}")
    with ended_politely():
        unfinished.add(hidden)
        try:
            with _held(hidden):
                yield hidden
                _reveal(hidden, target, rights)
        finally:
            remove(hidden)
            unfinished.discard(hidden)


def _just_made(found: os.stat_result) -> bool:
    """Whether a file is so new and empty that its program may not hold it yet."""
    return found.st_size == 0 and time.time() - found.st_mtime < MOMENT


@contextmanager
def _held(hidden: Path) -> Iterator[None]:
    """Make the file and hold it, so that others see that it is being worked on."""
    try:
        held = os.open(hidden, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise refused(hidden.parent, error.errno or 0) from None
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def refused(folder: Path, number: int) -> WriteError:
    """What the operating system said when it did not let us write."""
    if number in (errno.ENOSPC, errno.EDQUOT):
        return WriteError(folder, "the disk is full", "Make room, or write to another disk.")
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        what = "there is no permission to write here"
        return WriteError(folder, what, "Write to a folder of your own.")
    return WriteError(folder, f"writing failed: {os.strerror(number)}", "Look at the disk.")


def _sweep(folder: Path) -> None:
    for left in folder.glob(f"{PREFIX}*.tmp*"):
        with suppress(OSError):
            held = os.open(left, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if not _just_made(os.fstat(held)):
                    left.unlink()
            finally:
                os.close(held)


def _reveal(hidden: Path, target: Path, rights: int | None) -> None:
    try:
        hidden.chmod(_mode(target) if rights is None else rights)
        hidden.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        what = f"the finished file could not take its name: {os.strerror(error.errno or 0)}"
        raise WriteError(target, what, "Name another file.") from None


def check_target(target: Path) -> None:
    """Stop before any work if the target cannot be written."""
    folder = target.parent
    try:
        if not folder.exists():
            raise WriteError(target, f"there is no folder {folder}", "Make it first.")
        if not folder.is_dir():
            raise WriteError(target, f"{folder} is not a folder", "Write into a folder.")
        if target.is_dir():
            raise WriteError(target, "this is a folder", "Name a file in it.")
        if target.exists() and not target.is_file():
            raise WriteError(target, "this is not a regular file", "Name another file.")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise WriteError(
                folder, "there is no permission to write here", "Write to a folder of your own."
            )
    except OSError:
        raise WriteError(target, "the folder cannot be reached", "Look at its path.") from None


def _mode(target: Path) -> int:
    """The rights of the file that is replaced, or those that any new file gets."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system can."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError:
        return
    finally:
        os.close(descriptor)


def remove(hidden: Path) -> None:
    """Remove a hidden file with what a database put beside it, or a hidden folder."""
    if hidden.is_dir() and not hidden.is_symlink():
        shutil.rmtree(hidden, ignore_errors=True)
        return
    for path in (hidden, hidden.with_name(hidden.name + "-journal")):
        path.unlink(missing_ok=True)


@contextmanager
def ended_politely() -> Iterator[None]:
    """Turn a request to end (SIGTERM, SIGHUP) into an exception, so that cleaning up happens."""
    names = [n for n in ("SIGTERM", "SIGHUP") if hasattr(signal, n)]
    wanted = [getattr(signal, n) for n in names]
    if threading.current_thread() is not threading.main_thread():
        wanted = []
    taken = [number for number in wanted if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)
