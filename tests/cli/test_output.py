"""How facts are shown to people."""

from __future__ import annotations

import pytest

from discreet.cli.output import progress_text, shown


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (True, "yes"),
        (12345, "12,345"),
        (0.123456, "0.1235"),
        (3.0, "3"),
        ("a\x1b", "a?"),
    ],
)
def test_a_fact_is_shown_as_people_read_it(value: object, text: str) -> None:
    assert shown(value) == text


def test_progress_is_told_by_share_or_by_nodes() -> None:
    assert progress_text("reading") == "reading"
    assert progress_text("reading", 0.5) == "reading 50 %"
    assert progress_text(1200, 0.25, None) == "searching, 1,200 nodes looked at"
