"""What single cells are released as."""

import numpy as np

from discreet.hierarchy import Flat, Tree
from discreet.hierarchy.values import Values


def values(blank: str | None = "*") -> Values:
    tree = Tree({"sick": {"lungs": ["flu", "cough"], "skin": ["rash"]}})
    hierarchy = tree.build("problem", ["flu", "cough", "rash"])
    return Values.of(hierarchy, np.array([5.0, 2.0, 1.0]), blank)


def test_values_of_all_levels_come_before_the_blank() -> None:
    assert values().labels == ("flu", "cough", "rash", "lungs", "skin", "sick", "*")
    assert values().blank == 6
    assert values(None).labels[-1] is None


def test_each_value_knows_what_is_under_it() -> None:
    found = values()
    assert found.leaves.tolist() == [1, 1, 1, 2, 1, 3, 3]
    assert found.mass.tolist() == [5, 2, 1, 7, 1, 8, 8]
    assert found.steps.tolist() == [0, 0, 0, 0.5, 0.5, 1, 1]
    assert found.suppressed.tolist() == [False] * 6 + [True]


def test_a_level_above_the_root_is_the_blank() -> None:
    tree = Tree({"sick": {"lungs": ["flu", "cough"], "skin": ["rash"]}})
    hierarchy = tree.build("problem", ["flu", "cough", "rash"])
    codes = values().at(hierarchy, np.array([0, 1, 2, 0]), np.array([0, 1, 2, 3]))
    assert [values().labels[code] for code in codes] == ["flu", "lungs", "sick", "*"]


def test_values_with_one_text_look_the_same() -> None:
    found = Values.of(Flat().build("sex", ["m", "*"]), np.ones(2))
    assert found.labels == ("m", "*", "*", "*")
    assert found.alike.tolist() == [0, 1, 1, 1]
    assert found.texts == ("m", "*")


def test_a_value_of_the_table_that_reads_as_a_star_is_not_suppressed() -> None:
    found = Values.of(Flat().build("sex", ["m", "*"]), np.ones(2))
    assert found.suppressed.tolist() == [False, False, True, True]
