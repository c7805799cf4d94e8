"""What the screen Explore shows and does: a map, a list, pins, and levels put into the policy."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from discreet.web.app import App
from discreet.web.screens.explore import MOST_PINS, read_node, write_node
from tests.web.client import POLICY, Client
from tests.web.test_pages import read_policy


@pytest.fixture
def place(client: Client, table: Path, policy: Path) -> str:
    """A workspace with the small table and its policy, in which the best levels are known."""
    policy.write_text(POLICY.replace("k: 3", "k: 5"))
    found = client.begin()
    client.submit(f"{found}/open/path", path=str(table), policy=str(policy))
    client.submit(f"{found}/explore/search")
    return found


def find_cells(page: str) -> list[str]:
    """What each cell of the map says."""
    return re.findall(r'id="cell-\d+-\d+" aria-label="([^"]+)"', page)


def test_the_map_is_drawn_once_the_best_levels_are_known(client: Client, table: Path) -> None:
    place = client.begin()
    client.submit(f"{place}/open/path", path=str(table))
    assert "First, find the best levels" in client.visit(f"{place}/explore").text
    client.submit(f"{place}/explore/search")
    cells = find_cells(client.visit(f"{place}/explore").text)
    assert sum("(the best)" in one for one in cells) == 1


def test_every_cell_says_whether_it_is_allowed_and_what_it_leaves_out(
    client: Client, place: str
) -> None:
    page = client.visit(f"{place}/explore").text
    cells = find_cells(page)
    heights = [page.count(f'id="cell-{level}-0"') for level in range(10)]
    assert len(cells) == sum(heights) * 3  # levels of age by the three of zip
    assert all("rows" in one and "left out" in one for one in cells)
    assert page.count("✕ not allowed</a>") == sum(one.startswith("not allowed") for one in cells)


def test_a_node_is_looked_at_by_its_address_and_stays_after_a_reload(
    client: Client, place: str
) -> None:
    part = client.visit(f"{place}/explore/view?node=1-2").text
    assert part.startswith('<div id="explore">')
    assert "Levels <code>1-2</code>" in part
    assert "Levels <code>1-2</code>" in client.visit(f"{place}/explore").text
    for odd in ("x", "1", "1-2-3", "-1-2", "99-99", ""):
        assert client.visit(f"{place}/explore?node={odd}").status_code == 200


def test_axes_are_chosen_and_one_column_alone_can_be_one(client: Client, place: str) -> None:
    page = client.visit(f"{place}/explore?a=zip&b=age").text
    assert '<th scope="col">zip ↓</th>' in page
    assert '<th scope="col">zip ↓</th>' in client.visit(f"{place}/explore?a=zip&b=zip").text


def test_filters_limit_the_list(client: Client, place: str) -> None:
    every = client.visit(f"{place}/explore").text
    some = client.visit(f"{place}/explore?filter=1&at_least-zip=2&suppressed=0").text
    assert 0 < some.count('id="near-') < every.count('id="near-')
    assert "Filter (on)" in some
    none = client.visit(f"{place}/explore?filter=1&at_most-zip=0&at_most-age=0").text
    assert "No allowed choice passes the filter" in none
    assert "Filter (on)" not in client.visit(f"{place}/explore?filter=1").text


def test_up_to_six_nodes_are_pinned_and_compared(client: Client, place: str) -> None:
    for level in range(3):
        for more in (1, 2):
            client.submit(f"{place}/explore/pin", node=f"{level}-{more}")
    client.submit(f"{place}/explore/pin", node="0-1")  # a second time changes nothing
    page = client.visit(f"{place}/explore").text
    assert f"{MOST_PINS} pinned choices side by side" in page
    answer = client.submit(f"{place}/explore/pin", node="3-1")
    assert answer.status_code == 422
    assert "6 nodes are pinned already" in answer.text
    client.submit(f"{place}/explore/unpin", node="0-1")
    assert "5 pinned choices side by side" in client.visit(f"{place}/explore").text


def test_using_a_node_fixes_its_levels_and_undo_takes_them_out(client: Client, place: str) -> None:
    client.submit(f"{place}/explore/use", node="3-2")
    page = client.visit(f"{place}/explore").text
    assert yaml.safe_load(read_policy(page))["algorithm"] == {
        "fixed": {"levels": {"age": 3, "zip": 2}}
    }
    assert 'id="cell-0-0"' in page  # the map is still there: nothing has to be searched again
    client.submit(f"{place}/explore/undo")
    assert "algorithm" not in yaml.safe_load(read_policy(client.visit(f"{place}/explore").text))


def test_pins_of_columns_that_are_quasi_no_more_are_left_out(client: Client, place: str) -> None:
    client.submit(f"{place}/explore/pin", node="3-2")
    text = POLICY.replace("zip: {role: quasi, hierarchy: {prefix: [4, 3]}}", "zip: {role: other}")
    client.submit(f"{place}/policy/apply", text=text)
    client.submit(f"{place}/explore/search")
    page = client.visit(f"{place}/explore").text
    assert 'id="node"' in page
    assert 'id="pins"' not in page


def test_levels_are_written_for_addresses_and_read_back(place: str, app: App) -> None:
    (workspace,) = app.desk
    levels = {"age": 2, "zip": 1}
    assert read_node(workspace, write_node(levels)) == levels
    assert write_node(levels, "zip", 3) == "2-3"
    assert read_node(workspace, "2") is None
