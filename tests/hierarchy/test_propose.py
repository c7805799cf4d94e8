from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.hierarchy import Dates, Flat, Intervals, Prefix, make_builder, propose, write_spec


def days(form):
    return [form.format(y=1930 + n, m=n % 12 + 1, d=n % 28 + 1) for n in range(40)]


CODES = Prefix((4, 3, 2), code=5, others="group")
WITH_TOP = Intervals((5, 10, 20), top=90, others="group")


@pytest.mark.parametrize(
    ("column", "values", "expected"),
    [
        ("age", map(str, range(17, 91)), Intervals((5, 10, 20))),
        ("gifts", map(str, range(0, 5676, 3)), Intervals((500, 1000, 2000))),
        ("dose", (f"{n / 100}" for n in range(60)), Intervals((0.05, 0.1, 0.2))),
        ("price", (f"{n}.50" for n in range(10, 70)), Intervals((5, 10, 20))),
        ("zip", map(str, range(91326, 91400)), Prefix((4, 3, 2))),
        ("region", (f"{n:05}" for n in range(900, 1000)), Prefix((4, 3, 2))),
        ("diagnosis", (f"E{n}.9" for n in range(10, 60)), Prefix((4, 3, 2))),
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
        ("zip", ["02138", "02139", "02140", "02141", "02141-1234", "n/a"], CODES),
        ("age", [*map(str, range(17, 90)), "90+", "n/k"], WITH_TOP),
        ("visit", (f"2020-05-{n:02}" for n in range(1, 20)), Dates(("month", "half", "year"))),
        ("period", (f"2020-{n:02}" for n in range(1, 12)), Dates(("quarter", "half", "year"))),
        ("sex", ["male", "female", None], Flat()),
        ("code", ["0", "1", "2"], Flat()),
        ("town", ["Oslo", "Rome", "Bern", "Paris", "London", "Umea"], Flat()),
        ("note", (f"a long text number {n}" for n in range(50)), Flat()),
        ("mixed", [*map(str, range(50)), "?"], Intervals((5, 10, 20), others="group")),
        ("mixed", [*map(str, range(50)), *"abcdefghijklmnopqrstuvwxyz"], Flat()),
        ("empty", [None], Flat()),
    ],
)
def test_a_proposal_suits_the_column(column, values, expected):
    values = list(values)
    assert propose(column, values) == expected
    assert propose(column, values).build(column, values).size(-1) == 1


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
    builder = propose("column", values)
    assert builder.build("column", values).size(-1) == 1
    assert make_builder(write_spec(builder)) == builder


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False), min_size=6, unique=True))
def test_a_proposal_for_any_numbers_builds(numbers):
    values = list(dict.fromkeys(map(str, numbers)))
    assert propose("amount", values).build("amount", values).size(-1) == 1
