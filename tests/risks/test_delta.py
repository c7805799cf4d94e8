"""Choosing delta from the cost of misuse; the printed numbers are in tests/papers."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import ParameterError
from discreet.risks.delta import delta
from tests.properties.strategies import examples


@examples(60)
@given(
    st.integers(1, 10_000),
    st.integers(1, 10**7),
    st.floats(0, 0.999),
    st.floats(1e-6, 1),
    st.floats(1e-6, 1),
)
def test_belief_moves_no_further_than_is_acceptable(
    rows: int, more: int, above: float, up: float, down: float
) -> None:
    population = rows + more
    prior = rows / population + above * (1 - rows / population)
    found = delta(rows, population, prior, misuse=up, misuse_absent=down)
    assert 0 <= found.min <= rows / population <= found.max <= 1
    assert found.belief(found.max) <= prior + up + 1e-9
    assert found.belief(found.min) >= prior - down - 1e-9


def test_without_a_release_the_belief_is_the_prior() -> None:
    found = delta(30, 1000, 0.2, misuse=0.05)
    assert found.belief(0.03) == pytest.approx(0.2)
    assert found.belief(1) == pytest.approx(1)


def test_a_range_as_wide_as_everything_is_cut_to_it() -> None:
    found = delta(30, 1000, 0.2, misuse=1.0)
    assert (found.min, found.max) == (0, 1)


def test_cost_over_damage_is_the_acceptable_misuse() -> None:
    one = delta(40, 1000, 0.07, cost=100, cost_absent=200, damage=10_000)
    assert one == delta(40, 1000, 0.07, misuse=0.01, misuse_absent=0.02)


def test_a_narrow_range_is_not_rounded_away() -> None:
    found = delta(1, 3, 0.4, misuse=1e-9)
    assert found.min <= 1 / 3 <= found.max


@pytest.mark.parametrize(("population", "misuse"), [(1000, 0.01), (10**9, 0.01), (1000, 1e-7)])
def test_the_line_is_one_of_a_policy(population: int, misuse: float) -> None:
    found = delta(40, population, 0.07, misuse=misuse)
    (promise,) = yaml.safe_load(found.line)
    told = promise["delta_presence"]
    assert (told["min"], told["max"]) == (found.min, found.max)


GOOD: dict[str, Any] = {"rows": 40, "population": 1000, "prior": 0.07, "cost": 1, "damage": 100}


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"rows": 0}, "rows"),
        ({"rows": 1.5}, "rows"),
        ({"population": 40}, "population"),
        ({"prior": 0}, "prior"),
        ({"prior": 1}, "prior"),
        ({"prior": float("nan")}, "prior"),
        ({"prior": 0.03}, "prior"),
        ({"cost": 0}, "cost"),
        ({"cost": 101}, "cost"),
        ({"cost_absent": 101}, "cost_absent"),
        ({"damage": None}, "damage"),
        ({"misuse": 0.1}, "misuse"),
        ({"cost": None}, "misuse"),
        ({"cost": None, "misuse": 2}, "misuse"),
    ],
)
def test_nonsense_is_refused(given: dict[str, Any], key: str) -> None:
    with pytest.raises(ParameterError, match=f"'{key}' must be"):
        delta(**{**GOOD, **given})
