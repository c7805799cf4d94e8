"""A file takes its name in one step: before it nothing is out, after it the file is, for good."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from discreet.errors import WriteError
from discreet.table import atomic
from discreet.table.atomic import (
    NameTakenError,
    defer_signals,
    open_hidden_file,
    open_hidden_folder,
    sweep,
    take_name,
)

NOBODY = 65534
LEFT = ".discreet-0123456789abcdef"


class Notes:
    """A journal that keeps what it was told, in order."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def enter(self) -> None:
        self.told.append("entered")

    def withdraw(self) -> None:
        self.told.append("withdrawn")

    def confirm(self) -> None:
        self.told.append("confirmed")


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """An error in the middle of cleaning up leaves files to the next run, and a note of them."""
    yield
    atomic.unfinished.clear()


@pytest.fixture
def drop_box() -> Iterator[Path]:
    """A folder that one may write to and not list, for a user who is not root."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        box = Path(name) / "box"
        box.mkdir()
        box.chmod(0o300)
        root = os.geteuid() == 0
        if root:
            os.chown(box, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield box
        finally:
            if root:
                os.seteuid(0)
            box.chmod(0o700)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C raises, whatever the parent of the tests does with it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def put(target: Path, text: str = "new", **more: object) -> None:
    with open_hidden_file(target, ".csv", **more) as hidden:  # type: ignore[arg-type]
        hidden.write_text(text)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# After the step a file is out


def test_a_file_in_a_folder_that_cannot_be_listed_is_written_and_confirmed(drop_box: Path) -> None:
    journal = Notes()
    put(drop_box / "out.csv", journal=journal)
    assert (drop_box / "out.csv").read_text() == "new"
    assert journal.told == ["entered", "confirmed"]


def test_a_folder_in_a_folder_that_cannot_be_listed_is_written(drop_box: Path) -> None:
    with open_hidden_folder(drop_box / "out") as hidden:
        (hidden / "a.csv").write_text("a")
    assert (drop_box / "out" / "a.csv").read_text() == "a"


@pytest.mark.parametrize("number", [errno.EACCES, errno.EIO, errno.EMFILE])
def test_a_folder_that_cannot_be_synced_takes_nothing_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    real = os.open

    def fail(path: object, flags: int, *more: int, **named: int) -> int:
        if flags & os.O_DIRECTORY and str(path) == str(tmp_path):
            raise OSError(number, os.strerror(number))
        return real(path, flags, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", fail)
    journal = Notes()
    put(tmp_path / "out.csv", journal=journal)
    assert journal.told == ["entered", "confirmed"]
    assert names(tmp_path) == ["out.csv"]


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError(), OSError(errno.EIO, "x")])
def test_what_is_raised_around_the_step_is_judged_by_what_is_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str, error: BaseException
) -> None:
    real = atomic.take_name

    def take(hidden: Path, target: Path, replace: bool) -> None:
        if when == "after":
            real(hidden, target, replace)
        raise error

    monkeypatch.setattr(atomic, "take_name", take)
    journal = Notes()
    with suppress(KeyboardInterrupt, MemoryError, WriteError):
        put(tmp_path / "out.csv", journal=journal)
    out = when == "after"
    assert journal.told == ["entered", "confirmed" if out else "withdrawn"]
    assert names(tmp_path) == (["out.csv"] if out else [])


def test_a_file_that_a_reader_takes_away_at_once_was_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = atomic.take_name

    def take(hidden: Path, target: Path, replace: bool) -> None:
        real(hidden, target, replace)
        target.unlink()
        raise OSError(errno.EIO, "an answer that got lost on the way")

    monkeypatch.setattr(atomic, "take_name", take)
    journal = Notes()
    with pytest.raises(WriteError, match="It may have been written") as raised:
        put(tmp_path / "out.csv", journal=journal)
    assert "Nothing was written" not in str(raised.value)
    assert journal.told == ["entered"]


def lines_of(action: Callable[[], None]) -> list[tuple[str, int]]:
    """The lines of the module that an action runs, each once, in order."""
    seen: dict[tuple[str, int], None] = {}

    def trace(frame, event, argument):
        if frame.f_code.co_filename != atomic.__file__:
            return None
        if event == "line":
            seen[frame.f_code.co_name, frame.f_lineno] = None
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return list(seen)


def at_line(place: tuple[str, int], strike: Callable[[], None], action: Callable[[], None]) -> None:
    """Run an action and strike right before a line of the module is run for the first time."""
    struck = False

    def trace(frame, event, argument):
        nonlocal struck
        if frame.f_code.co_filename != atomic.__file__:
            return None
        if event == "line" and not struck and (frame.f_code.co_name, frame.f_lineno) == place:
            struck = True
            strike()
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)


def _raise_interrupt() -> None:
    raise KeyboardInterrupt


def _raise_error() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.mark.parametrize("strike", [_raise_interrupt, _raise_error])
@pytest.mark.parametrize("replace", [True, False])
def test_an_error_at_any_line_leaves_journal_and_disk_in_agreement(
    tmp_path: Path, strike: Callable[[], None], replace: bool
) -> None:
    def write(folder: Path, journal: Notes) -> None:
        folder.mkdir()
        put(folder / "out.csv", replace=replace, journal=journal)

    places = lines_of(lambda: write(tmp_path / "first", Notes()))
    assert len(places) > 40
    outcomes = set()
    for number, place in enumerate(places):
        folder, journal = tmp_path / str(number), Notes()
        with suppress(KeyboardInterrupt, WriteError, OSError):
            at_line(place, strike, lambda: write(folder, journal))  # noqa: B023 - run at once
        out = (folder / "out.csv").exists()
        counts = "entered" in journal.told and "withdrawn" not in journal.told
        assert counts or not out, place
        if counts and not out:  # on the safe side, and nobody confirmed it
            assert "confirmed" not in journal.told, place
        outcomes.add((out, counts))
    assert {(True, True), (False, False)} <= outcomes


@pytest.mark.usefixtures("interruptible")
def test_a_signal_at_any_line_leaves_journal_and_disk_in_agreement(tmp_path: Path) -> None:
    def write(folder: Path, journal: Notes) -> None:
        folder.mkdir()
        put(folder / "out.csv", journal=journal)

    def strike() -> None:
        os.kill(os.getpid(), signal.SIGINT)

    places = lines_of(lambda: write(tmp_path / "first", Notes()))
    outcomes = set()
    for number, place in enumerate(places):
        folder, journal = tmp_path / str(number), Notes()
        with suppress(KeyboardInterrupt):
            at_line(place, strike, lambda: write(folder, journal))  # noqa: B023 - run at once
        out = (folder / "out.csv").exists()
        assert journal.told == (["entered", "confirmed"] if out else []), place
        outcomes.add(out)
    assert outcomes == {True, False}


@pytest.mark.usefixtures("interruptible")
def test_a_signal_waits_until_the_block_is_done() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), defer_signals():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        done.append("the rest of the block")
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# The name is taken without replacing


def _no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic, "_rename_without_replacing", lambda hidden, target: False)


def _no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    _no_call(monkeypatch)
    monkeypatch.setattr(os, "link", refuse)


@pytest.mark.parametrize("system", [lambda patch: None, _no_call, _no_links])
@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_what_has_the_name_is_not_replaced_on_any_file_system(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    system: Callable[[pytest.MonkeyPatch], None],
    kind: str,
) -> None:
    system(monkeypatch)
    target = tmp_path / "out.csv"
    if kind == "file":
        target.write_text("theirs")
    elif kind == "folder":
        target.mkdir()
    else:
        target.symlink_to(tmp_path / "nowhere")
    before = os.lstat(target)
    journal = Notes()
    with pytest.raises(NameTakenError, match=r"in the meantime.*Nothing was written"):
        put(target, replace=False, journal=journal)
    assert journal.told == ["entered", "withdrawn"]
    assert os.lstat(target).st_ino == before.st_ino
    assert names(tmp_path) == ["out.csv"]


@pytest.mark.parametrize("system", [lambda patch: None, _no_call, _no_links])
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_free_name_is_taken_on_any_file_system(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    system: Callable[[pytest.MonkeyPatch], None],
    kind: str,
) -> None:
    system(monkeypatch)
    hidden = tmp_path / "hidden"
    if kind == "file":
        hidden.write_text("new")
    else:
        hidden.mkdir()
    number = hidden.stat().st_ino
    take_name(hidden, tmp_path / "out", replace=False)
    assert names(tmp_path) == ["out"]
    assert (tmp_path / "out").stat().st_ino == number


def test_a_name_that_was_reserved_in_vain_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    _no_links(monkeypatch)
    monkeypatch.setattr(Path, "rename", interrupt)
    with pytest.raises(KeyboardInterrupt):
        put(tmp_path / "out.csv", replace=False)
    assert names(tmp_path) == []


# What killed programs left


KILLED = """
import os, signal, sys
from pathlib import Path
from discreet.table.atomic import open_hidden_file
from discreet.table.atomic import open_hidden_folder
os.umask(int(sys.argv[2], 8))
child = os.fork() if sys.argv[3] == "fork" else None
with open_hidden_file(Path(sys.argv[1]) / "out.csv", ".csv") as file:
    with open_hidden_folder(Path(sys.argv[1]) / "out") as folder:
        file.write_text("rows")
        (folder / "a.csv").write_text("rows")
        if sys.argv[3] == "fork after" and os.fork() == 0:
            import time
            print("forked", flush=True)
            time.sleep(60)
        os.kill(os.getpid(), signal.SIGKILL)
"""


def kill_a_run(folder: Path, umask: int, fork: str = "no") -> None:
    command = [sys.executable, "-c", KILLED, folder, oct(umask), fork]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as killed:
        assert killed.wait(timeout=60) == -signal.SIGKILL
        if fork != "no":
            assert killed.stdout is not None
            killed.stdout.readline()
            killed.stdout.close()


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277])
def test_what_a_killed_run_leaves_is_for_its_owner_alone_and_swept_at_once(
    tmp_path: Path, umask: int
) -> None:
    kill_a_run(tmp_path, umask)
    rights = {stat.S_IMODE(path.lstat().st_mode) for path in tmp_path.iterdir()}
    assert rights == {0o600, 0o700}
    put(tmp_path / "next.csv")
    assert names(tmp_path) == ["next.csv"]


def test_a_child_of_a_killed_run_does_not_keep_its_files(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, tmp_path, "022", "fork after"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as killed:
        try:
            assert killed.stdout is not None
            assert killed.stdout.readline() == b"forked\n"
            assert killed.wait(timeout=60) == -signal.SIGKILL
            sweep(tmp_path)
            assert names(tmp_path) == []
        finally:
            os.killpg(killed.pid, signal.SIGKILL)


@pytest.mark.parametrize(
    "name",
    [
        ".discreet-notes.tmp",
        ".discreet-0123456789abcde.tmp.csv",
        ".discreet-0123456789abcdef.csv",
        ".discreet-0123456789ABCDEF.tmp.csv",
        "x.discreet-0123456789abcdef.tmp.csv",
        ".discreet-0123456789abcdef.tmpx",
        ".discreet-0123456789abcdef.folder",  # ours would be a folder
    ],
)
def test_files_of_similar_names_are_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    sweep(tmp_path)
    assert names(tmp_path) == [name]


def test_links_and_pipes_are_neither_followed_nor_removed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "a.txt").write_text("a")
    (tmp_path / f"{LEFT}.tables").symlink_to(precious)
    (tmp_path / f"{LEFT}.tmp.csv").symlink_to(precious / "a.txt")
    os.mkfifo(tmp_path / f"{LEFT}.tmp.txt")
    before = names(tmp_path)
    sweep(tmp_path)
    assert names(tmp_path) == before
    assert names(precious) == ["a.txt"]


def test_a_link_in_a_swept_folder_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "a.txt").write_text("a")
    left = tmp_path / f"{LEFT}.folder"
    left.mkdir()
    (left / "link").symlink_to(precious)
    sweep(tmp_path)
    assert names(tmp_path) == ["precious"]
    assert names(precious) == ["a.txt"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_other_users_left_is_theirs_to_sweep(tmp_path: Path) -> None:
    left = tmp_path / f"{LEFT}.tmp.csv"
    left.write_text("theirs")
    os.chown(left, NOBODY, NOBODY)
    sweep(tmp_path)
    assert left.exists()


def test_what_a_database_left_next_to_its_file_goes_with_it(tmp_path: Path) -> None:
    for name in ("", "-journal", "-wal", "-shm"):
        (tmp_path / f"{LEFT}.tmp.sqlite{name}").write_text("rows")
    (tmp_path / ".discreet-00000000000000ff.tmp.db-wal").write_text("rows of a file that is gone")
    sweep(tmp_path)
    assert names(tmp_path) == []


def test_the_rights_are_given_only_when_the_name_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, seen = atomic.take_name, []

    def take(hidden: Path, target: Path, replace: bool) -> None:
        seen.append(stat.S_IMODE(hidden.stat().st_mode))
        real(hidden, target, replace)

    monkeypatch.setattr(atomic, "take_name", take)
    (tmp_path / "out.csv").write_text("older")
    (tmp_path / "out.csv").chmod(0o640)
    put(tmp_path / "out.csv")
    assert seen == [0o600]
    assert stat.S_IMODE((tmp_path / "out.csv").stat().st_mode) == 0o640
