"""Names of people."""

from __future__ import annotations

import re

from discreet.kinds.column_name import fold
from discreet.kinds.common_names import GIVEN, SURNAMES
from discreet.kinds.recognizer import Item, Recognizer
from discreet.table.table import Role

_WORD = re.compile(r"[^\W\d_]+")
_LETTERS = re.compile(r"[^\W\d_][^\W\d_.,' \-]*([ ,.'\-]{1,2}[^\W\d_]+)*\.?")
_KNOWN = GIVEN | SURNAMES


def may_be_name(value: str) -> bool:
    """Letters in at most six words, with the marks that names have in them."""
    return _LETTERS.fullmatch(value) is not None and len(_WORD.findall(value)) <= 6


def is_given_name(value: str) -> bool:
    """One of the common given names, alone."""
    return fold(value) in GIVEN


def is_surname(value: str) -> bool:
    """One of the common surnames, alone."""
    return fold(value) in SURNAMES


def is_full_name(value: str) -> bool:
    """Two to five words, one of them a common name at the first or last place."""
    if not may_be_name(value):
        return False
    words = [fold(word) for word in _WORD.findall(value)]
    return 2 <= len(words) <= 5 and (words[0] in _KNOWN or words[-1] in _KNOWN)


GIVEN_NAME = Recognizer(
    "given name", "given names", "people", Role.identifier, Item.NAMES,
    names=("first name", "given name", "forename", "fname", "firstname", "middle name", "vorname",
           "rufname", "voornaam", "roepnaam", "prenom", "=nombre", "primer nombre",
           "middle initial", "initials", "voorletters", "initialen"),
    fits=may_be_name, proof=is_given_name, weak=True, share=0.3, least=5,
    examples=("Maria", "PETER", "José"), counterexamples=("17", "Boston", "a@b.org"),
)  # fmt: skip
SURNAME = Recognizer(
    "surname", "surnames", "people", Role.identifier, Item.NAMES,
    names=("last name", "lname", "lastname", "surname", "family name", "maiden name",
           "mother maiden name", "nachname", "familienname", "geburtsname", "zuname", "achternaam",
           "familienaam", "meisjesnaam", "nom de famille", "=nom", "apellido", "apellidos",
           "primer apellido", "segundo apellido"),
    fits=may_be_name, proof=is_surname, weak=True, share=0.3, least=5,
    examples=("Schmidt", "García"), counterexamples=("17", "Boston"),
)  # fmt: skip
FULL_NAME = Recognizer(
    "name", "names of people", "people", Role.identifier, Item.NAMES,
    names=("=name", "=names", "full name", "fullname", "patient name", "person name", "client name",
           "customer name", "employee name", "member name", "student name", "teacher name",
           "contact name", "emergency contact", "next of kin", "spouse name", "partner name",
           "mother name", "father name", "child name", "doctor name", "physician", "physician name",
           "provider name", "nurse", "surgeon", "attending", "owner name", "applicant name",
           "patientenname", "kundenname", "vollstandiger name", "ansprechpartner", "arzt", "=naam",
           "patient naam", "volledige naam", "klantnaam", "contactpersoon", "huisarts",
           "nom complet", "nom prenom", "nom du patient", "nombre completo", "nombre y apellidos",
           "nombre del paciente", "alias"),
    fits=may_be_name, proof=is_full_name, weak=True, share=0.3, least=5,
    examples=("Maria Smith", "de Vries, Jan", "J. Schmidt", "Mary-Ann O'Neill Jones"),
    counterexamples=("Boston", "short of breath", "Exec-managerial", "17 Main Street", "Maria"),
)  # fmt: skip

ALL = (GIVEN_NAME, SURNAME, FULL_NAME)
