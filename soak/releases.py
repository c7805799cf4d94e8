"""Random releases of random tables, through Python and the command line, in all formats."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from soak.checking import Checker
from soak.linked import run_together
from soak.part import Part, ProductError
from soak.policies import KEY, Draft, make_draft, write_policy
from soak.tables import (
    FORMATS_ALL,
    MARK,
    Cell,
    Dialect,
    kind_of,
    pick_dialect,
    read_table,
    write_table,
)

SECONDS = 120
"""A run of the command line that takes longer hangs."""


TOGETHER = 0.08
"""How often several tables are released together."""
BUG = "is a bug"
"""What the product says of its own broken invariants."""


class Refused(Exception):
    """The product refused the request, and said why."""


def run_case(random: Random, folder: Path) -> Counter[str]:
    """One table, or two together; one policy, one release; or a refusal, which is counted."""
    if random.random() < TOGETHER:
        return run_together(random, folder, random.choice((run_app, run_app, run_app, run_shell)))
    draft = make_draft(random, folder)
    policy = folder / "policy.yaml"
    write_policy(policy, draft.policy)
    _make_key(folder, draft)
    source, target = _pick_files(random, folder, draft)
    every = "".join(cell or "" for name, column in draft.cells.items() for cell in (name, *column))
    dialect = pick_dialect(random, source, every)
    write_table(source, draft.cells, dialect, _pick_typed(random, draft))
    counts = Counter(dict.fromkeys(draft.names(), 1))
    way = "python" if draft.scenario == "part" else random.choice(WAYS)
    try:
        facts, released = RUN[way](draft, Files(source, dialect, policy, target))
    except Refused as refused:
        return Counter({"refused": 1, f"refused: {refused}": 1})
    counts += Checker(draft, facts, released, folder).check()
    counts["releases"] += 1
    counts[way] += 1
    counts[f"read {''.join(source.suffixes)}"] += 1
    counts[f"written {''.join(target.suffixes)}"] += 1
    return counts


def _make_key(folder: Path, draft: Draft) -> None:
    """The key of pseudonyms, made by the product: the oracle does not read it."""
    if any("replace" in said for said in draft.policy["columns"].values()):
        from typer.testing import CliRunner

        from discreet.cli.main import app

        CliRunner().invoke(app, ["key", str(folder / KEY), "--quiet"])


def _pick_files(random: Random, folder: Path, draft: Draft) -> tuple[Path, Path]:
    """Names of the private file and of the release.

    A workbook cannot hold every character, and to SQLite ``sex`` and ``SEX`` are one column.
    """
    every = {cell or "" for column in draft.cells.values() for cell in column}
    odd = any("\r" in cell or len(cell) > 30000 for cell in every)
    alike = len({name.casefold() for name in draft.columns}) < len(draft.columns)
    unfit = [*([".xlsx"] if odd else []), *([".sqlite", ".db"] if alike else [])]
    kinds = [kind for kind in FORMATS_ALL if kind not in unfit]
    weights = [6 if kind == ".csv" else 1 for kind in kinds]
    first, second = random.choices(kinds, weights, k=2)
    return folder / f"private{first}", folder / f"release{second}"


def _pick_typed(random: Random, draft: Draft) -> list[str]:
    """Columns that typed sources may hold as whole numbers: all cells are written as those are."""
    found = []
    for name, column in draft.cells.items():
        cells = [cell for cell in column if cell is not None]
        plain = all(re.fullmatch(r"0|-?[1-9]\d{0,14}", cell) for cell in cells)
        if cells and plain and random.random() < 0.5:
            found.append(name)
    return found


@dataclass(frozen=True)
class Files:
    """The private file and how it is written, the policy, and the file to be made."""

    source: Path
    dialect: Dialect
    policy: Path
    target: Path

    @property
    def options(self) -> dict[str, str]:
        """How the file is written; what nobody could guess from two lines is said."""
        if kind_of(self.source) != "csv":
            return {}
        return {"separator": self.dialect.separator, "encoding": self.dialect.encoding}

    def read_release(self) -> dict[str, list[Cell]]:
        """The release: written the way the private file was if both are CSV, but for .tsv."""
        separator, encoding = ",", "utf-8-sig"
        if kind_of(self.source) == "csv":
            separator = self.dialect.separator
            encoding = self.dialect.encoding.replace("utf-8-sig", "utf-8").replace(
                "utf-8", "utf-8-sig"
            )
        if ".tsv" in self.target.name:
            separator = "\t"
        return read_table(self.target, separator, encoding)


def run_python(draft: Draft, files: Files) -> tuple[dict[str, Any], dict[str, list[Cell]]]:
    """Release through the public functions."""
    import discreet
    from discreet.errors import DiscreetError, InternalError

    try:
        table = discreet.read(files.source, **files.options)
        loaded = discreet.Policy.load(files.policy)
        part = None
        if draft.scenario == "part":
            where = None if draft.where is None else draft.where.text
            part = discreet.Part(where=where, columns=draft.asked or ())
        release = discreet.anonymize(table, loaded, part=part)
        facts = json.loads(json.dumps(release.facts()))
        if part is not None or all(one["holds"] for one in facts["verdicts"]):
            if part is None:
                release.write(files.target)
                released = files.read_release()
                if "seed" in draft.policy and draft.scenario != "people":
                    again = replace(files, target=files.target.with_name(f"2{files.target.name}"))
                    discreet.anonymize(table, loaded).write(again.target)
                    _require_same(released, again.read_release())
                return facts, released
            return facts, _cells(release.to_arrow())
        return facts, _cells(release.to_arrow(unprotected=True))
    except InternalError as error:
        raise ProductError(f"an internal error: {error}") from error
    except DiscreetError as error:
        if MARK in str(error) or "Marker" in str(error):
            raise ProductError(f"a private value is in a message: {error}") from error
        raise Refused(type(error).__name__) from None


def _require_same(released: dict[str, list[Cell]], again: dict[str, list[Cell]]) -> None:
    """The same table, policy and seed give the same rows in the same order."""
    if released != again:
        raise ProductError("another run with the same seed gives another release")


def _cells(table: Any) -> dict[str, list[Cell]]:
    texts = {name: table[name].to_pylist() for name in table.column_names}
    return {
        name: [None if cell in (None, "") else str(cell) for cell in column]
        for name, column in texts.items()
    }


def run_command(draft: Draft, files: Files) -> tuple[dict[str, Any], dict[str, list[Cell]]]:
    """Release by the command line, in this process."""
    return _command_answer(*run_app(_arguments(draft, files)), files)


def run_process(draft: Draft, files: Files) -> tuple[dict[str, Any], dict[str, list[Cell]]]:
    """Release by the command line, as a shell would."""
    return _command_answer(*run_shell(_arguments(draft, files)), files)


def run_app(arguments: list[str]) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command, run in this process."""
    from typer.testing import CliRunner

    from discreet.cli.main import app

    result = CliRunner().invoke(app, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise ProductError("the command line raised an error") from result.exception
    return result.exit_code, result.stdout, result.stderr


def run_shell(arguments: list[str]) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command in a process of its own."""
    command = [sys.executable, "-m", "discreet", *arguments]
    ended = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


def _arguments(draft: Draft, files: Files) -> list[str]:
    found = ["anonymize", str(files.source), "--policy", str(files.policy), "--json"]
    found += ["-o", str(files.target)]
    for option, value in files.options.items():
        found += [f"--{option}", value]
    if "variant" in str(draft.policy.get("algorithm")):
        found.append("--release-unprotected")
    return found


def _command_answer(
    code: int, printed: str, errors: str, files: Files
) -> tuple[dict[str, Any], dict[str, list[Cell]]]:
    """What the command line said and wrote, or that it refused."""
    said = printed + errors
    if "Traceback" in said or BUG in said:
        raise ProductError(f"the command line broke: {said[-2000:]}")
    if MARK in said or "Marker" in said:
        raise ProductError(f"a private value was printed: {said[-2000:]}")
    if code == 2:
        if files.target.exists() or not errors.startswith("discreet: "):
            raise ProductError(
                f"exit code 2, release there: {files.target.exists()}; {errors[:500]}"
            )
        raise Refused("by command")
    if code not in (0, 1) or not files.target.exists():
        raise ProductError(f"exit code {code}, release there: {files.target.exists()}")
    return json.loads(printed), files.read_release()


WAYS = ("python",) * 28 + ("command",) * 11 + ("process",)
RUN = {"python": run_python, "command": run_command, "process": run_process}

PART = Part("releases", run_case, share=4)
