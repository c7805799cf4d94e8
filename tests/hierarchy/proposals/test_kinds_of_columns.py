"""Thirty-odd kinds of columns, each with a proposal that somebody would use."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.hierarchy import Cuts, Dates, Flat, Intervals, Known, Prefix, Tree, propose
from discreet.hierarchy.proposals import RowCodes

ROWS = 3000
RANDOM = np.random.default_rng(7)


def draw(values, skew=1.0):
    """Rows of some values, the first ones more often."""
    share = 1 / np.arange(1, len(values) + 1) ** skew
    return [values[at] for at in RANDOM.choice(len(values), ROWS, p=share / share.sum())]


def draw_days(form):
    days = np.datetime64("1930-01-01") + RANDOM.integers(0, 28_000, ROWS)
    return [form.format(*str(day).split("-")) for day in days]


def round_all(numbers, places=0):
    return [f"{number:.{places}f}" for number in numbers]


KINDS = {
    "age": (round_all(np.clip(RANDOM.normal(45, 18, ROWS), 0, 99)), Cuts),
    "age at death": (round_all(np.clip(RANDOM.normal(75, 12, ROWS), 20, 104)), Cuts),
    "year of birth": (round_all(RANDOM.integers(1930, 2010, ROWS)), Intervals),
    "birth date": (draw_days("{}-{}-{}"), Dates),
    "born": (draw_days("{2}.{1}.{0}"), Dates),
    "admitted": (draw_days("{}{}{}"), Dates),
    "period": (draw_days("{}-{}"), Dates),
    "zip": ([f"0{n}" for n in RANDOM.integers(2101, 2799, ROWS)], Prefix),
    "plz": (round_all(RANDOM.integers(20095, 22769, ROWS)), Prefix),
    "dialling code": ([f"04{n}" for n in RANDOM.integers(10, 99, ROWS)], Prefix),
    "lab code": (draw([f"QX{n}.{m}" for n in range(10, 40) for m in range(3)]), Prefix),
    "pay": (round_all(RANDOM.lognormal(10, 0.7, ROWS)), Cuts),
    "capital gain": (
        round_all(np.where(RANDOM.random(ROWS) < 0.92, 0, RANDOM.lognormal(8, 1, ROWS))),
        Cuts,
    ),
    "hours": (
        round_all(np.where(RANDOM.random(ROWS) < 0.5, 40, RANDOM.integers(1, 90, ROWS))),
        Cuts,
    ),
    "height": (round_all(np.clip(RANDOM.normal(170, 10, ROWS), 120, 215)), Cuts),
    "room": (round_all(RANDOM.integers(0, 400, ROWS)), Intervals),
    "dose": (round_all(RANDOM.lognormal(0, 1, ROWS), 2), Cuts),
    "temperature": (round_all(RANDOM.normal(4, 9, ROWS), 1), Cuts),
    "grade": (draw([str(n) for n in range(1, 13)]), Cuts),
    "children": (draw([str(n) for n in range(9)], 2), Cuts),
    "schooling": (draw(["1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th"]), Known),
    "month": (
        draw(["January", "February", "March", "April", "May", "June", "July", "August"]),
        Tree,
    ),
    "weekday": (draw(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]), Tree),
    "answer": (
        draw(["strongly disagree", "disagree", "neutral", "agree", "strongly agree"]),
        Tree,
    ),
    "risk": (draw(["low", "medium", "high", "unknown"]), Tree),
    "band": (draw(["<18", "18-24", "25-44", "45-64", "65+"]), Tree),
    "pay band": (draw(["$0 - $9,999", "$10,000 - $24,999", "$25,000+"]), Tree),
    "shirt": (draw(["XS", "S", "M", "L", "XL"]), Tree),
    "stage": (draw(["I", "II", "III", "IV"]), Tree),
    "household": (draw(["single", "couple", "family", "shared", "hostel"]), Tree),
    "trade": (draw([f"trade {chr(97 + n)}" for n in range(20)]), Tree),
    "village": (draw([f"{chr(65 + n % 26)}{chr(97 + n // 26)}ham" for n in range(300)]), Tree),
    "race": (draw(["one", "two", "three", "four", "five"], 3), Tree),
    "sex": (draw(["male", "female"]), Flat),
    "nationality": (draw(["France", "Peru", "Chile", "Japan", "China", "Kenya"]), Known),
    "diagnosis": (draw([f"K{n}.{m}" for n in range(10, 40) for m in range(3)]), Known),
    "occupation": (draw(["Sales", "Tech-support", "Craft-repair", "Exec-managerial"]), Known),
    "marital status": (draw(["Divorced", "Widowed", "Never-married", "Separated"]), Known),
    "postcode": (draw(["SW1A 1AA", "M1 1AE", "EC1A 1BB", "B33 8TH", "CR2 6XH", "DN55 1PT"]), Known),
}


@pytest.mark.parametrize("column", KINDS)
def test_each_kind_of_column_gets_a_hierarchy_that_can_be_used(column):
    cells, kind = KINDS[column]
    values, codes, counts = np.unique(cells, return_inverse=True, return_counts=True)
    texts = values.tolist()
    other = (codes * 7 // max(1, len(texts)) + RANDOM.integers(0, 2, ROWS)).astype(np.int64)
    rows = RowCodes(
        {column: codes, "other": other},
        {column: texts, "other": [str(n) for n in range(9)]},
        np.ones(ROWS, dtype=np.int64),
    )
    found = propose(column, texts, counts.tolist(), rows)
    assert isinstance(found.builder, kind)
    assert found.reason
    built = found.builder.build(column, texts)
    sizes = [built.size(level) for level in range(built.height + 1)]
    assert sizes == sorted(sizes, reverse=True)
    if kind is not Flat:
        assert 2 <= sizes[1] <= max(2, 0.75 * sizes[0])
        assert built.height <= 6


def test_there_are_thirty_kinds_and_more():
    assert len(KINDS) >= 30
