"""Tables of thousands of columns, which the engine cannot take at once."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from discreet.errors import SourceError, UnknownColumnError, WriteError
from discreet.table import engine
from discreet.table.files import sqlite
from discreet.table.files.parquet import SLICE, scan_slices
from discreet.table.read import read
from discreet.table.table import Table
from discreet.table.write import write

WIDE = pa.table({f"col{n}": [f"0{n % 7}", None, f"{n}"] for n in range(5000)})
SOME = WIDE.select(range(2 * SLICE + 50))
"""Columnar files are read alike in three slices and in thirteen; the tests need not wait."""


def saved(path):
    if path.suffix == ".csv":
        rows = [",".join(cell or "" for cell in row.values()) for row in WIDE.to_pylist()]
        path.write_text("\n".join([",".join(WIDE.column_names), *rows]) + "\n")
    elif path.suffix == ".parquet":
        pa.parquet.write_table(SOME, path)
    else:
        pa.feather.write_feather(SOME, path)
    return path


def opened(ending, tmp_path):
    return read(SOME if ending == "frame" else saved(tmp_path / f"wide.{ending}"))


@pytest.mark.parametrize("ending", ["csv", "parquet", "feather", "frame"])
def test_wide_tables_are_read(tmp_path, ending):
    table = opened(ending, tmp_path)
    rows = WIDE if ending == "csv" else SOME
    assert table.columns == tuple(rows.column_names)
    assert table.scan(text=table.columns).read_all().equals(rows)


def test_few_columns_of_a_wide_file_are_read(tmp_path):
    table = opened("csv", tmp_path)
    found = table.scan(text=["col4999", "col0"], native=["col4999"]).read_all()
    assert [column.to_pylist()[2] for column in found.columns] == ["4999", "0", "4999"]


def test_an_unknown_column_of_a_wide_table_is_named():
    with pytest.raises(UnknownColumnError, match="col5000"):
        read(WIDE).scan(text=["col1", "col5000"])


def test_texts_and_native_columns_keep_their_places_across_slices():
    frame = pa.table({f"c{n}": [n, n + 1] for n in range(SLICE + 9)})
    table = read(frame)
    found = table.scan(text=table.columns[:-3], native=table.columns[2:]).read_all()
    texts = SLICE + 6
    assert [str(kind) for kind in found.schema.types] == ["string"] * texts + ["int64"] * (
        texts + 1
    )
    expected = [str(n) for n in range(texts)] + list(range(2, SLICE + 9))
    assert [column[0].as_py() for column in found.columns] == expected


class Uneven:
    """Batches of other sizes in every slice; the second slice may lack rows."""

    def __init__(self, rows):
        self.rows = list(rows)

    def __call__(self, text, native, rows_per_batch):
        rows = self.rows.pop(0)
        step = 1 + len(self.rows)
        batches = [
            pa.record_batch([pa.array(range(n, min(n + step, rows)))] * len(text),
                            names=[f"c{i}" for i in range(len(text))])
            for n in range(0, rows, step)
        ]  # fmt: skip
        return pa.RecordBatchReader.from_batches(batches[0].schema, batches)


def test_slices_with_batches_of_other_sizes_are_put_side_by_side():
    found = scan_slices(Uneven([10, 10]), range(SLICE + 1), (), 5, "t").read_all()
    assert found.num_rows == 10
    assert all(column.to_pylist() == list(range(10)) for column in found.columns)


def test_a_source_that_loses_rows_between_slices_is_an_error():
    with pytest.raises(SourceError, match="number of rows changed"):
        scan_slices(Uneven([10, 9]), range(SLICE + 1), (), 5, "t").read_all()


class Asked:
    """A source that only notes how many rows a batch may have."""

    def scan(self, text, native, rows_per_batch):
        self.rows = rows_per_batch
        return pa.table({f"c{n}": ["x"] for n in range(len(text))}).to_reader()


@pytest.mark.parametrize(("columns", "rows"), [(2, 131_072), (100, 131_072), (5000, 3355)])
def test_a_batch_of_many_columns_has_fewer_rows(columns, rows):
    source = Asked()
    table = Table("t", tuple(f"c{n}" for n in range(columns)), source)
    table.scan(text=table.columns)
    assert source.rows == rows


def test_a_first_line_longer_than_the_sample_is_read_whole(tmp_path):
    names = [f"{'n' * 1500}{n}" for n in range(3000)]
    path = tmp_path / "t.csv"
    path.write_text(",".join(names) + "\n" + ",".join("1" * len(names)) + "\n")
    table = read(path)
    assert table.columns == tuple(names)
    assert table.scan(text=names[-1:]).read_all().num_rows == 1


def test_too_little_memory_is_called_that(tmp_path, monkeypatch):
    monkeypatch.setattr(engine.borrow_connection, "__defaults__", ("100KB",))
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "1,2\n" * 10)
    with pytest.raises(SourceError, match=r"t\.csv: a few thousand rows need more than"):
        read(path).scan(text=["a"]).read_all()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_more_columns_than_an_expression_may_nest_are_written(tmp_path, ending):
    rows = WIDE.select(range(1100))
    write(rows.to_reader(), tmp_path / f"o.{ending}", order_key=b"k", check=lambda path: None)
    table = read(tmp_path / f"o.{ending}")
    found = table.scan(text=table.columns).read_all()
    assert sorted(map(str, found.to_pylist())) == sorted(map(str, rows.to_pylist()))


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["Age", "age"], "'Age' and 'age' for the same"),
        ([f"c{n}" for n in range(sqlite.MOST_COLUMNS + 1)], "at most 2,000 columns"),
    ],
)
def test_columns_that_sqlite_refuses_are_told(tmp_path, names, told):
    rows = pa.table([["x"]] * len(names), names=names)
    target = tmp_path / "o.sqlite"
    with pytest.raises(WriteError, match=told):
        write(rows.to_reader(), target, order_key=None, check=lambda path: None)
    assert list(tmp_path.iterdir()) == []
