"""How facts are shown to people."""

from __future__ import annotations

import re
from typing import Any

import pytest

from discreet.cli.output import describe_progress, format_fact, print_table


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
    assert format_fact(value) == text


def test_progress_is_told_with_its_share_where_that_is_known() -> None:
    assert describe_progress("reading") == "reading"
    assert describe_progress("reading", 0.5) == "reading 50 %"


def test_the_time_left_is_told_once_there_is_enough_to_judge_from() -> None:
    assert describe_progress("reading", 0.25, 30) == "reading 25 %, 1 min 30 s left"
    assert describe_progress("reading", 0.5, 10) == "reading 50 %, 10 s left"
    assert describe_progress("reading", 0.5, 1) == "reading 50 %"
    assert describe_progress("reading", 0.001, 10) == "reading 0 %"


def test_lines_of_a_table_are_not_broken_where_there_is_no_terminal(capsys: Any) -> None:
    print_table(
        "Title", ("column", "count", "why"), [("n" * 200, 7, "w " * 200), ("zip", 12_345, "")]
    )
    lines = capsys.readouterr().out.splitlines()
    assert any("n" * 200 in line and "w " * 199 in line for line in lines)
    assert any(line.startswith(" zip") and line.endswith("12,345") for line in lines)


def test_a_narrow_terminal_loses_no_text(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "30")
    print_table(
        "", ("column", "role", "why"), [("marital-status", "sensitive", "its name says so")]
    )
    told = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert "…" not in told
    assert "marital-status" in told
    assert "sensitive" in told
