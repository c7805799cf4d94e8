"""t-closeness with its three ground distances, on classes worked out by hand."""

from __future__ import annotations

import pytest

from discreet.errors import ParameterError
from discreet.models import TCloseness
from tests.models.hand import COLUMN, classes

TABLE = "aabbcccc"
"""Shares 1/4, 1/4, 1/2."""


def measured(distance: str, *texts: str, **more) -> float:
    made = classes(*texts, **({"table": TABLE} | more))
    return TCloseness(COLUMN, 0.5, distance).judge_classes(made, ()).measured


def test_equal_is_half_the_absolute_differences() -> None:
    """Class 1/2, 1/2, 0: differences 1/4, 1/4, 1/2."""
    assert measured("equal", "ab") == pytest.approx(0.5)


def test_a_class_like_the_table_is_at_distance_zero() -> None:
    assert measured("equal", "abcc") == 0
    assert measured("ordered", "abcc", order="abc") == 0


def test_the_furthest_class_is_measured() -> None:
    assert measured("equal", "abcc", "a", "cc") == pytest.approx(0.75)


def test_ordered_adds_the_cumulated_differences() -> None:
    """Class all a: cumulated 1, 1 against 1/4, 1/2, over two steps."""
    assert measured("ordered", "aa", order="abc") == pytest.approx((0.75 + 0.5) / 2)


def test_ordered_depends_on_the_order() -> None:
    """With a in the middle no row is far away: cumulated 0, 1 against 1/4, 1/2."""
    assert measured("ordered", "aa", order="bac") == pytest.approx((0.25 + 0.5) / 2)


def test_hierarchical_is_the_mean_over_the_levels_below_the_root() -> None:
    """a and b under one parent: class "ab" differs by 1/2 on both levels, "cca" by 1/6 and 1/6."""
    levels = [[0, 1, 2], [0, 0, 1], [0, 0, 0]]
    assert measured("hierarchical", "ab", levels=levels) == pytest.approx((0.5 + 0.5) / 2)
    assert measured("hierarchical", "aa", levels=levels) == pytest.approx((0.75 + 0.5) / 2)


def test_classes_beyond_t_fail() -> None:
    made = classes("abcc", "ab", "cccca", table=TABLE)
    assert TCloseness(COLUMN, 0.4).fails(made).tolist() == [False, True, False]


def test_a_class_at_exactly_t_passes() -> None:
    assert not TCloseness(COLUMN, 0.3).fails(classes("cccca", table=TABLE)).any()


def test_the_verdict_counts_the_rows_at_risk() -> None:
    found = TCloseness(COLUMN, 0.4).judge_classes(classes("abcc", "ab", table=TABLE), ("zip",))
    assert (found.holds, found.limit, found.rows_at_risk) == (False, 0.4, 2)


def test_a_finer_node_can_keep_the_part_that_is_like_the_table() -> None:
    """Of "aaab" with shares one half each, "ab" can be kept at t near 0; three rows cannot."""
    kept = TCloseness(COLUMN, 0.01).count_keepable(classes("aaab", table="ab"))
    assert 2 <= kept[0] < 3


def test_a_class_that_passes_can_be_kept_whole() -> None:
    assert TCloseness(COLUMN, 0.6).count_keepable(classes("aaab", table="ab")).tolist() == [4]


@pytest.mark.parametrize(
    ("parameters", "key"),
    [
        ({"t": 0}, "t"),
        ({"t": 1.1}, "t"),
        ({"t": "0.2"}, "t"),
        ({"t": 0.2, "distance": "far"}, "distance"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, key: str) -> None:
    with pytest.raises(ParameterError, match=f"t_closeness: '{key}' must be"):
        TCloseness(COLUMN, **parameters)
