"""Made rows among real ones."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import ParameterError
from discreet.table.read import read
from discreet.techniques.change_rows import AddTuples
from tests.techniques.made_table import column, people, rows

TABLE = people()


@pytest.mark.parametrize("classes", [(), ("zip",), ("zip", "job")])
def test_every_real_row_is_there_in_its_order(classes: tuple[str, ...]) -> None:
    after = rows(AddTuples(0.5, classes)(TABLE, 1))
    assert len(after) == 3000
    found = iter(after)
    assert all(row in found for row in rows(TABLE))


def test_made_rows_stand_anywhere() -> None:
    table = read(pa.table({"n": list(range(1000))}))
    after = column(AddTuples(1.0)(table, 1), "n")
    steps = np.flatnonzero(np.diff(after) != 1)
    assert steps.min() < 50 and steps.max() > 1950
    assert abs(float(np.mean(steps)) - 1000) < 60


def test_shares_of_values_are_kept_in_expectation() -> None:
    before, after = Counter(column(TABLE, "job")), Counter(column(AddTuples(5.0)(TABLE, 1), "job"))
    for job, count in before.items():
        assert abs(after[job] - 6 * count) < 4 * (5 * count) ** 0.5


def test_shares_of_classes_are_kept_in_expectation() -> None:
    table = read(pa.table({"c": ["a"] * 500 + ["b"] * 1500}))
    found = Counter(column(AddTuples(1.0, ("c",))(table, 1), "c"))
    assert abs(found["a"] - 1000) < 4 * (2000 * 0.25 * 0.75) ** 0.5


def test_a_share_that_makes_no_row_is_refused() -> None:
    with pytest.raises(ParameterError, match="at least one row"):
        AddTuples(0.1)(read(pa.table({"n": [1, 2, 3]})), 1)


def test_classes_keep_what_goes_with_them_and_margins_do_not() -> None:
    def crossed(classes: tuple[str, ...]) -> int:
        after = AddTuples(1.0, classes)(TABLE, 1)
        pairs = set(zip(column(TABLE, "zip"), column(TABLE, "region"), strict=True))
        found = zip(column(after, "zip"), column(after, "region"), strict=True)
        return sum(pair not in pairs for pair in found)

    assert crossed(("zip",)) == 0
    assert crossed(()) > 500


@pytest.mark.parametrize("classes", [(), ("id",)])
def test_a_column_that_gives_made_rows_away_is_named(classes: tuple[str, ...]) -> None:
    ids = [0, *range(49)]  # one of them twice in the private table too
    table = read(pa.table({"id": ids, "sex": ["F", "M"] * 25}))
    notices = " ".join(AddTuples(0.2, classes)(table, 1).notices)
    assert "'id' has hardly a value twice" in notices
    assert "'sex'" not in notices


@pytest.mark.parametrize("share", [0, -1, 101, "half"])
def test_bad_shares_are_refused(share: float) -> None:
    with pytest.raises(ParameterError, match="share"):
        AddTuples(share)
