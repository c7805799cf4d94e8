"""The intruder's join, on tables small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.hierarchy import Dates, Flat, Prefix
from discreet.sample.story import link, measure_unique_share, recode_as_released

REGISTER = [np.array(["1950", "1950", "1950", "1961"]), np.array(["F", "F", "M", "F"])]


def test_each_row_counts_the_register_rows_it_fits() -> None:
    found = link(
        [np.array(["1950", "1950", "1961", "1999"]), np.array(["F", "M", "M", "F"])], REGISTER
    )
    assert found.voters.tolist() == [2, 1, 0, 0]
    assert found.named.tolist() == [False, True, False, False]
    assert found.first.tolist()[1:] == [2, -1, -1]


def test_a_value_beyond_the_last_of_the_register_fits_nobody() -> None:
    assert link([np.array(["z"])], [np.array(["a"])]).voters.tolist() == [0]


def test_columns_do_not_run_into_each_other() -> None:
    found = link([np.array(["1"]), np.array(["23"])], [np.array(["12"]), np.array(["3"])])
    assert found.voters.tolist() == [0]


def test_share_of_unique_rows() -> None:
    assert measure_unique_share(REGISTER) == 0.5
    assert measure_unique_share(REGISTER[:1]) == 0.25


def test_a_register_value_that_the_file_lacks_is_made_coarser_by_the_same_rules() -> None:
    births = Dates(("year", "10 years"))
    register, file = np.array(["1955-01-02", "1968-03-04"]), np.array(["1950-12-31"])
    assert recode_as_released(births, "birth", 2, register, file).tolist() == [
        "1950-1959",
        "1960-1969",
    ]


@pytest.mark.parametrize(("level", "seen"), [(0, ["F", "M"]), (1, ["*", "*"])])
def test_without_a_hierarchy_there_is_the_value_or_a_star(level: int, seen: list[str]) -> None:
    sexes = np.array(["F", "M"])
    assert recode_as_released(None, "sex", level, sexes, sexes).tolist() == seen
    assert recode_as_released(Flat(), "sex", level, sexes, sexes).tolist() == seen


def test_the_top_of_the_file_is_seen_in_a_register_with_one_value_only() -> None:
    file = np.array(["02138", "11111"])
    assert recode_as_released(Prefix([3]), "zip", 2, np.array(["02139"]), file).tolist() == ["*"]
