"""Check digits: how a made-up number is told from an issued one."""

from __future__ import annotations

import re
import string

_NOT_ALPHANUMERIC = re.compile(r"[^0-9A-Za-z]")


def bare(value: str) -> str:
    """The letters and digits of a number as people write it, in capitals."""
    return _NOT_ALPHANUMERIC.sub("", value).upper()


def luhn(digits: str) -> bool:
    """Payment cards, IMEI, NPI, Swedish personal numbers (ISO/IEC 7812-1, annex B)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def mod_97(text: str) -> bool:
    """International bank account numbers (ISO 13616, check of ISO 7064 MOD 97-10)."""
    turned = text[4:] + text[:4]
    return int("".join(str(int(character, 36)) for character in turned)) % 97 == 1


def weighted(digits: str, weights: tuple[int, ...], modulus: int) -> int:
    """The weighted sum of the digits that many national numbers are checked with."""
    total = sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))
    return total % modulus


def mod_11_10(digits: str) -> bool:
    """German tax numbers (ISO 7064 MOD 11,10)."""
    product = 10
    for digit in digits[:-1]:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    return (11 - product) % 10 == int(digits[-1])


def gs1(digits: str) -> bool:
    """Trade item numbers such as those in a device's UDI, and Swiss AHV numbers."""
    body = zip(reversed(digits[:-1]), (3, 1) * len(digits), strict=False)
    return (10 - sum(int(digit) * weight for digit, weight in body) % 10) % 10 == int(digits[-1])


_VIN_VALUES = dict(
    zip(
        string.digits + "ABCDEFGHJKLMNPRSTUVWXYZ",
        map(int, "012345678912345678123457923456789"),
        strict=True,
    )
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def vin(text: str) -> bool:
    """Vehicle identification numbers with the check digit of 49 CFR 565.15."""
    total = sum(
        _VIN_VALUES[character] * weight
        for character, weight in zip(text, _VIN_WEIGHTS, strict=True)
    )
    return text[8] == "0123456789X"[total % 11]
