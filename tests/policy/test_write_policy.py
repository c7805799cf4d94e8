"""A policy file appears whole or not at all, and replaces nothing unasked."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from discreet.errors import WriteError
from discreet.policy.policy_text import check_policy_path, write_policy_text


def _files(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_the_text_is_written_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    write_policy_text(path, "columns: é\n")
    assert path.read_bytes() == "columns: é\n".encode()
    assert _files(tmp_path) == ["p.yaml"]


def test_an_older_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("mine")
    with pytest.raises(WriteError, match="exists already"):
        write_policy_text(path, "new")
    assert path.read_text() == "mine"
    assert _files(tmp_path) == ["p.yaml"]


def test_an_older_file_is_replaced_by_force(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("mine")
    write_policy_text(path, "new", force=True)
    assert path.read_text() == "new"


def test_nothing_is_left_behind_when_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteError, match="the disk is full"):
        write_policy_text(tmp_path / "p.yaml", "new")
    assert _files(tmp_path) == []


@pytest.mark.parametrize(
    ("target", "what"),
    [(".", "folder"), ("missing/p.yaml", "folder does not exist"), ("data.csv", "is read")],
)
def test_a_place_that_cannot_be_is_refused_before_any_work(
    tmp_path: Path, target: str, what: str
) -> None:
    data = tmp_path / "data.csv"
    data.write_text("a\n1\n")
    with pytest.raises(WriteError, match=what):
        check_policy_path(tmp_path / target, data, force=True)
