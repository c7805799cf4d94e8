"""Reports as files: alternatives of a comparison, PDF, and what a notebook gets."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import discreet
from discreet.reporting.report import report_comparison
from tests.net.catalogues import app

POLICY = "columns: {age: {role: quasi, hierarchy: {intervals: [10, 40]}}, ill: {role: sensitive}}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of 12 people, a policy of k = 3 and a release under it."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{age},{'flu' if age % 2 else 'gout'}\n" for age in range(30, 42))
    (tmp_path / "people.csv").write_text(f"age,ill\n{rows}")
    (tmp_path / "policy.yaml").write_text(f"{POLICY}require: [k_anonymity: {{k: 3}}]\nseed: 1\n")
    discreet.anonymize("people.csv", "policy.yaml").write("release.csv")
    return tmp_path


def call(*args: str) -> Result:
    return CliRunner().invoke(app(), list(args))


def test_a_report_on_a_comparison_has_the_others_and_the_cost_of_each_k(folder: Path) -> None:
    algorithms = ("-a", "optimal", "-a", "mondrian")
    args = ("compare", "people.csv", "--policy", "policy.yaml", *algorithms, "--report", "r.html")
    done = call(*args)
    assert done.exit_code == 0, done.output
    assert "keep it in the house" in done.stdout
    page = (folder / "r.html").read_text()
    facts = json.loads(page.partition('id="facts">')[2].partition("</script>")[0])
    assert [one["title"] for one in facts["alternatives"] if one["chosen"]] == ["optimal"]
    assert len(facts["alternatives"]) == 2
    costs = {one["k"]: one["value"] for one in facts["cost_of_k"]}
    assert costs[2] <= costs[3] <= costs[10]
    assert costs[20] is None  # there are 12 people
    assert "Risk and detail of the alternatives" in page
    assert call(*args).exit_code == 2  # another file is never replaced without being asked


def test_the_cost_of_a_k_is_that_of_a_release_under_it(folder: Path) -> None:
    compared = discreet.compare("people.csv", "policy.yaml", ["optimal"])
    for one in report_comparison(compared).data.cost_of_k:
        if one.value is not None:
            text = (folder / "policy.yaml").read_text().replace("k: 3", f"k: {one.k}")
            (folder / "other.yaml").write_text(text)
            other = discreet.anonymize("people.csv", "other.yaml")
            assert one.value == other.solution.measures[one.measure]


def test_pdf_is_written_next_to_the_page(folder: Path) -> None:
    done = call("report", "release.csv", "--policy", "policy.yaml", "-o", "r.html", "--pdf")
    assert done.exit_code == 0, done.output
    assert (folder / "r.pdf").read_bytes().startswith(b"%PDF-")
    assert (folder / "r.html").is_file()


def test_pdf_without_a_browser_is_refused_before_any_work(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    done = call("report", "release.csv", "--policy", "policy.yaml", "-o", "r.html", "--pdf")
    assert done.exit_code == 2
    assert "apt install chromium" in done.stderr
    assert not (folder / "r.html").exists()


def test_a_notebook_gets_the_page_in_a_frame_that_runs_nothing(folder: Path) -> None:
    shown = discreet.report("release.csv", "policy.yaml")._repr_html_()
    assert shown.startswith("<iframe ")
    assert 'sandbox=""' in shown
    inside = shown.partition('srcdoc="')[2].partition('"')[0]
    assert unescape(inside).startswith("<!DOCTYPE html>")


def test_promises_of_one_model_are_told_apart(folder: Path) -> None:
    text = POLICY + "require: [k_anonymity: {k: 3}, l_diversity: {column: ill, ell: 2}, "
    (folder / "two.yaml").write_text(
        text + "l_diversity: {column: ill, ell: 1.5, kind: entropy}]\n"
    )
    found = discreet.report("release.csv", "two.yaml").data.promises
    assert len({one.sentence for one in found}) == len(found) == 3


def test_the_inside_edition_is_for_its_owner_alone(folder: Path) -> None:
    made = discreet.report("release.csv", "policy.yaml", original="people.csv")
    made.write("inside.html")
    discreet.report("release.csv", "policy.yaml", edition="outside").write("outside.html")
    rights = {
        name: (folder / name).stat().st_mode & 0o777 for name in ("inside.html", "outside.html")
    }
    usual = (folder / "people.csv").stat().st_mode & 0o777
    assert rights == {"inside.html": 0o600, "outside.html": usual}
