"""Check digits made wrong: a card, account, vehicle or provider number that cannot be real.

Each function takes a number of the right shape and gives one whose check fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_DIGIT = re.compile(r"\d")
_VIN = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))
_VIN |= {str(d): d for d in range(10)}
_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def luhn(digits: str) -> bool:
    """Whether the last digit checks the others (cards, and provider numbers after 80840).

    Examples
    --------
    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    doubled = [int(d) * (1 + i % 2) for i, d in enumerate(reversed(digits))]
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def iban(code: str) -> bool:
    """Whether the two check digits of an account number are right.

    Examples
    --------
    >>> iban("DE89370400440532013000")
    True
    """
    turned = code[4:] + code[:4]
    return int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def vin(code: str) -> bool:
    """Whether the ninth character of a vehicle number checks the others.

    Examples
    --------
    >>> vin("1M8GDM9AXKP042788")
    True
    """
    if any(c not in _VIN for i, c in enumerate(code) if i != 8):
        return False
    total = sum(_VIN.get(c, 0) * weight for c, weight in zip(code, _WEIGHTS, strict=True))
    return code[8] == "0123456789X"[total % 11]


def wrong_luhn(code: str) -> str:
    """Change the last digit of a number of 10 or 13 to 19 digits that passes Luhn's check."""
    digits = "".join(_DIGIT.findall(code))
    real = (13 <= len(digits) <= 19 and luhn(digits)) or (
        len(digits) == 10 and luhn("80840" + digits)
    )
    return _next_digit(code) if real else code


def wrong_iban(code: str) -> str:
    """Change the last digit of an account number that passes."""
    plain = re.sub(r"[\W_]", "", code)
    real = len(plain) > 4 and plain.isascii() and plain.isalnum() and iban(plain)
    return _next_digit(code) if real else code


def wrong_vin(code: str) -> str:
    """Change the ninth character of a vehicle number that passes."""
    if len(code) == 17 and code.isascii() and vin(code.upper()):
        return code[:8] + ("0" if code[8] != "0" else "1") + code[9:]
    return wrong_luhn(code)


def _next_digit(code: str) -> str:
    place = max((i for i, c in enumerate(code) if c.isdecimal()), default=None)
    if place is None:
        return code
    return code[:place] + str((int(code[place]) + 1) % 10) + code[place + 1 :]


WRONG: dict[str, Callable[[str], str]] = {
    "ID": wrong_luhn,
    "IBAN": wrong_iban,
    "VEHICLE": wrong_vin,
}
"""How to make a number of a kind wrong; kinds that are not here go as ``ID``."""
