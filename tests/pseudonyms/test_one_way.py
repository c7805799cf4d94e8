"""Promises of one-way pseudonyms: consistent, apart, out of reach without the key."""

from __future__ import annotations

import hashlib
import hmac

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import PseudonymKindError, PseudonymRoomError
from discreet.pseudonyms.fingerprints import fingerprints, places_of, repeated
from discreet.pseudonyms.formats.social_security import SocialSecurity
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
    uses = [b"pseudonyms", b"one-way", b"ssn", b"0", b"0"]
    said = b"".join(len(use).to_bytes(4, "big") + use for use in uses)
    secret = hmac.digest(KEY.secret, said, "sha256")
    digest = hmac.digest(secret, b"123456789", "sha256")
    left, serial = divmod(int.from_bytes(digest[:8], "little") % 48_995_100, 9999)
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


def test_a_register_of_everybody_makes_those_drawn_again_the_same_everywhere() -> None:
    codes = [f"{letter}{digit}" for letter in "ABCDEFGH" for digit in range(10)]
    every = pa.array(codes)
    whole = OneWay(KEY)(every)
    assert whole.redrawn > 10
    alone = OneWay(KEY)(every[::3]).values.to_pylist()
    among = OneWay(KEY)(every[::3], among=every).values.to_pylist()
    assert among == whole.values.to_pylist()[::3] != alone


def test_two_ways_of_writing_beside_others_keep_apart_what_is_apart() -> None:
    made = HIDE(pa.array(["123-45-6789", "123456789"]), among=pa.array(["987654321"]))
    assert made.values[0].as_py().replace("-", "") == made.values[1].as_py()


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
        "rows": 5, "distinct": 2, "redrawn": 0, "missing": 2, "made_missing": 0
    }  # fmt: skip


@pytest.mark.parametrize("empty", [pa.array([], pa.string()), pa.chunked_array([], pa.string()),
                                   pa.array([None, None]), pa.array(["", ""])])  # fmt: skip
def test_columns_without_values_stay_without(empty: pa.Array) -> None:
    assert OneWay(KEY)(empty).values.null_count == len(empty)
    assert HIDE(empty).values.null_count == len(empty)


def test_columns_of_other_types_are_refused() -> None:
    for values in (pa.array([1.5]), pa.array([True]), pa.array([b"1"])):
        with pytest.raises(PseudonymKindError, match="'id'"):
            OneWay(KEY)(values, column="id")
    with pytest.raises(PseudonymKindError, match="different values"):
        OneWay(KEY)(pa.array([-5]))


def test_too_little_room_is_said_with_counts() -> None:
    with pytest.raises(PseudonymRoomError, match="of its 9 different"):
        OneWay(KEY)(pa.array(range(1, 10)))


def test_fingerprints_find_all_that_are_alike_and_texts_decide() -> None:
    texts = pa.array(["a", "bb", "a", "", "bb", "c", "b", "\0", "\0\0"])
    prints = fingerprints(texts)
    assert places_of(repeated(prints), prints).tolist() == [0, 1, 2, 4]
    same = fingerprints(pa.array(["abc", "abd", "abc"]))
    assert same[0] == same[2] != same[1]


def test_texts_that_share_a_fingerprint_are_still_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = pa.array(AREA_GROUP[:300])
    known = HIDE(values)
    monkeypatch.setattr(
        "discreet.pseudonyms.draws.fingerprints", lambda texts: fingerprints(texts) % 7
    )
    assert HIDE(values).values == known.values and HIDE(values).redrawn == known.redrawn
