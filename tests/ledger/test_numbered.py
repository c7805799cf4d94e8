"""Numbers for lines of numbers."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.ledger.fingerprints import number_lines
from discreet.ledger.whole_table import find_places


@pytest.mark.parametrize("high", [3, 2**40, 2**62, 2**63 - 1])
def test_lines_have_the_same_number_where_they_are_the_same(high: int) -> None:
    draw = np.random.default_rng(5)
    columns = [draw.choice(np.array([-1, 0, 1, high]), 500) for _ in range(4)]
    _, wanted = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    found = number_lines(columns)
    assert (
        len(set(zip(found.tolist(), wanted.reshape(-1).tolist(), strict=True))) == found.max() + 1
    )


def test_keys_of_any_size_are_found_again() -> None:
    keys = np.array([[2**64 - 1, 0], [2**63, 1], [0, 2**64 - 2]], dtype=np.uint64)
    wanted = np.array([[0, 2**64 - 2], [2**64 - 1, 0], [1, 1]], dtype=np.uint64)
    assert find_places(keys, wanted).tolist() == [2, 0, -1]


def test_no_lines_have_no_numbers() -> None:
    assert number_lines([np.zeros(0, dtype=np.int64)] * 2).tolist() == []
