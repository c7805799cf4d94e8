"""The rows of a database table that meet a condition, chosen where they are.

Every test of a condition is about one value. So the different values of its columns come here, are
tested by the same code as the cells of a file, and the answers go back as a small table: the engine
joins it and joins the answers by AND, OR and NOT, whose meaning all engines share. No value is in a
statement, and no engine reads a number or a day in its own way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass, safe_repr
from discreet.engines.engine import Column, Engine
from discreet.engines.statements import ROW, write_key, write_values
from discreet.engines.table import EngineSource, find_engine_source, translate_texts
from discreet.errors import InternalError
from discreet.table.table import Table
from discreet.table.where import Column as Cells
from discreet.table.where import Where

FLAG = "w"
"""What the tables of answers are called in a statement."""


@dataclass(frozen=True, eq=False)
class EnginePart:
    """The rows of a relation that meet a condition.

    ``tables`` has for each column a table of its texts (``value``) and answers (``f0`` ...: 1, 0 or
    missing where a test is unknown); ``test`` is the condition on these.
    """

    tables: tuple[tuple[Column, pa.Table], ...] = field(repr=False)
    test: str
    _put: dict[str, Any] = field(default_factory=dict, repr=False)

    def write_rows(self, engine: Engine, rows: str) -> str:
        """A subquery of the rows; the answers are put anew if the engine has forgotten them."""
        if self._put.get("discards") != engine.discards:
            self._put["names"] = [engine.put(table) for _, table in self.tables]
            self._put["discards"] = engine.discards
        dialect, joins = engine.dialect, ""
        for n, ((column, _), name) in enumerate(zip(self.tables, self._put["names"], strict=True)):
            key = write_key(dialect, f"{ROW}.{dialect.name_column(column.name)}")
            joins += f" JOIN {name} AS {FLAG}{n} ON {FLAG}{n}.value = {key}"
        return f"(SELECT {ROW}.* FROM {rows} AS {ROW}{joins} WHERE {self.test})"


def restrict_engine_table(table: Table, where: Where) -> Table:
    """The table with the rows only that meet a condition on its values as the table has them.

    Notes
    -----
    *Cost*: one statement for the different values of each column of the condition.
    """
    source = find_engine_source(table)
    if source is None or source.part is not None:
        raise InternalError("a part was to be taken of a table in no database, or of a part")
    values = {name: _read_texts(table, source, name) for name in where.columns}
    meant = {name: Cells(texts) for name, (_, texts) in values.items()}
    answers: dict[str, list[pa.Array]] = {name: [] for name in values}
    order = {name: n for n, name in enumerate(values)}
    test = _write_test(_join_tests(where, meant), answers, order)
    tables = []
    for name, (raw, _) in values.items():
        flags = {f"f{n}": one.cast(pa.int64()) for n, one in enumerate(answers[name])}
        column = source.relation.columns[table.columns.index(name)]
        tables.append((column, pa.table({"value": raw, **flags})))
    return _put_source(table, replace(source, part=EnginePart(tuple(tables), test)))


def _read_texts(table: Table, source: EngineSource, name: str) -> tuple[pa.Array, pa.Array]:
    """The texts of a column in the engine, and what each means; a missing one is empty, null."""
    place = table.columns.index(name)
    query = write_values(source.engine.dialect, source.pin(), source.choose_column(place))
    found = source.engine.query(query).read_all().column(0).cast(pa.string())
    raw = pc.fill_null(found, "").combine_chunks().unique()
    missing = pa.scalar(None, pa.string())
    texts = translate_texts(table, place, pc.if_else(pc.equal(raw, ""), missing, raw))
    texts = texts.cast(pa.string())
    return raw, pc.if_else(pc.equal(texts, ""), missing, texts)


@safe_repr
class _Answer(NamedTuple):
    """What a part of a condition says of each value of a column."""

    column: str
    answers: pa.Array


@safe_repr
class _Joined(NamedTuple):
    """Parts of a condition that are about several columns."""

    how: str
    parts: tuple[Any, ...]


def _join_tests(where: Where, columns: Mapping[str, Cells]) -> _Answer | _Joined:
    """The condition with all tests done; what is about one column is joined here."""
    stack: list[_Answer | _Joined] = []
    for step in where.steps:
        if not isinstance(step, str):
            stack.append(_Answer(step.column, step(columns[step.column])))
            continue
        last = stack.pop()
        if step == "not":
            stack.append(
                _Answer(last.column, pc.invert(last.answers))
                if isinstance(last, _Answer)
                else _Joined("not", (last,))
            )
            continue
        first = stack.pop()
        if isinstance(first, _Answer) and isinstance(last, _Answer) and first.column == last.column:
            join = pc.and_kleene if step == "and" else pc.or_kleene
            stack.append(_Answer(first.column, join(first.answers, last.answers)))
        else:
            stack.append(_Joined(step, (first, last)))
    return stack.pop()


def _write_test(
    found: _Answer | _Joined, answers: dict[str, list[pa.Array]], order: Mapping[str, int]
) -> str:
    """The condition as SQL on the tables of answers, which are collected on the way.

    Nothing here calls itself, so no nesting is too deep.
    """
    waiting: list[Any] = [found]
    done: list[str] = []
    while waiting:
        one = waiting.pop()
        if isinstance(one, _Answer):
            answers[one.column].append(one.answers)
            done.append(f"{FLAG}{order[one.column]}.f{len(answers[one.column]) - 1} = 1")
        elif isinstance(one, _Joined):
            waiting += [one.how, *one.parts]
        elif one == "not":
            done.append(f"NOT ({done.pop()})")
        else:
            first, second = done.pop(), done.pop()
            done.append(f"({first} {one.upper()} {second})")
    return done.pop()


def _put_source(table: Table, source: EngineSource) -> Table:
    """The same table, and all that is done to its values, on other rows of the engine."""
    if isinstance(table.source, EngineSource):
        return replace(table, source=source)
    own: Any = table.source
    return replace(table, source=replace(own, table=_put_source(own.table, source)))
