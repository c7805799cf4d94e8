"""Any other unique number: made by a computer, or counting the rows."""

from __future__ import annotations

import re

from discreet.identify.recognizers.recognizer import Item, Recognizer
from discreet.table.role import Role

_UUID = re.compile(r"\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?", re.IGNORECASE)
_HASH = re.compile(
    r"(?=.*[a-f])(?=.*\d)([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{128})"
)
_WALLET = re.compile(r"0x[0-9a-fA-F]{40}|bc1[0-9a-z]{39,59}")


def is_uuid(value: str) -> bool:
    """A universally unique identifier."""
    return _UUID.fullmatch(value) is not None


def is_hash(value: str) -> bool:
    """The digest of something; the same person has the same one everywhere."""
    return _HASH.fullmatch(value.lower()) is not None or _WALLET.fullmatch(value) is not None


UUID = Recognizer(
    "uuid", "computer-made unique numbers (UUID)", "codes", Role.identifier, Item.OTHER,
    names=("uuid", "guid"), proof=is_uuid,
    examples=("123e4567-e89b-12d3-a456-426614174000", "{123E4567-E89B-12D3-A456-426614174000}"),
    counterexamples=("123e4567", "123e4567-e89b-12d3-a456", "yes"),
)  # fmt: skip
HASH = Recognizer(
    "hash", "hashed or encrypted values", "codes", Role.identifier, Item.OTHER,
    names=("hash", "md5", "sha1", "sha256", "pseudonym", "pseudonym id", "token"),
    fits=lambda value: len(value) >= 6, proof=is_hash,
    examples=("d41d8cd98f00b204e9800998ecf8427e",),
    counterexamples=("d41d8cd98f00b204", "12345678901234567890123456789012", "yes"),
)  # fmt: skip
PERSON_ID = Recognizer(
    "id", "numbers given to people", "codes", Role.identifier, Item.OTHER,
    names=("=id", "=uid", "=pid", "person id", "subject id", "participant id", "respondent id",
           "user id", "userid", "employee id", "employee number", "emp id", "emp no",
           "personnel number", "student id", "student number", "household id", "family id",
           "case no", "badge number", "study id", "sample id", "specimen id", "personalnummer",
           "mitarbeiternummer", "probanden id", "matrikelnummer", "personeelsnummer",
           "studentnummer", "deelnemer id", "matricule", "numero de empleado", "unique id",
           "uniqueid", "identifier", "claim id", "claim number", "barcode"),
    fits=lambda value: " " not in value.strip(),
    examples=("17", "t1", "P-0001"), counterexamples=("not given", "two words"),
)  # fmt: skip
ROW_NUMBER = Recognizer(
    "row number", "row numbers", "codes", Role.identifier, Item.OTHER,
    names=("row number", "row no", "rownum", "row id", "rowid", "=row", "=index", "=unnamed 0",
           "=nr", "=no", "line number", "record id", "sequence number", "zeilennummer", "lfd nr",
           "rijnummer", "volgnummer", "numero de ligne", "numero de fila"),
    fits=str.isdecimal, examples=("1", "250"), counterexamples=("a", "1.5"),
)  # fmt: skip

ALL = (UUID, HASH, PERSON_ID, ROW_NUMBER)
