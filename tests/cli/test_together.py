"""``discreet together``, and the commands around it, on tables about the same people."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

POLICY = """\
people: {column: who}
columns:
  patients.sex: {role: quasi}
  visits.zip: {role: quasi, hierarchy: {prefix: [4, 3]}}
  visits.ill: {role: sensitive}
require:
  - k_anonymity: {k: 2}
"""
ONE = """\
people: {column: who, records: {cap: 1}}
columns:
  zip: {role: quasi, hierarchy: {prefix: [4, 3]}}
  ill: {role: sensitive}
require:
  - k_anonymity: {k: 2}
"""


@pytest.fixture
def town(tmp_path: Path) -> Path:
    people = "".join(f"p{n},{'fm'[n % 2]}\n" for n in range(8))
    visits = "".join(f"p{n % 6},0213{n % 2},flu\n" for n in range(12))
    (tmp_path / "patients.csv").write_text(f"who,sex\n{people}")
    (tmp_path / "visits.csv").write_text(f"who,zip,ill\n{visits}")
    (tmp_path / "policy.yml").write_text(POLICY)
    (tmp_path / "one.yml").write_text(ONE)
    return tmp_path


def test_tables_are_released_together_and_verified(run: Callable[..., Any], town: Path) -> None:
    files = (town / "patients.csv", town / "visits.csv")
    policy = ("--policy", town / "policy.yml")
    done = run("together", *files, *policy, "-o", town / "out")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "every person has at least 1 other whose whole record is the same" in done.stdout
    assert "pseudonyms, one per person" in done.stdout
    checked = run("verify", town / "out", *policy, "--json")
    facts = json.loads(checked.stdout)
    assert (checked.exit_code, facts["holds"], facts["people"]) == (0, True, 8)
    assert facts["tables"] == {"patients": 8, "visits": 12}
    *most, _ = (town / "out" / "patients.csv").read_text().splitlines()
    (town / "out" / "patients.csv").write_text("\n".join(most) + "\n")
    assert run("verify", town / "out", *policy).exit_code == 1


def test_the_facts_are_there_as_json(run: Callable[..., Any], town: Path) -> None:
    files = (town / "patients.csv", town / "visits.csv")
    done = run("together", *files, "--policy", town / "policy.yml", "--json")
    facts = json.loads(done.stdout)
    assert (facts["people"], facts["people_suppressed"]) == (8, 0)
    assert facts["tables"]["visits"]["rows_released"] == 12


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("patients.csv",), "there is one table"),
        (("patients.csv", "one.yml"), "one.yml"),
        (("patients.csv", "patients.csv"), "would both be the table 'patients'"),
        (("patients.csv", "visits.csv", "-o", "policy.yml"), "exists already"),
        (("patients.csv", "visits.csv", "-o", "-"), "cannot go to standard output"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_refused(
    run: Callable[..., Any], town: Path, args: tuple[str, ...], told: str
) -> None:
    paths = [arg if arg.startswith("-") else town / arg for arg in args]
    done = run("together", *paths, "--policy", town / "policy.yml")
    assert done.exit_code == 2
    assert told in done.stderr


def test_a_policy_is_needed(run: Callable[..., Any], town: Path) -> None:
    done = run("together", town / "patients.csv", town / "visits.csv")
    assert (done.exit_code, "there is no policy" in done.stderr) == (2, True)


def test_one_table_with_many_rows_a_person(run: Callable[..., Any], town: Path) -> None:
    args = (town / "visits.csv", "--policy", town / "one.yml")
    done = run("anonymize", *args, "-o", town / "out.csv")
    assert done.exit_code == 0
    assert "rows left out by people.records" in done.stdout
    checked = run("verify", town / "out.csv", "--policy", town / "one.yml")
    assert checked.exit_code == 0
    assert "(6 rows of 6 people)" in checked.stdout
    assert run("verify", town / "visits.csv", "--policy", town / "one.yml").exit_code == 1


def test_risks_are_those_of_people(run: Callable[..., Any], town: Path) -> None:
    done = run("risk", town / "visits.csv", "--policy", town / "one.yml")
    assert done.exit_code == 0
    assert "6 people with 12 rows, 2 classes, 0 unique people" in done.stdout
    done = run("levels", town / "visits.csv", "--policy", town / "one.yml")
    assert (done.exit_code, "policy counts people" in done.stderr) == (2, True)


def test_a_release_about_people_is_attacked_before_it_is_written(
    run: Callable[..., Any], town: Path
) -> None:
    args = ("--policy", town / "one.yml", "--attack", "-o", town / "out.csv", "--json")
    facts = json.loads(run("anonymize", town / "visits.csv", *args).stdout)
    assert {one["attack"]: one["breaks"] for one in facts["attacks"]}["homogeneity"] is False
    assert facts["withstands"] == (town / "out.csv").exists()


def test_a_recipient_gets_one_release_about_people(
    run: Callable[..., Any], town: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(town)
    args = ("anonymize", "visits.csv", "--policy", "one.yml", "--ledger", "l.db", "--to", "lab")
    assert run(*args, "-o", "first.csv").exit_code == 0
    again = run(*args, "-o", "second.csv")
    assert (again.exit_code, "only one release" in again.stderr) == (2, True)
    assert not (town / "second.csv").exists()
