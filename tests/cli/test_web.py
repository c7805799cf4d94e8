"""``discreet web`` as a command: what it starts, and what it says without its extra."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from discreet.web import serve as serving


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the server was started with; it tells its address and ends."""
    calls: list[tuple[Any, ...]] = []

    def serve(file: str | None, policy: str | None, **more: Any) -> None:
        calls.append((file, policy, more["reading"], more["port"], more["open_browser"]))
        more["tell"]("http://127.0.0.1:4000/secret/")

    monkeypatch.setattr(serving, "serve", serve)
    return calls


def test_the_app_starts_with_file_policy_and_options(
    run: Callable[..., Any], started: list[tuple[Any, ...]], tmp_path: Path
) -> None:
    said = ("web", "a.csv", "--policy", "p.yaml", "--separator", ";", "--port", 4000)
    done = run(*said)
    assert done.exit_code == 0
    assert "secret" not in done.stdout
    assert started == [("a.csv", "p.yaml", {"separator": ";"}, 4000, True)]


def test_the_address_is_printed_where_no_browser_is_opened(
    run: Callable[..., Any], started: list[tuple[Any, ...]]
) -> None:
    done = run("web", "--no-browser")
    assert done.stdout == "Open http://127.0.0.1:4000/secret/\n"
    assert started == [(None, None, {}, 0, False)]


def test_without_the_extra_it_says_how_to_install_it(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [one for one in sys.modules if one.startswith("discreet.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = run("web")
    assert done.exit_code == 2
    assert "pip install 'discreet[web]'" in done.stderr
