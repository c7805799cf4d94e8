"""``discreet advise``, and what other commands say of it in short."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import discreet

Run = Callable[..., Any]

FLAT = """
columns:
  age: {role: quasi}
  zip: {role: quasi}
  ill: {role: sensitive}
require:
  - k_anonymity: {k: 4}
"""


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    rows = [f"{20 + n % 48},0213{n % 4},{['flu', 'gout', 'rash'][n % 3]}" for n in range(96)]
    path.write_text("\n".join(["age,zip,ill", *rows]) + "\n")
    return path


@pytest.fixture
def flat(tmp_path: Path) -> Path:
    path = tmp_path / "flat.yaml"
    path.write_text(FLAT)
    return path


def without_seconds(facts: Any) -> Any:
    if isinstance(facts, dict):
        return {key: without_seconds(one) for key, one in facts.items() if key != "seconds"}
    return [without_seconds(one) for one in facts] if isinstance(facts, list) else facts


def test_the_changes_and_the_lines_to_paste_are_shown(run: Run, people: Path, flat: Path) -> None:
    done = run("advise", people, "--policy", flat)
    assert done.exit_code == 0, done.stderr
    assert "What the policy keeps of people.csv as it is" in done.stdout
    assert "a hierarchy for age" in done.stdout
    assert "For 1, change in the policy:" in done.stdout


def test_the_json_is_what_python_returns(run: Run, people: Path, flat: Path) -> None:
    done = run("advise", people, "--policy", flat, "--json", "--seconds", "60")
    found = discreet.advise(people, flat, seconds=60)
    assert without_seconds(json.loads(done.stdout)) == without_seconds(found.facts())
    assert found.suggestions


def test_no_value_is_shown(run: Run, people: Path, flat: Path) -> None:
    shown = run("advise", people, "--policy", flat).stdout
    assert not [word for word in ("gout", "rash", "02133") if word in shown]


def test_a_weaker_promise_is_marked(run: Run, people: Path, tmp_path: Path) -> None:
    policy = tmp_path / "strict.yaml"
    policy.write_text(FLAT.replace("k: 4", "k: 30") + "  - l_diversity: {column: ill, ell: 3}\n")
    done = run("advise", people, "--policy", policy)
    assert "WEAKER" in done.stdout


def test_quiet_prints_nothing_and_time_must_be_given(run: Run, people: Path, flat: Path) -> None:
    assert run("advise", people, "--policy", flat, "--quiet").stdout == ""
    done = run("advise", people, "--policy", flat, "--seconds", "0")
    assert done.exit_code == 2
    assert "--seconds" in done.stderr


def test_columns_can_be_named_without_a_policy(run: Run, people: Path) -> None:
    done = run("advise", people, "-q", "age", "-q", "zip", "-k", "4", "--json")
    assert json.loads(done.stdout)["before"]["rows"] == 96


# At the end of anonymize.


def test_a_column_of_stars_is_never_shown_as_the_best_without_a_way_out(
    run: Run, people: Path, flat: Path
) -> None:
    lines = run("anonymize", people, "--policy", flat).stdout.splitlines()
    proven = next(n for n, line in enumerate(lines) if line.startswith("Proven to be the best"))
    assert lines[proven + 1].startswith("NOTHING BUT * is left of age")
    assert f"  discreet advise {people} --policy {flat}" in lines


def test_the_short_advice_has_figures_that_are_true(run: Run, people: Path, flat: Path) -> None:
    shown = run("anonymize", people, "--policy", flat).stdout
    short = [line for line in shown.splitlines() if line.startswith("- ")]
    found = discreet.advise(people, flat, seconds=60)
    told = [f": granularity {one.kept.granularity:.3f}, " for one in found.tried]
    assert short
    assert all(any(one in line for one in told) for line in short)


def test_a_release_that_keeps_enough_gets_no_advice(run: Run, people: Path, tmp_path: Path) -> None:
    policy = tmp_path / "good.yaml"
    policy.write_text(FLAT.replace("age: {role: quasi}", "age: {role: other}"))
    shown = run("anonymize", people, "--policy", policy).stdout
    assert "Proven to be the best" in shown
    assert "discreet advise" not in shown


def test_a_promise_that_cannot_be_kept_comes_with_what_would_help(
    run: Run, people: Path, tmp_path: Path
) -> None:
    policy = tmp_path / "never.yaml"
    policy.write_text(FLAT + "  - l_diversity: {column: ill, ell: 5}\n")
    done = run("anonymize", people, "--policy", policy)
    assert done.exit_code == 2
    assert "no release meets this policy" in done.stderr
    assert "l_diversity of ill: ell 5 -> 3" in done.stderr
    assert "WEAKER" in done.stderr


# Without a policy the settings are chosen by trying.


def test_settings_are_chosen_where_no_policy_names_them(run: Run, people: Path) -> None:
    call = ("anonymize", people, "-q", "age", "-q", "zip", "-k", "4")
    facts = json.loads(run(*call, "--json").stdout)
    chosen = facts["chosen"]
    assert chosen["algorithm"] == facts["algorithm"]
    best = max(one["granularity"] or 0 for one in chosen["tried"])
    assert chosen["useful"] or facts["measures"]["granularity"] == best
    tried = [(one["algorithm"], one["suppress"]) for one in chosen["tried"]]
    assert (chosen["algorithm"], chosen["suppress"]) in tried


def test_settings_that_an_option_names_are_not_tried(run: Run, people: Path) -> None:
    call = ("anonymize", people, "-q", "age", "-k", "4", "--suppress", "0.1", "--json")
    chosen = json.loads(run(*call).stdout)["chosen"]
    assert {one["suppress"] for one in chosen["tried"]} == {0.1}
    facts = json.loads(run(*call, "--algorithm", "datafly").stdout)
    assert facts["algorithm"] == "datafly"
    assert "chosen" not in facts


def test_a_policy_file_is_run_as_it_is(run: Run, people: Path, flat: Path) -> None:
    assert "chosen" not in json.loads(run("anonymize", people, "--policy", flat, "--json").stdout)


# In inspect.


def test_the_policy_that_inspect_writes_is_tried(run: Run, people: Path, tmp_path: Path) -> None:
    path = tmp_path / "first.yaml"
    done = run("inspect", people, "--write-policy", path)
    assert "Tried optimal with 0 % suppressed at most: granularity" in done.stdout
    assert "Tried on all 96 rows" in path.read_text()
    facts = json.loads(run("inspect", people, "--write-policy", path, "--force", "--json").stdout)
    assert facts["settings"]["tried"]
    release = json.loads(run("anonymize", people, "--policy", path, "--json").stdout)
    told = [one["granularity"] for one in facts["settings"]["tried"]]
    assert release["measures"]["granularity"] in told
