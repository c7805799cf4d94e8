"""Citations lead to an entry of references.bib, and every entry is cited."""

from __future__ import annotations

import re

from tests.docs.page import PAGES, ROOT

BIB = (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
KEYS = re.findall(r"^@\w+\{(\w+),", BIB, flags=re.MULTILINE)
CODE_CITATION = re.compile(r"\[([A-Z]\w+\d{4}[a-z]?)\]_")
PAGE_CITATION = re.compile(r"\[@([A-Z]\w+\d{4}[a-z]?)")


def _cited_in_code() -> set[str]:
    files = (ROOT / "src").rglob("*.py")
    return {key for file in files for key in CODE_CITATION.findall(file.read_text("utf-8"))}


def _cited_in_pages() -> set[str]:
    return {key for page in PAGES for key in PAGE_CITATION.findall(page.read_text("utf-8"))}


def test_every_citation_has_an_entry() -> None:
    assert (_cited_in_code() | _cited_in_pages()) - set(KEYS) == set()


def test_every_entry_is_cited() -> None:
    assert set(KEYS) - (_cited_in_code() | _cited_in_pages()) == set()


def test_no_entry_is_given_twice() -> None:
    assert len(KEYS) == len(set(KEYS))


def test_braces_of_the_bibliography_are_balanced() -> None:
    assert BIB.count("{") == BIB.count("}")
