"""Hierarchies and promises in a browser: by keyboard alone, by mouse, focus kept, accessible."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.browsing import SCHEMES, Served, begin, find_violations


@pytest.fixture
def place(page: Page, served: Served) -> str:
    """The address of a workspace of its own."""
    begin(page, served)
    return page.url.rpartition("/")[0]


def test_categories_are_grouped_by_keyboard_and_by_mouse(page: Page, place: str) -> None:
    page.goto(f"{place}/roles")
    page.check("#role-5-quasi", force=True)
    expect(page.locator("#risk .by")).to_contain_text("disease")
    page.goto(f"{place}/hierarchies?column=disease")
    page.focus("#kind-tree > summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("#group-name")).to_be_focused()
    for key in ("Tab", "Tab", "Space", "Tab", "Space"):
        page.keyboard.press(key)
    page.focus("#group-name")
    page.keyboard.type("cold")
    page.keyboard.press("Enter")
    expect(page.locator("#policy-text .changed")).to_contain_text("{cold: [cough, flu]}, gout")
    expect(page.locator("#group-name")).to_be_focused()
    expect(page.locator("#group-name")).to_have_value("")
    expect(page.locator(".tree input:checked")).to_have_count(0)
    page.click("label:has-text('gout')")
    page.fill("#group-name", "pain")
    page.click("#group-make")
    expect(page.locator("#policy-text .changed")).to_contain_text("pain: [gout]")
    expect(page.locator(".picture .chart")).to_contain_text("cold")
    assert find_violations(page) == []
    page.click("#apart-0")
    expect(page.locator("#policy-text .changed")).to_contain_text("[cough, flu, {pain: [gout]}]")
    assert page.errors == []  # type: ignore[attr-defined]


def test_another_column_is_chosen_without_losing_the_focus(page: Page, place: str) -> None:
    page.goto(f"{place}/hierarchies")
    page.focus("#pick-2")
    page.keyboard.press("Enter")
    expect(page.locator("#hierarchy-name")).to_have_text("zip")
    expect(page.locator("#pick-2")).to_be_focused()
    page.fill("#prefix-main", "3")
    page.keyboard.press("Enter")
    expect(page.locator("#policy-text .changed")).to_contain_text("{prefix: [3]}")
    expect(page.locator("#prefix-main")).to_be_focused()


def test_a_number_in_a_sentence_is_one_step_to_undo(page: Page, place: str) -> None:
    page.goto(f"{place}/promises")
    page.click("#promise-0 .more > summary")
    page.fill("#promise-0-k", "7")
    page.keyboard.press("Enter")
    expect(page.locator("#policy-text .changed")).to_contain_text("k: 7")
    expect(page.locator("#promise-0-k")).to_be_focused()
    expect(page.locator("#promise-0-more")).to_have_attribute("open", "")
    page.click("#undo")
    expect(page.locator("#promise-0-k")).to_have_value("3")
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    page.fill("#promise-0-k", "0")
    page.keyboard.press("Tab")
    expect(page.locator("#promise-0 .fault")).to_contain_text("There is 0")
    expect(page.locator("#policy-text")).to_contain_text("k: 3")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_costs_are_shown_accessibly_and_fit_a_narrow_page(
    page: Page, place: str, scheme: str
) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"{place}/promises")
    page.click("#costs-go")
    expect(page.locator("table.costs tbody tr")).to_have_count(7)
    assert find_violations(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.click("#cost-5")
    expect(page.locator("#policy-text .changed")).to_contain_text("k: 5")
    assert page.errors == []  # type: ignore[attr-defined]
