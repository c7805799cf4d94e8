"""Dates: coarser or shifted, in the form found."""

from __future__ import annotations

import datetime

import pytest

from discreet.scrubbing.replace import Replacer
from tests.scrubbing.replace.applied import KEY, found, replaced, scrubbed


@pytest.mark.parametrize(
    ("date", "month", "nearest", "month_only"),
    [
        # figure 110, and the same forms with a later day
        ("March 1, 1991", "March 1, 1991", "March 1, 1991", "March, 1991"),
        ("3/1/91", "3/1/91", "3/1/91", "3/91"),
        ("first of March", "first of March", "first of March", "March"),
        ("1-MAR-91", "1-MAR-91", "1-MAR-91", "MAR-91"),
        ("03-01-91", "03-01-91", "03-01-91", "03-91"),
        ("March 1st", "March 1st", "March 1st", "March"),
        ("March 17, 1991", "March 1, 1991", "April 1, 1991", "March, 1991"),
        ("12/25/1999", "12/01/1999", "01/01/2000", "12/1999"),
        ("3/25/91", "3/1/91", "4/1/91", "3/91"),
        ("twenty-first of March", "first of March", "first of April", "March"),
        ("17-MAR-91", "1-MAR-91", "1-APR-91", "MAR-91"),
        ("MARCH 22ND", "MARCH 1ST", "APRIL 1ST", "MARCH"),
        ("the 3rd of May '99", "the 1st of May '99", "the 1st of May '99", "May '99"),
        ("Sept. 5, 2001", "Sept. 1, 2001", "Sept. 1, 2001", "Sept, 2001"),
        ("2024-03-21", "2024-03-01", "2024-04-01", "2024-03"),
        ("2024-03-21T10:00", "2024-03-01T00:00", "2024-04-01T00:00", "2024-03"),
        ("25/12/1999", "01/12/1999", "01/01/2000", "12/1999"),
        ("3/1/91 - 3/25/91", "3/1/91 - 3/1/91", "3/1/91 - 4/1/91", "3/91 - 3/91"),
        # figure 107 and 108
        ("Wednesday, February 2, 1994", "Tuesday, February 1, 1994",
         "Tuesday, February 1, 1994", "February, 1994"),
        ("05/26/86", "05/01/86", "06/01/86", "05/86"),
        ("June of 1993", "June of 1993", "June of 1993", "June of 1993"),
    ],
)  # fmt: skip
def test_dates_to_the_month(date: str, month: str, nearest: str, month_only: str) -> None:
    rules = ("month", "nearest", "month-only")
    assert [replaced("DATE", date, dates=rule) for rule in rules] == [month, nearest, month_only]


@pytest.mark.parametrize("date", ["Christmas 1991", "13/45/99", "March 1-5, 1991", "99-99-9999"])
def test_unknown_forms_are_removed(date: str) -> None:
    assert replaced("DATE", date) == "[DATE]"


def test_the_year_alone_is_kept_by_choice() -> None:
    assert replaced("DATE", "March 17, 1991", dates="year") == "January 1, 1991"
    assert replaced("DATE", "1991", dates="year") == "1991"


def test_a_shift_keeps_intervals_forms_and_weekdays() -> None:
    dates = ("3/1/1991", "March 15, 1991", "2024-03-01T10:00", "Wednesday, February 2, 1994")
    text = " | ".join(dates)
    replacer = Replacer(key=KEY, dates="shift")
    new = replacer.apply(text, found(text, *((d, "DATE") for d in dates)), person="p").text
    parts = new.split(" | ")
    first = datetime.datetime.strptime(parts[0], "%m/%d/%Y")
    second = datetime.datetime.strptime(parts[1], "%B %d, %Y")
    third = datetime.datetime.fromisoformat(parts[2])
    fourth = datetime.datetime.strptime(parts[3], "%A, %B %d, %Y")
    shift = first - datetime.datetime(1991, 3, 1)
    assert 0 < abs(shift.days) <= 365
    assert second - first == datetime.timedelta(14)
    assert third - shift == datetime.datetime(2024, 3, 1, 10)
    assert fourth - shift == datetime.datetime(1994, 2, 2)
    assert parts[3].startswith(f"{fourth:%A}")


def test_each_person_has_a_shift_of_its_own_in_any_scope() -> None:
    text = "3/1/1991"
    for scope in ("document", "person", "corpus"):
        replacer = Replacer(key=KEY, dates="shift", scope=scope)
        new = {
            person: replacer.apply(text, found(text, (text, "DATE")), person=person).text
            for person in ("a", "b", "c")
        }
        other = replacer.apply(text, found(text, (text, "DATE")), person="a", document="x").text
        assert len(set(new.values())) == 3 and other == new["a"]


def test_relative_dates_stay_or_go_by_choice() -> None:
    for date in ("last Tuesday", "two weeks ago", "yesterday"):
        assert replaced("DATE", date) == date
        assert replaced("DATE", date, relative="remove") == "[DATE]"


def test_german_dates() -> None:
    new = {d: replaced("DATE", d, language="de") for d in ("17.03.1991", "17. März 1991", "5.4.91")}
    assert list(new.values()) == ["01.03.1991", "1. März 1991", "1.4.91"]
    assert replaced("DATE", "Mittwoch, 2. Februar 1994", language="de").startswith("Dienstag, 1.")


def test_dates_are_kept_by_choice_and_counted_as_kept() -> None:
    result = scrubbed("DATE", "March 17, 1991", dates="keep")
    assert result.text == "March 17, 1991" and result.kept == 1
