"""Dates as years, the oldest in one group."""

from __future__ import annotations

import datetime

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import ParameterError, TechniqueError
from discreet.hierarchy.date_formats import FORMATS
from discreet.table.read import read
from discreet.techniques import Year

DAY = "2026-11-16"
OLD = "1936 or before"


def coded(values: list[object], kind: pa.DataType | None = None) -> list[str | None]:
    table = read(pa.table({"birth": pa.array(values, kind)}))
    found = Year(("birth",), as_of=DAY)(table, seed=0)
    years: list[str | None] = found.scan(text=["birth"]).read_all()["birth"].to_pylist()
    return years


@pytest.mark.parametrize(
    "written",
    ["{:%Y-%m-%d}", "{:%Y/%m/%d}", "{:%d.%m.%Y}", "{:%m/%d/%Y}", "{:%d %B %Y}", "{:%b %d, %Y}",
     "{:%d-%b-%Y}", "{:%d/%b/%Y}", "{:%Y%m%d}", "{:%Y-%m-%d %H:%M:%S}", "{:%Y-%m-%dT%H:%M:%SZ}",
     "{:%Y-%m}", "{:%m/%Y}", "{:%B %Y}", "{:%Y}"],
)  # fmt: skip
def test_dates_in_mixed_forms_become_their_years(written: str) -> None:
    day = datetime.datetime(1965, 9, 20, 10, 11, 12)
    assert coded([written.format(day), "1950-01-31", None]) == ["1965", "1950", None]


def test_every_format_of_hierarchies_of_dates_is_read() -> None:
    """But for years in two digits; day and month may be unclear where only the year counts."""
    day = datetime.date(1965, 4, 3)
    forms = [form for form in FORMATS if "%Y" in form]
    assert coded([day.strftime(form) for form in forms]) == ["1965"] * len(forms)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("1937-01-01", "1937"), ("1936-12-31", OLD), ("1936-01-01", OLD), ("1899", OLD), (OLD, OLD),
     ("1920 or before", OLD), ("<1921", OLD), ("<1937", OLD), ("before 1950", "before 1950"),
     ("1940-1949", "1940-1949"), ("1930-1939", None),
     ("not known", None), ("Monday", None), ("36525", None)],
)  # fmt: skip
def test_years_of_people_who_may_be_over_89_are_one_group(value: str, expected: str | None) -> None:
    assert coded(["1980-02-03", value]) == ["1980", expected]


def test_dates_that_are_no_text_are_read_too() -> None:
    assert coded([datetime.date(1965, 9, 20), None], pa.date32()) == ["1965", None]


def test_two_digit_years_are_refused_with_their_number() -> None:
    with pytest.raises(TechniqueError, match="has 2 dates whose year has two digits"):
        coded(["9/20/65", "1965-09-20", "3.4.25"])


def test_notices_count_and_quote_nothing() -> None:
    table = read(pa.table({"birth": ["1930-05-06", "1965-09-20", "some day"]}))
    told = " ".join(Year(("birth",), as_of=DAY)(table, seed=0).notices)
    assert "1 values of 'birth' show an age over 89" in told
    assert "1 values of 'birth' are not dates" in told
    assert "some day" not in told


@pytest.mark.parametrize("day", [None, "", "16.11.2026", "2026-13-01", 2026, "2026-W46-1"])
def test_a_day_that_is_none_is_refused(day: object) -> None:
    with pytest.raises(ParameterError, match="as_of"):
        Year(("birth",), as_of=day)  # type: ignore[arg-type]


def test_a_day_as_yaml_reads_it_is_taken() -> None:
    assert Year(("birth",), as_of=datetime.date(2026, 11, 16)) == Year(("birth",), DAY)  # type: ignore[arg-type]


@settings(max_examples=12, deadline=None)
@given(st.lists(st.dates(datetime.date(1850, 1, 1)), min_size=1, max_size=8))
def test_no_year_of_somebody_over_89_comes_out(days: list[datetime.date]) -> None:
    for day, year in zip(days, coded([str(one) for one in days]), strict=True):
        assert year == (OLD if day.year <= 1936 else str(day.year))
