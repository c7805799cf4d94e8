from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.hierarchy import (
    Cuts,
    Dates,
    Flat,
    Intervals,
    Known,
    Prefix,
    Tree,
    make_builder,
    propose,
    write_spec,
)
from discreet.hierarchy.proposals import RowCodes


def days(form):
    return [form.format(y=1930 + n, m=n % 12 + 1, d=n % 28 + 1) for n in range(40)]


AGES = Cuts(
    (tuple(range(20, 90, 5)), (25, 35, 45, 55, 65, 75, 85), (25, 45, 65), (45,)), others="group"
)
CODES = Prefix((4, 3, 2), code=5, others="group")


@pytest.mark.parametrize(
    ("column", "values", "expected"),
    [
        ("height", map(str, range(120, 210)), Intervals((10, 20, 40))),
        ("gifts", map(str, range(0, 5676, 3)), Intervals((500, 1000, 2000))),
        ("dose", (f"{n / 100}" for n in range(60)), Intervals((0.05, 0.1, 0.2))),
        ("price", (f"{n}.50" for n in range(10, 70)), Intervals((5, 10, 20))),
        ("born", map(str, range(1930, 2010)), Intervals((5, 10, 20))),
        ("age", map(str, range(30, 60)), Cuts(((35, 40, 45, 50, 55), (35, 45, 55), (45,)))),
        ("Alter", map(str, range(12)), Cuts(((5, 10),))),
        ("size", map(str, range(30, 60)), Intervals((2, 4, 8))),
        ("zip", map(str, range(91326, 91400)), Prefix((4, 3, 2))),
        ("region", (f"{n:05}" for n in range(900, 1000)), Prefix((4, 3, 2))),
        ("diagnosis", (f"E{n}.9" for n in range(10, 60)), Known("icd-10", ("block", "chapter"))),
        ("label", (f"Q{n}-X" for n in range(10, 60)), Prefix((4, 3, 2))),
        ("birth", days("{y}-{m:02}-{d:02}"), Dates(("month", "year", "5 years", "10 years"))),
        ("birth", days("{y}{m:02}{d:02}"), Dates(("month", "year", "5 years", "10 years"))),
        ("birth", days("03/{m:02}/{y}"), Flat()),
        ("birth", days("03.{m:02}.{y}"), Flat()),
        (
            "birth",
            [*days("{y}-{m:02}-{d:02}"), "03/25/1999", "1999", "soon"],
            Dates(("month", "year", "5 years", "10 years"), others="group"),
        ),
        ("birth", [*days("{y}-{m:02}-{d:02}"), "03/04/1999"], Flat()),
        ("code", ["02138", "02139", "02140", "02141", "02141-1234", "n/a"], CODES),
        ("age", [*map(str, range(17, 90)), "90+", "n/k"], AGES),
        ("mixed", [*map(str, range(50)), "?"], Intervals((5, 10, 20), others="group")),
        ("mixed", [*map(str, range(50)), *"abcdefghijklmnopqrstuvwxyz"], Flat()),
        ("visit", (f"2020-05-{n:02}" for n in range(1, 20)), Dates(("month", "half", "year"))),
        ("period", (f"2020-{n:02}" for n in range(1, 12)), Dates(("quarter", "half", "year"))),
        ("sex", ["male", "female", None], Flat()),
        ("town", ["Oslo", "Rome", "Bern", "Paris", "London", "Umea"], Flat()),
        ("empty", [None], Flat()),
    ],
)
def test_a_proposal_suits_the_column(column, values, expected):
    values = list(values)
    assert propose(column, values).builder == expected
    assert propose(column, values).builder.build(column, values).size(-1) == 1


@given(
    st.lists(
        st.one_of(
            st.none(),
            st.text(alphabet="0123456789-/.: eE", max_size=10),
            st.integers().map(str),
            st.dates().map(str),
            st.floats(allow_nan=False).map(str),
        ),
        min_size=1,
        unique=True,
    )
)
def test_a_proposal_always_builds_and_can_be_written(values):
    builder = propose("column", values).builder
    assert builder.build("column", values).size(-1) == 1
    assert make_builder(write_spec(builder)) == builder


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False), min_size=6, unique=True))
def test_a_proposal_for_any_numbers_builds(numbers):
    values = list(dict.fromkeys(map(str, numbers)))
    assert propose("amount", values).builder.build("amount", values).size(-1) == 1


VALUES = st.lists(
    st.one_of(
        st.none(),
        st.text(max_size=6),
        st.sampled_from(["low", "medium", "high", "unknown", "", "*", "a, b", "a", "b", "1 more"]),
        st.integers(0, 40).map(str),
    ),
    min_size=1,
    max_size=30,
    unique=True,
)


def code_rows(random, values, others=3):
    rows = len(values) * 4
    codes = {"column": random.integers(0, len(values), rows)}
    known = {"column": values}
    for number in range(others):
        codes[f"other {number}"] = random.integers(0, 4 + number, rows)
        known[f"other {number}"] = [f"{number}{code}" for code in range(4 + number)]
    return RowCodes(codes, known, np.ones(rows, dtype=np.int64))


@given(VALUES, st.integers(0, 100))
def test_whatever_is_learnt_builds_and_can_be_written(values, seed):
    random = np.random.default_rng(seed)
    counts = random.integers(0, 30, len(values)).tolist()
    builder = propose("column", values, counts, code_rows(random, values)).builder
    built = builder.build("column", values)
    assert built.size(-1) == 1
    assert built.labels[0] == tuple(values)
    assert make_builder(write_spec(builder)) == builder


@given(VALUES, st.integers(0, 100))
def test_a_proposal_does_not_depend_on_the_order_of_values_and_rows(values, seed):
    random = np.random.default_rng(seed)
    counts = random.integers(0, 30, len(values)).tolist()
    rows = code_rows(random, values)
    order = random.permutation(len(values))
    mixed = random.permutation(len(rows.rows))
    again = RowCodes(
        {name: codes[mixed] for name, codes in rows.codes.items()}, rows.values, rows.rows[mixed]
    )
    one = propose("column", values, counts, rows).builder
    other = propose(
        "column", [values[at] for at in order], [counts[at] for at in order], again
    ).builder
    assert one == other


@given(VALUES, st.integers(0, 100), st.integers(2, 12))
def test_no_group_names_a_value_that_few_rows_have(values, seed, least):
    random = np.random.default_rng(seed)
    values = [None if value is None else f"<{value}>" for value in values]
    counts = random.integers(0, 30, len(values)).tolist()
    builder = propose("column", values, counts, code_rows(random, values), least).builder
    built = builder.build("column", values)
    rare = [v for v, count in zip(values, counts, strict=True) if v and count < least]
    groups = {label for labels in built.labels[1:] for label in labels} - set(values)
    assert not [v for v in rare for group in groups if v in group]


def test_what_was_given_up_is_told_with_counts_and_without_values():
    values = [*map(str, range(50)), *(f"Zorbeth {letter}" for letter in "abcdefghijklmnopqrst")]
    found = propose("amount", values, [3] * 50 + [2] * 20)
    (given_up,) = found.given_up
    assert (given_up.kind, given_up.values, given_up.rows) == ("intervals", 20, 40)
    assert "Zorbeth" not in f"{found}{found.facts()}{given_up}"


def test_a_few_values_that_do_not_fit_are_taken_and_counted():
    values = [*map(str, range(50)), "Zorbeth", "Quillan"]
    found = propose("amount", values, [3] * 50 + [2, 5])
    assert found.builder.others == "group"
    assert "2 of 52 values" in found.reason
    assert "Zorbeth" not in f"{found}{found.facts()}"


def test_codes_of_several_lengths_are_told():
    values = [*(f"{n:05}" for n in range(100, 120)), *(f"{n:07}" for n in range(9))]
    found = propose("code", values)
    assert [(one.kind, one.values) for one in found.given_up] == [("prefix", 9)]


def test_a_known_hierarchy_that_joins_all_values_at_once_is_given_up():
    found = propose("country", ["France", "Germany", "Belgium", "Austria"])
    assert [(one.kind, one.values) for one in found.given_up] == [("known", 4)]


def test_few_numbers_are_cut_where_the_rows_differ():
    steps = np.repeat(np.arange(8), 50)
    rows = RowCodes(
        {"grade": steps, "school": (steps >= 3).astype(int)},
        {"grade": [str(n) for n in range(8)], "school": ["low", "up"]},
        np.ones(len(steps), dtype=np.int64),
    )
    found = propose("grade", [str(n) for n in range(8)], [50] * 8, rows)
    assert found.builder.levels[-1] == (3,)


def test_every_category_column_gets_a_tree_where_there_are_rows():
    values = ["a", "b", "c"]
    found = propose("kind", values, [5, 6, 7], code_rows(np.random.default_rng(1), values))
    assert isinstance(found.builder, Tree)


def test_no_proposal_shows_a_value():
    values = ["Zorbeth", "Quillan", "Peabon"]
    found = propose("kind", values, [5, 6, 7])
    assert "Zorbeth" not in repr(found)
    assert "Zorbeth" not in str(found.facts())


def test_a_few_words_among_skewed_numbers_leave_the_cuts_as_they_are():
    pay = np.unique(np.round(np.random.default_rng(3).lognormal(7, 1, 900)).astype(int))
    values = [str(n) for n in pay.tolist()]
    plain = propose("pay", values).builder
    found = propose("pay", [*values, "unknown", "9000+"])
    assert found.builder == Cuts(plain.levels, others="group")
    assert "2 of" in found.reason
    built = found.builder.build("pay", [*values, "unknown", "9000+"])
    assert [built.labels[1][code] for code in built.maps[1][-2:].tolist()] == [
        "other",
        f">={plain.levels[0][-1]}",
    ]
