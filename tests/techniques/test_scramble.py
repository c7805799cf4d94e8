"""Scrambled rows."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa

from discreet.table.read import read
from discreet.techniques.change_rows import Scramble
from tests.techniques.made_table import column, people, rows


def test_the_rows_are_the_same_and_whole() -> None:
    table = people()
    assert Counter(rows(Scramble()(table, 1))) == Counter(rows(table))


def test_the_old_place_says_nothing_of_the_new() -> None:
    table = read(pa.table({"n": list(range(5000))}))
    after = column(Scramble()(table, 1), "n")
    assert abs(np.corrcoef(after, range(5000))[0, 1]) < 4 / 5000**0.5
