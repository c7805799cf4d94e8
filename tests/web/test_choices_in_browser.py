"""Search, Explore, Compare and attack in a browser: cancelled at once, by keys, accessible."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browsing import PATIENCE, SCHEMES, Served, find_violations

SCREENS = ("search", "explore", "compare")


@pytest.fixture(scope="module")
def chosen(browser: Browser, served: Served) -> str:
    """The address of a workspace where each of these screens has something to show."""
    found = browser.new_page(locale="en-GB")
    found.set_default_timeout(PATIENCE)
    found.goto(served.address)
    found.wait_for_selector("#rows")
    place = found.url.rpartition("/")[0]
    found.goto(f"{place}/search")
    found.click("#search-run")
    found.click("#search-advise")
    found.wait_for_selector("#advice :is(.suggestions, p:has-text('No change was found'))")
    found.goto(f"{place}/explore?node=1-1")
    found.click("#pin-here")
    found.wait_for_selector("#pins")
    found.goto(f"{place}/compare")
    found.click("#compare-run")
    found.click("#show-1")
    found.wait_for_selector("#before-after")
    found.close()
    return place


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_nothing_on_screens_that_have_results(
    page: Page,
    chosen: str,
    name: str,
    scheme: str,
) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"{chosen}/{name}")
    page.wait_for_selector("#search-result, #node, #before-after")
    assert find_violations(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.errors == []  # type: ignore[attr-defined]


def test_cells_of_the_map_are_reached_by_keys_and_keep_the_focus(
    page: Page,
    chosen: str,
) -> None:
    page.goto(f"{chosen}/explore?node=0-0")
    page.focus("#cell-0-0")
    page.keyboard.press("Tab")
    expect(page.locator("#cell-0-1")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#node-title")).to_contain_text("0-1")
    expect(page.locator("#cell-0-1")).to_be_focused()
    page.click("#node-more summary")
    page.focus("#coarser-1")
    page.keyboard.press("Enter")
    expect(page.locator("#node-title")).to_contain_text("1-1")
    expect(page.locator("#coarser-1")).to_be_focused()
    expect(page.locator("#node-more .figures")).to_be_visible()
    page.select_option("#axis-a", "zip")
    expect(page.locator(".heat")).to_contain_text("zip ↓")
    assert page.errors == []  # type: ignore[attr-defined]


def test_a_search_is_cancelled_within_a_second_and_nothing_is_written(
    browser: Browser,
    tmp_path: Path,
) -> None:
    draw = random.Random(3)
    private, temporary = tmp_path / "private", tmp_path / "temporary"
    private.mkdir()
    temporary.mkdir()
    rows = [",".join(str(draw.randrange(32)) for _ in "abcdefgh") for _ in range(4000)]
    (private / "table.csv").write_text("\n".join(["a,b,c,d,e,f,g,h", *rows]) + "\n")
    columns = "".join(
        f"  {name}: {{role: quasi, hierarchy: {{intervals: [2, 4, 8, 16]}}}}\n"
        for name in "abcdefgh"
    )
    text = (
        f"columns:\n{columns}require:\n  - k_anonymity: {{k: 2}}\nsuppress: 0.3\nalgorithm: spalm\n"
    )
    (private / "policy.yaml").write_text(text)
    served = Served(
        *(str(private / "table.csv"), "--policy", str(private / "policy.yaml")),
        temporary=temporary,
    )
    before = sorted(tmp_path.rglob("*"))
    page = browser.new_page(locale="en-GB")
    page.set_default_timeout(PATIENCE)
    page.goto(served.address)
    page.wait_for_selector("#rows")
    page.goto(page.url.replace("/open", "/search"))
    page.click("#search-run")
    expect(page.locator(".phases .now")).to_contain_text("searching")
    started = time.monotonic()
    page.click("#job button")
    page.wait_for_selector("text=Nothing was written.")
    assert time.monotonic() - started < 1.0
    assert page.locator("#search-result").count() == 0
    assert sorted(tmp_path.rglob("*")) == before
    page.close()
    assert served.end() == (0, "")
