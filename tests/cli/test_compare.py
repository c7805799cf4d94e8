"""``discreet compare``: algorithms side by side, as tables, as JSON and as a picture."""

from __future__ import annotations

import builtins
import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet.algorithms import ALL, Fixed
from discreet.pipeline.withstand import Intruder, attack_release


def test_every_algorithm_that_can_keep_the_policy_is_run(
    run: Any, table: Path, policy: Path
) -> None:
    result = run("compare", table, "--policy", policy, "--json")
    assert result.exit_code == 0
    facts = json.loads(result.stdout)
    titles = [one["title"] for one in facts["results"] + facts["refused"]]
    assert titles[0] == "optimal"
    assert {title.split(" ")[0] for title in titles} == {
        one.name for one in ALL if one is not Fixed
    }


def test_a_result_has_the_facts_of_a_release_and_the_attacks(
    run: Any, table: Path, policy: Path
) -> None:
    result = run("compare", table, "--policy", policy, "-a", "optimal", "--json")
    (one,) = json.loads(result.stdout)["results"]
    alone = discreet.anonymize(table, discreet.Policy.load(policy)).facts()
    assert alone.keys() <= one.keys()
    assert one["measures"] == alone["measures"]
    assert one["holds"]
    policy_of = discreet.Policy.load(policy)
    release = discreet.anonymize(table, policy_of)
    attacked = attack_release(release, Intruder()).facts()
    said = ("attack", "applies", "decided", "succeeds", "breaks", "rows_exposed")
    found, alike = (
        [{key: a[key] for key in said} for a in facts["attacks"]] for facts in (one, attacked)
    )
    assert found == alike
    assert one["withstands"] == attacked["holds"]


def test_people_see_protection_and_detail(run: Any, table: Path, policy: Path) -> None:
    result = run("compare", table, "--policy", policy, "-a", "optimal", "-a", "local")
    assert result.exit_code == 0
    for told in ("Protection", "Detail", "optimal", "local", "kept", "smallest class", "seconds"):
        assert told in result.stdout
    assert "datafly" not in result.stdout


def test_an_algorithm_is_written_as_in_a_policy(run: Any, table: Path, policy: Path) -> None:
    written = "{datafly: {heuristic: minimal}}"
    result = run("compare", table, "--policy", policy, "-a", written, "--json")
    assert [one["title"] for one in json.loads(result.stdout)["results"]] == ["datafly (minimal)"]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("optimum", "'optimum' is not a known algorithm"),
        ("{datafly: {heuristic: best}}", "heuristic"),
        ("{datafly: [", "this is neither a name nor a mapping"),
    ],
)
def test_an_unknown_algorithm_is_refused_by_name(
    run: Any, table: Path, policy: Path, written: str, told: str
) -> None:
    result = run("compare", table, "--policy", policy, "-a", written)
    assert result.exit_code == 2
    assert told in result.stderr


def test_what_cannot_keep_the_policy_says_why(run: Any, table: Path, tmp_path: Path) -> None:
    policy = tmp_path / "diverse.yml"
    policy.write_text(
        "columns:\n  age: {role: quasi}\n  disease: {role: sensitive}\n"
        "require:\n  - l_diversity: {column: disease, ell: 2}\n"
    )
    result = run("compare", table, "--policy", policy, "-a", "exact", "-a", "optimal")
    assert result.exit_code == 0
    assert "Not run: exact: the algorithm exact cannot promise l_diversity" in result.stdout


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_picture_is_drawn(
    run: Any, table: Path, policy: Path, tmp_path: Path, ending: str
) -> None:
    picture = tmp_path / f"compared.{ending}"
    result = run("compare", table, "--policy", policy, "-a", "optimal", "--picture", picture)
    assert result.exit_code == 0
    assert f"Drawn to {picture}." in result.stdout
    start = picture.read_bytes()[:5]
    assert start in {b"<?xml", b"\x89PNG\r", b"%PDF-"}


def test_a_picture_names_every_algorithm_and_the_bound(
    run: Any, table: Path, policy: Path, tmp_path: Path
) -> None:
    from discreet.reporting.pictures import plot_comparison

    result = run("compare", table, "--policy", policy, "--measure", "granularity", "--json")
    facts = json.loads(result.stdout)
    drawn = plot_comparison(facts).render("", "")
    labels = [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", drawn)]
    assert [one["title"] for one in facts["results"]] == labels[: len(facts["results"])]


def test_the_same_comparison_gives_the_same_picture(tmp_path: Path) -> None:
    from discreet.reporting.pictures import draw_comparison

    facts: dict[str, Any] = {"measure": "loss", "results": [], "refused": []}
    for name in ("a.svg", "b.svg"):
        draw_comparison(facts, tmp_path / name)
    assert (tmp_path / "a.svg").read_text() == (tmp_path / "b.svg").read_text()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("p.gif", "the ending '.gif' is not known"),
        ("patients.csv", "this is the file that is read"),
    ],
)
def test_a_picture_that_cannot_be_is_refused(
    run: Any, table: Path, policy: Path, tmp_path: Path, name: str, told: str
) -> None:
    result = run("compare", table, "--policy", policy, "--picture", tmp_path / name)
    assert result.exit_code == 2
    assert told in result.stderr


def test_an_existing_picture_is_not_replaced(
    run: Any, table: Path, policy: Path, tmp_path: Path
) -> None:
    (tmp_path / "p.svg").write_text("mine")
    result = run("compare", table, "--policy", policy, "--picture", tmp_path / "p.svg")
    assert result.exit_code == 2
    assert "exists already" in result.stderr
    assert (tmp_path / "p.svg").read_text() == "mine"


def test_without_the_extra_a_picture_is_refused_before_any_work(
    run: Any, table: Path, policy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name.startswith("resvg"):
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    result = run("compare", table, "--policy", policy, "--picture", tmp_path / "p.png")
    assert result.exit_code == 2
    assert "pip install 'discreet[plots]'" in result.stderr


def test_two_variants_with_one_title_are_told_apart(run: Any, table: Path, policy: Path) -> None:
    result = run("compare", table, "--policy", policy, "-a", "datafly", "-a", "datafly", "--json")
    titles = [one["title"] for one in json.loads(result.stdout)["results"]]
    assert titles == ["datafly", "datafly #2"]


def test_an_algorithm_that_releases_no_row_is_compared_with_a_sensitive_column(
    run: Any, tmp_path: Path
) -> None:
    table = tmp_path / "table.csv"
    table.write_text("age,ill\n" + "31,flu\n" * 3)
    policy = tmp_path / "policy.yaml"
    policy.write_text(
        "columns: {age: {role: quasi}, ill: {role: sensitive}}\n"
        "require:\n  - l_diversity: {column: ill, ell: 2}\nsuppress: 1\n"
    )
    found = run("compare", table, "--policy", policy, "--json")
    assert found.exit_code == 0, found.output
    results = json.loads(found.stdout)["results"]
    empty = [one for one in results if one["rows_released"] == 0]
    assert empty
    assert all(one["attacks"] == [] and one["withstands"] for one in empty)


def test_what_a_release_fails_means_the_same_as_in_attack(run: Any, tmp_path: Path) -> None:
    """One value in a class is learned without a promise, and breaks one about the column."""
    table, policy = tmp_path / "table.csv", tmp_path / "policy.yaml"
    lines = [f"{30 + n // 4},{'flu' if n < 4 or n % 2 else 'gout'}" for n in range(12)]
    table.write_text("\n".join(["age,ill", *lines]))
    said = "columns: {age: {role: quasi}, ill: {role: sensitive}}\nseed: 1\nrequire:\n"
    policy.write_text(f"{said}  - k_anonymity: {{k: 4}}\n")
    shown = run("compare", table, "--policy", policy, "-a", "optimal").stdout
    (line,) = [
        line for line in shown.splitlines() if line.startswith(" optimal") and "kept" in line
    ]
    assert "none" in line and "homogeneity (4)" in line
    out = tmp_path / "out.csv"
    assert run("anonymize", table, "--policy", policy, "-o", out).exit_code == 0
    attacked = run("attack", out, "--policy", policy)
    assert attacked.exit_code == 0
    (line,) = [line for line in attacked.stdout.splitlines() if line.startswith(" homogeneity")]
    assert line.split()[1:3] == ["learns", "4"]
