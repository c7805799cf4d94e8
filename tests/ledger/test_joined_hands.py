"""Releases that a later membership puts into one hand."""

from __future__ import annotations

from discreet.ledger.audience import Audiences, find_joined_hands
from discreet.ledger.entry import Line, Membership, Withdrawal
from tests.ledger.entries import entry

TIME = "2026-11-16T00:00:00Z"


def _joined(lines: list[Line], name: str, *includes: str) -> list[tuple[str, tuple[int, ...]]]:
    after = Audiences.of(lines).include(name, includes)
    return [(hand.audience, hand.releases) for hand in find_joined_hands(lines, after)]


def test_two_releases_that_come_together_later_are_named() -> None:
    lines: list[Line] = [entry(1, "lab"), entry(2, "council")]
    assert _joined(lines, "council", "lab") == [("lab", (1, 2))]


def test_members_of_one_audience_do_not_hold_what_the_others_got() -> None:
    lines: list[Line] = [entry(1, "lab"), entry(2, "council")]
    assert _joined(lines, "health", "lab", "council") == []


def test_a_release_that_is_reached_through_several_audiences_is_named() -> None:
    lines: list[Line] = [
        entry(1, "lab"),
        entry(2, "health"),
        Membership(3, TIME, "health", ("council",)),
    ]
    assert _joined(lines, "council", "lab") == [("lab", (1, 2))]


def test_releases_that_were_checked_together_are_not_named() -> None:
    """The second was made for everybody, lab among them."""
    lines: list[Line] = [entry(1, "lab"), entry(2, "public"), entry(3, "council")]
    assert _joined(lines, "health", "lab") == []
    assert _joined(lines, "council", "lab") == [("lab", (1, 2, 3))]


def test_a_release_made_after_the_membership_was_checked() -> None:
    lines: list[Line] = [
        entry(1, "lab"),
        Membership(2, TIME, "council", ("lab",)),
        entry(3, "council"),
    ]
    assert _joined(lines, "health", "council") == []


def test_releases_that_were_withdrawn_or_are_of_another_table_do_not_count() -> None:
    gone: list[Line] = [entry(1, "lab"), entry(2, "council"), Withdrawal(3, TIME, 2)]
    assert _joined(gone, "council", "lab") == []
    other: list[Line] = [entry(1, "lab"), entry(2, "council", "other")]
    assert _joined(other, "council", "lab") == []


def test_the_warning_says_who_and_what() -> None:
    lines: list[Line] = [entry(1, "lab"), entry(2, "council")]
    (found,) = find_joined_hands(lines, Audiences({"council": ("lab",)}))
    assert str(found).startswith("lab now holds releases 1 and 2 of 'table', which were never")
    assert found.facts() == {"audience": "lab", "table": "table", "releases": [1, 2]}
