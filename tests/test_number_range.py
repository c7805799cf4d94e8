"""A range of numbers is one fact: what is refused, in which words, and what the schema says."""

from __future__ import annotations

import math
from typing import Any

import pytest

from discreet.errors import ParameterError
from discreet.number_range import LARGEST, NumberRange

RANGES = {
    "a number above 0": NumberRange(above=0),
    "a number above 0 and at most 1,000": NumberRange(above=0, most=1000),
    "a number above 0 and below 1": NumberRange(above=0, below=1),
    "a number from 0 to 1": NumberRange(least=0, most=1),
    "a number from 0 to below 1": NumberRange(least=0, below=1),
    "a number of at least 1": NumberRange(least=1),
    "a whole number of at least 2": NumberRange(least=2, whole=True),
    "a whole number from 1 to 1,000,000,000": NumberRange(least=1, most=10**9, whole=True),
}


@pytest.mark.parametrize("wanted", RANGES)
def test_a_range_is_said_in_words(wanted: str) -> None:
    assert RANGES[wanted].wanted == wanted


@pytest.mark.parametrize(
    ("given", "right", "wrong"),
    [
        (NumberRange(above=0, most=1), [1, 0.5, 1e-300], [0, -1, 1.1, math.nan, True, "1", None]),
        (NumberRange(least=0, below=1), [0, 0.5], [1, -0.1, math.inf]),
        (NumberRange(least=1, whole=True), [1, LARGEST], [0, 1.0, True, LARGEST + 1, 10**400]),
    ],
)
def test_only_numbers_of_the_range_pass(given: Any, right: list[Any], wrong: list[Any]) -> None:
    for value in right:
        given.check("model", "k", value)
    for value in wrong:
        with pytest.raises(ParameterError):
            given.check("model", "k", value)


def test_a_number_without_end_is_told_to_be_finite() -> None:
    with pytest.raises(ParameterError, match="a finite number above 0"):
        NumberRange(above=0).check("model", "delta", math.inf)


def test_the_schema_has_the_same_limits() -> None:
    assert NumberRange(least=0, below=1).schema == {"minimum": 0, "exclusiveMaximum": 1}
    assert NumberRange(above=0, most=1).schema == {"exclusiveMinimum": 0, "maximum": 1}
