"""The review page: all findings with their reasons, doubtful ones first, and nothing that runs."""

from __future__ import annotations

import pytest

from discreet.scrub.finding import Finding
from discreet.scrub.formats.pieces import Piece
from discreet.scrub.review import review as module
from discreet.scrub.review.review import Review

TEXT = 'Ann <b> "Bo" & Cy'


def _finding(word: str, likelihood: float) -> Finding:
    start = TEXT.index(word)
    return Finding(start, start + len(word), "NAME", likelihood, "detector", f"why {word}")


def _page(review: Review) -> str:
    review.add("<a>.txt", Piece(TEXT, 0, len(TEXT)), [_finding("Ann", 0.95), _finding("Bo", 0.72)],
               [_finding("Cy", 0.66)])  # fmt: skip
    return "".join(review.page())


def test_text_is_escaped_and_marked() -> None:
    page = _page(Review(0.7))
    assert "&lt;a&gt;.txt" in page
    assert 'title="NAME, 0.95; detector: why Ann">Ann</mark> &lt;b&gt; &quot;' in page
    assert 'class="below" title="NAME, 0.66, below the threshold: not replaced' in page


def test_doubtful_findings_of_both_sides_come_first_and_nearest_first() -> None:
    doubtful = _page(Review(0.7)).partition("<h2>Documents")[0]
    assert "why Ann" not in doubtful
    assert doubtful.index("why Bo") < doubtful.index("why Cy")


def test_what_would_make_the_page_too_large_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 20)
    review = Review(0.7)
    _page(review)
    assert "1 more are not shown" in _page(review)


def test_nothing_found_is_said() -> None:
    review = Review(0.7)
    review.add("a", Piece("x", 0, 1), [], [])
    assert "Nothing was found." in "".join(review.page())
