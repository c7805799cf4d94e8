from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest

from discreet.errors import SourceError, WriteError
from discreet.table import hashed_column, row_numbers, scramble
from discreet.table import write as write_module
from discreet.table.engine import lend_connection
from discreet.table.files import csv, excel
from discreet.table.files.text import Dialect
from discreet.table.read import read
from discreet.table.write import write

KINDS = ["csv", "tsv", "txt", "csv.gz", "csv.zst", "parquet", "feather", "arrow", "xlsx",
         "sqlite", "db"]  # fmt: skip
ROWS = pa.table(
    {"zip": ["02138", None, "=1+1", 'a,"b"\nc\td', " x ", "&<_x0041_\x01>"], "n": range(6)}
)


def passed(path: Path) -> None:
    assert path.exists()


def files(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def text(path: Path) -> dict[str, list[str | None]]:
    table = read(path)
    return table.scan(text=table.columns).read_all().to_pydict()


def put(rows: pa.Table, path: Path, key: bytes | None = None, dialect: Dialect | None = None):
    batch = 2 if rows.num_rows < 1000 else 16  # several, but values are sought once in each
    write(rows.to_reader(batch), path, order_key=key, check=passed, dialect=dialect)
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_reads_back_in_the_same_order(tmp_path, kind):
    back = text(put(ROWS, tmp_path / f"release.{kind}"))
    assert back == {"zip": ROWS["zip"].to_pylist(), "n": list("012345")}


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_depends_on_the_content_and_the_key_alone(tmp_path, kind):
    rows = pa.table({"a": [str(n % 40) for n in range(300)], "n": [n % 7 for n in range(300)]})
    places = list(range(300))
    random.Random(1).shuffle(places)
    one = put(rows, tmp_path / f"1.{kind}", b"key").read_bytes()
    two = put(rows.take(places), tmp_path / f"2.{kind}", b"key").read_bytes()
    other = put(rows, tmp_path / f"3.{kind}", b"other").read_bytes()
    assert one == two
    assert one != other
    assert text(tmp_path / f"1.{kind}") != text(tmp_path / f"3.{kind}")


def test_scrambling_on_disk_keeps_every_row(tmp_path, monkeypatch):
    monkeypatch.setattr(scramble, "IN_MEMORY", 1000)
    monkeypatch.setattr(scramble, "GATHERED", 1000)
    monkeypatch.setattr(row_numbers, "GATHER", 1000)
    rows = pa.table({"n": [str(n) for n in range(20_000)]})
    path = put(rows, tmp_path / "x.csv", b"key")
    found = text(path)["n"]
    assert found != rows["n"].to_pylist()
    assert sorted(found, key=int) == rows["n"].to_pylist()
    assert files(tmp_path) == ["x.csv"]


def test_a_table_without_rows_is_written(tmp_path):
    for kind in KINDS:
        path = put(ROWS.slice(0, 0), tmp_path / f"x.{kind}", b"key")
        assert text(path) == {"zip": [], "n": []}


def test_csv_is_quoted_only_where_needed(tmp_path):
    rows = pa.table({"a,b": ["x", "y,z", 'q"', "l\nm", None, "-1", " s "], "c": ["1"] * 7})
    data = put(rows, tmp_path / "x.csv").read_bytes()
    assert data == b'"a,b",c\nx,1\n"y,z",1\n"q""",1\n"l\nm",1\n,1\n-1,1\n s ,1\n'


def test_a_missing_value_of_the_only_column_is_no_blank_line(tmp_path):
    assert put(pa.table({"a": ["x", None]}), tmp_path / "x.csv").read_bytes() == b'a\nx\n""\n'


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16", "utf-8"])
@pytest.mark.parametrize("packing", ["", ".gz", ".zst"])
def test_a_csv_release_is_written_in_the_dialect_of_its_source(tmp_path, encoding, packing):
    source = tmp_path / "in.csv"
    source.write_bytes("name;x\r\nMüller;1\r\nJosé;\r\n".encode(encoding))
    table = read(source)
    rows = table.scan(text=table.columns)
    path = tmp_path / f"out.csv{packing}"
    write(rows, path, dialect=table.dialect, order_key=None, check=passed)
    with pa.input_stream(str(path), compression="detect") as file:
        assert file.read() == source.read_bytes()


def test_letters_that_the_old_encoding_lacks_make_the_release_utf8(tmp_path):
    path = put(pa.table({"a": ["ä", "日"]}), tmp_path / "x.csv", dialect=Dialect(encoding="cp1252"))
    assert path.read_bytes() == "a\nä\n日\n".encode()
    assert files(tmp_path) == ["x.csv"]


def test_excel_keeps_numbers_and_dates_and_makes_no_formulas(tmp_path):
    import datetime as dt

    rows = pa.table({"n": [1], "d": [dt.date(2020, 2, 29)], "at": [dt.datetime(2020, 1, 1, 1)],
                     "f": ["=1+1"], "b": [True]})  # fmt: skip
    table = read(put(rows, tmp_path / "x.xlsx"))
    back = table.scan(native=table.columns).read_all()
    assert back.to_pydict() == rows.to_pydict()


def test_a_sheet_has_room_for_so_many_rows_only(tmp_path, monkeypatch):
    monkeypatch.setattr(excel, "SHEET_ROWS", 3)
    with pytest.raises(WriteError, match="more rows than the 2 that a sheet holds"):
        put(ROWS, tmp_path / "x.xlsx")
    assert files(tmp_path) == []


def test_a_cell_has_room_for_so_many_letters_only(tmp_path):
    with pytest.raises(WriteError, match="32,767 letters"):
        put(pa.table({"a": ["x" * 40_000]}), tmp_path / "x.xlsx")


# Whole or not at all


def test_the_hidden_file_is_for_the_owner_alone_and_says_nothing(tmp_path):
    seen = []

    def look(path: Path) -> None:
        seen.append((path.name, path.stat().st_mode & 0o777, path.parent))
        assert read(path).columns == ("zip", "n")

    write(ROWS.to_reader(), tmp_path / "patients.csv.gz", order_key=b"k", check=look)
    ((name, mode, folder),) = seen
    assert name.startswith(".discreet-") and name.endswith(".tmp.csv.gz")
    assert "patients" not in name and mode == 0o600 and folder == tmp_path
    assert files(tmp_path) == ["patients.csv.gz"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("failure", [SourceError("x", "it fails", "."), KeyboardInterrupt()])
def test_a_failing_check_leaves_the_older_file_and_nothing_else(tmp_path, kind, failure):
    target = tmp_path / f"x.{kind}"
    target.write_text("older")

    def refuse(path: Path) -> None:
        raise failure

    with pytest.raises(type(failure)):
        write(ROWS.to_reader(), target, order_key=b"k", check=refuse)
    assert target.read_text() == "older"
    assert files(tmp_path) == [target.name]


def test_a_failure_of_the_rows_is_raised_as_it_is(tmp_path):
    (tmp_path / "in.csv").write_text("a,b\n1,2\nsecret\n")
    table = read(tmp_path / "in.csv")
    with pytest.raises(SourceError, match="line 3"):
        write(table.scan(text=["a"]), tmp_path / "x.csv", order_key=b"k", check=passed)
    assert files(tmp_path) == ["in.csv"]


@pytest.mark.parametrize(
    ("number", "message"),
    [(errno.ENOSPC, "disk is full"), (errno.EACCES, "no permission"), (errno.EIO, "failed")],
)
def test_a_failing_disk_leaves_nothing(tmp_path, monkeypatch, number, message):
    def fail(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(write_module.os, "fsync", fail)
    with pytest.raises(WriteError, match=message):
        put(ROWS, tmp_path / "x.csv")
    assert files(tmp_path) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_full_disk_leaves_nothing(tmp_path, kind):
    full = tmp_path / "small disk"
    full.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "none", full], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("only root may make a small disk")
    try:
        rows = pa.table({"a": [random.Random(n).randbytes(30).hex() for n in range(9_000)]})
        with pytest.raises(WriteError, match="disk is full"):
            put(rows, full / f"x.{kind}")
        assert files(full) == []
    finally:
        subprocess.run(["umount", full], check=True)


def test_an_older_file_keeps_its_rights(tmp_path):
    target = tmp_path / "x.csv"
    target.write_text("older")
    target.chmod(0o640)
    put(ROWS, target)
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real.csv").write_text("older")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    put(ROWS, tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text().startswith("zip,n")


@pytest.mark.parametrize(
    ("name", "message"),
    [("no/x.csv", "there is no folder"), ("folder", "this is a folder"), ("x.doc", "'.doc'")],
)
def test_a_place_that_cannot_be_written_is_an_error(tmp_path, name, message):
    (tmp_path / "folder").mkdir()
    target = tmp_path / (name if name != "folder" else "folder.csv")
    if name == "folder":
        target.mkdir()
    with pytest.raises(WriteError, match=message):
        put(ROWS, target)


SLOW = """
import sys, time, pyarrow as pa
from discreet.table.write import write
def rows():
    for n in range(10_000):
        yield pa.record_batch({"a": [str(i) for i in range(1000)]})
        if n == 20: print("writing", flush=True)
        if n > 20: time.sleep(0.01)
reader = pa.RecordBatchReader.from_batches(pa.schema([("a", pa.string())]), rows())
write(reader, sys.argv[1], order_key=b"k", check=lambda path: None)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("kind", ["csv", "parquet", "sqlite"])
def test_a_program_asked_to_end_leaves_nothing(tmp_path, number, kind):
    program = subprocess.Popen(
        [sys.executable, "-c", SLOW, tmp_path / f"x.{kind}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert program.stdout.readline() == b"writing\n"
    time.sleep(0.2)
    program.send_signal(number)
    program.communicate(timeout=20)
    assert program.returncode != 0
    assert files(tmp_path) == []


def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path):
    left = tmp_path / ".discreet-0123456789abcdef.tmp.csv"
    left.write_text("half a release\n")
    put(ROWS, tmp_path / "out.csv")
    assert files(tmp_path) == ["out.csv"]


def test_the_hidden_file_of_a_living_run_is_left_alone(tmp_path):
    def check(hidden):
        put(ROWS, tmp_path / "other.csv")
        assert hidden.exists()

    write(ROWS.to_reader(), tmp_path / "out.csv", order_key=None, check=check)
    assert sorted(files(tmp_path)) == ["other.csv", "out.csv"]


@pytest.mark.parametrize("separator", [",", ";", "|"])
def test_a_single_column_is_quoted_where_any_reader_may_see_a_separator(
    tmp_path: Path, separator: str
) -> None:
    path = tmp_path / "a.csv"
    values = ["plain", "she came, saw; left", "a|b", "a\tb"]
    write(
        pa.table({"note": values}).to_reader(),
        path,
        order_key=None,
        check=passed,
        dialect=Dialect(separator=separator),
    )
    assert path.read_text() == "note\n" + "plain\n" + "".join(f'"{v}"\n' for v in values[1:])


@pytest.mark.parametrize("names", [["zip"], ["zip", "n"], ["n", "zip", "same"]])
@pytest.mark.parametrize("most", [1, 64 << 20], ids=["a row at a time", "together"])
def test_lines_made_once_for_equal_rows_are_those_that_the_engine_makes_of_each_row(
    monkeypatch, names, most
):
    monkeypatch.setattr(csv, "MOST_LINES", most)
    zips = ["02138", None, "", "a,b", 'say "so"', "x;y", "a\nb", "\r", "\t", "|", "=1", "it's"]
    rows = pa.table({"zip": zips, "n": [1, None] * 6, "same": [""] * 12}).select(names)
    times = [1, 3, 2, 1] * 3
    each = rows.take([row for row, often in enumerate(times) for _ in range(often)])
    coded = rows.combine_chunks().to_batches()[0].columns
    coded = [one.dictionary_encode() if one.type == pa.string() else one for one in coded]
    for columns in (rows.columns, coded):
        counted = pa.table([*columns, times], [*names, "times"])
        for marks in (Dialect(), Dialect(separator=";", quote="'", line_end="\r\n")):
            sink = csv.CsvSink(marks)
            released = pa.table(each.columns, [f"c{n}" for n in range(len(names))])
            query = f"SELECT {sink.select(each.schema.types)[0]} FROM released"
            with lend_connection() as connection:
                connection.register("released", released)
                wanted = [line for (line,) in connection.execute(query).fetchall()]
            lines = sink.write_lines(counted.to_reader()).read_all()
            assert lines.column(0).to_pylist() == wanted


def test_what_is_spilled_cannot_be_read(tmp_path, monkeypatch):
    """Columns with too many values to be held as codes are spilled as texts, but encrypted."""
    monkeypatch.setattr(scramble, "IN_MEMORY", 1000)
    monkeypatch.setattr(scramble, "GATHERED", 1000)
    monkeypatch.setattr(row_numbers, "GATHER", 1000)
    monkeypatch.setattr(hashed_column, "MOST_CODED", 50)
    spool = (tmp_path / "spool").open("w+b")
    monkeypatch.setattr(scramble, "_open_spool", lambda folder: spool)
    seen = []
    decrypt = scramble._Store.take

    def look(self, *buckets):
        if not seen:
            spool.flush()
            seen.append((tmp_path / "spool").read_bytes())
        return decrypt(self, *buckets)

    monkeypatch.setattr(scramble._Store, "take", look)
    names = [f"person {n % 400}" for n in range(3000)]
    rows = pa.table({"name": names, "sex": ["f", "m"] * 1500, "x": [n / 7 for n in range(3000)]})
    found = text(put(rows, tmp_path / "x.parquet", b"key"))
    assert sorted(found["name"]) == sorted(names)
    assert len(seen[0]) > 10_000
    assert b"person" not in seen[0]


def test_rows_whose_hashes_begin_alike_are_ordered_by_all_bits(tmp_path, monkeypatch):
    """As if each value had the same first half of its hash: the second decides, not the place."""
    digest = hashed_column.HashedColumn._hash
    monkeypatch.setattr(
        hashed_column.HashedColumn, "_hash", lambda self, v: bytes(8) + digest(self, v)[8:]
    )
    values = [str(n % 50) for n in range(500)]
    one = put(pa.table({"a": values}), tmp_path / "1.csv", b"key").read_bytes()
    two = put(pa.table({"a": values[::-1]}), tmp_path / "2.csv", b"key").read_bytes()
    assert one == two
    assert one.split(b"\n")[1:11] == [one.split(b"\n")[1]] * 10
