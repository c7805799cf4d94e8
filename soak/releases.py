"""Random releases of random tables, through Python and the command line, in all formats."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from soak.checking import Checker
from soak.part import Part, ProductError
from soak.policies import Draft, make_draft, write_policy
from soak.tables import FORMATS_ALL, MARK, Cell, kind_of, read_table, write_table

SECONDS = 120
"""A run of the command line that takes longer hangs."""


BUG = "is a bug"
"""What the product says of its own broken invariants."""


class Refused(Exception):
    """The product refused the request, and said why."""


def run_case(random: Random, folder: Path) -> Counter[str]:
    """One table, one policy, one release; or a refusal, which is counted."""
    draft = make_draft(random, folder)
    policy = folder / "policy.yaml"
    write_policy(policy, draft.policy)
    source, target = _pick_files(random, folder, draft)
    write_table(source, draft.cells, read_options(source).get("separator", ","))
    counts = Counter(dict.fromkeys(draft.names(), 1))
    way = "python" if draft.scenario == "part" else random.choice(WAYS)
    try:
        facts, released = RUN[way](draft, source, policy, target)
    except Refused as refused:
        return Counter({"refused": 1, f"refused: {refused}": 1})
    counts += Checker(draft, facts, released, folder).check()
    counts["releases"] += 1
    counts[way] += 1
    counts[f"read {''.join(source.suffixes)}"] += 1
    counts[f"written {''.join(target.suffixes)}"] += 1
    return counts


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


def read_options(source: Path) -> dict[str, str]:
    """How the file is written; what nobody could guess from two lines is said."""
    name = source.name
    if ".tsv" in name:
        return {"separator": "\t", "encoding": "utf-8"}
    if ".csv" in name or ".txt" in name:
        return {"separator": ",", "encoding": "utf-8"}
    return {}


def run_python(
    draft: Draft, source: Path, policy: Path, target: Path
) -> tuple[dict[str, Any], dict[str, list[Cell]]]:
    """Release through the public functions."""
    import discreet
    from discreet.errors import DiscreetError, InternalError

    try:
        table = discreet.read(source, **read_options(source))
        loaded = discreet.Policy.load(policy)
        part = None
        if draft.scenario == "part":
            where = None if draft.where is None else draft.where.text
            part = discreet.Part(where=where, columns=draft.asked or ())
        release = discreet.anonymize(table, loaded, part=part)
        facts = json.loads(json.dumps(release.facts()))
        if part is not None or all(one["holds"] for one in facts["verdicts"]):
            if part is None:
                release.write(target)
                return facts, read_table(target, written_with(source, target))
            return facts, _cells(release.to_arrow())
        return facts, _cells(release.to_arrow(unprotected=True))
    except InternalError as error:
        raise ProductError(f"an internal error: {error}") from error
    except DiscreetError as error:
        raise Refused(type(error).__name__) from None


def _cells(table: Any) -> dict[str, list[Cell]]:
    return {name: [cell or None for cell in table[name].to_pylist()] for name in table.column_names}


def run_command(
    draft: Draft, source: Path, policy: Path, target: Path
) -> tuple[dict[str, Any], dict[str, list[Cell]]]:
    """Release by the command line, in this process."""
    from typer.testing import CliRunner

    from discreet.cli.main import app

    result = CliRunner().invoke(app, _arguments(draft, source, policy, target))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise ProductError("the command line raised an error") from result.exception
    return _command_answer(result.exit_code, result.stdout, result.stderr, source, target)


def run_process(
    draft: Draft, source: Path, policy: Path, target: Path
) -> tuple[dict[str, Any], dict[str, list[Cell]]]:
    """Release by the command line, as a shell would."""
    command = [sys.executable, "-m", "discreet", *_arguments(draft, source, policy, target)]
    ended = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    told, errors = ended.stdout.decode(), ended.stderr.decode()
    return _command_answer(ended.returncode, told, errors, source, target)


def _arguments(draft: Draft, source: Path, policy: Path, target: Path) -> list[str]:
    found = ["anonymize", str(source), "--policy", str(policy), "-o", str(target), "--json"]
    for option, value in read_options(source).items():
        found += [f"--{option}", value]
    if "variant" in str(draft.policy.get("algorithm")):
        found.append("--release-unprotected")
    return found


def _command_answer(
    code: int, printed: str, errors: str, source: Path, target: Path
) -> tuple[dict[str, Any], dict[str, list[Cell]]]:
    """What the command line said and wrote, or that it refused."""
    said = printed + errors
    if "Traceback" in said or BUG in said:
        raise ProductError(f"the command line broke: {said[-2000:]}")
    if MARK in said or "Marker" in said:
        raise ProductError(f"a private value was printed: {said[-2000:]}")
    if code == 2:
        if target.exists() or not errors.startswith("discreet: "):
            raise ProductError(f"exit code 2, release there: {target.exists()}; {errors[:500]}")
        raise Refused("by command")
    if code not in (0, 1) or not target.exists():
        raise ProductError(f"exit code {code}, release there: {target.exists()}")
    return json.loads(printed), read_table(target, written_with(source, target))


def written_with(source: Path, target: Path) -> str:
    """The separator of a release: that of the private file if both are CSV, but for .tsv."""
    if ".tsv" in target.name:
        return "\t"
    if kind_of(source) == kind_of(target) == "csv":
        return read_options(source)["separator"]
    return ","


WAYS = ("python",) * 14 + ("command",) * 5 + ("process",)
RUN = {"python": run_python, "command": run_command, "process": run_process}

PART = Part("releases", run_case, share=4)
