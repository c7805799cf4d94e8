"""What Compare and attack shows: releases side by side, a map, attacks, distributions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from discreet import algorithms as known
from discreet.web.screens.compare import ALGORITHMS, draw_map
from tests.web.client import Client


@pytest.fixture
def place(client: Client, table: Path, policy: Path) -> str:
    """A workspace with the small table and its policy."""
    found = client.begin()
    client.submit(f"{found}/open/path", path=str(table), policy=str(policy))
    return found


def read_text(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_every_algorithm_can_be_chosen() -> None:
    assert {*ALGORITHMS, "fixed"} == {one.name for one in known.ALL}


def test_releases_are_compared_attacked_and_shown_before_and_after(
    client: Client, place: str, tmp_path: Path
) -> None:
    files = sorted(tmp_path.iterdir())
    client.submit(f"{place}/explore/search")
    client.submit(f"{place}/explore/pin", node="3-2")
    client.submit(f"{place}/compare/run", algorithm="mondrian", pins="1")
    page = client.visit(f"{place}/compare").text
    told = read_text(page)
    assert "1 mondrian Before and after mondrian ✓ kept" in told
    assert "2 pinned 3-2 Before and after pinned 3-2 ✓ kept" in told
    assert len(re.findall(r'class="ru-(?:point|pin)"', page)) == 2
    assert "published counts" in told
    assert "linking with a register – does not apply" in told
    client.submit(f"{place}/compare/show", title="mondrian")
    told = read_text(client.visit(f"{place}/compare").text)
    assert "Before and after: mondrian" in told
    assert "gout 33 % 33 %" in told
    assert sorted(tmp_path.iterdir()) == files


def test_an_algorithm_that_cannot_keep_the_policy_is_told_with_the_reason(
    client: Client, place: str
) -> None:
    client.submit(f"{place}/compare/run", algorithm="k-similar")
    assert "1 could not keep the policy" in client.visit(f"{place}/compare").text


def test_nothing_chosen_and_odd_names_are_refused(client: Client, place: str) -> None:
    for fields in ({}, {"algorithm": "no-such"}, {"pins": "1"}):
        answer = client.submit(f"{place}/compare/run", **fields)
        assert answer.status_code == 422
        assert "none is chosen" in answer.text
    client.submit(f"{place}/compare/show", title="never made")
    assert "is not held any more" in client.visit(f"{place}/compare").text


def make_result(average: float | None, detail: float, algorithm: str = "local") -> dict[str, Any]:
    return {"average": average, "detail": detail, "algorithm": algorithm}


def test_points_of_the_map_lie_within_it_and_share_labels_where_they_meet() -> None:
    found = draw_map(
        [make_result(0.155, 0.95), make_result(0.008, 0.67), make_result(0.0081, 0.67, "fixed")]
    )
    assert found["ticks"] == pytest.approx([0, 0.05, 0.1, 0.15, 0.2])
    assert all(0 <= one["x"] <= 1 and 0 <= one["y"] <= 1 for one in found["points"])
    assert [one["numbers"] for one in found["points"] if not one["hidden"]] == [[1], [2, 3]]
    assert [one["pin"] for one in found["points"]] == [False, False, True]


@pytest.mark.parametrize("highest", [1.0, 0.5, 0.2, 0.1, 0.031, 0.0007, 0.99])
def test_a_map_has_few_ticks_that_cover_its_risks(highest: float) -> None:
    ticks = draw_map([make_result(highest, 0.5)])["ticks"]
    assert 3 <= len(ticks) <= 8
    assert ticks[-1] >= highest


def test_a_release_without_rows_has_no_place_on_the_map() -> None:
    assert draw_map([make_result(None, 0.0)])["points"] == []
