"""Folders of scrubbed documents appear whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import WriteError
from discreet.scrubbing.formats import target as target_module
from discreet.scrubbing.formats.target import open_folder
from discreet.table.atomic import NameTakenError, unfinished


def test_a_folder_appears_at_the_end(tmp_path: Path) -> None:
    with open_folder(tmp_path / "out") as target:
        with target.write("sub/a.txt") as file:
            file.write(b"x")
        assert not (tmp_path / "out").exists()
    assert (tmp_path / "out" / "sub" / "a.txt").read_bytes() == b"x"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert not unfinished


def test_nothing_is_left_of_a_run_that_failed(tmp_path: Path) -> None:
    with pytest.raises(ValueError), open_folder(tmp_path / "out") as target:
        target.write("a.txt").close()
        raise ValueError
    assert list(tmp_path.iterdir()) == []
    assert not unfinished


def test_what_ended_programs_left_is_swept(tmp_path: Path) -> None:
    left = tmp_path / ".discreet-0123456789abcdef.folder"
    (left / "sub").mkdir(parents=True)
    (left / "sub" / "a.txt").write_text("of a run that was killed")
    with open_folder(tmp_path / "out") as living:
        with open_folder(tmp_path / "other"):
            pass
        assert living.hidden.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "out"]


def test_two_runs_do_not_mix_their_documents_in_an_empty_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with (
        pytest.raises(NameTakenError, match="Nothing was written"),
        open_folder(out, replace=False) as target,
    ):
        target.write("a.txt").close()
        with open_folder(out, replace=False) as other:
            other.write("b.txt").close()
    assert [path.name for path in out.iterdir()] == ["b.txt"]


def test_a_folder_that_appears_meanwhile_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(NameTakenError), open_folder(out, replace=False) as target:
        target.write("a.txt").close()
        out.mkdir()
        (out / "b.txt").write_text("b")
    assert [path.name for path in out.iterdir()] == ["b.txt"]


def test_a_document_in_the_place_of_a_folder_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "out" / "b.txt").mkdir(parents=True)
    with (
        pytest.raises(WriteError, match="Nothing was written"),
        open_folder(tmp_path / "out") as target,
    ):
        target.write("a.txt").close()
        target.write("b.txt").close()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["b.txt"]


def test_documents_that_are_in_place_when_others_fail_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    real = target_module.take_name

    def take(hidden: Path, target: Path, replace: bool) -> None:
        if target.name == "b.txt":
            raise OSError(5, "Input/output error")
        real(hidden, target, replace)

    monkeypatch.setattr(target_module, "take_name", take)
    with (
        pytest.raises(WriteError, match="1 of 2 documents are in place") as raised,
        open_folder(tmp_path / "out") as target,
    ):
        target.write("a.txt").close()
        target.write("b.txt").close()
    assert "Nothing was written" not in str(raised.value)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.txt"]


def test_a_document_that_is_taken_back_does_not_appear(tmp_path: Path) -> None:
    with open_folder(tmp_path / "out") as target:
        target.write("a.txt").close()
        target.discard("a.txt")
    assert list((tmp_path / "out").iterdir()) == []
