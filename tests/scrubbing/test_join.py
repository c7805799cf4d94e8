"""Halves of one thing become one finding."""

from __future__ import annotations

import re

import pytest

from discreet.scrubbing.finding import Finding
from discreet.scrubbing.machine import Scrubber, join, list_texts


def halves(text: str, left: str, right: str, *, kept: bool = False) -> list[tuple[int, int]]:
    """Join a finding of the first word and one of the last."""
    last = text.split()[-1].split("-")[-1]
    findings = [
        Finding(0, len(re.split("[-, ]", text)[0]), left, 0.8, "a", "x", keep=kept),
        Finding(len(text) - len(last), len(text), right, 0.9, "b", "y"),
    ]
    return [(f.start, f.end) for f in join(findings, text)]


@pytest.mark.parametrize(
    ("text", "left", "right", "found"),
    [
        ("Adeyemi-Cole", "NAME", "NAME", 1),
        ("Ann Lee", "NAME", "NAME", 1),
        ("Adeyemi-Cole", "NAME", "LOCATION", 1),
        ("Ann Boston", "NAME", "CITY", 2),
        ("Lee, Ann", "NAME", "NAME", 1),
        ("Boston, Salem", "CITY", "CITY", 2),
        ("Ann and Lee", "NAME", "NAME", 2),
        ("12 13", "DATE", "DATE", 2),
        ("AB 4711223", "ID", "ID", 1),
        ("4711223 5511992", "ID", "ID", 2),
    ],
)
def test_join(text: str, left: str, right: str, found: int) -> None:
    assert len(halves(text, left, right)) == found


def test_a_point_joins_after_an_initial_only() -> None:
    first = Finding(0, 1, "NAME", 0.8, "a", "x"), Finding(3, 6, "NAME", 0.9, "b", "y")
    assert len(join(first, "J. Lee")) == 1
    second = Finding(0, 3, "NAME", 0.8, "a", "x"), Finding(5, 8, "NAME", 0.9, "b", "y")
    assert len(join(second, "Ann. Lee")) == 2


def test_the_point_of_a_last_initial_belongs_to_the_name() -> None:
    found = [Finding(0, 5, "NAME", 0.8, "a", "x")]
    assert join(found, "Ann R. left")[0].end == 6
    assert join(found, "Annie. Left")[0].end == 5


def test_a_point_that_is_found_by_itself_is_left_to_that() -> None:
    found = [Finding(0, 5, "NAME", 0.8, "a", "x"), Finding(5, 8, "AMOUNT", 0.9, "b", "y")]
    assert [f.end for f in join(found, "Ann R.12")] == [5, 8]


def test_what_is_kept_is_joined_to_nothing() -> None:
    assert len(halves("Ann Lee", "NAME", "NAME", kept=True)) == 2


def test_initials_of_people_named_before() -> None:
    text = "Present: Hugh Ainsty (HA, chair), Mary Price (MP). 3. HA said that MP had left."
    found = list_texts(text, Scrubber().find(text))
    assert found.count(("HA", "NAME")) == 2
    assert found.count(("MP", "NAME")) == 2


def test_letters_in_parentheses_that_are_not_the_initials() -> None:
    text = "Hugh Ainsty (OT) came. OT went well."
    assert ("OT", "NAME") not in list_texts(text, Scrubber().find(text))
