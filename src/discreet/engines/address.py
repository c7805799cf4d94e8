"""Addresses of databases and clusters, each with its engine; passwords are never shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from discreet.display import hide_credentials
from discreet.engines.duckdb import open_duckdb_engine
from discreet.engines.engine import Engine
from discreet.engines.postgresql import PostgresqlEngine
from discreet.engines.spark_session import connect_to_spark
from discreet.engines.sqlite import open_sqlite_engine
from discreet.errors import SourceError

_SCHEME = re.compile(r"([A-Za-z][\w+.-]*)://")
ENGINES = ("postgresql", "postgres", "sqlite", "duckdb", "spark", "sc")
"""Schemes of addresses that have an engine."""


def find_scheme(source: Any) -> str | None:
    """The scheme of an address that has an engine; None for anything else.

    >>> find_scheme("postgresql://db.example.org/clinic"), find_scheme("people.csv")
    ('postgresql', None)
    """
    text = source.address if isinstance(source, AddressPath) else str(source)
    found = _SCHEME.match(restore_slashes(text))
    scheme = found[1].casefold() if found else None
    return scheme if scheme in ENGINES else None


def restore_slashes(text: str) -> str:
    """An address that went through a path, which makes one of two slashes."""
    return re.sub(r"^([A-Za-z][\w+.-]*):/(?!/)", r"\1://", text.strip())


class AddressPath(type(Path())):  # type: ignore[misc]
    """An address where a command has the path of a file: as a path it holds no password."""

    address = ""

    @property
    def name(self) -> str:
        """The address as it may be shown."""
        return hide_credentials(self.address)


def parse_path(text: str) -> Path:
    """The path that a command was given, or the address of a database, kept to the letter."""
    if find_scheme(text) is None:
        return Path(text)
    path = AddressPath(hide_credentials(text))
    path.address = text
    return path


def connect_to(source: str | Path) -> Engine:
    """The engine at an address.

    ``duckdb:///PATH`` and ``sqlite:///PATH`` are files that are worked on in place.
    """
    address = source.address if isinstance(source, AddressPath) else restore_slashes(str(source))
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


def read_path(address: str) -> Path:
    """The path of a file in ``duckdb:///PATH``: with three slashes it is relative, with four not.

    >>> str(read_path("sqlite:///data/clinic.db")), str(read_path("duckdb:////srv/clinic.duckdb"))
    ('data/clinic.db', '/srv/clinic.duckdb')
    """
    rest = address.partition("://")[2]
    return Path(unquote(rest[1:] if rest.startswith("/") else rest))
