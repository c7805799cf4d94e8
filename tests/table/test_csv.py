from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pytest

from discreet.errors import EmptyTableError, SourceError, UnknownColumnError
from discreet.table.files.text import EncodingError
from discreet.table.read import read
from discreet.table.table import Table


@pytest.fixture
def saved(tmp_path: Path):
    def save(data: bytes | str, name: str = "people.csv", **options: str) -> Table:
        path = tmp_path / name
        with open(path, "wb") as file:  # noqa: PTH123 (a test replaces Path.open)
            file.write(data.encode() if isinstance(data, str) else data)
        return read(path, **options)

    return save


def cells(table: Table) -> dict[str, list[str | None]]:
    return table.scan(text=table.columns).read_all().to_pydict()


def test_values_stay_as_found(saved):
    table = saved("zip,x\n02138,1.0\n 1 ,NA\n1e5,null\nTrue,2020-01-02\n")
    assert cells(table) == {
        "zip": ["02138", " 1 ", "1e5", "True"],
        "x": ["1.0", "NA", "null", "2020-01-02"],
    }


def test_empty_fields_are_missing(saved):
    assert cells(saved('a,b\n,1\n"",2\n')) == {"a": [None, None], "b": ["1", "2"]}


def test_separators_and_line_ends_inside_quotes_belong_to_the_value(saved):
    table = saved('a,b\n1,"x,\ny"\n2,"say ""no"""\n')
    assert cells(table) == {"a": ["1", "2"], "b": ["x,\ny", 'say "no"']}


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", "^", ":"])
def test_the_separator_is_found(saved, separator):
    table = saved(separator.join("ab") + "\n" + separator.join("12") + "\n")
    assert table.dialect.separator == separator
    assert cells(table) == {"a": ["1"], "b": ["2"]}


def test_decimal_commas_do_not_hide_the_semicolon(saved):
    table = saved("a;b\n1,5;2,5\n3,5;4,5\n")
    assert cells(table) == {"a": ["1,5", "3,5"], "b": ["2,5", "4,5"]}


def test_a_named_separator_overrides_the_found_one(saved):
    table = saved("a,b;c\n1,2;3\n", separator=";")
    assert table.columns == ("a,b", "c")


def test_text_with_commas_may_be_the_only_column(saved):
    table = saved("note\nyes, I do\nno\n")
    assert cells(table) == {"note": ["yes, I do", "no"]}


def test_a_blank_line_is_missing_in_a_table_of_one_column(saved):
    assert cells(saved("a\n1\n\n2\n")) == {"a": ["1", None, "2"]}


def test_blank_lines_are_no_rows(saved):
    assert cells(saved("a,b\n\n1,2\n\n\n")) == {"a": ["1"], "b": ["2"]}


def test_single_quotes_are_found(saved):
    table = saved("'a';'b'\n'1';'x;y'\n")
    assert table.dialect.quote == "'"
    assert cells(table) == {"a": ["1"], "b": ["x;y"]}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_the_line_end_is_found(saved, line_end):
    table = saved(line_end.join(["a,b", "1,2", "3,4", ""]))
    assert table.dialect.line_end == line_end
    assert cells(table) == {"a": ["1", "3"], "b": ["2", "4"]}


def test_mixed_line_ends_are_read_and_told(saved):
    table = saved("a,b\r\n1,2\n3,4\r5,6\n")
    assert cells(table) == {"a": ["1", "3", "5"], "b": ["2", "4", "6"]}
    assert "different ways" in table.notices[0]


def test_a_byte_order_mark_with_windows_line_ends_is_no_part_of_a_name(saved):
    table = saved(b'\xef\xbb\xbf"a";b\r\n1;\xc3\xa4\r\n')
    assert table.columns == ("a", "b")
    assert table.dialect.encoding == "utf-8-sig"
    assert cells(table) == {"a": ["1"], "b": ["ä"]}


def test_windows_1252_is_assumed_and_told(saved):
    table = saved("name;x\nMüller;€\n".encode("cp1252"))
    assert cells(table) == {"name": ["Müller"], "x": ["€"]}
    assert table.dialect.encoding == "cp1252"
    assert "Windows-1252" in table.notices[0]


def test_a_named_encoding_is_used_without_a_notice(saved):
    table = saved("name;x\nMüller;1\n".encode("latin-1"), encoding="latin-1")
    assert cells(table)["name"] == ["Müller"]
    assert table.notices == ()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings_are_found(saved, encoding):
    table = saved('name,x\r\nMüller,"a,\r\nb"\r\n'.encode(encoding))
    assert cells(table) == {"name": ["Müller"], "x": ["a,\r\nb"]}


def test_a_late_foreign_letter_changes_the_encoding_of_the_whole_file(saved):
    table = saved(b"a,b\n" + b"1,2\n" * 2_000_000 + b"1,\xe4\n")
    assert table.dialect.encoding == "cp1252"
    last = list(table.scan(text=["b"]))[-1]
    assert last.column(0)[-1].as_py() == "ä"


def test_gzip_and_zstd_are_unpacked(saved):
    data = b"a,b\n1,2\n"
    for name, packed in (
        ("x.csv.gz", gzip.compress(data)),
        ("x.csv.zst", pa.compress(data, codec="zstd", asbytes=True)),
    ):
        assert cells(saved(packed, name)) == {"a": ["1"], "b": ["2"]}


def test_a_cut_off_packed_file_is_an_error(saved):
    for name, packed in (
        ("x.csv.gz", gzip.compress(b"a,b\n" * 9999)),
        ("x.csv.zst", pa.compress(b"a,b\n" * 9999, codec="zstd", asbytes=True)),
    ):
        with pytest.raises(SourceError, match="cannot be read to its end"):
            saved(packed[:-12], name)


def test_rows_keep_their_order_over_many_batches(saved):
    table = saved("n,x\n" + "".join(f"{n},y\n" for n in range(400_000)))
    batches = list(table.scan(text=["n"], rows_per_batch=10_000))
    assert max(batch.num_rows for batch in batches) <= 10_000
    numbers = [int(n) for batch in batches for n in batch.column(0).to_pylist()]
    assert numbers == list(range(400_000))


def test_a_column_may_be_asked_for_twice_and_scans_repeat(saved):
    table = saved("a,b\n1,2\n")
    for _ in range(2):
        rows = table.scan(text=["b", "a"], native=["b"]).read_all()
        assert rows.column_names == ["b", "a", "b"]
        assert [column.to_pylist() for column in rows.columns] == [["2"], ["1"], ["2"]]


def test_a_file_name_is_not_a_pattern(saved):
    saved("a,b\n8,9\n", "x1.csv")
    assert cells(saved("a,b\n1,2\n", "x[1]*?.csv")) == {"a": ["1"], "b": ["2"]}


def test_a_header_alone_is_a_table_without_rows(saved):
    assert cells(saved("a,b\n")) == {"a": [], "b": []}


def test_a_long_field_is_read(saved):
    assert len(cells(saved('a,b\n1,"' + "x" * 3_000_000 + '"\n'))["b"][0]) == 3_000_000


def test_an_unknown_column_gets_a_suggestion(saved):
    with pytest.raises(UnknownColumnError, match="Did you mean 'disease'"):
        saved("disease,zip\n1,2\n").scan(text=["diseases"])


# What bad input gets


@pytest.mark.parametrize("data", [b"", b"\n\n \n"])
def test_an_empty_file_is_an_error(saved, data):
    with pytest.raises(EmptyTableError):
        saved(data)


def test_ragged_rows_are_named_by_line_and_counted_without_their_content(saved):
    table = saved("a,b\n1,2\nsecret\n3,4\nhidden,5,6\n")
    with pytest.raises(SourceError, match="lines 3, 5 do not have the 2 fields") as caught:
        cells(table)
    assert "2 rows in all" in str(caught.value)
    assert "people.csv" in str(caught.value)
    assert "secret" not in str(caught.value) and "hidden" not in str(caught.value)
    assert caught.value.__cause__ is None and caught.value.__context__ is None


def test_ragged_rows_are_found_in_other_encodings_too(saved):
    with pytest.raises(SourceError, match="line 3"):
        cells(saved("a,b\n1,ä\nx\n".encode("utf-16")))


def test_line_numbers_count_the_lines_inside_quotes(saved):
    with pytest.raises(SourceError, match="line 4 "):
        cells(saved('a,b\n1,"x\ny"\nz\n'))


@pytest.mark.parametrize("rows_after", [0, 3, 900_000])
def test_an_unclosed_quote_is_an_error_with_its_line(saved, rows_after):
    with pytest.raises(SourceError, match=r"line 3: .* never closed"):
        saved('a,b\n1,2\n3,"x\n' + "5,6\n" * rows_after)


def test_a_field_that_goes_on_after_its_quote_is_an_error(saved):
    with pytest.raises(SourceError, match=r"line 2: .* goes on"):
        saved('a,b\n1,"x"y\n')


def test_a_quote_inside_an_unquoted_field_is_a_letter(saved):
    assert cells(saved('a,b\n1,5" pipe\n3,x"y\n')) == {"a": ["1", "3"], "b": ['5" pipe', 'x"y']}


def test_rows_that_the_engine_loses_are_noticed(saved):
    from dataclasses import replace

    table = saved("a,b\n1,2\n3,4\n")
    wrong = replace(table, source=replace(table.source, rows=3))
    with pytest.raises(SourceError, match="had 3 rows when it was opened and has 2 now"):
        cells(wrong)


@pytest.mark.parametrize("first", ["a,a", "a,", '"",a'])
def test_names_that_are_missing_or_shared_are_told_by_place(saved, first):
    with pytest.raises(SourceError, match="column"):
        saved(first + "\n1,2\n")


def test_numbers_in_the_first_line_are_told(saved):
    assert "first line" in saved("1,2\n3,4\n").notices[0]


def test_a_wrong_named_encoding_is_an_error_with_its_line(saved):
    with pytest.raises(EncodingError, match="line 3 is not utf-8"):
        saved(b"a,b\n1,2\n3,\xe4\n", encoding="utf-8")


def test_bytes_of_no_known_encoding_are_an_error(saved):
    with pytest.raises(EncodingError, match="neither UTF-8 nor Windows-1252"):
        saved(b"a,b\n1,\x81\n")


def test_an_unknown_encoding_is_an_error(saved):
    with pytest.raises(SourceError, match="'klingon' is not known"):
        saved(b"a,b\n", encoding="klingon")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (bytes(range(256)) * 20, "not a text file"),
        (b"PAR1xxxxx", "a Parquet file"),
        (b"PK\x03\x04xxxx", "an Excel workbook"),
        (gzip.compress(b"a,b\n", mtime=0), "gzip data"),
    ],
)
def test_a_binary_file_is_an_error_that_says_what_it_is(saved, data, kind):
    with pytest.raises(SourceError, match=kind):
        saved(data)


def test_a_separator_of_two_letters_is_an_error(saved):
    with pytest.raises(SourceError, match="separator must be one"):
        saved("a,b\n", separator=";;")


def test_a_missing_file_gets_a_suggestion(tmp_path):
    (tmp_path / "people.csv").write_text("a\n")
    with pytest.raises(SourceError, match=r"Did you mean .people\.csv."):
        read(tmp_path / "peeple.csv")


def test_a_folder_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="folder"):
        read(tmp_path)


def test_an_unknown_ending_is_an_error(saved):
    with pytest.raises(SourceError, match=r"'.xyz' is not known"):
        saved("a,b\n", "x.xyz")


def test_a_file_without_permission_is_an_error(saved, monkeypatch):
    def refuse(*args, **options):
        raise PermissionError(13, "no")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SourceError, match="no permission"):
        saved("a,b\n")


def test_a_quote_left_open_in_the_first_line_of_a_large_file_is_an_error(saved):
    with pytest.raises(SourceError, match="line 1"):
        saved('a,"b\n' + "1,2\n" * 500_000)


def test_half_a_row_at_the_end_of_the_sample_does_not_mislead(saved):
    rows = "".join(f"{n};x: {'y,' * 400}\n" for n in range(2_000))
    table = saved("a;b\n" + rows)
    assert table.dialect.separator == ";" and table.columns == ("a", "b")


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_end_in_a_name_belongs_to_the_name(saved, end, encoding):
    text = end.join(['"a\nb";c', "1;2", '"x\ny";3', ""])
    table = saved(text.encode(encoding), encoding=encoding)
    assert cells(table) == {"a\nb": ["1", "x\ny"], "c": ["2", "3"]}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("text", ["a;b", "a;b\n", '"a";b\r\n'])
def test_names_without_rows_are_a_table_of_no_rows(saved, text, encoding):
    assert cells(saved(text.encode(encoding), encoding=encoding)) == {"a": [], "b": []}


def test_a_lone_name_with_a_space_is_one_column(saved):
    assert saved("first name\n").columns == ("first name",)


@pytest.mark.parametrize("kind", ["utf-8", "latin-1"])
def test_what_looks_special_is_text(saved, kind):
    odd = ["1e400", "-0", "9" * 40, "NaN", "NULL", "\\N", "x ", " ", "0.10", "01/02/2020", "\xa0"]
    table = saved(("a,b\n" + "".join(f"{cell},1\n" for cell in odd)).encode(kind), encoding=kind)
    assert cells(table)["a"] == odd


def test_a_row_of_six_megabytes_is_read(saved):
    table = saved(("a,b\n1," + "x" * 6_000_000 + "\n").encode("utf-16"), encoding="utf-16")
    assert len(cells(table)["b"][0]) == 6_000_000


@pytest.mark.parametrize("blank", ["\n", "\n\n", "\r\n\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_blank_lines_above_the_names_are_no_rows(saved, blank, encoding):
    end = blank[: 2 if blank.startswith("\r\n") else 1]
    one = saved((blank + end.join(["a", "1", "", "2", ""])).encode(encoding))
    assert cells(one) == {"a": ["1", None, "2"]}
    two = saved((blank + end.join(["a,b", "1,2", ""])).encode(encoding))
    assert cells(two) == {"a": ["1"], "b": ["2"]}


def test_lines_are_numbered_from_the_top_of_the_file(saved):
    with pytest.raises(SourceError, match="line 5 "):
        cells(saved("\n\na,b\n1,2\n3\n"))
