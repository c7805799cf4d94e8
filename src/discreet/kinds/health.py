"""Numbers that health care gives to people: records and insurance plans."""

from __future__ import annotations

import re

from discreet.kinds.checksums import load_standard_check, luhn, normalize_number
from discreet.kinds.recognizer import Item, Recognizer, is_code
from discreet.table.table import Role

_MBI = re.compile(
    r"[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?"
    r"[AC-HJKMNP-RT-Y]{2}\d{2}"
)


def is_nhs_number(value: str) -> bool:
    """A patient number of the British health service, by its check digit."""
    digits = normalize_number(value)
    return len(digits) == 10 and digits.isdecimal() and load_standard_check("gb.nhs")(digits)


def is_beneficiary(value: str) -> bool:
    """A Medicare beneficiary identifier, or a European health insurance card number."""
    if _MBI.fullmatch(value.upper()):
        return True
    digits = normalize_number(value)
    return digits.startswith("80") and digits.isdecimal() and len(digits) == 20 and luhn(digits)


RECORD = Recognizer(
    "medical record", "medical record numbers", "health", Role.identifier, Item.RECORD,
    names=("mrn", "medical record", "medical record number", "medical record no", "chart number",
           "patient id", "patient no", "patient number", "patient nr", "=patient", "=record",
           "patid", "record number", "case number", "case id", "encounter id", "visit id",
           "hospital number", "patienten id", "patientennummer", "patientennr", "fallnummer",
           "krankenaktennummer", "patientnummer", "dossiernummer", "numero de dossier",
           "numero patient", "ipp", "historia clinica", "numero de historia"),
    fits=is_code, examples=("MRN-001234", "88123"), counterexamples=("yes", "Maria Smith"),
)  # fmt: skip
NHS = Recognizer(
    "patient number", "patient numbers of a national health service", "health", Role.identifier,
    Item.RECORD,
    names=("nhs", "nhs number", "nhs no", "chi number"),
    proof=is_nhs_number, chance=1 / 11,
    examples=("943 476 5919", "9434765919"), counterexamples=("9434765918", "0123", "yes"),
)  # fmt: skip
PLAN = Recognizer(
    "health plan", "health plan numbers", "health", Role.identifier, Item.PLAN,
    names=("health plan", "health plan number", "member id", "member number", "subscriber id",
           "beneficiary", "beneficiary id", "insurance number", "insurance id", "insurance no",
           "policy number", "medicare number", "medicare id", "medicaid id", "mbi", "hicn",
           "group number", "versicherungsnummer", "versichertennummer", "krankenversichertennummer",
           "kvnr", "polisnummer", "verzekeringsnummer", "verzekerdenummer", "numero d assure",
           "numero de afiliacion", "numero de poliza"),
    fits=is_code, proof=is_beneficiary,
    examples=("1EG4-TE5-MK73", "1EG4TE5MK73"), counterexamples=("yes", "1EG4TE5MK7", "gold plan"),
)  # fmt: skip

ALL = (RECORD, NHS, PLAN)
