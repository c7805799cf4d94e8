"""Sample sizes: the theorems' formulas, their inverses, and lemma 6 where it fails."""

from __future__ import annotations

import math

import pytest

from discreet.errors import ColumnSetError, ParameterError
from discreet.identification.keys import samples as sizes


def all_different(n: int, k: int, alpha: float) -> float:
    """The product in the proof of lemma 6: k balls from different bins of 1 / alpha balls each."""
    return math.prod(1 - i * (1 / alpha - 1) / (n - i) for i in range(k))


@pytest.mark.parametrize("m", [1, 14, 41])
@pytest.mark.parametrize("epsilon", [0.001, 0.1, 0.5])
def test_theorems_4_and_5(m: int, epsilon: float) -> None:
    wanted = math.log(2**m / 0.01) / math.log(1 / (1 - epsilon))
    assert sizes.cover_elements(m, epsilon, 0.01) == math.ceil(wanted)
    assert sizes.separation_key_pairs(m, epsilon, 0.01) == math.ceil(wanted)


def test_theorem_7_needs_one_row_more_than_printed() -> None:
    printed = math.sqrt(2 * 0.9 / 0.1 * 10_000_000 * math.log(2**41 / 0.01))
    assert sizes.printed_distinct_key_rows(41, 10_000_000, 0.1, 0.01) == math.ceil(printed)
    assert sizes.distinct_key_rows(41, 10_000_000, 0.1, 0.01) == math.ceil(printed) + 1


def test_theorem_8() -> None:
    pairs = sizes.beta_separation_pairs(14, 0.8, 0.1, 0.01)
    assert pairs == math.ceil(16 / (0.8 * 0.01) * math.log(2**14 / 0.01))
    assert sizes.beta_separation_goal(1000, 0.8, 0.1) == 760


def test_lemma_6_fails_for_small_samples_as_printed_and_holds_as_mended() -> None:
    assert all_different(100, 2, 0.5) > math.exp(-(1 / 0.5 - 1) * 2**2 / 200)
    for n in (10, 100, 1000):
        for alpha in (0.2, 0.5, 0.9):
            for k in range(1, min(n, int(alpha * n)) + 1):
                bound = math.exp(-(1 / alpha - 1) * k * (k - 1) / (2 * n))
                assert all_different(n, k, alpha) <= bound * (1 + 1e-12)


def test_the_printed_size_of_theorem_7_misses_what_its_proof_needs_of_one_set() -> None:
    """Five bins of ten rows: the union bound has room, so it is the step that fails."""
    n, alpha, m, delta = 50, 0.1, 1, 0.9
    epsilon = 1 - alpha - 1e-9  # a set with five values is below 1 - epsilon
    printed = sizes.printed_distinct_key_rows(m, n, epsilon, delta)
    mended = sizes.distinct_key_rows(m, n, epsilon, delta)
    assert (printed, mended) == (3, 4)
    assert all_different(n, printed, alpha) == pytest.approx(0.5102, abs=1e-4)
    assert all_different(n, mended, alpha) < delta / 2**m < all_different(n, printed, alpha)


def test_a_sample_is_never_larger_than_the_table() -> None:
    assert sizes.distinct_key_rows(14, 100, 0.001, 0.01) == 100


def test_the_epsilon_of_a_sample_is_the_one_that_asks_for_it() -> None:
    pairs = sizes.separation_key_pairs(14, 0.01, 0.05)
    assert sizes.separation_key_epsilon(14, pairs, 0.05) == pytest.approx(0.01, rel=1e-3)
    rows = sizes.distinct_key_rows(14, 10**7, 0.1, 0.05)
    assert sizes.distinct_key_epsilon(14, 10**7, rows, 0.05) == pytest.approx(0.1, rel=1e-3)
    pairs = sizes.beta_separation_pairs(14, 0.8, 0.1, 0.05)
    assert sizes.beta_separation_epsilon(14, 0.8, pairs, 0.05) == pytest.approx(0.1, rel=1e-3)
    assert sizes.distinct_key_epsilon(14, 50, 50, 0.05) == 0


def test_masking_gives_up_the_share_of_beta_that_was_allowed() -> None:
    sample = sizes.masking_sample(14, 0.5, 0.1, 0.01)
    assert sizes.masking_beta(14, 0.5, sample, 0.01) == pytest.approx(0.45, rel=1e-3)
    assert sizes.masking_beta(14, 0.5, 10, 0.01) < 0


@pytest.mark.parametrize("tiny", [1e-9, 1e-200, 5e-324])
def test_no_epsilon_and_no_beta_is_too_small_for_a_size(tiny: float) -> None:
    assert sizes.separation_key_pairs(3, tiny, 0.1) > 10**9
    assert sizes.beta_separation_pairs(3, tiny, tiny, 0.1) == 10**18
    assert sizes.masking_sample(3, tiny, tiny, 0.1) == 10**18
    assert sizes.distinct_key_rows(3, 500, tiny, 0.1) == 500
    with pytest.raises(ColumnSetError, match="too small"):
        sizes.beta_separation_epsilon(3, tiny, 100, 0.1)


def test_five_thousand_columns_do_not_overflow() -> None:
    assert sizes.separation_key_pairs(5000, 0.1, 0.01) == math.ceil(
        (5000 * math.log(2) + math.log(100)) / -math.log(0.9)
    )


def test_a_sample_too_small_for_any_promise_says_what_is_enough() -> None:
    with pytest.raises(ColumnSetError, match="at least"):
        sizes.beta_separation_epsilon(14, 0.8, 50, 0.01)


@pytest.mark.parametrize("wrong", [0, 1, -0.1, 1.5, float("nan"), True, "a"])
def test_epsilon_and_delta_outside_0_and_1_are_refused(wrong: float) -> None:
    with pytest.raises(ParameterError, match="epsilon"):
        sizes.separation_key_pairs(3, wrong, 0.1)
    with pytest.raises(ParameterError, match="delta"):
        sizes.separation_key_pairs(3, 0.1, wrong)


@pytest.mark.parametrize("wrong", [0, -1, 1.01, float("nan"), True])
def test_a_beta_outside_0_and_1_is_refused(wrong: float) -> None:
    with pytest.raises(ParameterError, match="beta"):
        sizes.beta_separation_pairs(3, wrong, 0.1, 0.1)
