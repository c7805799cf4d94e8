"""Bad verdicts stand out on a terminal; anywhere else the text is plain."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from typing import Any

import pytest

from discreet.cli import failure, output

RED = "\x1b[31m\x1b[1m"
VERDICTS = [
    {"model": "k_anonymity", "holds": False, "measured": 1, "limit": 2, "rows_at_risk": 3},
    {"model": "l_diversity", "holds": True, "measured": 2, "limit": 2, "rows_at_risk": 0},
]


def use_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on standard output and error are a terminal that can show colours."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)


def test_what_fails_is_red_on_a_terminal(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    use_terminal(monkeypatch)
    output.print_verdicts(VERDICTS)
    shown = capsys.readouterr().out
    assert f"{RED}FAILS" in shown
    assert f"{RED}holds" not in shown


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_whoever_wants_no_colour_gets_none(
    capsys: Any, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    use_terminal(monkeypatch)
    monkeypatch.setenv(name, value)
    output.print_verdicts(VERDICTS)
    failure.complain("no such thing")
    shown = capsys.readouterr()
    assert "FAILS" in shown.out and "\x1b" not in shown.out
    assert shown.err == "discreet: no such thing\n"


def test_there_is_no_colour_without_a_terminal(
    capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    output.print_verdicts(VERDICTS)
    failure.complain("no such thing")
    shown = capsys.readouterr()
    assert "FAILS" in shown.out and "\x1b" not in shown.out + shown.err


@pytest.mark.parametrize(
    "text", ["SUCCEEDS", "NOT KNOWN", "BREAKS", "DOES NOT HOLD", "BROKEN", "UNPROTECTED"]
)
def test_every_word_of_alarm_is_red(
    capsys: Any, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    use_terminal(monkeypatch)
    output.write(f"a.csv: {text}.")
    assert capsys.readouterr().out == f"a.csv: {RED}{text}\x1b[0m.\n"


def test_json_has_no_colour(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    use_terminal(monkeypatch)
    output.print_json({"verdict": "FAILS"})
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(("more", "red"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_refusal_is_red_on_a_real_terminal(more: dict[str, str], red: bool) -> None:
    end, side = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    call = [sys.executable, "-m", "discreet", "inspect", "none.csv"]
    subprocess.run(
        call, stderr=side, check=False, env={**plain, "TERM": "xterm", **more}, timeout=120
    )
    os.close(side)
    shown = os.read(end, 10_000).decode()
    os.close(end)
    assert "none.csv" in shown
    assert (f"{RED}discreet:" in shown) == red
