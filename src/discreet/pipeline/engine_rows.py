"""Rows that stay in a database: what cannot be done with them, and what they are released as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.algorithms.cell_recoding import CellRecoding
from discreet.algorithms.solution import CellSolution, Solution
from discreet.engines.release import EngineRecoding, Parts
from discreet.engines.table import find_engine_source
from discreet.engines.value_maps import ColumnValues, MappedSource, ValueMap, read_values
from discreet.errors import ReleaseError
from discreet.policy.changed_table import Applied, ChangedTable
from discreet.policy.policy import Policy
from discreet.policy.replacement import note_repeated, replace_values
from discreet.policy.techniques import list_steps
from discreet.table.files.frames import FrameSource
from discreet.table.table import Table

if TYPE_CHECKING:
    from discreet.algorithms.problem import Problem
    from discreet.techniques.technique import Technique

EXPORT = "Do that in a view of the database and name the view, or export the table to a file."
EXPORT_PEOPLE = (
    "Name a view with one row for each person and count rows, or export the table to a file, where "
    "people are counted by all their rows."
)


def refuse_row_work(table: Table, policy: Policy) -> None:
    """Refuse what a policy does to single rows where rows stay in a database.

    What depends on a value alone is no such work: see :func:`map_values`.
    """
    source = find_engine_source(table)
    if source is None:
        return
    found = [
        _name_work(step.technique.name, step.columns)
        for step in list_steps(policy)
        if not step.technique.by_value
    ]
    if policy.scrubbed:
        found.append(_name_work("scrubbed text", policy.scrubbed))
    fix = EXPORT
    if policy.people is not None:
        found.append(_name_work("people with several rows", [policy.people.column]))
        fix = EXPORT_PEOPLE if len(found) == 1 else EXPORT
    if found:
        what = f"its rows stay in {source.engine.dialect.name}, and {', '.join(found)} would need"
        raise ReleaseError(f"table {table.name}", f"{what} every row here", fix)


def _name_work(what: str, columns: Sequence[str]) -> str:
    """What is asked for, and of which columns."""
    return f"{what} ({', '.join(columns)})" if columns else what


# Pseudonyms, and techniques that depend on a value alone, on the different values of columns.


def map_values(table: Table, policy: Policy, whole: Table | None = None) -> Table:
    """The table with values replaced and changed one by one, as its policy says.

    The ordinary functions run on a table of different values, column beside column, and what each
    became is the map. ``whole`` is the table with the rows, too, that were not asked for.
    """
    steps = list_steps(policy)
    replaced = [name for name, column in policy.columns.items() if column.replace is not None]
    changed = [name for step in steps for name in step.columns]
    columns = list(dict.fromkeys([*replaced, *changed]))
    if not columns:
        return table
    policy.check_columns(table.columns, table.name, [*policy.columns, *columns])
    notices = [*note_repeated(table, policy)]
    found = {name: read_values(table, name) for name in columns}
    values = _lay_side_by_side(table, found)
    held = values if whole is None or whole is table else _read_replaced(whole, replaced)
    made = replace_values(values, policy, held)
    notices += made.notices
    applied = []
    for step in steps:
        before = made
        made = step.technique(replace(made, notices=()), 0)
        notices += _note_changes(step.technique, found, before, made)
        applied.append(Applied(step.technique, step.columns, None))
    maps = {table.columns.index(name): _make_map(made, name, one) for name, one in found.items()}
    return ChangedTable(
        table.name,
        table.columns,
        MappedSource(table, maps),
        path=table.path,
        dialect=table.dialect,
        notices=(*table.notices, *notices),
        applied=tuple(applied),
    )


def _read_replaced(whole: Table, replaced: Sequence[str]) -> Table:
    return _lay_side_by_side(whole, {name: read_values(whole, name) for name in replaced})


def _lay_side_by_side(table: Table, found: Mapping[str, ColumnValues]) -> Table:
    """A table of the different values of columns; shorter ones are filled up with missing."""
    rows = max(len(one.texts) for one in found.values())
    columns = {
        name: pa.concat_arrays([one.native, pa.nulls(rows - len(one.native), one.native.type)])
        for name, one in found.items()
    }
    return Table(table.name, tuple(columns), FrameSource(pa.table(columns), table.name))


def _make_map(made: Table, name: str, found: ColumnValues) -> ValueMap:
    """What each text of a column became."""
    new = made.scan(text=[name], native=[name]).read_all().slice(0, len(found.texts))
    whole = pa.types.is_integer(new.schema.field(1).type)
    return ValueMap(found.texts, new.column(0).cast(pa.string()).combine_chunks(), whole)


def _note_changes(
    technique: Technique, found: Mapping[str, ColumnValues], before: Table, after: Table
) -> Iterator[str]:
    """What a technique said that is not about numbers of cells, and how many rows it changed.

    It saw every value once, so its own numbers would be those of different values.
    """
    about = [f"'{name}'" for name in technique.columns]
    yield from (said for said in after.notices if not any(name in said for name in about))
    for name in technique.columns:
        old, new = (one.scan(text=[name]).read_all().column(0) for one in (before, after))
        rows, size = found[name].rows, len(found[name].rows)
        there = pc.is_valid(old).to_numpy()[:size]
        same = pc.fill_null(pc.equal(old, new), False).to_numpy()[:size]
        gone = pc.is_null(new).to_numpy()[:size]
        told = (
            f"{technique.name}: {int(rows[there & ~same].sum()):,} of {int(rows[there].sum()):,} "
            f"values of '{name}' were changed"
        )
        lost = int(rows[there & gone].sum())
        yield f"{told}; {lost:,} of them became missing." if lost else f"{told}."


# What the rows of a table are released as.


def build_engine_recoding(
    problem: Problem, solution: Solution | CellSolution, stars: bool
) -> EngineRecoding:
    """What the rows of a table are released as, as small tables say it to an engine."""
    if isinstance(solution, CellSolution):
        cells = solution.recoding
        return _recode_cells(problem, cells.starred() if stars else cells)
    return _recode_columns(problem, solution, stars)


def _recode_columns(problem: Problem, solution: Solution, stars: bool) -> EngineRecoding:
    """Every column at one level; suppressed rows are left out, or rows of ``*``."""
    names, frequency = problem.frequency.columns, problem.frequency
    labels, codes, untouched = {}, {}, set()
    for name, hierarchy, level in zip(
        names, problem.lattice.hierarchies, solution.node, strict=True
    ):
        own = hierarchy.maps[level]
        codes[name] = np.asarray(own)
        labels[name] = pa.array(hierarchy.labels[level], pa.string()).take(pa.array(own))
        if level == 0 and not stars:
            untouched.add(name)
    parts = _list_class_parts(problem, solution, stars) if solution.suppressed else None
    values = {name: frequency.values[name] for name in names}
    starred, total = stars and parts is not None, frequency.total
    rows = total - (0 if stars else solution.suppressed)
    return EngineRecoding(values, labels, codes, frozenset(untouched), parts, starred, total, rows)


def _list_class_parts(problem: Problem, solution: Solution, stars: bool) -> Parts:
    """The classes that are released whole, the released rows of others, and rows of ``*``."""
    groups, dropped = solution.groups, solution.dropped
    packing, columns = problem.counter.packing, len(problem.frequency.columns)
    rows, kept = groups.rows, solution.kept
    some = (dropped > 0) & (kept > 0)
    first = np.nonzero(kept > 0)[0]
    second = np.nonzero(dropped > 0)[0] if stars else np.zeros(0, dtype=np.int64)
    place = np.concatenate([first, second])
    out = np.arange(len(place)) >= len(first)
    low = np.where(some[place], np.where(out, kept[place] + 1, 1), 0)
    high = np.where(some[place], np.where(out, rows[place], kept[place]), 0)
    codes = tuple(packing.unpack(groups.keys, column)[place] for column in range(columns))
    return Parts(codes, low.astype(np.int64), high.astype(np.int64), {}, out)


def _recode_cells(problem: Problem, recoding: CellRecoding) -> EngineRecoding:
    """Every tuple by itself; where its rows are released in different ways, by their place."""
    frequency = problem.frequency
    names, owner, kept = frequency.columns, recoding.owner, recoding.kept
    first = np.searchsorted(owner, owner)
    before = np.concatenate([[0], np.cumsum(recoding.rows)])
    alone = np.bincount(owner, minlength=len(frequency))[owner] == 1
    low = np.where(alone, 0, before[:-1] - before[first] + 1)[kept]
    high = np.where(alone, 0, before[1:] - before[first])[kept]
    untouched = {
        name
        for name, values, codes in zip(names, recoding.values, recoding.codes, strict=True)
        if len(values.start) and (codes[kept] < values.start[1]).all()
    }
    labels = {
        name: pa.array(values.labels, pa.string()).take(pa.array(codes[kept]))
        for name, values, codes in zip(names, recoding.values, recoding.codes, strict=True)
        if name not in untouched
    }
    own = tuple(np.asarray(codes)[owner[kept]] for codes in frequency.codes)
    parts = Parts(
        own, low.astype(np.int64), high.astype(np.int64), labels, np.zeros(len(low), dtype=np.bool_)
    )
    values = {name: frequency.values[name] for name in names}
    codes = {name: np.arange(len(values[name])) for name in names}
    total = frequency.total
    rows = total - recoding.suppressed
    return EngineRecoding(values, {}, codes, frozenset(untouched), parts, False, total, rows)
