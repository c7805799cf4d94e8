"""Formats beside CSV and Parquet files: what they hold is read as it is, or refused by name."""

from __future__ import annotations

import bz2
import datetime as dt
import decimal
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from discreet.errors import EmptyTableError, SourceError, WriteError
from discreet.pipeline.anonymize import anonymize
from discreet.pipeline.verify import verify
from discreet.policy.policy import Policy
from discreet.table.read import read
from discreet.table.table import Table
from discreet.table.write import write

ENDINGS = (".csv.bz2", ".csv.zip", ".jsonl", ".jsonl.zip", ".ndjson.zst", ".duckdb", ".dta", ".sav")
PRIVATE = "Zq7marker"
ROWS = pa.table({
    "zip": ["02138", "02139", None, ""],
    "big": pa.array([2**53 + 1, 1, None, -5]),
    "x": [1.5, 2.0, None, -0.25],
    "flag": [True, False, None, True],
    "born": pa.array([dt.date(2020, 1, 2), None, dt.date(1850, 1, 1), dt.date(1, 1, 1)]),
    "seen": pa.array([dt.datetime(2020, 1, 2, 3, 4, 5, 123000), *[None] * 3], pa.timestamp("us")),
    "zone": pa.array([dt.datetime(2020, 1, 2, tzinfo=dt.UTC)] * 4, pa.timestamp("us", "UTC")),
    "cost": pa.array([decimal.Decimal("1.25"), None, decimal.Decimal("-3.75"), None]),
    "note": ['a "q", \\ é\nx', "", "'", None],
})  # fmt: skip


def read_text(table: Table) -> dict[str, Any]:
    return table.scan(text=table.columns).read_all().to_pydict()


def save(rows: pa.Table, path: Path) -> Path:
    write(rows.to_reader(), path, order_key=None, check=lambda hidden: None)
    return path


def write_lines(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_written_is_read_back_as_it_was(ending, tmp_path):
    path = save(ROWS, tmp_path / f"rows{ending}")
    assert read_text(read(path)) == read_text(read(ROWS))
    raw = path.read_bytes()
    cut = tmp_path / f"cut{ending}"
    cut.write_bytes(raw[: len(raw) * 2 // 3])
    with pytest.raises(SourceError, match="cut"):
        read_text(read(cut))
    assert not [one for one in tmp_path.iterdir() if one.name.startswith(".")]


@pytest.mark.parametrize("ending", [one for one in ENDINGS if "json" not in one])
def test_a_table_without_rows_keeps_its_columns(ending, tmp_path):
    table = read(save(ROWS.slice(0, 0), tmp_path / f"rows{ending}"))
    assert table.columns == tuple(ROWS.column_names)
    assert not table.scan(text=table.columns).read_all().num_rows


def test_json_lines_without_rows_are_not_written(tmp_path):
    with pytest.raises(WriteError, match="no rows"):
        save(ROWS.slice(0, 0), tmp_path / "rows.jsonl")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", [".jsonl", ".csv.zip", ".duckdb", ".dta", ".sav"])
def test_a_release_in_each_format_keeps_order_and_policy(ending, tmp_path):
    rows = pa.table(
        {
            "zip": ["02138", "02138", "02139", "02139"],
            "age": [31, 33, 41, 44],
            "ill": ["flu", None, "gout", "flu"],
        }
    )
    policy = Policy(
        columns={
            "zip": {"role": "quasi"},
            "age": {"role": "quasi", "hierarchy": {"intervals": [10, 20]}},
            "ill": {"role": "sensitive"},
        },
        require=[{"k_anonymity": {"k": 2}}],
        order="keep",
    )
    source, out = save(rows, tmp_path / f"rows{ending}"), tmp_path / f"out{ending}"
    anonymize(read(source), policy).write(out)
    found = read_text(read(out))
    assert found["zip"] == rows["zip"].to_pylist() and found["ill"] == rows["ill"].to_pylist()
    assert verify(read(out), policy).holds


# JSON Lines


def test_json_lines_keep_zeros_digits_and_kinds_of_values(tmp_path):
    path = write_lines(
        tmp_path / "a.jsonl",
        '{"zip": "02138", "n": 9007199254740993, "wide": 123456789012345678901234567890}',
        "",
        '{"n": -1, "mixed": 1, "a.b/c~": "é", "ok": true, "x": 0.30000000000000004}',
        '{"mixed": "1", "zip": null, "x": 2}',
    )
    table = read(path)
    assert table.columns == ("zip", "n", "wide", "mixed", "a.b/c~", "ok", "x")
    assert read_text(table) == {
        "zip": ["02138", None, None],
        "n": ["9007199254740993", "-1", None],
        "wide": ["123456789012345678901234567890", None, None],
        "mixed": [None, "1", "1"],
        "a.b/c~": [None, "é", None],
        "ok": [None, "true", None],
        "x": [None, "0.30000000000000004", "2.0"],
    }
    kinds = [str(kind) for kind in table.scan(native=table.columns).schema.types]
    assert kinds == ["string", "int64", "string", "string", "string", "bool", "double"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"a": 1, "a": 2}', "line 2 has the same key twice"),
        (f'{{"a": "{PRIVATE}"', "line 2 is not a JSON object"),
        ("[1]", "line 2 is not a JSON object"),
        ('{"deep": [1, 2]}', "column 'deep' holds a list or an object in 1 row"),
        ('{"x": 0.12345678901234567890123}', "column 'x' has 1 number with more digits"),
    ],
)
def test_what_json_lines_cannot_mean_is_refused_by_line_or_column(line, said, tmp_path):
    path = write_lines(tmp_path / "a.jsonl", '{"a": 1}', line)
    with pytest.raises(SourceError, match=said) as caught:
        read(path)
    assert PRIVATE not in str(caught.value)


def test_a_file_of_json_lines_without_objects_is_empty(tmp_path):
    with pytest.raises(EmptyTableError):
        read(write_lines(tmp_path / "a.jsonl", "", "{}"))


# Nested values


def test_nested_columns_are_refused_by_name_and_do_not_disturb_others(tmp_path):
    rows = pa.table({"a": ["1"], "deep": [[1, 2]]})
    pq.write_table(rows, tmp_path / "a.parquet")
    feather.write_feather(rows, tmp_path / "a.feather")
    with duckdb.connect(str(tmp_path / "a.duckdb")) as base:
        base.execute("CREATE TABLE t AS SELECT '1' AS a, [1, 2] AS deep")
    for name in ("a.parquet", "a.feather", "a.duckdb"):
        table = read(tmp_path / name)
        assert table.scan(text=["a"]).read_all().to_pydict() == {"a": ["1"]}
        with pytest.raises(SourceError, match="column 'deep' holds nested values"):
            table.scan(text=["deep"]).read_all()


# Databases


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "house.duckdb"
    (tmp_path / "outside.csv").write_text(f"a\n{PRIVATE}\n")
    with duckdb.connect(str(path)) as base:
        base.execute("CREATE TABLE visits AS SELECT '02138' AS zip, 1::HUGEINT << 100 AS wide")
        base.execute("CREATE SCHEMA old; CREATE TABLE old.visits (a INTEGER)")
        base.execute(f"CREATE VIEW leak AS SELECT * FROM '{tmp_path / 'outside.csv'}'")
    return path


def test_a_table_of_a_duckdb_file_is_chosen_by_name_and_nothing_is_written(database, tmp_path):
    before, names = database.read_bytes(), set(tmp_path.iterdir())
    with pytest.raises(SourceError, match=r"3 tables.*leak, visits, old\.visits"):
        read(database)
    table = read(database, sheet="visits")
    assert read_text(table) == {"zip": ["02138"], "wide": [str(1 << 100)]}
    assert table.scan(native=["wide"]).read_all().to_pydict() == {"wide": [str(1 << 100)]}
    assert read(database, sheet="old.visits").columns == ("a",)
    assert database.read_bytes() == before and set(tmp_path.iterdir()) == names


def test_a_view_in_a_duckdb_file_reaches_nothing_outside(database):
    with pytest.raises(SourceError, match="outside the database"):
        read_text(read(database, sheet="leak"))


def test_a_duckdb_file_called_db_is_known_by_its_first_bytes(database, tmp_path):
    database.rename(tmp_path / "house.db")
    assert read(tmp_path / "house.db", sheet="visits").columns == ("zip", "wide")


def test_columns_that_duckdb_takes_for_the_same_are_not_written(tmp_path):
    with pytest.raises(WriteError, match="'Age' and 'age'"):
        save(pa.table({"Age": [1], "age": [2]}), tmp_path / "a.duckdb")


def test_a_sqlite_file_that_is_cut_off_is_refused(tmp_path):
    with sqlite3.connect(tmp_path / "a.db") as base:
        base.execute("CREATE TABLE t (a)")
        base.executemany("INSERT INTO t VALUES (?)", [("x" * 500,)] * 100)
    base.close()
    raw = (tmp_path / "a.db").read_bytes()
    (tmp_path / "a.db").write_bytes(raw[: len(raw) // 2])
    with pytest.raises(SourceError, match="whole SQLite database"):
        read(tmp_path / "a.db")


# Folders of Parquet


def write_part(folder: Path, name: str, **columns: Any) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), folder / name)


def test_a_folder_of_parquet_is_one_table_with_the_columns_of_its_folders(tmp_path):
    folder = tmp_path / "visits"
    write_part(folder, "state=01/ward=a%2Fb/p.parquet", n=[1, 2], note=["x", None])
    write_part(folder, "state=__HIVE_DEFAULT_PARTITION__/ward=c/p.parquet", note=pa.nulls(1), n=[3])
    (folder / "_SUCCESS").touch()
    table = read(folder)
    assert table.columns == ("n", "note", "state", "ward")
    assert read_text(table) == {
        "n": ["1", "2", "3"],
        "note": ["x", None, None],
        "state": ["01", "01", None],
        "ward": ["a/b", "a/b", "c"],
    }
    assert table.scan(native=["state", "n"]).read_all().to_pydict() == {
        "state": ["01", "01", None],
        "n": [1, 2, 3],
    }
    assert table.notices == ("visits is a folder: its 2 files are read as one table.",)


@pytest.mark.parametrize(
    ("name", "columns", "said"),
    [
        ("b.parquet", {"m": [1]}, "1 of its 2 files has other columns"),
        ("b.parquet", {"n": ["1"]}, "column 'n' has 2 types"),
        ("k=1/b.parquet", {"n": [1]}, "folders of the same columns"),
        ("_delta_log/b.parquet", {"n": [1]}, "Delta Lake table"),
    ],
)
def test_a_folder_whose_files_do_not_fit_is_refused(name, columns, said, tmp_path):
    write_part(tmp_path, "a.parquet", n=[1])
    write_part(tmp_path, name, **columns)
    with pytest.raises(SourceError, match=said):
        read(tmp_path)


def test_a_folder_with_other_files_is_refused(tmp_path):
    with pytest.raises(SourceError, match="no Parquet file is in it"):
        read(tmp_path)
    write_part(tmp_path, "a.parquet", n=[1])
    (tmp_path / "b.csv").touch()
    with pytest.raises(SourceError, match="1 file that is not Parquet"):
        read(tmp_path)
    (tmp_path / "b").symlink_to(tmp_path, target_is_directory=True)
    with pytest.raises(SourceError, match="links are not followed"):
        read(tmp_path)


# Stata and SPSS


def test_value_labels_and_missing_codes_are_read_and_said(tmp_path):
    library, polars = pytest.importorskip("pyreadstat"), pytest.importorskip("polars")
    frame = polars.DataFrame(
        {
            "sex": [1.0, 2.0, 9.0, None],
            "age": [31.0, 98.0, 99.0, 20.5],
            "ward": ["02", "x", "", "03"],
        }
    )
    path = tmp_path / "a.sav"
    library.write_sav(
        frame,
        str(path),
        variable_value_labels={
            "sex": {1: "male", 2: "female", 9: "refused"},
            "age": {98: "98 or more"},
        },
        missing_ranges={"sex": [9], "age": [{"lo": 99, "hi": 100}], "ward": ["x"]},
    )
    table = read(path)
    assert read_text(table) == {
        "sex": ["male", "female", None, None],
        "age": ["31.0", "98.0", None, "20.5"],
        "ward": ["02", None, None, "03"],
    }
    assert table.notices == (
        "a.sav: value labels are read instead of codes in column sex.",
        "a.sav: codes are read as they are in column age, since not every code has a label of "
        "its own.",
        "a.sav: 3 cells with a code for a missing value are read as missing, in columns sex, age, "
        "ward.",
    )


def test_missing_codes_of_stata_are_missing(tmp_path):
    library, pandas = pytest.importorskip("pyreadstat"), pytest.importorskip("pandas")
    cells = pandas.Series([1, 2, "a", None, "b"], dtype=object)
    library.write_dta(
        pandas.DataFrame({"sex": cells}),
        str(tmp_path / "a.dta"),
        variable_value_labels={"sex": {1: "male", 2: "female"}},
        missing_user_values={"sex": ["a", "b"]},
    )
    table = read(tmp_path / "a.dta")
    assert read_text(table) == {"sex": ["male", "female", None, None, None]}
    assert "2 cells with a code for a missing value are read as missing" in table.notices[1]


def test_names_and_texts_that_stata_does_not_take_are_refused_by_column(tmp_path):
    pytest.importorskip("pyreadstat")
    with pytest.raises(WriteError, match="does not take 'day of birth'"):
        save(pa.table({"day of birth": [1]}), tmp_path / "a.dta")
    with pytest.raises(WriteError, match="column 'note' has a text of 3,000 bytes"):
        save(pa.table({"note": ["x" * 3000]}), tmp_path / "a.dta")


# Archives


def test_an_archive_is_read_if_it_holds_one_table_and_nothing_else(tmp_path):
    path = tmp_path / "people.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/people.csv", "age;zip\n31;02138\n")
        archive.writestr("__MACOSX/data/._people.csv", "x")
    assert read_text(read(path)) == {"age": ["31"], "zip": ["02138"]}
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("more.csv", "age\n")
    with pytest.raises(SourceError, match="holds 2 files"):
        read(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("people.exe", "x")
    with pytest.raises(SourceError, match=r"ending '\.exe'"):
        read(path)


def test_a_text_that_unpacks_to_far_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("discreet.table.files.text.UNSUSPICIOUS", 1_000_000)
    text = b"age,zip\n" + b"31,02138\n" * 1_000_000
    (tmp_path / "a.csv.bz2").write_bytes(bz2.compress(text))
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", text)
    for name in ("a.csv.bz2", "a.zip"):
        with pytest.raises(SourceError, match="200 times its size"):
            read(tmp_path / name)


@pytest.mark.parametrize(("name", "said"), [("a.json", "JSON Lines"), ("a.xls", "xlsx")])
def test_a_format_that_is_not_read_gets_the_way_out(name, said, tmp_path):
    (tmp_path / name).write_text("[]")
    with pytest.raises(SourceError, match=said):
        read(tmp_path / name)
