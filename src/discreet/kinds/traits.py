"""What others may know about a person: the columns that make up a quasi-identifier."""

from __future__ import annotations

import re

from discreet.kinds.column_name import fold, split_words
from discreet.kinds.recognizer import Recognizer, Special, is_anything
from discreet.table.table import Role

_NUMBER = re.compile(r"-?\d+([.,]\d+)?")
_AGE = re.compile(
    r"[<>]?=?\s*(\d{1,2}|1[0-2]\d)([.,]\d+)?(\s*(-|to|bis|tot|a|–)\s*\d{1,3}|\+|\s*(y|yr|yrs|years|m|mo))?"
)
_SEXES = split_words(
    """
    m f x d w v male female man woman men women boy girl other diverse divers nonbinary non-binary
    mannlich maennlich weiblich mann frau vrouw mannelijk vrouwelijk homme femme masculin feminin
    h hombre mujer masculino femenino varon
    """
)
_RACES = split_words(
    """white black asian hispanic latino latina caucasian african-american african_american
    amer-indian-eskimo asian-pac-islander native-american mixed multiracial"""
)
_MARITAL = split_words(
    """married divorced widowed single separated never-married cohabiting partnered verheiratet
    ledig geschieden verwitwet gehuwd ongehuwd gescheiden weduwe weduwnaar marie mariee celibataire
    divorce divorcee veuf veuve casado casada soltero soltera divorciado divorciada viudo viuda
    married-civ-spouse married-spouse-absent married-af-spouse"""
)


def _fold_word(value: str) -> str:
    return fold(value).replace(" ", "-")


def is_sex(value: str) -> bool:
    """A word or letter for a sex, in five languages."""
    return _fold_word(value) in _SEXES


def is_race(value: str) -> bool:
    """A word of the census for a race."""
    return _fold_word(value) in _RACES


def is_marital_status(value: str) -> bool:
    """Married or not, in five languages."""
    return _fold_word(value) in _MARITAL


def may_be_age(value: str) -> bool:
    """Up to 129 years, or a span of them."""
    return _AGE.fullmatch(value.lower()) is not None


def is_number(value: str) -> bool:
    """A plain number."""
    return _NUMBER.fullmatch(value) is not None


def _make_recognizer(kind: str, words: str, names: tuple[str, ...]) -> Recognizer:
    return Recognizer(kind, words, "traits", Role.quasi, names=names)


AGE = Recognizer(
    "age", "ages", "traits", Role.quasi,
    names=("age", "age group", "age years", "age at admission", "age at diagnosis",
           "age at death", "age at onset", "age cat", "age category", "age band", "alter",
           "altersgruppe", "altersklasse", "erkrankungsalter", "sterbealter",
           "leeftijd", "leeftijdsgroep", "edad", "grupo de edad"),
    fits=may_be_age,
    examples=("39", "0", "20-29", "65+", ">=90"),
    counterexamples=("1965", "old", "-4", "1965-09-20"),
)  # fmt: skip
SEX = Recognizer(
    "sex", "sexes", "traits", Role.quasi,
    names=("sex", "gender", "geschlecht", "geslacht", "sexe", "genre", "sexo", "genero",
           "sex at birth", "gender identity", "=male", "=female", "is male", "is female", "sex m"),
    fits=is_anything, proof=is_sex, weak=True, least=2,
    examples=("M", "female", "Männlich", "vrouw"), counterexamples=("Boston", "yes", "17"),
)  # fmt: skip
RACE = Recognizer(
    "race", "races or ethnic groups", "traits", Role.quasi, special=Special.ORIGIN,
    names=("race", "ethnicity", "eth", "raceeth", "ethnic group", "ethnic", "ethnie",
           "ethnische gruppe", "etniciteit", "raza", "etnia", "skin color", "tribe", "caste",
           "ancestry", "ethnic origin", "ethnic background", "ethnicity race", "race ethnicity",
           "race eth", "migration background", "ethnische herkunft", "ethnische zugehorigkeit",
           "hautfarbe", "volkszugehorigkeit", "migrationshintergrund", "auslander", "auslaender",
           "aussiedler", "foreigner", "foreign worker", "immigrant", "migrant"),
    fits=is_anything, proof=is_race, weak=True, share=0.5, least=2,
    examples=("White", "Asian-Pac-Islander"), counterexamples=("Boston", "blue"),
)  # fmt: skip
MARITAL = Recognizer(
    "marital status", "marital statuses", "traits", Role.quasi,
    names=("marital", "marital status", "partnership status", "legal partnership status",
           "ever married", "relationship status", "personal status", "married", "civil status",
           "familienstand", "burgerlijke staat", "etat civil", "situation familiale",
           "estado civil"),
    fits=is_anything, proof=is_marital_status, weak=True, share=0.5, least=2,
    examples=("Never-married", "Divorced", "verheiratet"), counterexamples=("Private", "yes"),
)  # fmt: skip
EDUCATION = _make_recognizer(
    "education", "levels of education",
    ("education", "education level", "education num", "educ", "qualification", "grade level",
     "school grade", "klassenstufe", "jahrgangsstufe", "degree", "schooling", "school degree",
     "highest grade", "years of education", "graduation year", "major", "bildung",
     "bildungsabschluss", "schulabschluss", "abschluss", "opleiding", "opleidingsniveau", "diplome",
     "niveau d etudes", "educacion", "nivel de estudios", "estudios"),
)  # fmt: skip
OCCUPATION = _make_recognizer(
    "work", "occupations",
    ("occupation", "job", "job title", "profession", "employment", "employment status", "employer",
     "work class", "workclass", "work type", "industry", "company", "position", "department",
     "hours per week", "hours worked", "economic activity", "economic status", "labor force status",
     "employment type", "designation", "full time", "fulltime", "part time", "job role",
     "job level", "social class", "erwerbsstatus", "erwerbstatigkeit", "erwerbstatig",
     "berufsstand", "working hours", "beruf", "tatigkeit", "arbeitgeber", "branche", "stellung",
     "beroep", "functie", "werkgever", "metier", "employeur", "csp", "ocupacion", "profesion",
     "puesto", "empleador", "military service", "veteran", "rank"),
)  # fmt: skip
FAMILY = _make_recognizer(
    "family", "family relations",
    ("relationship", "relation", "family size", "household", "household size", "hsize", "hhsize",
     "hh size", "famsize", "family composition", "family status", "family type",
     "household composition", "num kids", "living arrangement", "=family", "divorced", "brothers",
     "sisters", "number of dependents", "household type", "children", "number of children",
     "num children", "dependents", "kids", "siblings", "parity", "kinder", "anzahl kinder",
     "haushaltsgrosse", "kinderen", "aantal kinderen", "gezinsgrootte", "enfants",
     "nombre d enfants", "hijos", "numero de hijos", "living situation"),
)  # fmt: skip
LANGUAGE = _make_recognizer(
    "language", "languages",
    ("language", "mother tongue", "native language", "primary language", "sprache",
     "muttersprache", "taal", "moedertaal", "langue", "langue maternelle", "idioma", "lengua"),
)  # fmt: skip
BODY = Recognizer(
    "body", "measures of the body", "traits", Role.quasi,
    names=("height", "weight", "hgt", "wgt", "bmi", "body mass index", "shoe size", "waist",
           "height cm", "weight kg", "grosse", "korpergrosse", "koerpergroesse", "gewicht",
           "korpergewicht", "lengte", "taille", "poids", "altura", "estatura", "peso"),
    fits=is_number, examples=("172", "68.5"), counterexamples=("tall", "yes"),
)  # fmt: skip
LOOKS = _make_recognizer(
    "looks", "looks",
    ("eye color", "eye colour", "hair color", "hair colour", "blood type", "blood group", "tattoo",
     "handedness", "augenfarbe", "haarfarbe", "blutgruppe", "oogkleur", "haarkleur", "bloedgroep",
     "couleur des yeux", "groupe sanguin", "color de ojos", "grupo sanguineo"),
)  # fmt: skip
HOME = _make_recognizer(
    "home", "homes and possessions",
    ("home owner", "homeowner", "house type", "dwelling", "tenure", "rent or own", "car model",
     "vehicle make", "vehicle model", "vehicle type", "wohnungstyp", "woningtype", "logement",
     "vivienda", "urban rural", "rural"),
)  # fmt: skip

ALL = (
    AGE, SEX, RACE, MARITAL, EDUCATION, OCCUPATION, FAMILY, LANGUAGE, BODY, LOOKS, HOME,
)  # fmt: skip
