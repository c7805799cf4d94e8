"""What the child does with the table that is open, whatever screen is shown.

Functions here, and those that screens add of their own, get :class:`~discreet.web.child.Held`
first and plain data after it, and give plain data.
"""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import discreet
from discreet.errors import SourceError
from discreet.web.child import Held, find_function

OPTIONS = ("separator", "encoding", "sheet")
"""How a file is read, where that is not found from the file; ``header`` is yes or nothing."""
PAGE = 50
"""Rows that go to the browser at a time."""
MOST_CELLS = 150_000_000
"""Cells that are held to answer a change of roles at once: some 600 MB."""
LONGEST = 200
"""Letters of a cell that go there."""
SAMPLE = "hospital.csv"
"""What the table of the synthetic town is called."""


def open_table(held: Held, source: dict[str, Any]) -> dict[str, Any]:
    """Open a table and look at its columns; what was held before is let go.

    ``source`` has one of ``path``, ``file`` (the number of an open file in memory, with ``name``)
    and ``sample``, and the options of reading.
    """
    held.table, held.read, held.found = None, None, {}
    table = _read(source)
    found = discreet.inspect(table)
    held.table = table
    held.found["inspection"] = found
    _count(held)
    facts = found.facts()
    return {
        "name": table.name,
        "rows": facts["rows"],
        "columns": list(table.columns),
        "notices": facts["notices"],
        "inspection": {one["name"]: one for one in facts["columns"]},
        "combinations": facts["combinations"],
        "policy": found.policy_text(),
    }


def load_libraries(held: Held) -> None:
    """Load what reading and inspecting take, by naming it."""
    _ = discreet.read, discreet.inspect, discreet.explore, discreet.PolicyText


def reopen_table(held: Held, source: dict[str, Any]) -> None:
    """Let a new child open the table as soon as it is asked for, and try again where it cannot."""
    held.table, held.read, held.found = None, partial(_read, source), {}


def _read(source: dict[str, Any]) -> Any:
    options = {key: source[key] for key in OPTIONS if source.get(key)}
    if source.get("header"):
        options["header"] = True
    if source.get("sample"):
        return discreet.read(_make_sample())
    if "file" in source:
        return discreet.read(_read_memory(source["file"], source["name"]), **options)
    return discreet.read(_find_path(source["path"]), **options)


def _make_sample() -> io.BytesIO:
    make, encode = (find_function(f"discreet.sample:{name}") for name in ("make", "encode_csv"))
    file = io.BytesIO(encode(make(0).patients))
    file.name = SAMPLE
    return file


def _read_memory(number: int, name: str) -> io.FileIO:
    """The file in memory that the server filled, from its beginning."""
    file = io.FileIO(os.dup(number))
    file.seek(0)
    file.name = name
    return file


def _find_path(path: str) -> str:
    """The path with ``~`` put in its full form; an address stays as it is."""
    if not path.strip():
        raise SourceError("the path", "it is empty", "Name a file.")
    return str(Path(path).expanduser()) if path.startswith("~") else path


def read_rows(held: Held, first: int) -> dict[str, Any]:
    """A page of rows as found, from row ``first``, and whether more follow."""
    table = held.open_table
    skipped = 0
    rows: list[tuple[Any, ...]] = []
    reader = table.scan(text=table.columns, rows_per_batch=8192)
    for batch in reader:
        if skipped + batch.num_rows > first:
            part = batch.slice(max(first - skipped, 0), PAGE + 1 - len(rows))
            rows += list(zip(*(column.to_pylist() for column in part.columns), strict=True))
            if len(rows) > PAGE:
                break
        skipped += batch.num_rows
    shown = [
        [None if cell is None else str(cell)[:LONGEST] for cell in row]
        for row in islice(rows, PAGE)
    ]
    return {"first": first, "rows": shown, "more": len(rows) > PAGE}


def measure_risk(held: Held, quasi: Sequence[str]) -> dict[str, Any]:
    """How far rows stand out by some columns, before anything is done about it."""
    counted = held.found.get("exploration") or _count(held)
    facts: dict[str, Any] = held.find(
        ("risk", *quasi), lambda: counted.risk(quasi=list(quasi)).facts()
    )
    return facts


def explore_policy(held: Held, text: str, file: str, folder: str) -> discreet.Exploration:
    """The table counted under a policy; rows are counted again only if they have to be.

    For functions of screens that the child runs: what it gives does not pass the pipe.
    """
    if held.found.get("explored") != (text, file, folder):
        policy = discreet.PolicyText(text, file, folder).policy
        before = held.found.get("exploration") or _count(held)
        held.found["exploration"] = before.change(policy, progress=held.progress)
        held.found["explored"] = (text, file, folder)
    found: discreet.Exploration = held.found["exploration"]
    return found


def explore_quasi(held: Held, policy: discreet.Policy) -> discreet.Exploration:
    """The table counted under another policy; the exploration that screens share stays."""
    counted = held.found.get("exploration") or _count(held)
    found: discreet.Exploration = counted.change(policy, progress=held.progress)
    return found


def _count(held: Held) -> discreet.Exploration:
    """Count the columns that may become quasi, once; a change of roles is then quick."""
    inspection = held.find("inspection", lambda: discreet.inspect(held.open_table))
    columns = sorted(
        (one for one in inspection.columns if one.role.value not in ("identifier", "text")),
        key=lambda one: (one.role.value != "quasi", one.distinct),
    )
    most = MOST_CELLS // max(inspection.rows, 1)
    names = [one.name for one in columns if one.distinct < max(inspection.rows / 2, 1_000)][:most]
    quasi = [one.name for one in columns if one.role.value == "quasi"] or [
        held.open_table.columns[0]
    ]
    policy = {
        "columns": {name: {"role": "quasi"} for name in quasi},
        "require": [{"k_anonymity": {"k": 2}}],
    }
    found = discreet.explore(held.open_table, policy, candidates=names, progress=held.progress)
    held.found["exploration"] = found
    return found
