"""Non-uniform entropy, worked out by hand."""

from __future__ import annotations

from math import log2

import pytest

from discreet.measures import NonUniformEntropy
from tests.measures.hand import measured, town

ZIP_BITS = (4 * log2(8 / 4) + 2 * log2(8 / 2) + 2 * log2(8 / 1)) / 8
"""Zip codes 4, 2, 1, 1 times: 1.75 bits a row; sex has 1."""


def test_no_bit_is_lost_at_the_ground_and_all_at_the_top() -> None:
    assert measured(NonUniformEntropy(), (0, 0)) == pytest.approx(0)
    assert measured(NonUniformEntropy(), (2, 1)) == pytest.approx(1)


def test_a_value_costs_the_bits_that_its_group_leaves_open() -> None:
    """Of six rows 0213* four cost log2(6/4) and two log2(6/2); of two 0214* each costs 1 bit."""
    lost = (4 * log2(6 / 4) + 2 * log2(6 / 2) + 2 * log2(2)) / 8
    assert measured(NonUniformEntropy(), (1, 0)) == pytest.approx(lost / ZIP_BITS / 2)


def test_a_suppressed_row_costs_as_much_as_at_the_root() -> None:
    """The single rows go: zip 02139 twice, 02141 and 02142; sex of all four."""
    zip_lost = (2 * log2(8 / 2) + 2 * log2(8 / 1)) / 8 / ZIP_BITS
    sex_lost = 4 * log2(8 / 4) / 8 / 1
    expected = (zip_lost + sex_lost) / 2
    assert measured(NonUniformEntropy(), (0, 0), below=2) == pytest.approx(expected)


def test_column_weights_count() -> None:
    tables = town(weights=[3, 1])
    assert measured(NonUniformEntropy(), (0, 1), tables=tables) == pytest.approx(1 / 4)
