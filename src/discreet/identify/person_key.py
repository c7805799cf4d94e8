"""Columns whose name says that they tell people apart, such as a patient's number."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from discreet.display import safe_repr
from discreet.identify.column_name import joined, phrases, tokens, word_list
from discreet.identify.recognizers import ALL, Item, Recognizer
from discreet.table.role import Role

ITEMS = (Item.SSN, Item.RECORD, Item.PLAN, Item.OTHER, Item.ACCOUNT, Item.MAIL, Item.NAMES)
"""What a person has only one of, the surest first."""
FAMILIES = ("national", "health", "codes", "accounts", "contact", "people")
OTHERS = word_list(
    "visit encounter case claim invoice order event admission stay row line record sample specimen "
    "test file document physician doctor provider nurse surgeon attending prescriber teacher "
    "contact kin spouse partner mother father child owner hospital clinic ward group household "
    "house home family couple dwelling apartment building room school class course employer "
    "company firm department site center centre facility store vehicle trip transaction payment "
    "bill prescription product item batch region district tract block cluster arzt huisarts fall "
    "besuch haushalt familie huishouden gezin foyer famille hogar"
)
"""Words that say that a number or name is of something else, or of somebody else."""
ID_WORDS = word_list("id ids identifier uuid guid number nr num no key code mrn ssn")
"""What the name of a column of ids ends with."""
PARTS = ("given name", "surname", "hash", "uuid", "user name")
"""Kinds that many people share, or that need not be one a person."""


@safe_repr
class KeyKind(NamedTuple):
    """What a column's name says, and how sure it is that each person has one; None if it is not."""

    kind: str | None
    rank: int | None

    @property
    def sure(self) -> bool:
        """Whether no two people share a value."""
        return self.rank is not None and ITEMS[self.rank] not in (Item.MAIL, Item.NAMES)

    @property
    def decides(self) -> bool:
        """Whether it is of people for certain, not of rows."""
        return self.rank is not None and ITEMS[self.rank] in ITEMS[:3]


def kind_of_key(name: str) -> KeyKind:
    """What the name of a column says of it, with the rank of a person's key.

    >>> kind_of_key("patient_id")
    KeyKind(kind='medical record', rank=1)
    >>> kind_of_key("visit_id").rank is None, kind_of_key("colour")
    (True, KeyKind(kind=None, rank=None))
    """
    known = _recognizers()
    found = [(length, -known[run]) for run, length in phrases(name).items() if run in known]
    if not found:
        return KeyKind(None, None)
    recognizer = ALL[-max(found)[1]]
    return KeyKind(recognizer.kind, _rank(recognizer, name))


@cache
def _recognizers() -> dict[str, int]:
    """The first recognizer of each phrase: tables of many columns ask once for each column."""
    places: dict[str, int] = {}
    for place, recognizer in enumerate(ALL):
        for name in recognizer.names:
            places.setdefault(joined(name), place)
    return places


def _rank(found: Recognizer, name: str) -> int | None:
    right = found.role is Role.identifier and found.family in FAMILIES and found.item in ITEMS
    if not right or is_of_others(name) or found.item is None or found.kind in PARTS:
        return None
    return ITEMS.index(found.item)


def is_of_others(name: str) -> bool:
    """Whether the name says that the values are of groups, of events or of other people.

    >>> is_of_others("household_id"), is_of_others("patient_id")
    (True, False)
    """
    return not OTHERS.isdisjoint(tokens(name))


def names_id(name: str) -> bool:
    """Whether a column's name says that its values are ids, which nobody can use rounded.

    >>> [names_id(name) for name in ("visit_id", "caseNumber", "UUID", "charges", "paid")]
    [True, True, True, False, False]
    """
    words = tokens(name)
    return bool(words) and words[-1] in ID_WORDS
