"""Places and organizations: in context, in doubt, and what is kept."""

from __future__ import annotations

import pytest

from discreet.scrubbing.blackboard import Blackboard
from discreet.scrubbing.detectors.delimited_format import DELIMITED_FORMAT, find_delimiter
from discreet.scrubbing.finding import Finding
from discreet.scrubbing.languages.load import load_language
from discreet.scrubbing.machine import Scrubber, list_texts
from discreet.scrubbing.page import Page


def found(text: str) -> list[tuple[str, str]]:
    return list_texts(text, Scrubber().find(text))


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("Virginia came. She grew up in Virginia.", ("Virginia", "STATE")),
        ("Paris Hilton was in Paris.", ("Paris", "CITY")),
        ("They drove from Jordan to Egypt.", ("Jordan", "COUNTRY")),
        ("He was born in Reading, Pennsylvania.", ("Reading", "CITY")),
        ("She moved to Mobile, AL 36601 then.", ("Mobile", "CITY")),
        ("diagnosed by Dr. Frank at Brigham's.", ("Brigham's", "ORGANIZATION")),
        ("contact Mrs. Hodgkins at Marina Corp 473-1214", ("Marina Corp", "ORGANIZATION")),
        (
            "She will start competing again with the U. S. Junior Gymnastics team.",
            ("U. S. Junior Gymnastics team", "TEAM"),
        ),
    ],
)
def test_context_tells_places_and_organizations(text: str, finding: tuple[str, str]) -> None:
    assert finding in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Reading is Nice and Orange juice in a Mobile home is too.",
        "He has Parkinson's disease, Crohn's and a Foley catheter; Apgar score 9.",
        "Transferred to the Cardiology Unit, then to the Emergency Department.",
        "Start Lisinopril and Lily Human Insulin; stop St. John's wort.",
        "The Random Forest and the Support Vector Machine are popular. Open the Settings Menu.",
        "Will you come? Mark the date.",
    ],
)
def test_words_that_only_look_like_places_or_names_are_left(text: str) -> None:
    assert found(text) == []


def test_special_detectors_are_what_keeps_drugs_and_diseases() -> None:
    text = "She is on Lily Human Insulin for her Hashimoto's thyroiditis."
    assert list_texts(text, Scrubber().find(text)) == []
    assert list_texts(text, Scrubber(special=False).find(text)) != []


@pytest.mark.parametrize("case", [str.upper, str.lower])
def test_an_address_is_found_in_any_case(case: object) -> None:
    assert callable(case)
    text = case("the family lives at 43 prospect terrace, hartford, ct 06116 now and is well.")
    parts = [case(part) for part in ("43 prospect terrace", "hartford", "ct", "06116")]
    assert set(parts) <= {text for text, _ in found(text)}


def test_a_column_mostly_of_towns_is_of_towns() -> None:
    text = "1^Wigan^3\n2^Chicago^4\n3^Zzyx^5\n4^Boston^6\n5^Toledo^8\n"
    assert "Zzyx" in dict(found(text))


def test_of_kinds_as_frequent_in_a_column_the_first_is_taken() -> None:
    text = "1,ABCDEFGH,3\n2,ABCDEFGH,4\n3,Zzyx,5\n"
    page = Page(text, load_language("en"), Blackboard())
    page.turn = 2
    page.found = [
        Finding(row + place, row + place + 1, kind, 0.9, "x", "y")
        for row in (2, 15)
        for place, kind in enumerate(("TEAM", "NAME", "CITY", "DATE", "AGE", "ZIP", "ID", "IP"))
    ]
    assert [f.kind for f in DELIMITED_FORMAT.find(page)] == ["TEAM"]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("a,b,c\n1,2,3\n4,5,6\n", ","),
        ("a|b|c\n1|2|3\n4|5, x|6\n", "|"),
        ("Dear all,\n\nwe came, saw, and left.\nYours\n", ""),
        ("She came, saw, and left. Then, he.\n" * 4, ""),
        ("", ""),
        ("a,b,c", ""),
    ],
)
def test_delimited_text_is_told_from_prose(text: str, mark: str) -> None:
    assert find_delimiter(text) == mark
