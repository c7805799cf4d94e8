"""The ledger as a file: what is noticed when it is not as it was written."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.errors import LedgerError
from discreet.ledger.key import Key, LedgerKeyError, find_key_path
from discreet.ledger.ledger import Ledger
from discreet.table import atomic
from tests.ledger.entries import entry

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of three releases."""
    found = tmp_path / "releases.ledger"
    with Ledger.open(found) as ledger:
        for number in (1, 2, 3):
            ledger.add(entry(number, f"reader {number}"))
    return found


def test_what_is_entered_is_read_again(path: Path) -> None:
    assert [one.to for one in Ledger.read(path).releases()] == [
        "reader 1",
        "reader 2",
        "reader 3",
    ]
    assert Ledger.read(path).releases()[0] == entry(1, "reader 1")


def test_releases_are_told_apart_by_table(path: Path) -> None:
    with Ledger.open(path) as ledger:
        ledger.add(entry(4, table="other"))
    assert [one.number for one in Ledger.read(path).releases("other")] == [4]


def test_a_withdrawn_release_is_not_known(path: Path) -> None:
    with Ledger.open(path) as ledger:
        ledger.withdraw(2)
    assert [one.number for one in Ledger.read(path).releases()] == [1, 3]


def _edit(lines: list[str]) -> list[str]:
    return [lines[0], lines[1].replace('"aa":4', '"aa":5'), lines[2]]


def _respell(lines: list[str]) -> list[str]:
    return [lines[0].replace('"aa":4', '"aa": 4'), *lines[1:]]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_edit, "line 2 was changed"),
        (_respell, "line 1 was changed"),
        (lambda lines: [lines[0], lines[2]], "line 2 was changed, or one before it was"),
        (lambda lines: [lines[0], lines[2], lines[1]], "line 2 was changed"),
        (lambda lines: lines[1:], "line 1 was changed"),
        (lambda lines: lines[:2], "1 entry is missing at the end"),
        (lambda lines: [], "3 entries are missing at the end"),
        (lambda lines: [*lines, lines[-1]], "line 4 was changed"),
        (lambda lines: [*lines, "a note"], "line 4 was changed"),
    ],
)
def test_edits_by_hand_are_found(
    path: Path, change: Callable[[list[str]], list[str]], told: str
) -> None:
    lines = change(path.read_text().splitlines())
    path.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(LedgerError, match=told):
        Ledger.read(path)
    with pytest.raises(LedgerError, match=told), Ledger.open(path):
        pass


def test_a_ledger_that_is_gone_is_not_made_anew(path: Path) -> None:
    path.unlink()
    with pytest.raises(LedgerError, match="gone"), Ledger.open(path):
        pass
    assert not path.exists()


def test_a_ledger_does_not_go_with_the_key_of_another(path: Path, tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "other") as other:
        other.add(entry(1))
    find_key_path(path).write_bytes(find_key_path(tmp_path / "other").read_bytes())
    with pytest.raises(LedgerError, match="key belongs to another ledger"):
        Ledger.read(path)


def test_the_key_is_for_its_owner_alone(path: Path) -> None:
    assert find_key_path(path).stat().st_mode & 0o777 == 0o600
    find_key_path(path).chmod(0o640)
    with pytest.raises(LedgerKeyError, match=r"other users can read.*chmod 600"):
        Ledger.read(path)


@pytest.mark.parametrize("text", ["", "{}", '{"key":"zz","count":0,"head":""}', "[1]"])
def test_a_damaged_key_is_said(path: Path, text: str) -> None:
    find_key_path(path).write_text(text)
    with pytest.raises(LedgerKeyError, match="damaged"):
        Ledger.read(path)


def test_without_its_key_a_ledger_is_not_used(path: Path) -> None:
    find_key_path(path).unlink()
    with pytest.raises(LedgerKeyError, match="missing"), Ledger.open(path):
        pass


def test_the_secret_is_not_shown(path: Path) -> None:
    key = Key.load(path)
    assert key.secret.hex() not in f"{key!r} {vars(Ledger.read(path))}"


def test_a_second_run_is_refused_at_once(path: Path) -> None:
    with Ledger.open(path), pytest.raises(LedgerError, match="Wait"), Ledger.open(path):
        pass
    with Ledger.open(path) as again:
        assert len(again.lines) == 3


def test_a_ledger_can_be_read_while_a_run_holds_it(path: Path) -> None:
    with Ledger.open(path):
        assert len(Ledger.read(path).lines) == 3


def test_a_line_that_a_killed_run_left_unfinished_is_removed(path: Path) -> None:
    whole = path.read_text()
    path.write_text(whole + whole.splitlines()[-1][:40])
    assert len(Ledger.read(path).lines) == 3
    with Ledger.open(path) as ledger:
        ledger.add(entry(4))
    assert path.read_text().startswith(whole)
    assert len(Ledger.read(path).lines) == 4


def test_a_run_that_was_killed_before_it_moved_the_end_is_made_good(path: Path) -> None:
    kept = find_key_path(path).read_bytes()
    with Ledger.open(path) as ledger:
        ledger.add(entry(4))
    find_key_path(path).write_bytes(kept)
    with Ledger.open(path) as ledger:
        assert ledger.key.count == 4
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    with pytest.raises(LedgerError, match="missing at the end"):
        Ledger.read(path)


def test_a_full_disk_leaves_the_ledger_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, real = path.read_bytes(), os.write

    def write(file: int, data: bytes) -> int:
        if len(data) < 50:
            raise OSError(errno.ENOSPC, "full")
        return real(file, data[: len(data) // 2])

    with Ledger.open(path) as ledger:
        monkeypatch.setattr(os, "write", write)
        with pytest.raises(LedgerError, match=r"(?i)no space left"):
            ledger.add(entry(4))
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert len(Ledger.read(path).lines) == 3


def test_a_ledger_opened_to_be_read_is_not_added_to(path: Path) -> None:
    with pytest.raises(LedgerError, match="opened to be read"):
        Ledger.read(path).add(entry(4))


@pytest.mark.parametrize("place", ["", "no/such/folder"])
def test_a_place_without_a_ledger_is_said(tmp_path: Path, place: str) -> None:
    with pytest.raises(LedgerError), Ledger.open(tmp_path / place):
        pass
    with pytest.raises(LedgerError):
        Ledger.read(tmp_path / place)


def test_fingerprints_need_the_key_and_do_not_depend_on_the_order_of_columns(path: Path) -> None:
    key, other = Key.load(path), Key(path, b"x" * 32)
    cells = [("age", "20-29"), ("zip", None)]
    mark = key.fingerprint("table", cells)
    assert mark == key.fingerprint("table", cells[::-1])
    assert len(bytes.fromhex(mark)) == 16
    assert mark not in (
        other.fingerprint("table", cells),
        key.fingerprint("other", cells),
        key.fingerprint("table", [("age", "20-29"), ("zip", "None")]),
        key.fingerprint("table", [("age", None), ("zip", "20-29")]),
    )


# What a killed run leaves


KILLED = """
import os, signal, sys
from pathlib import Path
from discreet.ledger.ledger import Ledger
from discreet.table import atomic
from tests.ledger.entries import entry
real = atomic.take_name
def take(hidden, target, replace):
    if sys.argv[2] == "after":
        real(hidden, target, replace)
    os.kill(os.getpid(), signal.SIGKILL)
with Ledger.open(sys.argv[1]) as ledger:
    atomic.take_name = take
    ledger.add(entry(4), confirmed=False)
"""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_copy_of_the_key_does_not_outlive_the_next_run(path: Path, moment: str) -> None:
    secret, parent = Key.load(path).secret.hex(), path.parent
    killed = subprocess.run([sys.executable, "-c", KILLED, path, moment], check=False, cwd=ROOT)
    assert killed.returncode == -signal.SIGKILL
    holders = [one for one in parent.iterdir() if secret in one.read_text()]
    assert len(holders) == (2 if moment == "before" else 1)
    assert all(one.stat().st_mode & 0o077 == 0 for one in holders)
    with Ledger.open(path) as ledger:
        assert ledger.unconfirmed == {4}
        assert [one.number for one in ledger.releases()] == [1, 2, 3, 4]
    assert [one for one in parent.iterdir() if secret in one.read_text()] == [find_key_path(path)]


def test_copies_of_the_key_that_earlier_versions_left_are_removed(path: Path) -> None:
    left = path.with_name(f"{path.name}.key.0123abcd.tmp")
    left.write_text(find_key_path(path).read_text())
    others = [
        path.with_name(f"{path.name}.key.notes.tmp"),
        path.with_name("other.key.0123abcd.tmp"),
    ]
    for other in others:
        other.write_text("mine")
    with Ledger.open(path):
        pass
    assert not left.exists()
    assert all(other.exists() for other in others)


def test_a_release_that_nobody_confirmed_counts_and_is_said_to_be_in_doubt(path: Path) -> None:
    with Ledger.open(path) as ledger:
        ledger.add(entry(4), confirmed=False)
        ledger.add(entry(5), confirmed=False)
        ledger.confirm(5)
    with Ledger.open(path) as ledger:
        assert ledger.unconfirmed == {4}
        ledger.add(entry(6))
        assert ledger.unconfirmed == {4}
    assert Ledger.read(path).unconfirmed == {4}
    assert 4 in [one.number for one in Ledger.read(path).releases()]
    with Ledger.open(path) as ledger:
        ledger.withdraw(4)
    assert Ledger.read(path).unconfirmed == frozenset()


def test_a_key_that_cannot_be_written_leaves_the_ledger_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, real = path.read_bytes(), atomic.take_name

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    with Ledger.open(path) as ledger:
        monkeypatch.setattr(atomic, "take_name", refuse)
        with pytest.raises(LedgerKeyError):
            ledger.add(entry(4))
        assert path.read_bytes() == before
        monkeypatch.setattr(atomic, "take_name", real)
        ledger.add(entry(4))
    assert len(Ledger.read(path).lines) == 4


def test_a_file_system_without_locks_is_not_taken_for_another_run(path: Path, monkeypatch) -> None:
    def refuse(*_: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(LedgerError, match=r"cannot lock it.*local disk") as caught:
        Ledger.open(path).__enter__()
    assert "another run" not in str(caught.value)
