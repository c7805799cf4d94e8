from __future__ import annotations

from datetime import date, timedelta

import pytest

from discreet.errors import HierarchyError
from discreet.hierarchy import Dates
from discreet.hierarchy.refusals import AmbiguousDatesError, UnreadableValuesError

DAY = date(1965, 9, 20)


def first(levels, *values, **more):
    built = Dates(levels, **more).build("birth", values)
    return [built.labels[level][built.maps[level][0]] for level in range(1, len(levels) + 1)]


@pytest.mark.parametrize(
    ("level", "label"),
    [
        ("day", "1965-09-20"),
        ("week", "1965-W38"),
        ("month", "1965-09"),
        ("quarter", "1965-Q3"),
        ("half", "1965-H2"),
        ("year", "1965"),
        ("1 month", "1965-09"),
        ("2 months", "1965-09 to 1965-10"),
        ("3 months", "1965-Q3"),
        ("4 months", "1965-09 to 1965-12"),
        ("6 months", "1965-H2"),
        ("12 months", "1965"),
        ("24 months", "1964-1965"),
        ("1 year", "1965"),
        ("5 years", "1965-1969"),
        ("7 years", "1960-1966"),
        ("decade", "1960-1969"),
        ("10 years", "1960-1969"),
        ("century", "1900-1999"),
        ("weekday", "Monday"),
        ("month of year", "September"),
        ("month-of-year", "September"),
        ("quarter of year", "Q3"),
        ("Months", "1965-09"),
    ],
)
def test_a_date_becomes_its_period(level, label):
    assert first([level], "1965-09-20", "2001-01-31") == [label]


@pytest.mark.parametrize(
    "written",
    [
        "1965-09-20",
        "1965-9-20",
        "1965/09/20",
        "19650920",
        "20.09.1965",
        "20/9/1965",
        "20-09-1965",
        "09/20/1965",
        "9/20/65",
        "20.9.65",
        "20-Sep-1965",
        "20 September 1965",
        "Sept 20, 1965",
        "1965-09-20T23:59:59Z",
        "1965-09-20 23:59:59.123456+02:00",
        "9/20/1965 11:59 PM",
        " 1965-09-20 ",
    ],
)
def test_dates_are_read_as_people_write_them(written):
    assert first(["day"], written) == ["1965-09-20"]


def test_a_format_is_followed():
    assert first(["day"], "03|04|65", format="%d|%m|%y") == ["1965-04-03"]
    assert first(["day"], "03/04/1965", format="%m/%d/%Y") == ["1965-03-04"]
    assert first(["day"], "3 Apr 1965 07:30", format="%d %b %Y %H:%M") == ["1965-04-03"]


def test_two_digit_years_turn_at_the_pivot():
    assert first(["year"], "31.01.29") == ["2029"]
    assert first(["year"], "31.01.30") == ["1930"]
    assert first(["year"], "31.01.30", pivot=40) == ["2030"]


def test_day_and_month_that_cannot_be_told_apart_need_a_format():
    with pytest.raises(AmbiguousDatesError, match="%d/%m/%Y and %m/%d/%Y"):
        Dates(["month"]).build("birth", ["03/04/1965", "05/06/1965"])


def test_one_value_settles_day_and_month_for_the_column():
    assert first(["month"], "03/04/1965", "13/06/1965") == ["1965-04"]
    assert first(["month"], "03/04/1965", "06/13/1965") == ["1965-03"]


def test_dates_that_read_the_same_either_way_need_no_format():
    assert first(["month"], "04/04/1965", "05/05/1965") == ["1965-04"]


def test_mixed_formats_are_counted():
    values = ["25/12/1965", "12/26/1965", "12/27/1965", "1965-12-28"]
    with pytest.raises(UnreadableValuesError) as caught:
        Dates(["year"]).build("birth", values)
    message = str(caught.value)
    assert "2 fit %m/%d/%Y, 1 fit %Y-%m-%d, 1 fit %d/%m/%Y, and 0 fit no format" in message
    assert not any(value in message for value in values)


@pytest.mark.parametrize("months", [5, 7, 8, 9, 10, 18, 30])
def test_months_that_do_not_begin_with_a_year_are_refused(months):
    with pytest.raises(HierarchyError, match="1, 2, 3, 4, 6 or 12 months, or a multiple of 12"):
        Dates([f"{months} months"])


@pytest.mark.parametrize("wrong", ["unknown", "1965-02-30", "1965-13-01", "0000-01-01"])
def test_values_that_are_no_dates_are_counted_and_not_named(wrong):
    with pytest.raises(UnreadableValuesError, match="column 'birth': 1 of its 2") as caught:
        Dates(["year"]).build("birth", ["1965-01-01", wrong, None][:2])
    assert wrong not in str(caught.value)


def test_values_that_do_not_fit_the_format_are_counted():
    with pytest.raises(UnreadableValuesError, match=r"1 of its 2 .* in the format %d.%m.%Y"):
        Dates(["year"], format="%d.%m.%Y").build("birth", ["1.2.1965", "1965-01-01"])


def test_missing_dates_stay_missing_up_to_the_star():
    built = Dates(["month", "year"]).build("birth", ["1965-09-20", None])
    assert built.labels[1:] == (("1965-09", None), ("1965", None), ("*",))


@pytest.mark.parametrize(
    ("levels", "reason"),
    [
        (["year", "weekday"], "a year has days of every weekday"),
        (["week", "month"], "a week can lie in two months"),
        (["week", "year"], "a week can lie in two months and in two years"),
        (["weekday", "month"], "a weekday says nothing about the rest"),
        (["month", "week"], "a month has more than one week"),
        (["5 years", "7 years"], "7 is not a multiple of 5"),
        (["4 months", "6 months"], "6 months is not a multiple of 4 months"),
        (["2 months", "quarter"], "3 months is not a multiple of 2 months"),
        (["2 months", "month of year"], "not made of whole 2 months"),
        (["2 months", "month"], "not made of whole 2 months"),
        (["year", "month"], "a month is not made of whole year periods"),
        (["year", "year"], "not made of whole year"),
        (["decade", "10 years"], "not made of whole decade"),
        (["year", "month of year"], "not made of whole year"),
        (["month of year", "year"], "without its year"),
        (["half", "quarter of year"], "not made of whole half"),
    ],
)
def test_levels_that_do_not_nest_are_refused_with_the_reason(levels, reason):
    with pytest.raises(HierarchyError, match=reason) as caught:
        Dates(levels)
    assert all(f"'{level}'" in str(caught.value) for level in levels)


@pytest.mark.parametrize(
    "levels",
    [
        ["day", "week"],
        ["day", "month", "quarter", "half", "year", "5 years", "decade", "century"],
        ["day", "weekday"],
        ["day", "5 years"],
        ["month", "month of year", "quarter of year"],
        ["quarter", "quarter of year"],
        ["month", "year", "3 years", "9 years"],
        ["month", "2 months", "4 months", "12 months", "24 months", "10 years"],
        ["day", "2 months", "6 months", "year"],
    ],
)
def test_levels_that_nest_build_over_two_centuries(levels):
    days = [str(date(1890, 1, 1) + timedelta(days=step)) for step in range(0, 60000, 5)]
    built = Dates(levels).build("birth", days)
    assert built.height == len(levels) + 1


@pytest.mark.parametrize(
    ("value", "level"), [("1965", "month"), ("1965-09", "week"), ("09/1965", "day")]
)
def test_a_level_finer_than_the_values_is_refused(value, level):
    with pytest.raises(HierarchyError, match=f"'{level}' needs more"):
        Dates([level]).build("birth", [value])


def test_months_and_years_can_be_the_ground_level():
    assert first(["quarter", "year"], "1965-09") == ["1965-Q3", "1965"]
    assert first(["5 years"], "1965") == ["1965-1969"]


@pytest.mark.parametrize(
    "arguments",
    [
        ([],),
        (["0 years"],),
        (["mnth"],),
        (["year"], "%d.%m"),
        (["year"], "%Q%Y"),
        (["year"], "%Y%Y"),
        (["year"], None, 101),
    ],
)
def test_parameters_without_sense_are_refused(arguments):
    with pytest.raises(HierarchyError, match="key '"):
        Dates(*arguments)


def test_a_misspelt_level_gets_a_suggestion():
    with pytest.raises(HierarchyError, match="Did you mean 'quarter'"):
        Dates(["quater"])


def test_weeks_agree_with_the_calendar():
    days = [date(2018, 12, 20) + timedelta(days=step) for step in range(900)]
    built = Dates(["week"]).build("visit", [str(day) for day in days])
    expected = ["{}-W{:02}".format(*day.isocalendar()[:2]) for day in days]
    assert [built.labels[1][code] for code in built.maps[1]] == expected
