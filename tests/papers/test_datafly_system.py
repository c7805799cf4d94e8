"""[Sweeney2001]_, sec. 6.1: the anonymity level of figure 38, and the insurance commission's k."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import discreet
from discreet.pipeline.levels import LevelsOf
from discreet.policy.anonymity_level import Anonymity
from discreet.sample import make

CAMBRIDGE = 54_805

FIGURE_38 = {
    0.9: (493, 24, 0.04),
    0.8: (438, 24, 0.02),
    0.7: (383, 12, 0.08),
    0.6: (328, 12, 0.05),
    0.5: (274, 12, 0.04),
    0.4: (219, 12, 0.03),
    0.3: (164, 6, 0.05),
    0.2: (109, 4, 0.05),
    0.1: (54, 2, 0.05),
}
"""Anonymity: k, months, share of rows dropped."""


@cache
def voters() -> pa.Table:
    return pa.table({name: make(0).voters[name].tolist() for name in ("birth", "sex")})


@cache
def figure() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = LevelsOf().column(discreet.read(voters()), "birth")["levels"]
    return found


@pytest.mark.parametrize("level", FIGURE_38, ids="fig. 38, k at {}".format)
def test_the_printed_k_is_a_hundredth_of_the_voters_times_the_level(level: float) -> None:
    assert Anonymity(level).find_k(CAMBRIDGE) == FIGURE_38[level][0]


def test_the_made_voters_need_the_printed_widths() -> None:
    months = {one["level"]: one["width"]["birth"]["size"] for one in figure()}
    assert months == {level: width for level, (_, width, _) in FIGURE_38.items()}


def test_the_made_voters_are_dropped_about_as_often_as_the_printed_ones() -> None:
    for one in figure():
        printed = FIGURE_38[one["level"]][2]
        assert one["share_dropped"] == pytest.approx(printed, abs=0.025), one["level"]


def test_a_higher_level_never_takes_a_finer_width_or_a_smaller_k() -> None:
    for below, above in pairwise(figure()):
        assert below["k"] < above["k"]
        assert below["width"]["birth"]["size"] <= above["width"]["birth"]["size"]


def test_no_level_drops_more_than_the_most_that_is_allowed() -> None:
    assert all(one["share_dropped"] <= 0.08 for one in figure())


@pytest.mark.parametrize("level", [0.1, 0.7])
def test_a_release_at_the_level_drops_what_the_figure_says(level: float) -> None:
    (line,) = (one for one in figure() if one["level"] == level)
    policy = discreet.Policy(
        columns={"birth": {"role": "quasi", "hierarchy": {"dates": [line_name(line)]}}},
        anonymity=level,
        suppress=0.08,
    )
    facts = discreet.anonymize(voters(), policy).facts()
    assert facts["levels"] == {"birth": 1}
    assert facts["rows_suppressed"] == line["rows_dropped"]
    assert facts["anonymity"]["k"] == line["k"] <= facts["smallest_class"]


def line_name(line: dict[str, Any]) -> str:
    return str(line["width"]["birth"]["name"])


def widths_of(table: pa.Table) -> dict[str, float]:
    found = LevelsOf().column(discreet.read(table), "birth", beside=["sex"])
    return {one["name"]: one["average_class_size"] for one in found["widths"]}


def test_an_insured_population_has_the_printed_average_k() -> None:
    """Sec. 6.1: 135,000 people; 3 of each birth date and sex, 1125 of each year and sex."""
    people, years = 135_000, 60
    assert people / (2 * years) == 1125
    assert round(people / (2 * years * 365.25)) == 3
    rng = np.random.default_rng(61)
    first = np.datetime64("1937-01-01")
    days = int((np.datetime64("1997-01-01") - first).astype(int))
    birth = (first + rng.integers(0, days, people)).astype(str)
    sex = np.array(["F", "M"])[rng.integers(0, 2, people)]
    average = widths_of(pa.table({"birth": birth, "sex": sex}))
    assert round(average["as found"]) == 3
    assert average["12 months"] == 1125


def test_years_of_birth_hide_voters_hundreds_of_times_better_than_dates() -> None:
    """Sec. 6.1: from 3 to 1125 is 375 times; fewer here, for not every date has a voter."""
    average = widths_of(voters())
    assert 1 < average["as found"] < 3
    assert 100 < average["12 months"] / average["as found"] < 2 * 366
