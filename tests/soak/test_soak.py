"""A short run of every part of the soak, the same cases every time."""

from __future__ import annotations

import pytest

from soak.__main__ import NAMES, Tally, run_case

SEED = 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", range(3))
def test_a_part_of_the_soak_finds_nothing(name: str, number: int) -> None:
    ended = run_case(name, SEED, number)
    assert ended.failure is None
    assert sum(ended.counts.values()) > 0


def test_a_tally_goes_on_where_it_was_kept(tmp_path) -> None:
    tally = Tally(seed=4, following={"releases": 7})
    tally.save(tmp_path / "state.json")
    assert Tally.load(tmp_path / "state.json") == tally
