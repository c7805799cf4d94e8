"""Facts of texts: those of figure 115, and what is and is not taken for a fact."""

from __future__ import annotations

import pytest

from discreet.errors import ParameterError
from discreet.replacement_key import ReplacementKey
from discreet.scrubbing.facts import FactReader, Facts
from discreet.scrubbing.machine import Scrubber
from discreet.scrubbing.replace.replacer import Replacer

FIGURE_115 = (
    "At the age of two she was sexually assaulted. At the age of three she set fire to her home. "
    "At the age of four her parents divorced. At the age of five she was placed in foster care "
    "after stabbing her nursery school teacher with scissors."
)


@pytest.fixture(scope="module")
def scrubber() -> Scrubber:
    return Scrubber()


def _facts(scrubber: Scrubber, text: str) -> Facts:
    return FactReader().read(text, scrubber.find(text))


def test_nothing_in_figure_115_is_scrubbed(scrubber: Scrubber) -> None:
    replacer = Replacer(key=ReplacementKey(bytes(32)))
    assert replacer.apply(FIGURE_115, scrubber.find(FIGURE_115)).text == FIGURE_115


def test_figure_115_has_a_history(scrubber: Scrubber) -> None:
    facts = _facts(scrubber, FIGURE_115)
    assert (facts.age, facts.sex, facts.place, facts.occupation) == ("5", "female", "", "")
    assert facts.events == "divorce; fire setting; foster care; sexual assault; stabbing"
    assert facts.history == (
        "2 sexual assault; 3 fire setting; 4 divorce; 5 foster care; 5 stabbing"
    )
    assert facts.family == "foster child; parents divorced"


CASES = [
    # age
    ("Dot is a 7 and 6/12 year old female.", {"age": "7", "sex": "female"}),
    ("He is in his eighties.", {"age": "80", "sex": "male"}),
    ("A six-month-old boy slept.", {"age": "0", "sex": "male"}),
    ("Her mother, aged 71, came along. Anna is 40 years old.", {"age": "40"}),
    # sex
    ("62 yo M, told her.", {"sex": "male"}),
    ("She saw him.", {"sex": ""}),
    # place and year
    ("She lives in Springfield. Seen in Boston, and in Boston again.", {"place": "springfield"}),
    ("BORN 05/26/86. SEEN ON 02/02/1994.", {"birth": "1986", "year": "1994"}),
    ("He was well in 1999.", {"year": "1999", "birth": ""}),
    ("The dose of 1999 mg was wrong; 2001 units.", {"birth": ""}),
    # occupation
    ("He fell ill while acting as the U.S. Ambassador to England.", {"occupation": "ambassador"}),
    ("This 62 yo retired truck driver sleeps well.", {"occupation": "truck driver"}),
    ("Occupation: social worker", {"occupation": "social worker"}),
    ("She stabbed her teacher. He was seen by a surgeon.", {"occupation": ""}),
    ("He was the patient of a surgeon.", {"occupation": ""}),
    ("His wife is a nurse.", {"occupation": "", "family": "married; wife nurse"}),
    # family
    ("He has three children and 2 younger brothers.", {"family": "2 brothers; 3 children"}),
    ("She is an only child.", {"family": "only child"}),
    # events
    ("She denies domestic violence, but had a kidney transplant.", {"events": "transplant"}),
    ("No history of suicide attempts.", {"events": ""}),
    ("She is non-suicidal, and was never in prison.", {"events": ""}),
    ("HE WAS STRUCK BY\nLIGHTNING.", {"events": "lightning"}),
    ("She grew up on an arsonist's farm", {"events": "fire setting"}),
    ("a stable patient, in combination, at a murky time", {"events": ""}),
    ("A 62 yo man had a transplant.", {"events": "transplant", "history": ""}),
    ("He had a transplant when he was 30 years old.", {"history": "30 transplant"}),
    ("İ İ İ he was kidnapped", {"events": "kidnapping"}),
    ("", {"age": "", "sex": "", "place": "", "events": ""}),
]


@pytest.mark.parametrize(("text", "wanted"), CASES, ids=[text[:30] for text, _ in CASES])
def test_facts_of_a_sentence(scrubber: Scrubber, text: str, wanted: dict[str, str]) -> None:
    facts = _facts(scrubber, text)
    assert {name: getattr(facts, name) for name in wanted} == wanted


def test_a_language_without_words_for_facts_is_refused() -> None:
    with pytest.raises(ParameterError, match="'language' must be one of en"):
        FactReader("nl")
