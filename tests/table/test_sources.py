from __future__ import annotations

import datetime as dt
import decimal
import os
import sqlite3

import openpyxl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from discreet.errors import EmptyTableError, SourceError
from discreet.table.read import read

ROWS = pa.table(
    {
        "zip": ["02138", None, ""],
        "age": pa.array([31, 2, None], pa.int16()),
        "x": [1.0, 0.5, None],
        "born": pa.array([dt.date(2020, 1, 2), None, dt.date(1999, 12, 31)]),
        "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
    }
)
TEXT = {
    "zip": ["02138", None, None],
    "age": ["31", "2", None],
    "x": ["1.0", "0.5", None],
    "born": ["2020-01-02", None, "1999-12-31"],
    "kind": ["a", "b", "a"],
}


def text(table):
    return table.scan(text=table.columns).read_all().to_pydict()


def types(table):
    return [str(kind) for kind in table.scan(native=table.columns).schema.types]


@pytest.fixture
def files(tmp_path):
    pa.parquet.write_table(ROWS, tmp_path / "x.parquet")
    pa.feather.write_feather(ROWS, tmp_path / "x.feather")
    with pa.ipc.new_stream(tmp_path / "x.arrow", ROWS.schema) as out:
        out.write_table(ROWS)
    return tmp_path


@pytest.mark.parametrize("name", ["x.parquet", "x.feather", "x.arrow"])
def test_typed_files_give_their_text_and_keep_their_types(files, name):
    table = read(files / name)
    assert text(table) == TEXT
    assert types(table) == ["string", "int16", "double", "date32[day]", "string"]
    assert table.path == files / name and table.dialect is None


def test_a_folder_name_that_looks_like_a_partition_adds_no_column(tmp_path):
    folder = tmp_path / "year=2020"
    folder.mkdir()
    pa.parquet.write_table(ROWS.select(["zip"]), folder / "x.parquet")
    assert read(folder / "x.parquet").columns == ("zip",)


def test_parquet_rows_keep_their_order(tmp_path):
    numbers = pa.table({"n": range(300_000)})
    pa.parquet.write_table(numbers, tmp_path / "n.parquet", row_group_size=5_000)
    rows = read(tmp_path / "n.parquet").scan(native=["n"]).read_all()
    assert rows.column("n").equals(numbers.column("n"))


@pytest.mark.parametrize("ending", ["parquet", "feather", "arrow", "xlsx", "sqlite", "db"])
@pytest.mark.parametrize("data", [b"", b"nonsense " * 200])
def test_a_damaged_file_is_an_error(tmp_path, ending, data):
    path = tmp_path / f"bad.{ending}"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"bad\."):
        read(path)


def test_frames_are_read_without_their_index():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"zip": ["02138", None], "n": [1, 2]}, index=[7, 8])
    assert text(read(frame)) == {"zip": ["02138", None], "n": ["1", "2"]}
    assert read(frame).name == "pandas frame" and read(frame).path is None


def test_a_pandas_column_of_mixed_objects_becomes_text():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1, "x", None]}, dtype=object)
    assert text(read(frame)) == {"a": ["1", "x", None]}


def test_pandas_columns_that_share_a_name_are_an_error():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(SourceError, match="name of another column"):
        read(pandas.DataFrame([[1, 2]], columns=["a", "a"]))


def test_polars_frames_are_read_lazy_or_not():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"zip": ["02138", None]})
    for each in (frame, frame.lazy()):
        assert text(read(each)) == {"zip": ["02138", None]}


def test_arrow_frames_are_read_again_and_again():
    for frame in (ROWS, ROWS.to_batches()[0], ROWS.to_reader()):
        table = read(frame)
        assert text(table) == text(table) == TEXT


def test_what_is_no_table_is_an_error():
    with pytest.raises(SourceError, match="list is not a table"):
        read([1, 2])


# Excel


def workbook(path, *rows, sheets=1):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for number in range(1, sheets):
        book.create_sheet(f"more {number}")
    book.save(path)
    return path


def test_excel_cells_read_as_they_are_meant(tmp_path):
    path = workbook(
        tmp_path / "x.xlsx",
        ["n", "x", "born", "at", "yes", "t"],
        [31.0, 1.5, dt.date(2020, 1, 2), dt.datetime(2020, 1, 1, 3, 4), True, " 02138 "],
        [None, 2, dt.date(2020, 1, 3), dt.datetime(2020, 1, 1), False, None],
        [],
    )
    table = read(path)
    assert text(table) == {
        "n": ["31", None],
        "x": ["1.5", "2"],
        "born": ["2020-01-02", "2020-01-03"],
        "at": ["2020-01-01 03:04:00", "2020-01-01"],
        "yes": ["TRUE", "FALSE"],
        "t": [" 02138 ", None],
    }
    assert types(table) == ["int64", "double", "date32[day]", "timestamp[us]", "bool", "string"]


def test_a_zip_code_kept_as_a_padded_number_keeps_its_zero(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["zip"])
    book.active.append([2138])
    book.active["A2"].number_format = "00000"
    book.save(tmp_path / "x.xlsx")
    assert text(read(tmp_path / "x.xlsx")) == {"zip": ["02138"]}


def test_one_of_several_sheets_must_be_named(tmp_path):
    path = workbook(tmp_path / "x.xlsx", ["a"], [1], sheets=2)
    with pytest.raises(SourceError, match=r"2 sheets.*Sheet, more 1"):
        read(path)
    assert text(read(path, sheet="Sheet")) == {"a": ["1"]}
    with pytest.raises(EmptyTableError):
        read(path, sheet="more 1")
    with pytest.raises(SourceError, match="Did you mean 'Sheet'"):
        read(path, sheet="Shet")


def test_cells_beyond_the_names_are_an_error(tmp_path):
    with pytest.raises(SourceError, match="line 3"):
        read(workbook(tmp_path / "x.xlsx", ["a"], [1], [1, 2]))


# SQLite


@pytest.fixture
def database(tmp_path):
    connection = sqlite3.connect(tmp_path / "x.db")
    connection.execute("CREATE TABLE people (zip TEXT, n INTEGER, x REAL, mixed)")
    connection.executemany(
        "INSERT INTO people VALUES (?, ?, ?, ?)",
        [("02138", 9, 1.0, 1), ("a", 1, 0.1 + 0.2, "t"), (None, None, None, None)],
    )
    connection.execute("CREATE INDEX i ON people (n)")
    connection.commit()
    yield connection
    connection.close()


def test_sqlite_gives_text_and_types_in_the_order_of_the_table(tmp_path, database):
    table = read(tmp_path / "x.db")
    assert text(table) == {
        "zip": ["02138", "a", None],
        "n": ["9", "1", None],
        "x": ["1.0", "0.30000000000000004", None],
        "mixed": ["1", "t", None],
    }
    assert types(table) == ["string", "int64", "double", "string"]
    assert table.scan(native=["n"]).read_all().to_pydict() == {"n": [9, 1, None]}


def test_one_of_several_tables_must_be_named(tmp_path, database):
    database.execute("CREATE VIEW some AS SELECT zip FROM people")
    database.commit()
    with pytest.raises(SourceError, match=r"2 tables.*people, some"):
        read(tmp_path / "x.db")
    assert read(tmp_path / "x.db", sheet="some").columns == ("zip",)
    with pytest.raises(SourceError, match="Did you mean 'people'"):
        read(tmp_path / "x.db", sheet="peopl")


def test_text_of_a_database_that_is_not_utf8_is_an_error_without_it(tmp_path, database):
    database.execute("INSERT INTO people VALUES (CAST(x'736563726574ff' AS TEXT), 1, 1, 1)")
    database.commit()
    with pytest.raises(SourceError) as caught:
        text(read(tmp_path / "x.db"))
    assert "secret" not in str(caught.value) and caught.value.__context__ is None


@pytest.mark.parametrize("kind", ["parquet", "feather", "frame"])
def test_columns_that_differ_only_by_case_are_not_mixed_up(tmp_path, kind):
    rows = pa.table({"age": [1, 2], "Age": ["x", "y"], "AGE": [None, 3.5]})
    source = rows if kind == "frame" else tmp_path / f"rows.{kind}"
    if kind == "parquet":
        pyarrow.parquet.write_table(rows, source)
    if kind == "feather":
        pyarrow.feather.write_feather(rows, source)
    found = read(source).scan(text=["Age", "AGE"], native=["age"]).read_all()
    assert [column.to_pylist() for column in found.columns] == [["x", "y"], [None, "3.5"], [1, 2]]


def test_decimals_that_would_be_rounded_are_refused(tmp_path):
    digits = pa.array([decimal.Decimal(10) ** 50 + 1], pa.decimal256(60, 0))
    pa.parquet.write_table(pa.table({"a": ["x"], "sum": digits}), tmp_path / "x.parquet")
    with pytest.raises(SourceError, match="'sum' has decimals of more than 38 digits"):
        read(tmp_path / "x.parquet")


@pytest.mark.parametrize("ending", ["csv", "parquet", "feather"])
def test_a_file_name_that_is_not_utf8_is_told(tmp_path, ending):
    path = os.fsencode(tmp_path) + b"/b\xffd." + ending.encode()
    try:
        with open(path, "wb") as file:  # noqa: PTH123 (a name of bytes)
            file.write(b"a,b\n1,2\n")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    with pytest.raises(SourceError, match="this name is not UTF-8 text") as told:
        read(os.fsdecode(path))
    str(told.value).encode()
