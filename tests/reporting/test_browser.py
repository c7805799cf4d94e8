"""The page as a browser shows it: accessible, light and dark, narrow and on paper, silent.

One Chromium serves all tests. Without one they fail, and say how to get it.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from discreet.errors import WriteError
from discreet.reporting.browser import Browser, find_browser, print_pdf
from discreet.reporting.page import render_page
from tests.reporting.example_facts import make_facts, make_poor_facts

AXE = Path(__file__).with_name("axe") / "axe.min.js"
AXE_SHA256 = "20c09fe157a8a34a30e241aaa1fcdade657734f08ab379ecfbeb7d45cc46e878"
"""axe-core 4.14.0 as its package has it (Mozilla Public License 2.0)."""

RULES = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser(find_browser()) as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The addresses of a report with everything in it and of one with next to nothing."""
    folder = tmp_path_factory.mktemp("pages")
    found = {}
    for name, facts in (("rich", make_facts()), ("poor", make_poor_facts())):
        path = folder / f"{name}.html"
        path.write_text(render_page(facts), encoding="utf-8")
        found[name] = path.as_uri()
    return found


def show(browser: Browser, address: str, width: int = 1000, scheme: str = "light") -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.call("Emulation.setEmulatedMedia", features=features)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.call("Emulation.setDeviceMetricsOverride", **size)
    browser.events.clear()
    browser.call("Page.navigate", url=address)
    while not any(one["method"] == "Page.loadEventFired" for one in browser.events):
        browser.call("Page.getFrameTree")


def run(browser: Browser, script: str) -> Any:
    found = browser.call(
        "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
    )
    assert "exceptionDetails" not in found, found
    return found["result"].get("value")


@pytest.mark.parametrize("name", ["rich", "poor"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_against_wcag_a_and_aa(
    browser: Browser, pages: dict[str, str], name: str, scheme: str
) -> None:
    assert hashlib.sha256(AXE.read_bytes()).hexdigest() == AXE_SHA256
    show(browser, pages[name], scheme=scheme)
    run(browser, "document.querySelectorAll('details').forEach(one => one.open = true)")
    run(browser, AXE.read_text(encoding="utf-8") + ";0")
    found = run(browser, f"axe.run(document, {RULES}).then(r => JSON.parse(JSON.stringify(r)))")
    told = [(one["id"], one["nodes"][0]["html"][:200]) for one in found["violations"]]
    assert told == []
    assert len(found["passes"]) > 20


def test_dark_is_dark_and_light_is_light(browser: Browser, pages: dict[str, str]) -> None:
    grey = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    for scheme, dark in (("light", False), ("dark", True)):
        show(browser, pages["rich"], scheme=scheme)
        assert (sum(run(browser, grey)) < 300) is dark
        mark = "getComputedStyle(document.querySelector('.chart text')).fill.match(/\\d+/g)"
        assert (sum(map(int, run(browser, mark))) > 450) is dark


def test_nothing_is_asked_of_the_network(
    browser: Browser, pages: dict[str, str], tmp_path: Path
) -> None:
    browser.call("Network.enable")
    show(browser, pages["rich"])
    assert list_requests(browser) == [pages["rich"]]
    careless = tmp_path / "careless.html"
    careless.write_text('<img src="http://127.0.0.1:9/x.png">')
    show(browser, careless.as_uri())
    assert list_requests(browser) == [careless.as_uri(), "http://127.0.0.1:9/x.png"]
    browser.call("Network.disable")


def list_requests(browser: Browser) -> list[str]:
    return [
        one["params"]["request"]["url"]
        for one in browser.events
        if one["method"] == "Network.requestWillBeSent"
    ]


@pytest.mark.parametrize("name", ["rich", "poor"])
def test_320_points_are_wide_enough(browser: Browser, pages: dict[str, str], name: str) -> None:
    show(browser, pages[name], width=320)
    run(browser, "document.querySelectorAll('details').forEach(one => one.open = true)")
    assert run(browser, "document.documentElement.scrollWidth") <= 320


def test_no_text_of_a_chart_is_cut_off(browser: Browser, pages: dict[str, str]) -> None:
    show(browser, pages["rich"])
    cut = """[...document.querySelectorAll('.chart')].flatMap(chart => {
        const box = chart.getBoundingClientRect();
        return [...chart.querySelectorAll('text')].filter(text => {
            const one = text.getBoundingClientRect();
            return one.left < box.left - 1 || one.right > box.right + 1
                || one.top < box.top - 2 || one.bottom > box.bottom + 2;
        }).map(text => text.textContent)})"""
    assert run(browser, cut) == []
    assert run(browser, "document.querySelectorAll('.chart text').length") > 300


def test_paper_gets_a_tagged_pdf_with_the_decision_on_one_page(
    browser: Browser, pages: dict[str, str]
) -> None:
    show(browser, pages["rich"], scheme="dark")
    found = PdfReader(io.BytesIO(browser.print()))
    assert found.trailer["/Root"]["/MarkInfo"]["/Marked"]
    first, second = (found.pages[place].extract_text() for place in (0, 1))
    assert "signature" in first
    assert "Purpose, recipient" not in first
    assert "Purpose, recipient" in second
    assert any("role: quasi" in one.extract_text() for one in found.pages)  # what was folded


def test_without_a_browser_the_way_to_a_pdf_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(WriteError, match="apt install chromium"):
        print_pdf("")


def test_a_browser_that_ends_is_noticed() -> None:
    with (
        pytest.raises(WriteError, match="Chromium ended or does not answer"),
        Browser("/bin/true"),
    ):
        pass
