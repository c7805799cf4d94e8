"""Family facts: a twin, an orphan, three children."""

from __future__ import annotations

from discreet.scrub.facts.events import DENIED, NEAR
from discreet.scrub.facts.fact_words import FactWords
from discreet.scrub.facts.notes import Notes
from discreet.scrub.facts.sentence import before

COUNTED = r"\b(\d\d?|<numbers>)\s+(?:\w+\s+)?(<kin>)\b"


def read_family(text: str, words: FactWords, notes: Notes) -> None:
    """Note what is said of the family, and how many relatives of a kind there are."""
    denied = words.expression(DENIED)
    for told in words.family.find(text):
        if not denied.search(before(text, told.start)[-NEAR:].rpartition(",")[2]):
            notes.family.add(told.name)
    for match in words.expression(COUNTED).finditer(text):
        number = match[1].lower()
        if not number.isdigit():
            number = str(words.lists["numbers"].index(number) + 1)
        notes.family.add(f"{int(number)} {match[2].lower()}")
