"""Row order: kept and sorted files are found, scrambled ones give nothing away."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet import Policy
from discreet.attacks.row_order import Unsorted
from tests.attacks.made import table
from tests.properties.strategies import examples

RANDOM = np.random.default_rng(4)
PEOPLE = [(f"{RANDOM.integers(20, 80)}", f"0{RANDOM.integers(1000, 1030)}") for _ in range(60)]
AGES = ("20-39", "40-59", "60-79")


def aged(row: tuple[str, str]) -> str:
    return AGES[int(row[0]) // 20 - 1]


def released(rows: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(aged(row), row[1][:4] + "*") for row in rows]


def rare(rows: list[tuple[str, str]], k: int) -> tuple[int, ...]:
    counts = Counter(rows)
    return tuple(n for n, row in enumerate(rows, start=1) if counts[row] < k)


NAMES = "age zip"


@pytest.mark.parametrize("k", [2, 3])
def test_a_release_in_the_order_of_the_private_table_gives_its_rare_rows_away(k: int) -> None:
    attack = Unsorted(("age", "zip"), k)
    found = attack(table(NAMES, released(PEOPLE)), table(NAMES, PEOPLE), original=True)
    assert found.rows == rare(PEOPLE, k)
    assert found.found["by"] == "row order"


def test_rows_that_were_left_out_do_not_hide_the_order() -> None:
    kept = [row for number, row in enumerate(PEOPLE) if number % 9]
    found = Unsorted(("age", "zip"), 2)(
        table(NAMES, released(kept)), table(NAMES, PEOPLE), original=True
    )
    assert found.succeeds
    assert set(found.rows) <= set(rare(kept, 2))


@pytest.mark.parametrize("descending", [False, True])
def test_a_release_sorted_by_a_column_that_it_generalizes_is_found(descending: bool) -> None:
    order = sorted(PEOPLE, key=lambda row: int(row[0]), reverse=descending)
    found = Unsorted(("age", "zip"), 2)(
        table(NAMES, released(order)), table(NAMES, PEOPLE), original=True
    )
    assert found.found["by"] == "sorted by age"
    assert found.rows == rare([(age, code[:4]) for age, code in order], 2)


def test_a_release_sorted_by_a_column_that_it_withholds_is_found() -> None:
    private = [(f"n{number:02}", *row) for number, row in enumerate(PEOPLE)]
    shuffled = [private[place] for place in np.random.default_rng(1).permutation(60)]
    found = Unsorted(("age", "zip"), 2)(
        table(NAMES, released(PEOPLE)), table("name age zip", shuffled), original=True
    )
    assert found.found["by"] == "sorted by name"
    assert found.rows_exposed == 60


@pytest.mark.parametrize("seed", range(8))
def test_a_scrambled_release_gives_nothing_away(seed: int) -> None:
    order = np.random.default_rng(seed).permutation(60)
    release = table(NAMES, released([PEOPLE[place] for place in order]))
    assert not Unsorted(("age", "zip"), 2)(release, table(NAMES, PEOPLE), original=True).succeeds


@examples(30)
@given(st.lists(st.sampled_from("ab"), min_size=2, max_size=8))
def test_an_order_that_chance_gives_is_no_evidence(values: list[str]) -> None:
    """Releases that say nothing go together in any order."""
    first = table("zip ill", [(value, "*") for value in values])
    second = table("zip ill", [("*", value) for value in values])
    found = Unsorted(("zip", "ill"), 2)(second, first)
    assert not found.succeeds
    assert "but that may be chance" in found.note


def test_a_policy_that_keeps_the_order_needs_no_evidence() -> None:
    policy = Policy(
        columns={"zip": {"role": "quasi", "hierarchy": {"prefix": [2, 1]}}},
        require=[{"k_anonymity": {"k": 2}}],
        order="keep",
    )
    release, private = table("zip", "11*, 11*"), table("zip", "111, 112")
    assert Unsorted(("zip",), 2, policy)(release, private, original=True).rows == (1, 2)
    scrambled = policy.replace(order="scramble")
    assert not Unsorted(("zip",), 2, scrambled)(release, private, original=True).succeeds
