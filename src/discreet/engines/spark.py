"""Spark, classic and Connect, through the session that holds the table: SQL and Arrow alone.

No jar, no function in Python and no ``sparkContext`` is needed, so everything works on both kinds
of session. Most catalogs of Spark have no transactions. A release is therefore written to a table
with a hidden name, which the catalog knows before its first row is written, checked there, and
renamed; what a killed run leaves behind is found by its name.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
import threading
import weakref
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from discreet.display import safe_repr
from discreet.engines.engine import (
    STAGING,
    Column,
    Dialect,
    Relation,
    Target,
    choose_table,
    make_taken_error,
)
from discreet.engines.spark_errors import (
    MISSING,
    list_spark_errors,
    run_quietly,
    silence_loggers,
)
from discreet.engines.table import open_relation
from discreet.errors import DiscreetError, InternalError, SourceError, WriteError

if TYPE_CHECKING:
    from discreet.table.table import Table

SPARK = Dialect(
    "Spark",
    text_type="STRING",
    text="CAST({} AS STRING)",
    bytewise="{} COLLATE UTF8_BINARY",
    seal="sha2({}, 256)",
    scatter="xxhash64({})",
    quote="`",
    random="rand()",
    order="DISTRIBUTE BY {0} SORT BY {0}",
)
"""Rows are spread over files by their keyed digest and sorted in each: a sort of the whole table
would read all rows once more to find its ranges."""

EXACT = frozenset({
    "boolean", "tinyint", "smallint", "int", "bigint", "string", "date", "timestamp",
    "timestamp_ntz",
})  # fmt: skip
"""Types whose equal values have the same text; 0.0 and -0.0 are equal and have two."""
NESTED = ("array<", "map<", "struct<", "variant", "geometry", "geography", "udt")
TEXTS = ("string", "varchar(", "char(")
VIEW = "discreet_put_"
"""How the names of temporary views begin: the small tables, and the frame that is read."""
ENDING = 5.0
"""Seconds that an interrupted program takes to drop its staging table."""
MARK = "discreet.release"
"""The property of tables that were written here; no other table is ever replaced."""
LONGEST = 128
"""Letters of a table's name that every catalog takes."""


@safe_repr
class SparkEngine:
    """The tables that one Spark session sees; ``owned`` if it ends with the work."""

    def __init__(self, session: Any, shown: str = "Spark", owned: bool = False) -> None:
        self.dialect, self.shown = SPARK, shown
        self._session, self._owned = session, owned
        self._views: list[str] = []
        self._staged: Target | None = None
        self._pins: dict[str, Relation] = {}
        self._tag = f"discreet-{secrets.token_hex(8)}"
        self.discards = 0

    def __len__(self) -> int:
        return len(self._views)

    def find(self, table: str | None) -> Relation:
        """The table or view of this name, in the current schema unless it says another."""
        parts = split_parts(table or "")
        found = self._describe(parts, MISSING) if table else None
        if found is not None:
            return found
        known = self._list_tables(parts[:-1])
        parts = choose_table(self.shown, table, [(*parts[:-1], one) for one in known])
        found = self._describe(parts)
        if found is None:
            raise InternalError("a table of Spark has no columns")
        return found

    def _describe(self, parts: tuple[str, ...], missing: tuple[str, ...] = ()) -> Relation | None:
        name = self.dialect.name_table(parts)
        fields = self._read(lambda: self._session.table(name).schema.fields, missing)
        if fields is None:
            return None
        return Relation(".".join(parts), name, make_columns(fields), self._fill_in(parts))

    def find_frame(self, frame: Any) -> Relation:
        """A data frame of this session, under the name of a view that goes with the engine."""
        view = _choose_view()
        if self._read(lambda: frame.isStreaming):
            what, fix = "it is a stream, and rows are read twice", "Write it to a table first."
            raise SourceError("Spark data frame", what, fix)
        columns = make_columns(self._read(lambda: frame.schema.fields))
        self._read(lambda: frame.createTempView(view))
        weakref.finalize(self, _drop_view, self._session, view)
        return Relation("Spark data frame", self.dialect.name_column(view), columns)

    def pin(self, relation: Relation) -> Relation:
        """A table of Delta or Iceberg at its version of now; of others rows are counted again."""
        if relation.pinned or not relation.parts:
            return relation
        if relation.sql not in self._pins:
            version = self._find_version(relation)
            pinned = relation if version is None else relation.at(f"{relation.sql} {version}")
            self._pins[relation.sql] = self._pins[pinned.sql] = pinned
        return self._pins[relation.sql]

    def _find_version(self, relation: Relation) -> str | None:
        """The clause that reads a table as it is now."""
        facts = self._fetch(f"DESCRIBE EXTENDED {relation.sql}")
        provider = {str(row[0]): str(row[1]).casefold() for row in facts}.get("Provider")
        if provider == "delta":
            rows = self._fetch(f"DESCRIBE HISTORY {relation.sql} LIMIT 1")
        elif provider == "iceberg":
            rows = self._fetch(f"SELECT snapshot_id FROM {relation.sql}.refs WHERE name = 'main'")
        else:
            return None
        return f"VERSION AS OF {int(rows[0][0])}" if rows else None

    def query(self, sql: str, rows_per_batch: int = 131_072) -> pa.RecordBatchReader:
        """The answer to a query, which is held here whole."""
        found = self._read(lambda: self._session.sql(sql).toArrow())
        try:
            found.validate(full=True)
        except pa.ArrowException:
            found = None
        if found is None:
            what = "a column has texts that are not valid UTF-8"
            raise SourceError(self.shown, what, "Fix them in a view, or leave the column out.")
        return found.to_reader(max_chunksize=rows_per_batch)

    def put(self, rows: pa.Table) -> str:
        """A temporary view of rows that are sent along with the statements that use it."""
        view = _choose_view()
        self._write(lambda: self._session.createDataFrame(rows).createTempView(view))
        self._views.append(view)
        weakref.finalize(self, _drop_view, self._session, view)  # of runs that write nothing
        return self.dialect.name_column(view)

    def aim(self, name: str, replace: bool) -> Target:
        """The place for a release, in the current schema unless its name says another."""
        parts = self._complete(name)
        if not self._write(
            lambda: self._session.catalog.databaseExists(self.dialect.name_table(parts[:2]))
        ):
            what = f"there is no schema '{'.'.join(parts[:2])}'"
            raise WriteError(self.shown, what, "Create it, or choose another name.")
        known = self._list_tables(parts[:2])
        if parts[-1].casefold() in {one.casefold() for one in known} and not replace:
            raise make_taken_error(self.shown, name)
        hidden = f"{STAGING}{make_digest(parts)}_{secrets.token_hex(8)}"
        staging = self.dialect.name_table((*parts[:2], hidden))
        return Target(name, self.dialect.name_table(parts), staging, parts, replace)

    def _complete(self, name: str) -> tuple[str, ...]:
        """Catalog, schema and table of a target, whose name must be one that can be made."""
        parts = split_parts(name)
        if len(parts) > 3 or not all(re.fullmatch(r"\w+", part, re.ASCII) for part in parts):
            what = "this is not a name that every catalog of Spark takes"
            fix = "Write TABLE, SCHEMA.TABLE or CATALOG.SCHEMA.TABLE with letters, digits and _."
            raise WriteError(name, what, fix)
        if len(parts[-1]) > LONGEST:
            raise WriteError(name, f"the name is longer than {LONGEST} letters", "Choose another.")
        return self._fill_in(parts)

    def _fill_in(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        """The name with the current catalog and schema where it has none."""
        if len(parts) >= 3:
            return parts
        catalog = self._session.catalog
        start = self._read(lambda: (catalog.currentCatalog(), catalog.currentDatabase()))
        return (*start[: 3 - len(parts)], *parts)

    def _refuse_foreign(self, target: Target) -> None:
        """Refuse to replace what is not a release: a frame does not say which tables it reads."""
        if not (target.replace and self._is_there(target)):
            return
        rows = self._fetch(f"SHOW TBLPROPERTIES {target.sql}")
        if MARK not in {str(row[0]) for row in rows}:
            what = f"table '{target.name}' was not written by discreet, and is not replaced"
            raise WriteError(self.shown, what, "Choose another name, or drop it yourself.")

    def create(self, target: Target, select: str) -> Relation:
        """Make the staging table, empty, and fill it: a catalog knows the name of every file.

        What killed runs with the same target left is dropped before.
        """
        self._refuse_foreign(target)
        self._sweep(target)
        fields = self._write(lambda: self._session.sql(select).dtypes)
        columns = ", ".join(
            f"{self.dialect.name_column(name)} {'string' if kind == 'void' else kind}"
            for name, kind in fields
        )
        self._staged = target
        _unfinished.add(self)
        made = f"CREATE TABLE {target.staging} ({columns}) TBLPROPERTIES ('{MARK}' = 'true')"
        self._write(lambda: self._session.sql(made))
        self._write(lambda: self._session.addTag(self._tag))
        try:
            self._write(lambda: self._session.sql(f"INSERT INTO {target.staging} {select}"))
        finally:
            self._write(lambda: self._session.removeTag(self._tag))
        return self.find(target.staging)

    def _sweep(self, target: Target) -> None:
        """Drop the staging tables of earlier runs that were to become this release."""
        own = f"{STAGING}{make_digest(target.parts)}_"
        for name in self._list_tables(target.parts[:2]):
            if name.startswith(own):
                self._drop(self.dialect.name_table((*target.parts[:2], name)))

    def publish(self, target: Target) -> None:
        """Rename the staging table; a table that is replaced steps aside and is dropped then."""
        aside = None
        if target.replace and self._is_there(target):
            aside = (*target.parts[:2], f"{split_parts(target.staging)[-1]}_replaced")
            self._rename(target.sql, aside)
        try:
            self._rename(target.staging, target.parts)
        except BaseException:
            if aside is not None:
                self._rename(self.dialect.name_table(aside), target.parts)
            raise
        self._staged = None
        if aside is not None:
            self._drop(self.dialect.name_table(aside))
        self.discard()

    def _is_there(self, target: Target) -> bool:
        return bool(self._write(lambda: self._session.catalog.tableExists(target.sql)))

    def _rename(self, name: str, parts: tuple[str, ...]) -> None:
        """Rename a table within its catalog, which the new name does not repeat."""
        new = self.dialect.name_table(parts[1:])
        self._write(lambda: self._session.sql(f"ALTER TABLE {name} RENAME TO {new}"))

    def discard(self) -> None:
        """Drop the small tables and a staging table that was not published."""
        self.discards += 1
        staged, self._staged = self._staged, None
        views, self._views = self._views, []
        _unfinished.discard(self)
        if staged is not None:
            with contextlib.suppress(DiscreetError):
                self._write(lambda: self._session.interruptTag(self._tag))  # servers go on
            with contextlib.suppress(DiscreetError):
                self._drop(staged.staging)
        with contextlib.suppress(DiscreetError):
            for view in views:
                self._write(partial(self._session.catalog.dropTempView, view))

    def close(self) -> None:
        """Leave the session as it was, or end it if it was started for this."""
        self.discard()
        if self._owned:
            with contextlib.suppress(DiscreetError):
                self._read(self._session.stop)

    def _drop(self, name: str) -> None:
        """Drop a table with its files; past the bin where the catalog can."""
        try:
            self._write(lambda: self._session.sql(f"DROP TABLE IF EXISTS {name} PURGE"))
        except WriteError:
            self._write(lambda: self._session.sql(f"DROP TABLE IF EXISTS {name}"))

    def _list_tables(self, schema: tuple[str, ...]) -> list[str]:
        """The tables and views of a schema, and the session's temporary views but our own."""
        place = f" IN {self.dialect.name_table(schema)}" if schema else ""
        rows = self._read(lambda: self._session.sql(f"SHOW TABLES{place}").collect(), MISSING)
        names = [str(row["tableName"]) for row in rows or ()]
        return [name for name in names if not name.startswith(VIEW)]

    def _fetch(self, sql: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self._read(lambda: self._session.sql(sql).collect())]

    def _read(self, work: Callable[[], Any], missing: tuple[str, ...] = ()) -> Any:
        return run_quietly(work, lambda *why: SourceError(self.shown, *why), missing)

    def _write(self, work: Callable[[], Any]) -> Any:
        return run_quietly(work, lambda *why: WriteError(self.shown, *why))


_unfinished: weakref.WeakSet[SparkEngine] = weakref.WeakSet()
"""Engines with a staging table that was not published."""


def discard_unfinished() -> None:
    """Drop the staging tables of this program, which is about to end; not at any price.

    The thread that is interrupted may hold locks of pyspark, so another one does it. What it does
    not get done in time is left to the next run.
    """
    for engine in tuple(_unfinished):
        thread = threading.Thread(target=engine.discard, daemon=True)
        thread.start()
        thread.join(ENDING)


def split_parts(name: str) -> tuple[str, ...]:
    """The parts of a table's name as a user or this module wrote it."""
    return tuple(part.strip("`") for part in name.split("."))


def make_columns(fields: Iterable[Any]) -> tuple[Column, ...]:
    """The columns of a schema of Spark."""
    return tuple(make_column(field.name, field.dataType.simpleString()) for field in fields)


def make_column(name: str, kind: str) -> Column:
    """What is known of a column by its type."""
    return Column(
        name,
        kind,
        is_text=kind.startswith(TEXTS),
        exact=kind in EXACT or kind.startswith(("decimal(", *TEXTS)),
        nested=kind.startswith(NESTED),
        carried="interval" not in kind,
    )


# Data frames and sessions: known by their class, so that pyspark is loaded by whoever made one.


def is_spark(source: Any) -> bool:
    """Whether this is a data frame or a session of Spark, classic or Connect."""
    kind = type(source)
    return kind.__module__.startswith("pyspark.sql.") and kind.__name__ in (
        "DataFrame",
        "SparkSession",
    )


def open_spark(source: Any, table: str | None = None) -> Table:
    """A data frame, or a table that a session sees, as a Table whose rows stay where they are."""
    if type(source).__name__ == "SparkSession":
        engine = SparkEngine(source)
        return open_relation(engine, engine.find(table))
    engine = SparkEngine(source.sparkSession)
    return open_relation(engine, engine.find_frame(source))


def _choose_view() -> str:
    return f"{VIEW}{secrets.token_hex(8)}"


def _drop_view(session: Any, view: str) -> None:
    """Drop a view whose engine is gone; the session may be, too."""
    with silence_loggers(), contextlib.suppress(*list_spark_errors()):
        session.catalog.dropTempView(view)


def make_digest(parts: tuple[str, ...]) -> str:
    """The part of a hidden name that is the same for every run with this target."""
    return hashlib.sha256(".".join(parts).casefold().encode()).hexdigest()[:8]
