"""The command that chooses delta: what it asks, prints and refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click
import pytest

from discreet.cli.commands import delta
from discreet.cli.commands.delta import QUESTIONS

ALL = ["--rows", 4000, "--population", 100_000, "--prior", 0.07, "--cost", 100, "--damage", 10_000]


def test_the_line_for_the_policy_is_printed(run: Callable[..., Any]) -> None:
    result = run("delta", *ALL, "--cost-absent", 200)
    assert result.exit_code == 0
    assert "- delta_presence: {public: PEOPLE.csv, min: 0.01936, max: 0.05032}" in result.stdout


def test_json_has_the_same_facts(run: Callable[..., Any]) -> None:
    facts = json.loads(run("delta", *ALL, "--json").stdout)
    assert (facts["rows"], facts["population"]) == (4000, 100_000)
    assert facts["max"] == pytest.approx(0.0503, abs=1e-4)
    assert facts["belief_at_max"] == pytest.approx(0.08, abs=1e-4)


def test_quiet_prints_nothing(run: Callable[..., Any]) -> None:
    assert run("delta", *ALL, "--quiet").output == ""


def test_only_what_no_option_says_is_asked(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, asked = {"prior": 0.07, "damage": 10_000}, []

    def prompt(text: str, **_: Any) -> Any:
        name = next(name for name, (question, _) in QUESTIONS.items() if question == text)
        asked.append(name)
        return answers[name]

    monkeypatch.setattr(click, "prompt", prompt)
    monkeypatch.setattr(delta, "_is_on_terminal", lambda: True)
    result = run("delta", "--rows", 4000, "--population", 100_000, "--cost", 100)
    assert asked == ["prior", "damage"]
    assert "max: 0.05032" in result.stdout


def test_without_a_terminal_the_options_that_lack_are_named(run: Callable[..., Any]) -> None:
    result = run("delta", "--rows", 4000, "--cost", 100)
    assert result.exit_code == 2
    assert "--population --prior --damage: needed" in result.stderr


@pytest.mark.parametrize(
    ("flag", "value", "says"),
    [
        ("--prior", 0.03, "'prior' must be at least rows / population, which is 0.04"),
        ("--population", 4000, "'population' must be above rows"),
        ("--cost", 20_000, "'cost' must be at most damage"),
    ],
)
def test_nonsense_is_refused(run: Callable[..., Any], flag: str, value: Any, says: str) -> None:
    given = [*ALL]
    given[given.index(flag) + 1] = value
    result = run("delta", *given)
    assert result.exit_code == 2
    assert says in result.stderr
