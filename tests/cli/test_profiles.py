"""``--profile`` and ``discreet ledger audience``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

PROFILES = """\
profiles:
  public use: {preset: public use}
  researcher: {preset: researcher, audience: Lab, includes: [Ann, bob]}
  caretaker: {preset: caretaker}
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Each value occurs three times, no combination of two does."""
    path = tmp_path / "patients.csv"
    rows = [f"n{n},{20 + n // 3 * 10},0213{8 + n % 2},flu" for n in range(6)]
    path.write_text("\n".join(["name,age,zip,disease", *rows]) + "\n")
    return path


@pytest.fixture
def profiles(policy: Path) -> Path:
    policy.write_text(policy.read_text() + PROFILES)
    return policy


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "releases.ledger"


def _facts(result: Any) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("command", ["anonymize", "compare", "verify", "attack"])
def test_who_gets_the_release_must_be_said(
    run: Any, command: str, table: Path, profiles: Path
) -> None:
    done = run(command, table, "--policy", profiles)
    assert done.exit_code == 2
    told = "line 8: profiles: no recipient is named; choose one of public use, researcher,"
    assert told in done.stderr
    wrong = run(command, table, "--policy", profiles, "--profile", "resercher")
    assert "there is no profile 'resercher'. Did you mean 'researcher'?" in wrong.stderr


@pytest.mark.parametrize("command", ["anonymize", "verify", "attack"])
def test_a_profile_needs_a_policy_that_has_it(run: Any, command: str, table: Path) -> None:
    done = run(command, table, "-q", "age", "-k", "3", "--profile", "researcher")
    assert done.exit_code == 2
    assert "profile" in done.stderr


def test_two_profiles_give_two_releases_that_verify_each(
    run: Any, table: Path, profiles: Path, tmp_path: Path
) -> None:
    found = {}
    for name in ("public use", "researcher", "caretaker"):
        out = tmp_path / f"{name}.csv"
        given = ("--policy", profiles, "--profile", name, "--json")
        found[name] = _facts(run("anonymize", table, "-o", out, *given))
        assert _facts(run("verify", out, *given))["profile"] == found[name]["profile"]
    assert found["researcher"]["levels"] == {"age": 0, "zip": 0}
    assert found["public use"]["levels"] == {"age": 0, "zip": 1}
    assert found["caretaker"]["levels"] == {"age": 0, "zip": 0}
    assert found["researcher"]["profile"]["quasi_identifiers"] == [["age"], ["zip"]]
    wrong = run(
        "verify", tmp_path / "caretaker.csv", "--policy", profiles, "--profile", "public use"
    )
    assert wrong.exit_code == 1


def test_what_is_assumed_is_printed(run: Any, table: Path, profiles: Path) -> None:
    shown = run("anonymize", table, "--policy", profiles, "--profile", "researcher").stdout
    text = " ".join(shown.split())
    assert "Made for the profile 'researcher' (preset researcher). It assumes:" in text
    assert "bound by contract not to link people" in text
    assert (
        "Promised, against someone who knows only age: every row matches at least 2 other rows;"
        in text
    )
    assert "knows more quasi columns than one of these sets may single out a row" in text
    caretaker = run("anonymize", table, "--policy", profiles, "--profile", "caretaker").stdout
    assert "NOTHING IS PROTECTED" in caretaker


def test_the_option_wins_over_the_policy_and_says_so(run: Any, table: Path, profiles: Path) -> None:
    profiles.write_text(profiles.read_text() + "profile: public use\n")
    own = run("anonymize", table, "--policy", profiles, "--json")
    assert _facts(own)["profile"]["name"] == "public use"
    other = run("anonymize", table, "--policy", profiles, "--profile", "caretaker")
    assert "profile public use -> caretaker" in other.stderr


def test_k_of_the_options_is_for_every_quasi_identifier(
    run: Any, table: Path, profiles: Path
) -> None:
    given = ("--policy", profiles, "--profile", "researcher", "-k", "6", "--json")
    verdicts = _facts(run("anonymize", table, *given))["verdicts"]
    assert [(one["limit"], one["columns"]) for one in verdicts] == [(6, ["age"]), (6, ["zip"])]


def test_a_comparison_is_for_a_recipient_too(run: Any, table: Path, profiles: Path) -> None:
    given = ("--policy", profiles, "--profile", "researcher", "-a", "datafly", "-a", "optimal")
    assert "Made for the profile 'researcher'" in run("compare", table, *given).stdout
    results = _facts(run("compare", table, *given, "--json"))["results"]
    assert [one["profile"]["name"] for one in results] == ["researcher"] * 2


def test_an_attack_beyond_what_the_recipient_was_promised_breaks_nothing(
    run: Any, table: Path, profiles: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    given = ("--policy", profiles, "--profile", "researcher")
    assert run("anonymize", table, "-o", out, *given, "--quiet").exit_code == 0
    attacked = run("attack", out, *given, "--register", table, "--json")
    linking = next(one for one in _facts(attacked)["attacks"] if one["attack"] == "linking")
    assert linking["succeeds"] and not linking["breaks"]


# --- the ledger -----------------------------------------------------------------------------------


def test_the_audience_of_a_profile_is_whom_the_release_goes_to(
    run: Any, table: Path, profiles: Path, tmp_path: Path, ledger: Path
) -> None:
    given = ("--policy", profiles, "--profile", "researcher", "--ledger", ledger)
    first = _facts(run("anonymize", table, "-o", tmp_path / "1.csv", *given, "--json"))
    assert first["ledger"]["to"] == "lab"
    listed = _facts(run("ledger", "list", ledger, "--json"))["audiences"]
    assert listed == [{"audience": "lab", "includes": ["ann", "bob"], "reaches": ["ann", "bob"]}]
    assert "ann, bob" in run("ledger", "list", ledger).stdout
    other = run("anonymize", table, *given, "--to", "press")
    assert other.exit_code == 2
    assert "'researcher' is for Lab, not for press" in other.stderr
    ann = _facts(run("ledger", "audience", ledger, "ANN", "--json"))
    assert (ann["part_of"], ann["holds"]) == (["lab"], [2])


def test_a_membership_that_joins_releases_is_warned_of(
    run: Any, table: Path, profiles: Path, tmp_path: Path, ledger: Path
) -> None:
    given = ("--policy", profiles, "--profile", "caretaker", "--ledger", ledger, "--quiet")
    for name in ("ann", "lab"):
        run("anonymize", table, "-o", tmp_path / f"{name}.csv", "--to", name, *given)
    done = run("ledger", "audience", ledger, "Lab", "--includes", "Ann", "--includes", "bob")
    assert done.exit_code == 0
    text = " ".join(done.stdout.split())
    assert "WARNING: ann now holds releases 1 and 2 of 'table', which were never" in text
    again = _facts(run("ledger", "audience", ledger, "lab", "--includes", "ann", "--json"))
    assert (again["includes"], again["joined"]) == (["ann", "bob"], [])


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("audience", "L"), "NAME: the name of the audience is missing"),
        (("audience", "L", " "), "name: an audience needs a name"),
        (("audience", "L", "lab", "--includes", ""), "--includes: an audience needs a name"),
        (("audience", "L", "ann", "--includes", "lab"), "'ann' would be part of itself"),
        (("audience", "L", "public", "--includes", "lab"), "'public' is everybody"),
        (("audience", "no.ledger", "lab", "--includes", "ann"), "there is no such file"),
        (("audience", "L", "lab", "--file", "x"), "--file: 'audience' does not look at a file"),
        (("list", "L", "--includes", "ann"), "--includes: 'list' does not change"),
        (("show", "L", "first"), "NUMBER: 'first' is not a number"),
        (("check", "L", "1"), "NUMBER: 'check' is about all releases"),
    ],
)
def test_a_wrong_request_is_refused_by_name(
    run: Any, ledger: Path, args: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.ledger.ledger import Ledger

    monkeypatch.chdir(ledger.parent)
    with Ledger.open(ledger) as opened:
        opened.include("lab", ["ann"])
    done = run("ledger", *(ledger if one == "L" else one for one in args))
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.split())
    assert not Path("no.ledger").exists()
