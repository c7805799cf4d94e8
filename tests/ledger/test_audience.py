"""Who holds which releases."""

from __future__ import annotations

import pytest

from discreet.errors import ArgumentError, LedgerError
from discreet.ledger.audience import (
    Audiences,
    choose_audience,
    list_held,
    list_held_by,
    normalize_audience,
)
from discreet.ledger.entry import Entry
from discreet.policy.profiles import Recipient
from tests.ledger.entries import entry

TO = ("public", "council", "lab")
RELEASES = tuple(entry(number, to) for number, to in enumerate(TO, start=1))


def _numbers(to: str) -> set[tuple[int, ...]]:
    return {tuple(one.number for one in held) for held in list_held_by(RELEASES, to)}


def test_case_and_spacing_of_a_name_do_not_count() -> None:
    assert normalize_audience(" Public ") == "public"


def test_one_name_in_two_writings_of_its_accent_is_one_audience() -> None:
    written, typed = "Jose\N{COMBINING ACUTE ACCENT}", "jos\N{LATIN SMALL LETTER E WITH ACUTE}"
    assert normalize_audience(written) == typed
    assert len(list_held([entry(1, written.lower())], typed, Audiences())) == 1


@pytest.mark.parametrize("name", ["", "  ", "a\x07b"])
def test_an_audience_needs_a_name(name: str) -> None:
    with pytest.raises(ArgumentError, match="to: "):
        normalize_audience(name)


def test_a_name_holds_what_it_got_and_what_everybody_has() -> None:
    assert _numbers("council") == {(1, 2)}
    assert _numbers("newspaper") == {(1,)}


def test_a_public_release_reaches_every_earlier_audience_with_what_it_holds() -> None:
    assert _numbers("public") == {(1,), (1, 2), (1, 3)}


def test_without_releases_nobody_holds_anything() -> None:
    assert list_held_by((), "public") == ()


# --- audiences that include others ----------------------------------------------------------------

HEALTH = Audiences().include("health", ["council", "registry"]).include("registry", ["lab"])


def _reach(to: str, releases: tuple[Entry, ...] = RELEASES) -> set[tuple[int, ...]]:
    return {tuple(one.number for one in hand) for hand in list_held_by(releases, to, HEALTH)}


def test_who_is_part_of_a_part_is_part_of_the_whole() -> None:
    assert HEALTH.members("health") == {"council", "registry", "lab"}
    assert HEALTH.list_including("lab") == {"health", "registry"}
    assert HEALTH.members("lab") == frozenset()


def test_a_release_to_an_audience_is_held_by_everybody_in_it() -> None:
    releases = (*RELEASES, entry(4, "health"))
    assert _reach("lab", releases) == {(1, 3, 4)}
    assert _reach("newspaper", releases) == {(1,)}


def test_a_new_release_to_an_audience_reaches_each_of_its_members() -> None:
    assert _reach("health") == {(1,), (1, 2), (1, 3)}
    assert _reach("registry") == {(1,), (1, 3)}


def test_what_a_member_got_is_not_held_by_the_audience() -> None:
    assert list_held(RELEASES, "health", HEALTH) == RELEASES[:1]


def test_a_public_release_reaches_members_who_never_got_one_by_name() -> None:
    releases = (entry(1, "health"), entry(2, "council"))
    assert {(1,), (1, 2)} <= _reach("public", releases)


@pytest.mark.parametrize(
    ("name", "includes"),
    [
        ("lab", ["health"]),
        ("lab", ["registry"]),
        ("lab", ["lab"]),
        ("public", ["lab"]),
        ("lab", ["public"]),
    ],
)
def test_nobody_is_part_of_himself_and_nobody_includes_everybody(
    name: str, includes: list[str]
) -> None:
    with pytest.raises(LedgerError, match=name):
        HEALTH.include(name, includes)


def test_what_is_said_twice_changes_nothing() -> None:
    assert HEALTH.include("health", ["council"]) is HEALTH
    assert HEALTH.new("health", ["council", "press", "press"]) == ("press",)


@pytest.mark.parametrize(
    ("own", "to", "reader"),
    [(None, "Lab", "lab"), ("Lab", None, "lab"), ("Lab ", "lab", "lab")],
)
def test_who_gets_a_release_is_said_once_or_twice_alike(
    own: str | None, to: str | None, reader: str
) -> None:
    assert choose_audience(Recipient("r", audience=own), to) == reader


@pytest.mark.parametrize(("own", "to"), [(None, None), ("lab", "council")])
def test_who_gets_a_release_must_be_said_and_without_contradiction(
    own: str | None, to: str | None
) -> None:
    refusal = r"recipient is missing|'r' is for lab, not for council"
    with pytest.raises(ArgumentError, match=refusal):
        choose_audience(Recipient("r", audience=own), to)
