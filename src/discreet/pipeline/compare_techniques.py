"""What each technique is for, and what it costs on a table."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from discreet.display import dataclass, format_count, render_html_table
from discreet.errors import ArgumentError, DiscreetError, TechniqueError, argument
from discreet.input_file import check_column_count
from discreet.policy.parts import list_parameters
from discreet.table.read import open_table
from discreet.table.table import Table
from discreet.techniques import ALL
from discreet.techniques.arrow_rows import make_table, read_rows
from discreet.techniques.change_rows import SampleRows
from discreet.techniques.suggested import (
    Ordered,
    Tried,
    Unfit,
    drop_column,
    order_techniques,
    state_reason,
    suggest_techniques,
)
from discreet.techniques.technique import Technique
from discreet.techniques.utility import MOST_PAIRS, count_pairs

ROWS = 200_000
"""Of more rows than this, so many are drawn for the comparison."""
WORK = 375_000_000
"""Cells that are copied in all: rounding is tried for each column, and copies all of them. More
than 43 columns get fewer rows for that, 250 columns 6,000."""
MOST_TRIED = 250
"""Columns that are tried at once: rounding is tried for each alone, and copies all of them."""
AS_A_WHOLE = ("microaggregate", "perturb")
"""These look at the columns together, so that leaving one out is of no use."""


@dataclass(frozen=True, eq=False)
class TriedTechniques:
    """Techniques from the least to the most distorting; holds no value of the table."""

    _facts: dict[str, Any]

    def __repr__(self) -> str:
        tried, rows = len(self._facts["ordered"]), self._facts["rows_compared"]
        return f"TriedTechniques({tried} techniques on {format_count(rows, 'row')})"

    def _repr_html_(self) -> str:
        keys = ("technique", "protection", "truthful", "distortion")
        rows = [tuple(one[key] for key in keys) for one in self._facts["ordered"]]
        return render_html_table(
            repr(self), ("technique", "towards", "rows stay true", keys[-1]), rows
        )

    def facts(self) -> dict[str, Any]:
        """The order as plain data, as ``discreet techniques FILE --json`` shows it."""
        return {"format": "discreet-techniques/1", **deepcopy(self._facts)}


def list_techniques() -> list[dict[str, Any]]:
    """Each technique: its model of protection, whether rows stay true, and what it keeps."""

    return [
        {
            "technique": cls.name,
            "protection": cls.protection,
            "truthful": cls.truthful if isinstance(cls.truthful, bool) else None,
            "keeps": cls.keeps,
        }
        for cls in ALL
    ]


def compare_techniques(
    table: Any,
    *,
    column: Sequence[str] = (),
    seed: int | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> TriedTechniques:
    """See what each technique would cost on a table: from the least to the most distorting.

    Parameters
    ----------
    table
        A :class:`Table`, or anything that :func:`discreet.read` takes.
    column
        The columns to change; all if absent.
    seed
        Makes what is drawn repeatable.
    progress
        Called with a word on what is done, and the share of it.

    Notes
    -----
    *Cost*: the table is held in memory, at most ``ROWS`` rows of it; each technique copies it.
    """
    if seed is not None and seed < 0:
        fix = "Give a whole number from 0."
        raise ArgumentError("seed", "a seed is 0 or more", fix, f"{seed}")
    seed = secrets.randbits(64) if seed is None else seed
    table = open_table(table, column)
    chosen = tuple(dict.fromkeys(column)) or table.columns
    fix = f"Name the columns to change with {argument('column', 'COLUMN')}."
    check_column_count(table.name, len(chosen), "tried at once", fix, MOST_TRIED)
    held = read_rows(table, chosen)
    rows = held.num_rows
    most = min(ROWS, max(1, WORK // len(chosen) ** 2))
    table = _sample_rows(make_table(table, held), rows, most, seed)
    begin = suggest_techniques(read_rows(table), chosen)
    if count_pairs(len(table.columns), len(chosen)) > MOST_PAIRS:
        table = make_table(table, read_rows(table).select(chosen))
    try_one = Tried(table, chosen)
    unfit, found = list(begin.unfit), []
    for number, technique in enumerate(begin.techniques):
        if progress is not None:
            progress("trying techniques,", number / len(begin.techniques))
        found += _try_technique(try_one, technique, seed, unfit)
    facts = {
        "rows": rows,
        "rows_compared": min(rows, most),
        "columns": list(chosen),
        "ordered": [_list_facts(one) for one in order_techniques(found)],
        "unfit": [{"technique": t, "column": c, "why": why} for t, c, why in unfit],
    }
    return TriedTechniques(facts)


def _sample_rows(table: Table, rows: int, most: int, seed: int) -> Table:

    return table if rows <= most else SampleRows(most / rows)(table, seed)


def _try_technique(try_one: Tried, technique: Any, seed: int, unfit: list[Unfit]) -> list[Ordered]:
    """Try a technique, without the columns that turn out not to fit it."""

    left: Technique | None = technique
    while left is not None:
        try:
            return [try_one(left, seed)]
        except TechniqueError as error:
            if technique.name in AS_A_WHOLE:
                unfit.append((technique.name, None, f"'{error.column}' {state_reason(error)}"))
                return []
            unfit.append((technique.name, error.column, state_reason(error)))
            left = drop_column(left, error.column)
        except DiscreetError as error:
            unfit.append((technique.name, None, str(error).removeprefix(f"{technique.name}: ")))
            return []
    return []


def _list_facts(one: Ordered) -> dict[str, Any]:
    """The facts with the settings that were tried: what is not usual, and every number."""

    technique: Any = one.technique
    usual = {name: value for name, value in vars(technique).items() if type(value) in (int, float)}
    settings = {**usual, **list_parameters(technique)}
    columns = settings.pop("columns", None)
    return {**one.facts(), "columns": columns, "parameters": settings}
