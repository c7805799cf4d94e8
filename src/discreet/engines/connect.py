"""From an address to the engine that is there."""

from __future__ import annotations

from pathlib import Path

from discreet.display import hide_credentials
from discreet.engines.address import ENGINES, AddressPath, find_scheme, read_path
from discreet.engines.duckdb import open_duckdb_engine
from discreet.engines.engine import Engine
from discreet.engines.postgresql import PostgresqlEngine
from discreet.engines.spark_session import connect_to_spark
from discreet.engines.sqlite import open_sqlite_engine
from discreet.errors import SourceError


def connect_to(source: str | Path) -> Engine:
    """The engine at an address.

    ``duckdb:///PATH`` and ``sqlite:///PATH`` are files that are worked on in place.
    """
    address = (source.address if isinstance(source, AddressPath) else str(source)).strip()
    scheme = find_scheme(address)
    if scheme == "duckdb":
        return open_duckdb_engine(read_path(address))
    if scheme == "sqlite":
        return open_sqlite_engine(read_path(address))
    if scheme in ("postgresql", "postgres"):
        return PostgresqlEngine(address)
    if scheme in ("spark", "sc"):
        return connect_to_spark(address)
    what = "no engine for such addresses"
    raise SourceError(hide_credentials(address), what, f"Known are {', '.join(ENGINES)}.")
