from __future__ import annotations

import pytest

from discreet.errors import HierarchyError
from discreet.hierarchy import Intervals
from discreet.hierarchy.refusals import UnreadableValuesError


def labels(builder, *values):
    built = builder.build("age", values)
    return [[built.labels[level][built.maps[level][0]] for level in range(1, built.height + 1)]][0]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("23", ["20-24", "20-29", "20-39", "*"]),
        ("20", ["20-24", "20-29", "20-39", "*"]),
        ("007", ["5-9", "0-9", "0-19", "*"]),
        (" 7 ", ["5-9", "0-9", "0-19", "*"]),
        ("7.0", ["5-9", "0-9", "0-19", "*"]),
        ("1e1", ["10-14", "10-19", "0-19", "*"]),
        ("-3", ["-5 to -1", "-10 to -1", "-20 to -1", "*"]),
    ],
)
def test_a_whole_number_becomes_the_interval_around_it(value, expected):
    assert labels(Intervals([5, 10, 20]), value, "99") == expected


def test_the_ground_value_stays_as_found():
    assert Intervals([5]).build("age", ["007", "7"]).labels == (("007", "7"), ("5-9",))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("20", "20 to <22.5"),
        ("22.5", "22.5 to <25"),
        ("-0.5", "-2.5 to <0"),
        ("22.49", "20 to <22.5"),
    ],
)
def test_decimals_get_half_open_intervals(value, expected):
    assert labels(Intervals([2.5]), value, "0.25", "99")[0] == expected


def test_tenths_are_exact():
    cut = Intervals([0.1]).build("dose", ["0.3", "0.7", "0.29999"])
    assert cut.labels[1] == ("0.3 to <0.4", "0.7 to <0.8", "0.2 to <0.3")


def test_intervals_start_at_the_origin():
    assert labels(Intervals([10], origin=18), "27", "90")[0] == "18-27"


def test_values_outside_bottom_and_top_lose_their_number_at_every_level():
    cut = Intervals([5, 10], bottom=18, top=87).build("age", ["17", "18", "86", "87", "101"])
    assert cut.labels[1] == ("<18", "18-19", "85-86", ">=87")
    assert cut.labels[2] == ("<18", "18-19", "80-86", ">=87")
    assert cut.labels[3] == ("*",)


def test_an_interval_of_one_number_is_that_number():
    assert Intervals([1, 2]).build("age", ["03", "4"]).labels[1] == ("3", "4")


def test_numbers_beyond_64_bits_are_exact():
    big = "123456789012345678901234567890"
    assert labels(Intervals([5]), big, "1")[0] == f"{big}-{int(big) + 4}"


def test_many_digits_on_both_sides_are_exact():
    low, high = "1" * 28 + "." + "1" * 28, "1" * 28 + "." + "1" * 27 + "3"
    cut = Intervals(["0." + "0" * 27 + "1"]).build("x", [low, high])
    assert cut.size(1) == 2


def test_missing_values_stay_missing_up_to_the_star():
    cut = Intervals([10]).build("age", ["3", None])
    assert cut.labels == (("3", None), ("0-9", None), ("*",))


def test_the_widest_interval_is_the_root_when_it_holds_all():
    assert Intervals([10]).build("age", ["3", "4"]).labels[-1] == ("0-9",)


@pytest.mark.parametrize("widths", [[5, 12], [5, 5], [10, 5], [0.2, 0.5]])
def test_widths_that_do_not_nest_are_refused_by_name(widths):
    with pytest.raises(HierarchyError, match="intervals: level") as caught:
        Intervals(widths)
    assert f"'{widths[0]}'" in str(caught.value)
    assert f"'{widths[1]}'" in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        {"widths": []},
        {"widths": [0]},
        {"widths": [-5]},
        {"widths": ["wide"]},
        {"widths": [True]},
        {"widths": [float("inf")]},
        {"widths": [5], "origin": None},
        {"widths": [5], "bottom": 9, "top": 9},
    ],
)
def test_parameters_without_sense_are_refused(arguments):
    with pytest.raises(HierarchyError, match="key '"):
        Intervals(**arguments)


def test_values_that_are_no_numbers_are_counted_and_not_named():
    with pytest.raises(UnreadableValuesError, match="column 'age': 3 of its 5") as caught:
        Intervals([5]).build("age", ["1", "Zaphod", "nan", "1e999999", None])
    assert "Zaphod" not in str(caught.value)
