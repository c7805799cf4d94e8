"""Rows held as numbers, as codes or as they are come out in the same order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from discreet.table import hashed_column, row_numbers, scramble


def order_rows(table: pa.Table, folder: Path, rows_per_batch: int = 90) -> pa.Table:
    batches = pa.RecordBatchReader.from_batches(
        table.schema, table.to_batches(max_chunksize=rows_per_batch)
    )
    return scramble.scramble_rows(batches, b"key", folder, "100MB").read_all()


@pytest.mark.parametrize(
    ("gather", "block"),
    [(200, 1 << 20), (16 << 20, 1 << 20), (16 << 20, 200)],
    ids=["in pieces", "at once", "counted"],
)
def test_numbers_codes_and_cells_give_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gather: int, block: int
) -> None:
    """New values come late, so that columns outgrow their bits; some are missing."""
    random = np.random.default_rng(5)
    numbers = (random.random(900) * np.linspace(2, 300, 900)).astype(int)
    texts = [None if number % 11 == 3 else f"t{number}" for number in numbers]
    table = pa.table({"a": texts, "b": numbers % 5, "c": [str(n % 3) for n in numbers]})
    monkeypatch.setattr(row_numbers, "GATHER", gather)
    monkeypatch.setattr(row_numbers, "BLOCK", block)
    held = order_rows(table, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(row_numbers.NumberedRows, "can_hold", lambda self, cells: False)
        as_codes = order_rows(table, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(hashed_column, "MOST_CODED", 20)
        as_cells = order_rows(table, tmp_path)
    assert held.to_pylist() == as_codes.to_pylist() == as_cells.to_pylist()
    assert held.column(0).chunk(0).dictionary == as_codes.column(0).chunk(0).dictionary
    rows = [tuple(row.values()) for row in table.to_pylist()]
    assert sorted(map(str, rows)) == sorted(str(tuple(row.values())) for row in held.to_pylist())


def test_rows_whose_first_bits_are_alike_are_ordered_among_themselves() -> None:
    random = np.random.default_rng(0)
    hashes = random.integers(0, 40, 300).astype(np.uint64) << np.uint64(55)
    second = random.permutation(300).astype(np.uint64)
    order = row_numbers.find_order(hashes, lambda some: second[some])
    assert order.tolist() == np.lexsort((second, hashes)).tolist()
