"""The review page: all findings with reasons, doubtful ones first; no script runs but its own."""

from __future__ import annotations

import base64
import hashlib
import html
import re

import pytest

from discreet.scrubbing.finding import Finding
from discreet.scrubbing.formats.flow import Piece
from discreet.scrubbing.review import review as module
from discreet.scrubbing.review.review import Review

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
    assert 'data-kind="NAME" title="NAME, 0.66, below the threshold: not replaced' in page
    assert page.count('class="below"') == 1


def test_only_the_script_of_the_page_may_run() -> None:
    page = _page(Review(0.7))
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
    assert f"script-src 'sha256-{digest}'" in policy
    assert "{{" not in page.replace(script, "")


def test_a_mark_tells_its_place_in_the_text_that_was_read() -> None:
    review = Review(0.7)
    text = "left out\r\n\r\nAnn\0 & Bo\r\n"
    start = text.index("Bo")
    piece = Piece(text, 10, len(text))
    review.add("a", piece, [Finding(start, start + 2, "NAME", 0.9, "d", "r")], [])
    page = "".join(review.page())
    assert f'data-start="{start}" data-end="{start + 2}"' in page
    assert f'data-lead="10" data-digest="{module.hash_text(text)}"' in page
    (shown,) = re.findall(r"<pre dir=auto>\n(.*?)</pre>", page, re.DOTALL)
    own = html.unescape(re.sub(r"<[^>]*>", "", shown).replace("&#13;", "\r"))
    assert "\r" not in shown
    assert own == piece.own.replace("\0", "\ufffd")


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
