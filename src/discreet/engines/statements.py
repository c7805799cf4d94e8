"""The statements that run where the rows are, as text; nothing private is in any of them.

There are four: the values of a column, counts by columns, the recoding, and how many groups have
which size. All that depends on values comes from small tables that are put into the engine first.
An empty text and a missing value are one, as in files: as a key both are the empty text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from discreet.display import dataclass
from discreet.engines.engine import Column, Dialect

ROW, MAP, CHANGED, PART = "t", "m", "x", "p"
"""What the private table, the maps of quasi columns, those of others, and the parts are called."""


def write_text(dialect: Dialect, column: str) -> str:
    """The text of a value as found, compared byte by byte."""
    return dialect.bytewise.format(dialect.text.format(column))


def write_key(dialect: Dialect, column: str) -> str:
    """The text of a value by which it is looked up in a map; a missing one is the empty text."""
    return f"COALESCE({write_text(dialect, column)}, '')"


def write_values(dialect: Dialect, source: str, column: Column) -> str:
    """Every different value of a column, as text: ``c0`` and its rows ``n``."""
    return write_counts(dialect, source, [column])


def write_counts(dialect: Dialect, source: str, columns: Sequence[Column]) -> str:
    """Every different combination of values: ``c0``, ``c1`` ... as text, and its rows ``n``.

    Rows are grouped by the values themselves where equal values have the same text, and text is
    made once for each group.
    """
    inner, outer = [], []
    for place, column in enumerate(columns):
        name = dialect.name_column(column.name)
        if column.exact:
            inner.append(dialect.bytewise.format(name) if column.is_text else name)
            outer.append(f"{dialect.text.format(f'g{place}')} AS c{place}")
        else:
            inner.append(write_text(dialect, name))
            outer.append(f"g{place} AS c{place}")
    grouped = ", ".join(f"{one} AS g{place}" for place, one in enumerate(inner))
    by = ", ".join(inner)
    count = f"CAST(COUNT(*) AS {dialect.integer_type})"
    return (
        f"SELECT {', '.join(outer)}, n FROM (SELECT {grouped}, {count} AS n FROM {source} "
        f"AS {ROW} GROUP BY {by}) AS counted"
    )


def write_native_values(dialect: Dialect, source: str, column: Column) -> str:
    """Every different value of a column: its text ``c0``, itself ``c1``, and its rows ``n``.

    Of a type that cannot be carried here the text is given twice. Where every value has a type of
    its own, ``c1`` is that.
    """
    name = dialect.name_column(column.name)
    text = write_text(dialect, name)
    native = name if column.carried and not column.is_text else text
    native = dialect.value_kind.format(name) or native
    count = f"CAST(COUNT(*) AS {dialect.integer_type})"
    by = text if native == text else f"{text}, {native}"
    return f"SELECT {text} AS c0, {native} AS c1, {count} AS n FROM {source} AS {ROW} GROUP BY {by}"


def write_group_sizes(dialect: Dialect, source: str, columns: Sequence[Column]) -> str:
    """How many groups of rows, alike on columns that all have a value, have which size.

    The answer has ``size`` and ``times``; no value leaves the engine.
    """
    keys = [write_key(dialect, dialect.name_column(column.name)) for column in columns]
    there = " AND ".join(f"{key} <> ''" for key in keys)
    return (
        f"SELECT size, CAST(COUNT(*) AS {dialect.integer_type}) AS times FROM (SELECT "
        f"CAST(COUNT(*) AS {dialect.integer_type}) AS size FROM {source} AS {ROW} WHERE {there} "
        f"GROUP BY {', '.join(keys)}) AS sizes GROUP BY size"
    )


def write_row_counts(dialect: Dialect, sources: Sequence[str]) -> str:
    """The number of rows of each of some tables: ``n``, and ``size``, the number of the table."""
    count = f"CAST(COUNT(*) AS {dialect.integer_type}) AS n"
    return " UNION ALL ".join(
        f"SELECT {count}, {number} AS size FROM {source} AS {ROW}"
        for number, source in enumerate(sources)
    )


def write_columns(
    dialect: Dialect, source: str, text: Sequence[Column], native: Sequence[str]
) -> str:
    """All rows of some columns: as text, then by expressions of their own; ``c0``, ``c1`` ..."""
    parts = [dialect.text.format(dialect.name_column(column.name)) for column in text]
    named = ", ".join(f"{part} AS c{place}" for place, part in enumerate([*parts, *native]))
    return f"SELECT {named} FROM {source} AS {ROW}"


def write_draw(dialect: Dialect, source: str, columns: Sequence[Column], rows: int) -> str:
    """The texts of some columns in a number of rows drawn by chance."""
    everything = write_columns(dialect, source, columns, [])
    return f"{everything} ORDER BY {dialect.random} LIMIT {rows}"


def write_row_seals(dialect: Dialect, source: str, columns: Sequence[Column], key: str) -> str:
    """A keyed hash ``seal`` of each different row and its rows ``n``, in the order of the hashes.

    ``key`` is a table with one ``key``. Every text is led by its length, so that no two rows give
    one text; a missing value is not the empty text here.
    """
    texts = [dialect.text.format(dialect.name_column(column.name)) for column in columns]
    parts = [
        f"CASE WHEN {text} IS NULL THEN '-' ELSE "
        f"CAST(LENGTH({text}) AS {dialect.text_type}) || ':' || {text} END"
        for text in texts
    ]
    row = " || ';' || ".join([f"(SELECT key FROM {key})", *parts])
    return (
        f"SELECT seal, CAST(COUNT(*) AS {dialect.integer_type}) AS n FROM (SELECT "
        f"{dialect.seal.format(row)} AS seal FROM {source} AS {ROW}) AS sealed "
        "GROUP BY seal ORDER BY seal"
    )


# The recoding: every row joined with what its values are released as.


How = Literal["native", "text", "map", "star", "part", "changed", "changed text"]


@dataclass(frozen=True)
class ReleasedColumn:
    """A column of the release, and where its cells come from.

    ``native``: the private table, as found. ``text``: the same as text, an empty one missing.
    ``map``: the label of its map. ``star``: that or, in rows that are suppressed, ``*``. ``part``:
    the label of the part that the row goes to. ``changed``: as found but for the values of a map,
    which are missing; ``changed text``: which have the text of the map. ``map`` is the number of
    the column among the maps, or its number among the labels of parts.
    """

    column: Column
    how: How
    number: int = 0


@dataclass(frozen=True)
class Recode:
    """Everything that the recoding statement needs to know; the names of tables are SQL.

    ``maps`` are the quasi columns that are looked up, each with its table of ``value``, ``label``
    and ``code``. A row's key is the sum of its codes, in as many words as ``words`` has lists of
    maps. ``whole`` has the keys of rows that are all released alike, ``dealt`` those of which a
    part is: ``low`` and ``high`` are the places, in a keyed order, of the rows that the part takes.
    Both may have labels (``label0`` ...) and ``out``, 1 where the row is suppressed but kept.
    ``chance`` is a table with one ``key``, unknown to whoever sees the release.
    """

    source: str
    released: tuple[ReleasedColumn, ...]
    maps: tuple[tuple[Column, str], ...]
    changed: tuple[tuple[Column, str], ...] = ()
    words: tuple[tuple[int, ...], ...] = ()
    whole: str | None = None
    dealt: str | None = None
    chance: str | None = None
    scrambled: bool = True


def write_recode(dialect: Dialect, recode: Recode) -> str:
    """The query that gives the released rows.

    Maps and parts are joined by equality and every row must find its own: one without is left out,
    and the count of what was written then tells that something changed.
    """
    parts = []
    if recode.whole is not None or recode.dealt is None:
        parts.append(_write_whole(dialect, recode))
    if recode.dealt is not None:
        parts.append(_write_dealt(dialect, recode))
    select = " UNION ALL ".join(parts)
    if not recode.scrambled or recode.chance is None:
        return select
    names = [dialect.name_column(one.column.name) for one in recode.released]
    known = {one.column.name.casefold() for one in recode.released}
    place = "place"
    while place in known:
        place += "_"
    key = _write_stored_order(dialect, recode, names)
    keyed = f"SELECT {', '.join(names)}, {key} AS {place} FROM ({select}) AS released"
    return f"SELECT {', '.join(names)} FROM ({keyed}) AS placed {dialect.order.format(place)}"


def _write_whole(dialect: Dialect, recode: Recode) -> str:
    """Rows of which all that are alike are released alike."""
    shown = ", ".join(_write_cells(dialect, recode, PART))
    joins = _write_joins(dialect, recode)
    if recode.whole is not None:
        same = [f"{PART}.key{n} = {key}" for n, key in enumerate(_write_keys(recode))]
        joins += f" JOIN {recode.whole} AS {PART} ON {' AND '.join(same)}"
    return f"SELECT {shown} FROM {recode.source} AS {ROW}{joins}"


def _write_dealt(dialect: Dialect, recode: Recode) -> str:
    """Rows that are alike and released in different ways, by their place in a keyed order."""
    keys = _write_keys(recode)
    names = [f"key{n}" for n in range(len(keys))]
    columns = [f"{ROW}.{dialect.name_column(one.column.name)}" for one in recode.released]
    order = _write_keyed_order(dialect, recode, columns)
    joins = _write_joins(dialect, recode)
    own = f"(SELECT {', '.join(names)} FROM {recode.dealt} GROUP BY {', '.join(names)})"
    same = " AND ".join(f"d.{name} = {key}" for name, key in zip(names, keys, strict=True))
    cells = list(_write_row_cells(dialect, recode))
    inner = (
        f"SELECT {', '.join(f'{cell} AS r{n}' for n, cell in enumerate(cells))}, "
        f"{', '.join(f'd.{name} AS {name}' for name in names)}, "
        f"ROW_NUMBER() OVER (PARTITION BY {', '.join(f'd.{name}' for name in names)} "
        f"ORDER BY {order}) AS place "
        f"FROM {recode.source} AS {ROW}{joins} JOIN {own} AS d ON {same}"
    )
    shown = [
        f"{_choose_cell(one, f'r.r{n}')} AS {dialect.name_column(one.column.name)}"
        for n, one in enumerate(recode.released)
    ]
    again = " AND ".join(f"{PART}.{name} = r.{name}" for name in names)
    return (
        f"SELECT {', '.join(shown)} FROM ({inner}) AS r JOIN {recode.dealt} AS {PART} "
        f"ON {again} AND r.place BETWEEN {PART}.low AND {PART}.high"
    )


def _write_joins(dialect: Dialect, recode: Recode) -> str:
    """The private table joined with the maps of its columns."""
    found = ""
    for n, (column, table) in enumerate(recode.maps):
        key = write_key(dialect, f"{ROW}.{dialect.name_column(column.name)}")
        found += f" JOIN {table} AS {MAP}{n} ON {MAP}{n}.value = {key}"
    for n, (column, table) in enumerate(recode.changed):
        key = write_key(dialect, f"{ROW}.{dialect.name_column(column.name)}")
        found += f" LEFT JOIN {table} AS {CHANGED}{n} ON {CHANGED}{n}.value = {key}"
    return found


def _write_keys(recode: Recode) -> list[str]:
    """The words of a row's key."""
    return [" + ".join(f"{MAP}{n}.code" for n in numbers) for numbers in recode.words]


def _write_cells(dialect: Dialect, recode: Recode, part: str) -> Iterator[str]:
    """What a row is released as, with the names of the columns."""
    for one, cell in zip(recode.released, _write_row_cells(dialect, recode), strict=True):
        yield f"{_choose_cell(one, cell)} AS {dialect.name_column(one.column.name)}"


def _choose_cell(one: ReleasedColumn, cell: str) -> str:
    """The cell of the row, or what its part says in its place."""
    if one.how == "part":
        return f"{PART}.label{one.number}"
    if one.how == "star":
        return f"CASE WHEN {PART}.out = 1 THEN '*' ELSE {cell} END"
    return cell


def _write_row_cells(dialect: Dialect, recode: Recode) -> Iterator[str]:
    """What the row and the maps of its values say of each released column."""
    for one in recode.released:
        own = f"{ROW}.{dialect.name_column(one.column.name)}"
        match one.how:
            case "native":
                yield own
            case "text":
                yield f"NULLIF({dialect.text.format(own)}, '')"
            case "map" | "star":
                yield f"{MAP}{one.number}.label"
            case "part":
                yield "NULL"
            case "changed":
                table = f"{CHANGED}{one.number}"
                yield f"CASE WHEN {table}.value IS NULL THEN {own} END"
            case "changed text":
                table, text = f"{CHANGED}{one.number}", dialect.text.format(own)
                yield f"CASE WHEN {table}.value IS NULL THEN {text} ELSE {table}.label END"


def _write_keyed_order(dialect: Dialect, recode: Recode, columns: Sequence[str]) -> str:
    """An order of rows that only the key explains; rows that are alike in all may change places."""
    row = _write_keyed_row(dialect, recode, columns)
    return dialect.bytewise.format(dialect.digest.format(row))


def _write_stored_order(dialect: Dialect, recode: Recode, columns: Sequence[str]) -> str:
    """The order in which a release is stored, by its rows and the key alone."""
    if not dialect.scatter:
        return _write_keyed_order(dialect, recode, columns)
    return dialect.scatter.format(_write_keyed_row(dialect, recode, columns))


def _write_keyed_row(dialect: Dialect, recode: Recode, columns: Sequence[str]) -> str:
    texts = [f"COALESCE({dialect.text.format(column)}, '')" for column in columns]
    return " || ';' || ".join([f"(SELECT key FROM {recode.chance})", *texts])
