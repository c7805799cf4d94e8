"""What a register gives: names, and who is in the table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.attacks.membership import Membership
from discreet.attacks.register_linking import Linking
from tests.attacks.made import table
from tests.properties.strategies import examples

CODES = ["111", "112", "121", "211"]
codes = st.lists(st.sampled_from(CODES), min_size=1, max_size=8)
ZIP = {"zip": "zip"}


def one(values: list[str]) -> object:
    return table("zip", [(value,) for value in values])


@examples(20)
@given(codes, codes, st.integers(1, 3), st.integers(2, 3))
def test_rows_are_named_that_fit_few_people_and_have_few_rows_like_them(
    table_codes: list[str], more: list[str], keep: int, k: int
) -> None:
    shown = [code[:keep] + "*" * (3 - keep) for code in table_codes]
    register = [*table_codes, *more]
    planted = tuple(
        number
        for number, text in enumerate(shown, start=1)
        if max(sum(p.startswith(text.rstrip("*")) for p in register), shown.count(text)) < k
    )
    assert Linking(ZIP, k)(one(shown), one(register)).rows == planted


def test_names_are_right_if_the_only_entry_is_in_the_private_table() -> None:
    private, register = one(["111", "112", "211"]), one(["111", "112", "212"])
    found = Linking(ZIP)(one(["11*", "11*", "21*"]), register, private)
    assert (found.found["unique_hits"], found.found["correct_hits"]) == (1, 0)
    found = Linking(ZIP)(one(["11*", "11*", "21*"]), one(["111", "112", "211"]), private)
    assert (found.rows, found.found["correct_hits"]) == ((3,), 1)


def test_a_k_map_promise_counts_entries_of_the_register_alone() -> None:
    release, register = one(["11*", "11*"]), one(["111"])
    assert not Linking(ZIP, 2)(release, register).succeeds
    assert Linking(ZIP, 2, k_map=2)(release, register).rows == (1, 2)


@examples(20)
@given(codes, codes, st.integers(1, 3))
def test_presence_is_rows_by_people(table_codes: list[str], more: list[str], keep: int) -> None:
    """Classes do not overlap, so that the chance of each person is known."""
    register = [*table_codes, *more]
    chance = [
        sum(c[:keep] == p[:keep] for c in table_codes) / sum(o[:keep] == p[:keep] for o in register)
        for p in register
    ]
    shown = [code[:keep] + "*" * (3 - keep) for code in table_codes]
    facts = Membership(ZIP)(one(shown), one(register)).found
    assert facts["largest_chance"] == pytest.approx(max(chance))
    assert facts["smallest_chance"] == pytest.approx(min(chance))
    assert facts["people_surely_in"] == sum(c == 1 for c in chance)
    assert facts["people_fitting_no_row"] == sum(c == 0 for c in chance)
    assert not facts["overlapping"]


def test_a_promised_range_of_presence_is_held_against_everybody() -> None:
    release, register = one(["11*", "11*"]), one(["111", "112", "113", "211"])
    kept = Membership(ZIP, 0.0, 0.7)(release, register)
    assert (kept.succeeds, kept.breaks) == (False, False)
    high = Membership(ZIP, 0.0, 0.5)(release, register)
    assert (high.rows, high.people_exposed, high.breaks) == ((1, 2), 3, True)
    low = Membership(ZIP, 0.1, 0.7)(release, register)
    assert (low.rows_exposed, low.people_exposed, low.breaks) == (0, 1, True)


def test_without_a_promise_certainty_is_told_but_breaks_nothing() -> None:
    found = Membership(ZIP)(one(["111"]), one(["111", "211"]))
    assert (found.rows, found.people_exposed, found.breaks) == ((1,), 2, False)


def test_rows_left_out_are_among_the_people_who_fit_no_class() -> None:
    release, register = one(["11*", "11*"]), one(["111", "112", "113", "211", "212", "221", "222"])
    found = Membership(ZIP, 0.25, 0.7)(release, register, left_out=1)
    assert (found.succeeds, found.found["smallest_chance"]) == (False, 0.25)
    assert Membership(ZIP, 0.25, 0.7)(release, register).people_exposed == 4
