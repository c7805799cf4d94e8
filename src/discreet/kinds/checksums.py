"""Check digits: how a number that could have been issued is told from any other.

Notes
-----
The checks that scrub runs on every number in a text: Luhn (ISO/IEC 7812-1, annex B), the
remainder of 97 (ISO 7064, ISO 13616) and vehicle numbers (49 CFR 565.15). Everything else is asked
of python-stdnum, which knows the rules of the states. Decision 36 has the figures and the cases in
which the two differ; tests hold our own against python-stdnum on random numbers.
"""

from __future__ import annotations

import importlib
import re
import string
from collections.abc import Callable
from functools import cache
from operator import mul

_NOT_ALPHANUMERIC = re.compile(r"[^0-9A-Za-z]")
_NOT_DIGIT = re.compile(r"[^0-9]")
_DOUBLED = str.maketrans("0123456789", "0246813579")
"""Twice a digit, with the digits of the product added: 7 becomes 14 becomes 5."""
_BASE_36 = {ord(letter): str(int(letter, 36)) for letter in string.ascii_letters}
_VIN_VALUES = dict(
    zip(
        string.digits + "ABCDEFGHJKLMNPRSTUVWXYZ",
        map(int, "012345678912345678123457923456789"),
        strict=True,
    )
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def normalize_number(value: str) -> str:
    """The letters and digits of a number as people write it, in capitals."""
    return _NOT_ALPHANUMERIC.sub("", value).upper()


def extract_digits(text: str) -> str:
    """The digits of a text.

    >>> extract_digits("4-2 x1")
    '421'
    """
    return _NOT_DIGIT.sub("", text)


@cache
def load_standard_check(name: str) -> Callable[..., bool]:
    """The check of python-stdnum for a number, by the name of its module, such as ``pl.pesel``.

    The module is loaded when a value first has the form of its numbers: the packages of a dozen
    countries would make every start of the program slower by more than 50 ms.

    >>> load_standard_check("pl.pesel")("44051401359")
    True
    """
    check: Callable[..., bool] = importlib.import_module(f"stdnum.{name}").is_valid
    return check


def luhn(digits: str) -> bool:
    """Payment cards, IMEI, NPI, Swedish personal numbers.

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    if not digits.isascii():  # digits of other scripts count like ours
        digits = "".join(str(int(digit)) for digit in digits)
    total = sum(map(int, digits[-1::-2])) + sum(map(int, digits[-2::-2].translate(_DOUBLED)))
    return total % 10 == 0


def is_luhn_number(text: str) -> bool:
    """The same for a number with marks; a row of one digit is a line or a filler, not a number.

    >>> is_luhn_number("4111 1111 1111 1111"), is_luhn_number("0000 0000 0000 0000")
    (True, False)
    """
    digits = extract_digits(text)
    return len(set(digits)) > 1 and luhn(digits)


def mod_97(text: str) -> bool:
    """International bank account numbers, without marks.

    >>> mod_97("GB82WEST12345698765432"), mod_97("GB82WEST12345698765433")
    (True, False)
    """
    return int((text[4:] + text[:4]).translate(_BASE_36)) % 97 == 1


def has_vin_check_digit(text: str) -> bool:
    """Vehicle identification numbers that have the American check digit.

    >>> has_vin_check_digit("1M8GDM9AXKP042788"), has_vin_check_digit("1M8GDM9A0KP042788")
    (True, False)
    """
    try:
        values = [_VIN_VALUES[character] for character in text]
    except KeyError:  # I, O and Q are not used
        return False
    return len(values) == 17 and text[8] == "0123456789X"[sum(map(mul, values, _VIN_WEIGHTS)) % 11]
