"""What the person does for a living, where the text says so."""

from __future__ import annotations

from discreet.scrub.facts.age import RELATION
from discreet.scrub.facts.fact_words import FactWords
from discreet.scrub.facts.notes import Notes
from discreet.scrub.facts.sentence import before

NEAR = 80
CUE = (
    r"(?:\b(?:<being>)\b(?:\s+(?:<article>)\b)+|\b(?:<former>)\b|\b(?:<job>)\s*:"
    r"|(?<!\w)(?:<old>)(?!\w)\.?)\s+(?:[\w.-]+\s+){0,3}$"
)
"""What stands before an occupation that is somebody's: worked as a, retired, a 40 year old."""
ANOTHER = r"\b(?:<another>)\b"
"""In a cue, such words tell that somebody else is meant: was the patient of a surgeon."""


def read_occupations(text: str, words: FactWords, notes: Notes) -> None:
    """Note occupations of the person; those of relatives are the family's."""
    cued, another = words.expression(CUE), words.expression(ANOTHER)
    for told in words.occupations.find(text):
        sentence = before(text, told.start)[-NEAR:]
        cue = cued.search(sentence)
        if cue is None or another.search(cue[0]):
            continue
        whose = words.expression(RELATION).findall(sentence.rpartition(",")[2])
        if whose:
            notes.family.add(f"{whose[-1].lower()} {told.name}")
        else:
            notes.occupations.add(told.name)
