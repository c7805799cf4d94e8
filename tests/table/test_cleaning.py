"""Words for missing and lost zeros: what a table means, whatever kind of file it is."""

from __future__ import annotations

import pyarrow as pa
import pytest

from discreet.errors import DiscreetError
from discreet.kinds.zip_codes import restore_zeros
from discreet.table.cleaning import clean_table, count_cleaned
from discreet.table.missing import Cleaning, Missing, parse_missing, parse_words, propose_words
from discreet.table.read import read


def cells(table, text=(), native=()):
    return table.scan(text=text, native=native).read_all().to_pydict()


def test_words_become_missing_and_spaces_around_them_do_not_count():
    table = read(pa.table({"age": ["31", "NA", " ? ", "na", "", "  "]}))
    cleaned = clean_table(table, {"age": Cleaning(("NA", "?", ""))})
    assert cells(cleaned, text=["age"])["age"] == ["31", None, None, "na", None, None]


def test_the_native_column_is_missing_where_the_text_is():
    table = read(pa.table({"age": pa.array([31, 999, None]), "sex": ["f", "NA", "m"]}))
    cleaned = clean_table(table, {"age": Cleaning(("999",)), "sex": Cleaning(("NA",))})
    assert cells(cleaned, ["sex"], ["age", "sex"]) == {"sex": ["f", None, "m"]} | {
        "age": [31, None, None]
    }
    assert cleaned.scan(native=["age"]).schema.field(0).type == pa.int64()


def test_a_packed_column_is_read_too():
    packed = pa.array(["a", "NA", "a"]).dictionary_encode()
    cleaned = clean_table(read(pa.table({"x": packed})), {"x": Cleaning(("NA",))})
    assert cells(cleaned, native=["x"])["x"] == ["a", None, "a"]


def test_numbers_that_were_codes_get_their_zeros_back_as_text():
    table = read(pa.table({"zip": [2138, 10001, 601]}))
    cleaned = clean_table(table, {"zip": Cleaning(zeros=True)})
    assert cells(cleaned, native=["zip"])["zip"] == ["02138", "10001", "00601"]


def test_cleaning_twice_is_like_once():
    table = read(pa.table({"zip": ["2138", "NA"]}))
    how = {"zip": Cleaning(("NA",), zeros=True)}
    once = clean_table(table, how)
    assert clean_table(once, how) is once
    again = clean_table(clean_table(once, {"zip": Cleaning(("x",))}), how)
    assert cells(again, text=["zip"]) == cells(once, text=["zip"])


def test_what_was_cleaned_is_counted():
    table = read(pa.table({"zip": ["2138", "NA", "02139", "601", None]}))
    (found,) = count_cleaned(clean_table(table, {"zip": Cleaning(("NA",), zeros=True)}))
    assert (found.missing, found.zeros) == (1, 2)
    assert "1 cell" in found.note
    assert count_cleaned(table) == ()


def test_only_zip_codes_get_zeros():
    given = ["2138", "02138", "601", "2138-1234", "21381234", "2138.0", "12138.0", "x", "123456"]
    texts, lost = restore_zeros(pa.array([*given, None]))
    assert texts.to_pylist() == [
        *("02138", "02138", "00601", "02138-1234", "021381234", "02138", "12138", "x", "123456"),
        None,
    ]
    assert lost.tolist() == [True, False, True, True, True, True, False, False, False, False]


def test_old_spellings_mean_the_same():
    assert parse_missing("wildcard") == Missing("wildcard")
    assert parse_missing("value") == Missing()
    assert parse_missing({"values": ["NA", "?"]}) == Missing("value", ("NA", "?"))
    assert parse_missing(["NA"]) == Missing("value", ("NA",))
    assert parse_words({"values": ["NA"]}) == parse_words("NA") == ("NA",)


@pytest.mark.parametrize(
    ("said", "what"),
    [
        ("wildcards", "is not understood"),
        ({"values": [999]}, "in quotes"),
        ({"values": ["NA"], "is": "value"}, "'is' is not a key here"),
        ({"values": "NA", "as": None}, "is not understood"),
        (5, "needs value, wildcard or the words"),
    ],
)
def test_what_is_not_understood_is_said(said, what):
    with pytest.raises(DiscreetError, match=what):
        parse_missing(said)


def test_a_column_has_words_and_no_meaning_of_its_own():
    with pytest.raises(DiscreetError, match="for the whole table"):
        parse_words({"values": ["NA"], "as": "wildcard"})


def test_words_are_proposed_by_how_common_they_are():
    assert propose_words({"NA": 3, "?": 20, " ": 1, "--": 3}) == ("?", "--", "NA", "")
