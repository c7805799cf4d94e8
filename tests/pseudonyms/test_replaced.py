"""Tables whose identifiers are replaced while they are read."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.errors import PseudonymError
from discreet.pseudonyms.formats import SocialSecurity, Token
from discreet.pseudonyms.one_way import OneWay
from discreet.pseudonyms.pseudonymize import Pseudonymize
from discreet.replacement_key import ReplacementKey
from discreet.table.read import read

KEY = ReplacementKey(bytes(range(32)))
CODES = [f"A{n % 700:05d}" for n in range(5000)]


def test_batches_give_what_the_whole_column_gives(tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text("id,n\n" + "".join(f"{code},{n}\n" for n, code in enumerate(CODES)))
    made = Pseudonymize(("id",), KEY)(read(path))
    whole = OneWay(KEY)(pa.array(CODES)).values.to_pylist()
    for size in (7, 1000, 131_072):
        rows = made.scan(text=["n", "id"], native=["id"], rows_per_batch=size).read_all()
        assert rows.column(1).to_pylist() == rows.column(2).to_pylist() == whole
        assert rows.column(0).to_pylist() == [str(n) for n in range(5000)]


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())],
)
def test_columns_of_all_kinds_of_text_agree(kind: pa.DataType, tmp_path: Path) -> None:
    values = pa.array(["A1", None, "B2", "A1", ""]).cast(kind)
    made = Pseudonymize(("id",), KEY)(read(pa.table({"id": values})))
    one, two = OneWay(KEY)(pa.array(["A1", "B2"])).values.to_pylist()
    assert made.scan(native=["id"]).read_all()["id"].to_pylist() == [one, None, two, one, None]


@pytest.mark.parametrize("kind", [pa.int8(), pa.int32(), pa.uint16(), pa.int64()])
def test_whole_numbers_stay_whole_numbers(kind: pa.DataType, tmp_path: Path) -> None:
    path = tmp_path / "numbers.parquet"
    pq.write_table(pa.table({"id": pa.array([17, None, 42, 17], kind)}), path)
    rows = Pseudonymize(("id",), KEY)(read(path)).scan(text=["id"], native=["id"]).read_all()
    texts, numbers = rows.column(0).to_pylist(), rows.column(1)
    assert numbers.type == pa.int64() and numbers.null_count == 1
    assert texts == [None if n is None else str(n) for n in numbers.to_pylist()]
    tokens = Pseudonymize(("id",), KEY, Token())(read(path)).scan(native=["id"]).read_all()
    assert tokens["id"].type == pa.string()


def test_numbers_without_their_zeros_are_found_in_text_scans_too(tmp_path: Path) -> None:
    path = tmp_path / "numbers.parquet"
    pq.write_table(pa.table({"ssn": pa.array([12345678])}), path)
    made = Pseudonymize(("ssn",), KEY, SocialSecurity())(read(path))
    known = OneWay(KEY, SocialSecurity())(pa.array(["012345678"])).values.to_pylist()
    assert made.scan(text=["ssn"]).read_all()["ssn"].to_pylist() == known


def test_an_empty_table_has_no_pseudonyms(tmp_path: Path) -> None:
    made = Pseudonymize(("id",), KEY)(read(pa.table({"id": pa.array([], pa.string())})))
    assert made.scan(native=["id"]).read_all().num_rows == 0


@pytest.mark.parametrize("values", [[1.5], [True], [b"1"]])
def test_other_kinds_are_refused_by_name(values: list[object]) -> None:
    with pytest.raises(PseudonymError, match="'id'"):
        Pseudonymize(("id",), KEY)(read(pa.table({"id": values})))
