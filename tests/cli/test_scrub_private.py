"""Keys, review pages and facts are private: they do not get among texts that are given away."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("Dr. Frank Miller wrote.")
    return folder


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("{notes}", "-o", "{tmp}/out", "--key", "{notes}/my.key"), "folder that is read"),
        (("{notes}", "-o", "{tmp}/out", "--key", "{tmp}/out/my.key"), "scrubbed texts go there"),
        (("{notes}/a.txt", "-o", "{tmp}/b", "--key", "{tmp}/b"), "scrubbed texts go there"),
        (("{notes}/a.txt", "-o", "{tmp}/b", "--key", "{notes}/a.txt"), "document that is read"),
        (("{notes}", "--facts", "{tmp}/f.csv", "--key", "{tmp}/f.csv"), "document that is read"),
        (("{notes}", "-o", "{tmp}/out", "--review", "{tmp}/out/r.html"), "scrubbed texts go there"),
        (("{notes}", "--review", "{notes}/r.html"), "folder that is read"),
        (("{notes}", "-o", "{tmp}/out", "--facts", "{tmp}/out/f.csv"), "scrubbed texts go there"),
        (("{tmp}/none.txt", "--key", "{tmp}/my.key"), "no such file"),
        (("{notes}", "--style", "x", "--key", "{tmp}/my.key"), "one of pseudonym"),
        (("--evaluate", "{notes}", "--review", "{tmp}/r.html"), "measured, not scrubbed"),
        (("--train", "{notes}", "--facts", "{tmp}/f.csv"), "trained on, not scrubbed"),
        (("{notes}", "--scope", "person"), "no column identifies the person"),
        (("{notes}/a.txt", "--column", "note"), "no document is a table"),
        (("{notes}/a.txt", "--known", "name"), "no document is a table"),
    ],
)
def test_a_request_that_would_give_away_what_is_private_is_refused(
    run: Run, notes: Path, tmp_path: Path, args: tuple[str, ...], told: str
) -> None:
    done = run("scrub", *(arg.format(notes=notes, tmp=tmp_path) for arg in args))
    assert done.exit_code == 2, done.stdout
    assert told in done.stderr
    assert [*tmp_path.rglob("*")] == [notes, notes / "a.txt"]


def test_the_key_is_in_no_output(run: Run, notes: Path, tmp_path: Path) -> None:
    key, out = tmp_path / "my.key", tmp_path / "out"
    private = "--review", tmp_path / "r.html", "--facts", tmp_path / "f.csv"
    shown = run("scrub", notes, "-o", out, "--key", key, *private)
    told = run("scrub", notes, "-o", out, "--key", key, *private, "--force", "--json")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    written = [path.read_text() for path in tmp_path.rglob("*") if path.is_file() and path != key]
    secret = key.read_text().strip()
    assert len(written) == 4
    for text in (*written, shown.stdout, shown.stderr, told.stdout, told.stderr):
        assert secret not in text
