"""Small private tables inside public ones, with policies about who is in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from discreet.algorithms import Problem
from discreet.frequency.frequency_list import FrequencyList
from discreet.pipeline.plan import plan_problem
from discreet.pipeline.search import count_for_policy
from discreet.policy.policy import Policy
from discreet.table.read import read

Row = tuple[str, ...]
World = tuple[list[Row], list[Row], float, float]
TREE = {"all": {"x": {"x1": None, "x2": None}, "y": {"y1": None, "y2": None, "y3": None}}}
LEAVES = ("x1", "x2", "y1", "y2", "y3")
HIERARCHIES: dict[str, Any] = {"a": {"intervals": [2, 4]}, "b": {"tree": TREE}, "c": None}
NAMES = tuple(HIERARCHIES)


def table(rows: Sequence[Row], names: Sequence[str] = NAMES) -> pa.Table:
    """Rows as a table; an empty text is a missing value."""
    cells = zip(*rows, strict=True)
    return pa.table(
        {n: pa.array([c or None for c in one]) for n, one in zip(names, cells, strict=True)}
    )


def write(path: Path, rows: Sequence[Row], names: Sequence[str] = NAMES) -> Path:
    """Rows as a file."""
    path.write_text("\n".join(map(",".join, [tuple(names), *rows])) + "\n")
    return path


def policy(require: Sequence[Mapping[str, Any]], **more: Any) -> Policy:
    """A policy on the three columns, all of them quasi."""
    columns = {name: {"role": "quasi", "hierarchy": spec} for name, spec in HIERARCHIES.items()}
    return Policy(columns=columns, require=list(require), **more)


def problem(private: Sequence[Row], wanted: Policy) -> Problem:
    """The private rows, counted beside the registers of the policy."""
    counted = count_for_policy(read(table(private)), wanted)
    return plan_problem(wanted, counted.frequency)


def world_problem(world: World, suppress: float = 0.0, measure: str = "loss") -> Problem:
    """The problem of a drawn world, counted here: no file is written or read."""
    public, private, low, high = world
    wanted = policy([presence(Path("public.csv"), low, high)], suppress=suppress, measure=measure)
    tuples = sorted(set(public))
    values = {name: tuple(sorted({row[i] for row in public})) for i, name in enumerate(NAMES)}
    codes = tuple(
        np.array([values[name].index(row[i]) for row in tuples], dtype=np.int32)
        for i, name in enumerate(NAMES)
    )
    rows = np.array([private.count(row) for row in tuples], dtype=np.int64)
    people = np.array([public.count(row) for row in tuples], dtype=np.float64)
    tallies = {wanted.require[0].tally: people}
    return plan_problem(wanted, FrequencyList(NAMES, codes, rows, values, {}, tallies))


def presence(public: Path, low: float, high: float) -> dict[str, Any]:
    """The promise in a policy."""
    return {"delta_presence": {"public": str(public), "min": low, "max": high}}


@st.composite
def worlds(draw: st.DrawFn, most: int = 14) -> World:
    """A public table, private rows of it, and a range that leaves room for some release."""
    row = st.tuples(st.sampled_from("123456"), st.sampled_from(LEAVES), st.sampled_from(["m", "f"]))
    public = draw(st.lists(row, min_size=2, max_size=most))
    inside = draw(st.lists(st.booleans(), min_size=len(public), max_size=len(public)))
    inside[0] = True
    private = [one for one, there in zip(public, inside, strict=True) if there]
    share = len(private) / len(public)
    low = draw(st.sampled_from([0.0, 0.2, 0.4, 0.8])) * share
    high = share + draw(st.sampled_from([0.1, 0.3, 0.6, 1.0])) * (1 - share)
    return public, private, low, high


def boxes(found: Any) -> dict[Row, int]:
    """The released texts of a cell-level solution, with their rows."""
    recoding = found.recoding
    told: dict[Row, int] = {}
    for part, rows in enumerate(recoding.rows.tolist()):
        key = tuple(
            str(values.labels[codes[part]])
            for values, codes in zip(recoding.values, recoding.codes, strict=True)
        )
        told[key] = told.get(key, 0) + rows
    return told


def stands_for(column: str, text: str, cell: str) -> bool:
    """Whether a released text covers a value, read as a person would."""
    if text in ("*", cell):
        return True
    if column == "a" and "-" in text:
        low, high = text.split("-")
        return int(low) <= int(cell) <= int(high)
    return column == "b" and cell in {"all": LEAVES, "x": LEAVES[:2], "y": LEAVES[2:]}.get(text, ())


def chances(released: Mapping[Row, int], public: Sequence[Row]) -> list[list[float]]:
    """For each person the chance by each released class that fits; definition 5 by counting."""
    fits = {
        box: [all(map(stands_for, NAMES, box, person)) for person in public] for box in released
    }
    return [
        [rows / sum(fits[box]) for box, rows in released.items() if fits[box][person]]
        for person in range(len(public))
    ]


def holds(
    released: Mapping[Row, int], public: Sequence[Row], low: float, high: float, left_out: int = 0
) -> bool:
    """Whether nobody fits two classes, and everybody is in the table with a chance in the range.

    Those who fit no class are in it with the chance rows left out / people who fit none.
    """
    found = chances(released, public)
    if any(len(one) > 1 for one in found):
        return False
    nobody = sum(not one for one in found)
    every = [one[0] for one in found if one]
    every += [left_out / nobody] if nobody else []
    return all(low - 1e-9 <= chance <= high + 1e-9 for chance in every)
