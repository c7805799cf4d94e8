"""The machine as a whole: two looks, threshold, kinds, people, what bad input gets."""

from __future__ import annotations

import re
import socket
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.errors import MissingExtraError, ParameterError
from discreet.scrubbing.blackboard import Blackboard
from discreet.scrubbing.detectors.detector import Shape, ShapeDetector
from discreet.scrubbing.detectors.names import FULL_NAME, SINGLE_NAME
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.languages.en import knowledge
from discreet.scrubbing.languages.load import list_languages, load_language
from discreet.scrubbing.machine import Scrubber, list_texts
from discreet.scrubbing.page import Page

NAMES = Scrubber(detectors=(FULL_NAME, SINGLE_NAME))


def names(text: str, scrubber: Scrubber = NAMES, person: str | None = None) -> list[str]:
    return [
        found for found, kind in list_texts(text, scrubber.find(text, person)) if kind == "NAME"
    ]


def test_what_stands_at_the_end_helps_the_beginning() -> None:
    assert names("Dot feels well. Yours, and Zunk's, Dr. Zunk") == ["Zunk", "Zunk"]


def test_documents_of_one_person_help_each_other() -> None:
    scrubber = Scrubber(detectors=(FULL_NAME, SINGLE_NAME))
    assert names("Zunk came.", scrubber, "p1") == []
    assert names("Dr. Zunk came.", scrubber, "p1") == ["Zunk"]
    assert names("Zunk came.", scrubber, "p1") == ["Zunk"]
    assert names("Zunk came.", scrubber, "p2") == []
    assert names("Zunk came.", scrubber) == []


def test_people_the_data_holder_knows_are_found() -> None:
    scrubber = Scrubber(detectors=(SINGLE_NAME,), people=("Zunk, Orla",))
    assert names("ORLA and zunk came with Zunkk.", scrubber) == ["ORLA", "zunk", "Zunkk"]


def test_the_threshold_decides() -> None:
    text = "We met Frank Graves."
    assert names(text, Scrubber(threshold=0.7)) == ["Frank Graves"]
    assert names(text, Scrubber(threshold=1.0)) == []


def test_kinds_limit_what_is_found() -> None:
    assert Scrubber(kinds=frozenset({"PHONE"})).find("We met Frank Graves.") == []


def test_a_half_of_another_kind_does_not_take_a_name_along() -> None:
    name = ShapeDetector("a", (Shape("NAME", 0.8, "x", re.compile("(?P<it>Zunk)")),))
    city = ShapeDetector("b", (Shape("CITY", 0.9, "y", re.compile("(?P<it>Vole)")),))
    every = Scrubber(detectors=(name, city))
    asked = Scrubber(detectors=(name, city), kinds=frozenset({"NAME"}))
    assert list_texts("Zunk-Vole", every.find("Zunk-Vole")) == [("Zunk-Vole", "CITY")]
    assert list_texts("Zunk-Vole", asked.find("Zunk-Vole")) == [("Zunk", "NAME")]


def test_a_superscript_is_no_number() -> None:
    assert Scrubber().find("seen ²/3 and 3/² by us") == []


def test_training_changes_likelihoods() -> None:
    trained = Scrubber(detectors=(FULL_NAME,), likelihoods={"full_name/first, last": 0.1})
    text = "We met Jennifer Kowalski."
    assert names(text) == ["Jennifer Kowalski"]
    assert "first, last" not in {f.reason for f in trained.find(text)}


class Shield:
    name = "shield"
    examples = ()

    def find(self, page: Page) -> list[Finding]:
        start = page.text.find("Graves")
        return [Finding(start, start + 6, "DISEASE", 0.99, "shield", "list", keep=True)]


def test_special_detectors_cut_false_alarms_and_can_be_left_out() -> None:
    text = "We met Frank Graves today."
    shielded = Scrubber(detectors=(FULL_NAME, Shield()))
    assert names(text, shielded) == ["Frank"]
    assert ("Graves", "DISEASE") in list_texts(text, shielded.find_all(text))
    assert names(text, Scrubber(detectors=(FULL_NAME, Shield()), special=False)) == ["Frank Graves"]


@pytest.mark.parametrize("wrong", [{"threshold": 7}, {"language": "xx"}])
def test_a_wrong_parameter_is_named(wrong: dict) -> None:
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        Scrubber(**wrong)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_taken_and_offsets_fit(text: str) -> None:
    findings = NAMES.find_all(text)
    assert all(0 <= f.start < f.end <= len(text) for f in findings)
    assert all(a.end <= b.start for a, b in pairwise(findings))


@pytest.mark.parametrize(
    "text", ["", "\n\n", "a" * 100_000, "\u202e\u05d0\u0301", "<b>x</b>", "\0"]
)
def test_odd_texts_have_no_findings(text: str) -> None:
    assert NAMES.find(text) == []


def test_nothing_touches_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    load_language.cache_clear()
    assert names("Dr. Zunk came.", Scrubber()) == ["Zunk"]


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"discreet\[text\]"):
        knowledge.lists()


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("May 1\n\nDear Dr. Lang:\n\nI feel better.", "letter"),
        ("a|b|c|d\n1|2|3|4\n5|6|7|8", "delimited"),
        ("pt seen\nbp ok\nplan: rest\nfollow up", "notes"),
        ("One long sentence after another, as in any book, and so on and on.", "text"),
    ],
)
def test_the_format_of_a_document(text: str, format: str) -> None:
    assert Page(text, load_language("en"), Blackboard()).format == format


def test_english_is_there() -> None:
    assert "en" in list_languages()


def test_a_name_told_of_a_person_is_found_until_it_is_forgotten() -> None:
    scrubber = Scrubber()
    text = "The notes of Rivulet were lost on the way."
    assert scrubber.find(text, "p1") == []
    scrubber.post("Rivulet", "p1")
    assert list_texts(text, scrubber.find(text, "p1")) == [("Rivulet", "NAME")]
    assert scrubber.find(text, "p2") == []
    scrubber.forget("p1")
    assert scrubber.find(text, "p1") == []
