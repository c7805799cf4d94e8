from __future__ import annotations

import pytest

from discreet.errors import HierarchyError
from discreet.hierarchy import Tree

PLACES = {"World": {"Europe": {"Norway": ["Oslo", "Bergen"], "Malta": None}, "Moon": None}}


def test_a_value_climbs_from_branch_to_branch():
    built = Tree(PLACES).build("place", ["Oslo"])
    assert built.labels == (("Oslo",), ("Norway",), ("Europe",), ("World",))


def test_values_that_hang_higher_repeat_themselves():
    built = Tree(PLACES).build("place", ["Moon", "Malta", "Oslo"])
    assert built.labels[1] == ("Moon", "Malta", "Norway")
    assert built.labels[2] == ("Moon", "Europe")


def test_only_values_of_the_data_are_leaves():
    assert Tree(PLACES).build("place", ["Moon", "Oslo"]).leaf_count == 2


def test_several_roots_get_a_star():
    assert Tree({"a": ["1"], "b": ["2"]}).build("x", ["1", "2"]).labels[-1] == ("*",)


def test_numbers_are_read_as_text():
    assert Tree({"few": [1, 2], "many": [3.5]}).build("x", ["1", "3.5"]).labels[1] == (
        "few",
        "many",
    )


def test_lists_may_hold_branches():
    built = Tree({"all": ["a", {"rest": ["b", "c"]}]}).build("x", ["a", "b"])
    assert built.labels[1] == ("a", "rest")


def test_a_missing_value_has_no_need_of_a_place():
    built = Tree(PLACES).build("place", ["Oslo", None])
    assert built.labels[2:] == (("Europe", None), ("World",))


def test_a_missing_value_may_have_a_place():
    built = Tree({"all": {"known": ["a"], "unknown": [None, "?"]}}).build("x", ["a", None, "?"])
    assert built.labels[1] == ("known", "unknown")


@pytest.mark.parametrize(
    "tree",
    [
        {"all": {"x": ["a"], "y": ["a"]}},
        {"all": ["a", {"a": ["b"]}]},
        {"all": {"x": ["a", "a"]}},
        {},
        {"all": {}},
        {"all": [True]},
        {"all": [["a"]]},
        ["a"],
        None,
    ],
)
def test_a_tree_that_makes_no_sense_is_refused(tree):
    with pytest.raises(HierarchyError, match="key 'tree'"):
        Tree(tree)


def test_two_branches_of_a_level_with_one_name_are_refused():
    tree = Tree({"all": {"north": {"other": ["a"]}, "south": {"other": ["b"]}}})
    with pytest.raises(HierarchyError, match="'other' for one"):
        tree.build("x", ["a", "b"])


def test_a_star_beside_other_roots_is_refused():
    with pytest.raises(HierarchyError, match="has 2 roots"):
        Tree({"*": ["a"], "other": ["b"]}).build("x", ["a"])


def test_values_without_a_place_are_counted_and_not_named():
    with pytest.raises(HierarchyError, match="2 of its 3 different values") as caught:
        Tree(PLACES).build("place", ["Oslo", "Magrathea", "oslo "])
    assert "1 of them differ" in str(caught.value)
    assert "Magrathea" not in str(caught.value)
