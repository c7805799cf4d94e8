"""A file that appears whole, or not at all.

A file or folder is filled under a hidden name in the folder of its target, for its owner alone, and
takes the name of the target in one step, :func:`reveal`. Before that step nothing is out; after it
everything is, whatever goes wrong later. Which of the two holds is read off the disk.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import shutil
import signal
import stat
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn, Protocol

from discreet.display import dataclass
from discreet.errors import WriteError

PREFIX = ".discreet-"
FOLDERS = (".tables", ".folder")
"""How names of hidden folders end; those of hidden files have ``.tmp``."""
BESIDE = ("-journal", "-wal", "-shm")
"""What a database may put next to its file."""
_OURS = re.compile(
    rf"{re.escape(PREFIX)}[0-9a-f]{{16}}"
    rf"(?:\.tmp(?:\..*)?(?P<beside>{'|'.join(BESIDE)})?|(?P<folder>{'|'.join(FOLDERS)}))",
    re.DOTALL,
)
_NO_SUCH_CALL = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EPERM)
"""What a file system answers that cannot rename without replacing, or has no links."""
_RENAME_NOREPLACE, _AT_FDCWD = 1, -100
_TRIES = 100
IN_DOUBT = "It may have been written: look there, and take it for released if it is."

unfinished: set[Path] = set()
"""Hidden files and folders under way, for a program that has to end without unwinding."""

written: list[Path] | None = None
"""Files and folders that took their name, in a program that wants to say so."""

_kept_from_children: set[int] = set()


class NameTakenError(WriteError):
    """There is a file or folder of that name which must not be replaced."""

    def __init__(self, name: object) -> None:
        what = "another program created this in the meantime; it is not replaced"
        super().__init__(name, what, "Check it, then choose another name.")


class Journal(Protocol):
    """Remembers what is released; asked right before and right after a name is taken."""

    def enter(self) -> None:
        """Remember it, on disk: from the next moment on it may be out."""
        ...

    def withdraw(self) -> None:
        """It is certain that it is not out."""
        ...

    def confirm(self) -> None:
        """It is certain that it is out."""
        ...


@dataclass(frozen=True)
class Hidden:
    """A file or folder under way; the open descriptor shows other programs that it is alive."""

    path: Path
    held: int
    links: int = 1
    """How many names the file system said it had when it was made."""

    def is_hidden(self) -> bool:
        """Whether it certainly has no name but its hidden one, which is random and nobody else's.

        A file that was given its name by a link has both.
        """
        try:
            found = os.fstat(self.held)
        except OSError:
            return False
        few = stat.S_ISDIR(found.st_mode) or found.st_nlink <= self.links
        return few and os.path.lexists(self.path)

    def is_at(self, target: Path) -> bool:
        """Whether it has this name."""
        try:
            return os.path.samestat(os.fstat(self.held), os.lstat(target))
        except OSError:
            return False


def discard_unfinished() -> None:
    """Remove every hidden file and folder under way."""
    for hidden in list(unfinished):
        with suppress(OSError):
            remove(hidden)


@contextmanager
def open_hidden_file(
    target: Path,
    endings: str,
    rights: int | None = None,
    *,
    replace: bool = True,
    journal: Journal | None = None,
    noted: bool = True,
) -> Iterator[Path]:
    """The path of a hidden file next to the target, which becomes the target at the end.

    It is there, empty and for its owner alone; the caller fills it. Without ``rights``
    the target gets those of the file it replaces, or of any new file. With ``replace`` off a file
    that has appeared at the target meanwhile stays, and the hidden one is given up. If the block
    raises, or the program is asked to end, the hidden file is removed and the target stays as it
    was. Its name is random and says nothing. A program that is killed cannot clean up, so each run
    removes what killed ones left in the folder: hidden files that no living program holds.
    """
    with raise_on_request(), make_hidden(target.parent, f".tmp{endings}") as hidden:
        yield hidden.path
        reveal(hidden, target, rights, replace=replace, journal=journal, noted=noted)


@contextmanager
def make_hidden(parent: Path, ending: str) -> Iterator[Hidden]:
    """A new hidden file, or folder if that is what its ending says; removed if it stays hidden."""
    sweep(parent)
    try:
        hidden = _make(parent, ending)
    except OSError as error:
        raise make_write_error(parent, error.errno or 0) from None
    try:
        yield hidden
    finally:
        remove(hidden.path)
        unfinished.discard(hidden.path)
        close_held(hidden.held)


def _make(parent: Path, ending: str) -> Hidden:
    """Make it and hold it, for its owner alone whatever the umask.

    Somebody who sweeps may meet it before it is held; then another is made.
    """
    for _ in range(_TRIES):
        path = parent / f"{PREFIX}{secrets.token_hex(8)}{ending}"
        unfinished.add(path)
        try:
            hidden = _hold(path, ending in FOLDERS)
        except BaseException:
            unfinished.discard(path)
            raise
        if hidden is not None:
            return hidden
        unfinished.discard(path)
    raise FileNotFoundError(errno.ENOENT, "hidden files are removed as soon as they are made")


def _hold(path: Path, folder: bool) -> Hidden | None:
    """Make and lock it; None if it was removed before it was locked."""
    if folder:
        path.mkdir(mode=0o700)
        try:
            path.chmod(0o700)
            held = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except FileNotFoundError:
            return None
    else:
        held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    keep_from_children(held)
    with suppress(OSError):  # there are file systems without such rights or locks
        os.fchmod(held, 0o700 if folder else 0o600)
    with suppress(OSError):
        fcntl.flock(held, fcntl.LOCK_EX)
    if os.path.lexists(path):
        return Hidden(path, held, os.fstat(held).st_nlink)
    close_held(held)
    return None


def keep_from_children(descriptor: int) -> None:
    """Close a descriptor in forked processes, which would hold its lock after this one ended."""
    _kept_from_children.add(descriptor)


def close_held(descriptor: int) -> None:
    """Close a descriptor that was kept from children."""
    _kept_from_children.discard(descriptor)
    os.close(descriptor)


def _forget_in_child() -> None:
    """What the parent has under way is not the child's to hold or to remove."""
    unfinished.clear()
    for descriptor in _kept_from_children:
        with suppress(OSError):
            os.close(descriptor)
    _kept_from_children.clear()


os.register_at_fork(after_in_child=_forget_in_child)


def make_write_error(folder: Path, number: int) -> WriteError:
    """What the operating system said when it did not let us write."""
    if number in (errno.ENOSPC, errno.EDQUOT):
        return WriteError(folder, "the disk is full", "Make room, or write to another disk.")
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        what = "there is no permission to write here"
        return WriteError(folder, what, "Write to a folder of your own.")
    return WriteError(folder, f"writing failed: {os.strerror(number)}", "Look at the disk.")


def sweep(folder: Path) -> None:
    """Remove what killed programs of this user left hidden in a folder; living ones hold theirs."""
    try:
        names = [path.name for path in folder.iterdir()]
    except OSError:  # a folder may be there to be written to and not to be listed
        return
    for name in names:
        found = _OURS.fullmatch(name)
        if found is not None:
            with suppress(OSError):
                _sweep_one(folder / name, bool(found["folder"]), found["beside"])


def _sweep_one(left: Path, folder: bool, beside: str | None) -> None:
    found = os.lstat(left)
    kind = stat.S_ISDIR if folder else stat.S_ISREG
    if not kind(found.st_mode) or found.st_uid != os.geteuid():
        return
    if beside is not None:
        if not os.path.lexists(left.with_name(left.name.removesuffix(beside))):
            left.unlink()
        return
    held = os.open(left, (os.O_RDONLY if folder else os.O_RDWR) | os.O_NOFOLLOW)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if Hidden(left, held).is_at(left):
            remove(left)
    finally:
        os.close(held)


def reveal(
    hidden: Hidden,
    target: Path,
    rights: int | None = None,
    *,
    replace: bool = True,
    journal: Journal | None = None,
    noted: bool = True,
) -> None:
    """Give what is finished the name of its target: the moment in which a release is out.

    An error means that it is not out and that the journal knows so, unless the error says that it
    may be. Requests to end wait for the few steps of this, and what is raised all the same after
    the name is taken withdraws nothing.
    """
    rights = _choose_mode(hidden, target) if rights is None else rights
    try:
        _sync(hidden.held)
    except OSError as error:
        raise make_write_error(target.parent, error.errno or 0) from None
    if not hidden.is_hidden():
        what = "the hidden file under way was removed or moved by another program"
        raise WriteError(target, what, "Run again.")
    with defer_signals():
        try:
            if journal is not None:
                journal.enter()
            take_name(hidden.path, target, replace)
        except BaseException as error:
            if hidden.is_hidden():
                if journal is not None:
                    journal.withdraw()
                if isinstance(error, OSError):
                    raise _explain_refusal(target, error) from None
                raise
            if not isinstance(error, OSError):
                _conclude(hidden, target, rights, journal, noted)
                raise
            if not hidden.is_at(target):
                what = f"the finished file got lost: {os.strerror(error.errno or 0)}"
                raise WriteError(target, what, "Look at the disk.", IN_DOUBT) from None
        _conclude(hidden, target, rights, journal, noted)


def _conclude(
    hidden: Hidden, target: Path, rights: int, journal: Journal | None, noted: bool
) -> None:
    """Do what is left to do once the name is taken; no failure of it takes the name back."""
    if noted:
        note_written(target)
    with suppress(Exception):
        os.fchmod(hidden.held, rights)  # only now: what is hidden is for its owner alone
    if journal is not None:
        with suppress(Exception):  # an unconfirmed release counts as released
            journal.confirm()
    sync_folder(target.parent)


def note_written(target: Path) -> None:
    """Remember that a file or folder took its name, if this program wants to say so."""
    if written is not None:
        written.append(target)


def _explain_refusal(target: Path, error: OSError) -> WriteError:
    if isinstance(error, FileExistsError) or error.errno in (errno.ENOTEMPTY, errno.EISDIR):
        return NameTakenError(target)
    what = f"what is finished could not take its name: {os.strerror(error.errno or 0)}"
    return WriteError(target, what, "Name another one.")


def take_name(hidden: Path, target: Path, replace: bool) -> None:
    """Rename in one step; unless it may replace, fail if the target is there.

    File systems differ in how they rename without replacing: by a call of its own, by a link, or
    not at all. Of the last ones the name is reserved first, with nothing in it.
    """
    if replace:
        hidden.replace(target)
        return
    if _rename_without_replacing(hidden, target):
        return
    if not hidden.is_dir():
        try:
            os.link(hidden, target)
        except OSError as error:
            if error.errno not in (*_NO_SUCH_CALL, errno.EMLINK):
                raise
        else:
            hidden.unlink(missing_ok=True)
            return
    _reserve(hidden, target)


def _rename_without_replacing(hidden: Path, target: Path) -> bool:
    """Whether it could be renamed by the call that Linux has for this; False if there is none."""
    try:
        import ctypes
    except ImportError:  # there are builds of Python without it
        return False
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        return False
    paths = os.fsencode(hidden), os.fsencode(target)
    if not call(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_NOREPLACE):
        return True
    number = ctypes.get_errno()
    if number in _NO_SUCH_CALL:
        return False
    raise OSError(number, os.strerror(number), str(target))


def _reserve(hidden: Path, target: Path) -> None:
    """Make the target, empty, which fails if it is there; then replace it."""
    folder = hidden.is_dir()
    if folder:
        target.mkdir(mode=0o700)
    else:
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        hidden.rename(target)
    except BaseException:
        if os.path.lexists(hidden):
            with suppress(OSError):
                target.rmdir() if folder else target.unlink()
        raise


def check_target(target: Path, replace: bool = True) -> None:
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
        if not replace and os.path.lexists(target):
            raise NameTakenError(target)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise WriteError(
                folder, "there is no permission to write here", "Write to a folder of your own."
            )
    except OSError:
        raise WriteError(target, "the folder cannot be reached", "Look at its path.") from None


def _choose_mode(hidden: Hidden, target: Path) -> int:
    """The rights of the file that is replaced, or those that anything new gets."""
    with suppress(OSError):
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0o077)
    os.umask(mask)
    return (0o777 if stat.S_ISDIR(os.fstat(hidden.held).st_mode) else 0o666) & ~mask


def _sync(descriptor: int) -> None:
    """Wait until a file is on disk, where the system can."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP):
            raise


def sync_folder(folder: Path) -> None:
    """Make new names in a folder last through a power cut, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove(hidden: Path) -> None:
    """Remove a hidden file with what a database put next to it, or a hidden folder."""
    if hidden.is_dir() and not hidden.is_symlink():
        shutil.rmtree(hidden, ignore_errors=True)
        return
    for path in (hidden, *(hidden.with_name(hidden.name + more) for more in BESIDE)):
        path.unlink(missing_ok=True)


@contextmanager
def defer_signals() -> Iterator[None]:
    """Let signals that Python answers wait until the block is done.

    A handler may raise or end the program anywhere; between a name that is taken and the note of it
    that would leave the two in contradiction. Only the main thread answers signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)

    with ExitStack() as stack:
        stack.callback(_raise_signals, came)
        for number in signal.valid_signals():
            handler = signal.getsignal(number)
            if callable(handler):
                stack.callback(signal.signal, number, handler)
                signal.signal(number, note)
        yield


def _raise_signals(came: list[int]) -> None:
    for number in dict.fromkeys(came):
        signal.raise_signal(number)


@contextmanager
def raise_on_request() -> Iterator[None]:
    """Turn a request to end (SIGTERM, SIGHUP) into an exception, so that cleaning up happens."""
    names = [n for n in ("SIGTERM", "SIGHUP") if hasattr(signal, n)]
    wanted = [getattr(signal, n) for n in names]
    if threading.current_thread() is not threading.main_thread():
        wanted = []
    taken = [number for number in wanted if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _exit_on_signal)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _exit_on_signal(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


# A folder of files that appears whole, or not at all.


ENDING = ".tables"


@contextmanager
def open_hidden_folder(
    target: Path, ending: str = ENDING, journal: Journal | None = None
) -> Iterator[Path]:
    """A hidden folder next to the target, which becomes the target at the end.

    It is for its owner alone while it is filled. If the block raises, or the program is asked to
    end, it is removed with all in it, and there is no target. The target must not exist, and if it
    appears meanwhile it stays as it is. What killed programs left is removed.
    """
    target = Path(os.path.realpath(target))
    check_new_folder(target)
    with raise_on_request(), make_hidden(target.parent, ending) as hidden:
        yield hidden.path
        reveal(hidden, target, replace=False, journal=journal)


def check_new_folder(target: Path) -> None:
    """Stop before any work if the folder cannot be made."""
    if not target.is_dir():
        check_target(target)
    if target.exists() or target.is_symlink():
        what = "this exists already, and tables of two releases must not be mixed"
        raise WriteError(target, what, "Name a new folder.")
