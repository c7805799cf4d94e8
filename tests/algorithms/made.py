"""Problems made of a few written rows, for tests of what is found in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pyarrow as pa

from discreet.algorithms import Problem
from discreet.frequency.count import count
from discreet.frequency.frequency_list import FrequencyList
from discreet.pipeline.plan import list_promised_columns, plan_problem
from discreet.policy.policy import Policy
from discreet.table.read import read

NAMES = "abcdefghijklmnopqrstuvwxyz"


def table(rows: Sequence[str]) -> pa.Table:
    """One text a row, its cells by spaces, "-" for a missing one; columns a, b, c and so on."""
    cells = zip(*(row.split() for row in rows), strict=True)
    columns = {
        name: pa.array([None if cell == "-" else cell for cell in column], pa.string())
        for name, column in zip(NAMES, cells, strict=False)
    }
    return pa.table(columns)


def policy(
    names: Sequence[str],
    models: Sequence[Any],
    quasi: str | None = None,
    sensitive: str = "",
    hierarchies: Mapping[str, Any] | None = None,
    weights: Sequence[float] | None = None,
    **more: Any,
) -> Policy:
    """All columns are quasi unless they are named otherwise."""
    chosen = [n for n in names if n not in sensitive] if quasi is None else quasi.split()
    columns: dict[str, Any] = {
        name: {"role": "quasi", "hierarchy": (hierarchies or {}).get(name)} for name in chosen
    }
    for name, weight in zip(chosen, weights or (), strict=False):
        columns[name]["weight"] = float(weight)
    columns |= {name: {"role": "sensitive"} for name in sensitive.split()}
    return Policy(columns=columns, require=models, **more)


@cache
def counted(
    rows: tuple[str, ...], quasi: tuple[str, ...], sensitive: tuple[str, ...], weight: str | None
) -> FrequencyList:
    """The rows, counted once for all tests that look at them."""
    return count(read(table(rows)), quasi, sensitive, weight).frequency


def problem(rows: Sequence[str], models: Sequence[Any], **more: Any) -> Problem:
    """The rows, counted, under these promises; hierarchies are flat unless given."""
    missing = "wildcard" if more.pop("wildcard", False) else "value"
    names = NAMES[: len(rows[0].split())]
    wanted = policy(names, models, missing=missing, **more)
    looked = list_promised_columns(wanted)
    frequency = counted(tuple(rows), wanted.quasi, looked, wanted.row_weight)
    return plan_problem(wanted, frequency)
