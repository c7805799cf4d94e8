"""PostgreSQL through ADBC: Arrow out, binary COPY in, one REPEATABLE READ transaction.

Counting, recoding and checking see one snapshot, and the release is committed with its final name:
it appears whole and verified or not at all, whatever happens to this program or to the server.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from discreet.display import hide_credentials
from discreet.engines.engine import (
    Column,
    Dialect,
    Relation,
    T,
    Target,
    choose_table,
    guard,
    make_taken_error,
    split_name,
)
from discreet.engines.transaction import TransactionEngine
from discreet.errors import MissingExtraError, SourceError, WriteError
from discreet.table.engine import quote_literal

POSTGRESQL = Dialect(
    "PostgreSQL",
    text_type="text",
    integer_type="bigint",
    text="CAST({} AS text)",
    bytewise='{} COLLATE "C"',
    seal="encode(sha256(convert_to({}, 'UTF8')), 'hex')",
    scatter="hashtextextended({}, 0)",
)
TEXTS = frozenset({"text", "varchar", "bpchar", "name", "citext"})
EXACT = frozenset({
    "bool", "int2", "int4", "int8", "oid", "date", "time", "timestamp", "timestamptz", "uuid",
    "text", "varchar", "bpchar", "name",
})  # fmt: skip
"""Types whose equal values have the same text; a numeric 1.0 equals 1.00 and has another."""
CARRIED = frozenset({
    "bool", "int2", "int4", "int8", "float4", "float8", "date", "time", "timestamp", "timestamptz",
    "text", "varchar", "bpchar", "bytea",
})  # fmt: skip
LONGEST = 63
"""Bytes of a name; longer ones would be cut off without a word."""

SESSION = (
    "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    "SET standard_conforming_strings = on",
    "SET TimeZone = 'UTC'",
    "SET DateStyle = 'ISO, YMD'",
    "SET IntervalStyle = 'iso_8601'",
    "SET bytea_output = 'hex'",
    "SET extra_float_digits = 1",
    "SET client_min_messages = error",
)
"""How values are written and rows are seen, whatever the server's own settings are."""

COUNTING = (
    "SELECT current_setting('statement_timeout') <> '0', current_setting('work_mem'), "
    "set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')) / 1024, 65536) "
    "|| 'kB', false)"
)
"""Whether statements are timed, and memory for groups: 64 MB for each process that counts, where
the server gives less. It is for counts alone; the release is sorted with what the server gives."""
PLANNING = ("SET LOCAL enable_nestloop = off", "SET LOCAL enable_mergejoin = off")
"""For the rest of the transaction; joins that cannot be hashed are still planned in other ways."""

REASONS = {
    "42501": ("there is no permission for this", "Ask the owner of the table or schema."),
    "42P01": ("the table is gone", "Look at its name."),
    "42P07": ("the name was taken meanwhile", "Choose another name."),
    "2BP01": ("other objects depend on the table that is to be replaced", "Choose another name."),
    "53100": ("the disk of the server is full", "Make room there, or use another tablespace."),
    "53200": ("the server has too little memory", "Ask its administrator."),
    "57014": ("the server cancelled the statement", "Look at its statement_timeout."),
    "57P01": ("the server is shutting down", "Run again when it is back."),
    "25006": ("this server only reads", "Connect to the primary server."),
}
CANCELLED = "57014"
LOST = ("the connection was lost", "Run again; nothing of this run is left on the server.")
ODD = ("the server refused a statement", "See the log of the server for the reason.")


class PostgresqlEngine(TransactionEngine):
    """One session with a database; the password is libpq's concern and is never kept or shown."""

    def __init__(self, address: str) -> None:
        super().__init__(POSTGRESQL, f"PostgreSQL {hide_credentials(address.partition('?')[0])}")
        self._address, self._is_timed, self._memory = address, False, ("", "")
        self._connection: Any = None

    def find(self, table: str | None) -> Relation:
        """The table or view of this name with its columns; those on the search path come first."""
        query = (
            "SELECT n.nspname, c.relname, pg_table_is_visible(c.oid), c.relkind::text, "
            "has_table_privilege(c.oid, 'SELECT') OR has_any_column_privilege(c.oid, 'SELECT') "
            "FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace "
            "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' "
            "AND n.nspname !~ '^pg_' AND NOT c.relispartition "
            "ORDER BY pg_table_is_visible(c.oid) DESC, n.nspname, c.relname"
        )
        rows = self._fetch(query)
        short = [row[1:2] if row[2] else row[:2] for row in rows]
        chosen = rows[short.index(choose_table(self.shown, table, short))]
        if not chosen[4]:
            what = f"there is no permission to read table '{table}'"
            raise SourceError(self.shown, what, "Ask its owner for SELECT on it.")
        return self._describe(chosen[:2], pinned=chosen[3] in ("r", "p", "m"))

    def _describe(self, parts: tuple[str, ...], pinned: bool = True) -> Relation:
        schema, table = (quote_literal(part) for part in parts)
        query = (
            "SELECT a.attname, format_type(a.atttypid, a.atttypmod), "
            "COALESCE(b.typname, t.typname), COALESCE(b.typtype, t.typtype)::text, "
            "COALESCE(b.typcategory, t.typcategory)::text "
            "FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid "
            "JOIN pg_namespace AS n ON n.oid = c.relnamespace "
            "JOIN pg_type AS t ON t.oid = a.atttypid "
            "LEFT JOIN pg_type AS b ON b.oid = t.typbasetype "
            f"WHERE n.nspname = {schema} AND c.relname = {table} AND a.attnum > 0 "
            "AND NOT a.attisdropped ORDER BY a.attnum"
        )
        columns = tuple(
            Column(
                name,
                kind,
                is_text=base in TEXTS,
                exact=base in EXACT or sort == "e",
                nested=category == "A" or sort == "c",
                carried=base in CARRIED,
            )
            for name, kind, base, sort, category in self._fetch(query)
        )
        return Relation(".".join(parts), self.dialect.name_table(parts), columns, parts, pinned)

    def pin(self, relation: Relation) -> Relation:
        """The session's transaction sees one snapshot, from its first statement on."""
        return relation

    def query(self, sql: str, rows_per_batch: int = 131_072) -> pa.RecordBatchReader:
        """The answer to a query, batch by batch."""

        def ask() -> tuple[Any, pa.RecordBatchReader]:
            cursor = self._open().cursor()
            cursor.execute(sql)
            return cursor, cursor.fetch_record_batch()

        cursor, reader = self._guard(ask)
        schema = pa.schema([(field.name, field.type) for field in reader.schema])
        return pa.RecordBatchReader.from_batches(schema, self._read(cursor, reader, schema))

    def _read(
        self, cursor: Any, reader: pa.RecordBatchReader, schema: pa.Schema
    ) -> Iterator[pa.RecordBatch]:
        batches = iter(reader)
        try:
            while (batch := self._guard(lambda: next(batches, None))) is not None:
                yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)
        finally:
            with contextlib.suppress(load_driver().Error):
                cursor.close()

    def put(self, rows: pa.Table) -> str:
        """A temporary table, sent by binary COPY, so that no value is in a statement."""
        name = f"discreet_put_{self._count_put()}"

        def send() -> None:
            with self._open().cursor() as cursor:
                cursor.adbc_ingest(name, rows, mode="create", temporary=True)
                cursor.execute(f"ANALYZE pg_temp.{name}")

        self._guard(send, writing=True)
        return f"pg_temp.{name}"

    def aim(self, name: str, replace: bool) -> Target:
        """The place for a release: a schema in which the user may create tables."""
        here = self._fetch("SELECT COALESCE(current_schema(), '')")[0][0]
        schema, table = split_name(name, here)
        self._check_schema(schema)
        if len(table.encode()) > LONGEST:
            what = f"a name may have {LONGEST} bytes, and this has {len(table.encode())}"
            raise WriteError(self.shown, what, "Choose a shorter name.")
        query = (
            "SELECT c.relkind::text FROM pg_class AS c JOIN pg_namespace AS n "
            f"ON n.oid = c.relnamespace WHERE n.nspname = {quote_literal(schema)} "
            f"AND c.relname = {quote_literal(table)}"
        )
        kinds = [row[0] for row in self._fetch(query)]
        if kinds and not replace:
            raise make_taken_error(self.shown, name)
        if kinds and kinds != ["r"]:
            what = f"'{name}' is not a plain table, so it is not replaced"
            raise WriteError(self.shown, what, "Choose another name.")
        return self._make_target(name, (schema,), (schema, table), table, replace)

    def _check_schema(self, schema: str) -> None:
        """Stop before any work where no table may be created."""
        query = (
            "SELECT has_schema_privilege(oid, 'CREATE'), "
            "has_database_privilege(current_database(), 'TEMP') "
            f"FROM pg_namespace WHERE nspname = {quote_literal(schema)}"
        )
        found = self._fetch(query)
        if not found:
            fix = "Create it, or name another; a file is named with its folder, as ./release.csv."
            raise WriteError(self.shown, f"there is no schema '{schema}'", fix)
        if not found[0][0]:
            what = f"there is no permission to create tables in schema '{schema}'"
            raise WriteError(self.shown, what, "Ask for CREATE on it, or name another schema.")
        if not found[0][1]:
            what = "there is no permission for temporary tables, which hold the small maps"
            raise WriteError(self.shown, what, "Ask for TEMP on the database.")

    def create(self, target: Target, select: str) -> Relation:
        """Make the staging table; the planner is told to hash the small tables.

        It cannot know that every row finds its one map row, and takes a handful of rows for the
        result: with loops over all pairs of rows a release takes many times as long.
        """
        own, raised = (f"SET LOCAL work_mem = {quote_literal(one)}" for one in self._memory)
        for setting in (*PLANNING, own):
            self._write(setting)
        made = super().create(target, select)
        self._write(raised)
        return made

    def _commit(self, target: Target) -> None:
        try:
            self._guard(self._open().commit, writing=True)
        except WriteError as error:
            left = f"Look whether '{target.name}' is there: if so, it is whole and verified."
            raise WriteError(self.shown, error.what, error.fix, left) from None

    def _roll_back(self) -> None:
        """The server does the same where the connection is gone."""
        if self._connection is not None:
            try:
                self._connection.rollback()
            except load_driver().Error:  # the connection is gone, and is not used again
                self._disconnect()

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                connection.close()

    def _fetch(self, sql: str) -> list[tuple[Any, ...]]:
        def ask() -> list[tuple[Any, ...]]:
            with self._open().cursor() as cursor:
                cursor.execute(sql)
                return [tuple(row) for row in cursor.fetchall()]

        return self._guard(ask)

    def _write(self, sql: str) -> None:
        def run() -> None:
            with self._open().cursor() as cursor:
                cursor.execute(sql)

        self._guard(run, writing=True)

    def _guard(self, work: Callable[[], T], writing: bool = False) -> T:
        errors = (load_driver().Error, pa.ArrowException, OSError)
        return guard(work, errors, lambda error: self._explain(error, writing))

    def _explain(self, error: Exception, writing: bool) -> BaseException:
        state = getattr(error, "sqlstate", None)
        if state == CANCELLED and not self._is_timed:  # the driver passes Ctrl-C on to the server
            return KeyboardInterrupt()
        lost = state is None or state.startswith("08")
        what, fix = REASONS.get(state or "", LOST if lost else ODD)
        if (what, fix) == ODD:
            what = f"{what} (SQLSTATE {state})"
        return (WriteError if writing else SourceError)(self.shown, what, fix)

    def _open(self) -> Any:
        if self._connection is None:
            self._connection = self._connect()
        return self._connection

    def _connect(self) -> Any:
        driver = load_driver()

        def connect() -> Any:
            connection = driver.connect(self._address)
            with connection.cursor() as cursor:
                for setting in SESSION:
                    cursor.execute(setting)
                cursor.execute(COUNTING)
                self._is_timed, *memory = cursor.fetchone()
                self._memory = tuple(memory)
            connection.commit()
            return connection

        errors = (driver.Error, ValueError)
        return guard(
            connect, errors, lambda e: SourceError(self.shown, *explain_connection(str(e)))
        )


def load_driver() -> Any:
    """The driver, which is an extra."""
    try:
        import adbc_driver_postgresql.dbapi as driver
    except ImportError:
        raise MissingExtraError("PostgreSQL", "postgresql") from None
    return driver


def explain_connection(said: str) -> tuple[str, str]:
    """Why there is no connection, and what to do; what libpq said is not shown."""
    low = said.lower()
    for words, what, fix in (
        ("password", "the password is missing or wrong",
         "Give it in PGPASSWORD, in ~/.pgpass or in a service file."),
        ("does not exist", "there is no such database or user", "Look at the address."),
        ("translate host", "the name of the server is not known", "Look at the address."),
        ("refused", "no server answers there", "Look at host and port, and whether it runs."),
        ("no such file", "no server answers there", "Look at host and port, and whether it runs."),
        ("timeout", "the server does not answer", "Look at host and port, and at firewalls."),
        ("no pg_hba.conf entry", "the server does not let this user in from here",
         "Ask its administrator."),
        ("ssl", "no secure connection can be made", "Look at sslmode and the certificates."),
        ("invalid", "this is not an address that PostgreSQL understands",
         "Write postgresql://USER@HOST:PORT/DATABASE."),
    ):  # fmt: skip
        if words in low:
            return what, fix
    return "the server cannot be reached", "Look at the address, and whether the server runs."
