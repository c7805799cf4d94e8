"""Our own check digits are those of python-stdnum; where the two differ the standard decides."""

from __future__ import annotations

import random

import pytest
import stdnum.luhn
from stdnum.iso7064 import mod_97_10

from discreet.kinds import accounts, national
from discreet.kinds.checksums import has_vin_check_digit, is_luhn_number, luhn, mod_97
from discreet.kinds.recognizer import Check

MANY = 500
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@pytest.mark.parametrize("length", [10, 14, 15, 16, 19])
def test_luhn_agrees_on_random_numbers(length: int) -> None:
    chance = random.Random(length)
    for _ in range(MANY):
        body = "".join(chance.choices("0123456789", k=length - 1))
        right = stdnum.luhn.calc_check_digit(body)
        assert [luhn(body + digit) for digit in "0123456789"] == [
            digit == right for digit in "0123456789"
        ]


def test_digits_of_other_scripts_count() -> None:
    number = "490154203237518"
    arabic = "".join(chr(0x0660 + int(digit)) for digit in number)
    assert luhn(arabic)
    assert not luhn(arabic[:-1] + chr(0x0661))


def test_a_row_of_one_digit_is_not_a_number_in_a_text() -> None:
    assert luhn("0" * 16)
    assert not is_luhn_number("0000-0000-0000-0000")
    assert is_luhn_number("4111-1111-1111-1111")


@pytest.mark.parametrize("length", [11, 18, 30])
def test_the_remainder_of_97_agrees_on_random_accounts(length: int) -> None:
    chance = random.Random(length)
    for _ in range(MANY):
        country = "".join(chance.choices(LETTERS, k=2))
        body = "".join(chance.choices("0123456789" + LETTERS, k=length))
        right = mod_97_10.calc_check_digits(body + country)
        assert mod_97(country + right + body)
        assert mod_97((country + right + body).lower())
        wrong = f"{(int(right) + chance.randrange(1, 97)) % 100:02d}"
        text = country + wrong + body
        assert mod_97(text) is mod_97_10.is_valid(text[4:] + text[:4])


@pytest.mark.parametrize(
    "text", ["", "1M8GDM9AXKP04278", "1M8GDM9AXKP0427888", "IM8GDM9AXKP042788"]
)
def test_what_cannot_be_a_vehicle_number_fails_its_check(text: str) -> None:
    assert not has_vin_check_digit(text)


@pytest.mark.parametrize(
    ("check", "value", "right"),
    [
        # One digit twice is what the tax office gives out; two digits twice is not.
        (national.is_steuer_id, "86095742719", True),
        (national.is_steuer_id, "77534940865", False),
        # Months from 21 to 32 and 41 to 52: people who are not in the Belgian register.
        (national.is_rijksregister, "46221312226", True),
        # A check with the 2 of 2063, in which nobody is born yet.
        (national.is_rijksregister, "63061259650", False),
        # The 31st of February.
        (national.is_pesel, "82823147944", False),
        # Day 79 is neither a man's nor a woman's; no month has 34 days.
        (national.is_codice_fiscale, "UHZNUE97P79C438P", False),
        (national.is_codice_fiscale, "PQSHBK70S34Y565P", False),
        # No day 00, no month 13; numbers from 900 are temporary, given by hospitals.
        (national.is_hetu, "000964Y625X", False),
        (national.is_hetu, "111392C0619", False),
        (national.is_hetu, "131052-9085", True),
        # Months 13 to 19 are not used in France; Corsica has letters.
        (national.is_nir, "200172B38781466", False),
        # A Swedish coordination number: day 71.
        (national.is_personnummer, "950571-3546", True),
        # Taxpayer numbers have groups from 50 to 65, too.
        (national.is_ssn, "902-60-4424", True),
        # Right by the remainder of 97, of a country that no table has.
        (accounts.is_iban, "US32573426150493320909", True),
    ],
)
def test_where_two_rules_differ_the_standard_decides(check: Check, value: str, right: bool) -> None:
    assert check(value) is right
