"""All dates of a person move together."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import ParameterError, TechniqueError, UnknownColumnError
from discreet.replacement_key import ReplacementKey
from discreet.table.read import read
from discreet.table.table import Table
from discreet.techniques.arrow_rows import read_rows
from discreet.techniques.shift_dates import ShiftDates
from tests.techniques.made_table import column

KEY, OTHER = ReplacementKey(bytes(32)), ReplacementKey(bytes(31) + b"1")
DAY = timedelta(days=1)


def visits(rows: int = 3000, people: int = 400) -> Table:
    """Visits with a date, a time and a text, many of the same person; some dates missing."""
    rng = np.random.Generator(np.random.PCG64(5))
    days = rng.integers(14_000, 16_000, rows)
    seconds = days * 86_400 + rng.integers(0, 86_400, rows)
    out = days + rng.integers(0, 30, rows)
    gone = rng.random(rows) < 0.1
    return read(
        pa.table(
            {
                "who": pa.array(rng.integers(0, people, rows)),
                "came": pa.array(days.astype("datetime64[D]")),
                "at": pa.array(seconds.astype("datetime64[s]")),
                "left": pa.array(out.astype("datetime64[D]"), mask=gone).cast(pa.string()),
            }
        )
    )


TABLE = visits()
ALL = ("came", "at", "left")


def shifts(table: Table, moved: Table, name: str = "came") -> list[int]:
    pairs = zip(column(table, name), column(moved, name), strict=True)
    return [(after - before).days for before, after in pairs]


def only(values: list[Any], kind: pa.DataType | None = None) -> Table:
    """One person's dates."""
    return read(pa.table({"who": ["a"] * len(values), "day": pa.array(values, kind)}))


def moved(values: list[Any], kind: pa.DataType | None = None, **given: Any) -> list[Any]:
    """One person's dates, moved by one day."""
    technique = ShiftDates(("day",), "who", days=(1, 2), key=_key_of_one_day(), **given)
    return column(technique(only(values, kind), 1), "day")


def _key_of_one_day() -> ReplacementKey:
    """A key with which the person 'a' moves by 1 and not by 2 days."""
    for number in range(100):
        key = ReplacementKey(number.to_bytes(32, "big"))
        table = only([date(2001, 1, 1)])
        if column(ShiftDates(("day",), "who", (1, 2), key)(table, 1), "day")[0].day == 2:
            return key
    raise AssertionError


def test_all_dates_of_a_person_move_by_the_same_days_in_all_columns() -> None:
    after = ShiftDates(ALL, "who")(TABLE, 3)
    by = shifts(TABLE, after)
    assert len(set(zip(column(TABLE, "who"), by, strict=True))) == len(set(column(TABLE, "who")))
    stay = zip(column(TABLE, "at"), column(after, "at"), by, strict=True)
    assert all(new - old == days * DAY for old, new, days in stay)
    texts = zip(column(TABLE, "left"), column(after, "left"), by, strict=True)
    for old, new, days in texts:
        if old is None:
            assert new is None
        else:
            assert date.fromisoformat(new) - date.fromisoformat(old) == days * DAY


def test_shifts_fill_the_range_evenly_and_zero_is_one_of_them() -> None:
    everybody = read(pa.table({"who": range(20_000), "day": [date(2001, 1, 1)] * 20_000}))
    for technique in (ShiftDates(("day",), "who", 10), ShiftDates(("day",), "who", 10, KEY)):
        found = shifts(everybody, technique(everybody, 3), "day")
        counts = np.bincount(np.array(found) + 10, minlength=21)
        assert len(counts) == 21
        chi = float(((counts - 20_000 / 21) ** 2 / (20_000 / 21)).sum())
        assert chi < 45.3  # 20 degrees of freedom: exceeded once in 1,000 seeds


def test_whole_weeks_keep_the_weekdays() -> None:
    by = shifts(TABLE, ShiftDates(ALL, "who", days=30, weeks=True)(TABLE, 3))
    assert set(by) == {-28, -21, -14, -7, 0, 7, 14, 21, 28}


def test_a_pair_of_days_moves_one_way() -> None:
    by = shifts(TABLE, ShiftDates(("came",), "who", days=(-40, -1))(TABLE, 3))
    assert min(by) == -40
    assert max(by) == -1


def test_a_key_gives_the_same_shift_in_every_table_whatever_the_seed_and_the_type() -> None:
    technique = ShiftDates(("came",), "who", key=KEY)
    by = dict(zip(column(TABLE, "who"), shifts(TABLE, technique(TABLE, 3)), strict=True))
    few = read(pa.table({"who": ["17", "3", "3"], "came": [date(2010, 5, 5)] * 3}))
    assert shifts(few, technique(few, 9)) == [by[17], by[3], by[3]]
    other = ShiftDates(("came",), "who", key=OTHER)
    assert shifts(TABLE, other(TABLE, 3)) != shifts(TABLE, technique(TABLE, 3))


def test_without_a_key_the_seed_decides() -> None:
    technique = ShiftDates(ALL, "who")
    assert read_rows(technique(TABLE, 3)).equals(read_rows(technique(TABLE, 3)))
    assert not read_rows(technique(TABLE, 3)).equals(read_rows(technique(TABLE, 4)))
    assert read_rows(TABLE).equals(read_rows(visits()))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["28.02.2024", "31.12.2024"], ["29.02.2024", "01.01.2025"]),
        (["28.2.2023", "9.12.2024"], ["1.3.2023", "10.12.2024"]),
        (["2/28/2023", "12/30/2024"], ["3/1/2023", "12/31/2024"]),
        (["20230228", "20241230"], ["20230301", "20241231"]),
        (["28 Feb 2023", "1 May 2023"], ["1 Mar 2023", "2 May 2023"]),
        (["28-FEB-23", "01-MAY-23"], ["01-MAR-23", "02-MAY-23"]),
        (["February 28, 2023", "May 01, 2023"], ["March 01, 2023", "May 02, 2023"]),
        (["2023-02-28T23:59:59.5Z", "2023-01-01"], ["2023-03-01T23:59:59.5Z", "2023-01-02"]),
        (["2023-02-28 9:05 pm", None, ""], ["2023-03-01 9:05 pm", None, None]),
        (["0999-12-31"], ["1000-01-01"]),
    ],
)
def test_texts_stay_in_their_format(before: list[Any], after: list[Any]) -> None:
    assert moved(before) == after
    assert moved(before, pa.large_string()) == after


def test_a_text_of_blanks_is_missing_and_stays() -> None:
    assert moved(["2001-01-31", "  "]) == ["2001-02-01", "  "]


@pytest.mark.parametrize(
    "kind",
    [pa.date32(), pa.date64(), *(pa.timestamp(unit) for unit in ("s", "ms", "us", "ns"))],
)
def test_every_type_of_dates_stays_what_it_is(kind: pa.DataType) -> None:
    values = pa.array([datetime(1899, 12, 31), None], pa.timestamp("s")).cast(kind)
    table = read(pa.table({"who": ["a", "a"], "day": values}))
    after = read_rows(ShiftDates(("day",), "who", (1, 2), _key_of_one_day())(table, 1))
    assert after.schema.field("day").type == kind
    expected = pa.array([datetime(1900, 1, 1), None], pa.timestamp("s")).cast(kind)
    assert after.column("day").to_pylist() == expected.to_pylist()


def test_with_a_zone_the_time_on_its_clock_stays() -> None:
    zone = ZoneInfo("Europe/Berlin")
    kind = pa.timestamp("us", "Europe/Berlin")
    day = datetime(2024, 3, 30, 9, 30, tzinfo=zone)  # summer time begins in the night
    assert moved([day], kind) == [datetime(2024, 3, 31, 9, 30, tzinfo=zone)]
    skipped = datetime(2024, 3, 30, 2, 30, tzinfo=zone)
    assert moved([skipped], kind)[0].astimezone(UTC) == datetime(2024, 3, 31, 1, 0, tzinfo=UTC)


def test_dictionary_columns_are_read_as_their_values() -> None:
    days = pa.array(["2001-01-31", "2001-02-28"]).dictionary_encode()
    table = read(pa.table({"who": pa.array(["a", "a"]).dictionary_encode(), "day": days}))
    after = ShiftDates(("day",), "who", (1, 2), _key_of_one_day())(table, 1)
    assert column(after, "day") == ["2001-02-01", "2001-03-01"]


def test_a_day_and_month_that_cannot_be_told_apart_are_asked_for() -> None:
    with pytest.raises(TechniqueError, match=r"%d/%m/%Y and %m/%d/%Y.*formats: \{day: "):
        moved(["03/04/2001"])
    assert moved(["03/04/2001"], formats={"day": "%m/%d/%Y"}) == ["03/05/2001"]
    assert moved(["03/04/2001"], formats={"day": "%d/%m/%Y"}) == ["04/04/2001"]


def test_dates_in_several_formats_are_read_side_by_side_and_written_in_one() -> None:
    values = ["2001-05-31", "31.12.2001 09:30", "Jan 5, 2002", "03/25/2001", "03/04/2001"]
    assert moved(values) == [
        "2001-06-01",
        "2002-01-01 09:30",
        "2002-01-06",
        "2001-03-26",
        "2001-03-05",
    ]
    told = read(pa.table({"who": ["a"] * 5, "day": values}))
    (note,) = [one for one in ShiftDates(("day",), "who")(told, 1).notices if "formats" in one]
    assert note == (
        "shift_dates: the dates of 'day' were in 4 formats, and all are written as 2001-05-31 now."
    )


def test_formats_that_cannot_be_told_apart_are_given_as_a_list() -> None:
    values = ["2001-05-31", "03/04/2001", "12.12.2001"]
    every = r"\['%Y-%m-%d', '%d.%m.%Y', '%d/%m/%Y'\]"
    with pytest.raises(TechniqueError, match=rf"1 of 3 .*formats: \{{day: {every}\}}"):
        moved(values)
    given = {"day": ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y"]}
    assert moved(values, formats=given) == ["2001-06-01", "2001-03-05", "2001-12-13"]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (["2001-05", "2002-06"], "tells the month only"),
        (["1990", "1991"], "tells the year only"),
        (["2001-05-31", "2001-06", "2002"], "2 of 3 different dates without a day"),
        (["2001-05-31", "03/04/2001", "05/06/2001"], "2 of 3 different dates that fit %d/%m/%Y"),
        (["2001-05-31", "31/12/2001", "12/31/2001"], "2 of 3 different dates in %d/%m/%Y and"),
        (["2001-05-31", "31.12.2001", "soon"], "1 of 3 different dates that are not dates in any"),
        (["2001-02-30"], "1 of 1 different dates"),
        (["soon", "T10:30"], "2 of 2 different dates"),
        (["2001-05-31\n2001-05-31"], "1 of 1 different dates"),
        (["200111"], "1 of 1 different dates"),
        ([5, 6], "holds int64, not dates"),
        ([True], "holds bool, not dates"),
    ],
)
def test_what_is_no_date_is_refused_without_its_value(values: list[Any], told: str) -> None:
    with pytest.raises(TechniqueError, match=told) as raised:
        moved(values)
    assert not any(str(value) in str(raised.value) for value in values if value not in (5, 6))


def test_rows_that_do_not_say_whose_they_are_are_refused_with_a_count() -> None:
    table = read(pa.table({"who": ["a", None, "", " "], "day": [date(2001, 1, 1)] * 4}))
    with pytest.raises(TechniqueError, match=r"'who' does not say .* 3 of 4 rows"):
        ShiftDates(("day",), "who")(table, 1)
    kinds = read(pa.table({"who": [1.5], "day": [date(2001, 1, 1)]}))
    with pytest.raises(TechniqueError, match="'who' holds double"):
        ShiftDates(("day",), "who")(kinds, 1)


def test_dates_that_would_leave_the_calendar_the_format_or_the_domain_are_refused() -> None:
    with pytest.raises(TechniqueError, match="1 dates that it cannot hold"):
        moved(["9999-12-31", "2001-01-01"])
    with pytest.raises(TechniqueError, match="1930-01-01 to 2029-12-31"):
        moved(["31.12.29"])
    with pytest.raises(TechniqueError, match="cannot hold"):
        moved([datetime(2262, 4, 10)], pa.timestamp("ns"))
    with pytest.raises(TechniqueError, match="1 of 2 dates that are not to 2024-06-30"):
        moved(["2024-06-30", "2024-06-29", None], domain={"day": (None, date(2024, 6, 30))})
    assert moved(["2024-06-29"], domain={"day": ("2024-06-30", "2024-06-30")}) == ["2024-06-30"]


def test_a_column_without_a_date_stays_as_it_is() -> None:
    for kind in (pa.null(), pa.string(), pa.date32(), pa.timestamp("s", "UTC")):
        assert moved([None, None], kind) == [None, None]


def test_notices_state_what_stays_and_who_stands_out() -> None:
    day = date(2001, 1, 1)
    table = read(
        pa.table(
            {
                "who": ["a", "a", "b", "b", "c", "d"],
                "day": [day, day + 5 * DAY, day + 9 * DAY, day + 4 * DAY, day, None],
            }
        )
    )
    told = "\n".join(ShiftDates(("day",), "who")(table, 1).notices)
    assert "4 people moved by -180 to 180 days" in told
    assert "1 of 4 people have intervals that nobody else has" in told
    assert "gives the shift away" in told
    assert "seasons, weekdays and holidays" in told
    assert "outside the period of the table" in told
    assert "1 missing cell stays missing in column 'day'" in told
    assert "another step or table gets other shifts" in told
    keyed = "\n".join(ShiftDates(("day",), "who", weeks=True, key=KEY)(table, 1).notices)
    assert "other shifts" not in keyed
    assert "weekdays" not in keyed


def test_offsets_from_utc_that_tell_the_season_are_told_of() -> None:
    texts = ["2023-07-01T10:00+02:00", "2023-12-01 10:00:00 +0100"]
    table = read(pa.table({"who": ["a", "a"], "day": texts}))
    told = ShiftDates(("day",), "who")(table, 1).notices
    assert any("offsets from UTC in day stay" in notice for notice in told)
    one = read(pa.table({"who": ["a", "a"], "day": [texts[0], "2023-12-01T10:00+02:00"]}))
    assert not any("UTC" in notice for notice in ShiftDates(("day",), "who")(one, 1).notices)


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"columns": "day"}, "columns"),
        ({"entity": ""}, "entity"),
        ({"entity": "day"}, "entity"),
        ({"days": 0}, "days"),
        ({"days": 1.5}, "days"),
        ({"days": True}, "days"),
        ({"days": (3, 3)}, "days"),
        ({"days": (1, 2, 3)}, "days"),
        ({"days": 40_000}, "days"),
        ({"days": 6, "weeks": True}, "days"),
        ({"weeks": 1}, "weeks"),
        ({"key": "secret"}, "key"),
        ({"formats": {"dayy": "%Y-%m-%d"}}, "formats"),
        ({"formats": {"day": "%Y-%m"}}, "formats"),
        ({"formats": {"day": "%Y-%m-%d %H"}}, "formats"),
        ({"formats": {"day": 3}}, "formats"),
        ({"domain": {"day": ("2001-05-31",)}}, "domain"),
        ({"domain": {"day": ("2001-05-31", "2001-05-30")}}, "domain"),
        ({"domain": {"day": (None, 2001)}}, "domain"),
        ({"domain": {"dayy": (None, None)}}, "domain"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(given: dict[str, Any], key: str) -> None:
    with pytest.raises(ParameterError, match=f"shift_dates: '{key}'"):
        ShiftDates(**{"columns": ("day",), "entity": "who", **given})


def test_the_key_is_not_shown() -> None:
    assert "key" not in repr(ShiftDates(("day",), "who", key=KEY))
    with pytest.raises(UnknownColumnError, match="'whoo'"):
        ShiftDates(("came",), "whoo")(TABLE, 1)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.none() | st.dates(date(1900, 1, 1), date(2100, 1, 1))),
        min_size=1,
        max_size=12,
    ),
    st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%b %d, %Y"]),
    st.booleans(),
)
def test_intervals_of_a_person_stay_in_any_table(
    cells: list[tuple[int, date | None]], form: str, weeks: bool
) -> None:
    who = [person for person, _ in cells]
    texts = [None if day is None else day.strftime(form) for _, day in cells]
    table = read(pa.table({"who": who, "day": pa.array(texts, pa.string())}))
    technique = ShiftDates(("day",), "who", 365, weeks=weeks, formats={"day": form})
    after = column(technique(table, 1), "day")
    by: dict[int, set[timedelta]] = {}
    for person, (_, day), text in zip(who, cells, after, strict=True):
        assert (text is None) == (day is None)
        if day is not None:
            new = datetime.strptime(text, form).date()
            assert new.strftime(form) == text
            by.setdefault(person, set()).add(new - day)
    assert all(len(each) == 1 for each in by.values())
