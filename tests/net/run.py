"""Runs an entry in a folder of its own and gathers what is frozen of it."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.net.catalogues import app
from tests.net.entry import Entry
from tests.net.tables import can_make, write_file

SHARED = Path(__file__).resolve().parents[3] / "shared"
RUN_DEPENDENT = {
    "seconds": "how long it took",
    "characters_per_second": "how fast it was",
    "time": "when a release was entered",
    "version": "the product's version",
    "versions": "those of libraries",
    "head": "the ledger's own hash, which its key, drawn by the system, decides",
}
"""Keys of facts whose values differ from run to run, whatever the seed, and what they say."""
UNSTABLE = frozenset({"timings"})
"""Keys of facts that hold nothing but how long something took: they are left out."""
NOT_FROZEN = (".key", ".drawn", ".ledger", ".lock")
"""Endings of files that hold keys and times."""
NOT_FROZEN_NAMES = ("certificate.json", "report.html", "report-outside.html", "signing.key.pub")
"""Names of files that hold signatures and times."""
FIRST = 4
"""Lines of a text file that are frozen as they are, so that a difference can be read."""

Runner = Callable[[list[str]], tuple[int, str, str]]
"""Runs one command: exit code, standard output, standard error."""


class MissingSharedData(Exception):
    """The entry needs data that is not beside the project."""


def run_in_process(args: list[str]) -> tuple[int, str, str]:
    """Call the command line without a new process."""
    from typer.testing import CliRunner

    result = CliRunner().invoke(app(), args)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def run_apart(args: list[str]) -> tuple[int, str, str]:
    """Call the command line as a shell does."""
    done = subprocess.run(
        [sys.executable, "-m", "discreet", *args], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


def run_entry(entry: Entry, folder: Path, runner: Runner = run_in_process) -> dict[str, Any]:
    """What the commands of an entry answer and write, without what differs from run to run."""
    _prepare(entry, folder)
    given = {path for path in folder.rglob("*") if path.is_file()}
    with contextlib.chdir(folder), _environment():
        answers = [_run_command(command, runner) for command in entry.commands]
    written = sorted(path for path in folder.rglob("*") if path.is_file() and path not in given)
    files = {
        str(path.relative_to(folder)): _describe_file(path)
        for path in written
        if path.suffix not in NOT_FROZEN and path.name not in NOT_FROZEN_NAMES
    }
    return {"entry": entry.name, "answers": answers, "files": files}


def _prepare(entry: Entry, folder: Path) -> None:
    """Write the policies and every file that they or the commands name."""
    for name in entry.shared:
        source = SHARED / name
        if not source.exists():
            raise MissingSharedData(f"the shared data is not beside the project: no {name}")
        copy = shutil.copytree if source.is_dir() else shutil.copyfile
        copy(source, folder / source.name)
    policies = entry.policy_texts()
    for name, text in policies.items():
        (folder / name).write_text(text, encoding="utf-8")
    for word in sorted({*re.findall(r"[\w.]+", " ".join([*entry.commands, *policies.values()]))}):
        if can_make(word):
            write_file(folder / word)


@contextlib.contextmanager
def _environment() -> Iterator[None]:
    """A terminal of known width, without colours."""
    before = dict(os.environ)
    os.environ.update(COLUMNS="120", NO_COLOR="1", TERM="dumb")
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _run_command(command: str, runner: Runner) -> dict[str, Any]:
    code, out, err = runner([*shlex.split(command), "--json"])
    answer: dict[str, Any] = {"command": command, "exit": code}
    if out.strip():
        answer["facts"] = _without_run_dependent(json.loads(out))
    if code == 2:
        answer["message"] = " ".join(err.split()).replace(str(Path.cwd()), "FOLDER")
    return answer


def _without_run_dependent(facts: Any) -> Any:
    if isinstance(facts, dict):
        return {
            key: "..." if key in RUN_DEPENDENT else _without_run_dependent(value)
            for key, value in facts.items()
            if key not in UNSTABLE
        }
    if isinstance(facts, list):
        return [_without_run_dependent(one) for one in facts]
    return facts


def _describe_file(path: Path) -> dict[str, Any]:
    """The hash of a file's bytes; where libraries decide these, of the rows read back."""
    reader = next((how for ending, how in _READERS.items() if path.name.endswith(ending)), None)
    content = path.read_bytes() if reader is None else reader(path)
    lines = content.split(b"\n")
    with contextlib.suppress(UnicodeDecodeError):
        return {
            "first": [line.decode() for line in lines[:FIRST]],
            "lines": len(lines),
            "sha256": hashlib.sha256(content).hexdigest(),
            "of": "bytes" if reader is None else "rows",
        }
    return {"sha256": hashlib.sha256(content).hexdigest(), "of": "bytes"}


def _as_lines(names: Any, types: Any, rows: Any) -> bytes:
    """Names, types and rows as lines of JSON."""
    lines = [list(names), [str(one) for one in types], *[list(row) for row in rows]]
    return "\n".join(json.dumps(line, default=str) for line in lines).encode()


def _read_arrow_table(table: Any) -> bytes:
    return _as_lines(
        table.column_names, table.schema.types, zip(*table.to_pydict().values(), strict=True)
    )


def _read_parquet(path: Path) -> bytes:
    import pyarrow.parquet

    return _read_arrow_table(pyarrow.parquet.read_table(path))


def _read_arrow(path: Path) -> bytes:
    import pyarrow.feather

    return _read_arrow_table(pyarrow.feather.read_table(path))


def _read_workbook(path: Path) -> bytes:
    import openpyxl

    rows = list(openpyxl.load_workbook(path).active.iter_rows())
    types = [cell.data_type for cell in rows[1]]
    values = [[cell.value for cell in row] for row in rows]
    return _as_lines(values[0], types, values[1:])


def _read_database(path: Path) -> bytes:
    connection = sqlite3.connect(path)
    try:
        made = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        rows = connection.execute(f'SELECT * FROM "{made[0][0]}"').fetchall()
    finally:
        connection.close()
    return _as_lines([made[0][0]], [sql for _, sql in made], rows)


def _read_duckdb(path: Path) -> bytes:
    import duckdb

    with duckdb.connect(str(path), read_only=True) as connection:
        return _read_arrow_table(connection.sql("FROM release").to_arrow_table())


def _read_statistics(path: Path) -> bytes:
    import pyreadstat

    read = pyreadstat.read_dta if path.suffix == ".dta" else pyreadstat.read_sav
    rows, meta = read(str(path), output_format="dict")
    return _as_lines(rows, meta.original_variable_types.values(), zip(*rows.values(), strict=True))


def _read_zstandard(path: Path) -> bytes:
    import pyarrow as pa

    with pa.input_stream(str(path), compression="zstd") as stream:
        return bytes(stream.read())


_READERS: dict[str, Callable[[Path], bytes]] = {
    ".gz": lambda path: gzip.decompress(path.read_bytes()),
    ".zst": _read_zstandard,
    ".parquet": _read_parquet,
    ".feather": _read_arrow,
    ".arrow": _read_arrow,
    ".xlsx": _read_workbook,
    ".sqlite": _read_database,
    ".db": _read_database,
    ".duckdb": _read_duckdb,
    ".dta": _read_statistics,
    ".sav": _read_statistics,
}
