"""Small released tables and the policies they are held against, for the tests of verify."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from discreet.models import Verdict
from discreet.pipeline.verify import verify
from discreet.policy.policy import Policy

Cells = Sequence[Sequence[str | None]]


def released(names: str, rows: Cells) -> pa.Table:
    """A released table of text; ``names`` is its header, by spaces."""
    columns = names.split()
    cells = {name: [row[at] for row in rows] for at, name in enumerate(columns)}
    return pa.table({name: pa.array(cells[name], pa.string()) for name in columns})


def promise(*models: Any, quasi: str, sensitive: str = "", **more: Any) -> Policy:
    """A policy with these models; ``hierarchies`` may name builders of sensitive columns."""
    hierarchies = more.pop("hierarchies", {})
    columns: dict[str, Any] = {name: {"role": "quasi"} for name in quasi.split()}
    for name in sensitive.split():
        columns[name] = {"role": "sensitive", "hierarchy": hierarchies.get(name)}
    columns |= more.pop("columns", {})
    return Policy(columns=columns, require=models, **more)


def only_verdict(table: Any, policy: Policy, original: Any = None) -> Verdict:
    """The verdict of a policy with one model."""
    (verdict,) = verify(table, policy, original).verdicts
    return verdict
