"""Reads facts off a text, with what scrub found in it.

Notes
-----
[Sweeney2001]_, sec. 9.5.

Departures: ours. Ages, dates and places are what the detectors of scrub found; sex, occupation,
family and events are known by words. Nothing is understood: facts of somebody else in the text may
be taken for the person's, and rare facts that are in no list are not seen. So a document that is
not unique here may be unique for a reader.

Cost: linear in the text, a few passes over its words.
"""

from __future__ import annotations

from collections.abc import Iterable

from discreet.display import dataclass
from discreet.scrub.facts.age import read_ages
from discreet.scrub.facts.events import read_events
from discreet.scrub.facts.fact_words import FactWords, load_fact_words
from discreet.scrub.facts.facts import Facts
from discreet.scrub.facts.family import read_family
from discreet.scrub.facts.notes import Notes
from discreet.scrub.facts.occupation import read_occupations
from discreet.scrub.facts.place import read_places
from discreet.scrub.facts.sex import read_sex
from discreet.scrub.facts.year import read_years
from discreet.scrub.finding import Finding


@dataclass(frozen=True)
class FactReader:
    """Reads the facts of texts in one language.

    Examples
    --------
    >>> text = "At the age of five she was placed in foster care."
    >>> facts = FactReader().read(text, [Finding(14, 18, "AGE", 0.9, "age", "")])
    >>> facts.age, facts.sex, facts.history
    ('5', 'female', '5 foster care')
    """

    language: str = "en"

    def __post_init__(self) -> None:
        load_fact_words(self.language)

    @property
    def words(self) -> FactWords:
        """The words by which facts are known."""
        return load_fact_words(self.language)

    def read(self, text: str, findings: Iterable[Finding]) -> Facts:
        """The facts of one text."""
        notes = Notes()
        self.note(text, findings, notes)
        return notes.facts()

    def note(self, text: str, findings: Iterable[Finding], notes: Notes) -> None:
        """Add the facts of a text to those noted before."""
        found = list(findings)
        ages = read_ages(text, found, self.words)
        notes.ages.update(one.years for one in ages if one.own)
        read_sex(text, ages, self.words, notes)
        read_places(text, found, self.words, notes)
        read_years(text, found, self.words, notes)
        read_occupations(text, self.words, notes)
        read_family(text, self.words, notes)
        read_events(text, ages, self.words, notes)
