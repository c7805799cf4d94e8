"""The app with a client or in a browser, and a small table with a policy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from discreet.reporting.browser import find_browser
from discreet.web import workspace as workspaces
from discreet.web.app import App
from tests.web.browsing import FLAGS, PATIENCE, Served
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


# In a browser

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = find_browser()
    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=program, args=[*FLAGS])
        yield found
        found.close()


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small table and its policy, for all browser tests of a module."""
    path = tmp_path_factory.mktemp("private") / "patients.csv"
    path.write_text("\n".join(ROWS) + "\n")
    path.with_name("policy.yaml").write_text(POLICY)
    return path


@pytest.fixture(scope="module")
def served(patients: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(
        *(str(patients), "--policy", str(patients.with_name("policy.yaml"))),
        temporary=tmp_path_factory.mktemp("temporary"),
    )
    yield found
    assert found.end() == (0, "")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1400, "height": 900}, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    found = context.new_page()
    found.errors = []  # type: ignore[attr-defined]
    found.on("pageerror", lambda error: found.errors.append(str(error)))  # type: ignore[attr-defined]
    found.on(
        "console",
        lambda one: found.errors.append(one.text) if one.type == "error" else None,  # type: ignore[attr-defined]
    )
    yield found
    context.close()
