"""Promises of one-way pseudonyms: consistent, apart, out of reach without the key."""

from __future__ import annotations

import hashlib
import hmac

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import PseudonymError
from discreet.pseudonyms.book import Book
from discreet.pseudonyms.formats import SocialSecurity, Token
from discreet.pseudonyms.keyed_hash import Chance
from discreet.pseudonyms.one_way import OneWay
from discreet.replacement_key import ReplacementKey

KEY = ReplacementKey(bytes(range(32)))
OTHER = ReplacementKey(bytes(range(1, 33)))
HIDE = OneWay(KEY, SocialSecurity())
AREA_GROUP = [f"12345{serial:04d}" for serial in range(1, 10_000)]


def _plain(number: str) -> str:
    return hashlib.sha256(number.encode()).hexdigest()


def test_plain_hashes_of_an_area_and_group_fall_to_trying_and_keyed_ones_do_not() -> None:
    people = AREA_GROUP[17::97]
    tried = {_plain(number): number for number in AREA_GROUP}
    assert [tried[_plain(number)] for number in people] == people

    released = HIDE(pa.array(people)).values.to_pylist()
    for guess in (ReplacementKey(bytes(32)), OTHER):
        table = OneWay(guess, SocialSecurity())(pa.array(AREA_GROUP)).values.to_pylist()
        back = dict(zip(table, AREA_GROUP, strict=True))
        assert [back.get(new) for new in released] == [None] * len(people)


def test_whoever_has_the_key_can_try_numbers_out() -> None:
    people = AREA_GROUP[17::97]
    back = dict(zip(HIDE(pa.array(AREA_GROUP)).values.to_pylist(), AREA_GROUP, strict=True))
    released = HIDE(pa.array(people)).values.to_pylist()
    assert [back[new] for new in released] == people


def test_the_same_key_gives_the_same_in_two_tables_and_another_key_others() -> None:
    first = HIDE(pa.array(AREA_GROUP[:600])).values.to_pylist()
    second = HIDE(pa.array(AREA_GROUP[400:900])).values.to_pylist()
    assert first[400:] == second[:200]
    others = OneWay(OTHER, SocialSecurity())(pa.array(AREA_GROUP[:600])).values.to_pylist()
    assert not set(others) & set(first)


def test_domains_share_nothing() -> None:
    mothers = OneWay(KEY, SocialSecurity(), domain="mothers")(pa.array(AREA_GROUP[:50]))
    assert not set(mothers.values.to_pylist()) & set(HIDE(pa.array(AREA_GROUP)).values.to_pylist())


def test_pseudonyms_can_be_recomputed_from_what_is_written_of_them() -> None:
    # docs/decisions/0024; a change here breaks the links between releases of every data holder
    from cryptography.hazmat.primitives.ciphers.algorithms import AES
    from cryptography.hazmat.primitives.cmac import CMAC

    uses = [b"pseudonyms", b"one-way", b"ssn", b"", b"0", b"0"]
    said = b"".join(len(use).to_bytes(4, "big") + use for use in uses)
    known = CMAC(AES(hmac.digest(KEY.secret, said, "sha256")))
    known.update(b"123456789")
    number = int.from_bytes(known.finalize()[:8], "little") % 48_995_100
    left, serial = divmod(number, 9999)
    area, group = divmod(left, 49)
    written = f"{900 + area}-{1 + group:02d}-{1 + serial:04d}"
    assert HIDE(pa.array(["123-45-6789"])).values.to_pylist() == [written]


@settings(max_examples=40, deadline=None)
@given(st.sets(st.from_regex(r"[A-C][0-9]{1,2}", fullmatch=True), max_size=60))
def test_no_pseudonym_is_a_real_value_and_no_two_meet(codes: set[str]) -> None:
    values = sorted(codes)
    made = OneWay(KEY)(pa.array(values, pa.string()))
    new = made.values.to_pylist()
    assert len(set(new)) == len(new) and not set(new) & codes
    turned = OneWay(KEY)(pa.array(values[::-1], pa.string())).values.to_pylist()
    assert turned[::-1] == new
    assert [(len(a), a[0].isupper()) for a in new] == [(len(a), True) for a in values]


def test_pseudonyms_that_would_be_real_are_drawn_again_and_counted() -> None:
    first = OneWay(KEY)(pa.array(["A1"])).values[0].as_py()
    made = OneWay(KEY)(pa.array(["A1", first]))
    assert made.redrawn >= 1
    assert not {"A1", first} & set(made.values.to_pylist())


def test_a_book_makes_those_drawn_again_the_same_everywhere() -> None:
    codes = [f"{letter}{digit}" for letter in "ABCDEFGH" for digit in range(10)]
    every = pa.array(codes)
    whole = OneWay(KEY)(every)
    assert whole.redrawn > 10
    alone = OneWay(KEY)(every[::3]).values.to_pylist()
    again = OneWay(KEY)(every[::3], whole.book)
    assert again.values.to_pylist() == whole.values.to_pylist()[::3] != alone
    assert len(again.book) == len(whole.book) == 80


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sets(st.from_regex(r"[AB][0-9]", fullmatch=True), max_size=8), max_size=4))
def test_tables_one_after_the_other_agree_but_where_a_pseudonym_became_an_identifier(
    tables: list[set[str]],
) -> None:
    book, given = Book(), dict[str, str]()
    for codes in tables:
        values = sorted(codes)
        try:
            made = OneWay(KEY)(pa.array(values, pa.string()), book)
        except PseudonymError as error:
            assert "are pseudonyms of this key" in str(error)
            assert len(codes & set(given.values())) > len(codes) // 2
            continue
        new = dict(zip(values, made.values.to_pylist(), strict=True))
        other = [old for old, made in new.items() if given.get(old, made) != made]
        assert all(given[old] in codes for old in other) and made.changed == len(other)
        given |= new
        assert len(set(given.values())) == len(given) and not codes & set(new.values())
        book = made.book


def test_an_identifier_that_was_given_out_as_a_pseudonym_is_refused() -> None:
    first = OneWay(KEY)(pa.array(["A17", "B04"]))
    replaced = first.values
    with pytest.raises(PseudonymError, match=r"2 of its 2 .*pseudonyms of this key"):
        OneWay(KEY)(replaced, first.book, column="id")
    with pytest.raises(PseudonymError, match="1 of its 2"):
        OneWay(KEY, Token())(pa.array(["A17", OneWay(KEY, Token())(pa.array(["A17"])).values[0]]))


def test_an_identifier_that_changed_too_often_is_refused() -> None:
    first = OneWay(KEY)(pa.array(["A1"]))
    rows = first.book.rows.copy()
    rows["turn"] = 200
    with pytest.raises(PseudonymError, match="no pseudonym of their own"):
        OneWay(KEY)(pa.array(["A1", first.values[0].as_py(), "B2"]), Book(rows))


def test_books_of_formats_and_domains_do_not_meddle() -> None:
    codes = pa.array([f"{n:02d}" for n in range(30)])
    first = OneWay(KEY, domain="visits")(codes)
    for other in (OneWay(KEY), OneWay(KEY, domain="bills"), OneWay(OTHER)):
        assert other(codes, first.book).values == other(codes).values


def test_two_ways_of_writing_are_one_identifier() -> None:
    made = HIDE(pa.array(["123-45-6789", "123456789"]))
    assert made.values[0].as_py().replace("-", "") == made.values[1].as_py()
    assert len(made.book) == 1


def test_numbers_that_lost_their_zeros_are_the_same_people() -> None:
    texts = HIDE(pa.array(["012-34-5678", "001-01-0001"])).values.to_pylist()
    whole = HIDE(pa.array([12345678, 1010001])).values
    assert whole.type == pa.int64()
    assert [str(number) for number in whole.to_pylist()] == [t.replace("-", "") for t in texts]
    with pytest.raises(PseudonymError, match="1 of its 1"):
        HIDE(pa.array([123]))


@pytest.mark.parametrize(
    "values",
    [
        pa.array(["123456789", None, "", "223456789", "123456789"], pa.large_string()),
        pa.chunked_array([["123456789", None, ""], ["223456789", "123456789"]]),
        pa.array(["123456789", None, "", "223456789", "123456789"]).dictionary_encode(),
        pa.array(["x", "123456789", None, "", "223456789", "123456789"])[1:],
        pa.array([123456789, None, None, 223456789, 123456789], pa.int32()),
    ],
    ids=["large", "chunks", "dictionary", "slice", "numbers"],
)
def test_every_kind_of_column_gives_the_same(values: pa.Array) -> None:
    known = HIDE(pa.array(["123456789", "223456789"])).values.to_pylist()
    made = HIDE(values)
    texts = [None if value is None else str(value) for value in made.values.to_pylist()]
    assert texts == [known[0], None, None, known[1], known[0]]
    assert made.facts() == {
        "rows": 5, "distinct": 2, "redrawn": 0, "changed": 0, "missing": 2, "made_missing": 0
    }  # fmt: skip


@pytest.mark.parametrize("empty", [pa.array([], pa.string()), pa.chunked_array([], pa.string()),
                                   pa.array([None, None]), pa.array(["", ""])])  # fmt: skip
def test_columns_without_values_stay_without(empty: pa.Array) -> None:
    assert OneWay(KEY)(empty).values.null_count == len(empty)
    assert HIDE(empty).values.null_count == len(empty)


def test_columns_of_other_types_are_refused() -> None:
    for values in (pa.array([1.5]), pa.array([True]), pa.array([b"1"])):
        with pytest.raises(PseudonymError, match="'id'"):
            OneWay(KEY)(values, column="id")
    with pytest.raises(PseudonymError, match="different values"):
        OneWay(KEY)(pa.array([-5]))


def test_too_little_room_is_said_with_counts() -> None:
    with pytest.raises(PseudonymError, match="of its 9 different"):
        OneWay(KEY)(pa.array(range(1, 10)))


def test_texts_that_share_a_fingerprint_still_get_pseudonyms_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = Chance.prints
    monkeypatch.setattr(Chance, "prints", lambda chance, texts: real(chance, texts) % 10_000)
    made = HIDE(pa.array(AREA_GROUP[:300])).values.to_pylist()
    assert len(set(made)) == 300


def test_the_book_shows_nothing() -> None:
    made = HIDE(pa.array(AREA_GROUP[:5]))
    assert repr(made.book) == "Book(5 pseudonyms)"
    raw = made.book.rows.tobytes()
    assert not any(number.encode() in raw for number in AREA_GROUP[:5])
