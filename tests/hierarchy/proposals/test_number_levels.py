from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest

from discreet.hierarchy import Cuts, Intervals
from discreet.hierarchy.proposals.number_levels import find_roundest, propose_number_levels
from discreet.hierarchy.proposals.widths import make_nested


def propose_for(numbers, column="amount"):
    distinct, counts = np.unique(numbers, return_counts=True)
    found = propose_number_levels(column, distinct.tolist(), counts.tolist())
    return found.builder


def count_shares(builder, numbers):
    values = [str(n) for n in np.unique(numbers).tolist()]
    built = builder.build("amount", values)
    counts = np.unique(numbers, return_counts=True)[1]
    return [
        np.bincount(codes, weights=counts) / counts.sum() for codes in built.maps[1 : built.height]
    ]


SKEWED = np.round(np.random.default_rng(1).lognormal(7, 1, 5000)).astype(int)
GAINS = np.concatenate([np.zeros(9200, dtype=int), SKEWED[:800]])


def test_intervals_of_skewed_numbers_hold_about_the_same_number_of_rows():
    found = propose_for(SKEWED)
    assert isinstance(found, Cuts)
    finest = count_shares(found, SKEWED)[0]
    assert len(finest) >= 12
    assert finest.max() < 0.13


def test_cuts_are_numbers_that_a_person_would_write():
    for level in propose_for(SKEWED).levels:
        assert all(len(str(cut).rstrip("0").removesuffix("5")) <= 2 for cut in level)


def test_each_level_has_about_half_of_the_intervals_and_the_last_has_two():
    levels = propose_for(SKEWED).levels
    assert len(levels[-1]) == 1
    for finer, coarser in pairwise(levels):
        assert len(coarser) < len(finer)
        assert set(coarser) < set(finer)


def test_zero_that_most_rows_have_gets_a_class_of_its_own():
    found = propose_for(GAINS)
    built = found.build("gain", [str(n) for n in np.unique(GAINS).tolist()])
    for codes, labels in zip(built.maps[1 : built.height], built.labels[1:], strict=False):
        assert labels[codes[0]] == "0"
        assert (codes == codes[0]).sum() == 1
    assert found.levels[-1] == (0, 1)


def test_a_number_in_the_middle_that_many_rows_have_gets_a_class_of_its_own():
    hours = np.concatenate([np.full(500, 40), np.random.default_rng(2).integers(1, 99, 500)])
    levels = propose_for(hours).levels
    assert all({40, 41} <= set(level) for level in levels[:-1])
    assert all(isinstance(cut, int) for level in levels for cut in level)


def test_evenly_spread_numbers_get_intervals_of_one_width():
    assert propose_for(np.arange(1000)) == Intervals((100, 200, 400))


def test_a_few_very_large_numbers_do_not_make_the_intervals_too_wide():
    pay = np.concatenate([np.arange(1000, 2000), [10**7]])
    finest = count_shares(propose_for(pay), pay)[0]
    assert finest.max() < 0.2


@pytest.mark.parametrize(("name", "young"), [("age", 20), ("patient_age", 20), ("Alter", 20)])
def test_ages_go_by_five_years_and_by_stages_of_life(name, young):
    found = propose_for(np.arange(17, 95), name)
    assert found.levels[0][0] == young
    assert found.levels[0][-1] == 90
    assert found.levels[-2:] == ((25, 45, 65), (45,))


def test_a_column_called_age_that_has_no_ages_is_numbers():
    assert isinstance(propose_for(np.arange(0, 900), "age"), Intervals)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        ("16.6", "17.4", "17"),
        ("1940", "2110", "2000"),
        ("23", "26", "25"),
        ("-7", "12", "0"),
        ("0.0313", "0.0354", "0.035"),
        ("5", "5", "5"),
    ],
)
def test_the_roundest_number_between_two_is_chosen(low, high, expected):
    assert find_roundest(Decimal(low), Decimal(high)) == Decimal(expected)


def test_nested_widths_in_the_place_of_cuts_read_odd_values_as_before() -> None:
    ages = [*map(str, range(20, 80)), "90+", "adult"]
    nested = make_nested(Cuts([[30, 50], [50]], others="group"), ages)
    assert isinstance(nested, Intervals)
    assert nested.others == "group"
    nested.build("age", ages)
