"""Presence by sampling, against all assignments counted one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from discreet.errors import ParameterError
from discreet.hierarchy import Tree
from discreet.risks.sampled_presence import count_overlapping, match_people, sampled_presence


def exact(fits: np.ndarray) -> np.ndarray:
    """Everybody's chance, over all ways to give each row a person of its own."""
    people = fits.shape[1]
    ways = [way for way in product(*map(np.flatnonzero, fits)) if len(set(way)) == len(way)]
    return np.bincount([p for way in ways for p in way], minlength=people) / len(ways)


OVERLAPPING = np.array(
    [[1, 1, 1, 0, 0, 0], [0, 1, 1, 1, 0, 0], [0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1]], dtype=bool
)
UNEVEN = np.array([[1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 0]], dtype=bool)


@pytest.mark.parametrize("fits", [OVERLAPPING, UNEVEN], ids=["overlapping", "uneven"])
def test_chances_are_those_of_all_assignments_within_the_error(fits: np.ndarray) -> None:
    found = sampled_presence(fits, draws=4000, seed=3)
    off = np.abs(found.chance - exact(fits))
    assert (off <= 2 * found.error + 1e-12).all()
    assert found.error.max() < 0.03
    assert found.chance.sum() == pytest.approx(len(fits))


def test_the_error_is_that_of_repeated_runs() -> None:
    runs = [sampled_presence(OVERLAPPING, 400, seed) for seed in range(60)]
    spread = np.std([run.chance for run in runs], axis=0)
    told = np.mean([run.error for run in runs], axis=0) / 1.96
    assert told == pytest.approx(spread, rel=0.35)


def test_without_overlap_it_is_rows_over_people() -> None:
    fits = np.array([[1, 1, 0, 0, 0], [0, 0, 1, 1, 1], [0, 0, 1, 1, 1]], dtype=bool)
    found = sampled_presence(fits, draws=4000)
    assert count_overlapping(fits) == found.overlapping == 0
    assert (np.abs(found.chance - [1 / 2, 1 / 2, 2 / 3, 2 / 3, 2 / 3]) <= 2 * found.error).all()
    assert "nothing overlaps" in found.notes[0]


def test_it_says_that_it_sampled_and_shows_nobody() -> None:
    facts = sampled_presence(OVERLAPPING).facts()
    assert facts["notes"] == ["measured by sampling, not counted: the release overlaps"]
    assert facts["overlapping"] == 3
    assert facts["people"] == 6
    assert 0 < facts["lowest"] < facts["highest"] <= 1
    assert not any(isinstance(fact, np.ndarray) for fact in facts.values())


def test_the_same_seed_gives_the_same_answer() -> None:
    one, other = (sampled_presence(UNEVEN, 200, seed=5) for _ in range(2))
    assert (one.chance == other.chance).all()


def test_few_draws_that_count_are_said_to_be_so() -> None:
    assert "not to be trusted" in sampled_presence(UNEVEN, draws=20).notes[-1]


@pytest.mark.parametrize(
    ("fits", "draws"),
    [([[1, 0], [0, 0]], 100), ([[1, 0], [1, 0]], 100), ([[1, 1]], 1), ([[1, 1]], 1 << 30)],
    ids=["fits nobody", "two rows for one person", "too few draws", "too many draws"],
)
def test_what_cannot_be_is_refused(fits: list[list[int]], draws: int) -> None:
    with pytest.raises(ParameterError, match="sampled_presence"):
        sampled_presence(np.array(fits, dtype=bool), draws)


def test_who_fits_is_read_from_the_released_texts() -> None:
    released = {"age": ["20-29", "25-39", "*"], "town": ["north", "n1", "*"]}
    public = {"age": ["21", "27", "33"], "town": ["n1", "n2", "s1"]}
    tree = Tree({"all": {"north": {"n1": None, "n2": None}, "south": {"s1": None}}})
    found = match_people(released, public, {"town": tree})
    assert found.tolist() == [[True, True, False], [False, False, False], [True, True, True]]
    assert count_overlapping(found) == 2
