"""Three people, each from a file to what they came for: a manager, a statistician, an engineer."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

import discreet
from discreet import sample
from discreet.cli.main import app
from tests.shared_data import shared
from tests.web.browsing import Served
from tests.web.client import POLICY, ROWS


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The app with no file; each journey opens its own."""
    found = Served(temporary=tmp_path_factory.mktemp("temporary"))
    yield found
    assert found.end() == (0, "")


class Clicks:
    """Clicks of one person, counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def __call__(self, what: str) -> None:
        self.page.click(what)
        self.count += 1


def test_a_hospital_manager_comes_to_a_verified_release_in_ten_clicks(
    page: Page, served: Served, tmp_path: Path
) -> None:
    hospital, release = tmp_path / "hospital.csv", tmp_path / "for_research.csv"
    hospital.write_bytes(sample.encode_csv(sample.make().patients))
    click = Clicks(page)
    page.goto(served.address)
    page.fill("#field-path", str(hospital))
    click("main button:has-text('Open the file')")
    expect(page.locator(".file")).to_contain_text("8,000 rows")
    click("text=Check the roles")
    expect(page.locator("#risk .big")).to_be_visible()
    click("#column-2 .choice.identifier")  # nobody needs the date of the visit
    expect(page.locator("#policy-text .changed")).to_contain_text("visit: {role: identifier")
    click("nav >> text=Promises")
    expect(page.locator("#promise-0-k")).to_have_value("5")
    click("nav >> text=Search")
    click("#search-run")
    expect(page.locator("#search-result")).to_contain_text("of the detail")
    click("nav >> text=Release")
    page.fill("#field-path", str(release))
    click("#make")
    expect(page.locator("#made .holds").first).to_contain_text("holds")
    assert page.locator("#made .fails").count() == 0
    assert click.count <= 10
    saved = tmp_path / "policy.yaml"
    with page.expect_download() as coming:
        page.click("#policy a[download]")
    coming.value.save_as(saved)
    assert discreet.verify(release, discreet.Policy.load(saved)).holds
    assert page.errors == []  # type: ignore[attr-defined]


def open_with_policy(page: Page, table: Path, policy: Path) -> None:
    """Open a table by its path, and go on with a policy."""
    page.fill("#field-path", str(table))
    page.click("main summary:has-text('A policy to go on with')")
    page.fill("#field-policy", str(policy))
    page.click("main button:has-text('Open the file')")
    expect(page.locator("#rows")).to_contain_text("1 to 50 of")


STUDY = """\
columns:
  age: {role: quasi, hierarchy: {intervals: [5, 10, 20]}}
  education: {role: quasi}
  race: {role: quasi}
  sex: {role: quasi}
  income: {role: sensitive}
require:
  - k_anonymity: {k: 10}
suppress: 0.02
"""


def test_a_statistician_changes_explores_uses_and_compares(
    page: Page, served: Served, tmp_path: Path
) -> None:
    adult = shared("data", "adult", "adult.csv")
    study = tmp_path / "study.yaml"
    study.write_text(STUDY)
    page.goto(served.address)
    open_with_policy(page, adult, study)
    page.click("nav >> text=Hierarchies")
    page.fill("#intervals-main", "10, 30")
    page.keyboard.press("Enter")
    expect(page.locator("#policy-text .changed")).to_contain_text("intervals: [10, 30]")
    page.click("nav >> text=Search")
    page.click("#search-run")
    expect(page.locator("#search-result")).to_contain_text("Proven best")
    page.click("text=Explore the neighbourhood")
    best = page.locator("#node-title code").inner_text()
    other = page.locator(".heat td:not(.shade-no):not(.here) a").first
    other.click()
    expect(page.locator("#node-title code")).not_to_have_text(best)
    used = page.locator("#node-title code").inner_text()
    page.click("#pin-here")
    expect(page.locator("#pins")).to_contain_text(used)
    page.click("#use-here")
    expect(page.locator("#policy-text")).to_contain_text("fixed:")
    expect(page.locator("#node-title code")).to_have_text(used)
    page.reload()
    expect(page.locator("#policy-text")).to_contain_text("fixed:")
    expect(page.locator("#pins")).to_contain_text(used)
    page.click("#undo")
    expect(page.locator("#policy-text")).not_to_contain_text("fixed:")
    expect(page.locator("#policy-text")).to_contain_text("intervals: [10, 30]")
    page.click("#redo")
    page.click("nav >> text=Compare")
    page.uncheck("#algorithm-local")
    page.click("#compare-run")
    expect(page.locator("#compared tbody tr").first).to_contain_text("kept")
    expect(page.locator("#compared")).to_contain_text("datafly")
    expect(page.locator("#compared")).to_contain_text(used)
    assert page.errors == []  # type: ignore[attr-defined]


def test_an_engineer_gets_the_same_bytes_from_the_shown_command_and_policy(
    page: Page, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, policy, release = (tmp_path / name for name in ("patients.csv", "in.yaml", "out.csv"))
    table.write_text("\n".join(ROWS) + "\n")
    policy.write_text(POLICY + "seed: 7\n")
    page.goto(served.address)
    open_with_policy(page, table, policy)
    page.click("nav >> text=Promises")
    page.fill("#promise-0-k", "6")
    page.keyboard.press("Enter")
    expect(page.locator("#policy-text .changed")).to_contain_text("k: 6")
    page.click("nav >> text=Release")
    page.fill("#field-path", str(release))
    page.click("#make")
    expect(page.locator("#made")).to_contain_text("✓ holds")
    shown, command = page.locator("#policy-text").text_content(), page.locator("#made-command")
    program, *words = shlex.split(command.inner_text())
    assert program == "discreet"
    assert POLICY.replace("k: 3", "k: 6") + "seed: 7\n" == shown
    of_the_browser = release.read_bytes()
    release.unlink()
    monkeypatch.chdir(tmp_path)
    Path(words[words.index("--policy") + 1]).write_text(shown)
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert release.read_bytes() == of_the_browser
    assert page.errors == []  # type: ignore[attr-defined]
