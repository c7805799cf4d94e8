"""The app with a client, and a small table with a policy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from discreet.web import workspace as workspaces
from discreet.web.app import App
from tests.web.client import ORIGIN, POLICY, PORT, ROWS, SECRET, Client, WorkerInPlace


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A small private table."""
    path = tmp_path / "patients.csv"
    path.write_text("\n".join(ROWS) + "\n")
    return path


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """A policy for it, with comments."""
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY)
    return path


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """The app, whose work is done in place."""
    monkeypatch.setattr(workspaces, "Worker", WorkerInPlace)
    found = App(SECRET, PORT)
    yield found
    found.desk.close()


@pytest.fixture
def client(app: App) -> Iterator[Client]:
    with Client(app.guarded, base_url=ORIGIN, client=("127.0.0.1", 50000)) as found:
        yield found


@pytest.fixture
def place(client: Client, table: Path) -> str:
    """The address of a workspace in which the table is open."""
    found = client.begin()
    answer = client.submit(f"{found}/open/path", path=str(table))
    assert answer.status_code == 200, answer.text
    return found
