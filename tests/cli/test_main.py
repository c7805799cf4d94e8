"""The command as a whole: help, version, start, and what a user sees when things go wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import typer

from discreet.cli.app import GROUPS
from discreet.cli.main import COMMANDS, app
from discreet.errors import DiscreetError

HEAVY = {"duckdb", "pyarrow", "numba", "numpy", "pandas", "polars", "pydantic", "yaml", "rich"}


def command(*args: Any, **more: Any) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "discreet", *map(str, args)]
    return subprocess.run(call, capture_output=True, text=True, check=False, **more)


def test_help_names_every_command(run: Any) -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in COMMANDS)


def test_help_shows_the_commands_in_their_groups(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("--help").stdout.splitlines()
    heads = [line.rstrip(":") for line in lines if line.endswith(":") and line[0] != " "]
    assert heads == ["Options", *GROUPS]
    assert [line.split()[0] for line in lines[lines.index("Look:") :] if line[:1] == " "] == list(
        COMMANDS
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_the_daily_options_come_first_and_the_printing_last(run: Any, name: str) -> None:
    lines = run(name, "--help").stdout.splitlines()
    heads = [line for line in lines if line.endswith(":") and line[:1] not in ("", " ")]
    assert heads[0] == "Options:"
    assert heads[-1] == "What is printed:"


def test_without_a_command_the_help_is_shown(run: Any) -> None:
    assert run().stdout == run("--help").stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_a_summary(run: Any, name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "Usage: discreet" in result.stdout


@pytest.mark.parametrize("name", ["anonymize", "verify"])
def test_common_options_are_common(run: Any, name: str) -> None:
    text = run(name, "--help").stdout
    common = "--policy --quasi --sensitive -k --separator --encoding --json --quiet --seed"
    assert all(option in text for option in common.split())


def test_version_is_one_line(run: Any) -> None:
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("discreet ")


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom discreet.cli.main import app\n"
        "try: app(['--help'])\nexcept SystemExit: pass\n"
        f"print(sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_importing_discreet_loads_nothing_heavy() -> None:
    code = f"import sys, discreet; print(sorted({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


LIBRARIES = {"numba", "scipy.linalg", "scipy.special", "scipy.sparse", "scipy.stats"}
UNCALLED = {"anonymize": LIBRARIES, "verify": LIBRARIES, "inspect": LIBRARIES}


@pytest.mark.parametrize("name", ["anonymize", "verify", "risk", "identify", "inspect"])
def test_small_tables_do_without_a_compiler_and_libraries_that_are_not_called(
    tmp_path: Path, name: str
) -> None:
    table, policy = tmp_path / "t.csv", tmp_path / "policy.yaml"
    table.write_text("age;sex;ill\n" + "".join(f"{30 + i % 3};m;{i % 4}\n" for i in range(60)))
    policy.write_text(
        "columns: {age: {role: quasi}, sex: {role: quasi}, ill: {role: sensitive}}\n"
        "require: [{k_anonymity: {k: 3}}, {l_diversity: {column: ill, ell: 2}}]\n"
    )
    options = {
        "anonymize": ["--policy", str(policy), "-o", str(tmp_path / "out.csv")],
        "verify": ["--policy", str(policy)],
        "risk": ["-q", "age", "-q", "sex"],
    }
    code = (
        "import sys\nfrom discreet.cli.main import app\n"
        f"code = app({[name, str(table), *options.get(name, [])]!r}, standalone_mode=False)\n"
        f"heavy = {UNCALLED.get(name, {'numba'})!r}\n"
        "print(code, sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "0 []"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["anonimize"], "Did you mean 'anonymize'"),
        (["anonymize", "x.csv", "--polcy", "p"], "--policy"),
        (["anonymize"], "Missing argument 'FILE'"),
        (["anonymize", "x.csv", "-q", "age", "-k", "five"], "'five' is not a valid int"),
        (["--nothing"], "No such option"),
    ],
)
def test_a_wrong_call_is_told_in_one_message(run: Any, args: list[str], told: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stderr.startswith("discreet: ")
    assert told in result.stderr
    assert "--help'." in result.stderr
    assert result.stdout == ""


def test_our_own_errors_are_shown_without_a_traceback(
    run: Any, table: Path, policy: Path, fail: Any
) -> None:
    fail(DiscreetError("no node keeps k_anonymity: 3 of 6 rows fail at the top."))
    result = run("anonymize", table, "--policy", policy)
    assert result.exit_code == 2
    assert result.stderr == "discreet: no node keeps k_anonymity: 3 of 6 rows fail at the top.\n"


def test_an_unexpected_error_tells_no_private_value(
    run: Any, table: Path, policy: Path, fail: Any, tmp_path: Path
) -> None:
    fail(KeyError("02138 is Ada's"))
    result = run("anonymize", table, "--policy", policy, "-o", tmp_path / "out.csv")
    assert result.exit_code == 2
    assert "unexpected KeyError at discreet/cli/commands/anonymize.py" in result.stderr
    assert "Ada" not in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "out.csv").exists()


def test_debug_shows_the_way_to_an_error_but_no_text_of_it(
    run: Any, table: Path, policy: Path, fail: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCREET_DEBUG", "1")
    fail(KeyError("02138 is Ada's"))
    result = run("anonymize", table, "--policy", policy)
    assert "anonymize.py" in result.stderr
    assert "Ada" not in result.stderr


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError()])
def test_an_interrupted_run_says_that_nothing_was_written(
    run: Any, table: Path, policy: Path, fail: Any, error: BaseException
) -> None:
    fail(error)
    result = run("anonymize", table, "--policy", policy)
    assert result.exit_code == 2
    assert "nothing was" in result.stderr
    assert "Traceback" not in result.stderr


def test_an_error_after_writing_does_not_deny_the_release(
    run: Any, table: Path, policy: Path, told: Any, tmp_path: Path
) -> None:
    told(measures=None)
    out = tmp_path / "out.csv"
    result = run("anonymize", table, "--policy", policy, "-o", out)
    assert result.exit_code == 2
    assert f"{out} is written and complete" in result.stderr


def test_control_characters_do_not_reach_the_terminal(
    run: Any, table: Path, policy: Path, fail: Any
) -> None:
    fail(DiscreetError("column '\x1b[31mred' is missing"))
    assert "\x1b" not in run("anonymize", table, "--policy", policy).stderr


def test_a_reader_that_leaves_early_is_no_error(table: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    call = [sys.executable, "-m", "discreet", "--help"]
    done = subprocess.run(call, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert done.stderr == ""


def test_the_module_runs_as_a_program(tmp_path: Path) -> None:
    done = command("anonymize", tmp_path / "none.csv", "-q", "age", "-k", "2")
    assert done.returncode == 2
    assert done.stderr.startswith("discreet: ")
    assert "none.csv" in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_help_tells_every_option_once(run: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(name, "--help").stdout.splitlines()
    told = [line.split()[0].rstrip(",") for line in lines if line.startswith("  -")]
    assert len(told) == len(set(told))
    assert all(len(line) <= 80 for line in lines)
    assert not any("arguments:" in line.casefold() for line in lines)


def test_standard_streams_may_be_closed(table: Path, policy: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    call = [sys.executable, "-m", "discreet", "anonymize", table, "--policy", policy, "-o", out]
    shell = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *map(str, call)]
    assert subprocess.run(shell, check=False).returncode == 0
    assert out.read_text().startswith("age,zip,disease\n")
    shell[-1] = str(tmp_path / "none" / "out.csv")
    assert subprocess.run(shell, check=False).returncode == 2


def test_a_result_that_cannot_be_shown_is_told(table: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full here")
    call = [sys.executable, "-m", "discreet", "inspect", str(table)]
    with full.open("w") as end:
        done = subprocess.run(call, stdout=end, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("discreet: the result cannot be shown: no space left on device")


def test_what_the_system_says_of_a_path_is_told(run: Any, table: Path, policy: Path) -> None:
    out = table.with_name("n" * 300 + ".csv")
    result = run("anonymize", table, "--policy", policy, "-o", out)
    assert result.exit_code == 2
    assert f"{out}: file name too long. Check the path" in result.stderr


def test_an_interruption_after_writing_does_not_deny_the_release(
    run: Any, table: Path, policy: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from discreet.pipeline.anonymize import Release

    real = Release.write

    def write(self: Release, path: Path, **more: Any) -> None:
        real(self, path, **more)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Release, "write", write)
    out = tmp_path / "out.csv"
    result = run("anonymize", table, "--policy", policy, "-o", out)
    assert result.exit_code == 2
    assert result.stderr == f"discreet: interrupted after {out} was written and complete\n"


REPEATED = {
    "--to": ("anonymize", "{table}", "-q", "age", "-k", "2", "--to", "public", "--to", "ward"),
    "-k": ("anonymize", "{table}", "-q", "age", "-k", "5", "-k", "3"),
    "-o": ("anonymize", "{table}", "-q", "age", "-k", "2", "-o", "a.csv", "--output", "b.csv"),
    "--seed": ("anonymize", "{table}", "-q", "age", "-k", "2", "--seed", "1", "--seed=1"),
    "--policy": ("verify", "{table}", "--policy", "{policy}", "--policy", "{policy}"),
    "--separator": ("inspect", "{table}", "--separator", ",", "--separator", ";"),
    "--style": ("scrub", "{table}", "--style", "tag", "--style", "blank"),
}


@pytest.mark.parametrize("more", [(), ("--json",), ("--quiet",)], ids=["", "json", "quiet"])
@pytest.mark.parametrize("option", REPEATED)
def test_an_option_that_counts_once_is_refused_a_second_time(
    run: Any, table: Path, policy: Path, option: str, more: tuple[str, ...], monkeypatch: Any
) -> None:
    monkeypatch.chdir(table.parent)
    before = set(table.parent.iterdir())
    named = {"{table}": str(table), "{policy}": str(policy)}
    result = run(*(named.get(one, one) for one in REPEATED[option]), *more)
    assert result.exit_code == 2
    assert option in result.stderr and "more than once" in result.stderr
    assert "error" in result.stdout if more == ("--json",) else result.stdout == ""
    assert set(table.parent.iterdir()) == before


def test_options_that_add_up_and_flags_may_be_repeated(run: Any, table: Path) -> None:
    result = run("risk", table, "-q", "age", "-q", "zip", "--json", "--json")
    assert result.exit_code == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_of_every_command_that_counts_once_is_refused_a_second_time(
    run: Any, command: str
) -> None:
    group: Any = typer.main.get_command(app)
    found = group.get_command(click.Context(group), command)
    for param in found.params:
        if param.param_type_name == "option" and not param.multiple and not param.is_flag:
            assert "more than once" in run(command, *[param.opts[0], "1"] * 2).stderr
