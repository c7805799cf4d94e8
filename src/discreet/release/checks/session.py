"""A private, bounded SQL session in which released rows are counted; it writes no files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb
import numpy.typing as npt
import pyarrow as pa

from discreet.display import dataclass
from discreet.errors import DiscreetError, TooManyClassesError
from discreet.table.engine import connect
from discreet.table.table import Table


@dataclass(frozen=True, eq=False)
class Session:
    """A DuckDB connection of its own, forgotten when the check is over."""

    connection: duckdb.DuckDBPyConnection

    def run(self, sql: str) -> list[tuple[Any, ...]]:
        """Run one statement and give all rows of its answer."""
        found: list[tuple[Any, ...]] = self.connection.execute(sql).fetchall()
        return found

    def row(self, sql: str) -> tuple[Any, ...]:
        """The only row of an answer that always has one."""
        return self.run(sql)[0]

    def arrays(self, sql: str) -> dict[str, npt.NDArray[Any]]:
        """The columns of an answer as arrays."""
        return dict(self.connection.execute(sql).fetchnumpy())

    def stream(self, sql: str, reader: pa.RecordBatchReader) -> list[tuple[Any, ...]]:
        """Ask something of rows that are read once: ``rows`` has them as ``c0``, ``c1`` ..."""
        fields = ", ".join(f"c{position}" for position in range(len(reader.schema)))
        caught: list[DiscreetError] = []
        source = pa.RecordBatchReader.from_batches(reader.schema, _watched(reader, caught))
        self.connection.register("source", source)
        try:
            return self.run(f"WITH rows AS (SELECT * FROM source AS rows({fields})) {sql}")
        except duckdb.OutOfMemoryException:
            raise TooManyClassesError("the table") from None
        except duckdb.Error:
            if caught:
                raise caught[0] from None
            raise
        finally:
            self.connection.unregister("source")

    def load(self, name: str, table: Table, columns: Sequence[str]) -> None:
        """Count every distinct combination of ``columns`` as text, in one pass over the rows.

        The SQL table ``name`` has ``c0``, ``c1`` ... in the order of ``columns``, and ``n``.
        """
        fields = ", ".join(f"c{position}" for position in range(len(columns)))
        caught: list[DiscreetError] = []
        reader = table.scan(text=columns)
        source = pa.RecordBatchReader.from_batches(reader.schema, _watched(reader, caught))
        self.connection.register("source", source)
        try:
            self.run(
                f"CREATE TEMP TABLE {name} AS SELECT {fields}, count(*) AS n "
                f"FROM source AS rows({fields}) GROUP BY {fields}"
            )
        except duckdb.Error:
            if caught:
                raise caught[0] from None
            raise
        self.connection.unregister("source")


def _watched(reader: pa.RecordBatchReader, caught: list[DiscreetError]) -> Iterator[pa.RecordBatch]:
    """Keep a failure to read the file, which the engine would report in its own words."""
    try:
        yield from reader
    except DiscreetError as error:
        caught.append(error)
        raise


@contextmanager
def open_session(memory: str) -> Iterator[Session]:
    """Open a session that holds at most ``memory`` and never writes to disk."""
    with connect(memory) as connection:
        connection.execute("SET preserve_insertion_order = false").fetchall()
        yield Session(connection)
