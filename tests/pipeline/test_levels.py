"""Figure 38 for any column: held against counting by hand."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import discreet
from discreet.hierarchy import Prefix
from discreet.pipeline.levels import LevelsOf

MONTHS = {"month": 1, "5 years": 60, "10 years": 120, "20 years": 240}


def by_hand(days: list[date], name: str, others: list[str]) -> Counter[Any]:
    """The classes of a width, from the calendar alone."""
    if name == "one value for all":
        return Counter(others)
    if name == "as found":
        return Counter(zip(days, others, strict=True))
    width = MONTHS.get(name) or int(name.split()[0])
    periods = [(12 * day.year + day.month - 1) // width for day in days]
    return Counter(zip(periods, others, strict=True))


@given(
    st.lists(st.tuples(st.integers(0, 3000), st.sampled_from("FM")), min_size=8, max_size=80),
    st.sampled_from([0, 0.1, 0.4]),
    st.sampled_from([2, 3, 7]),
)
@settings(max_examples=25, deadline=None)
def test_the_width_is_the_finest_that_drops_few_enough(
    rows: list[tuple[int, str]], most: float, k: int
) -> None:
    days = [date(1960, 1, 1) + timedelta(days=number) for number, _ in rows]
    sexes = [sex for _, sex in rows]
    table = pa.table({"birth": [str(day) for day in days], "sex": sexes})
    asked = LevelsOf(((1.0, k),), (1.0,), most)
    for beside, others in (((), ["all"] * len(rows)), (("sex",), sexes)):
        found = asked.column(discreet.read(table), "birth", beside=beside)
        dropped = {}
        for width in found["widths"]:
            classes = by_hand(days, width["name"], others)
            assert width["classes"] == len(classes)
            assert width["smallest_class"] == min(classes.values())
            dropped[width["name"]] = sum(n for n in classes.values() if n < k)
        enough = [name for name, n in dropped.items() if n <= most * len(rows)]
        (line,) = found["levels"]
        if not enough:
            assert line["width"] is None
        else:
            assert line["width"]["birth"]["name"] == enough[0]
            assert line["rows_dropped"] == dropped[enough[0]]


@pytest.mark.parametrize(
    ("values", "first", "last"),
    [
        ([str(n) for n in range(20, 90)], 2, 50),
        ([str(n * 1000) for n in range(1, 200)], 2000, 100_000),
        ([str(n / 100) for n in range(-50, 50)], 0.02, 0.5),
        ([str(n) for n in range(10**20, 10**20 + 10)], 2, 5),
        ([*(str(n) for n in range(100)), str(10**9)], 2, 500_000_000),
    ],
)
def test_intervals_of_numbers_grow_up_to_their_range(
    values: list[str], first: float, last: float
) -> None:
    found = LevelsOf().column(discreet.read(pa.table({"n": values})), "n")["widths"]
    sizes = [one["size"] for one in found[1:-1]]
    assert all(one < other for one, other in pairwise(sizes))
    assert sizes[0] == first
    assert sizes[-1] == last


def test_codes_lose_one_letter_after_the_other() -> None:
    codes = [f"0{n:04}" for n in range(0, 9000, 500)]
    found = LevelsOf().column(discreet.read(pa.table({"zip": codes})), "zip")["widths"]
    lengths = [f"first {n} characters" for n in (4, 3, 2)]
    assert [one["name"] for one in found] == ["as found", *lengths, "first 1 characters"]


def test_a_missing_value_is_a_value_of_its_own_at_every_width() -> None:
    births = [None if n % 4 == 0 else f"{1950 + n % 9}-01-0{1 + n % 9}" for n in range(80)]
    found = LevelsOf().column(discreet.read(pa.table({"birth": births})), "birth")["widths"]
    known = {one["name"]: one["classes"] for one in found}
    assert known["24 months"] == 5 + 1
    assert known["one value for all"] == 1


def test_day_and_month_that_look_alike_are_asked_for_and_never_guessed() -> None:
    births = [f"0{n}/0{10 - n}/1965" for n in range(1, 10)]
    table = discreet.read(pa.table({"birth": births, "sex": ["F"] * 9}))
    for found in (LevelsOf().column(table, "birth"), LevelsOf().together(table, ["birth"], {})):
        assert found["notes"] == [
            "birth has no levels of its own: 8 of 9 dates fit %d/%m/%Y and %m/%d/%Y: say which "
            "with dates: {levels: [...], format: [...]}"
        ]


def test_together_loses_least_and_keeps_the_limit() -> None:
    table = pa.table({"zip": [f"0{n % 40:02}" for n in range(400)], "sex": ["F", "M"] * 200})
    asked = LevelsOf(at=(0.5,), most_dropped=0.0)
    builders: dict[str, Any] = {"zip": Prefix([2, 1])}
    (line,) = asked.together(discreet.read(table), ["zip", "sex"], builders)["levels"]
    assert {name: one["name"] for name, one in line["width"].items()} == {
        "zip": "as found",
        "sex": "as found",
    }
    assert (line["k"], line["rows_dropped"], line["average_class_size"]) == (2, 0, 10)
