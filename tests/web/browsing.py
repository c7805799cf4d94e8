"""The app in a process of its own, and what is held of every page that it shows in a browser."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page

from tests.reporting.test_browser import AXE, RULES

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"),
    *("--disable-component-update", "--disable-dev-shm-usage", "--no-first-run"),
)
PATIENCE = 30_000
"""Milliseconds that a page may take on a busy machine."""
SCHEMES = ("light", "dark")
OPEN_DETAILS = "document.querySelectorAll('details').forEach(one => { one.open = true; })"


class Served:
    """The app in a process of its own, as the command starts it."""

    def __init__(self, *args: str, temporary: Path, folder: Path | None = None) -> None:
        self.temporary = temporary
        self.process = subprocess.Popen(
            [sys.executable, "-m", "discreet", "web", "--no-browser", *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(temporary)},
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[-1]

    def end(self) -> tuple[int, str]:
        """End it as Ctrl-C does; its exit code and what it complained of."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            _, complaint = self.process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        return self.process.returncode, complaint

    def list_children(self) -> list[int]:
        """The processes that it started."""
        task = Path(f"/proc/{self.process.pid}/task")
        return [
            int(child) for one in task.iterdir() for child in (one / "children").read_text().split()
        ]


def begin(page: Page, served: Served) -> None:
    page.goto(served.address)
    page.wait_for_selector("#rows")


def find_violations(page: Page, passes: int = 0) -> list[str]:
    """What axe finds against WCAG A and AA with all details open."""
    page.evaluate(OPEN_DETAILS)
    page.evaluate(AXE.read_text(encoding="utf-8") + ";0")  # as a debugger: no page may do this
    found = page.evaluate(f"axe.run(document, {RULES})")
    assert len(found["passes"]) > passes
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]


def check_access(page: Page) -> None:
    """Axe finds nothing in both schemes on the page as it is, and 320 points are wide enough."""
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert find_violations(page) == []
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    assert page.errors == []  # type: ignore[attr-defined]
