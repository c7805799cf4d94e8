"""Samples: sizes exactly, chances alike."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import ParameterError
from discreet.table.read import read
from discreet.techniques.change_rows import SampleRows
from tests.techniques.made_table import column, people, rows

TABLE = people()
SMALL = read(pa.table({"n": list(range(60)), "s": ["a"] * 41 + ["b"] * 16 + ["c"] * 3}))


@pytest.mark.parametrize("within", [(), ("s",)])
def test_the_size_is_exact_and_rows_are_real_and_in_order(within: tuple[str, ...]) -> None:
    found = column(SampleRows(0.2, within)(SMALL, 1), "n")
    assert len(found) == 12
    assert found == sorted(set(found))


def test_each_stratum_gives_its_share_to_within_one_row() -> None:
    sizes = Counter(column(TABLE, "zip"))
    found = Counter(column(SampleRows(0.15, ("zip",))(TABLE, 1), "zip"))
    assert all(abs(found[zip_] - 0.15 * size) < 1.0001 for zip_, size in sizes.items())


@pytest.mark.parametrize("within", [(), ("s",)])
def test_every_row_has_the_same_chance(within: tuple[str, ...]) -> None:
    draws = 600
    counts = np.zeros(60)
    for seed in range(draws):
        counts[column(SampleRows(0.2, within)(SMALL, seed), "n")] += 1
    sd = np.sqrt(0.2 * 0.8 / draws)
    assert np.abs(counts / draws - 0.2).max() < 4.5 * sd


def test_all_rows_are_the_table() -> None:
    assert rows(SampleRows(1.0)(TABLE, 1)) == rows(TABLE)


def test_a_share_that_leaves_no_row_is_refused() -> None:
    with pytest.raises(ParameterError, match="at least one row"):
        SampleRows(0.001)(SMALL, 1)
