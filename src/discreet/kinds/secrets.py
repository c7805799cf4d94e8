"""What a person would not want to be known: the sensitive columns."""

from __future__ import annotations

import re

from discreet.kinds.recognizer import Recognizer, is_anything
from discreet.table.table import Role

_ICD = re.compile(r"[A-TV-Z]\d[0-9A-Z]\.[0-9A-Z]{1,4}")


def is_icd(value: str) -> bool:
    """A diagnosis code of ICD-10 with its dot."""
    return _ICD.fullmatch(value) is not None


def _make_recognizer(kind: str, words: str, names: tuple[str, ...]) -> Recognizer:
    return Recognizer(kind, words, "secrets", Role.sensitive, names=names)


DIAGNOSIS = Recognizer(
    "diagnosis", "diagnoses", "secrets", Role.sensitive,
    names=("diagnosis", "diagnoses", "diag", "dx", "disease", "illness", "condition", "disorder",
           "problem", "complaint", "chief complaint", "symptom", "icd", "icd 9", "icd 10",
           "icd code", "comorbidity", "cause of death", "drg", "snomed", "medical condition",
           "allergy", "disability", "diagnose", "krankheit", "erkrankung", "beschwerden",
           "todesursache", "ziekte", "aandoening", "klacht", "doodsoorzaak", "diagnostic",
           "maladie", "pathologie", "diagnostico", "enfermedad", "tumor", "cancer", "stage",
           "health status", "mental health", "pregnant", "pregnancy", "hiv", "hiv status"),
    fits=is_anything, proof=is_icd, weak=True, share=0.5, least=3,
    examples=("E11.9", "S72.001A"), counterexamples=("U1", "11.9", "flu"),
)  # fmt: skip
TREATMENT = _make_recognizer(
    "treatment", "treatments",
    ("drug", "drug name", "medication", "medicine", "prescription", "treatment", "therapy",
     "procedure", "procedure code", "cpt", "atc", "atc code", "ndc", "dose", "dosage", "vaccine",
     "medikament", "medikation", "behandlung", "therapie", "wirkstoff", "medicijn", "medicatie",
     "behandeling", "medicament", "traitement", "medicamento", "tratamiento"),
)  # fmt: skip
RESULT = _make_recognizer(
    "result", "results of tests",
    ("result", "test result", "lab result", "lab value", "outcome", "score", "grade", "gpa", "iq",
     "blood pressure", "cholesterol", "glucose", "hba1c", "viral load", "cd4", "genotype",
     "mutation", "ergebnis", "testergebnis", "befund", "laborwert", "note gesamt", "uitslag",
     "testresultaat", "resultat", "resultado", "calificacion", "performance", "rating"),
)  # fmt: skip
MONEY = _make_recognizer(
    "money", "money matters",
    ("income", "salary", "salary class", "wage", "wages", "earnings", "pay", "bonus",
     "net worth", "wealth", "capital gain", "capital loss", "debt", "loan", "loan amount",
     "mortgage", "credit", "credit score", "credit limit", "balance", "benefits", "welfare",
     "tax", "taxes", "pension", "donation", "charge", "cost", "einkommen", "gehalt", "lohn",
     "vermogen", "schulden", "inkomen", "salaris", "loon", "schuld", "uitkering", "revenu",
     "salaire", "dette", "ingresos", "ingreso", "salario", "sueldo", "renta", "deuda"),
)  # fmt: skip
OFFENCE = _make_recognizer(
    "offence", "offences",
    ("offence", "offense", "crime", "conviction", "sentence", "arrest", "criminal charge",
     "criminal record", "felony", "prison", "straftat", "delikt", "vorstrafen", "misdrijf",
     "strafblad", "delict", "infraction", "condamnation", "delito", "condena", "violation",
     "victim"),
)  # fmt: skip
INTIMATE = _make_recognizer(
    "private life", "private life and beliefs",
    ("sexual orientation", "orientation", "sexuality", "sexual activity", "contraception",
     "political party", "party", "political affiliation", "political opinion", "politics", "vote",
     "union", "union member", "trade union", "drinking", "alcohol", "smoking", "smoker",
     "drug use", "substance use", "abuse", "suicide", "sexuelle orientierung", "partei",
     "gewerkschaft", "raucher", "seksuele geaardheid", "politieke voorkeur", "vakbond", "roker",
     "orientation sexuelle", "parti politique", "syndicat", "fumeur", "orientacion sexual",
     "partido", "sindicato", "fumador"),
)  # fmt: skip

ALL = (DIAGNOSIS, TREATMENT, RESULT, MONEY, OFFENCE, INTIMATE)
