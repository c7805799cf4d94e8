from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from discreet.table import dictionary
from discreet.table.dictionary import Dictionary

batches = st.lists(st.lists(st.none() | st.text(max_size=2)), max_size=5)


def check_codes(batches):
    column = Dictionary()
    codes = [column.encode(pa.array(batch, pa.string())) for batch in batches]
    assert all(part.dtype == np.int32 for part in codes)
    back = [column.values[code] for part in codes for code in part]
    flat = [value for batch in batches for value in batch]
    assert back == flat
    assert list(column.values) == list(dict.fromkeys(flat))
    assert len(column) == len(set(flat))


@given(batches)
def test_codes_follow_first_appearance_and_lead_back_to_the_values(batches):
    check_codes(batches)


@given(batches)
def test_columns_with_very_many_values_are_coded_alike(batches):
    many, dictionary.MANY = dictionary.MANY, 2
    try:
        check_codes(batches)
    finally:
        dictionary.MANY = many


def test_the_missing_value_has_a_code_of_its_own():
    column = Dictionary()
    assert column.encode(pa.array([None, "", "NA"])).tolist() == [0, 1, 2]
    assert column.values == (None, "", "NA")


def test_dictionary_and_chunked_arrays_are_coded_too():
    column = Dictionary()
    assert column.encode(pa.array(["a", None, "a"]).dictionary_encode()).tolist() == [0, 1, 0]
    assert column.encode(pa.chunked_array([["b"], ["a"]])).tolist() == [2, 0]


@given(batches, st.booleans())
def test_arrays_that_come_as_dictionaries_are_coded_like_plain_ones(batches, many):
    """Their dictionaries hold values that no cell has, values twice, and missing ones."""
    before, dictionary.MANY = dictionary.MANY, 2 if many else dictionary.MANY
    plain, coded = Dictionary(), Dictionary()
    try:
        for batch in batches:
            held = ["unused", None, *batch, *reversed(batch)]
            places = [None if value is None else held.index(value, 2) for value in batch]
            places[::2] = [held.index(value) for value in batch[::2]]
            array = pa.DictionaryArray.from_arrays(
                pa.array(places, pa.int8()), pa.array(held, pa.string())
            )
            both = pa.concat_arrays([array] * 3)  # long enough for the values to be looked up once
            assert coded.encode(both).tolist() == plain.encode(both.cast(pa.string())).tolist()
    finally:
        dictionary.MANY = before
    assert coded.values == plain.values


def test_no_value_is_shown():
    column = Dictionary()
    column.encode(pa.array(["secret"]))
    assert "secret" not in repr(column)
