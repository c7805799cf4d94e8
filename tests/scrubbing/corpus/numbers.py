"""Numbers and codes that stand for a person, with right check digits."""

from __future__ import annotations

from random import Random

from tests.scrubbing.corpus.mark import Mark
from tests.scrubbing.corpus.words import syllables


def digits(rng: Random, count: int) -> str:
    """So many digits, the first not 0."""
    return str(rng.randrange(10 ** (count - 1), 10**count))


def phone(rng: Random, locale: str = "us") -> Mark:
    """A telephone number in one of many forms."""
    if locale == "uk" and rng.random() < 0.8:
        forms = {
            "uk mobile": f"07{digits(rng, 3)} {digits(rng, 6)}",
            "uk land": f"0{digits(rng, 3)} {digits(rng, 3)} {digits(rng, 4)}",
            "uk plus": f"+44 (0){digits(rng, 3)} {digits(rng, 6)}",
            "uk bare": f"+44 7{digits(rng, 3)} {digits(rng, 3)} {digits(rng, 3)}",
        }
    elif locale == "de" and rng.random() < 0.8:
        forms = {
            "de slash": f"0{digits(rng, 3)}/{digits(rng, 6)}",
            "de plus": f"+49 {digits(rng, 3)} {digits(rng, 7)}",
            "de plus hyphen": f"+49 (0){digits(rng, 2)} {digits(rng, 4)}-{digits(rng, 2)}",
        }
    else:
        area = f"{rng.choice((304, 617, 978, 413, 505, 719, 815, 208, 541, 918))}"
        office, line = digits(rng, 3), f"{rng.randrange(10000):04d}"
        forms = {
            "local": f"{office}-{line}",
            "brackets": f"({area}) {office}-{line}",
            "brackets tight": f"({area}){office}-{line}",
            "hyphens": f"{area}-{office}-{line}",
            "dots": f"{area}.{office}.{line}",
            "slash": f"{area}/ {office}-{line}",
            "spaces": f"{area} {office} {line}",
            "bare": f"{area}{office}{line}",
            "plus": f"+1 {area} {office} {line}",
            "plus hyphens": f"+1-{area}-{office}-{line}",
            "extension": f"{area}-{office}-{line} ext. {digits(rng, 3)}",
            "x": f"({area}) {office}-{line} x{digits(rng, 4)}",
        }
    form = rng.choice(list(forms))
    return Mark(forms[form], "PHONE", form)


def card(rng: Random) -> Mark:
    """A payment card number that passes Luhn's check."""
    start, size = rng.choice((("4", 16), ("51", 16), ("55", 16), ("37", 15), ("6011", 16)))
    body = start + "".join(rng.choices("0123456789", k=size - 1 - len(start)))
    number = body + str(_luhn_digit(body))
    groups = [number[:4], number[4:10], number[10:]] if size == 15 else None
    groups = groups or [number[at : at + 4] for at in range(0, 16, 4)]
    mark = rng.choice(("", " ", "-"))
    return Mark(mark.join(groups), "CARD", f"card {mark or 'bare'!r}")


def _luhn_digit(body: str) -> int:
    total = 0
    for place, digit in enumerate(reversed(body)):
        value = int(digit) * (2 if place % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return -total % 10


def iban(rng: Random) -> Mark:
    """An IBAN with the right check digits."""
    country = rng.choice(("DE", "GB", "NL", "FR"))
    letters = {"GB": "NWBK", "NL": "ABNA"}.get(country, "")
    size = {"DE": 18, "GB": 14, "NL": 10, "FR": 23}[country]
    body = letters + "".join(rng.choices("0123456789", k=size))
    check = 98 - int("".join(str(int(sign, 36)) for sign in body + country + "00")) % 97
    code = f"{country}{check:02d}{body}"
    if rng.random() < 0.6:
        code = " ".join(code[at : at + 4] for at in range(0, len(code), 4))
    return Mark(code, "IBAN", "spaced" if " " in code else "bare")


def ssn(rng: Random) -> Mark:
    """A social security number."""
    parts = (
        f"{rng.randrange(100, 665)}",
        f"{rng.randrange(1, 99):02d}",
        f"{rng.randrange(1, 9999):04d}",
    )
    mark = rng.choice(("-", "-", " "))
    return Mark(mark.join(parts), "SSN", f"ssn {mark!r}")


def record(rng: Random) -> Mark:
    """The number of a patient's record."""
    number = rng.choice(
        (
            f"{digits(rng, 2)}-{digits(rng, 3)}-{digits(rng, 5)}",
            digits(rng, rng.randrange(6, 10)),
            f"{rng.choice('ABCMH')}{digits(rng, 7)}",
            f"{digits(rng, 3)}-{digits(rng, 2)}-{digits(rng, 2)}-{rng.randrange(10)}",
        )
    )
    return Mark(number, "RECORD", "record")


def reference(rng: Random) -> Mark:
    """A number of a case, claim, order or ticket."""
    number = rng.choice(
        (
            f"{rng.choice(('CL', 'TKT', 'ORD', 'CR', 'INC'))}-{digits(rng, 6)}",
            f"{rng.randrange(2015, 2026)}-{rng.choice(('CV', 'CR', 'PD'))}-{digits(rng, 5)}",
            digits(rng, 7),
            f"{digits(rng, 4)}/{rng.choice('ABC')}/{digits(rng, 2)}",
        )
    )
    return Mark(number, "ID", "reference")


def account(rng: Random) -> Mark:
    """The number of an account or a policy."""
    number = rng.choice(
        (digits(rng, 8), digits(rng, 10), f"{digits(rng, 4)}-{digits(rng, 6)}",
         f"{rng.choice('ABCDXYZ')}{rng.choice('ABCDXYZ')}{digits(rng, 8)}")
    )  # fmt: skip
    return Mark(number, "ACCOUNT", "account")


def licence(rng: Random) -> Mark:
    """A driving licence or a professional licence."""
    groups = "-".join(digits(rng, 3) for _ in range(3))
    return Mark(rng.choice((f"S{digits(rng, 8)}", groups)), "LICENSE", "licence")


def plate(rng: Random) -> Mark:
    """The plate of a car."""
    letters = "".join(rng.choices("ABCDEFGHJKLMNPRSTVWXYZ", k=3))
    forms = (
        f"{letters} {digits(rng, 4)}",
        f"{digits(rng, 3)} {letters}",
        f"{letters}-{digits(rng, 3)}",
    )
    return Mark(rng.choice(forms), "VEHICLE", "plate")


def serial(rng: Random) -> Mark:
    """The serial number of a device."""
    return Mark(f"{''.join(rng.choices('ABDKMNPRSX', k=2))}{digits(rng, 3)}-{digits(rng, 5)}",
                "DEVICE", "serial")  # fmt: skip


def ip(rng: Random) -> Mark:
    """An internet address."""
    if rng.random() < 0.25:
        groups = ":".join(f"{rng.randrange(1, 65536):x}" for _ in range(4))
        return Mark(f"2001:db8:{groups}::{rng.randrange(1, 99)}", "IP", "v6")
    return Mark(".".join(str(rng.randrange(1, 255)) for _ in range(4)), "IP", "v4")


def url(rng: Random) -> Mark:
    """The page of a person or a small firm."""
    host = f"{syllables(rng, 2)}.{rng.choice(('com', 'org', 'net', 'co.uk', 'de', 'io'))}"
    forms = {
        "https": f"https://www.{host}/{syllables(rng, 2)}",
        "www": f"www.{host}",
        "path": f"http://{host}/u/{digits(rng, 5)}",
        "bare": f"{host}/{syllables(rng, 2)}",
    }
    form = rng.choice(list(forms))
    return Mark(forms[form], "URL", form)


def password(rng: Random) -> Mark:
    """A password that somebody wrote down."""
    return Mark(f"{syllables(rng, 2).capitalize()}{digits(rng, 2)}{rng.choice('!$#?')}",
                "PASSWORD", "password")  # fmt: skip
