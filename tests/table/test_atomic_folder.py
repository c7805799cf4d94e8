"""A folder appears whole, or not at all."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from discreet.errors import WriteError
from discreet.table.atomic import ENDING, PREFIX, NameTakenError, open_hidden_folder


def test_the_folder_is_there_when_the_block_ends(tmp_path: Path) -> None:
    with open_hidden_folder(tmp_path / "out") as hidden:
        (hidden / "a.csv").write_text("a\n")
        assert not (tmp_path / "out").exists()
        assert hidden.stat().st_mode & 0o077 == 0
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["a.csv"]
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_nothing_is_left_when_the_block_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), open_hidden_folder(tmp_path / "out") as hidden:
        (hidden / "a.csv").write_text("a\n")
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_what_is_there_is_never_replaced(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "out"
    if kind == "folder":
        target.mkdir()
    elif kind == "file":
        target.write_text("mine")
    else:
        target.symlink_to(tmp_path)
    with pytest.raises(WriteError, match="exists already"), open_hidden_folder(target):
        pass


def test_a_folder_in_no_folder_is_refused(tmp_path: Path) -> None:
    missing = tmp_path / "none" / "out"
    with pytest.raises(WriteError, match="there is no folder"), open_hidden_folder(missing):
        pass


def test_a_program_that_is_asked_to_end_leaves_nothing(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from discreet.table.atomic import open_hidden_folder\n"
        "with open_hidden_folder(Path(sys.argv[1]) / 'out') as hidden:\n"
        "    (hidden / 'a.csv').write_text('a')\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path], check=False)
    assert done.returncode == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_program_left_is_removed(tmp_path: Path) -> None:
    left = tmp_path / f"{PREFIX}{'0' * 16}{ENDING}"
    left.mkdir()
    (left / "a.csv").write_text("a")
    with open_hidden_folder(tmp_path / "out") as hidden:
        assert not left.exists()
        with open_hidden_folder(tmp_path / "other"):
            assert hidden.exists()


def test_a_folder_that_appears_meanwhile_is_left_alone(tmp_path: Path) -> None:
    with (
        pytest.raises(NameTakenError, match="created this in the meantime"),
        open_hidden_folder(tmp_path / "out") as hidden,
    ):
        (hidden / "a.csv").write_text("a\n")
        (tmp_path / "out").mkdir()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert list((tmp_path / "out").iterdir()) == []
