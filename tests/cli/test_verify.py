"""``discreet verify``: 0 if every promise holds, 1 if one does not, 2 if the request was wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def release(tmp_path: Path) -> Path:
    path = tmp_path / "release.csv"
    path.write_text("age,zip,disease\n" + "20-29,021**,flu\n20-29,021**,gout\n20-29,021**,flu\n")
    return path


def test_a_release_that_holds_ends_with_0(run: Any, release: Path, policy: Path) -> None:
    result = run("verify", release, "--policy", policy)
    assert result.exit_code == 0
    assert "every promise holds" in result.stdout


def test_a_release_that_does_not_hold_ends_with_1(run: Any, release: Path, policy: Path) -> None:
    result = run("verify", release, "--policy", policy, "-k", "4")
    assert result.exit_code == 1
    assert "DOES NOT HOLD" in result.stdout
    assert "k 3 -> 4" in result.stderr


def test_json_has_holds_and_verdicts(run: Any, release: Path, policy: Path) -> None:
    result = run("verify", release, "--policy", policy, "--json")
    facts = json.loads(result.stdout)
    assert facts["holds"] is True
    assert facts["verdicts"][0]["model"] == "k_anonymity"
    assert facts["verdicts"][0]["measured"] == 3


def test_quiet_answers_by_the_exit_code_alone(run: Any, release: Path, policy: Path) -> None:
    result = run("verify", release, "--policy", policy, "-k", "4", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "")


def test_flags_are_enough(run: Any, release: Path) -> None:
    flags = ["-q", "age", "-q", "zip", "-s", "disease", "-k", "3"]
    assert run("verify", release, *flags).exit_code == 0


def test_the_private_table_itself_does_not_pass(run: Any, table: Path, policy: Path) -> None:
    assert run("verify", table, "--policy", policy).exit_code == 1


def test_a_file_that_is_not_there_is_a_wrong_request(
    run: Any, policy: Path, tmp_path: Path
) -> None:
    result = run("verify", tmp_path / "none.csv", "--policy", policy)
    assert result.exit_code == 2
    assert "none.csv" in result.stderr
