"""Checks that numbers carry: is this a possible card, account, vehicle, number of a person?

Notes
-----
Luhn: ISO/IEC 7812-1 (cards, IMEI). Mod 97: ISO 7064 and ISO 13616 (IBAN). Vehicles: 49 CFR
565.15. NHS number: mod 11. Routing number: weights 3, 7, 1. DEA number: odd places once, even
places twice.

Departures: none.
"""

from __future__ import annotations

import re

_VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789", strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def digits_of(text: str) -> list[int]:
    """The digits of a text, as numbers.

    Examples
    --------
    >>> digits_of("4-2 x1")
    [4, 2, 1]
    """
    return [int(c) for c in text if c in "0123456789"]


def luhn(text: str) -> bool:
    """Whether the digits have a right Luhn check digit and are not all the same.

    Examples
    --------
    >>> luhn("4111 1111 1111 1111"), luhn("4111 1111 1111 1112")
    (True, False)
    """
    numbers = digits_of(text)
    doubled = [sum(divmod(2 * n, 10)) for n in numbers[-2::-2]]
    return len(set(numbers)) > 1 and (sum(numbers[-1::-2]) + sum(doubled)) % 10 == 0


def iban(text: str) -> bool:
    """Whether an international bank account number has the right check digits.

    Examples
    --------
    >>> iban("GB82 WEST 1234 5698 7654 32"), iban("GB82 WEST 1234 5698 7654 33")
    (True, False)
    """
    code = re.sub(r"[^A-Z0-9]", "", text.upper())
    if not 15 <= len(code) <= 34:
        return False
    return int("".join(str(int(c, 36)) for c in code[4:] + code[:4])) % 97 == 1


def vin(text: str) -> bool:
    """Whether a vehicle number has the right check digit.

    Examples
    --------
    >>> vin("1M8GDM9AXKP042788"), vin("1M8GDM9A0KP042788")
    (True, False)
    """
    values = [int(_VIN_VALUES.get(c, c)) for c in text]
    rest = sum(w * v for w, v in zip(_VIN_WEIGHTS, values, strict=True)) % 11
    return text[8] == ("X" if rest == 10 else str(rest))


def nhs(text: str) -> bool:
    """Whether ten digits are a possible number of the British health service.

    Examples
    --------
    >>> nhs("943 476 5919"), nhs("943 476 5918")
    (True, False)
    """
    numbers = digits_of(text)
    total = sum((10 - place) * number for place, number in enumerate(numbers[:9]))
    return len(numbers) == 10 and (11 - total % 11) % 11 == numbers[9]


def routing(text: str) -> bool:
    """Whether nine digits are a possible routing number of an American bank.

    Examples
    --------
    >>> routing("021000021"), routing("021000022")
    (True, False)
    """
    numbers = digits_of(text)
    return (
        len(numbers) == 9
        and sum(w * n for w, n in zip([3, 7, 1] * 3, numbers, strict=True)) % 10 == 0
    )


def ssn(text: str) -> bool:
    """Whether nine digits can be a social security or taxpayer number: no part is all zeros.

    Examples
    --------
    >>> ssn("078-05-1120"), ssn("000-12-3456"), ssn("123-00-4567")
    (True, False, False)
    """
    numbers = digits_of(text)
    return len(numbers) == 9 and any(numbers[:3]) and any(numbers[3:5]) and any(numbers[5:])


def dea(text: str) -> bool:
    """Whether two letters and seven digits are a possible number of a prescriber.

    Examples
    --------
    >>> dea("AB1234563"), dea("AB1234564")
    (True, False)
    """
    numbers = digits_of(text)
    return len(numbers) == 7 and (sum(numbers[0:6:2]) + 2 * sum(numbers[1:6:2])) % 10 == numbers[6]


def is_date(text: str) -> bool:
    """Whether numbers can be day, month and year in some order, or month and year.

    Examples
    --------
    >>> is_date("3/1/91"), is_date("31.12.2020"), is_date("2024-13-01"), is_date("45/12/99")
    (True, True, False, False)
    """
    parts = [int(p) for p in re.findall(r"\d+", text)[:3]]
    if len(parts) < 3:
        return False
    if parts[0] > 31:
        year, month, day = parts
        return _is_year(year) and _is_day(month, day) and len(str(year)) == 4
    return _is_year(parts[2]) and (_is_day(parts[0], parts[1]) or _is_day(parts[1], parts[0]))


def _is_year(year: int) -> bool:
    return year < 100 or 1700 <= year <= 2199


def _is_day(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def is_joined_date(text: str) -> bool:
    """Whether eight digits are a date of a person's lifetime: 19910301.

    Examples
    --------
    >>> is_joined_date("19910301"), is_joined_date("19911301")
    (True, False)
    """
    return is_date(f"{text[:4]}-{text[4:6]}-{text[6:]}") and 1880 <= int(text[:4]) <= 2099
