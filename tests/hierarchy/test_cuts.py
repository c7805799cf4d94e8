from __future__ import annotations

import pytest

from discreet.errors import HierarchyError
from discreet.hierarchy import Cuts
from discreet.hierarchy.refusals import UnreadableValuesError


def labels(builder, *values):
    built = builder.build("age", values)
    return [built.labels[level][built.maps[level][0]] for level in range(1, built.height + 1)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("17", ["<18", "<25", "*"]),
        ("18", ["18-24", "<25", "*"]),
        ("24", ["18-24", "<25", "*"]),
        ("025", ["25-64", ">=25", "*"]),
        ("65", [">=65", ">=25", "*"]),
        ("101", [">=65", ">=25", "*"]),
        ("-3", ["<18", "<25", "*"]),
    ],
)
def test_a_whole_number_becomes_the_interval_between_two_cuts(value, expected):
    assert labels(Cuts([[18, 25, 65], [25]]), value, "1", "99") == expected


def test_the_ends_are_open_so_that_no_smallest_or_largest_value_is_told():
    built = Cuts([[20, 30]]).build("age", ["3", "25", "104"])
    assert built.labels[1] == ("<20", "20-29", ">=30")


def test_decimals_get_half_open_intervals():
    assert labels(Cuts([[0.5, 2.5]]), "0.75", "9") == ["0.5 to <2.5", "*"]
    assert labels(Cuts([[0.1, 0.3]]), "0.3", "0") == [">=0.3", "*"]


def test_an_interval_with_room_for_one_number_is_that_number():
    built = Cuts([[0, 1, 5000], [0, 1]]).build("gain", ["0", "7", "9000", "-2"])
    assert built.labels[1:3] == (("0", "1-4999", ">=5000", "<0"), ("0", ">=1", "<0"))
    cents = Cuts([[0, 0.01, 50]]).build("gain", ["0.00", "0.25", "60", "49.99"])
    assert cents.labels[1] == ("0", "0.01 to <50", ">=50")


def test_numbers_below_zero_are_written_with_a_word():
    assert labels(Cuts([[-10, -4, 3]]), "-7", "0")[0] == "-10 to -5"


def test_missing_values_stay_missing_below_the_root():
    assert Cuts([[5]]).build("age", ["3", None]).labels == (("3", None), ("<5", None), ("*",))


def test_numbers_of_any_size_are_cut():
    large = 10**25
    built = Cuts([[5, large]]).build("age", [str(large), str(large - 1), "4"])
    assert built.labels[1] == (f">={large}", f"5-{large - 1}", "<5")


def test_what_is_no_number_is_counted_and_not_quoted():
    with pytest.raises(UnreadableValuesError, match="1 of its 2 different values") as caught:
        Cuts([[5]]).build("age", ["3", "Zorbeth"])
    assert "Zorbeth" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("65+", [">=65", ">=25", "*"]),
        ("90 and older", [">=65", ">=25", "*"]),
        ("over 64", [">=65", ">=25", "*"]),
        ("<18", ["<18", "<25", "*"]),
        ("under 5", ["<18", "<25", "*"]),
        ("18-20", ["18-24", "<25", "*"]),
        ("20-70", ["other", "other", "*"]),
        ("40+", ["40+", ">=25", "*"]),
        ("16-19", ["16-19", "<25", "*"]),
        ("n/k", ["other", "other", "*"]),
        ("$30", ["25-64", ">=25", "*"]),
    ],
)
def test_what_is_no_number_is_put_where_all_of_it_belongs(value, expected):
    assert labels(Cuts([[18, 25, 65], [25]], others="group"), value, "1", "99") == expected


def test_each_value_is_told_what_became_of_it():
    cuts = Cuts([[18, 25, 65], [25]], others="group")
    values = ["30", "90+", "16-19", "n/k", None]
    assert cuts.sort_values("age", values) == ["fits", "range", "later", "other", "missing"]


def test_settings_that_do_not_exist_are_refused():
    with pytest.raises(HierarchyError, match="others"):
        Cuts([[5]], others="root")
    with pytest.raises(HierarchyError, match="decimal"):
        Cuts([[5]], decimal="dot")
