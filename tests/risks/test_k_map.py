"""k-map from a sample: the least class, and how often a class of too few people passes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from discreet.errors import ParameterError
from discreet.risks.class_sizes import ClassSizes
from discreet.risks.k_map import METHODS, KMap


def test_the_least_class_by_hand() -> None:
    """k 5 and a tenth drawn: Poisson with mean 0.5."""
    tails = [1 - math.exp(-0.5) * sum(0.5**i / math.factorial(i) for i in range(c)) for c in (2, 3)]
    assert tails[0] < 0.1
    assert KMap(5, 1000, method="poisson").find_least_class(0.1) == 2
    seen = 1 - math.exp(-0.5)
    assert tails[0] / seen > 0.1 > tails[1] / seen
    assert KMap(5, 1000).find_least_class(0.1) == 3


@pytest.mark.parametrize("method", ["zero_truncated_poisson", "binomial"])
@pytest.mark.parametrize(("k", "share"), [(5, 0.1), (5, 0.5), (20, 0.05), (3, 0.8)])
def test_classes_of_too_few_people_seldom_pass(method: str, k: int, share: float) -> None:
    least = KMap(k, 1000, method=method).find_least_class(share)
    rows = np.random.default_rng(1).binomial(k - 1, share, 200_000)
    seen = rows[rows > 0]
    assert (seen >= least).mean() <= 0.1 + 0.005 or least == k


def test_plain_poisson_overlooks_that_empty_classes_are_never_seen() -> None:
    """With a hundredth drawn it passes a table of uniques; nobody then knows of five alike."""
    rows = np.random.default_rng(1).binomial(4, 0.01, 200_000)
    least = KMap(5, 1000, method="poisson").find_least_class(0.01)
    assert least == 1
    assert (rows[rows > 0] >= least).mean() == 1.0


def test_plain_poisson_says_so_instead_of_passing_every_table() -> None:
    found = KMap(5, 1000, method="poisson")(ClassSizes.of([1] * 10))
    assert (found.least_class, found.rows_at_risk, found.holds) == (None, None, None)
    assert "whatever it holds" in found.reason
    assert KMap(1, 1000, method="poisson")(ClassSizes.of([1] * 10)).holds


@pytest.mark.parametrize("method", ["zero_truncated_poisson", "binomial"])
@pytest.mark.parametrize("share", [0.02, 0.1, 0.4])
def test_few_classes_of_made_populations_that_pass_have_fewer_than_k_people(
    method: str, share: float
) -> None:
    """Of classes with fewer than k people that show, at most a tenth may pass; here all are."""
    k, population = 5, np.repeat([1, 2, 3, 4, 30], [2000, 2000, 2000, 2000, 500])
    rows = np.random.default_rng(4).binomial(population, share)
    least = KMap(k, int(population.sum()), method=method).find_least_class(share)
    short = rows[(population < k) & (rows > 0)]
    assert (short >= least).mean() <= 0.1
    assert (rows[population >= k] >= least).any()


def test_rows_in_smaller_classes_are_at_risk() -> None:
    found = KMap(5, 130)(ClassSizes.of([1, 2, 3, 7]))
    assert found.least_class == 3
    assert found.rows_at_risk == 3
    assert not found.holds
    assert found.facts()["holds"] is False


@pytest.mark.parametrize("method", METHODS)
def test_no_class_has_to_be_larger_than_k(method: str) -> None:
    assert KMap(4, 100, method=method).find_least_class(1.0) <= 4
    assert KMap(1, 100, method=method).find_least_class(0.5) == 1


def test_parameters_that_cannot_be_are_refused() -> None:
    for wrong in (
        lambda: KMap(0, 10),
        lambda: KMap(2, 10, significance=0),
        lambda: KMap(2, 10, method="guess"),
        lambda: KMap(2, 3)(ClassSizes.of([4])),
    ):
        with pytest.raises(ParameterError):
            wrong()
