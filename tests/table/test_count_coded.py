"""Rows that come as dictionaries are counted as a plain count counts them."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.table import count_coded
from discreet.table.count_coded import count_coded_rows

ROWS = st.lists(
    st.tuples(st.sampled_from(["a", "b", None, ""]), st.integers(0, 40).map(str)), max_size=60
)


def code_rows(rows: list[tuple[str | None, str]]) -> pa.RecordBatch:
    """Rows as dictionaries that hold a value which no cell has."""
    columns = []
    for place in range(2):
        texts = ["unused", *dict.fromkeys(row[place] for row in rows if row[place] is not None)]
        places = [None if row[place] is None else texts.index(row[place]) for row in rows]
        columns.append(
            pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), pa.array(texts))
        )
    return pa.RecordBatch.from_arrays(columns, names=["x", "y"])


@pytest.mark.parametrize("run_bits", [3, 60], ids=["runs in parts", "no room for runs"])
@settings(max_examples=20, deadline=None)
@given(batches=st.lists(ROWS, min_size=1, max_size=4))
def test_each_different_row_comes_once_with_its_count(
    run_bits: int,
    batches: list[list[tuple[str | None, str]]],
) -> None:
    coded = [code_rows(rows) for rows in batches]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(count_coded, "BLOCK", 7)
        patch.setattr(count_coded, "RUN_BITS", run_bits)
        found = count_coded_rows(coded, coded[0].schema)
    assert found is not None
    listed = [tuple(row.values()) for row in found.to_pylist()]
    expected = Counter(row for rows in batches for row in rows)
    assert len(listed) == len(expected)
    assert {row[:2]: row[2] for row in listed} == expected


def test_what_takes_too_much_room_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [("a", str(number)) for number in range(100)]
    coded = [code_rows(rows), code_rows(rows)]
    monkeypatch.setattr(count_coded, "BLOCK", 10)
    assert count_coded_rows(coded, coded[0].schema, most=50) is None
    monkeypatch.setattr(count_coded, "BITS", 5)
    assert count_coded_rows(coded, coded[0].schema) is None
