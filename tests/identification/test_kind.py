"""What the values of a column are, whatever it is called."""

from __future__ import annotations

import pytest

from discreet.identification.kind import Kind, describe_shape, find_kind, is_number

COLUMNS = {
    "whole numbers": ([str(n) for n in range(50)], Kind.number),
    "decimals of two countries": ([f"{n},5" for n in range(25)] + [f"{n}.5" for n in range(25)],
                                  Kind.number),
    "codes with zeros in front": ([f"{n:05d}" for n in range(50)], Kind.code),
    "letters with digits": ([f"H{n}" for n in range(50)], Kind.code),
    "days": ([f"2020-01-{n:02d}" for n in range(1, 29)], Kind.date),
    "a few words": (["red", "blue", "green"], Kind.category),
    "many words": ([f"Town{chr(65 + n)}{chr(97 + n % 26)}" for n in range(26)], Kind.text),
    "sentences": ([f"this is a sentence of several words {n}" for n in range(50)], Kind.free_text),
    "nothing": ([], Kind.empty),
    "yes or no as digits": (["0", "1"], Kind.category),
}  # fmt: skip


@pytest.mark.parametrize("case", COLUMNS)
def test_the_kind_is_seen_from_the_values(case: str) -> None:
    values, kind = COLUMNS[case]
    assert find_kind(values, len(values), 50) is kind


@pytest.mark.parametrize("text", ["1", "-1.5", "+2", "1e-3", "1,234.50", "1.234,50", "$12", ".5"])
def test_numbers_of_all_countries_are_numbers(text: str) -> None:
    assert is_number(text)


@pytest.mark.parametrize("text", ["", "a", "1-2", "2020-01-31", "1.2.3.4", "12:30", "<5"])
def test_other_texts_are_no_numbers(text: str) -> None:
    assert not is_number(text)


@pytest.mark.parametrize(
    ("value", "looks"),
    [
        ("02138", "99999"),
        ("Maria", "Aa"),
        ("MARIA", "A"),
        ("maria", "a"),
        ("McDonald 3rd", "Aa 9a"),
        ("1965-09-20", "9999-99-99"),
        ("Ü€ß", "A?a"),
        ("1" * 20, "9...9"),
    ],
)
def test_a_shape_says_what_a_value_looks_like_only(value: str, looks: str) -> None:
    assert describe_shape(value) == looks
