"""Swapped values: what is counted stays, what is linked does not."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import ParameterError
from discreet.table.read import read
from discreet.techniques.swap import Swap, exchange_rows
from tests.techniques.made_table import column, people

TABLE = people()


def _pairs(table: object, one: str, two: str) -> Counter[object]:
    return Counter(zip(column(table, one), column(table, two), strict=True))  # type: ignore[arg-type]


def test_margins_and_the_combinations_of_a_unit_are_kept_exactly() -> None:
    after = Swap(("zip", "age"))(TABLE, 1)
    assert _pairs(after, "zip", "age") == _pairs(TABLE, "zip", "age")
    assert _pairs(after, "zip", "job") != _pairs(TABLE, "zip", "job")


def test_single_columns_keep_margins_but_not_their_combinations() -> None:
    after = Swap(("zip", "age"), unit=False)(TABLE, 1)
    for name in ("zip", "age"):
        assert Counter(column(after, name)) == Counter(column(TABLE, name))
    assert _pairs(after, "zip", "age") != _pairs(TABLE, "zip", "age")


def test_counts_inside_the_strata_are_kept_exactly() -> None:
    after = Swap(("zip", "age"), within=("region",))(TABLE, 1)
    assert _pairs(after, "region", "zip") == _pairs(TABLE, "region", "zip")
    assert _pairs(after, "region", "age") == _pairs(TABLE, "region", "age")


def test_a_whole_swap_leaves_no_row_its_own_values() -> None:
    table = read(pa.table({"id": list(range(501)), "x": list(range(501))}))
    after = column(Swap(("x",))(table, 1), "x")
    assert all(place != value for place, value in enumerate(after))
    assert sorted(after) == list(range(501))


def test_values_are_exchanged_in_pairs() -> None:
    table = read(pa.table({"x": list(range(500))}))
    after = column(Swap(("x",))(table, 1), "x")
    assert all(after[value] == place for place, value in enumerate(after))


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_the_share_of_rows_that_move_is_the_one_asked_for(share: float) -> None:
    table = read(pa.table({"x": list(range(1000)), "s": [n % 7 for n in range(1000)]}))
    after = column(Swap(("x",), share=share, within=("s",))(table, 1), "x")
    moved = sum(place != value for place, value in enumerate(after))
    assert abs(moved - share * 1000) <= 8  # pairs, and one group of three in each stratum


def test_the_rows_that_move_are_drawn_from_all_strata() -> None:
    strata = np.repeat(np.arange(5), 200)
    table = read(pa.table({"x": np.arange(1000), "s": strata}))
    after = np.array(column(Swap(("x",), share=0.5, within=("s",))(table, 1), "x"))
    moved = np.bincount(strata, weights=after != np.arange(1000))
    assert (np.abs(moved - 100) <= 57).all()  # four standard deviations


def test_rows_without_a_partner_are_told_of() -> None:
    table = read(pa.table({"x": [1, 2, 3, 4], "s": ["a", "a", "b", "c"]}))
    told = ("swap: 2 rows are alone in a stratum and not swapped.",)
    assert Swap(("x",), within=("s",))(table, 1).notices == told
    few = ("swap: nothing was swapped, as there are too few pairs.",)
    assert Swap(("x",), share=0.1)(table, 1).notices == few
    assert not Swap(("x",))(table, 1).notices


def test_a_missing_cell_moves_with_its_unit_and_an_empty_unit_stays() -> None:
    table = read(pa.table({"a": ["x", None, None], "b": [None, "y", None]}))
    after = Swap(("a", "b"))(table, 1)
    assert column(after, "a") == [None, "x", None]
    assert column(after, "b") == ["y", None, None]
    assert any("1 missing cell" in notice for notice in after.notices)


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_rows_are_dealt_out_once_inside_their_stratum(strata: list[int], seed: int) -> None:
    codes = np.array(strata, dtype=np.int64)
    source = exchange_rows(codes, 1.0, np.random.Generator(np.random.PCG64(seed)))
    assert sorted(source.tolist()) == list(range(len(codes)))
    assert (codes[source] == codes).all()
    alone = np.bincount(codes, minlength=6)[codes] == 1
    assert ((source == np.arange(len(codes))) == alone).all()


def test_a_column_is_not_both_swapped_and_held() -> None:
    with pytest.raises(ParameterError, match="within"):
        Swap(("zip",), within=("zip",))
