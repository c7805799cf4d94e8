"""Who holds which releases."""

from __future__ import annotations

import pytest

from discreet.errors import FlagError
from discreet.ledger.audience import audience, held_by
from tests.ledger.entries import entry

TO = ("public", "council", "lab")
RELEASES = tuple(entry(number, to) for number, to in enumerate(TO, start=1))


def _numbers(to: str) -> set[tuple[int, ...]]:
    return {tuple(one.number for one in held) for held in held_by(RELEASES, to)}


def test_case_and_spacing_of_a_name_do_not_count() -> None:
    assert audience(" Public ") == "public"


@pytest.mark.parametrize("name", ["", "  ", "a\x07b"])
def test_an_audience_needs_a_name(name: str) -> None:
    with pytest.raises(FlagError, match="--to"):
        audience(name)


def test_a_name_holds_what_it_got_and_what_everybody_has() -> None:
    assert _numbers("council") == {(1, 2)}
    assert _numbers("newspaper") == {(1,)}


def test_a_public_release_reaches_every_earlier_audience_with_what_it_holds() -> None:
    assert _numbers("public") == {(1,), (1, 2), (1, 3)}


def test_without_releases_nobody_holds_anything() -> None:
    assert held_by((), "public") == ()
