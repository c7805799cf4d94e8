"""Columns whose name says that they identify people, such as a patient's number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from discreet.display import safe_repr
from discreet.kinds.catalogue import ALL, Item, Recognizer
from discreet.kinds.column_name import join_phrase, list_phrases, split_name, split_words
from discreet.table.table import Role

ITEMS = (Item.SSN, Item.RECORD, Item.PLAN, Item.OTHER, Item.ACCOUNT, Item.MAIL, Item.NAMES)
"""What each person has only one of, the surest first."""
FAMILIES = ("national", "health", "codes", "accounts", "contact", "people")
OTHERS = split_words(
    "visit encounter case claim invoice order event admission stay row line record sample specimen "
    "test file document physician doctor provider nurse surgeon attending prescriber teacher "
    "contact kin spouse partner mother father child owner hospital clinic ward group household "
    "house home family couple dwelling apartment building room school class course employer "
    "company firm department site center centre facility store vehicle trip transaction payment "
    "bill prescription product item batch region district tract block cluster arzt huisarts fall "
    "besuch haushalt familie huishouden gezin foyer famille hogar"
)
"""Words that say that a number or name belongs to something or somebody else."""
ID_WORDS = split_words("id ids identifier uuid guid number nr num no key code mrn ssn")
"""Last words of names of id columns."""
PARTS = ("given name", "surname", "hash", "uuid", "user name", "row number")
"""Kinds that people share or of which a person may have several."""
ABOUT = split_words(
    "type kind count status since segment age sex gender zip state city date year time size income "
    "score subject line area name agent version"
)
"""Last words of names of columns that describe a person or number rather than hold the number."""
PEOPLE = split_words(
    "patient patienten pacient paciente paziente pacjent subject participant respondent proband "
    "probanden studienteilnehmer teilnehmer deelnemer member mitglied medlem beneficiary "
    "beneficiaire beneficiario enrollee customer client cliente kunde kunden klient klienten "
    "klant person personne persona persoon osoba individual individu individuo user nutzer "
    "benutzer versicherter versicherte verzekerde assure asegurado afiliado usager utente "
    "assistito"
)
"""Words that are a person's key even alone."""
WITH_NUMBER = split_words(
    "pat pt subj usubj mbr mem bene cust kund kd cli pers personal personnel insured policyholder "
    "cardholder taxpayer versicherten versichertern vers krankenversicherten mitglieds employee "
    "emp worker staff mitarbeiter arbeitnehmer medewerker werknemer salarie empleado student "
    "studenten matrikel pupil schuler leerling alumno etudiant eleve resident bewohner einwohner "
    "burger citizen inmate prisoner donor spender recipient tenant applicant voter survivor "
    "veteran socio adherent lid study screening loyalty health healthcard medicalrecord mrn nhs "
    "unit desynpuf indiv personen patientpseudonym"
)
"""Words that are a key with a word for a number: ``pat_nr``, ``kdnr``, ``mitarbeiter_id``."""
NUMBERS = split_words(
    "id ids identifier no nr num number nummer numero key code uuid guid hash pseudonym token ref "
    "kennung kennzeichen kennziffer index idx"
)
WHOLE = split_words(
    "mrn hospitalnumber hospitalno phn ohip nhc usubjid subjid numsecu enrolid medrecno medrec "
    "krankenversichertennr kvnummer egknummer persnr persnum"
)
CASES = ["case", "fall", "behandlungsfall"]
HOUSEHOLDS = split_words(
    "household haushalt haushalts hh hhld huishouden huishoudens foyer hogar family familie "
    "familien gezin famille familia"
)
MOST_NAMES = 1 << 17
"""Most column names that are cached: a comparison asks for the same ones repeatedly."""
ALONE = ("household", "haushalt", "huishouden", "foyer", "hogar")
"""Words for households that are a key even alone."""


@safe_repr
class KeyKind(NamedTuple):
    """What a column's name says, and the rank of a person's key; None if it is not one.

    ``unit`` is what each value identifies: people, cases, of which a person may have several, or
    households of several people. ``bare`` if the name has no word for a number.
    """

    kind: str | None
    rank: int | None
    unit: str = "people"
    bare: bool = False

    @property
    def sure(self) -> bool:
        """Whether no two people share a value."""
        return self.rank is not None and ITEMS[self.rank] not in (Item.MAIL, Item.NAMES)

    @property
    def decides(self) -> bool:
        """Whether it certainly identifies people, not rows."""
        return self.rank is not None and ITEMS[self.rank] in ITEMS[:3] and not self.bare


@lru_cache(maxsize=MOST_NAMES)
def find_key_kind(name: str) -> KeyKind:
    """What the name of a column says about it, with the rank of a person's key.

    >>> find_key_kind("patient_id")
    KeyKind(kind='medical record', rank=1, unit='people', bare=False)
    >>> find_key_kind("visit_id").rank is None, find_key_kind("colour").kind
    (True, None)
    >>> find_key_kind("Kundennr").rank, find_key_kind("household_id").unit
    (3, 'households')
    """
    whole = "".join(split_name(name))
    for unit, kind in (("cases", "case"), ("households", "household")):
        if found := _build_patterns()[unit].fullmatch(whole):
            return KeyKind(kind, ITEMS.index(Item.OTHER), unit, found["bare"] is not None)
    known = _index_recognizers()
    runs = [(length, -known[run]) for run, length in list_phrases(name).items() if run in known]
    recognizer = ALL[-max(runs)[1]] if runs else None
    rank = None if recognizer is None else _rank(recognizer, name)
    if rank is None and (found := _build_patterns()["people"].fullmatch(whole)):
        return KeyKind("person", ITEMS.index(Item.OTHER), bare=found["bare"] is not None)
    return KeyKind(None if recognizer is None else recognizer.kind, rank)


@cache
def _build_patterns() -> dict[str, re.Pattern[str]]:
    """Patterns of whole names, with their words joined, that are keys of each unit."""
    return {
        "people": _build_pattern([*PEOPLE, *WITH_NUMBER], PEOPLE, WHOLE),
        "cases": _build_pattern(CASES, (), ()),
        "households": _build_pattern(HOUSEHOLDS, ALONE, ()),
    }


def _build_pattern(
    words: Iterable[str], alone: Iterable[str], whole: Iterable[str]
) -> re.Pattern[str]:
    """A word before or after words for a number, a word that may be alone, or a whole name."""
    word, number, bare = ("|".join(sorted(some)) for some in (words, NUMBERS, alone))
    parts = [f"(?:{word})s?(?:{number}){{1,3}}", f"(?:{number}|n)(?:de|du|del|della|d)?(?:{word})"]
    parts += [f"(?P<bare>{bare or '(?!)'})", *sorted(whole)]
    return re.compile(f"(?:encrypted|encr|hashed|pseudo|study|our|original)?(?:{'|'.join(parts)})")


@cache
def _index_recognizers() -> dict[str, int]:
    """The first recognizer of each phrase, so that tables with many columns are quick."""
    places: dict[str, int] = {}
    for place, recognizer in enumerate(ALL):
        for name in recognizer.names:
            places.setdefault(join_phrase(name), place)
    return places


def _rank(found: Recognizer, name: str) -> int | None:
    right = found.role is Role.identifier and found.family in FAMILIES and found.item in ITEMS
    if not right or is_of_others(name) or found.item is None or found.kind in PARTS:
        return None
    if found.item is not Item.NAMES and split_name(name)[-1] in ABOUT:
        return None
    return ITEMS.index(found.item)


def is_of_others(name: str) -> bool:
    """Whether the name says that the values belong to groups, events or other people.

    >>> is_of_others("household_id"), is_of_others("patient_id")
    (True, False)
    """
    return not OTHERS.isdisjoint(split_name(name))


def is_id_name(name: str) -> bool:
    """Whether a column's name says that its values are ids, which nobody can use rounded.

    >>> [is_id_name(name) for name in ("visit_id", "caseNumber", "UUID", "charges", "paid")]
    [True, True, True, False, False]
    """
    words = split_name(name)
    return bool(words) and words[-1] in ID_WORDS


NAMESAKES = 0.9
"""Names may repeat by chance; below this ratio of distinct names to rows, people repeat."""
ROWS_OF_A_PERSON = 100
"""A column whose values have more rows on average does not identify people."""
ROWS_IF_BARE = 20
"""The same for a name without a word for a number, such as ``member``, which may be yes or no."""


def has_several_rows(rows: int, people: int, sure: bool, bare: bool) -> bool:
    """Whether ``people`` distinct values in ``rows`` rows are people with several rows.

    >>> has_several_rows(100, 40, sure=True, bare=False)
    True
    >>> has_several_rows(100, 2, sure=True, bare=True)
    False
    """
    most = rows if sure else NAMESAKES * rows
    each = ROWS_IF_BARE if bare else ROWS_OF_A_PERSON
    return 1 < people < most and people * each >= rows
