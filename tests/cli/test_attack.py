"""``discreet attack``: 0 within the policy, 1 if an attack goes beyond it, 2 if asked wrongly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with two releases of four people, a register and counts."""
    texts = {
        "first.csv": "age,zip,ill\n30-39,0213*,flu\n30-39,0213*,gout\n40-49,0214*,rash\n"
        "40-49,0214*,cold\n",
        "second.csv": "age,zip,ill\n40-49,0214*,cold\n30-39,0213*,gout\n40-49,0214*,rash\n"
        "30-39,0213*,flu\n",
        "finer.csv": "age,zip,ill\n*,02138,flu\n*,02139,gout\n*,02139,rash\n*,02138,cold\n",
        "people.csv": "age,postcode\n31,02138\n35,02139\n44,02141\n",
        "counts.csv": "column,value,count\nage,30-39,3\nage,40-49,2\nage,50-59,0\n",
        "policy.yml": "columns:\n  age: {role: quasi, hierarchy: {intervals: [10]}}\n"
        "  zip: {role: quasi, hierarchy: {prefix: [4, 3]}}\n  ill: {role: sensitive}\n"
        "require:\n  - k_anonymity: {k: 2}\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_release_that_withstands_ends_with_0(run: Any, files: Path) -> None:
    result = run(
        "attack", files / "second.csv", "--policy", files / "policy.yml", "--earlier",
        files / "first.csv",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "second.csv (4 rows): withstands these attacks within the policy." in result.stdout
    assert "not judged, since every value is different: ill" in " ".join(result.stdout.split())


def test_a_release_that_falls_ends_with_1_and_names_rows_of_both_files(
    run: Any, files: Path
) -> None:
    (files / "first.csv").write_text(
        "age,zip,ill\n30-39,*,flu\n30-39,*,gout\n40-49,*,rash\n40-49,*,cold\n"
    )
    result = run("attack", files / "finer.csv", "-q", "age", "-q", "zip", "--earlier",
                 files / "first.csv")  # fmt: skip
    assert result.exit_code == 1
    assert "GIVES ROWS AWAY" in result.stdout
    assert "complementary: rows 1, 2, 3, 4 and rows 1, 2, 3, 4 of first.csv." in result.stdout
    assert "fewer than 2 candidate rows on age, zip" in result.stdout


def test_json_has_the_attacks(run: Any, files: Path) -> None:
    result = run("attack", files / "second.csv", "-q", "age", "-s", "ill", "--summary",
                 files / "counts.csv", "-k", "2", "--json")  # fmt: skip
    facts = json.loads(result.stdout)
    found = {one["attack"]: one for one in facts["attacks"]}
    keys = {"attack", "applies", "succeeds", "breaks", "rows_exposed", "rows", "note"}
    assert keys <= found["summary"].keys()
    assert (found["summary"]["succeeds"], found["summary"]["rows_exposed"]) == (True, 1)
    assert result.exit_code == 1
    assert not found["unsorted"]["applies"]


def test_a_register_with_other_names_takes_a_mapping(run: Any, files: Path) -> None:
    asked = ["attack", files / "second.csv", "--policy", files / "policy.yml", "--register",
             files / "people.csv"]  # fmt: skip
    lacking = run(*asked)
    assert lacking.exit_code == 2
    assert "zip" in lacking.stderr
    assert run(*asked, "--map", "zip=postcode").exit_code == 0


def test_quiet_answers_by_the_exit_code_alone(run: Any, files: Path) -> None:
    result = run("attack", files / "second.csv", "-q", "zip", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ([], "no quasi column"),
        (["-q", "zap"], "no column 'zap'"),
        (["-q", "zip", "--map", "zip=postcode"], "there is no register"),
        (["-q", "zip", "--register", "people.csv", "--map", "zip"], "does not name two columns"),
        (["-q", "zip", "--earlier", "none.csv"], "there is no such file"),
        (["-q", "zip", "--earlier", "people.csv"], "no column in common"),
        (["-q", "zip", "--summary", "people.csv"], "no column 'column'"),
    ],
)
def test_wrong_requests_end_with_2(run: Any, files: Path, flags: list[str], message: str) -> None:
    flags = [str(files / flag) if flag.endswith(".csv") else flag for flag in flags]
    (files / "people.csv").write_text("name\nAda\n")
    result = run("attack", files / "second.csv", *flags)
    assert result.exit_code == 2
    assert message in result.stderr
