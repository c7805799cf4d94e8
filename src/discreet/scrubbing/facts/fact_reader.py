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

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from discreet.display import dataclass, safe_repr
from discreet.scrubbing.facts.fact_words import FactWords, load_fact_words
from discreet.scrubbing.facts.notes import SURE, Facts, Notes
from discreet.scrubbing.finding import Finding

# What stands in the same sentence before a place of a text.


END = re.compile(r"(?<!\b[A-Za-z])[.!?;](?=\s)|\n[^\S\n]*\n")
LONGEST = 300
"""Characters that are looked at: some texts have no sentences."""


def read_sentence_before(text: str, place: int) -> str:
    """The sentence up to a place.

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
"""Characters before an age in which a relative may be the one who has it."""
RELATION = r"\b(?:<relation>)\b"
POINT = r"\b(?:<point>)\s+(?:the\s+age\s+of\s+)?$"


@safe_repr
class Age(NamedTuple):
    """An age that is told; ``own`` is False where it is a relative's.

    ``then`` marks an age at which something came to pass, not that of today.
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


def parse_age(told: str, words: FactWords) -> int | None:
    """An age in whole years; months and weeks are 0 years, a decade is its first year.

    Examples
    --------
    >>> from discreet.scrubbing.facts.fact_words import load_fact_words
    >>> ages = "7 and 6/12 year old", "ninety-two years old", "six-month-old", "eighties"
    >>> [parse_age(age, load_fact_words("en")) for age in ages]
    [7, 92, 0, 80]
    """
    lists = words.lists
    parts = re.findall(r"\d+|[^\W\d_]+", told.lower())
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


# Rare events, with the age at which they came to pass.


EVENT_NEAR = 35
"""Characters before an event in which it may be denied."""
DENIED = r"\b(?:<negation>)\b"


def read_events(text: str, ages: Sequence[Age], words: FactWords, notes: Notes) -> None:
    """Note the events, those of the family too: they single a person out as well."""
    denied = words.expression(DENIED)
    for told in words.events.find(text):
        if denied.search(read_sentence_before(text, told.start)[-EVENT_NEAR:].rpartition(",")[2]):
            continue
        notes.events.add(told.name)
        years = _find_age_at(text, told.start, ages)
        if years is not None:
            notes.history.add((years, told.name))


def _find_age_at(text: str, place: int, ages: Sequence[Age]) -> int | None:
    """The age at which the event came to pass: the nearest in the same sentence."""
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
    """Note what is said of the family, and how many relatives of a kind there are."""
    denied = words.expression(DENIED)
    for told in words.family.find(text):
        if not denied.search(
            read_sentence_before(text, told.start)[-EVENT_NEAR:].rpartition(",")[2]
        ):
            notes.family.add(told.name)
    for match in words.expression(COUNTED).finditer(text):
        number = match[1].lower()
        if not number.isdigit():
            number = str(words.lists["numbers"].index(number) + 1)
        notes.family.add(f"{int(number)} {match[2].lower()}")


# What the person does for a living, where the text says so.


OCCUPATION_NEAR = 80
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
        sentence = read_sentence_before(text, told.start)[-OCCUPATION_NEAR:]
        cue = cued.search(sentence)
        if cue is None or another.search(cue[0]):
            continue
        whose = words.expression(RELATION).findall(sentence.rpartition(",")[2])
        if whose:
            notes.family.add(f"{whose[-1].lower()} {told.name}")
        else:
            notes.occupations.add(told.name)


# The place of the person: where somebody lives, or else what is named most.


KINDS = ("CITY", "LOCATION", "STATE", "COUNTRY")
WEIGHT = {"CITY": 3, "LOCATION": 3}
"""A city says more than its state."""
PLACE_NEAR = 30
HOME = r"\b(?:<home>)\b"


def read_places(text: str, findings: Iterable[Finding], words: FactWords, notes: Notes) -> None:
    """Note places that scrub found, in small letters and without what follows a comma."""
    home = words.expression(HOME)
    for one in findings:
        if one.kind in KINDS:
            name = " ".join(text[one.start : one.end].partition(",")[0].lower().split())
            at_home = home.search(
                read_sentence_before(text, one.start)[-PLACE_NEAR:].rpartition(",")[2]
            )
            notes.places[name] += WEIGHT.get(one.kind, 1) + (SURE if at_home else 0)


# The sex of the person: said beside an age, or else told by most pronouns.


AFTER = 25
"""Characters after an age in which the sex may be said: 7 year old white female."""
SEXES = ("female", "male")
NAMED = r"\b(<female>|<male>)\b"
BESIDE = r"[^.;!?]*?\b(<female>|<male>|<female_letter>|<male_letter>)\b"


def read_sex(text: str, ages: Iterable[Age], words: FactWords, notes: Notes) -> None:
    """Count words of either sex; one that follows the person's own age weighs most."""
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


# Years: of birth, and the latest of all others.


FULL = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
SHORT = re.compile(r"(?:\d\s?[-/.]|[A-Za-z]{3}[-\s']{1,2}|['’])\s?(\d\d)$")
BIRTH = r"\b(?:<birth>)\b"
ALONE = r"\b(?:<year>)\s+(1[89]\d\d|20\d\d)\b(?![-/])"
YEAR_NEAR = 25
PIVOT = 30
"""Years of two digits below this are of this century."""


def read_years(text: str, findings: Iterable[Finding], words: FactWords, notes: Notes) -> None:
    """Note the years of dates that scrub found, and of years that stand alone."""
    birth = words.expression(BIRTH)
    alone = words.expression(ALONE)
    dates = [(one.start, text[one.start : one.end]) for one in findings if one.kind == "DATE"]
    for start, told in (*dates, *((m.start(1), m[1]) for m in alone.finditer(text))):
        year = parse_year(told)
        if year is None:
            continue
        if birth.search(read_sentence_before(text, start)[-YEAR_NEAR:]):
            notes.births[year] += 1
        else:
            notes.years.add(year)


def parse_year(date: str) -> int | None:
    """The year of a written date; two digits are a year of 1930 to 2029.

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
