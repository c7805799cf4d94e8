"""delta-presence on classes counted by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import ParameterError, RegisterError
from discreet.frequency.classes import Classes
from discreet.models import DeltaPresence
from tests.properties.strategies import examples

PUBLIC = Path("people.csv")


def classes(*pairs: tuple[int, int], left_out: int = 0) -> Classes:
    """Classes of these rows and people."""
    rows = np.array([rows for rows, _ in pairs], dtype=np.int64)
    people = np.array([people for _, people in pairs], dtype=np.float64)
    return Classes(rows, tallies={DeltaPresence(PUBLIC, 0, 1).tally: people}, left_out=left_out)


def test_classes_whose_people_are_too_likely_or_too_unlikely_fail() -> None:
    model = DeltaPresence(PUBLIC, 0.25, 0.5)
    found = model.fails(classes((1, 5), (1, 4), (2, 4), (3, 4), (0, 3)))
    assert found.tolist() == [True, False, False, True, True]


def test_both_ends_belong_to_the_range_whatever_the_rounding() -> None:
    model = DeltaPresence(PUBLIC, 0.1, 0.3)
    assert not model.fails(classes((1, 10), (3, 10), (30_000_000, 100_000_000))).any()


def test_the_verdict_measures_the_chance_that_is_furthest_out() -> None:
    model = DeltaPresence(PUBLIC, 0.25, 0.5)
    verdict = model.judge_classes(classes((1, 4), (3, 4)), ("age",))
    assert (verdict.holds, verdict.measured, verdict.rows_at_risk) == (False, 0.75, 3)
    verdict = model.judge_classes(classes((1, 10), (2, 4)), ("age",))
    assert (verdict.holds, verdict.measured, verdict.rows_at_risk) == (False, 0.1, 1)
    verdict = model.judge_classes(classes((1, 3), (2, 5)), ("age",))
    assert (verdict.holds, verdict.measured, verdict.rows_at_risk) == (
        True,
        pytest.approx(1 / 3),
        0,
    )


def test_people_whom_no_class_fits_are_known_to_be_absent() -> None:
    assert (
        not DeltaPresence(PUBLIC, 0.1, 0.5).judge_classes(classes((1, 2), (0, 3)), ("age",)).holds
    )
    assert DeltaPresence(PUBLIC, 0.0, 0.5).judge_classes(classes((1, 2), (0, 3)), ("age",)).holds


@pytest.mark.parametrize(("left_out", "holds"), [(0, False), (1, True), (2, False)])
def test_rows_left_out_are_among_those_whom_no_class_fits(left_out: int, holds: bool) -> None:
    model = DeltaPresence(PUBLIC, 0.2, 0.5)
    seen = classes((1, 2), (0, 3), left_out=left_out)
    assert model.judge_classes(seen, ("age",)).holds == holds


def test_leaving_out_a_class_is_judged_by_what_is_learned_of_its_people() -> None:
    model = DeltaPresence(PUBLIC, 0.2, 0.5)
    seen = classes((1, 2), (3, 3), (0, 3))
    assert model.judge_left_out(seen, np.array([False, True, False])).allowed
    assert not model.judge_left_out(classes((1, 2), (3, 3)), np.array([False, True])).allowed


def test_finer_nodes_must_leave_out_what_is_too_many_here() -> None:
    """Five people, four rows, at most half: two rows can stay wherever they go."""
    model = DeltaPresence(PUBLIC, 0.0, 0.5)
    seen = classes((4, 5), (0, 10))
    assert model.judge_left_out(seen, model.fails(seen)).least == 2
    assert model.count_keepable(seen).tolist() == [2, 0]


def test_a_release_without_rows_says_that_it_is_empty() -> None:
    verdict = DeltaPresence(PUBLIC, 0.0, 1.0).judge_classes(classes((0, 4), left_out=2), ("age",))
    assert verdict.holds
    assert "no rows" in verdict.note


@examples(60)
@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6)), min_size=2, max_size=5),
    st.sampled_from([0.0, 0.1, 0.3]),
    st.sampled_from([0.4, 0.6, 1.0]),
)
def test_the_union_of_classes_that_pass_passes(
    drawn: list[tuple[int, int]], low: float, high: float
) -> None:
    """The inequality in the proof of theorem 1."""
    model = DeltaPresence(PUBLIC, low, high)
    every = classes(*((rows, rows + more) for rows, more in drawn))
    passing = ~model.fails(every)
    people = every.tallies[model.tally]
    if passing.any():
        joined = classes((int(every.rows[passing].sum()), int(people[passing].sum())))
        assert not model.fails(joined).any()


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"min": -0.1}, "min"),
        ({"max": 1.5}, "max"),
        ({"max": float("nan")}, "max"),
        ({"min": "0.1"}, "min"),
        ({"min": 0.6}, "min"),
        ({"public": ""}, "public"),
        ({"public": 3}, "public"),
        ({"names": ["zip"]}, "names"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(given: dict[str, Any], key: str) -> None:
    with pytest.raises(ParameterError, match=f"delta_presence: '{key}'"):
        DeltaPresence(**{"public": PUBLIC, "min": 0.1, "max": 0.5, **given})


@pytest.mark.parametrize(
    ("rows", "people", "says"),
    [
        (5, 100, "below min, which is 0.1; set min to that or less"),
        (60, 100, "above max, which is 0.5; set max to that or more"),
        (101, 100, "fewer than the 101 of the table"),
        (1, 0, "has 0 rows"),
    ],
)
def test_a_range_without_the_share_that_is_private_is_refused(
    rows: int, people: int, says: str
) -> None:
    with pytest.raises(RegisterError, match=says):
        DeltaPresence(PUBLIC, 0.1, 0.5).check_size(rows, people)


def test_a_range_at_its_end_is_not() -> None:
    DeltaPresence(PUBLIC, 0.3, 0.3).check_size(3, 10)
