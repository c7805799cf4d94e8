"""Numbers that a state gives to its people, known by their check digits."""

from __future__ import annotations

import re

from discreet.kinds.checksums import extract_digits, load_standard_check, luhn, normalize_number
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

UNISSUED_SSN_AREA, UNISSUED_SSN_AREAS = 900, 100
"""Areas 900 to 999 are not given out as social security numbers."""
UNISSUED_SSN_GROUPS, SSN_SERIALS = 49, 9999
"""With groups 01 to 49 they are not taxpayer numbers either; serials are 0001 to 9999.

Areas 000 and 666 are not given out either, but 000 loses its zeros in a spreadsheet and 666 adds
little room."""


def _read_digits(value: str, *lengths: int) -> str:
    """The digits of a number of one of these lengths; empty when it is not one."""
    found = normalize_number(value) if _FORM.fullmatch(value) else ""
    return found if len(found) in lengths and found.isdecimal() else ""


def may_be_ssn(value: str) -> bool:
    """Nine digits that the Social Security Administration could have issued."""
    return _SSN.fullmatch(value) is not None


def is_ssn(value: str) -> bool:
    """The same, written 123-45-6789 as nothing else is."""
    dashed = value.count("-") == 2 and may_be_ssn(value)
    return dashed or _ITIN.fullmatch(value) is not None


def may_be_ssn_in_text(text: str) -> bool:
    """Nine digits, with any marks, of which no part is all zeros.

    A text has no column name to go by, so areas 666 and 900 to 999 count: taxpayer numbers are
    among them, and what somebody mistyped still points to a person.

    >>> [may_be_ssn_in_text(text) for text in ("078-05-1120", "000-12-3456", "123-00-4567")]
    [True, False, False]
    """
    digits = extract_digits(text)
    return len(digits) == 9 and digits[:3] != "000" and digits[3:5] != "00" and digits[5:] != "0000"


def is_bsn(value: str) -> bool:
    """A Dutch burgerservicenummer, by the eleven test."""
    digits = _read_digits(value, 9)
    return bool(digits) and load_standard_check("nl.bsn")(digits)


def is_steuer_id(value: str) -> bool:
    """A German tax identification number: one digit twice or three times, and a check digit."""
    digits = _read_digits(value, 11)
    return bool(digits) and load_standard_check("de.idnr")(digits)


def is_nir(value: str) -> bool:
    """A French social security number with its key, born in a month or in one of the codes for it.

    Months 13 to 19 are never used, which python-stdnum does not check.
    """
    text = normalize_number(value)
    return _NIR.fullmatch(text) is not None and load_standard_check("fr.nir")(text)


def is_dni(value: str) -> bool:
    """A Spanish DNI or NIE, by its letter."""
    text = normalize_number(value)
    if _DNI.fullmatch(text) is None:
        return False
    return load_standard_check("es.nie" if text[0] in "XYZ" else "es.dni")(text)


def is_codice_fiscale(value: str) -> bool:
    """An Italian codice fiscale, by its day of birth and its last letter."""
    text = normalize_number(value)
    return _FISCALE.fullmatch(text) is not None and load_standard_check("it.codicefiscale")(text)


def is_rijksregister(value: str) -> bool:
    """A Belgian national number, or the bis number of somebody who is not in the register."""
    digits = _read_digits(value, 11)
    if not digits:
        return False
    return load_standard_check("be.nn")(digits) or load_standard_check("be.bis")(digits)


def is_pesel(value: str) -> bool:
    """A Polish PESEL, by its date and check digit."""
    digits = _read_digits(value, 11)
    return bool(digits) and load_standard_check("pl.pesel")(digits)


def is_personnummer(value: str) -> bool:
    """A Swedish personal or coordination number, by its date and check digit.

    Coordination numbers, for people who are not in the register, have 60 added to the day. Those
    python-stdnum does not know, and a date is not worth a second rule: the day is checked here.
    """
    digits = _read_digits(value.replace("+", "-"), 10, 12)[-10:]
    if not digits or not 1 <= int(digits[2:4]) <= 12:
        return False
    return 1 <= int(digits[4:6]) % 60 <= 31 and luhn(digits)


def is_hetu(value: str) -> bool:
    """A Finnish personal identity code, by its date and check character.

    Temporary codes, which hospitals give to patients who have no other, are identifiers as well.
    """
    return _HETU.fullmatch(value) is not None and load_standard_check("fi.hetu")(
        value, allow_temporary=True
    )


def is_ahv(value: str) -> bool:
    """A Swiss AHV number: 756 and a check digit."""
    digits = _read_digits(value, 13)
    return bool(digits) and load_standard_check("ch.ssn")(digits)


def is_nino(value: str) -> bool:
    """A British national insurance number."""
    return _NINO.fullmatch(value) is not None


def may_be_national(value: str) -> bool:
    """Enough digits in one word to be a state's number."""
    text = normalize_number(value)
    return 8 <= len(text) <= 16 and sum(character.isdigit() for character in text) >= 6


def _make_recognizer(
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
    form=r"\d{3}-\d\d-\d{4}",
)  # fmt: skip
BSN = _make_recognizer(
    "bsn", "Dutch citizen service numbers", ("bsn", "burgerservicenummer", "sofinummer"), is_bsn,
    1 / 11, ("111222333", "123456782"), ("123456789", "12345678", "000000000"),
)  # fmt: skip
STEUER_ID = _make_recognizer(
    "steuer-id", "German tax numbers",
    ("steuer id", "steueridentifikationsnummer", "steuerid", "idnr", "tax id"), is_steuer_id,
    0.05, ("86095742719", "47036892816"), ("86095742718", "11111111111", "12345678901"),
)  # fmt: skip
NIR = _make_recognizer(
    "nir", "French social security numbers",
    ("nir", "numero de securite sociale", "securite sociale", "insee"), is_nir, 0.01,
    ("1 51 02 46 102 043 25", "255081416802538"), ("151024610204326", "751024610204325"),
)  # fmt: skip
DNI = _make_recognizer(
    "dni", "Spanish identity numbers", ("dni", "nie", "nif"), is_dni, 1 / 23,
    ("12345678Z", "X1234567L"), ("12345678A", "1234567Z"),
)  # fmt: skip
CODICE_FISCALE = _make_recognizer(
    "codice fiscale", "Italian tax codes", ("codice fiscale",), is_codice_fiscale, 1 / 26,
    ("RSSMRA85T10A562S",), ("RSSMRA85T10A562T", "RSSMRA85"),
)  # fmt: skip
RIJKSREGISTER = _make_recognizer(
    "rijksregister", "Belgian national numbers",
    ("rijksregisternummer", "rijksregister", "insz", "niss", "registre national"),
    is_rijksregister, 0.02, ("85.07.30-033 28", "17073003384"), ("85.07.30-033 29", "123"),
)  # fmt: skip
PESEL = _make_recognizer(
    "pesel", "Polish personal numbers", ("pesel",), is_pesel, 0.06,
    ("44051401359",), ("44051401358", "44991401359"),
)  # fmt: skip
PERSONNUMMER = _make_recognizer(
    "personnummer", "Swedish personal numbers", ("personnummer", "samordningsnummer"),
    is_personnummer, 0.03, ("811228-9874", "19811228-9874"), ("811228-9873", "811328-9874"),
)  # fmt: skip
HETU = _make_recognizer(
    "hetu", "Finnish personal identity codes", ("hetu", "henkilotunnus"), is_hetu, 1 / 31,
    ("131052-308T",), ("131052-308U",),
)  # fmt: skip
AHV = _make_recognizer(
    "ahv", "Swiss social security numbers", ("ahv", "avs", "ahv nummer", "numero avs"), is_ahv,
    0.001, ("756.9217.0769.85",), ("756.9217.0769.84", "757.9217.0769.85"),
)  # fmt: skip
NINO = _make_recognizer(
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
