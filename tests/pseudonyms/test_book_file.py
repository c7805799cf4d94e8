"""The book beside a key: pseudonyms that were drawn again stay, whoever runs next."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pyarrow as pa
import pytest

from discreet.errors import PseudonymError
from discreet.pseudonyms.book import find_book_path, hold_book, read_book
from discreet.pseudonyms.formats import Phone
from discreet.pseudonyms.key import load_key
from discreet.pseudonyms.one_way import OneWay
from discreet.replacement_key import ReplacementKey

CODES = pa.array([f"255-{line:04d}" for line in range(60)])
"""For these there are 100 pseudonyms, so that very many draws meet."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A key that is the same in every run of the tests, so that the same draws meet."""
    path = tmp_path / "people.key"
    path.write_text("07" * 32)
    path.chmod(0o600)
    return path


def _made(path: Path, values: pa.Array) -> list[str]:
    key = load_key(path)
    with hold_book(path, key) as (book, keep):
        made = OneWay(key, Phone())(values, book)
        keep(made.book)
    values_: list[str] = made.values.to_pylist()
    return values_


def test_two_runs_agree_on_those_drawn_again(path: Path) -> None:
    part = _made(path, CODES[::3])
    whole = _made(path, CODES)
    assert whole[::3] == part
    assert OneWay(load_key(path), Phone())(CODES).values.to_pylist()[::3] != part  # without


def test_the_book_is_for_its_owner_alone_and_holds_no_identifier(path: Path) -> None:
    _made(path, CODES)
    book = find_book_path(path)
    assert book.name == "people.key.drawn" and stat.S_IMODE(book.stat().st_mode) == 0o600
    raw = book.read_bytes()
    assert not any(text.encode() in raw for text in CODES.to_pylist())
    assert len(raw) == 22 + 32 + 17 * 60


def test_a_run_with_nothing_new_writes_nothing(path: Path) -> None:
    _made(path, CODES)
    before = find_book_path(path).stat()
    _made(path, CODES[:9])
    after = find_book_path(path).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_link_to_the_key_has_the_same_book(path: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.key"
    link.symlink_to(path)
    assert _made(path, CODES[::3]) == _made(link, CODES)[::3]
    assert not list((tmp_path / "elsewhere").glob("*.drawn"))


@pytest.mark.parametrize("damage", [b"x", b"discreet pseudonyms 1\n", None])
def test_a_damaged_book_is_refused(path: Path, damage: bytes | None) -> None:
    _made(path, CODES)
    book = find_book_path(path)
    raw = book.read_bytes()
    book.write_bytes(damage if damage is not None else raw[:-17])
    with pytest.raises(PseudonymError, match=r"damaged, or of another key.*copy"):
        _made(path, CODES)


def test_the_book_of_another_key_is_refused(path: Path) -> None:
    _made(path, CODES)
    with pytest.raises(PseudonymError, match="another key"):
        read_book(find_book_path(path), ReplacementKey(bytes(32)))


def test_a_run_that_is_killed_leaves_no_empty_book(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", killed)
        with pytest.raises(KeyboardInterrupt):
            _made(path, CODES)
    assert [one.name for one in path.parent.iterdir()] == ["people.key"]


def test_a_book_that_was_emptied_is_refused(path: Path) -> None:
    _made(path, CODES)
    find_book_path(path).write_bytes(b"")
    with pytest.raises(PseudonymError, match="damaged"):
        _made(path, CODES)


def test_a_book_that_others_could_read_is_for_its_owner_again_when_written(path: Path) -> None:
    _made(path, CODES[:9])
    find_book_path(path).chmod(0o644)
    _made(path, CODES)
    assert stat.S_IMODE(find_book_path(path).stat().st_mode) == 0o600


def test_a_book_behind_a_link_stays_there(path: Path, tmp_path: Path) -> None:
    _made(path, CODES[:9])
    (tmp_path / "safe").mkdir()
    real = find_book_path(path).rename(tmp_path / "safe" / "people.drawn")
    find_book_path(path).symlink_to(real)
    _made(path, CODES)
    assert find_book_path(path).is_symlink() and len(read_book(real, load_key(path))) == 60


def test_a_pseudonym_that_had_to_change_is_kept_also_if_nobody_is_new(path: Path) -> None:
    key, hide = load_key(path), OneWay(load_key(path))

    def made(*values: str) -> list[str]:
        with hold_book(path, key) as (book, keep):
            found = hide(pa.array(values), book)
            keep(found.book)
        given: list[str] = found.values.to_pylist()
        return given

    had = made("11", "55")[0]
    made(had, "88", "77")
    now = made("11", had, "88")[0]
    assert now != had
    assert made("11", "55")[0] == now


def test_a_book_that_cannot_be_read_or_written_is_said(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def refuse(name: Path, flags: int, *more: int) -> int:
        if str(name).endswith(".tmp.drawn"):
            raise OSError(30, "read-only")
        return real(name, flags, *more)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        with pytest.raises(PseudonymError, match=r"cannot be written.*format token"):
            _made(path, CODES)
    find_book_path(path).mkdir()
    with pytest.raises(PseudonymError, match="this is a folder"):
        _made(path, CODES)


def test_runs_at_the_same_time_wait_for_each_other(path: Path) -> None:
    answers: dict[int, list[str]] = {}

    def one(number: int) -> None:
        answers[number] = _made(path, CODES[number * 10 :])

    threads = [threading.Thread(target=one, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = _made(path, CODES)
    assert all(answers[n] == whole[n * 10 :] for n in range(4))
    assert len(set(whole)) == 60
