"""A table as codes: values keep their identity, and nothing else is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import EmptyTableError, UnknownColumnError
from discreet.identification.keys.coded_table import CodedTable
from discreet.identification.keys.kernels import refine_labels
from discreet.table.read import read


def test_equal_values_have_equal_codes_and_a_missing_value_is_a_value() -> None:
    table = CodedTable.of(pa.table({"zip": ["02138", None, "2138", None], "n": [1, 2, 1, 2]}))
    assert table.codes.dtype == np.int32
    assert table.codes.tolist() == [[0, 1, 2, 1], [0, 1, 0, 1]]
    assert table.sizes == (3, 2)


def test_only_the_named_columns_are_coded() -> None:
    table = CodedTable.of(pa.table({"a": [1], "b": [2], "c": [3]}), ["c", "a", "c"])
    assert table.columns == ("c", "a")


def test_a_file_is_read_in_one_pass_with_progress(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\n2,\n1,x\n")
    seen: list[int] = []
    table = CodedTable.of(read(path), progress=seen.append)
    assert (table.codes.tolist(), seen[-1]) == ([[0, 1, 0], [0, 1, 0]], 3)


def test_duplicates_are_counted_and_the_first_of_them_is_kept() -> None:
    frame = pa.table({"a": [1, 1, 2, 1, 2], "b": [5, 5, 5, 6, 5]})
    assert CodedTable.of(frame).duplicates == 2
    table = CodedTable.of(frame, drop_duplicates=True)
    assert (table.duplicates_removed, table.duplicates) == (2, 0)
    assert table.codes.tolist() == [[0, 1, 0], [0, 0, 1]]


def test_duplicates_are_judged_on_the_named_columns() -> None:
    frame = pa.table({"a": [1, 1, 2], "b": [5, 6, 7]})
    assert CodedTable.of(frame, ["a"], drop_duplicates=True).duplicates_removed == 1


def test_an_unknown_column_is_refused_with_a_guess() -> None:
    with pytest.raises(UnknownColumnError, match="Did you mean 'age'"):
        CodedTable.of(pa.table({"age": [1]}), ["agee"])


@pytest.mark.parametrize("columns", [None, ["a"]])
def test_a_table_without_rows_is_refused(columns: list[str] | None) -> None:
    with pytest.raises(EmptyTableError):
        CodedTable.of(pa.table({"a": pa.array([], pa.string())}), columns)


def test_no_columns_at_all_are_refused() -> None:
    with pytest.raises(EmptyTableError, match="no column was chosen"):
        CodedTable.of(pa.table({"a": [1]}), [])


def test_five_thousand_columns_and_columns_that_are_all_missing_are_coded() -> None:
    frame = pa.table({f"c{n}": pa.array([None, None], pa.string()) for n in range(5000)})
    table = CodedTable.of(frame)
    assert table.codes.shape == (5000, 2)
    assert set(table.sizes) == {1}
    assert table.duplicates == 1


def test_no_value_is_in_a_repr() -> None:
    assert "secret" not in repr(CodedTable.of(pa.table({"a": ["secret"]})))


@pytest.mark.parametrize("size", [3, 40_000])
def test_refined_labels_are_those_of_numpy_by_table_and_by_hash(size: int) -> None:
    draws = np.random.default_rng(size)
    labels = draws.integers(0, 50, 3000).astype(np.int32)
    column = draws.integers(0, size, 3000).astype(np.int32)
    found, classes = refine_labels(labels, column, 50, size)
    _, wanted = np.unique(labels.astype(np.int64) * size + column, return_inverse=True)
    assert classes == wanted.max() + 1
    assert len({*zip(found.tolist(), wanted.tolist(), strict=True)}) == classes


def test_a_csv_file_of_five_thousand_columns_is_read(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    lines = [",".join(f"c{n}" for n in range(5000))]
    lines += [",".join(str((n * row) % 3) for n in range(5000)) for row in range(4)]
    path.write_text("\n".join(lines) + "\n")
    table = CodedTable.of(path)
    assert table.codes.shape == (5000, 4)
    assert (table.sizes[0], table.sizes[4999]) == (1, 3)
