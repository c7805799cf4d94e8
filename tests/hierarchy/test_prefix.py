from __future__ import annotations

import pytest

from discreet.errors import HierarchyError
from discreet.hierarchy import Prefix


def test_a_code_loses_its_last_characters():
    zips = Prefix([4, 3]).build("zip", ["02138", "03139"])
    assert zips.labels[1:] == (("0213*", "0313*"), ("021**", "031**"), ("*",))


def test_values_of_different_lengths_keep_their_own_length():
    codes = Prefix([4, 3]).build("zip", ["0213", "02138", "021", "02"])
    assert codes.labels[1] == ("0213", "0213*", "021", "02")
    assert codes.labels[2] == ("021*", "021**", "021", "02")
    assert codes.labels[3] == ("*",)


def test_a_mask_in_the_data_does_not_break_the_tree():
    codes = Prefix([4, 1]).build("zip", ["0213*", "02138", "*", "****", "", None])
    assert codes.size(1) == 5
    assert codes.labels[-1] == ("*",)


def test_the_mask_can_be_another_character():
    assert Prefix([4], mask="0").build("zip", ["02138", "02139"]).labels[1] == ("02130",)


@pytest.mark.parametrize("lengths", [[3, 4], [3, 3]])
def test_lengths_that_do_not_shrink_are_refused(lengths):
    with pytest.raises(HierarchyError, match="keeps no fewer characters"):
        Prefix(lengths)


@pytest.mark.parametrize("arguments", [([],), ([0],), ([2.5],), (["3"],), ([True],), ([3], "**")])
def test_parameters_without_sense_are_refused(arguments):
    with pytest.raises(HierarchyError, match="key '"):
        Prefix(*arguments)
