"""Under --json an error is one JSON object on standard output; the exit code is 2 as ever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from discreet.cli.main import COMMANDS
from discreet.errors import DiscreetError

ABSENT = {
    "key": ("none/none.key", "--check"),
    "ledger": ("list", "none.ledger"),
    "delta": ("--rows", "1"),
    "demo": ("--folder", "a.csv/demo"),
    "restore": ("none.csv", "--column", "id", "--key", "none.key", "-o", "out.csv"),
    "together": ("none.csv", "--policy", "none.yaml"),
    "identify": ("none.csv", "-q", "age"),
    "levels": ("none.csv", "-q", "age"),
    "mask": ("none.csv", "--distinct", "0.5"),
    "policy": ("scheme",),
}
"""Requests that cannot be met; other commands are given a file that is not there."""


def error_of(result: Any) -> dict[str, Any]:
    """The error that was printed, after checking that nothing else was."""
    assert result.exit_code == 2
    facts = json.loads(result.stdout)
    assert list(facts) == ["error"]
    assert list(facts["error"]) == ["kind", "message", "where"]
    assert f"discreet: {facts['error']['message']}\n" == result.stderr
    return dict(facts["error"])


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_text("age,zip\n1,2\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_that_there_is_not_is_an_error_in_json(run: Any, name: str) -> None:
    error = error_of(run(name, "--nothing", "--json"))
    assert error["kind"] == "usage"
    assert "--nothing" in error["message"]
    assert error["where"] == {"option": "--nothing"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_request_that_cannot_be_met_is_an_error_in_json(run: Any, name: str) -> None:
    given = ABSENT.get(name, ("none.csv", "-q", "age", "-k", "2"))
    flags = ("none.csv",) if name in ("inspect", "hipaa", "techniques", "scrub") else given
    assert error_of(run(name, *flags, "--json"))["message"]


@pytest.mark.parametrize("args", [("anonymize", "--json"), ("--json",), ("anonimize", "--json")])
def test_a_wrong_call_is_an_error_in_json(run: Any, args: tuple[str, ...]) -> None:
    assert error_of(run(*args))["kind"] == "usage"


def test_quiet_does_not_hide_an_error(run: Any) -> None:
    assert "none.csv" in error_of(run("inspect", "none.csv", "--json", "--quiet"))["message"]


def test_without_json_nothing_goes_to_standard_output(run: Any) -> None:
    assert run("inspect", "none.csv").stdout == ""


def test_json_as_an_argument_after_two_dashes_is_not_the_option(run: Any) -> None:
    assert run("inspect", "--", "--json").stdout == ""


def test_where_says_the_line_of_a_policy(run: Any, table: Path, tmp_path: Path) -> None:
    policy = tmp_path / "wrong.yaml"
    policy.write_text("columns:\n  age: {role: quasy}\nrequire:\n  - k_anonymity: {k: 2}\n")
    error = error_of(run("anonymize", table, "--policy", policy, "--json"))
    assert error["kind"] == "policy"
    assert error["where"]["line"] == 2
    assert error["where"]["file"].endswith("wrong.yaml")


def test_where_says_the_option_that_sets_a_parameter(run: Any, table: Path) -> None:
    error = error_of(run("anonymize", table, "-k", "2", "--json"))
    assert error["where"] == {"option": "-q"}
    assert error["message"] == "-q: no quasi column is named. Give -q COLUMN, or --policy FILE."


def test_an_unexpected_error_is_of_the_kind_internal_and_tells_no_value(
    run: Any, table: Path, policy: Path, fail: Any
) -> None:
    fail(KeyError("02138 is Ada's"))
    error = error_of(run("anonymize", table, "--policy", policy, "--json"))
    assert error["kind"] == "internal"
    assert "Ada" not in error["message"]


def test_control_characters_are_not_in_the_message(
    run: Any, table: Path, policy: Path, fail: Any
) -> None:
    fail(DiscreetError("column '\x1b[31mred' is missing"))
    result = run("anonymize", table, "--policy", policy, "--json")
    assert "\x1b" not in error_of(result)["message"]


def test_an_interrupted_run_is_an_error_in_json(
    run: Any, table: Path, policy: Path, fail: Any
) -> None:
    fail(KeyboardInterrupt())
    error = error_of(run("anonymize", table, "--policy", policy, "--json"))
    assert error["kind"] == "interrupted"
