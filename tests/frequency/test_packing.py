"""Packed keys hold every column's code, however many columns there are and however large."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.frequency.frequency_list import Packing


@pytest.mark.parametrize(
    "sizes",
    [
        pytest.param([1], id="one column of one value"),
        pytest.param([2, 3, 200], id="small columns"),
        pytest.param([1 << 32, 1 << 32], id="two halves of a word"),
        pytest.param([1 << 31] * 5, id="large columns, several words"),
        pytest.param([1 << 31, 2, 1 << 31, 2, 2], id="a column moves on rather than straddle"),
        pytest.param([7] * 100, id="a hundred columns"),
    ],
)
def test_what_is_packed_is_unpacked(sizes: list[int]) -> None:
    random = np.random.default_rng(0)
    most = [min(size, 1 << 31) for size in sizes]
    codes = [random.integers(size, size=50).astype(np.int32) for size in most]
    for code, size in zip(codes, most, strict=True):
        code[0], code[1] = size - 1, 0
    packing = Packing.of(sizes)
    keys = packing.pack(codes, 50)
    assert keys.shape == (packing.words, 50)
    for column, code in enumerate(codes):
        assert packing.unpack(keys, column).tolist() == code.tolist()


@pytest.mark.parametrize(("sizes", "words"), [([2] * 64, 1), ([2] * 65, 2), ([1 << 33] * 3, 3)])
def test_there_are_as_many_words_as_the_columns_need(sizes: list[int], words: int) -> None:
    assert Packing.of(sizes).words == words


def test_different_tuples_have_different_keys() -> None:
    codes = np.indices((3, 5, 2)).reshape(3, -1).astype(np.int32)
    keys = Packing.of([3, 5, 2]).pack(list(codes), codes.shape[1])
    assert len(np.unique(keys)) == 3 * 5 * 2


def test_small_neighbours_are_recoded_together() -> None:
    fields = Packing.of([8, 8, 8, 8, 5000]).fields
    assert [field.columns for field in fields] == [(0, 1, 2), (3,), (4,)]


def test_no_field_spans_two_words() -> None:
    packing = Packing.of([1 << 31, 1 << 31, 4, 4])
    assert [(f.word, f.columns) for f in packing.fields] == [
        (0, (0,)),
        (0, (1,)),
        (0, (2,)),
        (1, (3,)),
    ]


def test_no_columns_pack_into_empty_keys() -> None:
    assert Packing.of([]).pack([], 3).tolist() == [[0, 0, 0]]
