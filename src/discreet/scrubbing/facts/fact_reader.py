"""Reads facts about a person from a text and the findings of scrub.

Notes
-----
[Sweeney2001]_, sec. 9.5.

Departures: the method is ours. Ages, dates and places are those that scrub found; sex, occupation,
family and events are recognized by words. Nothing is understood: facts about somebody else may be
attributed to the person, and rare facts that are in no list are missed. So a document that is not
unique here may be unique to a reader.

Cost: linear in the text, a few passes over its words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.scrubbing.facts.fact_words import FactWords, load_fact_words
from discreet.scrubbing.facts.notes import SURE, Facts, Notes
from discreet.scrubbing.finding import Finding

# The sentence around a place in a text.


END = re.compile(r"(?<!\b[A-Za-z])[.!?;](?=\s)|\n[^\S\n]*\n")
LONGEST = 300
"""Most characters of a sentence: some texts have no sentence ends."""


def read_sentence_before(text: str, place: int) -> str:
    """The part of the sentence before a place.

    Examples
    --------
    >>> read_sentence_before("It rained. At noon we left.", 18)
    ' At noon'
    """
    start = max(place - LONGEST, 0)
    part = text[start:place]
    for end in END.finditer(part):
        start = place - len(part) + end.end()
    return text[start:place]


def find_sentence(text: str, place: int) -> tuple[int, int]:
    """Where the sentence around a place starts and ends."""
    after = END.search(text, place, place + LONGEST)
    end = after.start() if after else min(place + LONGEST, len(text))
    return place - len(read_sentence_before(text, place)), end


# Ages in years, and whether they are the person's own.


OLDEST = 125
AGE_NEAR = 25
"""Characters before an age in which a relative may be named as having it."""
RELATION = r"\b(?:<relation>)\b"
POINT = r"\b(?:<point>)\s+(?:the\s+age\s+of\s+)?$"


@safe_repr
class Age(NamedTuple):
    """An age that is mentioned; ``own`` is False if it is a relative's.

    ``then`` marks an age at which something happened, rather than the present age.
    """

    start: int
    end: int
    years: int
    own: bool
    then: bool = False


def read_ages(text: str, findings: Iterable[Finding], words: FactWords) -> list[Age]:
    """The ages among what scrub found."""
    relation = words.expression(RELATION)
    at_a_time = words.expression(POINT)
    ages = []
    for one in findings:
        if one.kind == "AGE":
            years = parse_age(text[one.start : one.end], words)
            if years is not None:
                said = read_sentence_before(text, one.start)
                own = relation.search(said[-AGE_NEAR:]) is None
                ages.append(Age(one.start, one.end, years, own, bool(at_a_time.search(said))))
    return ages


def parse_age(written: str, words: FactWords) -> int | None:
    """An age in whole years; months and weeks are 0 years, a decade is its first year.

    Examples
    --------
    >>> from discreet.scrubbing.facts.fact_words import load_fact_words
    >>> ages = "7 and 6/12 year old", "ninety-two years old", "six-month-old", "eighties"
    >>> [parse_age(age, load_fact_words("en")) for age in ages]
    [7, 92, 0, 80]
    """
    lists = words.lists
    parts = re.findall(r"\d+|[^\W\d_]+", written.lower())
    young = any(part in lists["months"] for part in parts)
    if not parts or (young and not any(part.startswith("year") for part in parts)):
        return 0 if parts else None
    for place, part in enumerate(parts):
        if part.isdigit():
            return int(part) if len(part) <= len(str(OLDEST)) and int(part) <= OLDEST else None
        if part in lists["decades"]:
            return 10 * (lists["decades"].index(part) + 1)
        if part in lists["tens"]:
            rest = parts[place + 1] if place + 1 < len(parts) else ""
            ones = lists["numbers"].index(rest) + 1 if rest in lists["numbers"][:9] else 0
            return 10 * (lists["tens"].index(part) + 1) + ones
        if part in lists["numbers"]:
            return lists["numbers"].index(part) + 1
    return None


# Rare events, with the age at which they happened.


EVENT_NEAR = 35
"""Characters before an event in which it may be negated."""
DENIED = r"\b(?:<negation>)\b"


def read_events(text: str, ages: Sequence[Age], words: FactWords, notes: Notes) -> None:
    """Note the events, including those of relatives, which also single a person out."""
    denied = words.expression(DENIED)
    for fact in words.events.find(text):
        if denied.search(read_sentence_before(text, fact.start)[-EVENT_NEAR:].rpartition(",")[2]):
            continue
        notes.events.add(fact.name)
        years = _find_age_at(text, fact.start, ages)
        if years is not None:
            notes.history.add((years, fact.name))


def _find_age_at(text: str, place: int, ages: Sequence[Age]) -> int | None:
    """The age at which the event happened: the nearest in the same sentence."""
    if not ages:
        return None
    start, end = find_sentence(text, place)
    within = [one for one in ages if start <= one.start < end and one.own and one.then]
    if not within:
        return None
    return min(within, key=lambda one: abs(one.start - place)).years


# Family facts: a twin, an orphan, three children.


COUNTED = r"\b(\d\d?|<numbers>)\s+(?:\w+\s+)?(<kin>)\b"


def read_family(text: str, words: FactWords, notes: Notes) -> None:
    """Note facts about the family, and how many relatives of a kind there are."""
    denied = words.expression(DENIED)
    for fact in words.family.find(text):
        if not denied.search(
            read_sentence_before(text, fact.start)[-EVENT_NEAR:].rpartition(",")[2]
        ):
            notes.family.add(fact.name)
    for match in words.expression(COUNTED).finditer(text):
        number = match[1].lower()
        if not number.isdigit():
            number = str(words.lists["numbers"].index(number) + 1)
        notes.family.add(f"{int(number)} {match[2].lower()}")


# The person's occupation, where the text states it.


OCCUPATION_NEAR = 80
CUE = (
    r"(?:\b(?:<being>)\b(?:\s+(?:<article>)\b)+|\b(?:<former>)\b|\b(?:<job>)\s*:"
    r"|(?<!\w)(?:<old>)(?!\w)\.?)\s+(?:[\w.-]+\s+){0,3}$"
)
"""Cues before the occupation of a person: worked as a, retired, a 40 year old."""
ANOTHER = r"\b(?:<another>)\b"
"""Words in a cue which show that somebody else is meant: was the patient of a surgeon."""


def read_occupations(text: str, words: FactWords, notes: Notes) -> None:
    """Note occupations of the person; those of relatives count as family facts."""
    cued, another = words.expression(CUE), words.expression(ANOTHER)
    for fact in words.occupations.find(text):
        sentence = read_sentence_before(text, fact.start)[-OCCUPATION_NEAR:]
        cue = cued.search(sentence)
        if cue is None or another.search(cue[0]):
            continue
        whose = words.expression(RELATION).findall(sentence.rpartition(",")[2])
        if whose:
            notes.family.add(f"{whose[-1].lower()} {fact.name}")
        else:
            notes.occupations.add(fact.name)


# The person's place: where they live, or else the place named most often.


KINDS = ("CITY", "LOCATION", "STATE", "COUNTRY")
WEIGHT = {"CITY": 3, "LOCATION": 3}
"""The more specific place first: a city says more than its state."""
PLACE_NEAR = 30
HOME = r"\b(?:<home>)\b"


def read_places(text: str, findings: Iterable[Finding], words: FactWords, notes: Notes) -> None:
    """Note places that scrub found, in small letters and cut at the first comma."""
    home = words.expression(HOME)
    for one in findings:
        if one.kind in KINDS:
            name = " ".join(text[one.start : one.end].partition(",")[0].lower().split())
            at_home = home.search(
                read_sentence_before(text, one.start)[-PLACE_NEAR:].rpartition(",")[2]
            )
            notes.places[name] += WEIGHT.get(one.kind, 1) + (SURE if at_home else 0)


# The person's sex: stated with an age, or else that of most pronouns.


AFTER = 25
"""Characters after an age in which the sex may be stated: 7 year old white female."""
SEXES = ("female", "male")
NAMED = r"\b(<female>|<male>)\b"
BESIDE = r"[^.;!?]*?\b(<female>|<male>|<female_letter>|<male_letter>)\b"


def read_sex(text: str, ages: Iterable[Age], words: FactWords, notes: Notes) -> None:
    """Count words for either sex; one that follows the person's own age has the greatest weight."""
    sex_of = {
        word: sex for sex in SEXES for end in ("", "_letter") for word in words.lists[sex + end]
    }
    for match in words.expression(NAMED).finditer(text):
        notes.sexes[sex_of[match[1].lower()]] += 1
    beside = words.expression(BESIDE)
    for one in ages:
        said = beside.match(text, one.end, one.end + AFTER) if one.own else None
        if said is not None:
            notes.sexes[sex_of[said[1].lower()]] += SURE


# Years: that of birth, and the latest of all others.


FULL = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
SHORT = re.compile(r"(?:\d\s?[-/.]|[A-Za-z]{3}[-\s']{1,2}|['’])\s?(\d\d)$")
BIRTH = r"\b(?:<birth>)\b"
ALONE = r"\b(?:<year>)\s+(1[89]\d\d|20\d\d)\b(?![-/])"
YEAR_NEAR = 25
PIVOT = 30
"""Two-digit years below this belong to this century."""


def read_years(text: str, findings: Iterable[Finding], words: FactWords, notes: Notes) -> None:
    """Note the years of dates that scrub found, and years on their own."""
    birth = words.expression(BIRTH)
    alone = words.expression(ALONE)
    dates = [(one.start, text[one.start : one.end]) for one in findings if one.kind == "DATE"]
    for start, written in (*dates, *((m.start(1), m[1]) for m in alone.finditer(text))):
        year = parse_year(written)
        if year is None:
            continue
        if birth.search(read_sentence_before(text, start)[-YEAR_NEAR:]):
            notes.births[year] += 1
        else:
            notes.years.add(year)


def parse_year(date: str) -> int | None:
    """The year of a written date; two digits mean a year from 1930 to 2029.

    Examples
    --------
    >>> [parse_year(date) for date in ("05/26/86", "June of 1993", "1-MAR-91", "March 1st")]
    [1986, 1993, 1991, None]
    """
    if full := FULL.findall(date):
        return int(full[-1])
    if short := SHORT.search(date.strip()):
        two = int(short[1])
        return two + (2000 if two < PIVOT else 1900)
    return None


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
        """The words by which facts are recognized."""
        return load_fact_words(self.language)

    def read(self, text: str, findings: Iterable[Finding]) -> Facts:
        """The facts of one text."""
        notes = Notes()
        self.note(text, findings, notes)
        return notes.facts()

    def note(self, text: str, findings: Iterable[Finding], notes: Notes) -> None:
        """Add the facts of a text to earlier notes."""
        found = list(findings)
        ages = read_ages(text, found, self.words)
        notes.ages.update(one.years for one in ages if one.own)
        read_sex(text, ages, self.words, notes)
        read_places(text, found, self.words, notes)
        read_years(text, found, self.words, notes)
        read_occupations(text, self.words, notes)
        read_family(text, self.words, notes)
        read_events(text, ages, self.words, notes)
