"""Shuffled columns, with and without their rank correlations."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import spearmanr

from discreet.errors import ParameterError, TechniqueError
from discreet.table.read import read
from discreet.table.table import Table
from discreet.techniques.swap import Shuffle
from tests.techniques.made_table import column, people

TABLE = people()


def _wide(rows: int = 4000) -> Table:
    """Three columns of numbers that go together, none of them normal."""
    rng = np.random.Generator(np.random.PCG64(5))
    x = rng.normal(size=rows)
    y = 0.7 * x + rng.normal(size=rows)
    z = -0.5 * x + 0.6 * y + rng.normal(size=rows)
    return read(pa.table({"x": np.exp(x), "y": y**3, "z": np.round(z, 1)}))


def _ranks(table: Table, one: str, two: str) -> float:
    return float(spearmanr(column(table, one), column(table, two)).statistic)


@pytest.mark.parametrize("given", [(), ("age",)])
def test_counts_are_kept_exactly(given: tuple[str, ...]) -> None:
    after = Shuffle(("pay",), given)(TABLE, 1)
    assert Counter(column(after, "pay")) == Counter(column(TABLE, "pay"))


def test_a_plain_shuffle_breaks_the_link() -> None:
    after = Shuffle(("pay",))(TABLE, 1)
    assert _ranks(TABLE, "age", "pay") > 0.7
    assert abs(_ranks(after, "age", "pay")) < 4 / 2000**0.5


def test_data_shuffling_keeps_rank_correlations() -> None:
    table = _wide()
    after = Shuffle(("y", "z"), given=("x",))(table, 1)
    for one, two in (("x", "y"), ("x", "z"), ("y", "z")):
        assert abs(_ranks(after, one, two) - _ranks(table, one, two)) < 0.04


def test_data_shuffling_leaves_no_link_beyond_the_given_columns() -> None:
    """Given x, the old and the new y are independent: their rank correlation is that through x."""
    table = _wide()
    after = Shuffle(("y",), given=("x",))(table, 1)
    own = float(spearmanr(column(table, "y"), column(after, "y")).statistic)
    assert abs(own - _ranks(table, "x", "y") ** 2) < 0.06


def test_missing_cells_stay_where_they_are() -> None:
    y = [None if n % 10 == 0 else float(n) for n in range(300)]
    x = [None if n % 7 == 0 else n for n in range(300)]
    after = column(Shuffle(("y",), given=("x",))(read(pa.table({"x": x, "y": y})), 1), "y")
    assert [value is None for value in after] == [value is None for value in y]
    assert Counter(after) == Counter(y)


def test_columns_without_order_are_shuffled_at_random_only() -> None:
    assert Counter(column(Shuffle(("job",))(TABLE, 1), "job")) == Counter(column(TABLE, "job"))
    with pytest.raises(TechniqueError, match="column 'job'"):
        Shuffle(("job",), given=("age",))(TABLE, 1)
    with pytest.raises(TechniqueError, match="column 'job'"):
        Shuffle(("age",), given=("job",))(TABLE, 1)


def test_a_column_is_not_both_shuffled_and_given() -> None:
    with pytest.raises(ParameterError, match="given"):
        Shuffle(("age",), given=("age",))
