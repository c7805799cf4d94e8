"""From a file, a frame or the address of a database to a Table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from discreet.display import hide_credentials
from discreet.engines.address import ENGINES, AddressPath, find_scheme, read_path, split_table
from discreet.engines.duckdb import DuckdbEngine
from discreet.engines.engine import Engine
from discreet.engines.postgresql import PostgresqlEngine
from discreet.engines.spark import is_spark, open_spark
from discreet.engines.spark_session import connect_to_spark
from discreet.engines.sqlite import SqliteEngine
from discreet.engines.table import open_relation
from discreet.engines.transaction import open_file_engine
from discreet.errors import SourceError
from discreet.table.read import read as read_file
from discreet.table.table import Table


def read(
    source: Any,
    *,
    table: str | None = None,
    separator: str | None = None,
    quote: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    header: bool | None = None,
) -> Table:
    """Your table, ready for use: a file by its extension, a frame, or a table in a database.

    Nothing is typed in a way that changes a value. What is not given is found from the file:
    `separator`, `quote` and `encoding` of a CSV file, the only `sheet` of a workbook or `table` of
    a database. A folder of Parquet files is one table. If the first line of a CSV file or sheet
    looks like a row, columns are called column 1, column 2 and so on, unless `header` is true:
    then it holds names.

    The rows of a table in a database, such as ``postgresql://db.example.org/clinic`` with a `table`
    or ``postgresql://db.example.org/clinic#visits``, of a Spark data frame, and of a `table` of a
    Spark session stay there: only different values, counts and small maps come to this computer.

    >>> import pyarrow as pa
    >>> read(pa.table({"zip": ["02138"]})).columns
    ('zip',)
    """
    name = table if sheet is None else sheet
    if is_spark(source):
        return open_spark(source, name)
    if find_scheme(source) is not None:
        address, named = split_table(_write_address(source))
        if named is not None and name not in (None, named):
            what = "two tables are named, one of them in the address"
            raise SourceError(hide_credentials(address), what, "Name one of them.")
        engine = connect_to(address)
        return open_relation(engine, engine.find(named or name))
    return read_file(
        source, separator=separator, quote=quote, encoding=encoding, sheet=name, header=header
    )


def _write_address(source: str | Path) -> str:
    return (source.address if isinstance(source, AddressPath) else str(source)).strip()


def connect_to(source: str | Path) -> Engine:
    """The engine at an address.

    ``duckdb:///PATH`` and ``sqlite:///PATH`` are files that are worked on in place.
    """
    address = split_table(_write_address(source))[0]
    scheme = find_scheme(address)
    if scheme == "duckdb":
        return open_file_engine(DuckdbEngine, read_path(address))
    if scheme == "sqlite":
        return open_file_engine(SqliteEngine, read_path(address))
    if scheme in ("postgresql", "postgres"):
        return PostgresqlEngine(address)
    if scheme in ("spark", "sc"):
        return connect_to_spark(address)
    what = "no engine for such addresses"
    raise SourceError(hide_credentials(address), what, f"Known are {', '.join(ENGINES)}.")
