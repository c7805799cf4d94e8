"""All minimal sets against trying every set, on small random tables."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import ColumnSetError
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.minimal_sets import METHODS, Method, MinimalSets
from discreet.identification.keys.minimum_key import MEASURES, Measure

NAMES = "abcdefg"


@st.composite
def tables(draw: Any) -> list[list[int]]:
    columns = draw(st.integers(1, len(NAMES)))
    rows = draw(st.integers(1, 25))
    values = draw(st.integers(1, 4))
    return draw(
        st.lists(
            st.lists(st.integers(0, values), min_size=rows, max_size=rows),
            min_size=columns,
            max_size=columns,
        )
    )


def ratio(codes: list[list[int]], places: tuple[int, ...], measure: Measure) -> Fraction:
    """By the definitions of section 1.1, with nothing of the package."""
    rows = len(codes[0])
    seen = Counter(tuple(codes[place][row] for place in places) for row in range(rows))
    if measure == "distinct":
        return Fraction(len(seen), rows)
    pairs = rows * (rows - 1) // 2
    alike = sum(count * (count - 1) // 2 for count in seen.values())
    return Fraction(pairs - alike, pairs) if pairs else Fraction(1)


def brute(
    codes: list[list[int]], measure: Measure, beta: Fraction, most: int | None
) -> set[frozenset[int]]:
    found = set[frozenset[int]]()
    for size in range(len(codes) + 1 if most is None else most + 1):
        for places in combinations(range(len(codes)), size):
            new = not any(one <= set(places) for one in found)
            if new and ratio(codes, places, measure) >= beta:
                found.add(frozenset(places))
    return found


def sets_of(codes: list[list[int]], search: MinimalSets) -> set[frozenset[int]]:
    table = CodedTable.of_codes(list(NAMES[: len(codes)]), codes)
    found = search(table)
    assert found.complete
    given = [frozenset(map(NAMES.index, one.columns)) for one in found.sets]
    assert len(set(given)) == len(given)
    return set(given)


@pytest.mark.parametrize("method", METHODS)
@given(codes=tables(), most=st.none() | st.integers(1, 4), samples=st.lists(st.integers(1, 9)))
@settings(max_examples=60, deadline=None)
def test_all_minimal_keys_are_found_and_no_other_set(
    method: Method, codes: list[list[int]], most: int | None, samples: list[int]
) -> None:
    search = MinimalSets(max_size=most, method=method, samples=samples)
    if ratio(codes, tuple(range(len(codes))), "distinct") < 1:
        with pytest.raises(ColumnSetError, match="no set of columns is a key"):
            sets_of(codes, search)
        codes = np.unique(np.array(codes), axis=1).tolist()
    assert sets_of(codes, search) == brute(codes, "distinct", Fraction(1), most)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("measure", MEASURES)
@given(codes=tables(), tenths=st.integers(1, 9), most=st.none() | st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_all_minimal_quasi_identifiers_are_found_and_no_other_set(
    method: Method, measure: Measure, codes: list[list[int]], tenths: int, most: int | None
) -> None:
    search = MinimalSets(measure, tenths / 10, most, method)
    beta = Fraction(tenths, 10)
    if ratio(codes, tuple(range(len(codes))), measure) < beta:
        with pytest.raises(ColumnSetError, match="no set of columns reaches"):
            sets_of(codes, search)
    else:
        assert sets_of(codes, search) == brute(codes, measure, beta, most)


@given(seed=st.integers(0, 1000), beta=st.sampled_from([0.5, 0.9, 1.0]))
@settings(max_examples=15, deadline=None)
def test_both_methods_agree_on_more_columns_than_a_word_has_bits(seed: int, beta: float) -> None:
    draws = np.random.default_rng(seed)
    codes = np.zeros((70, 12), dtype=np.int32)
    some = draws.choice(70, 8, replace=False)
    codes[some] = draws.integers(0, 3, (8, 12))
    codes[some[0]] = np.arange(12) // 2
    codes[69] |= np.arange(12, dtype=np.int32) % 2
    table = CodedTable.of_codes([str(column) for column in range(70)], codes)
    if beta == 1:
        table = table.without_duplicates()
    both = [
        {one.columns for one in MinimalSets("distinct", beta, 2, method)(table).sets}
        for method in METHODS
    ]
    assert both[0] == both[1]


@given(codes=tables(), measure=st.sampled_from(MEASURES), tenths=st.integers(1, 9))
@settings(max_examples=40, deadline=None)
def test_the_figures_of_a_set_are_those_of_the_definitions(
    codes: list[list[int]], measure: Measure, tenths: int
) -> None:
    table = CodedTable.of_codes(list(NAMES[: len(codes)]), codes)
    try:
        sets = MinimalSets(measure, tenths / 10)(table).sets
    except ColumnSetError:
        return
    for one in sets:
        places = tuple(map(NAMES.index, one.columns))
        seen = Counter(tuple(codes[place][row] for place in places) for row in range(len(codes[0])))
        assert one.distinct_ratio == float(ratio(codes, places, "distinct"))
        assert one.separation_ratio == pytest.approx(float(ratio(codes, places, "separation")))
        assert one.uniques == sum(count == 1 for count in seen.values())
        shares = np.array(list(seen.values())) / len(codes[0])
        assert one.entropy == pytest.approx(float(-(shares * np.log2(shares)).sum()), abs=1e-9)
