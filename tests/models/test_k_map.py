"""k-map on classes counted by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from discreet.errors import ParameterError, RegisterError
from discreet.frequency.classes import Classes
from discreet.models import KMap

REGISTER = Path("people.csv")


def classes(*pairs: tuple[int, int]) -> Classes:
    """Classes of these rows and people."""
    rows = np.array([rows for rows, _ in pairs], dtype=np.int64)
    people = np.array([people for _, people in pairs], dtype=np.float64)
    return Classes(rows, tallies={KMap(1, REGISTER).tally: people})


def test_a_row_alone_passes_if_it_fits_k_people_and_many_rows_fail_if_they_do_not() -> None:
    assert KMap(3, REGISTER).fails(classes((1, 3), (5, 2), (1, 0))).tolist() == [False, True, True]


def test_nothing_of_a_failing_class_can_be_kept_at_a_finer_node() -> None:
    assert KMap(3, REGISTER).count_keepable(classes((1, 3), (5, 2))).tolist() == [1, 0]


def test_the_verdict_measures_the_fewest_people_of_released_classes() -> None:
    verdict = KMap(3, REGISTER).judge_classes(classes((1, 4), (2, 3), (0, 1)), ("age",))
    assert (verdict.holds, verdict.measured, verdict.limit) == (True, 3, 3)
    verdict = KMap(3, REGISTER).judge_classes(classes((1, 4), (2, 2), (0, 1)), ("age",))
    assert (verdict.holds, verdict.measured, verdict.rows_at_risk) == (False, 2, 2)


def test_people_whom_no_class_fits_are_no_matter() -> None:
    seen = classes((1, 1), (1, 4))
    assert KMap(3, REGISTER).judge_left_out(seen, np.array([True, False])) == (True, 0)


def test_a_release_without_rows_says_that_it_is_empty() -> None:
    assert "no rows" in KMap(3, REGISTER).judge_classes(classes((0, 4)), ("age",)).note


@pytest.mark.parametrize(
    ("given", "key"),
    [({"k": 0}, "k"), ({"k": 2.5}, "k"), ({"register": None}, "register"), ({"names": 1}, "names")],
)
def test_parameters_that_make_no_sense_are_refused(given: dict[str, Any], key: str) -> None:
    with pytest.raises(ParameterError, match=f"k_map: '{key}'"):
        KMap(**{"k": 3, "register": REGISTER, **given})


def test_a_register_of_fewer_than_k_people_is_refused() -> None:
    KMap(3, REGISTER).check_size(5, 3)
    with pytest.raises(RegisterError, match="has 2 rows, k is 3"):
        KMap(3, REGISTER).check_size(5, 2)
