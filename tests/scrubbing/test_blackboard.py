"""What was found helps to find it again."""

from __future__ import annotations

import pytest

from discreet.scrubbing.blackboard import Blackboard
from discreet.scrubbing.templates.lexicon import Lexicon

WORDS = Lexicon({"ordinary": ["lung", "grave", "language"]})


def posted(*names: str) -> Blackboard:
    board = Blackboard()
    for name in names:
        board.post(name, "posted_name")
    return board


@pytest.mark.parametrize(
    ("name", "other", "alike"),
    [
        ("Lange", "Lang", True),  # one letter left out
        ("Townsend", "Townsned", True),  # two letters swapped
        ("Hodgkins", "Hodkinz", True),  # two mistakes in a long name
        ("Graves", "Greaves", True),
        ("Ann", "Anna", False),  # too short
        ("Graves", "Grovel", False),
        ("Lung", "Lung", False),  # posted itself, not alike
    ],
)
def test_names_with_few_mistakes_are_alike(name: str, other: str, alike: bool) -> None:
    assert posted(name).is_like(other.lower()) == alike


def test_ordinary_words_are_no_misspelt_names() -> None:
    overlay = posted("Long").overlay({"Lung", "Lang"}, WORDS)
    assert overlay == {"Lang": WORDS.bit("posted_like")}


def test_posted_words_are_known_in_any_case() -> None:
    overlay = posted("Graves").overlay({"GRAVES", "graves ", "Grave"}, WORDS)
    assert set(overlay) == {"GRAVES", "graves "}


def test_a_board_sees_the_boards_under_it_and_not_the_other_way() -> None:
    below = posted("Graves")
    above = Blackboard(below)
    above.post("Marina", "posted_org")
    assert above.roles("graves") == {"posted_name"} and above.is_like("grave")
    assert above.roles("marina") == {"posted_org"} and not below.roles("marina")
    assert above and below and not Blackboard()
