"""Pseudonyms look like identifiers, and are nobody's."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import pyarrow as pa
import pytest

from discreet.errors import ParameterError, PseudonymError
from discreet.pseudonyms.formats import Phone, Shape, SocialSecurity, Token
from discreet.pseudonyms.one_way import OneWay
from discreet.replacement_key import ReplacementKey

KEY = ReplacementKey(bytes(range(32)))
SSN = re.compile(r"9\d\d-(0[1-9]|[1-4]\d)-(?!0000)\d{4}")


def _made(values: list[str | None], **choices: object) -> list[str]:
    return OneWay(KEY, **choices)(pa.array(values)).values.to_pylist()  # type: ignore[arg-type]


def test_social_security_numbers_were_never_issued() -> None:
    real = [f"{n // 1000 + 1:03d}-{n % 99 + 1:02d}-{n % 9999 + 1:04d}" for n in range(5000)]
    made = _made(list(real), format=SocialSecurity())
    assert all(SSN.fullmatch(number) for number in made)
    assert len(set(made)) == 5000
    areas = np.bincount([int(number[1:3]) for number in made], minlength=100)
    assert areas.min() > 20 and areas.max() < 90  # 50 on average, 5.7 standard deviations


def test_a_number_written_in_three_ways_has_one_pseudonym() -> None:
    dashes, spaces, plain = _made(
        ["123-45-6789", "123 45 6789", "123456789"], format=SocialSecurity()
    )
    assert dashes.replace("-", "") == spaces.replace(" ", "") == plain
    assert SSN.fullmatch(dashes)


def test_phone_numbers_are_of_the_range_for_fiction() -> None:
    here, abroad, local, one = _made(
        ["(304) 255-1423", "+44 20 7946 0958", "255-1423", "+1 304.255.1423"], format=Phone()
    )
    assert re.fullmatch(r"\([2-9]\d\d\) 555-01\d\d", here)
    assert re.fullmatch(r"\+00 0\d \d{4} \d{4}", abroad)
    assert re.fullmatch(r"555-01\d\d", local)
    assert one == f"+1 {here[1:4]}.555.{here[-4:]}"


def test_a_country_code_is_no_area_code() -> None:
    national, foreign = _made(["3042551423", "+3042551423"], format=Phone())
    assert national[3:8] == "55501" and foreign.startswith("+000")


def test_many_phone_numbers_need_the_unassigned_range() -> None:
    numbers = [f"255-{line:04d}" for line in range(200)]
    with pytest.raises(PseudonymError, match="unassigned"):
        _made(list(numbers), format=Phone())
    made = _made(list(numbers), format=Phone("unassigned"))
    assert len(set(made)) == 200
    assert all(re.fullmatch(r"0\d\d-\d{4}", number) for number in made)
    assert re.fullmatch(r"\(0\d\d\) .*", _made(["(304) 255-1423"], format=Phone("unassigned"))[0])


@pytest.mark.parametrize(
    ("value", "pattern"),
    [
        ("AB-12 c", r"[A-Z]{2}-\d{2} [a-z]"),
        ("0042", r"\d{4}"),
        ("4200", r"[1-9]\d{3}"),
        ("CH#32-841-09787", r"[A-Z]{2}#\d{2}-\d{3}-\d{5}"),
        ("Ä\u00e9\u4e2d\u0663–7", r"[A-Z][a-z]{2}\d–\d"),
        ("x" * 70, r"[a-z]{70}"),
        ("x" * 256, r"[a-z]{256}"),
        ("٣٤Ж", r"\d{2}[A-Z]"),
        ("e\u0301\u0323\u0302", r"[a-z]+"),
    ],
)
def test_letters_become_letters_and_digits_digits(value: str, pattern: str) -> None:
    made = _made([value])[0]
    assert re.fullmatch(pattern, made) and made != value


@pytest.mark.parametrize("range", ["fiction", "unassigned"])
def test_whole_numbers_never_lose_the_zeros_of_a_pseudonym(range: str) -> None:
    made = OneWay(KEY, Phone(range), unfit="missing")(  # type: ignore[arg-type]
        pa.array([3042551423, 2551423, 13042551423, 447911123456])
    ).values.to_pylist()
    if range == "unassigned":
        assert made == [None] * 4
    else:
        assert [len(str(n)) for n in made[:3]] == [10, 7, 11] and made[3] is None


def test_a_million_million_characters_are_no_identifier_but_have_a_token() -> None:
    long = "x" * 100_000
    assert len(_made([long, "y"], format=Token())[0]) == 20


def test_each_character_of_a_long_identifier_is_drawn() -> None:
    made = np.array([list(_made([f"{n:040d}".replace("0", "7")])[0]) for n in range(60)])
    assert all(len(set(made[:, place])) > 4 for place in range(40))
    assert len({"".join(row[:16]) for row in made} & {"".join(row[16:32]) for row in made}) == 0


def test_numbers_that_leave_no_others_of_their_length_can_have_tokens() -> None:
    dense = pa.array(range(1, 1000))
    with pytest.raises(PseudonymError, match="format token"):
        OneWay(KEY)(dense)
    made = OneWay(KEY, Token())(dense).values.to_pylist()
    assert len(set(made)) == 999 and all(re.fullmatch("[a-z2-7]{20}", text) for text in made)
    assert OneWay(KEY, Token())(pa.array(["17"])).values[0].as_py() == made[16]


def test_digits_and_letters_are_drawn_evenly() -> None:
    made = _made([f"{n:05d}" for n in range(20_000)], format=Shape())
    counts = np.bincount([int(text[4]) for text in made], minlength=10)
    # last digits of texts of which 20,000 of 100,000 are real: chi-square, 9 degrees
    assert ((counts - 2000) ** 2 / 2000).sum() < 27.9  # 0.1 %


def test_an_accent_written_in_two_ways_is_one_identifier() -> None:
    name = "Jos\u00e9 1"
    one, two = _made([name, unicodedata.normalize("NFD", name)])
    assert one == two and len(one) == len(name)


@pytest.mark.parametrize(
    ("bad", "chosen"),
    [
        ("12345678", SocialSecurity()),
        ("123-456-789", SocialSecurity()),
        ("١٢٣456789", SocialSecurity()),
        ("123456", Phone()),
        ("call 255-1423", Phone()),
        ("1234567890123456", Phone()),
        ("--", Shape()),
        ("x" * 257, Shape()),
        ("123-45 6789", SocialSecurity()),
        ("123-45-6789\n", SocialSecurity()),
        (" 123456789", SocialSecurity()),
        (")2551423", Phone()),
        ("255+1423", Phone()),
    ],
)
def test_values_of_another_kind_are_refused_and_not_shown(bad: str, chosen: Phone) -> None:
    good = "2551423" if isinstance(chosen, Phone) else "123456789"
    with pytest.raises(PseudonymError, match="1 of its 2 different") as caught:
        OneWay(KEY, chosen)(pa.array([good, bad]), column="id")
    assert bad not in str(caught.value) and "'id'" in str(caught.value)
    made = OneWay(KEY, chosen, unfit="missing")(pa.array([good, bad, None, good]))
    assert made.values.is_null().to_pylist() == [False, True, True, False]
    assert made.facts()["made_missing"] == 1 and made.facts()["missing"] == 1


def test_parameters_are_checked() -> None:
    for wrong in ({"format": "ssn"}, {"unfit": "keep"}, {"domain": 3}):
        with pytest.raises(ParameterError):
            OneWay(KEY, **wrong)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="fiction"):
        Phone("any")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="length"):
        Token(4)
