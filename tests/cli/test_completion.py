"""What a shell is told when somebody presses the tab key, asked as the shell asks."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from discreet import algorithms
from discreet.cli.app import COMPLETE
from discreet.cli.main import COMMANDS
from discreet.cli.options import ALGORITHMS


def complete(run: Any, monkeypatch: pytest.MonkeyPatch, *words: str) -> list[list[str]]:
    """Completions of the last word as bash gets them: the kind of each, and its text."""
    monkeypatch.setenv(COMPLETE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(("discreet", *words)))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    result = run()
    assert result.exit_code == 0
    assert result.stderr == ""
    return [line.split(",", 1) for line in result.stdout.splitlines() if line]


def test_commands_are_completed(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert complete(run, monkeypatch, "in") == [["plain", "inspect"]]
    assert [text for _, text in complete(run, monkeypatch, "")] == list(COMMANDS)


def test_options_are_completed_after_others(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = complete(run, monkeypatch, "anonymize", "a.csv", "-k", "2", "-k", "3", "--sup")
    assert found == [["plain", "--suppress"]]


def test_algorithms_are_completed(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    found = complete(run, monkeypatch, "anonymize", "--algorithm", "m")
    assert [text for _, text in found] == ["mu-argus", "mondrian", "mpalm"]


@pytest.mark.parametrize("words", [("inspect", "pat"), ("anonymize", "a.csv", "--policy", "pat")])
def test_files_are_left_to_the_shell(
    run: Any, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    assert complete(run, monkeypatch, *words) == [["file", "pat"]]


def test_a_command_that_there_is_not_has_no_completions(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert complete(run, monkeypatch, "anonimize", "--pol") == []


def test_the_algorithms_offered_are_those_there_are() -> None:
    assert set(ALGORITHMS) == {algorithm.name for algorithm in algorithms.ALL}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_can_be_shown(run: Any, shell: str) -> None:
    result = run("--show-completion", shell)
    assert result.exit_code == 0
    assert f"{COMPLETE}={shell}_complete" in result.stdout


def test_completing_a_command_loads_none() -> None:
    code = (
        "import sys\nfrom discreet.cli.main import app\n"
        "try: app([])\nexcept SystemExit: pass\n"
        "print([m for m in sys.modules if m.startswith('discreet.cli.commands.')])"
    )
    asked = {COMPLETE: "bash_complete", "COMP_WORDS": "discreet ", "COMP_CWORD": "1"}
    call = [sys.executable, "-c", code]
    done = subprocess.run(
        call, capture_output=True, text=True, check=True, env={**os.environ, **asked}
    )
    assert done.stdout.splitlines()[-1] == "[]"
