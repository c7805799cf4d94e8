"""The page of a report: everything on it is a fact, and nothing in the facts can harm it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from discreet.models import ALL
from discreet.pipeline.description.facts import Facts
from discreet.reporting.numbers import format_count, format_number, format_share
from discreet.reporting.page import SECTIONS, find_model_doc, render_page
from tests.reporting.example_facts import HARMFUL, make_facts, make_poor_facts

DOCS = Path(__file__).parents[2]


class Page(HTMLParser):
    """What a page says: its text but for styles, facts and the marks of axes; its tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.facts = ""
        self._within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        self._within = "tick" if "tick" in found.get("class", "") else tag

    def handle_data(self, data: str) -> None:
        if self._within == "script":
            self.facts += data
        elif self._within not in ("style", "tick"):
            self.said.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._within = ""


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(render_page(make_facts()))


def test_every_number_on_the_page_is_a_fact(page: Page) -> None:
    facts = make_facts()
    known = {number for text in write_facts(facts) for number in find_numbers(text)}
    known |= {"29", "216", "20889", "27559", "256"}  # standards and opinions by name
    known |= {"0", "1", "100"}  # the ends of scales, in words
    said = (re.sub(r"docs/\S+", "", text) for text in page.said)
    strange = {n for text in said for n in find_numbers(text)} - known
    assert not strange


def find_numbers(text: str) -> list[str]:
    return re.findall(r"\d[\d,]*(?:\.\d+)?", text)


def write_facts(facts: Facts) -> Iterator[str]:
    """Every fact as it may be written, and the shares and differences that follow from facts."""
    yield from write_values(facts.model_dump())
    yield format_count(sum(one.released for one in facts.columns))
    for classes in filter(None, (facts.classes_before, facts.classes_after)):
        yield from (format_share(one.rows / classes.rows) for one in classes.bins)
    for column in facts.columns:
        for key in ("before", "after"):
            counts = [getattr(one, key) for one in column.values]
            yield from (format_share(n / sum(counts)) for n in counts)
            together = sum(counts) - sum(
                n for one, n in list(zip(column.values, counts, strict=True))[:11] if one.label
            )
            yield from (format_count(together), format_share(together / sum(counts)))
        yield from (format_share(one.suppressed / one.rows) for one in column.suppression)
        yield from (f"level {(column.height or 0) - n}" for n in range(len(column.hierarchy)))
    yield from (f"{(one.after or 0) - (one.before or 0):.2f}" for one in facts.dependence)


def write_values(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield str(key)
            yield from write_values(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from write_values(one)
    elif isinstance(value, float):
        yield from (format_share(value), format_number(value), f"{value:.2f}")
    elif isinstance(value, int):
        yield format_count(value)
    elif isinstance(value, str):
        yield value


def test_labels_of_the_data_are_text_and_nothing_else(page: Page) -> None:
    scripts = [attrs for tag, attrs in page.tags if tag == "script"]
    assert scripts == [{"type": "application/json", "id": "facts"}]
    assert any(HARMFUL in text for text in page.said)
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)


def test_the_facts_are_inside_as_they_are(page: Page) -> None:
    assert Facts.model_validate(json.loads(page.facts)) == make_facts()
    assert "<" not in page.facts


def test_nothing_is_fetched_and_no_style_but_ours_applies(page: Page) -> None:
    wanted = {"src", "srcset", "data", "action", "style", "xlink:href", "ping", "background"}
    assert not [attrs for _, attrs in page.tags if wanted & attrs.keys()]
    assert all(
        attrs["href"].startswith("#") for _, attrs in page.tags if attrs.get("href") is not None
    )
    (policy,) = (a["content"] for _, a in page.tags if "http-equiv" in a)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_the_same_facts_give_the_same_bytes() -> None:
    assert render_page(make_facts()) == render_page(make_facts())


def test_a_report_of_30_columns_is_under_a_megabyte() -> None:
    assert len(render_page(make_facts(30)).encode()) < 1_000_000


def test_what_is_missing_is_said_in_each_section() -> None:
    text = render_page(make_poor_facts())
    for said in (
        *("The size of the private table is left out", "The risk before is left out"),
        *("The facts of the run were not given", "No attack was tried", "No ledger was given"),
        *("No other algorithm was compared", "The policy says nothing about purpose"),
    ):
        assert said.lower() in text.lower(), said


def test_a_policy_that_fails_is_said_first_and_in_words() -> None:
    text = render_page(make_facts(holds=False))
    assert "do not release this file" in text
    assert "Every promise of the policy holds" not in text


def test_headings_are_in_order_and_ids_are_unique(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {key for key, _ in SECTIONS} <= set(ids)


def test_every_page_of_the_docs_that_is_named_exists(page: Page) -> None:
    named = {name for text in page.said for name in re.findall(r"docs/[\w/-]+\.md", text)}
    named |= {find_model_doc(model.name) for model in ALL}
    assert len(named) > 20
    assert [name for name in sorted(named) if not (DOCS / name).is_file()] == []
