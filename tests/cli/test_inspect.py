"""``discreet inspect``: a table for people, the same as JSON, and a first policy."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from discreet.policy.policy import Policy

Run = Callable[..., Any]


def test_roles_and_reasons_are_shown_without_values(run: Run, table: Path) -> None:
    done = run("inspect", table)
    assert done.exit_code == 0
    assert "patients.csv: 6 rows, 4 columns" in done.stdout
    assert "its name says 'postal code'" in done.stdout
    assert "gout" not in done.stdout
    assert "02133" not in done.stdout


def test_the_last_lines_say_what_to_do_next(run: Run, table: Path) -> None:
    last = run("inspect", table).stdout.splitlines()[-1]
    assert last.strip() == f"discreet inspect {table} --write-policy patients.yaml"


def test_json_holds_the_same_facts_and_nothing_else(run: Run, table: Path) -> None:
    facts = json.loads(run("inspect", table, "--json").stdout)
    assert facts["rows"] == 6
    assert [(c["name"], c["role"]) for c in facts["columns"]] == [
        ("name", "identifier"),
        ("age", "quasi"),
        ("zip", "quasi"),
        ("disease", "sensitive"),
    ]
    wanted = {"name", "kind", "missing", "distinct", "role", "reasons", "identifier_kind", "doubt"}
    assert all(wanted <= column.keys() for column in facts["columns"])


def test_a_policy_is_written_that_loads(run: Run, table: Path, tmp_path: Path) -> None:
    path = tmp_path / "first.yaml"
    done = run("inspect", table, "--write-policy", path)
    assert done.exit_code == 0
    assert f"--policy {path}" in done.stdout
    assert Policy.load(path).quasi == ("age", "zip")


def test_an_existing_policy_is_not_replaced_unasked(run: Run, table: Path, policy: Path) -> None:
    before = policy.read_text()
    done = run("inspect", table, "--write-policy", policy)
    assert done.exit_code == 2
    assert "exists already" in done.stderr
    assert policy.read_text() == before
    assert run("inspect", table, "--write-policy", policy, "--force").exit_code == 0
    assert policy.read_text() != before


def test_the_table_itself_is_never_replaced(run: Run, table: Path) -> None:
    before = table.read_text()
    assert run("inspect", table, "--write-policy", table, "--force").exit_code == 2
    assert table.read_text() == before


def test_quiet_prints_nothing(run: Run, table: Path) -> None:
    assert run("inspect", table, "--quiet").stdout == ""


def test_a_missing_file_is_named_and_nothing_written(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "first.yaml"
    done = run("inspect", tmp_path / "none.csv", "--write-policy", path)
    assert done.exit_code == 2
    assert "none.csv" in done.stderr
    assert not path.exists()


def test_separator_and_encoding_are_passed_on(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes("straße;größe\nHauptstraße 1;180\nAm Weg 2;170\n".encode("cp1252"))
    done = run("inspect", path, "--separator", ";", "--encoding", "cp1252", "--json")
    assert [c["name"] for c in json.loads(done.stdout)["columns"]] == ["straße", "größe"]


def test_a_wide_table_with_long_names_gets_a_policy_that_can_be_read(
    run: Run, tmp_path: Path
) -> None:
    names = [f"c{n}" for n in range(600)] + ["n" * 1500]
    rows = [",".join(str(row % (2 + n % 4)) for n in range(len(names))) for row in range(12)]
    file, policy = tmp_path / "wide.csv", tmp_path / "p.yaml"
    file.write_text("\n".join([",".join(names), *rows]) + "\n")
    done = run("inspect", file, "--write-policy", policy, "--json")
    assert done.exit_code == 0, done.stderr
    assert [column["name"] for column in json.loads(done.stdout)["columns"]] == names
    assert set(Policy.load(policy).columns) <= set(names)
    assert names[-1] in Policy.load(policy).columns


def make_jobs(folder: Path) -> Path:
    lines = ["job,town,age"]
    for number in range(60):
        job = ("nurse", "cook", "clerk")[number % 3]
        lines.append(f"{job},{('Oslo', 'Rome')[number % 2]},{20 + number % 30}")
    path = folder / "jobs.csv"
    path.write_text("\n".join([*lines, "astronaut,Oslo,44", "diver,Rome,45"]) + "\n")
    return path


def test_a_tree_shows_frequent_values_and_counts_rare_ones(run: Run, tmp_path: Path) -> None:
    done = run("inspect", make_jobs(tmp_path), "--tree", "job")
    assert done.exit_code == 0
    assert "nurse" in done.stdout
    assert "rare value" in done.stdout
    assert "astronaut" not in done.stdout
    assert "diver" not in done.stdout
    facts = json.loads(run("inspect", make_jobs(tmp_path), "--tree", "job", "--json").stdout)
    assert facts["tree"][0].split() == ["100.0", "%", "*"]
    assert facts["given_up"] == []


def test_a_tree_needs_a_column_of_the_table(run: Run, tmp_path: Path) -> None:
    done = run("inspect", make_jobs(tmp_path), "--tree", "jobs")
    assert done.exit_code == 2
    assert "Did you mean 'job'" in done.stderr
