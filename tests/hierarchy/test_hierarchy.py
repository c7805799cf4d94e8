from __future__ import annotations

import numpy as np
import pytest

from discreet.errors import HierarchyError
from discreet.hierarchy import Flat, Hierarchy, Prefix, Tree

SECRET = "Zaphod"


def test_maps_of_every_level_start_from_the_ground_codes():
    zips = Prefix([4, 3]).build("zip", ["02138", "02141", "02139"])
    assert [codes.tolist() for codes in zips.maps] == [[0, 1, 2], [0, 1, 0], [0, 0, 0]]
    assert all(codes.dtype == np.int32 for codes in zips.maps)


def test_a_step_leads_from_one_level_to_the_next():
    zips = Prefix([4, 3]).build("zip", ["02138", "02141", "02139"])
    for level in range(zips.height):
        assert (zips.step(level)[zips.maps[level]] == zips.maps[level + 1]).all()


def test_leaves_add_up_at_every_level():
    zips = Prefix([4, 3]).build("zip", ["02138", "02141", "02139"])
    assert [counts.tolist() for counts in zips.leaves] == [[1, 1, 1], [2, 1], [3]]
    assert zips.leaf_count == 3


def test_arrays_cannot_be_changed():
    flat = Flat().build("sex", ["male", "female"])
    with pytest.raises(ValueError, match="read-only"):
        flat.maps[0][0] = 1


def test_a_repr_names_no_value():
    assert SECRET not in repr(Flat().build("name", [SECRET, "Ford"]))


def test_suppression_comes_above_the_root():
    race = Tree({"person": ["black", "white"]}).build("race", ["black", "white"])
    above = race.with_suppression()
    assert (race.height, above.height) == (1, 2)
    assert above.labels[-1] == ("*",)
    assert above.leaves[-1].tolist() == [2]


def test_suppression_is_not_added_twice():
    flat = Flat().build("sex", ["male", "female"])
    assert flat.with_suppression() is flat


def test_a_root_is_added_when_the_last_level_has_several_values():
    built = Hierarchy.from_labels("town", ["a", "b", "c"], [["x", "x", "y"]])
    assert built.labels == (("a", "b", "c"), ("x", "y"), ("*",))


def test_a_label_with_two_parents_is_refused_without_naming_it():
    labels = [[SECRET, SECRET], ["north", "south"]]
    with pytest.raises(HierarchyError, match="1 of the labels of level 1") as caught:
        Hierarchy.from_labels("town", ["a", "b"], labels)
    assert SECRET not in str(caught.value)


def test_an_empty_column_builds():
    flat = Flat().build("sex", [])
    assert (flat.height, flat.size(0), flat.size(1), flat.leaf_count) == (1, 0, 0, 0)
    assert flat.with_suppression() is flat


def test_flat_puts_one_star_above_one_value():
    assert Flat().build("sex", ["male"]).labels == (("male",), ("*",))


def test_a_missing_value_is_a_leaf_of_its_own_and_joins_the_root():
    flat = Flat().build("sex", ["male", None])
    assert flat.labels == (("male", None), ("*",))
    assert flat.leaf_count == 2
