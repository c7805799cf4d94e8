"""ARX's proven optima on the adult table, from the command line and from Python."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

import discreet
from discreet.cli.main import app
from tests.shared_data import SHARED, shared

ANSWERS = SHARED / "golden" / "arx_adult.csv"
MODELS = {
    "distinct l-diversity": lambda n, s: {"l_diversity": {"column": s, "ell": int(n)}},
    "entropy l-diversity": lambda n, s: {
        "l_diversity": {"column": s, "ell": float(n), "kind": "entropy"}
    },
    "t-closeness": lambda n, s: {"t_closeness": {"column": s, "t": float(n), "distance": "equal"}},
}

Row = dict[str, str]


def answers() -> list[Any]:
    if not ANSWERS.exists():
        reason = "the shared data is not beside the project: no golden/arx_adult.csv"
        return [pytest.param({}, marks=pytest.mark.skip(reason=reason), id="arx_adult.csv")]
    with ANSWERS.open(newline="") as file:
        return [pytest.param(row, id=named(row)) for row in csv.DictReader(file)]


def named(row: Row) -> str:
    model = f", {row['model']}" if row["model"] else ""
    return f"{row['measure']}, k={row['k']}{model}, suppress={row['suppress']}"


def require(row: Row) -> list[dict[str, Any]]:
    models: list[dict[str, Any]] = [{"k_anonymity": {"k": int(row["k"])}}]
    if row["model"]:
        name, number = re.fullmatch(r"([\w -]+).*=([\d.]+)", row["model"]).groups()
        models.append(MODELS[name](number, row["sensitive"]))
    return models


def policy_data(row: Row) -> dict[str, Any]:
    """All nine columns quasi, less the sensitive one."""
    with shared("data", "adult", "adult_arx.csv").open() as file:
        names = file.readline().strip().split(";")
    columns: dict[str, Any] = {}
    for name in names:
        path = shared("data", "adult", "hierarchies", f"{name}.csv")
        columns[name] = {"role": "quasi", "hierarchy": {"file": str(path)}}
    if row["sensitive"]:
        columns[row["sensitive"]] = {"role": "sensitive"}
    return {
        "columns": columns,
        "require": require(row),
        "suppress": float(row["suppress"]),
        "measure": row["measure"],
    }


def check(facts: dict[str, Any], row: Row) -> None:
    measured = facts["measures"][row["measure"]]
    score = 1 - measured if row["measure"] == "precision" else measured
    assert score == pytest.approx(float(row["score"]), abs=1e-9, rel=0)
    assert facts["optimal"]["proven"] is True
    assert all(verdict["holds"] for verdict in facts["verdicts"])
    assert facts["rows_suppressed"] == int(row["rows_suppressed"])
    if row["measure"] == "loss":
        assert facts["classes"] == int(row["classes"])
        assert facts["smallest_class"] == int(row["smallest_class"])
        levels = dict(part.split("=") for part in row["levels"].split("|"))
        assert facts["levels"] == {name: int(level) for name, level in levels.items()}


@pytest.mark.parametrize("row", answers())
def test_the_command_line_finds_the_optimum_of_arx(row: Row, tmp_path: Path) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(yaml.safe_dump(policy_data(row)))
    table = shared("data", "adult", "adult_arx.csv")
    result = CliRunner().invoke(app, ["anonymize", str(table), "--policy", str(path), "--json"])
    assert result.exit_code == 0, result.stderr
    check(json.loads(result.stdout), row)


@pytest.mark.parametrize("row", answers())
def test_python_finds_the_optimum_of_arx(row: Row) -> None:
    policy = discreet.Policy(**policy_data(row))
    table = discreet.read(shared("data", "adult", "adult_arx.csv"))
    check(discreet.anonymize(table, policy).facts(), row)
