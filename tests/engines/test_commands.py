"""The commands on a table that stays in its database."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from discreet.cli.main import app

POLICY = """\
columns:
  age: {role: quasi, hierarchy: {intervals: [5, 10, 20]}}
  disease: {role: sensitive}
require:
  - k_anonymity: {k: 3}
seed: 1
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command in a folder with the policy; its exit code and output."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.yaml").write_text(POLICY)

    def call(*args: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, list(args), prog_name="discreet")
        return done.exit_code, done.output

    return call


def test_a_table_is_released_and_verified_where_it_is(place: Any, run: Any) -> None:
    named = (place.address, "--table", "visits", "--policy", "policy.yaml")
    code, said = run("anonymize", *named, "-o", "out", "--dry-run")
    assert code == 0 and "CREATE TABLE" in said and "discreet_staging_RANDOM" in said
    assert place.list_tables() == ["visits"]
    code, said = run("anonymize", *named, "-o", "out", "--json")
    assert code == 0 and json.loads(said)["rows_released"] == 240
    code, said = run("anonymize", *named, "-o", "out")
    assert code == 2 and "there is a table or view 'out' already" in said and "--force" in said
    assert run("anonymize", *named, "-o", "out", "--force", "--quiet") == (0, "")
    code, said = run("verify", place.address, "--table", "out", "--policy", "policy.yaml")
    assert code == 0 and "every promise holds" in said
    assert sorted(place.list_tables()) == ["out", "visits"]


def test_a_name_with_the_ending_of_a_file_is_a_file(place: Any, run: Any) -> None:
    named = (place.address, "--table", "visits", "--policy", "policy.yaml")
    assert run("anonymize", *named, "-o", "out.csv", "--quiet") == (0, "")
    assert Path("out.csv").read_text().startswith("age,disease\n")
    assert place.list_tables() == ["visits"]


@pytest.mark.parametrize("command", ["inspect", "identify", "risk", "levels", "compare"])
def test_commands_that_look_at_a_table_take_an_address(
    postgresql: Any, run: Any, command: str
) -> None:
    asked = {"levels": ("--policy", "policy.yaml"), "compare": ("--policy", "policy.yaml")}
    more = asked.get(command, ("-q", "age", "-q", "member") if command == "risk" else ())
    code, said = run(command, postgresql.address, "--table", "visits", "--json", *more)
    assert code in (0, 1), said
    assert json.loads(said[said.index("{") :])


def test_a_dry_run_of_a_file_is_refused(run: Any) -> None:
    Path("a.csv").write_text("age\n1\n2\n")
    code, said = run("anonymize", "a.csv", "--policy", "policy.yaml", "-o", "b.csv", "--dry-run")
    assert code == 2 and "--dry-run: it prints the SQL" in said


def test_every_table_of_a_command_can_be_named_in_an_address(
    duckdb_place: Any, postgresql: Any, run: Any
) -> None:
    for place in (duckdb_place, postgresql):
        table = f"{place.address}#visits"
        policy = ("--policy", "policy.yaml")
        assert run("anonymize", table, *policy, "-o", "out", "--quiet")[0] == 0
        release = f"{place.address}#out"
        code, said = run("verify", release, *policy, "--original", table)
        assert code == 0 and "every promise holds" in said
        asked = ("--register", table, "--original", table, "--earlier", release)
        code, said = run("attack", release, *policy, *asked, "--json")
        assert code in (0, 1) and json.loads(said)["attacks"], said
        code, said = run("risk", release, "-q", "age", "--register", table, "--json")
        assert code in (0, 1) and json.loads(said), said
    code, said = run("inspect", f"{postgresql.address}#visits", "--table", "other")
    assert code == 2 and "two tables are named" in said


@pytest.mark.parametrize(
    "address",
    ["postgresql://ann:x#geheim@127.0.0.1:1/d", "postgresql://127.0.0.1:1/d?password=x#geheim"],
)
def test_a_mark_in_a_password_is_not_taken_for_a_table(run: Any, address: str) -> None:
    code, said = run("inspect", address)
    assert code == 2 and "geheim" not in said
