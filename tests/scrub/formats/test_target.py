"""Folders of scrubbed documents appear whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from discreet.scrub.formats.target import folder
from discreet.table.atomic import unfinished


def test_a_folder_appears_at_the_end(tmp_path: Path) -> None:
    with folder(tmp_path / "out") as target:
        with target.write("sub/a.txt") as file:
            file.write(b"x")
        assert not (tmp_path / "out").exists()
    assert (tmp_path / "out" / "sub" / "a.txt").read_bytes() == b"x"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert not unfinished


def test_nothing_is_left_of_a_run_that_failed(tmp_path: Path) -> None:
    with pytest.raises(ValueError), folder(tmp_path / "out") as target:
        target.write("a.txt").close()
        raise ValueError
    assert list(tmp_path.iterdir()) == []
    assert not unfinished


def test_what_ended_programs_left_is_swept(tmp_path: Path) -> None:
    (tmp_path / ".discreet-0.folder" / "sub").mkdir(parents=True)
    (tmp_path / ".discreet-1.folder").mkdir()
    (tmp_path / ".discreet-1.folder" / "a.txt").write_text("of a run under way")
    for name in ("0", "1"):
        os.utime(tmp_path / f".discreet-{name}.folder", (0, 0))
    with folder(tmp_path / "out"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [".discreet-1.folder", "out"]


def test_a_document_that_is_taken_back_does_not_appear(tmp_path: Path) -> None:
    with folder(tmp_path / "out") as target:
        target.write("a.txt").close()
        target.discard("a.txt")
    assert list((tmp_path / "out").iterdir()) == []
