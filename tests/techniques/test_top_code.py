"""Top coding cuts the largest numbers, and tells what that does to the mean."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.errors import ParameterError, TechniqueError
from discreet.techniques.top_code import TopCode
from tests.techniques.made_numbers import column, made, numbers, table


def test_numbers_above_the_limit_become_the_limit() -> None:
    assert column(TopCode(("x",), at=5)(table(x=[1, 5, 6, 90]), 0), "x") == [1, 5, 5, 5]


def test_a_quantile_cuts_that_share() -> None:
    before = numbers(made(), "income").ravel()
    after = numbers(TopCode(("income",), quantile=0.95)(made(), 0), "income").ravel()
    assert np.count_nonzero(before != after) == 200
    assert after.max() in before


def test_the_mean_put_in_keeps_the_mean() -> None:
    released = TopCode(("income",), quantile=0.95, put="mean")(made(), 0)
    after = numbers(released, "income")
    assert after.mean() == pytest.approx(numbers(made(), "income").mean(), rel=1e-12)
    assert "200 of 4,000 values of 'income' were cut; the mean is kept." in released.notices[0]


def test_a_lost_mean_is_told() -> None:
    released = TopCode(("x",), at=0)(table(x=[-1, 1] * 10), 0)
    told = "top_code: 10 of 20 values of 'x' were cut; the mean moved by -0.5 standard deviations."
    assert released.notices == (told,)


def test_how_far_the_mean_moved_does_not_give_a_few_numbers_away() -> None:
    released = TopCode(("x",), at=90)(table(x=[20] * 99 + [987]), 0)
    assert released.notices == ("top_code: 1 of 100 values of 'x' were cut.",)


def test_the_mean_of_one_or_two_people_is_not_given_away() -> None:
    with pytest.raises(TechniqueError, match="only 2 values"):
        TopCode(("x",), at=5, put="mean")(table(x=[1, 2, 60, 90]), 0)


def test_a_limit_that_is_not_whole_is_refused_for_whole_numbers() -> None:
    with pytest.raises(TechniqueError, match="limit is not whole"):
        TopCode(("age",), at=89.5)(made(20), 0)


@pytest.mark.parametrize(
    "wrong", [{}, {"at": 1, "quantile": 0.5}, {"at": "1"}, {"quantile": 1}, {"at": 1, "put": "x"}]
)
def test_parameters_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        TopCode(("x",), **wrong)  # type: ignore[arg-type]
