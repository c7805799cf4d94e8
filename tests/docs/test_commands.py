"""Every command, file and piece of Python shown in the README and the docs, run as shown."""

from __future__ import annotations

import atexit
import doctest
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from discreet.cli.main import app
from tests.docs.page import PAGES, ROOT, Code, Command, File, steps, unrunnable
from tests.engines.postgresql_server import start_postgresql
from tests.engines.spark_place import start_spark

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SHELL = re.compile(r"[|&;<>()$`*?\[\]{}~!'\"\\\n]|(?<!\S)#")
"""What a shell may have to make something of, in a line that starts with a command."""
CONTINUED = "\\\n"
QUOTED = re.compile(r"'[^'\n]*'|\"[^\"$`\\]*\"")
SPARK = "sc://spark.example.org"
"""The Connect server of the pages; the tests have their own."""
TOWN = "discreet demo --folder town --quiet"
RUNNABLE = [page for page in PAGES if steps(page)]


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A shell in which ``discreet`` is this source tree, whatever is installed."""
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "discreet"
    command.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -c '
        '\'import sys; sys.argv[0] = "discreet"; from discreet.cli.main import main; '
        'sys.exit(main())\' "$@"\n'
    )
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    path = f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    source = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]).rstrip(":")
    plain = {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    return {**os.environ, **plain, "PATH": path, "PYTHONPATH": source}


@pytest.fixture(scope="session")
def database() -> Iterator[dict[str, str]]:
    """A PostgreSQL server with the empty database clinic, as libpq and psql find it."""
    with start_postgresql() as (server, programs):
        server.psql("CREATE DATABASE clinic")
        path = f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        yield {"PGHOST": str(server.pgdata), "PGUSER": "postgres", "PATH": path}


@pytest.mark.parametrize("page", RUNNABLE, ids=_name)
def test_what_a_page_shows_is_what_happens(
    page: Path,
    tmp_path: Path,
    environment: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    spark = start_spark() if "pyspark" in page.read_text(encoding="utf-8") else None
    if "postgresql:///" in page.read_text(encoding="utf-8"):
        server = request.getfixturevalue("database")
        path = f"{environment['PATH']}{os.pathsep}{server['PATH']}"
        environment = {**environment, **server, "PATH": path}
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for step in steps(page):
        place = f"{_name(page)}:{step.line}"
        match step:
            case File():
                (tmp_path / step.name).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / step.name).write_text(step.text, encoding="utf-8")
            case Command() if spark is not None and SPARK in step.text:
                text = step.text.replace(SPARK, spark.address)
                _check(step, place, *_done(text, tmp_path, environment, monkeypatch))
            case Command():
                _check(step, place, *_done(step.text, tmp_path, environment, monkeypatch))
            case Code():
                _python(step, place, names)


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_no_shell_block_is_left_unrun_without_a_reason(page: Path) -> None:
    assert unrunnable(page) == []


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    lost = [t for t in targets if "://" not in t and not (page.parent / t).exists()]
    assert lost == []


def test_make_targets_in_the_docs_exist() -> None:
    made = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    named = set()
    for page in PAGES:
        named |= set(re.findall(r"(?:`|\$ )make ([a-z]+)", page.read_text(encoding="utf-8")))
    assert named <= made


@cache
def _make_town() -> Path:
    """The files of the demo, which several pages start with and which are always the same."""
    folder = Path(tempfile.mkdtemp(prefix="discreet-town-"))
    atexit.register(shutil.rmtree, folder)
    made = CliRunner().invoke(app, ["demo", "--folder", str(folder / "town"), "--quiet"])
    assert (made.exit_code, made.output) == (0, "")
    return folder / "town"


def _done(
    text: str, folder: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, str]:
    """Exit code and output of a command line: a plain call of ours needs no process of its own."""
    line, bare = (one.replace(CONTINUED, "") for one in (text, QUOTED.sub("", text)))
    if text == TOWN:
        shutil.copytree(_make_town(), folder / "town")
        return 0, ""
    if line.startswith("discreet ") and not SHELL.search(bare):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        made = CliRunner().invoke(app, shlex.split(line)[1:], prog_name="discreet")
        return made.exit_code, made.output
    done = subprocess.run(
        ["bash", "-c", text],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout


def _check(step: Command, place: str, code: int, output: str) -> None:
    told = f"{place}: $ {step.text}\n{output}"
    assert code == step.code, f"{told}\nexit code {code}, not {step.code}"
    assert "Traceback" not in output, told
    if step.output.strip():
        assert _alike(step.output, output), f"{told}\nbut the page shows\n{step.output}"


def _alike(shown: str, printed: str) -> bool:
    """Whether what was printed is what is shown: spaces count as one, ``...`` is any text."""
    pieces = [r"\s+".join(map(re.escape, piece.split())) for piece in shown.split("...")]
    return re.fullmatch(rf"\s*{'.*'.join(pieces)}\s*", printed, flags=re.DOTALL) is not None


def _python(step: Code, place: str, names: dict[str, Any]) -> None:
    if ">>>" not in step.text:
        exec(compile(step.text, place, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(step.text, names, place, place, step.line)
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=told.append, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, "".join(told)
