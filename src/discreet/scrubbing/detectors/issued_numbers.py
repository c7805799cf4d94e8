"""Numbers of accounts, policies, members, and codes of banks."""

from __future__ import annotations

import re

from discreet.kinds.accounts import is_iban
from discreet.kinds.checksums import has_vin_check_digit, is_luhn_number
from discreet.kinds.national import may_be_ssn_in_text
from discreet.scrubbing.detectors.cue import NUMBER, CueDetector, is_said_or_long
from discreet.scrubbing.detectors.detector import Shape, ShapeDetector
from discreet.scrubbing.page import Page

_BANK = r"[A-Z]{4}(?:A[DELORTUZ]|[B-Z][A-Z])[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?!\w)"
_VALUE = re.compile(NUMBER.pattern + rf"|(?P<bank>{_BANK})")


def is_account(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether a value is long enough for its cue; letters alone are a bank's after SWIFT or BIC."""
    if re.fullmatch(r"MT\d{3}", page.text[start:end]):
        return False
    if any(map(str.isdigit, page.text[start:end])):
        return is_said_or_long(page, cue, start, end)
    return bool(re.search(r"swift|\bbic\b", cue, re.IGNORECASE))


ACCOUNT = CueDetector(
    "account",
    "numbers.txt",
    value=_VALUE,
    check=is_account,
    examples=(
        ("Account number: 12345678", (("12345678", "ACCOUNT"),)),
        ("acct #4471-2231", (("#4471-2231", "ACCOUNT"),)),
        ("sort code 12-34-56", (("12-34-56", "ACCOUNT"),)),
        ("Policy No. HX 4457812", (("HX 4457812", "ACCOUNT"),)),
        ("Member ID: XYZ123456789", (("XYZ123456789", "ACCOUNT"),)),
        ("BIC: DEUTDEFF500", (("DEUTDEFF500", "ACCOUNT"),)),
        ("routing number 021000021", (("021000021", "ACCOUNT"),)),
        ("my account CD29766841", (("CD29766841", "ACCOUNT"),)),
        ("SWIFT: BARCGB22XXX, BIC HELSFIHH", (("BARCGB22XXX", "ACCOUNT"), ("HELSFIHH", "ACCOUNT"))),
        ("Cheque account 61 2935 8064 7.", (("61 2935 8064 7", "ACCOUNT"),)),
        ("Acct: ******8093", (("******8093", "ACCOUNT"),)),
        ("house policy TR-3.602; member SERVICES", ()),
        ("On account of 3 things, policy 12 was dropped", ()),
    ),
)


# Payment card numbers, by check digit or groups; security codes and dates after a cue.


_START = r"\d(?<![\w.$€£+-]\d)"

CARD = ShapeDetector(
    "card",
    (
        Shape(
            "CARD",
            0.97,
            "check digit holds",
            re.compile(_START + r"(?:[ -]?\d){12,18}(?![\w]|[-.]\d)"),
            check=is_luhn_number,
        ),
        Shape(
            "CARD",
            0.88,
            "groups of four, or 4-6-5",
            re.compile(
                _START
                + r"\d{3}(?P<same>[ -])(?:\d{4}(?P=same)\d{4}(?P=same)\d{1,7}|\d{6}(?P=same)\d{5})"
                r"(?![\w]|[-.]\d)"
            ),
        ),
    ),
    examples=(
        ("card 4111 1111 1111 1111 exp", (("4111 1111 1111 1111", "CARD"),)),
        ("4111111111111111", (("4111111111111111", "CARD"),)),
        ("3782-822463-10005", (("3782-822463-10005", "CARD"),)),
        ("1234-5678-9012-3456", (("1234-5678-9012-3456", "CARD"),)),
        ("in 2019 2020 2021 there were 4111111111111112", ()),
    ),
)

CUED_CARD = CueDetector(
    "cued_card",
    "numbers.txt",
    value=re.compile(r"#?(?P<it>\d[\d -]{10,21}\d|\d{3,4}|\d\d/(?:\d\d){1,2})(?![\w/]|[-.]\d)"),
    examples=(
        ("CVV: 123", (("123", "CARD"),)),
        ("the security code is 4821", (("4821", "CARD"),)),
        ("Visa card number 4929 1234 5678 901", (("4929 1234 5678 901", "CARD"),)),
        ("card ending in 4242", (("4242", "CARD"),)),
        ("Card expires 04/27", (("04/27", "DATE"),)),
        ("a card of 300 words, the code is long", ()),
    ),
)


# Cryptocurrency addresses: Bitcoin, Litecoin, Ethereum, Monero.


CRYPTO = ShapeDetector(
    "crypto",
    (
        Shape(
            "ACCOUNT",
            0.93,
            "base 58",
            re.compile(
                r"[13LM4](?<!\w.)(?=\w{0,30}\d)(?=\w{0,30}[a-z])[1-9A-HJ-NP-Za-km-z]{25,94}(?!\w)"
            ),
        ),
        Shape(
            "ACCOUNT",
            0.96,
            "bech32",
            re.compile(r"(?:bc1|ltc1|tb1)[a-z0-9]{11,87}(?!\w)"),
        ),
        Shape("ACCOUNT", 0.96, "0x", re.compile(r"0x[0-9a-fA-F]{40,64}(?!\w)")),
    ),
    examples=(
        (
            "send to 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
            (("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", "ACCOUNT"),),
        ),
        (
            "0x52908400098527886E0F7030069857D2E4169EE7",
            (("0x52908400098527886E0F7030069857D2E4169EE7", "ACCOUNT"),),
        ),
        (
            "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
            (("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "ACCOUNT"),),
        ),
        ("a line of 3 words, 0x1F", ()),
    ),
)


# International bank account numbers, by check digits or by country and length.


_FORM = r"[A-Z](?<!\w.)[A-Z]\d\d(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?(?!\w)"

IBAN = ShapeDetector(
    "iban",
    (
        Shape("IBAN", 0.99, "check digits hold", re.compile(f"(?i:{_FORM})"), check=is_iban),
        Shape(
            "IBAN",
            0.85,
            "form",
            re.compile(f"(?i:{_FORM})"),
            check=lambda text: sum(map(str.isdigit, text)) >= 10,
        ),
    ),
    examples=(
        ("IBAN GB82 WEST 1234 5698 7654 32.", (("GB82 WEST 1234 5698 7654 32", "IBAN"),)),
        ("DE89370400440532013000", (("DE89370400440532013000", "IBAN"),)),
        ("de89 3704 0044 0532 0130 00", (("de89 3704 0044 0532 0130 00", "IBAN"),)),
        ("DE00370400440532013000", (("DE00370400440532013000", "IBAN"),)),
        ("AB12 CDEF GHIJ and GB82 WEST", ()),
    ),
)


# Device numbers: IMEI, and serial numbers after a cue.


DEVICE = ShapeDetector(
    "device",
    (
        Shape(
            "DEVICE",
            0.97,
            "IMEI, check digit holds",
            re.compile(r"\d(?<![\w-]\d)\d[- ]?\d{6}[- ]?\d{6}[- ]?\d(?![\w]|-\d)"),
            check=is_luhn_number,
        ),
        Shape(
            "DEVICE",
            0.9,
            "IMEI",
            re.compile(r"\d(?<![\w-]\d)\d-\d{6}-\d{6}-\d{1,2}(?![\w]|-\d)"),
            sign="-",
        ),
    ),
    examples=(
        ("IMEI 49-015420-323751-8", (("49-015420-323751-8", "DEVICE"),)),
        ("490154203237518", (("490154203237518", "DEVICE"),)),
        ("490154203237519 and Mozilla", ()),
    ),
)

CUED_DEVICE = CueDetector(
    "cued_device",
    "numbers.txt",
    examples=(
        ("serial number: SN-48213-B", (("SN-48213-B", "DEVICE"),)),
        ("S/N 4471-2231", (("4471-2231", "DEVICE"),)),
        ("IMEI: 123456789012345", (("123456789012345", "DEVICE"),)),
        ("pacemaker serial no. PM4471223", (("PM4471223", "DEVICE"),)),
        ("a serial killer in 3 films", ()),
    ),
)


# Vehicle numbers (VIN) and plates.


_VIN_FORM = re.compile(
    r"[A-HJ-NPR-Z0-9](?<!\w.)(?=[A-Z0-9]{0,15}\d)(?=\d{0,15}[A-Z])[A-HJ-NPR-Z0-9]{16}(?!\w)"
)

VEHICLE = ShapeDetector(
    "vehicle",
    (
        Shape("VEHICLE", 0.98, "VIN, check digit holds", _VIN_FORM, check=has_vin_check_digit),
        Shape("VEHICLE", 0.86, "VIN", _VIN_FORM),
        Shape(
            "VEHICLE",
            0.85,
            "British plate",
            re.compile(r"[A-Z](?<!\w.)[A-Z]\d{2} ?[A-Z]{3}(?!\w)"),
        ),
    ),
    examples=(
        ("VIN 1M8GDM9AXKP042788", (("1M8GDM9AXKP042788", "VEHICLE"),)),
        ("1M8GDM9A0KP042788", (("1M8GDM9A0KP042788", "VEHICLE"),)),
        ("his car, AB12 CDE,", (("AB12 CDE", "VEHICLE"),)),
        ("12345678901234567 and ABCDEFGHJKLMNPRST", ()),
    ),
)


_PLATE = re.compile(
    r"[A-Z]{2,3}[ -]?\d{3,4}(?:[ -]?[A-Z]{1,3})?|\d{1,4}[ -]?[A-Z]{2,3}(?:[ -]?\d{1,4})?"
    r"|[A-Z]{2}\d{2} ?[A-Z]{3}|[A-Z]{1,3}-[A-Z]{1,2} \d{1,4}|[A-Z]{2}-\d{3}-[A-Z]{2}"
)
"""Plates of many countries, for use where only a make and a comma come before."""


def has_letters_or_number(page: Page, cue: str, start: int, end: int) -> bool:
    """Whether a plate has letters and digits, or its cue says number."""
    value = page.text[start:end]
    mixed = any(map(str.isalpha, value)) and any(map(str.isdigit, value))
    if cue.rstrip().endswith(","):
        return _PLATE.fullmatch(value) is not None
    is_weak = re.match(r"vehicle|car|truck|lorry|van|taxi|trailer|tag", cue, re.I)
    return (mixed and len(value) > (5 if is_weak else 4)) or bool(
        re.search(r"number|no\b|#|vin|plate", cue, re.I)
    )


CUED_VEHICLE = CueDetector(
    "cued_vehicle",
    "numbers.txt",
    check=has_letters_or_number,
    value=re.compile(
        r"#?(?P<it>(?=[A-Z -]*\d)[A-Z0-9]{1,4}(?:[ -][A-Z0-9]{1,5}){1,3}(?![\w-])"
        r"|[a-z]{2,3}[ -]\d{3,4}(?![\w-])|\d{3,4}[ -][a-z]{3}(?![\w-])"
        r"|(?=[A-Z]*\d)[A-Z0-9]{4,17}(?![\w-])|(?=[A-Za-z]*\d)[A-Za-z0-9-]{5,8}(?!\w))"
    ),
    examples=(
        ("license plate: ABC 1234", (("ABC 1234", "VEHICLE"),)),
        ("registration number 7ABC123", (("7ABC123", "VEHICLE"),)),
        ("plates B-MW 4471", (("B-MW 4471", "VEHICLE"),)),
        ("VIN: WBA3A5C58CF256985", (("WBA3A5C58CF256985", "VEHICLE"),)),
        ("the van, registration BTC 7219, was", (("BTC 7219", "VEHICLE"),)),
        ("registration dvm 5326, car 1234", (("dvm 5326", "VEHICLE"),)),
        (
            "a grey Kia, TMD-617, left; Isuzu, RKL 305 GP",
            (("TMD-617", "VEHICLE"), ("RKL 305 GP", "VEHICLE")),
        ),
        ("a new Ford, A4 paper, 300 km, an old Golf, and 2019", ()),
        ("a plate of 12 cookies; tag: sale", ()),
    ),
)


# Social security numbers: with dashes or spaces, masked, bare or the last four after a cue.


SSN = ShapeDetector(
    "ssn",
    (
        Shape(
            "SSN",
            0.96,
            "three parts",
            re.compile(
                r"\d(?<![\w-]\d)\d{2}(?P<same>[-\u2010-\u2013])\d{2}(?P=same)\d{4}(?![\w]|-\d)"
            ),
            check=may_be_ssn_in_text,
        ),
        Shape(
            "SSN",
            0.86,
            "three parts with spaces or points",
            re.compile(
                r"\d(?<![\w.,$€£-]\d)\d{2}(?P<same>[ .])\d{2}(?P=same)\d{4}(?![\w%]|[-.,]\d)"
            ),
            check=may_be_ssn_in_text,
        ),
        Shape(
            "SSN",
            0.9,
            "British national insurance number",
            re.compile(
                r"[A-CEGHJ-TW-Z](?<!\w.)[A-CEGHJ-NP-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)"
            ),
        ),
    ),
    examples=(
        ("SSN 078-05-1120.", (("078-05-1120", "SSN"),)),
        ("078 05 1120", (("078 05 1120", "SSN"),)),
        ("NI number QQ 12 34 56 C or AB123456D", (("QQ 12 34 56 C", "SSN"), ("AB123456D", "SSN"))),
        ("000-12-3456, 1078-05-1120, 078-05-11201, $100 20 3000", ()),
    ),
)

CUED_SSN = CueDetector(
    "cued_ssn",
    "numbers.txt",
    value=re.compile(
        r"#?(?P<it>\d{2} ?\d{6} ?[A-Z] ?\d{3}"
        r"|[\dxX*#•]{3}[- .]?[\dxX*#•]{2}[- .]?\d{4}|\d(?:[ .-]?\d){3,13}[A-Z]?"
        r"|[A-Z]{2}(?: ?\d{2}){3} ?[A-Z]|(?=[A-Z]*\d)[A-Z0-9]{8,16})(?!\w|[-/]\d)"
    ),
    examples=(
        ("SSN: 078051120", (("078051120", "SSN"),)),
        ("Social Security Number is 078-05-1120", (("078-05-1120", "SSN"),)),
        ("last four of her social: 1120", (("1120", "SSN"),)),
        ("SSN ending in 1120", (("1120", "SSN"),)),
        ("social security no. 996 076 6460", (("996 076 6460", "SSN"),)),
        ("national insurance number: QQ 12 34 56 C", (("QQ 12 34 56 C", "SSN"),)),
        ("Social security pays 1,200 a month; a social 2020 event", ()),
    ),
)


# Numbers of driving and professional licences, passports, identity cards and taxpayers.


LICENCE = CueDetector(
    "licence",
    "numbers.txt",
    check=is_said_or_long,
    examples=(
        ("Driver's license S12345678", (("S12345678", "LICENSE"),)),
        ("DL#: D123-4567-8901", (("D123-4567-8901", "LICENSE"),)),
        ("NPI 1234567893", (("1234567893", "LICENSE"),)),
        ("DEA: AB1234563", (("AB1234563", "LICENSE"),)),
        ("passport number C01X00T47", (("C01X00T47", "ID"),)),
        ("VAT ID: DE123456789", (("DE123456789", "ID"),)),
        ("EIN 12-3456789", (("12-3456789", "ID"),)),
        ("licence TR 30962, HKID: K903617(5)", (("TR 30962", "LICENSE"), ("K903617(5)", "ID"))),
        ("licensed for 20 years, license 12, 3 passports", ()),
    ),
)


# Medical record and patient numbers.


RECORD_NUMBER = CueDetector(
    "record_number",
    "numbers.txt",
    examples=(
        ("Patrick Hayes, M.D. 34764", (("34764", "RECORD"),)),
        ("MRN: 12345678", (("12345678", "RECORD"),)),
        ("CH#32-841-09787", (("32-841-09787", "RECORD"),)),
        ("Medical record number (MRN) is A-4471223", (("A-4471223", "RECORD"),)),
        ("chart # 44712", (("44712", "RECORD"),)),
        ("NHS number 943 476 5919", (("943 476 5919", "RECORD"),)),
        ("Patient ID 00231-B", (("00231-B", "RECORD"),)),
        ("We chart 12 hours; the record of 2014; patient 12 years old", ()),
    ),
)
