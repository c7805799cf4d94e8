"""Rank swapping: margins exactly, ranks to within p per cent."""

from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import ParameterError, TechniqueError
from discreet.table.read import read
from discreet.techniques.swap import RankSwap
from tests.techniques.made_table import column, people

TABLE = people()


@pytest.mark.parametrize("p", [0.1, 1, 5, 30, 100])
def test_no_value_moves_further_than_p_per_cent_of_the_ranks(p: float) -> None:
    before = np.random.Generator(np.random.PCG64(1)).permutation(2000)
    after = np.array(column(RankSwap(("x",), p)(read(pa.table({"x": before})), 1), "x"))
    assert sorted(after) == list(range(2000))
    moved = np.abs(after - before)
    assert moved.max() <= p * 2000 / 100
    assert (moved == 0).sum() <= 2


def test_no_two_neighbours_in_rank_are_kept_apart_for_ever() -> None:
    table = read(pa.table({"x": list(range(100))}))
    after = np.array([column(RankSwap(("x",), 10)(table, seed), "x") for seed in range(60)])
    crossed = [(after[:, :place] >= place).any() for place in range(1, 100)]
    assert all(crossed)


def test_of_rows_with_the_same_value_any_may_be_exchanged() -> None:
    table = read(pa.table({"x": [0] * 1000 + [1] * 1000}))
    after = np.array(column(RankSwap(("x",), 20)(table, 1), "x"))
    changed = np.flatnonzero(after[:1000] == 1)
    assert len(changed) > 30
    assert abs(changed.mean() - 500) < 4 * 289 / np.sqrt(len(changed))


def test_missing_cells_have_no_rank() -> None:
    values = [float(n) if n % 2 else None for n in range(400)]
    after = column(RankSwap(("x",), 5)(read(pa.table({"x": values})), 1), "x")
    assert [value is None for value in after] == [value is None for value in values]
    moved = [abs(a - b) / 2 for a, b in zip(after, values, strict=True) if a is not None]
    assert max(moved) <= 0.05 * 200


def test_correlation_suffers_less_from_a_smaller_p() -> None:
    def correlation(table: object) -> float:
        return float(np.corrcoef(column(table, "age"), column(table, "pay"))[0, 1])  # type: ignore[arg-type]

    before = correlation(TABLE)
    lost = [abs(before - correlation(RankSwap(("pay",), p)(TABLE, 1))) for p in (2, 20, 100)]
    assert lost[0] < 0.01 < lost[1] < lost[2]


@pytest.mark.parametrize("typed", [False, True])
def test_dates_have_ranks_and_texts_of_numbers_are_ordered_as_numbers(typed: bool) -> None:
    start = datetime.date(1999, 12, 1)
    days = [start + datetime.timedelta(days=n) for n in range(100)]
    dates = pa.array(days) if typed else pa.array([day.isoformat() for day in days])
    table = read(pa.table({"born": dates, "n": [str(n) for n in range(100)]}))
    after = RankSwap(("born", "n"), 3)(table, 1)
    born = [datetime.date.fromisoformat(str(day)) for day in column(after, "born")]
    assert max(abs((new - old).days) for new, old in zip(born, days, strict=True)) <= 3
    numbers = [int(value) for value in column(after, "n")]
    assert max(abs(value - place) for place, value in enumerate(numbers)) <= 3


@pytest.mark.parametrize("kind", [pa.string(), pa.null(), pa.date32()])
def test_a_column_of_missing_cells_stays(kind: pa.DataType) -> None:
    table = read(pa.table({"x": pa.nulls(5, kind)}))
    assert column(RankSwap(("x",))(table, 1), "x") == [None] * 5


def test_a_column_without_order_is_refused_by_name_and_without_a_value() -> None:
    with pytest.raises(TechniqueError, match="rank_swap: column 'job'") as caught:
        RankSwap(("job",))(TABLE, 1)
    assert "nurse" not in str(caught.value)


def test_codes_with_a_first_zero_are_no_numbers() -> None:
    with pytest.raises(TechniqueError, match="'zip' holds values without an order"):
        RankSwap(("zip",))(TABLE, 1)


def test_a_reach_of_less_than_one_rank_is_refused() -> None:
    with pytest.raises(TechniqueError, match="p of at least 10"):
        RankSwap(("x",), 5)(read(pa.table({"x": list(range(10))})), 1)


@pytest.mark.parametrize("p", [0, -1, 101])
def test_p_is_a_percentage(p: float) -> None:
    with pytest.raises(ParameterError, match="'p'"):
        RankSwap(("x",), p)
