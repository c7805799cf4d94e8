"""Nothing touches the network: not the command, not the word lists, not a process it starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

GUARD = """
import os, sys
def _hook(event, args):
    if event.startswith("socket.") and event not in ("socket.__new__", "socket.gethostname"):
        with open(os.environ["TRIED"], "a") as file:
            file.write(event + "\\n")
        raise OSError("the network is out of bounds")
    if event in ("urllib.Request", "ftplib.connect", "smtplib.connect", "http.client.connect"):
        with open(os.environ["TRIED"], "a") as file:
            file.write(event + "\\n")
        raise OSError("the network is out of bounds")
sys.addaudithook(_hook)
with open(os.environ["TRIED"] + ".guarded", "a") as file:
    file.write("x")
"""
"""Python runs it in every process at its start; a forked process inherits it."""


def _guarded(tmp_path: Path, *command: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run Python with the guard; what it tried to reach."""
    tried = tmp_path / "tried"
    (tmp_path / "guard").mkdir(exist_ok=True)
    (tmp_path / "guard" / "sitecustomize.py").write_text(GUARD)
    path = os.pathsep.join([str(tmp_path / "guard"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": path, "TRIED": str(tried)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (tmp_path / "tried.guarded").exists()
    return done, tried.read_text().split() if tried.exists() else []


@pytest.mark.parametrize(
    "tries",
    [
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9')",
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "import socket; socket.getaddrinfo('example.org', 80)",
        "import multiprocessing as m, socket\n"
        "p = m.get_context('fork').Process(target=socket.getaddrinfo, args=('example.org', 80))\n"
        "p.start(); p.join()",
    ],
    ids=["a page", "a connection", "a name", "from a process of its own"],
)
def test_the_guard_sees_what_tries_to_reach_the_network(tmp_path: Path, tries: str) -> None:
    assert _guarded(tmp_path, "-c", tries)[1]


@pytest.mark.parametrize("language", ["en", "de"])
def test_scrub_never_tries_to_reach_the_network(tmp_path: Path, language: str) -> None:
    """All of it at once: finding in two processes, replacement, review, facts, a table."""
    notes = tmp_path / "notes"
    notes.mkdir()
    text = (
        "Dear Dr. Frank Miller, Mary Smyth of 12 Elm Street, Boston, MA 02138, mary@clinic.org,\n"
        "http://clinic.org/x, phone 617-255-1423, was seen on March 3, 1994, aged 91.\n"
    )
    for number in range(3):
        (notes / f"{number}.txt").write_text(text + "\n" * 260_000)
    (notes / "t.csv").write_text("id,note\n1,Mr. Frank Miller came\n")
    (notes / "p.html").write_text(f"<a href='http://clinic.org/Frank'>{text}</a>")
    done, tried = _guarded(
        tmp_path, "-m", "discreet", "scrub", str(notes), "-o", str(tmp_path / "out"),
        "--jobs", "2", "--language", language, "--review", str(tmp_path / "r.html"),
        *(("--facts", str(tmp_path / "f.csv")) if language == "en" else ()),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Frank" not in (tmp_path / "out" / "0.txt").read_text()
    assert tried == []
