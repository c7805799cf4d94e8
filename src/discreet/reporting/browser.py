"""Chromium without a window, for a report as PDF; the report touches no disk on its way there.

The browser is spoken to through a pipe (the DevTools protocol, messages of JSON that end in a zero
byte). It gets the page as a message and answers with the PDF. Its profile is an empty folder for
its owner alone, gone afterwards. All its traffic is sent to a port where nobody listens.
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from types import TracebackType
from typing import Any

from discreet.errors import WriteError

PROGRAMS = (
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    "microsoft-edge",
)
FLAGS = (
    *("--headless", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check"),
    *("--disable-gpu", "--disable-extensions", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
    *("--hide-scrollbars", "--mute-audio", "--password-store=basic"),
)
NOWHERE = "--proxy-server=http://127.0.0.1:9"
"""Where nobody listens: a page that asks for anything gets nothing."""

PATIENCE = 60.0
"""Seconds that an answer may take."""

_START = "import os,sys;os.dup2(int(sys.argv[1]),3);os.dup2(int(sys.argv[2]),4);" + (
    "os.execv(sys.argv[3],sys.argv[3:])"
)
"""The browser reads descriptor 3 and writes descriptor 4; ours have other numbers."""


def find_browser() -> str:
    """The program of a Chromium; refused with how to get one where there is none."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        raise WriteError(
            "a report in PDF",
            "it is printed by Chromium, which is not installed",
            "Install it (on Debian and Ubuntu: apt install chromium), or open the HTML file in "
            "any browser and print it to PDF.",
        )
    return found


def print_pdf(page: str) -> bytes:
    """The page as a tagged PDF."""
    with Browser(find_browser()) as browser:
        browser.show(page)
        return browser.print()


class Browser:
    """One browser with one page; ends with its context."""

    def __init__(self, program: str, *more: str) -> None:
        self.program, self.more = program, more or (NOWHERE,)
        self.events: list[dict[str, Any]] = []
        self._number, self._rest, self._session = 0, b"", ""

    def __enter__(self) -> Browser:
        self._profile = tempfile.mkdtemp(prefix="discreet-browser-")
        reads, self._to = os.pipe()
        self._from, writes = os.pipe()
        root = ("--no-sandbox",) if os.geteuid() == 0 else ()  # Chromium refuses root otherwise
        flags = (*FLAGS, *root, *self.more, f"--user-data-dir={self._profile}", "about:blank")
        command = [sys.executable, "-I", "-S", "-c", _START, str(reads), str(writes)]
        try:
            self._process = subprocess.Popen(
                [*command, self.program, *flags],
                pass_fds=(reads, writes),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        finally:
            os.close(reads)
            os.close(writes)
        try:
            self._attach()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def _attach(self) -> None:
        """Find the page that the browser opens at its start."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            targets = self.call("Target.getTargets")["targetInfos"]
            pages = [one["targetId"] for one in targets if one["type"] == "page"]
            if pages:
                found = self.call("Target.attachToTarget", targetId=pages[0], flatten=True)
                self._session = found["sessionId"]
                self.call("Page.enable")
                return
            time.sleep(0.02)
        raise _make_silent_error()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._to)  # the browser ends when nobody speaks to it
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._from)
        shutil.rmtree(self._profile, ignore_errors=True)

    def show(self, page: str) -> None:
        """Put a page into the browser."""
        frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        self.call("Page.setDocumentContent", frameId=frame, html=page)

    def print(self) -> bytes:
        """What is shown, as a tagged PDF."""
        printed = self.call(
            "Page.printToPDF",
            printBackground=True,
            preferCSSPageSize=True,
            generateTaggedPDF=True,
            generateDocumentOutline=True,
        )
        return base64.b64decode(printed["data"])

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask for something and wait for the answer; events meanwhile are kept."""
        self._number += 1
        asked: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            asked["sessionId"] = self._session
        self._send(json.dumps(asked).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while True:
            found = self._receive(end)
            if found.get("id") == self._number:
                if "error" in found:
                    what = f"it refused {method}"
                    raise WriteError("the browser", what, "Print the HTML file by hand.")
                answer: dict[str, Any] = found["result"]
                return answer
            if "method" in found:
                self.events.append(found)

    def _send(self, message: bytes) -> None:
        view = memoryview(message)
        try:
            while view:
                view = view[os.write(self._to, view) :]
        except BrokenPipeError:
            raise _make_silent_error() from None

    def _receive(self, end: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._from], [], [], max(end - time.monotonic(), 0))
            part = os.read(self._from, 1 << 20) if ready else b""
            if not part:
                raise _make_silent_error()
            self._rest += part
        one, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(one)
        return found


def _make_silent_error() -> WriteError:
    fix = "Try again, or open the HTML file in any browser and print it to PDF."
    return WriteError("the browser", "Chromium ended or does not answer", fix)
