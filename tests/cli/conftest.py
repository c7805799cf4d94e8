"""A runner for the command line, a small table with a policy, and a release that is made up."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.testing import CliRunner

from discreet.cli.main import app

FACTS: dict[str, Any] = {
    "algorithm": "optimal",
    "levels": {"age": 1, "zip": 2},
    "heights": {"age": 3, "zip": 3},
    "rows": 6,
    "rows_suppressed": 0,
    "cells_suppressed": 0,
    "classes": 2,
    "smallest_class": 3,
    "measures": {"precision": 0.5, "loss": 0.25, "discernibility": 18},
    "verdicts": [
        {
            "model": "k_anonymity",
            "holds": True,
            "measured": 3,
            "limit": 3,
            "rows_at_risk": 0,
            "columns": ["age", "zip"],
            "note": "",
        }
    ],
    "optimal": {"proven": True, "bound": 0.25, "nodes": 16, "nodes_checked": 5},
    "seconds": 0.01,
}


@pytest.fixture
def run() -> Callable[..., Any]:
    """Call ``discreet`` with arguments; the result has exit_code, stdout and stderr."""
    return lambda *args: CliRunner().invoke(app, [str(arg) for arg in args])


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "patients.csv"
    rows = ["name,age,zip,disease"]
    rows += [f"n{n},{20 + n},0213{n},{'flu' if n % 2 else 'gout'}" for n in range(6)]
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "policy.yml"
    path.write_text(
        "columns:\n"
        "  age: {role: quasi, hierarchy: {intervals: [5, 10]}}\n"
        "  zip: {role: quasi, hierarchy: {prefix: [4, 3]}}\n"
        "  disease: {role: sensitive}\n"
        "  name: {role: identifier}\n"
        "require:\n"
        "  - k_anonymity: {k: 3}\n"
    )
    return path


class FakeRelease:
    """What ``anonymize`` gives back, with made-up facts."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self._facts = facts

    def facts(self) -> dict[str, Any]:
        return self._facts

    def write(self, path: Path) -> None:
        Path(path).write_text("released\n")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Stands for the library's ``anonymize``: notes its policy, raises or returns what is set."""
    module: Any = ModuleType("discreet.release.anonymize")
    module.error, module.policy, module.facts = None, None, dict(FACTS)

    def anonymize(table: Any, policy: Any, progress: Any = None) -> FakeRelease:
        module.policy = policy
        progress("searching", 0.5)
        if module.error is not None:
            raise module.error
        return FakeRelease(module.facts)

    module.anonymize = anonymize
    monkeypatch.setitem(sys.modules, "discreet.release.anonymize", module)
    return module
