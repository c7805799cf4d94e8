"""Looking rows up among the classes of a node."""

from __future__ import annotations

import numpy as np
import pytest

from discreet.frequency.frequency_list import KeyIndex


@pytest.mark.parametrize("words", [1, 3])
@pytest.mark.parametrize("number", [1, 2, 5, 1000])
def test_every_key_is_found_in_its_place(words: int, number: int) -> None:
    keys = np.random.default_rng(number).integers(1 << 63, size=(words, number), dtype=np.uint64)
    assert KeyIndex(keys).find(keys).tolist() == list(range(number))


def test_a_key_that_is_not_there_is_minus_one() -> None:
    index = KeyIndex(np.array([[3, 5, 8]], dtype=np.uint64))
    assert index.find(np.array([[8, 4, 3, 0]], dtype=np.uint64)).tolist() == [2, -1, 0, -1]


def test_keys_that_differ_in_one_word_only_are_told_apart() -> None:
    keys = np.array([[1, 1, 2], [7, 9, 7]], dtype=np.uint64)
    wanted = np.array([[2, 1, 1, 2], [7, 9, 7, 9]], dtype=np.uint64)
    assert KeyIndex(keys).find(wanted).tolist() == [2, 1, 0, -1]


def test_an_empty_index_finds_nothing() -> None:
    index = KeyIndex(np.empty((1, 0), dtype=np.uint64))
    assert index.find(np.array([[1, 2]], dtype=np.uint64)).tolist() == [-1, -1]
