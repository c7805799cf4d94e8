"""Numbers that a state gives to its people, known by their check digits."""

from __future__ import annotations

import re

from discreet.kinds.checksums import bare, gs1, luhn, mod_11_10, weighted
from discreet.kinds.recognizer import Check, Item, Recognizer
from discreet.table.table import Role

_SSN = re.compile(r"(?!000|666|9)\d{3}(?P<s>[- ]?)(?!00)\d{2}(?P=s)(?!0000)\d{4}")
_ITIN = re.compile(r"9\d\d-(5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])-\d{4}")
_DNI = re.compile(r"[XYZ\d]\d{7}[A-Z]")
_FISCALE = re.compile(r"[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z]")
_NIR = re.compile(r"[12]\d{2}(0[1-9]|1[0-2]|[2-9]\d)(\d{2}|2[AB])\d{8}")
_HETU = re.compile(r"\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]")
_NINO = re.compile(r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]")
_FORM = re.compile(r"[\d .\-/]+")
_ODD = dict(
    zip(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3,
         6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
        strict=True,
    )
)  # fmt: skip


def _digits(value: str, *lengths: int) -> str:
    """The digits of a number of one of these lengths; empty when it is not one."""
    found = bare(value) if _FORM.fullmatch(value) else ""
    return found if len(found) in lengths and found.isdecimal() else ""


def may_be_ssn(value: str) -> bool:
    """Nine digits that the Social Security Administration could have issued."""
    return _SSN.fullmatch(value) is not None


def is_ssn(value: str) -> bool:
    """The same, written 123-45-6789 as nothing else is."""
    dashed = value.count("-") == 2 and may_be_ssn(value)
    return dashed or _ITIN.fullmatch(value) is not None


def is_bsn(value: str) -> bool:
    """A Dutch burgerservicenummer, by the eleven test."""
    digits = _digits(value, 9)
    if not digits or digits == "000000000":
        return False
    return weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1), 11) == 0


def is_steuer_id(value: str) -> bool:
    """A German tax identification number: one digit twice or three times, and a check digit."""
    digits = _digits(value, 11)
    if not digits or digits[0] == "0":
        return False
    most = max(digits[:10].count(digit) for digit in set(digits[:10]))
    return most in (2, 3) and len(set(digits[:10])) in (8, 9) and mod_11_10(digits)


def is_nir(value: str) -> bool:
    """A French social security number with its key."""
    text = bare(value)
    if _NIR.fullmatch(text) is None:
        return False
    body = int(text[:13].replace("2A", "19").replace("2B", "18"))
    return 97 - body % 97 == int(text[13:])


def is_dni(value: str) -> bool:
    """A Spanish DNI or NIE, by its letter."""
    text = bare(value)
    if _DNI.fullmatch(text) is None:
        return False
    number = int(str("XYZ".find(text[0])) + text[1:8] if text[0] in "XYZ" else text[:8])
    return text[8] == "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]


def is_codice_fiscale(value: str) -> bool:
    """An Italian codice fiscale, by its last letter."""
    text = bare(value)
    if _FISCALE.fullmatch(text) is None:
        return False
    odd = sum(_ODD[character] for character in text[0:15:2])
    even = sum(int(c) if c.isdigit() else ord(c) - ord("A") for c in text[1:15:2])
    return chr(ord("A") + (odd + even) % 26) == text[15]


def is_rijksregister(value: str) -> bool:
    """A Belgian national number, by its remainder of 97."""
    digits = _digits(value, 11)
    if not digits or int(digits[2:4]) > 12:
        return False
    rest = int(digits[9:])
    return rest in (97 - int(digits[:9]) % 97, 97 - int("2" + digits[:9]) % 97)


def is_pesel(value: str) -> bool:
    """A Polish PESEL, by its date and check digit."""
    digits = _digits(value, 11)
    if not digits or int(digits[2:4]) % 20 not in range(1, 13) or not 1 <= int(digits[4:6]) <= 31:
        return False
    return weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1), 10) == 0


def is_personnummer(value: str) -> bool:
    """A Swedish personal number, by its date and check digit."""
    digits = _digits(value.replace("+", "-"), 10, 12)[-10:]
    if not digits or not 1 <= int(digits[2:4]) <= 12:
        return False
    return 1 <= int(digits[4:6]) % 60 <= 31 and luhn(digits)


def is_hetu(value: str) -> bool:
    """A Finnish personal identity code, by its check character."""
    if _HETU.fullmatch(value) is None:
        return False
    return value[10] == "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(value[:6] + value[7:10]) % 31]


def is_ahv(value: str) -> bool:
    """A Swiss AHV number: 756 and a check digit."""
    digits = _digits(value, 13)
    return digits.startswith("756") and gs1(digits)


def is_nino(value: str) -> bool:
    """A British national insurance number."""
    return _NINO.fullmatch(value) is not None


def may_be_national(value: str) -> bool:
    """Enough digits in one word to be a state's number."""
    text = bare(value)
    return 8 <= len(text) <= 16 and sum(character.isdigit() for character in text) >= 6


def _national(
    kind: str, words: str, names: tuple[str, ...], proof: Check, chance: float,
    examples: tuple[str, ...], counterexamples: tuple[str, ...],
) -> Recognizer:  # fmt: skip
    return Recognizer(
        kind, words, "national", Role.identifier, Item.OTHER, names=names, proof=proof,
        chance=chance, examples=examples, counterexamples=counterexamples,
    )  # fmt: skip


SSN = Recognizer(
    "ssn", "social security numbers", "national", Role.identifier, Item.SSN,
    names=("ssn", "social security", "social security number", "social security no", "soc sec",
           "socsec", "itin", "tin"),
    fits=lambda value: may_be_ssn(value) or is_ssn(value), proof=is_ssn,
    examples=("123-45-6789", "900-70-1234"),
    counterexamples=("000-45-6789", "666-45-6789", "123-00-6789", "123-45-0000", "123456789",
                     "987-40-4321", "617-555-0100"),
)  # fmt: skip
BSN = _national(
    "bsn", "Dutch citizen service numbers", ("bsn", "burgerservicenummer", "sofinummer"), is_bsn,
    1 / 11, ("111222333", "123456782"), ("123456789", "12345678", "000000000"),
)  # fmt: skip
STEUER_ID = _national(
    "steuer-id", "German tax numbers",
    ("steuer id", "steueridentifikationsnummer", "steuerid", "idnr", "tax id"), is_steuer_id,
    0.05, ("86095742719", "47036892816"), ("86095742718", "11111111111", "12345678901"),
)  # fmt: skip
NIR = _national(
    "nir", "French social security numbers",
    ("nir", "numero de securite sociale", "securite sociale", "insee"), is_nir, 0.01,
    ("1 51 02 46 102 043 25", "255081416802538"), ("151024610204326", "751024610204325"),
)  # fmt: skip
DNI = _national(
    "dni", "Spanish identity numbers", ("dni", "nie", "nif"), is_dni, 1 / 23,
    ("12345678Z", "X1234567L"), ("12345678A", "1234567Z"),
)  # fmt: skip
CODICE_FISCALE = _national(
    "codice fiscale", "Italian tax codes", ("codice fiscale",), is_codice_fiscale, 1 / 26,
    ("RSSMRA85T10A562S",), ("RSSMRA85T10A562T", "RSSMRA85"),
)  # fmt: skip
RIJKSREGISTER = _national(
    "rijksregister", "Belgian national numbers",
    ("rijksregisternummer", "rijksregister", "insz", "niss", "registre national"),
    is_rijksregister, 0.02, ("85.07.30-033 28", "17073003384"), ("85.07.30-033 29", "123"),
)  # fmt: skip
PESEL = _national(
    "pesel", "Polish personal numbers", ("pesel",), is_pesel, 0.06,
    ("44051401359",), ("44051401358", "44991401359"),
)  # fmt: skip
PERSONNUMMER = _national(
    "personnummer", "Swedish personal numbers", ("personnummer", "samordningsnummer"),
    is_personnummer, 0.03, ("811228-9874", "19811228-9874"), ("811228-9873", "811328-9874"),
)  # fmt: skip
HETU = _national(
    "hetu", "Finnish personal identity codes", ("hetu", "henkilotunnus"), is_hetu, 1 / 31,
    ("131052-308T",), ("131052-308U",),
)  # fmt: skip
AHV = _national(
    "ahv", "Swiss social security numbers", ("ahv", "avs", "ahv nummer", "numero avs"), is_ahv,
    0.001, ("756.9217.0769.85",), ("756.9217.0769.84", "757.9217.0769.85"),
)  # fmt: skip
NINO = _national(
    "nino", "British national insurance numbers",
    ("nino", "national insurance number", "ni number"), is_nino, 0.0,
    ("AB123456C", "AB 12 34 56 C"), ("QQ123456C", "AB123456E"),
)  # fmt: skip
NATIONAL = Recognizer(
    "national number", "numbers given by a state", "national", Role.identifier, Item.OTHER,
    names=("national id", "national number", "national identifier", "identity number", "id card",
           "id number", "passport", "passport number", "passport no", "tax number",
           "personalausweis", "ausweisnummer", "reisepass", "sozialversicherungsnummer", "svnr",
           "steuernummer", "rentenversicherungsnummer", "paspoort", "paspoortnummer",
           "numero de passeport", "carte d identite", "pasaporte", "numero de identidad",
           "cpr", "cpr number", "fodselsnummer", "cnp", "egn", "voter id", "voter number"),
    fits=may_be_national,
    examples=("C01X00T47", "1234567890"), counterexamples=("yes", "passport", "1234"),
)  # fmt: skip

ALL = (
    SSN, BSN, STEUER_ID, NIR, DNI, CODICE_FISCALE, RIJKSREGISTER, PESEL, PERSONNUMMER, HETU, AHV,
    NINO, NATIONAL,
)  # fmt: skip
