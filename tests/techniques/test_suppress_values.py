"""Blanked cells and columns."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest

from discreet.errors import ParameterError
from discreet.table.read import read
from discreet.techniques.suppress_values import SuppressValues
from tests.techniques.made_table import column, people

TABLE = people()


def test_a_whole_column_is_blanked_and_stays_a_column() -> None:
    after = SuppressValues(("age",))(TABLE, 1)
    assert set(column(after, "age")) == {None}
    assert after.columns == TABLE.columns


def test_a_dropped_column_is_gone() -> None:
    after = SuppressValues(("age", "zip"), drop=True)(TABLE, 1)
    assert after.columns == ("region", "pay", "job")


def test_all_columns_cannot_be_dropped() -> None:
    with pytest.raises(ParameterError, match="fewer than all"):
        SuppressValues(TABLE.columns, drop=True)(TABLE, 1)


def test_a_share_of_the_filled_cells_is_blanked_exactly() -> None:
    filled = 2000 - column(TABLE, "job").count(None)
    after = column(SuppressValues(("job",), share=0.25)(TABLE, 1), "job")
    assert 2000 - after.count(None) == filled - round(0.25 * filled)
    assert all(new in (old, None) for old, new in zip(column(TABLE, "job"), after, strict=True))


def test_exactly_the_rare_values_are_blanked() -> None:
    before = column(TABLE, "job")
    limit = Counter(before)["judge"] + 1
    after = column(SuppressValues(("job",), rarer_than=limit)(TABLE, 1), "job")
    assert after == [None if value == "judge" else value for value in before]


def test_a_value_as_frequent_as_the_limit_stays() -> None:
    table = read(pa.table({"x": ["a", "a", "b"]}))
    assert column(SuppressValues(("x",), rarer_than=2)(table, 1), "x") == ["a", "a", None]


@pytest.mark.parametrize(
    "options", [{"rarer_than": 1}, {"rarer_than": 2.0}, {"drop": True, "share": 0.5}]
)
def test_bad_parameters_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        SuppressValues(("job",), **options)  # type: ignore[arg-type]


def test_the_share_of_cells_is_drawn_from_all_rows() -> None:
    table = read(pa.table({"x": list(range(1000))}))
    blank = [
        n
        for n, cell in enumerate(column(SuppressValues(("x",), 0.3)(table, 1), "x"))
        if cell is None
    ]
    assert len(blank) == 300
    assert abs(sum(blank) / 300 - 500) < 4 * 289 / 300**0.5


def test_drop_is_true_or_false() -> None:
    with pytest.raises(ParameterError, match="drop"):
        SuppressValues(("x",), drop="no")  # type: ignore[arg-type]
