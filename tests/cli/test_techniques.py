"""`discreet techniques`, and techniques of a policy in `discreet anonymize`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from typer.testing import CliRunner

from discreet.cli.main import app
from discreet.pipeline import compare_techniques as command
from discreet.techniques import ALL

COLUMNS = """
columns:
  name: {role: identifier}
  age: {role: quasi, hierarchy: {intervals: [10, 20]}}
  job: {role: sensitive}
  pay: {role: sensitive, technique: TECHNIQUE}
require:
  - k_anonymity: {k: 3}
techniques: TECHNIQUES
seed: 1
"""


@pytest.fixture(autouse=True)
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    lines = [
        f"secret{n},{rng.integers(20, 60)},{'nurse' if n % 3 else 'cook'},{rng.integers(0, 5000)}"
        for n in range(300)
    ]
    Path("people.csv").write_text("\n".join(["name,age,job,pay", *lines]) + "\n")


def run(*call: str) -> Result:
    return CliRunner().invoke(app, list(call))


def anonymized(technique: str = "[]", techniques: str = "[]", *more: str) -> Result:
    text = COLUMNS.replace("TECHNIQUES", techniques).replace("TECHNIQUE", technique)
    Path("policy.yaml").write_text(text)
    return run("anonymize", "people.csv", "--policy", "policy.yaml", *more)


def tried(*call: str) -> dict[str, Any]:
    done = run("techniques", "people.csv", *call, "--seed", "1", "--json")
    assert done.exit_code == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_technique_is_listed_with_what_it_keeps() -> None:
    done = run("techniques")
    assert done.exit_code == 0
    assert all(cls.name in done.stdout and cls.keeps in done.stdout for cls in ALL)
    facts = json.loads(run("techniques", "--json").stdout)["techniques"]
    assert [one["technique"] for one in facts] == [cls.name for cls in ALL]
    truth = {one["technique"]: one["truthful"] for one in facts}
    assert (truth["top_code"], truth["noise"], truth["substitute"]) == (True, False, None)


def test_techniques_are_ordered_by_what_they_distort() -> None:
    facts = tried("-c", "pay", "-c", "job")
    costs = [one["distortion"] for one in facts["ordered"]]
    assert costs == sorted(costs) and costs[-1] > 0.1
    by_name = {one["technique"]: one for one in facts["ordered"]}
    assert by_name["scramble"]["distortion"] == 0
    assert by_name["noise"]["columns"] == ["pay"]
    assert by_name["noise"]["parameters"] == {"amount": 0.1}
    assert by_name["shuffle"]["columns"] == ["pay", "job"]
    assert tried("-c", "pay", "-c", "job") == facts


def test_what_does_not_fit_is_listed_with_the_reason() -> None:
    unfit = tried("-c", "job")["unfit"]
    noise = next(one for one in unfit if one["technique"] == "noise")
    assert noise["column"] == "job" and noise["why"].startswith("is not one of numbers")
    assert any(one["technique"] == "substitute" and one["column"] is None for one in unfit)
    assert "nurse" not in json.dumps(unfit)


def test_every_technique_is_either_tried_or_said_not_to_be() -> None:
    facts = tried()
    named = {one["technique"] for one in (*facts["ordered"], *facts["unfit"])}
    assert named == {cls.name for cls in ALL}


def test_a_column_that_turns_out_not_to_fit_is_left_out_alone() -> None:
    """Three of four numbers are the same, so every other would be an outlier."""
    rows = "\n".join(f"{n},{5 if n % 4 else n}" for n in range(100))
    Path("people.csv").write_text(f"a,b\n{rows}\n")
    facts = tried()
    found = next(one for one in facts["ordered"] if one["technique"] == "outliers_to_median")
    assert found["columns"] == ["a"]
    why = next(one for one in facts["unfit"] if one["technique"] == "outliers_to_median")
    assert why["column"] == "b" and "same lower and upper quartile" in why["why"]


def test_a_large_table_is_compared_on_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "ROWS", 100)
    facts = tried("-c", "pay")
    assert (facts["rows"], facts["rows_compared"]) == (300, 100)
    assert "100 random rows of 300" in run("techniques", "people.csv", "-c", "pay").stdout


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (("people.csv", "-c", "pya"), "Did you mean 'pay'?"),
        (("-c", "pay"), "without a FILE there is nothing to try techniques on"),
        (("nobody.csv",), "nobody.csv"),
        (("people.csv", "--seed", "-3"), "a seed is 0 or more"),
    ],
)
def test_a_wrong_call_is_refused(call: tuple[str, ...], says: str) -> None:
    done = run("techniques", *call)
    assert done.exit_code == 2 and says in done.stderr


def test_anonymize_shows_techniques_and_what_they_keep() -> None:
    done = anonymized("{top_code: {at: 4000}}", "[{sample_rows: {share: 0.5}}]", "-o", "out.csv")
    assert done.exit_code == 0, done.stderr
    assert "Techniques, in the order in which they were run" in done.stdout
    assert done.stdout.index("sample_rows") < done.stdout.index("top_code  ")
    assert "top-coded at 4000" in done.stdout
    assert "150 of 300 rows are in the sample" in done.stdout
    pays = [int(line.split(",")[-1]) for line in Path("out.csv").read_text().splitlines()[1:]]
    assert max(pays) == 4000 and len(pays) <= 150


def test_a_policy_without_techniques_shows_none() -> None:
    assert "Techniques" not in anonymized().stdout


@pytest.mark.parametrize(
    ("technique", "techniques", "says"),
    [
        ("{noise: {amount: 0.9}}", "[]", "column 'pay' has no number below zero"),
        ("{round_values: {base: 0.5}}", "[]", "holds whole numbers, and the base is not whole"),
        ("[]", "[{noise: {columns: [job]}}]", "noise: column 'job' is not one of numbers"),
        ("[]", "[{noise: {columns: [name]}}]", "line 9: techniques[0].noise: column 'name' is an"),
        ("[]", "[{noise: {columns: [age]}}]", "k_anonymity would be counted on values of age"),
        ("[]", "[{sample_rows: {share: 0.005}}]", "sample_rows: 2 of 300 rows are in the sample"),
        ("[]", "[{add_tuples: {share: 0.5}}]", "counted on synthetic rows"),
    ],
)
def test_bad_techniques_are_refused_and_nothing_is_written(
    technique: str, techniques: str, says: str
) -> None:
    done = anonymized(technique, techniques, "-o", "out.csv")
    assert done.exit_code == 2 and says in done.stderr
    assert "secret" not in done.stderr and "nurse" not in done.stderr
    assert not Path("out.csv").exists()


def test_verify_compares_with_the_table_after_the_techniques() -> None:
    """A ninth of the pays is 1; cut there, all are, and any class is like the whole table."""
    rows = [f"secret{n},{20 + n % 4 * 10},cook,{9000 if n % 9 else 1}" for n in range(300)]
    Path("people.csv").write_text("\n".join(["name,age,job,pay", *rows]) + "\n")
    close = "{k: 3}\n  - t_closeness: {column: pay, t: 0.2}"
    text = COLUMNS.replace("{k: 3}", close).replace("TECHNIQUES", "[]")
    Path("policy.yaml").write_text(text.replace("TECHNIQUE", "{top_code: {at: 1}}"))
    checked = ("verify", "out.csv", "--policy", "policy.yaml", "--original", "people.csv")
    assert run("anonymize", "people.csv", "--policy", "policy.yaml", "-o", "out.csv").exit_code == 0
    assert run(*checked).exit_code == 0
    Path("policy.yaml").write_text(text.replace("TECHNIQUE", "[]"))
    assert run(*checked).exit_code == 1
    drawn = text.replace("TECHNIQUE", "shuffle").replace("seed: 1", "")
    Path("policy.yaml").write_text(drawn)
    refused = run(*checked)
    assert refused.exit_code == 2 and "after shuffle, drawn without a seed" in refused.stderr
