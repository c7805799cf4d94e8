from __future__ import annotations

import numpy as np
import pytest

from discreet.hierarchy.proposals.group_names import GroupNames


def name(values, rows, groups, least=5, rank=None):
    names = GroupNames(values, np.array(rows), least, rank or {})
    return names.name_levels([np.array(level) for level in groups])


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([50, 90, 7, 8, 9], "Sales, Craft, 3 more"),
        ([50, 90, 7, 8, 1], "Sales, Craft, 3 more"),
        ([50, 90, 1, 1, 1], "Sales, Craft, 3 rare values"),
        ([1, 90, 1, 1, 1], "Sales, 4 rare values"),
        ([1, 1, 1, 1, 1], "5 rare values"),
    ],
)
def test_a_group_is_named_by_what_most_rows_have(rows, expected):
    values = ["Craft", "Sales", "Tech", "Army", "Farm"]
    assert name(values, rows, [[0] * 5])[0] == [expected] * 5


def test_a_short_group_is_written_out():
    assert name(["a", "b"], [9, 9], [[0, 0]]) == [["a, b"] * 2]
    assert name(["a", "b", "c"], [9, 9, 9], [[0, 0, 0]]) == [["a, b, c"] * 3]
    assert name(["a", "b", "c"], [9, 9, 1], [[0, 0, 0]]) == [["a, b, 1 rare value"] * 3]


def test_a_value_alone_keeps_its_name():
    assert name(["a", "b", "c"], [9, 9, 1], [[0, 0, 2]])[0][2] == "c"


def test_neighbours_are_named_by_their_ends():
    values, rank = ["high", "low", "medium"], {1: 0, 2: 1, 0: 2}
    assert name(values, [9, 9, 9], [[0, 1, 1]], rank=rank)[0] == [
        "high",
        "low to medium",
        "low to medium",
    ]
    assert name(values, [9, 1, 9], [[0, 1, 1]], rank=rank)[0][1] == "medium, 1 rare value"


def test_no_group_has_the_name_of_a_value_or_of_another_group():
    values = ["a", "b", "a, b", "r1", "r2", "r3", "r4"]
    found = name(values, [9, 9, 9, 1, 1, 1, 1], [[0, 0, 2, 3, 3, 4, 4]])[0]
    assert found == [
        "a, b (2)",
        "a, b (2)",
        "a, b",
        *["2 rare values"] * 2,
        *["2 rare values (2)"] * 2,
    ]


def test_a_group_that_stays_the_same_keeps_its_name_and_others_get_new_ones():
    values = ["r1", "r2", "r3", "r4", "x"]
    finer, coarser = name(values, [1, 1, 1, 1, 9], [[0, 0, 2, 2, 4], [0, 0, 2, 2, 2]])
    assert finer[:2] == coarser[:2] == ["2 rare values"] * 2
    assert coarser[2] == "x, 2 rare values"


def test_long_values_are_shortened():
    values = ["x" * 80, "y\n  z"]
    assert name(values, [9, 8], [[0, 0]])[0][0] == f"{'x' * 27}..., y z"
