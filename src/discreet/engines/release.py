"""A release written where the rows are: recoded into a hidden table, checked, then published.

What each value becomes is put into the engine as small tables; rows never come here. Whatever goes
wrong, the hidden table is discarded: a release appears whole and checked, or not at all.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discreet.display import dataclass
from discreet.engines.engine import Column, Engine, Target
from discreet.engines.rehearsal import Rehearsal, RehearsedError
from discreet.engines.statements import (
    Recode,
    ReleasedColumn,
    write_counts,
    write_recode,
    write_row_counts,
    write_values,
)
from discreet.engines.table import EngineSource, find_engine_source, open_relation, translate_texts
from discreet.engines.value_maps import MappedSource, find_map
from discreet.errors import InternalError, WriteError
from discreet.table.atomic import Journal, defer_signals
from discreet.table.cleaning import CleanedSource
from discreet.table.formulas import QuotedSource
from discreet.table.table import Table, make_changed_error

Codes = npt.NDArray[np.integer[Any]]

FILES = frozenset({
    ".csv", ".tsv", ".jsonl", ".ndjson", ".gz", ".zst", ".bz2", ".parquet", ".feather", ".arrow",
    ".xlsx", ".sqlite", ".duckdb", ".dta", ".sav",
})  # fmt: skip
"""Endings that no table of a schema has: such a target is a file even without a folder."""
WORD = 62
"""Bits of a key's word: sums of codes stay positive integers of 64 bits."""


@dataclass(frozen=True, eq=False)
class Parts:
    """Which rows are released, by the codes of their quasi columns, and as what.

    Part i takes the rows whose codes are ``codes[c][i]``: all of them, or where ``low`` is set
    those at the places ``low`` to ``high`` of a keyed order. ``labels`` are what its cells are
    released as, column by column, where that depends on all of a row's values; ``out`` says that
    its rows are suppressed but stay, as rows of ``*``. Rows of no part are left out.
    """

    codes: tuple[Codes, ...]
    low: npt.NDArray[np.int64]
    high: npt.NDArray[np.int64]
    labels: Mapping[str, pa.Array]
    out: npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class EngineRecoding:
    """What the rows of a table are released as, by the values of its quasi columns.

    ``values`` are the texts that were counted, ``labels`` what each is released as where that
    depends on the value alone, ``codes`` the codes that make a row's key. ``untouched`` columns are
    released as they are. Without ``parts`` every row is released. ``rows`` of the ``total`` are.
    """

    values: Mapping[str, tuple[str | None, ...]]
    labels: Mapping[str, pa.Array]
    codes: Mapping[str, Codes]
    untouched: frozenset[str]
    parts: Parts | None
    starred: bool
    total: int
    rows: int


def write_release(
    table: Table,
    released: Sequence[str],
    recoding: EngineRecoding,
    target: str,
    *,
    replace: bool,
    key: bytes,
    scrambled: bool,
    check: Callable[[Table], None],
    journal: Journal | None = None,
) -> None:
    """Write the release under a name in the engine that has the rows.

    ``check`` gets the hidden table and raises if it may not be published. ``key`` decides by chance
    which rows of a class are suppressed and, if ``scrambled``, in which order rows are stored. The
    ``journal`` knows of the release before it takes its name. If that fails, it may still be out,
    as when a connection is lost in the last step: it stays in the journal, not confirmed.

    Notes
    -----
    *Cost*: one statement that recodes, those of the check, and one for the values of each column of
    which some mean something else; the small tables have a row for each value, and for each class
    or tuple if rows are suppressed or recoded cell by cell.
    """
    source = find_engine_source(table)
    if source is None:
        raise InternalError("a table in no database was to be released in one")
    engine = source.engine
    try:
        relation, rows = engine.pin(source.relation), source.pin()
        aimed = engine.aim(target, replace)
        if aimed.parts == relation.parts:
            what, fix = "this is the table that is read", "Choose another name."
            raise WriteError(f"{engine.shown}, {target}", what, fix)
        maker = _Maker(table, source, released, recoding)
        select = write_recode(engine.dialect, maker.put_all(engine, key, scrambled))
        staged = engine.create(aimed, select)
        expected = (recoding.rows, recoding.total)
        if not relation.pinned and _count_rows(engine, staged.sql, rows) != expected:
            raise make_changed_error(table.name)
        check(open_relation(engine, staged))
        _publish(engine, aimed, journal)
    except BaseException:
        engine.discard()
        raise


def _publish(engine: Engine, target: Target, journal: Journal | None) -> None:
    """Give the release its name; requests to end wait for the few steps of this."""
    if journal is None:
        engine.publish(target)
        return
    with defer_signals():
        journal.enter()
        engine.publish(target)
        with suppress(Exception):  # an unconfirmed release counts as released
            journal.confirm()


def rehearse_release(
    table: Table,
    counted: Sequence[str],
    released: Sequence[str],
    recoding: EngineRecoding,
    target: str,
    replace: bool,
    scrambled: bool,
) -> tuple[str, ...]:
    """The statements that count the columns ``counted`` and write the release; nothing is written.

    The rows of the private table are counted anew where a query is needed, and nothing is changed.
    """
    source = find_engine_source(table)
    if source is None:
        raise InternalError("a table in no database was to be released in one")
    engine = Rehearsal(source.engine)
    places = [table.columns.index(name) for name in counted]
    columns = [source.relation.columns[place] for place in places]
    count = write_counts(engine.dialect, source.pin(), columns)
    try:
        with suppress(RehearsedError):
            aimed = engine.aim(target, replace)
            rehearsed = dataclasses.replace(source, engine=engine)
            maker = _Maker(table, rehearsed, released, recoding)
            select = write_recode(engine.dialect, maker.put_all(engine, bytes(16), scrambled))
            engine.create(aimed, select)
    finally:
        engine.discard()
    return (f"{count};", *engine.statements)


def is_table_name(path: str | Path) -> bool:
    """Whether the release of a table in an engine is to be a table there, and not a file.

    >>> is_table_name("research.visits"), is_table_name("release.csv"), is_table_name("./out.data")
    (True, False, False)
    """
    is_file = Path(path).suffix.lower() in FILES
    return isinstance(path, str) and "/" not in path and os.sep not in path and not is_file


def _count_rows(engine: Engine, *tables: str) -> tuple[int, ...]:
    """The rows of some tables, counted in one statement."""
    found = engine.query(write_row_counts(engine.dialect, tables)).read_all()
    rows = dict(zip(found.column(1).to_pylist(), found.column(0).to_pylist(), strict=True))
    return tuple(rows[number] for number in range(len(tables)))


class _Maker:
    """Makes the small tables of a recoding, and the statement's view of them."""

    def __init__(
        self,
        table: Table,
        source: EngineSource,
        released: Sequence[str],
        recoding: EngineRecoding,
    ) -> None:
        self._table, self._source, self._recoding = table, source, recoding
        self._released = [name for name in table.columns if name in released]
        self._columns = dict(zip(table.columns, source.relation.columns, strict=True))
        self._places = {name: place for place, name in enumerate(table.columns)}
        self._quasi = list(recoding.values)
        for name in [*self._released, *self._quasi]:
            if self._columns[name].nested:
                self._source.choose_column(self._places[name])

    def put_all(self, engine: Engine, key: bytes, scrambled: bool) -> Recode:
        """Put all maps and parts into the engine."""
        codes = self._recoding.codes
        words, shifts = pack_columns(
            {name: int(codes[name].max(initial=0)) + 1 for name in self._quasi}
        )
        released: list[ReleasedColumn] = []
        changed: list[tuple[Column, str]] = []
        maps: list[tuple[Column, str]] = []
        numbers: dict[str, int] = {}
        cells = dict[str, ReleasedColumn]()
        for name in self._quasi:
            made, how = self._make_map(name, shifts[name])
            if how in ("map", "star") or self._recoding.parts is not None:
                numbers[name] = len(maps)
                maps.append((self._columns[name], engine.put(made)))
            if name in self._released and how != "changed":
                number = self._number_label(name) if how == "part" else numbers.get(name, 0)
                cells[name] = ReleasedColumn(self._columns[name], how, number)
        for name in self._released:
            if name in cells:
                pass
            elif find_map(self._table, self._places[name]) is not None:
                maps.append((self._columns[name], engine.put(self._make_value_map(name))))
                cells[name] = ReleasedColumn(self._columns[name], "map", len(maps) - 1)
            else:
                cells[name] = self._choose_other(name, engine, changed)
            released.append(cells[name])
        whole, dealt = self._put_parts(engine, words, shifts)
        chance = None
        if dealt is not None or scrambled:
            chance = engine.put(pa.table({"key": [key.hex()]}))
        return Recode(
            self._source.pin(),
            tuple(released),
            tuple(maps),
            tuple(changed),
            tuple(tuple(numbers[name] for name in word) for word in words)
            if self._recoding.parts is not None
            else (),
            whole,
            dealt,
            chance,
            scrambled,
        )

    def _number_label(self, name: str) -> int:
        return self._quasi.index(name)

    def _make_map(self, name: str, shift: int) -> tuple[pa.Table, Any]:
        """The map of a quasi column, from every text that the engine has there, and its use."""
        recoding = self._recoding
        raw, meant = self._list_values(name)
        code = {value: at for at, value in enumerate(recoding.values[name])}
        places = [code.get(text) for text in meant.to_pylist()]
        if None in places:
            raise make_changed_error(self._table.name)
        where = np.array(places, dtype=np.int64)
        codes = recoding.codes[name][where].astype(np.int64) << shift
        labels = recoding.labels[name].take(pa.array(where)) if name in recoding.labels else meant
        how = self._choose_how(name, raw, meant)
        mapped = find_map(self._table, self._places[name]) is not None
        kept = mapped and name in recoding.untouched
        labels = self._cast_labels(name, meant) if kept else labels.cast(pa.string())
        return pa.table({"value": raw, "label": labels, "code": codes}), how

    def _make_value_map(self, name: str) -> pa.Table:
        """The map of another column: every text that the engine has there, with its new value."""
        raw, meant = self._read_values(name)
        return pa.table({"value": raw, "label": self._cast_labels(name, meant)})

    def _cast_labels(self, name: str, labels: pa.Array) -> pa.Array:
        """Whole numbers stay whole numbers where values were mapped and no formula was quoted."""
        found = find_map(self._table, self._places[name])
        return labels.cast(pa.int64() if found is not None and found.whole else pa.string())

    def _choose_how(self, name: str, raw: pa.Array, meant: pa.Array) -> Any:
        """Where the released cells of a quasi column come from."""
        recoding = self._recoding
        if name in recoding.untouched:
            column = self._columns[name]
            if find_map(self._table, self._places[name]) is not None:
                return "map"
            if column.is_text:
                return "text" if pc.fill_null(meant, "").equals(raw) else "map"
            return "native" if pc.fill_null(meant, "").equals(raw) else "changed"
        if recoding.parts is not None and name in recoding.parts.labels:
            return "part"
        return "star" if recoding.starred else "map"

    def _choose_other(
        self, name: str, engine: Engine, changed: list[tuple[Column, str]]
    ) -> ReleasedColumn:
        """A released column that is as found, but for values that mean something else."""
        column = self._columns[name]
        if not is_translated(self._table, self._places[name], column):
            return ReleasedColumn(column, "native")
        raw, meant = self._read_values(name)
        texts = pc.fill_null(meant, "")
        differ = pc.not_equal(texts, raw)
        if not pc.any(differ).as_py():
            return ReleasedColumn(column, "native")
        rows = pa.table({"value": raw.filter(differ), "label": meant.filter(differ)})
        missing = rows.column("label").null_count == rows.num_rows
        changed.append((column, engine.put(rows)))
        how: Any = "changed" if missing else "changed text"
        return ReleasedColumn(column, how, len(changed) - 1)

    def _list_values(self, name: str) -> tuple[pa.Array, pa.Array]:
        """Every text of a quasi column: those counted, unless they mean something else."""
        if is_translated(self._table, self._places[name]):
            return self._read_values(name)
        meant = pa.array(list(self._recoding.values[name]), pa.string())
        return pc.fill_null(meant, ""), meant

    def _read_values(self, name: str) -> tuple[pa.Array, pa.Array]:
        """Every text of a column in the engine, the missing one as empty, and what each means."""
        engine = self._source.engine
        query = write_values(engine.dialect, self._source.pin(), self._columns[name])
        found = engine.query(query).read_all().column(0).cast(pa.string())
        raw = pc.fill_null(found, "").combine_chunks().unique()
        given = pc.if_else(pc.equal(raw, ""), pa.scalar(None, pa.string()), raw)
        meant = translate_texts(self._table, self._places[name], given).cast(pa.string())
        return raw, pc.if_else(pc.equal(meant, ""), pa.scalar(None, pa.string()), meant)

    def _put_parts(
        self, engine: Engine, words: Sequence[Sequence[str]], shifts: Mapping[str, int]
    ) -> tuple[str | None, str | None]:
        """The parts whose rows are all released alike, and those that a keyed order deals."""
        parts = self._recoding.parts
        if parts is None:
            return None, None
        codes = dict(zip(self._quasi, parts.codes, strict=True))
        columns: dict[str, Any] = {}
        for number, word in enumerate(words):
            key = np.zeros(len(parts.low), dtype=np.int64)
            for name in word:
                key += codes[name].astype(np.int64) << shifts[name]
            columns[f"key{number}"] = key
        for name, labels in parts.labels.items():
            columns[f"label{self._number_label(name)}"] = labels
        if self._recoding.starred:
            columns["out"] = parts.out.astype(np.int64)
        made = pa.table(columns)
        dealt = parts.low > 0
        places = {"low": parts.low, "high": parts.high}
        mine = made.filter(pa.array(dealt))
        for name, numbers in places.items():
            mine = mine.append_column(name, pa.array(numbers[dealt]))
        whole = engine.put(made.filter(pa.array(~dealt)))
        return whole, engine.put(mine) if dealt.any() else None


def is_translated(table: Table, place: int, column: Column | None = None) -> bool:
    """Whether some values of a column are released as something else than they are found as.

    Of a ``column`` that is released in its own type, formulas are quoted only in texts.
    """
    source = table.source
    while isinstance(source, CleanedSource | QuotedSource | MappedSource):
        mapped = isinstance(source, MappedSource) and place in source.maps
        cleaned = isinstance(source, CleanedSource) and place in source.how
        quoted = isinstance(source, QuotedSource) and place in source.places
        quoted = quoted and (column is None or column.is_text)
        if cleaned or quoted or mapped:
            return True
        source = source.table.source
    return False


def pack_columns(sizes: Mapping[str, int]) -> tuple[list[list[str]], dict[str, int]]:
    """The columns of each word of a key, and by how many bits the code of each is moved.

    >>> pack_columns({"age": 100, "zip": 40_000, "sex": 2})
    ([['age', 'zip', 'sex']], {'age': 0, 'zip': 7, 'sex': 23})
    """
    words: list[list[str]] = [[]]
    shifts, used = dict[str, int](), 0
    for name, size in sizes.items():
        width = max(1, int(size - 1).bit_length())
        if used + width > WORD:
            words.append([])
            used = 0
        words[-1].append(name)
        shifts[name] = used
        used += width
    return words, shifts
