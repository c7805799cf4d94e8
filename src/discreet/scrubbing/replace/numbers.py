"""Numbers and codes: letters become letters, digits digits; marks, spaces and labels stay.

Notes
-----
[Sweeney2001]_, fig. 108: ``CH#32-841-09787`` becomes ``CH#18-512-32871``.

Departures: a number with a check digit gets a wrong one, so that it belongs to nobody. The country
of an IBAN and a label before a number stay.

Cost: a microsecond for each character.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from functools import lru_cache

from discreet.kinds.checksums import has_vin_check_digit, luhn, mod_97
from discreet.kinds.contact import (
    AREAS,
    DOCUMENTATION_IPV4,
    DOCUMENTATION_IPV6,
    FICTION_LINE,
    FIRST_AREA,
    UNISSUED_PHONE_START,
)
from discreet.kinds.national import SSN_SERIALS, UNISSUED_SSN_AREA, UNISSUED_SSN_GROUPS
from discreet.kinds.things import UNISSUED_MAC
from discreet.scrubbing.replace.context import LETTERS, Context, Stream
from discreet.scrubbing.replace.words import Words

# Broken check digits, so that a card, account, vehicle or provider number cannot be real.
#
# Each function takes a number of the right shape and returns one whose check fails.


_DIGIT = re.compile(r"\d")


def break_luhn(code: str) -> str:
    """Change the last digit of a number of 10 or 13 to 19 digits that passes Luhn's check."""
    digits = "".join(_DIGIT.findall(code))
    real = (13 <= len(digits) <= 19 and luhn(digits)) or (
        len(digits) == 10 and luhn("80840" + digits)
    )
    return _change_last_digit(code) if real else code


def break_iban(code: str) -> str:
    """Change the last digit of an account number that passes."""
    plain = re.sub(r"[\W_]", "", code)
    real = len(plain) > 4 and plain.isascii() and plain.isalnum() and mod_97(plain)
    return _change_last_digit(code) if real else code


def break_vin(code: str) -> str:
    """Change the ninth character of a vehicle number that passes."""
    if len(code) == 17 and code.isascii() and has_vin_check_digit(code.upper()):
        return code[:8] + ("0" if code[8] != "0" else "1") + code[9:]
    return break_luhn(code)


def _change_last_digit(code: str) -> str:
    place = max((i for i, c in enumerate(code) if c.isdecimal()), default=None)
    if place is None:
        return code
    return code[:place] + str((int(code[place]) + 1) % 10) + code[place + 1 :]


WRONG: dict[str, Callable[[str], str]] = {
    "ID": break_luhn,
    "IBAN": break_iban,
    "VEHICLE": break_vin,
}
"""How to break the check digit of a kind; other kinds are replaced like ``ID``."""


# Labels before a number: ``MRN:``, ``CH#``. They only say what it is, so they stay.


@lru_cache(maxsize=8)
def compile_label_pattern(words: Words) -> re.Pattern[str]:
    """Words known to be labels before a colon, or up to three capitals before ``#``.

    Examples
    --------
    >>> from discreet.scrubbing.replace.words import load_words
    >>> pattern = compile_label_pattern(load_words("en"))
    >>> [bool(pattern.match(text)) for text in ("MRN: 1", "CH#1", "Graves: 1")]
    [True, True, False]
    """
    known = rf"(?<!\w)(?:(?:{words.any_of('labels')})(?!\w)[.\s/]*)+[:#]+"
    return re.compile(rf"(?:{known}|(?<!\w)(?-i:[A-Z]{{1,3}})\s*#)\s*", re.IGNORECASE)


_COUNTRY = re.compile(r"(?:IBAN:?\s*)?[A-Za-z]{2}(?=\d)", re.IGNORECASE)
_TURNS = 50


def replace_number(found: str, kind: str, context: Context) -> str | None:
    """A code of the same shape; None if it has no letter and no digit."""
    pattern = _COUNTRY if kind == "IBAN" else compile_label_pattern(context.words)
    start = None if found[:1].isdecimal() else pattern.match(found)
    head = start[0] if start else ""
    code = found[len(head) :]
    wrong = WRONG.get(kind, WRONG["ID"])
    for turn in range(_TURNS):
        new = wrong(replace_characters(code, "code", context.stream, turn))
        if new.casefold() != code.casefold():
            return head + new
    return None


def replace_characters(code: str, about: str, stream: Stream, turn: int = 0) -> str:
    """Replace each letter by another of its case and each digit by another, by the key.

    Case and marks do not matter: a code written in two ways has one replacement.

    Examples
    --------
    >>> import re
    >>> new = replace_characters("AB-12 c", "ID", Stream(bytes(32), "document", "a"))
    >>> bool(re.fullmatch(r"[A-Z]{2}-[0-9]{2} [a-z]", new))
    True
    """
    plain = "".join(filter(str.isalnum, code))
    chances = iter(stream.characters(about, plain.casefold(), len(plain), turn))
    return "".join([_choose_other(c, next(chances)) if c.isalnum() else c for c in code])


def _choose_other(character: str, chance: int) -> str:
    if not character.isalpha():
        return "0123456789"[chance % 10]
    letter = LETTERS[chance % 26]
    return letter.upper() if character.isupper() else letter


# Device numbers: a MAC address reserved for documentation, others a number of the same shape.
#
# Notes
# -----
# Not in the thesis. RFC 7042 reserves 00-00-5E-00-53-00 to 00-00-5E-00-53-FF.
#
# Departures: the thesis has no such entity.
#
# Cost: a few microseconds.


_MAC = re.compile(r"[0-9A-Fa-f]{2}([:-])[0-9A-Fa-f]{2}(?:\1[0-9A-Fa-f]{2}){4}")


def replace_device(found: str, kind: str, context: Context) -> str | None:
    """Another number in the form found."""
    card = _MAC.fullmatch(found)
    if not card:
        return replace_number(found, kind, context)
    plain = found.lower().replace("-", ":")
    new = card[1].join(
        f"{UNISSUED_MAC}{context.stream.number('mac', plain, 256):02x}"[i : i + 2]
        for i in range(0, 12, 2)
    )
    return new.upper() if any(map(str.isupper, found)) else new


# Social security numbers: the replacement looks like one but was never issued.
#
# Notes
# -----
# [Sweeney2001]_, fig. 111, entity 16.
#
# Departures: the thesis does not say how it is replaced. It has an area and a group that are never
# issued (:mod:`discreet.kinds.national`).
#
# Cost: a few microseconds.


_LENGTH = 9


def replace_social_security(found: str, kind: str, context: Context) -> str | None:
    """A number of area 9xx and group 01 to 49, with the marks as found.

    A part of a number (the last four digits) becomes another of its length; numbers of other
    countries become others of their shape.
    """
    digits = "".join(filter(str.isdecimal, found))
    if set(filter(str.isalpha, found)) <= {"x", "X"} and 0 < len(digits) < _LENGTH:
        left = iter(context.stream.digits("ssn", digits))
        return "".join(next(left) if c.isdecimal() else c for c in found)
    if len(digits) != _LENGTH or any(map(str.isalpha, found)):
        return replace_number(found, kind, context)
    chances = context.stream.digits("ssn", digits)
    area = UNISSUED_SSN_AREA + int(chances[:2])
    group = 1 + int(chances[2:6]) % UNISSUED_SSN_GROUPS
    serial = 1 + int(chances[6:14]) % SSN_SERIALS
    left = iter(f"{area}{group:02d}{serial:04d}")
    return "".join(next(left) if c.isdecimal() else c for c in found)


# Phone and fax numbers: the same marks around digits that are not in use.
#
# Notes
# -----
# [Sweeney2001]_, fig. 110 and 113 for the forms.
#
# Departures: figure 108 has a number that may be somebody's. Here a number of the North American
# plan becomes 555-01dd, which is reserved for fiction in every area, with any area code; any other
# number starts with 000, which no plan issues. Short numbers (extensions, pagers) become others of
# their length.
#
# Cost: a few microseconds.


_EXTENSION = re.compile(
    r"(?:\bext(?:ension|n)?\b|\bdurchwahl\b|(?<=\d)\s*x(?=\s*\d)|#)", re.IGNORECASE
)
_CODE = re.compile(
    r"\s*(?:\+|\b00)\s?(\d{1,3}(?=[\s./(-])|1|7|2[07]|3[0123469]|4[\d]|5[1-8]|6[0-6]|8[1246]|9[\d])"
)
_WORD = re.compile(r"[^\W\d_]{2,}")


def replace_phone(found: str, kind: str, context: Context) -> str | None:
    """A number never issued, in the form found; None if it has letters other than a label."""
    labels = context.words.set("labels", "line_words")
    words = _WORD.findall(found)
    if words and not all(word.lower() in labels for word in words):
        return None
    extension = _EXTENSION.search(found)
    end = extension.start() if extension else len(found)
    line, rest = found[:end], found[end:]
    code = _CODE.match(line)
    head = code[0] if code else ""
    line = line[len(head) :]
    count = sum(map(str.isdecimal, line))
    extra = "".join(filter(str.isdecimal, rest))
    if not count and not extra:
        return None
    digits = _replace_digits("".join(filter(str.isdecimal, line)), code[1] if code else "", context)
    new = head + _fill_digits(line, digits)
    return new + _fill_digits(rest, context.stream.digits("line", extra)) if rest else new


def _replace_digits(digits: str, code: str, context: Context) -> str:
    """Other digits for a number behind a country code, if there is one.

    Line and area are chosen separately, so 255-1423 agrees with (304) 255-1423.
    """
    count = len(digits)
    chances = context.stream.digits("line", digits[-7:])
    american = code == "1" or (not code and context.words.code == "en")
    if not american or count not in (7, 10, 11):
        start = "" if count < 7 else UNISSUED_PHONE_START
        return start + chances[: count - len(start)]
    line = str(FICTION_LINE + int(chances[:2]))
    if count == 7:
        return line
    hundreds, rest = divmod(int(context.stream.digits("area", digits[-10:-7])[:3]), 100)
    area = FIRST_AREA + hundreds * 100 % AREAS + rest
    return f"1{area}{line}"[-count:]


def _fill_digits(written: str, digits: str) -> str:
    """The text as written, with other digits."""
    left = iter(digits)
    return "".join([next(left) if c.isdecimal() else c for c in written])


# Network addresses: others from the ranges reserved for documentation.
#
# Notes
# -----
# Not in the thesis. RFC 5737 reserves 192.0.2.0/24, 198.51.100.0/24 and 203.0.113.0/24, RFC 3849
# 2001:db8::/32.
#
# Departures: the thesis has no such entity.
#
# Cost: a few microseconds.


_PARTS = re.compile(
    r"(?P<address>\d+(?:\.\d+){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)(?P<rest>(?::\d{1,5}|/\d{1,3})?)(?P<zone>%\S*)?"
)


def replace_ip(found: str, kind: str, context: Context) -> str | None:
    """A documentation address; a port or prefix length after it stays, a zone name is removed."""
    match = _PARTS.fullmatch(found)
    if not match:
        return None
    try:
        address = ipaddress.ip_address(match["address"])
    except ValueError:
        return None
    chances = context.stream.digest("ip", str(address))
    if address.version == 4:
        new = f"{DOCUMENTATION_IPV4[chances[0] % 3]}.{1 + chances[1] % 254}"
    else:
        new = str(ipaddress.IPv6Address(DOCUMENTATION_IPV6 + chances[:12]))
    return new + match["rest"]


# ZIP codes: three digits where enough people live, zeros for the rest.
#
# Notes
# -----
# [Sweeney2001]_, fig. 108: ``02151`` becomes ``02100``. The rule is that of 45 CFR 164.514(b):
# three digits are kept if more than 20,000 people live there, otherwise they become 000.
#
# Departures: none. The table of areas is that of :mod:`discreet.kinds.zip_area`, with its date,
# which safe harbor uses too; another can be given. An area that is not in it counts as small.
# German codes keep two digits, whose areas all have several hundred thousand people. Codes of other
# countries lose every letter (X) and digit (0).
#
# Cost: a microsecond.


_AMERICAN = re.compile(r"\s*(?P<area>\d{3})\d{2}(?:[-\s]?\d{4})?\s*")
_GERMAN = re.compile(r"\s*(?:D-)?\d{5}\s*")


def replace_zip_code(found: str, kind: str, context: Context) -> str | None:
    """The generalized code, in the form found."""
    american = _AMERICAN.fullmatch(found)
    kept = 0
    if context.words.code == "en" and american:
        kept = 3 if context.choices.zip_table.keeps(american["area"]) else 0
    elif context.words.code == "de" and _GERMAN.fullmatch(found):
        kept = 2
    new = ""
    for c in found:
        if c.isdecimal():
            new, kept = new + (c if kept > 0 else "0"), kept - 1
        else:
            foreign = c.isalpha() and kept <= 0 and not _GERMAN.fullmatch(found)
            new += ("X" if c.isupper() else "x") if foreign else c
    return new
