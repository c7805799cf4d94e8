"""A short run of every part of the soak, the same cases every time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from soak.__main__ import NAMES, Tally, run_case

SEED = 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", range(2))
def test_a_part_of_the_soak_finds_nothing(name: str, number: int) -> None:
    ended = run_case(name, SEED, number)
    assert ended.failure is None
    assert sum(ended.counts.values()) > 0


def test_a_tally_goes_on_where_it_was_kept(tmp_path) -> None:
    tally = Tally(seed=4, following={"releases": 7})
    tally.save(tmp_path / "state.json")
    assert Tally.load(tmp_path / "state.json") == tally


def test_the_command_runs_cases_in_processes_of_their_own(tmp_path) -> None:
    asked = ["ledgers", "--minutes", "0.0001", "--jobs", "1", "--state", str(tmp_path / "s.json")]
    root = Path(__file__).parents[2]
    ended = subprocess.run(
        [sys.executable, "-m", "soak", *asked],
        capture_output=True,
        cwd=root,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr.decode()
    assert Tally.load(tmp_path / "s.json").counts["ledgers"]["cases"] == 1
