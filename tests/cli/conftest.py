"""A runner for the command line, a small table with a policy, and ways to look into a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from discreet.cli.main import app
from discreet.pipeline import anonymize as library
from discreet.pipeline.anonymize import Release
from discreet.policy.policy import Policy
from tests.cli.starter import Starter


@pytest.fixture
def run() -> Callable[..., Any]:
    """Call ``discreet`` with arguments; the result has exit_code, stdout and stderr."""
    return lambda *args: CliRunner().invoke(app, [str(arg) for arg in args])


@pytest.fixture(scope="session")
def starter() -> Iterator[Starter]:
    """Runs commands in processes of their own."""
    started = Starter()
    yield started
    started.close()


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


@pytest.fixture
def policies(monkeypatch: pytest.MonkeyPatch) -> list[Policy]:
    """The policies under which releases were made, in turn; the releases are real."""
    seen: list[Policy] = []
    real = library.anonymize

    def anonymize(table: Any, policy: Policy, *more: Any, **named: Any) -> Release:
        seen.append(policy)
        return real(table, policy, *more, **named)

    monkeypatch.setattr(library, "anonymize", anonymize)
    return seen


@pytest.fixture
def fail(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Have the search fail with an error that no input is known to cause."""

    def fail_with(error: BaseException) -> None:
        def anonymize(*_: Any, **__: Any) -> Release:
            raise error

        monkeypatch.setattr(library, "anonymize", anonymize)

    return fail_with


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Change some facts of a real release, to values that no input is known to give."""

    def tell(**changes: Any) -> None:
        real = Release.facts
        monkeypatch.setattr(Release, "facts", lambda self: {**real(self), **changes})

    return tell
