"""Addresses of databases and clusters, each with its engine; passwords are never shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from discreet.display import hide_credentials
from discreet.engines.duckdb import open_duckdb_engine
from discreet.engines.engine import Engine
from discreet.errors import SourceError

_SCHEME = re.compile(r"([A-Za-z][\w+.-]*)://")
ENGINES = ("postgresql", "postgres", "sqlite", "duckdb", "spark", "sc")
"""Schemes of addresses that have an engine."""


def find_scheme(source: Any) -> str | None:
    """The scheme of an address that has an engine; None for anything else.

    >>> find_scheme("postgresql://db.example.org/clinic"), find_scheme("people.csv")
    ('postgresql', None)
    """
    found = _SCHEME.match(restore_slashes(str(source)))
    scheme = found[1].casefold() if found else None
    return scheme if scheme in ENGINES else None


def restore_slashes(text: str) -> str:
    """An address that went through a path, which makes one of two slashes."""
    return re.sub(r"^([A-Za-z][\w+.-]*):/(?!/)", r"\1://", text.strip())


def connect_to(address: str) -> Engine:
    """The engine at an address.

    ``duckdb:///PATH`` and ``sqlite:///PATH`` are files that are worked on in place.
    """
    text, scheme = restore_slashes(address), find_scheme(address)
    if scheme == "duckdb":
        return open_duckdb_engine(read_path(text))
    what = "no engine for such addresses"
    raise SourceError(hide_credentials(text), what, f"Known are {', '.join(ENGINES)}.")


def read_path(address: str) -> Path:
    """The path of a file in ``duckdb:///PATH``: with three slashes it is relative, with four not.

    >>> str(read_path("sqlite:///data/clinic.db")), str(read_path("duckdb:////srv/clinic.duckdb"))
    ('data/clinic.db', '/srv/clinic.duckdb')
    """
    rest = address.partition("://")[2]
    return Path(unquote(rest[1:] if rest.startswith("/") else rest))
