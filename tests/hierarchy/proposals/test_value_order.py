from __future__ import annotations

import pytest

from discreet.hierarchy.proposals.value_order import find_order


@pytest.mark.parametrize(
    "ordered",
    [
        ["January", "February", "May", "December"],
        ["Mon", "Tue", "Fri", "Sun"],
        ["Montag", "Mittwoch", "Samstag"],
        ["low", "medium", "high"],
        ["Very low", "Low", "High"],
        ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"],
        ["never", "sometimes", "often", "always"],
        ["poor", "fair", "good", "very good", "excellent"],
        ["XS", "S", "M", "L", "XL"],
        ["1st-4th", "5th-6th", "7th-8th", "9th", "10th", "12th"],
        ["<18", "18-24", "25-44", "45-64", "65+"],
        ["under 18", "18 to 24", "25 to 64", "over 64"],
        ["$0 - $9,999", "$10,000 - $24,999", "$25,000 - $99,999", "$100,000+"],
        ["Grade 2", "Grade 9", "Grade 10"],
        ["Stufe 1", "Stufe 2", "Stufe 11"],
        ["I", "II", "III", "IV"],
        ["mild", "moderate", "severe"],
    ],
)
def test_the_steps_of_a_scale_are_put_in_order(ordered):
    values = sorted(ordered, key=lambda value: value[::-1])
    found = find_order(values)
    assert [values[at] for at in found.places] == ordered
    assert found.outside == ()


def test_words_for_unknown_have_no_place():
    values = ["high", "low", "medium", "Unknown"]
    assert find_order(values).outside == (3,)


@pytest.mark.parametrize(
    "values",
    [
        ["Oslo", "Rome", "Bern"],
        ["A12", "B7", "C3"],
        ["low", "high"],
        ["low", "medium", "high", "purple"],
        ["5 apples", "5 pears", "6 plums"],
        ["unknown", "other", "?"],
    ],
)
def test_other_words_have_no_order(values):
    assert find_order(values) is None
