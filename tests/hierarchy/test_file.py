from __future__ import annotations

import pytest

from discreet.errors import HierarchyError
from discreet.hierarchy import File

LINES = "02138;0213*;*\n02139;0213*;*\n02141;0214*;*\n"


@pytest.fixture
def written(tmp_path):
    def write(content, name="zip.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return File(path)

    return write


@pytest.mark.parametrize(
    "content",
    [
        LINES,
        LINES.replace("\n", "\r\n"),
        LINES.replace("\n", "\r"),
        LINES.rstrip(),
        LINES.replace(";", ","),
        LINES.replace(";", "\t"),
        LINES.replace("02138", '"02138"'),
        "\n" + LINES + "\n\n",
        b"\xef\xbb\xbf" + LINES.encode(),
        LINES.encode("utf-16"),
        LINES + LINES,
    ],
)
def test_files_are_read_whatever_their_dialect(written, content):
    built = written(content).build("zip", ["02141", "02138"])
    assert built.labels == (("02141", "02138"), ("0214*", "0213*"), ("*",))
    assert [counts.tolist() for counts in built.leaves] == [[1, 1], [1, 2], [3]]
    assert built.leaf_count == 3


def test_files_of_older_windows_programs_are_read(written):
    built = written("Köln;Nord;*\nMünchen;Süd;*\n".encode("cp1252")).build("town", ["München"])
    assert built.labels[1] == ("Süd",)


def test_quoted_fields_may_hold_separators_quotes_and_line_ends(written):
    built = written('"a;""b""\nc";"x;y";*\nd;z;*\n').build("x", ['a;"b"\nc'])
    assert built.labels[1] == ("x;y",)


def test_a_line_for_the_empty_value_is_for_the_missing_value(written):
    built = written(";unknown;*\na;known;*\n").build("x", ["a", None])
    assert built.labels == (("a", None), ("known", "unknown"), ("*",))
    assert built.leaf_count == 2


def test_an_empty_text_of_the_data_is_looked_up_as_missing(written):
    built = written(";unknown;*\na;known;*\n").build("x", ["", "a", None])
    assert built.labels == (("", "a", None), ("unknown", "known"), ("*",))
    assert [counts.tolist() for counts in built.leaves] == [[1, 1, 1], [2, 1], [3]]


def test_missing_without_a_line_joins_the_root_as_one_more_leaf(written):
    built = written(LINES).build("zip", ["02138", None])
    assert built.labels[1:] == (("0213*", None), ("*",))
    assert built.leaf_count == 4


def test_a_star_is_added_above_several_last_labels(written):
    assert written("a;x\nb;y\n").build("x", ["a", "b"]).labels[-1] == ("*",)


def test_a_file_of_values_alone_is_flat(written):
    assert written("a\nb\n").build("x", ["a", "b"]).labels == (("a", "b"), ("*",))


def test_values_missing_from_the_file_are_counted_and_not_named(written):
    with pytest.raises(HierarchyError) as caught:
        written(LINES).build("zip", ["02138", "99999", " 02141", None])
    message = str(caught.value)
    assert "column 'zip': 2 of its 4 different values are missing from" in message
    assert "zip.csv" in message
    assert "uncovered: root" in message
    assert "1 of them differ from a leaf only in spaces" in message
    assert "99999" not in message


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("", "it is empty"),
        ("\n \n", "it is empty"),
        ("a;x;*\nb;*\nc;x;*\n", r"1 of 3 lines do not have 3 fields \(line 2\)"),
        ("a;x;*\n\nb;x;*\nc;x;*;*\n", r"1 of 3 lines do not have 3 fields \(line 4\)"),
        ('a;x;*\n"b;x;*\nc;x;*\n', "the quotes from line 2 on do not pair up"),
        ("a;x;*\nb;x;*\n\na;y;*\n", "lines 1 and 4 have the same value but different parents"),
        (b"PK\x03\x04\x00\x00\x81\x8d\x00", "it is not a text file"),
    ],
)
def test_a_file_that_is_wrong_is_refused_by_line(written, content, what):
    with pytest.raises(HierarchyError, match=what):
        written(content).build("x", ["a"])


def test_a_label_with_two_parents_is_named_with_its_lines(written):
    with pytest.raises(HierarchyError, match="'other' for one: compare line 1 and line 3"):
        written("a;other;north;*\nb;x;north;*\nc;other;south;*\n").build("x", ["a"])


def test_a_missing_value_that_would_get_two_parents_is_refused(written):
    with pytest.raises(HierarchyError, match="the missing value, which has no line"):
        written("a;;x;*\nb;y;y;*\n").build("x", ["a", None])


def test_a_star_beside_other_roots_is_refused(written):
    with pytest.raises(HierarchyError, match="if it is a header, remove it"):
        written("value;level 1;top\n" + LINES).build("zip", ["02138"])


def test_a_file_that_is_not_there_gets_a_suggestion(written):
    there = written(LINES, "education.csv")
    with pytest.raises(HierarchyError, match=r"Did you mean 'education\.csv'"):
        File(there.path.with_name("eduction.csv")).build("x", ["a"])


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(HierarchyError, match="this is a folder"):
        File(tmp_path).build("x", ["a"])


def test_a_hundred_thousand_lines_are_read(written):
    zips = [f"{number:05}" for number in range(100_000)]
    lines = (";".join([z, *(z[:keep].ljust(5, "*") for keep in (4, 3, 2, 1)), "*"]) for z in zips)
    file = written("\n".join(lines))
    built = file.build("zip", zips[::7])
    assert built.leaves[1].tolist()[0] == 10
