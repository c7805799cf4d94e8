"""Folders and patterns of Parquet files: read as one table, written whole or not at all."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import discreet
from discreet.errors import DiscreetError, InternalError, SourceError, WriteError
from discreet.table.files import parquet_folder
from discreet.table.files.parquet import ParquetSink
from discreet.table.read import read
from discreet.table.write import write

POLICY = {
    "columns": {"zip": {"role": "quasi"}, "year": {"role": "quasi"}, "ill": {"role": "sensitive"}},
    "require": [{"k_anonymity": {"k": 2}}],
    "suppress": 0.5,
    "seed": 1,
}


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    folder = tmp_path / "parts"
    for year, zips in (("2020", ["02138", "02138", ""]), ("2021", [None, "02139", "02139"])):
        (folder / f"year={year}").mkdir(parents=True)
        rows = pa.table(
            {"zip": pa.array(zips, pa.string()), "ill": ["a", "b", "a"], "n": [1, 2, 3]}
        )
        pq.write_table(rows, folder / f"year={year}" / "part.parquet")
    return folder


def scan(table: discreet.Table, coded: bool) -> dict[str, list[object]]:
    found = table.scan(text=["zip", "year", "n"], native=["n", "ill", "year"], coded=coded)
    rows = found.read_all()
    return {f"{at} {rows.schema.names[at]}": rows.column(at).to_pylist() for at in range(6)}


def test_a_coded_scan_has_the_cells_of_a_plain_one(parts: Path) -> None:
    for source in (parts, parts / "year=2020" / "part.parquet"):
        table = read(source)
        names = [name for name in ("zip", "n", "year") if name in table.columns]
        plain = table.scan(text=names, native=names).read_all()
        coded = table.scan(text=names, native=names, coded=True).read_all()
        assert any(pa.types.is_dictionary(kind) for kind in coded.schema.types)
        for one, other in zip(plain.columns, coded.columns, strict=True):
            assert other.cast(one.type).to_pylist() == one.to_pylist()


def test_a_pattern_is_one_table_with_the_columns_of_its_folders(parts: Path) -> None:
    table = read(f"{parts}/*/*.parquet")
    assert table.columns == ("zip", "ill", "n", "year")
    assert scan(table, coded=False) == scan(read(parts), coded=True)
    assert "2 files are read as one table" in table.notices[0]


def test_a_pattern_without_files_or_with_others_is_refused(parts: Path) -> None:
    with pytest.raises(SourceError, match="no file has a name that fits"):
        read(parts / "*.parquet")
    (parts / "x.pq").mkdir()
    (parts / "x.pq" / "note.txt").write_text("")
    with pytest.raises(SourceError, match="no such file"):
        read(parts / "*.txt")


def test_a_release_of_a_folder_is_a_folder_that_keeps_the_policy(
    parts: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_folder, "ROWS_PER_FILE", 1)
    release = discreet.anonymize(parts, POLICY)
    release.write(tmp_path / "out")
    assert discreet.verify(tmp_path / "out", POLICY).holds
    table = read(tmp_path / "out")
    rows = table.scan(text=table.columns).read_all().to_pylist()
    wanted = release.to_arrow().to_pylist()
    assert Counter(map(str, rows)) == Counter(map(str, wanted))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "parts"]
    with pytest.raises(WriteError, match="exists already"):
        release.write(tmp_path / "out")


ODD = ["02138", "[20, 30[", "a/b=c%", "*", "..", "_x", "Zürich", parquet_folder.MISSING, None, ""]


def write_parts(rows: pa.Table, path: Path, *by: str, key: bytes | None = b"k") -> None:
    write(rows.to_reader(), path, order_key=key, check=lambda hidden: None, partition_by=by)


def list_rows(table: discreet.Table) -> Counter[tuple[object, ...]]:
    rows = table.scan(text=sorted(table.columns)).read_all()
    return Counter(zip(*(column.to_pylist() for column in rows.columns), strict=True))


@pytest.mark.parametrize("key", [b"k", None])
def test_released_values_are_the_same_in_names_of_folders(
    tmp_path: Path, key: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_folder, "ROWS_HELD", 7)  # several files a folder
    rows = pa.table({"=zip": ODD * 4, "n": range(40), "ill": ["a", "b"] * 20, "year": [1, 2] * 20})
    write_parts(rows, tmp_path / "out", "=zip", "year", key=key)
    found = read(tmp_path / "out")
    assert found.columns == ("n", "ill", "=zip", "year")
    assert list_rows(found) == list_rows(read(rows))
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"%3Dzip=02138", "%3Dzip=0213%2A"} & names == {"%3Dzip=02138"}
    assert f"%3Dzip={parquet_folder.MISSING}" in names
    plain = pq.read_table(next((tmp_path / "out").rglob("*.parquet")), partitioning=None)
    assert plain.column_names == ["n", "ill"]


def test_other_programs_read_the_folders_as_columns(tmp_path: Path) -> None:
    rows = pa.table({"zip": [one for one in ODD if one != parquet_folder.MISSING], "n": range(9)})
    write_parts(rows, tmp_path / "out", "zip")
    query = "SELECT zip, n FROM read_parquet(?, hive_partitioning = true, hive_types_autocast = 0)"
    found = duckdb.execute(query, [f"{tmp_path}/out/*/*.parquet"]).fetchall()
    assert Counter((zip_ or None, n) for zip_, n in found) == Counter(
        (zip_ or None, n) for zip_, n in zip(*rows.to_pydict().values(), strict=True)
    )


def test_no_value_of_another_folder_is_in_a_file(tmp_path: Path) -> None:
    rows = pa.table({"year": ["2020", "2021"] * 50, "ill": ["flu-AAAA", "gout-BBBB"] * 50})
    write_parts(rows, tmp_path / "out", "year")
    (first,) = (tmp_path / "out" / "year=2020").iterdir()
    assert b"flu-AAAA" in first.read_bytes()
    assert b"gout-BBBB" not in first.read_bytes()


@pytest.mark.parametrize(
    ("by", "said"),
    [
        (("n",), "n: they have more than 500 different combinations"),
        (("wide",), "wide: a released value is too long for the name of a folder"),
        (("zap",), "Did you mean 'zip'"),
        (("zip", "zip"), "named twice"),
        (("zip", "n", "wide"), "none in the files"),
    ],
)
def test_folders_that_cannot_be_made_leave_nothing(
    tmp_path: Path, by: tuple[str, ...], said: str
) -> None:
    rows = pa.table({"zip": ["a"] * 600, "n": range(600), "wide": ["SECRET" * 50] * 600})
    with pytest.raises(DiscreetError, match=said) as caught:
        write_parts(rows, tmp_path / "out", *by)
    assert "SECRET" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_partitioned_release_is_checked_as_a_whole(parts: Path, tmp_path: Path) -> None:
    made = discreet.anonymize(parts, POLICY)
    made.write(tmp_path / "out", partition_by=["year"])
    assert discreet.verify(tmp_path / "out", POLICY).rows == made.facts()["rows_released"]
    assert list_rows(read(tmp_path / "out")) == list_rows(read(made.to_arrow()))
    with pytest.raises(WriteError, match="only a folder of Parquet"):
        made.write(tmp_path / "out.parquet", partition_by=["year"])


def test_a_folder_that_fails_its_check_is_not_there(tmp_path: Path) -> None:
    def refuse(hidden: Path) -> None:
        assert list(hidden.iterdir())
        raise InternalError("no")

    rows = pa.table({"a": ["x", "y"]})
    with pytest.raises(InternalError):
        write(rows.to_reader(), tmp_path / "out", order_key=b"k", check=refuse)
    assert list(tmp_path.iterdir()) == []


def test_a_release_without_rows_is_a_folder_with_its_columns(tmp_path: Path) -> None:
    rows = pa.table({"a": pa.array([], pa.string())})
    write(rows.to_reader(), tmp_path / "out", order_key=b"k", check=lambda path: None)
    assert read(tmp_path / "out").columns == ("a",)


def test_no_value_of_a_suppressed_row_is_in_the_file(tmp_path: Path) -> None:
    """Released texts are written as dictionaries, which must hold the values of released rows."""
    rows = pa.table({"zip": ["02138"] * 30 + ["99999"], "ill": ["a"] * 30 + ["rare"]})
    pq.write_table(rows, tmp_path / "in.parquet")
    policy = {
        "columns": {"zip": {"role": "quasi"}, "ill": {"role": "sensitive"}},
        "require": [{"k_anonymity": {"k": 2}}],
        "suppress": 0.1,
    }
    for order in ("scramble", "keep"):
        out = tmp_path / f"{order}.parquet"
        discreet.anonymize(tmp_path / "in.parquet", {**policy, "order": order}).write(out)
        assert pq.read_table(out).num_rows == 30
        content = out.read_bytes()
        assert b"02138" in content
        assert b"99999" not in content
        assert b"rare" not in content


def test_a_dictionary_with_a_value_that_no_row_has_is_never_written(tmp_path: Path) -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, None], pa.int32()), pa.array(["a", "b"]))
    rows = pa.table({"a": column})
    with (tmp_path / "x.parquet").open("wb") as file, pytest.raises(InternalError):
        ParquetSink().save(file, tmp_path / "x.parquet", ["a"], rows.to_reader())


def test_a_parquet_release_has_plain_texts_and_numbers(tmp_path: Path) -> None:
    rows = pa.table({"a": ["x", None, "y"], "n": [1, 2, None]})
    write(rows.to_reader(), tmp_path / "x.parquet", order_key=b"k", check=lambda path: None)
    assert pq.read_schema(tmp_path / "x.parquet").types == [pa.string(), pa.int64()]
    assert set(map(str, pq.read_table(tmp_path / "x.parquet").to_pylist())) == set(
        map(str, rows.to_pylist())
    )
