"""The JSON of some commands: every key is on the reference page, and no other.

``format``, which all have, is described once, in its section on schemas.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from discreet.cli.main import app
from tests.docs.page import ROOT

PAGE = ROOT / "docs" / "reference" / "json.md"
MAPS = {
    *("uniques", "parameters", "rows_by_smallest", "minimal_uniques", "contributions"),
    *("values_found", "domains", "weights", "counts"),
}
"""Keys whose value is a map: by method, by column or by number, so that its keys are no words."""

QUASI = ("-q", "age", "-q", "sex")
CALLS: dict[str, list[tuple[str, ...]]] = {
    "identify": [
        ("people.csv", "--minimum", "--drop-duplicates"),
        ("people.csv", "--minimum", "--separation", "0.5", "--epsilon", "0.3", "--weight", "age=2"),
        ("people.csv", "--all", "--distinct", "0.2", "--picture", "sets.svg"),
        ("people.csv", "--all", "--separation", "0.5", "--max-size", "2"),
    ],
    "techniques": [(), ("people.csv", "-c", "age", "-c", "sex", "--seed", "1")],
    "hipaa": [("counts.csv",)],
    "key": [("new.key",), ("sign.key", "--signing")],
    "mask": [
        ("people.csv", "--distinct", "0.5"),
        ("people.csv", "--separation", "0.9", "--sample", "50", "--weight", "age=2"),
    ],
    "risk": [
        ("people.csv", *QUASI),
        ("people.csv", "--policy", "towns.yaml"),
        ("people.csv", *QUASI, "--register", "people.csv"),
        ("people.csv", *QUASI, "--population", "200", "--alpha", "0.2", "--simulate"),
        ("counts.csv", "--frequency", "people", "-q", "age", "--with", "jobs.csv"),
        ("counts.csv", "--frequency", "people", "-q", "age", "--width", "2"),
    ],
}


def keys_in(value: Any) -> Iterator[str]:
    """Every key, at any depth."""
    if isinstance(value, list):
        for item in value:
            yield from keys_in(item)
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            inside = item.values() if key in MAPS and isinstance(item, dict) else [item]
            for one in inside:
                yield from keys_in(one)


def documented(command: str) -> set[str]:
    """What stands in backticks in the section of a command, but for options."""
    parts = re.split(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    section = dict(zip(parts[1::2], parts[2::2], strict=True))[command]
    return {key for key in re.findall(r"`([^`\n]+)`", section) if not key.startswith("-")}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [f"{20 + n % 7},{'mf'[n % 2]},{n % 20}" for n in range(40)]
    Path("people.csv").write_text("\n".join(["age,sex,town", *rows, rows[0]]) + "\n")
    Path("counts.csv").write_text("age,people\n20,5\n21,9\n22,4\n")
    Path("jobs.csv").write_text("job,people\nx,8\ny,10\n")
    Path("towns.yaml").write_text(
        "{people: {column: town}, columns: {age: {role: quasi}}, require: [{k_anonymity: {k: 2}}]}"
    )


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", CALLS)
def test_keys_of_the_json_are_those_of_the_page(command: str) -> None:
    printed: set[str] = set()
    for call in CALLS[command]:
        done = CliRunner().invoke(app, [command, *call, "--json"])
        assert done.exit_code == 0, done.stderr
        printed |= set(keys_in(json.loads(done.stdout)))
    assert printed - documented(command) - {"format"} == set(), "printed, and not on the page"
    assert documented(command) - printed == set(), "on the page, and not printed"
