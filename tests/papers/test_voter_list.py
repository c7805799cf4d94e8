"""[Sweeney2001]_, sec. 2.4.4, fig. 16: how many voters are alone, in the made town."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from discreet.sample import Town, make


@cache
def town() -> Town:
    return make(0)


@pytest.mark.parametrize(
    ("columns", "printed"),
    [
        pytest.param(["birth"], 0.12, id="fig. 16, birth date alone"),
        pytest.param(["birth", "sex"], 0.29, id="fig. 16, birth date and gender"),
        pytest.param(["birth", "zip"], 0.69, id="fig. 16, birth date and 5-digit ZIP"),
        pytest.param(["birth", "postcode"], 0.97, id="fig. 16, birth date and full postal code"),
    ],
)
def test_the_printed_share_of_voters_is_unique(columns: list[str], printed: float) -> None:
    voters = Counter(zip(*(town().voters[name].tolist() for name in columns), strict=True))
    alone = sum(count == 1 for count in voters.values())
    assert alone / voters.total() == pytest.approx(printed, abs=0.015)


def test_there_are_as_many_voters_as_in_the_printed_list() -> None:
    assert len(town().voters["birth"]) == 54_805
