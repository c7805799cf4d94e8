"""``discreet report``: 0 it holds, 1 no report because it does not, 2 a wrong request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

PRIVATE = "name,age,zip,disease\n" + "".join(
    f"p{n},{20 + n % 9},0213{n % 5},{'flu' if n % 2 else 'gout'}\n" for n in range(12)
)
POLICY = """\
columns:
  age:     {role: quasi, hierarchy: {intervals: [10]}}
  zip:     {role: quasi, hierarchy: {prefix: [4, 3]}}
  disease: {role: sensitive}
require:
  - k_anonymity: {k: 3}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(PRIVATE)
    (tmp_path / "policy.yaml").write_text(POLICY)
    return tmp_path


def test_a_release_and_its_report_in_one_run_and_in_two(run: Any, folder: Path) -> None:
    out, first, second = (folder / name for name in ("release.csv", "first.html", "second.html"))
    policy = ("--policy", folder / "policy.yaml")
    made = run("anonymize", folder / "people.csv", *policy, "-o", out, "--report", first, "--json")
    assert made.exit_code == 0, made.stderr
    (folder / "run.json").write_text(made.stdout)
    known = ("--original", folder / "people.csv", "--facts", folder / "run.json")
    done = run("report", out, *policy, *known, "-o", second)
    assert (done.exit_code, "keep it in the house" in done.stdout) == (0, True), done.stderr
    assert first.exists() and second.exists()
    outside = run("report", out, *policy, *known, "--edition", "outside", "--json")
    facts = json.loads(outside.stdout)
    assert (facts["edition"], facts["rows_before"], facts["rows_after"]) == ("outside", None, 12)
    again = run("report", out, *policy, "-o", second)
    assert (again.exit_code, "exists already" in again.stderr) == (2, True)


def test_a_release_that_breaks_its_policy_has_no_report_unless_asked_for(
    run: Any, folder: Path
) -> None:
    broken = folder / "broken.csv"
    broken.write_text("age,zip,disease\n20-29,0213*,flu\n20-29,0213*,flu\n")
    given = (broken, "--policy", folder / "policy.yaml", "-o", folder / "r.html")
    done = run("report", *given)
    assert (done.exit_code, "NO REPORT" in done.stdout) == (1, True)
    assert not (folder / "r.html").exists()
    told = run("report", *given, "--broken")
    assert (told.exit_code, (folder / "r.html").exists()) == (1, True)
    both = run("report", *given, "--broken", "--edition", "outside", "--force")
    assert both.exit_code == 2


def test_the_schema_is_printed(run: Any) -> None:
    assert json.loads(run("report", "--schema").stdout)["$id"] == "urn:discreet:report:v1"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "Name the released file"),
        (("people.csv",), "--policy"),
        (("people.csv", "--policy", "policy.yaml", "-o", "r.pdf"), ".html"),
        (("people.csv", "--policy", "policy.yaml", "-o", "people.csv"), "file that is read"),
        (("people.csv", "--policy", "policy.yaml", "--facts", "policy.yaml"), "JSON"),
    ],
)
def test_a_wrong_request_is_refused(
    run: Any, folder: Path, given: tuple[str, ...], said: str
) -> None:
    files = [folder / one if "." in one else one for one in given]
    (folder / "people.csv").write_text("age,zip,disease\n" + "20-29,0213*,flu\n" * 3)
    done = run("report", *files)
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


def test_a_report_needs_a_written_file(run: Any, folder: Path) -> None:
    done = run(
        "anonymize", folder / "people.csv", "--policy", folder / "policy.yaml", "--report", "r.html"
    )
    assert (done.exit_code, "-o release.csv" in done.stderr) == (2, True)
