"""``discreet anonymize``: what it shows, what it writes, and what it refuses to write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import discreet
from discreet import Policy, models


def test_json_is_the_facts_and_nothing_else(run: Any, table: Path, policy: Path) -> None:
    result = run("anonymize", table, "--policy", policy, "--json")
    assert result.exit_code == 0
    made = discreet.anonymize(table, discreet.Policy.load(policy)).facts()
    shown = json.loads(result.stdout)
    assert shown.keys() == made.keys()
    assert {**shown, "seconds": 0, "timings": 0} == {**made, "seconds": 0, "timings": 0}
    assert result.stderr == ""


def test_json_has_null_where_there_is_no_number(
    run: Any, table: Path, policy: Path, told: Any
) -> None:
    told(measures={"loss": float("inf"), "precision": float("nan")})
    result = run("anonymize", table, "--policy", policy, "--json")
    assert json.loads(result.stdout)["measures"] == {"loss": None, "precision": None}


def test_quiet_prints_nothing(run: Any, table: Path, policy: Path) -> None:
    result = run("anonymize", table, "--policy", policy, "--quiet", "-k", "2", "--json")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_people_see_levels_promises_and_limits(
    run: Any, table: Path, policy: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    result = run("anonymize", table, "--policy", policy, "-o", out)
    assert result.exit_code == 0
    for told in (
        "level 2 of 2 (intervals of 10)",
        "level 1 of 2 (first 4 characters)",
        "not released",
        "smallest class",
        "holds",
        "Proven to be the best",
        " of 9 nodes",
        "missing: value",
        "every row matches at least 2 other rows",
        "Not promised: a class whose rows share one value of disease",
        f"Written to {out}.",
    ):
        assert told in result.stdout
    rows = out.read_text().splitlines()
    assert rows[0] == "age,zip,disease"
    assert sorted(rows[1:]) == ["20-29,0213*,flu"] * 3 + ["20-29,0213*,gout"] * 3


def test_no_value_of_the_data_is_shown(run: Any, table: Path, policy: Path) -> None:
    result = run("anonymize", table, "--policy", policy)
    assert not any(value in result.stdout for value in ("0213", "gout", "flu", "n1"))


def test_a_bound_is_told_where_nothing_is_proven(
    run: Any, table: Path, policy: Path, told: Any
) -> None:
    told(optimal={"proven": False, "bound": 0.2, "nodes": 16, "nodes_checked": 5})
    result = run("anonymize", table, "--policy", policy)
    assert "Not proven to be the best; none can do better than loss 0.2" in result.stdout


def test_without_a_target_nothing_is_written(
    run: Any, table: Path, policy: Path, tmp_path: Path
) -> None:
    before = sorted(tmp_path.iterdir())
    assert "Nothing was written: give -o OUT." in run("anonymize", table, "--policy", policy).stdout
    assert sorted(tmp_path.iterdir()) == before


def test_flags_alone_make_a_policy_and_say_that_hierarchies_were_proposed(
    run: Any, table: Path, policies: list[Policy]
) -> None:
    result = run("anonymize", table, "-q", "age", "-q", "zip", "-s", "disease", "-k", "3")
    assert result.exit_code == 0
    assert policies[0].released == ("age", "zip", "disease")
    assert "Hierarchies proposed from the data, not chosen by you: age, zip." in result.stdout


def test_flags_win_over_the_policy_and_say_so(
    run: Any, table: Path, policy: Path, policies: list[Policy]
) -> None:
    flags = "-k 2 --suppress 0.1 --algorithm datafly --measure precision --seed 3 --keep-order"
    more = "--keep-suppressed --time-limit 9 -q disease"
    result = run("anonymize", table, "--policy", policy, *flags.split(), *more.split())
    assert result.exit_code == 0
    made = policies[0]
    assert made.require == (models.KAnonymity(2),)
    assert (made.suppress, made.algorithm.name, made.measure.name) == (0.1, "datafly", "precision")
    assert (made.seed, made.order, made.suppressed_rows, made.time_limit) == (3, "keep", "keep", 9)
    assert made.quasi == ("age", "zip", "disease")
    for told in ("k 3 -> 2", "suppress 0.0 -> 0.1", "disease sensitive -> quasi", "seed none -> 3"):
        assert told in result.stderr


def test_a_quasi_flag_keeps_the_hierarchy_of_the_policy(
    run: Any, table: Path, policy: Path, policies: list[Policy]
) -> None:
    result = run("anonymize", table, "--policy", policy, "-q", "age")
    assert result.stderr == ""
    assert policies[0].columns["age"].hierarchy.widths == (5, 10)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--suppress", "4"], "options: suppress: is a share"),
        (["--suppress", "4"], "Did you mean 0.04?"),
        (["--suppress", "4%"], "Did you mean 0.04?"),
        (["--algorithm", "optimum"], "Did you mean 'optimal'?"),
        (["--measure", "los"], "Did you mean 'loss'?"),
        (["-k", "0"], "at least 1"),
        (["--seed", "-1"], "seed: must be at least 0"),
        (["--time-limit", "0"], "time_limit: must be above 0"),
        (["-q", "age", "-s", "age"], "'age' is named as quasi and as sensitive"),
    ],
)
def test_wrong_flags_are_refused_as_a_wrong_policy_is(
    run: Any, table: Path, policy: Path, flags: list[str], told: str
) -> None:
    result = run("anonymize", table, "--policy", policy, *flags)
    assert result.exit_code == 2
    assert told in result.stderr


def test_one_k_cannot_replace_two(run: Any, table: Path, policy: Path) -> None:
    policy.write_text(policy.read_text() + "  - k_anonymity: {k: 2, columns: [age]}\n")
    result = run("anonymize", table, "--policy", policy, "-k", "2")
    assert "-k: the policy has k_anonymity 2 times. Change k in the policy file." in result.stderr


def test_the_file_that_is_read_is_never_the_target(
    run: Any, table: Path, policy: Path, tmp_path: Path
) -> None:
    link = tmp_path / "link.csv"
    link.symlink_to(table)
    before = table.read_bytes()
    for out in (table, link, policy):
        result = run("anonymize", table, "--policy", policy, "-o", out, "--force")
        assert result.exit_code == 2
        assert "this is the file that is read. Name another file." in result.stderr
    assert table.read_bytes() == before


def test_an_existing_file_is_replaced_only_by_force(
    run: Any, table: Path, policy: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    out.write_text("old")
    result = run("anonymize", table, "--policy", policy, "-o", out)
    assert result.exit_code == 2
    assert "exists already" in result.stderr
    assert "--force" in result.stderr
    assert out.read_text() == "old"
    assert run("anonymize", table, "--policy", policy, "-o", out, "--force").exit_code == 0
    assert out.read_text().startswith("age,zip,disease\n")


@pytest.mark.parametrize(
    ("out", "told"),
    [
        (".", "this is a folder"),
        ("/dev/null", "not a plain file"),
        ("nowhere/out.csv", "its folder does not exist"),
        ("out.docx", "the ending '.docx' is not known"),
        ("out", "the name has no ending"),
    ],
)
def test_a_target_that_cannot_be_is_refused_before_the_search(
    run: Any, table: Path, policy: Path, policies: list[Policy], out: str, told: str
) -> None:
    result = run("anonymize", table, "--policy", policy, "-o", out)
    assert result.exit_code == 2
    assert told in result.stderr
    assert policies == []


def test_a_separator_may_be_called_tab(run: Any, table: Path, policy: Path) -> None:
    table.write_text(table.read_text().replace(",", "\t"))
    result = run("anonymize", table, "--policy", policy, "--separator", "tab")
    assert result.exit_code == 0


def test_notes_are_sentences(run: Any, table: Path, policy: Path) -> None:
    table.write_bytes(table.read_bytes().replace(b"n1", b"\xfc"))
    told = run("anonymize", table, "--policy", policy).stdout
    assert "Note: patients.csv is not UTF-8" in told
    assert ".." not in told


def test_a_column_that_is_not_there_is_told_of_the_options(run: Any, table: Path) -> None:
    result = run("anonymize", table, "-q", "age", "-q", "zipp", "-k", "2")
    assert result.exit_code == 2
    assert "options: columns.zipp: patients.csv has no column 'zipp'" in result.stderr
    assert "Did you mean 'zip'?" in result.stderr
