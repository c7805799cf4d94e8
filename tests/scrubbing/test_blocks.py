"""Blocks of several lines find what single detectors miss: the street in figure 107's letter."""

from __future__ import annotations

import pytest

from discreet.scrubbing.detectors import ALL
from discreet.scrubbing.finding import BLOCK, LABEL
from discreet.scrubbing.machine import Scrubber, list_texts

HEADING = """Wednesday, February 2, 1994

Marjorie Long, M.D.                RE: Virginia Townsend
St. John's Hospital                CH#32-841-09787
Huntington 18                      DOB 05/26/86
Boston, MA 02151

Dear Dr. Lang:
"""


def without(*names: str) -> Scrubber:
    return Scrubber(detectors=tuple(d for d in ALL if d.name not in names))


def test_a_line_of_a_mailing_label_is_found_by_its_neighbours() -> None:
    assert ("Huntington 18", "STREET") in list_texts(HEADING, Scrubber().find(HEADING))
    alone = without("mailing_label").find(HEADING)
    assert ("Huntington 18", "STREET") not in list_texts(HEADING, alone)


def test_parts_of_a_label_keep_their_kinds_and_get_its_precedence() -> None:
    found = {HEADING[f.start : f.end]: f for f in Scrubber().find(HEADING)}
    kinds = {text: found[text].kind for text in ("Marjorie Long", "Boston", "MA", "02151")}
    assert kinds == {"Marjorie Long": "NAME", "Boston": "CITY", "MA": "STATE", "02151": "ZIP"}
    assert {found[text].precedence for text in kinds} <= {BLOCK, LABEL}


def test_the_columns_of_a_heading_are_read_apart() -> None:
    found = list_texts(HEADING, Scrubber().find(HEADING))
    assert ("Virginia Townsend", "NAME") in found
    assert not any("Huntington 18 " in text for text, _ in found)


def test_a_sentence_over_a_town_is_no_line_of_a_label() -> None:
    text = "We went home after a long day.\nBoston, MA 02151\n"
    assert [t for t, _ in list_texts(text, Scrubber().find(text))] == ["Boston", "MA", "02151"]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Send it to 12 Main St, Roslin Row, Boston, MA 02139.", "Roslin Row"),
        ("I live at 1 Gale Road, Peabon.", "Peabon"),
        ("He is at Taunusanlage 12, Frankfurt.", "Frankfurt"),
    ],
)
def test_what_stands_by_a_street_is_part_of_the_address(text: str, part: str) -> None:
    assert any(part in found for found, _ in list_texts(text, Scrubber().find(text)))


def test_the_sentence_after_a_street_is_no_town() -> None:
    text = "She lives at 12 Main Street. The house is old, Monday it rained."
    assert ("12 Main Street", "STREET") in list_texts(text, Scrubber().find(text))
    assert not any("house" in found for found, _ in list_texts(text, Scrubber().find(text)))


def test_a_number_in_an_identification_block_is_the_persons() -> None:
    text = "Name: Ada Okonkwo\nAddress: 5 Gale Street, Peabon\nZorb no: QX-99213\n"
    assert "QX-99213" in [found for found, _ in list_texts(text, Scrubber().find(text))]


def test_a_number_with_the_same_label_alone_is_left() -> None:
    text = "The zorb no: 99213 of them were blue\n"
    found = [f for f in Scrubber().find(text) if f.detector == "identification_block"]
    assert found == []


@pytest.mark.parametrize(
    "address",
    [
        "9120 Lehola 8 Apt. 3 Pihlaka, Estonia 62488",
        "77 Rue du Verger 14 Suite 20  Sauvelle  France",
        "640 Brekkutun 7 Apt. 12 Hjallavik, Norway",
    ],
)
def test_an_address_up_to_its_country_is_found_as_one(address: str) -> None:
    text = f"Please send it to {address} today."
    assert (address, "ADDRESS") in list_texts(text, Scrubber().find(text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("She is at Flat C, 14/F, Lok Ming Mansion, 88 Gale Street, Peabon.", "Flat C, 14/F"),
        ("Post it to 3rd Floor, 221 Gale Street, Peabon.", "3rd Floor"),
        ("It is for Plot 17 Gale Street, Peabon.", "Plot 17"),
        ("We met at Gale Ave. 240, block B.", "240, block B"),
        ("He lives at 12 Gale Drive #04-33, 506856.", "506856"),
    ],
)
def test_flats_and_codes_by_a_street_belong_to_it(text: str, found: str) -> None:
    assert any(found in part for part, _ in list_texts(text, Scrubber().find(text)))


def test_an_organization_grows_over_the_words_beside_it() -> None:
    text = "The bill came from Zorbeth Auto Body and from Quillan Tools of Peabon."
    found = list_texts(text, Scrubber().find(text))
    assert ("Zorbeth Auto Body", "ORGANIZATION") in found
    assert ("Quillan Tools of Peabon", "ORGANIZATION") in found


def test_a_department_under_a_signature_is_no_organization() -> None:
    text = "Yours sincerely,\nAda Okonkwo\nMember Services\n"
    assert not any(kind == "ORGANIZATION" for _, kind in list_texts(text, Scrubber().find(text)))
