"""Dates as days since the first date of the person."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pyarrow as pa
import pytest

from discreet.errors import ParameterError, TechniqueError
from discreet.hierarchy.intervals import Intervals
from discreet.table.read import read
from discreet.table.table import Table
from discreet.techniques.arrow_rows import read_rows
from discreet.techniques.shift_dates import RelativeDates
from tests.techniques.made_table import column


def visits() -> Table:
    return read(
        pa.table(
            {
                "who": ["a", "b", "a", "b", "c", "d"],
                "came": ["1.3.2024", "5.3.2024", "28.2.2024", "1.1.2024", None, "9.9.2020"],
                "left": pa.array(
                    [
                        datetime(2024, 3, 1, 23, 59),
                        datetime(2023, 12, 31, 0, 1),
                        None,
                        datetime(2024, 1, 2),
                        None,
                        datetime(2020, 9, 9, 12),
                    ],
                    pa.timestamp("us"),
                ),
            }
        )
    )


def test_days_are_counted_from_the_first_date_of_the_person_in_any_column() -> None:
    since = RelativeDates(("came", "left"), "who")(visits(), 1)
    assert column(since, "came") == [2, 65, 0, 1, None, 0]
    assert column(since, "left") == [2, 0, None, 2, None, 0]
    alone = RelativeDates(("came",), "who")(visits(), 1)
    assert column(alone, "came") == [2, 64, 0, 0, None, 0]
    assert column(alone, "left") == column(visits(), "left")


def test_the_new_columns_are_whole_numbers_that_intervals_can_group() -> None:
    since = read_rows(RelativeDates(("came", "left"), "who")(visits(), 1))
    assert since.schema.field("came").type == since.schema.field("left").type == pa.int64()
    texts = since.column("came").cast(pa.string()).drop_null().unique().to_pylist()
    assert Intervals((30,)).build("came", texts).labels[1] == ("0-29", "60-89")


def test_notices_state_what_stays() -> None:
    told = "\n".join(RelativeDates(("came", "left"), "who")(visits(), 1).notices)
    assert "3 of 4 people have intervals that nobody else has" in told
    assert "how many rows a person has stays" in told
    assert "1 missing cell stays missing in column 'came'" in told
    assert "2 missing cells stay missing in column 'left'" in told


@pytest.mark.parametrize("given", [{"entity": "came"}, {"columns": ()}, {"formats": {"x": "%Y"}}])
def test_parameters_that_make_no_sense_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="relative_dates"):
        RelativeDates(**{"columns": ("came",), "entity": "who", **given})


def test_what_is_no_date_and_rows_of_nobody_are_refused() -> None:
    with pytest.raises(TechniqueError, match="'who' has 4 of 4 different dates"):
        RelativeDates(("who",), "name")(read(pa.table({"who": [*"abcd"], "name": [1, 1, 1, 1]})), 1)
    with pytest.raises(TechniqueError, match=r"'came' does not say .* 1 of 6 rows"):
        RelativeDates(("left",), "came")(visits(), 1)


def test_a_person_with_one_date_has_a_zero() -> None:
    one = read(pa.table({"who": [7], "day": [date(1, 1, 1)]}))
    assert column(RelativeDates(("day",), "who")(one, 1), "day") == [0]


def test_the_same_day_in_another_column_is_another_history() -> None:
    day, later = date(2001, 1, 1), date(2001, 1, 9)
    other = {"came": [day, day], "left": [later, None], "called": [None, later]}
    table = read(pa.table({"who": [1, 2], **other}))
    told = " ".join(RelativeDates(("came", "left", "called"), "who")(table, 1).notices)
    assert "2 of 2 people have intervals that nobody else has" in told
