"""Addresses of databases and clusters, each with its engine; passwords are never shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from discreet.display import hide_credentials
from discreet.errors import SourceError

_SCHEME = re.compile(r"\s*([A-Za-z][\w+.-]*)://")
ENGINES = ("postgresql", "postgres", "sqlite", "duckdb", "spark", "sc")
"""Schemes of addresses that have an engine."""


def find_scheme(source: Any) -> str | None:
    """The scheme of an address that has an engine; None for anything else.

    A plain path is none: paths lose slashes, and another server might be meant without them.

    >>> find_scheme("postgresql://db.example.org/clinic"), find_scheme("people.csv")
    ('postgresql', None)
    """
    text = source.address if isinstance(source, AddressPath) else source
    found = _SCHEME.match(text) if isinstance(text, str) else None
    scheme = found[1].casefold() if found else None
    return scheme if scheme in ENGINES else None


def split_table(address: str) -> tuple[str, str | None]:
    """The address of a database, and the table that is named after a ``#``, if any is.

    >>> split_table("postgresql://db.example.org/clinic#research.visits")
    ('postgresql://db.example.org/clinic', 'research.visits')
    >>> split_table("postgresql://ann:#1@db.example.org/clinic")[1] is None
    True
    """
    before, mark, table = address.rpartition("#")
    if not mark or "@" in table or "/" in table:  # it is in the password, or in a path
        return address, None
    if re.search(r"[?&;]\s*(password|token|passfile)\s*=[^&;]*$", before, re.IGNORECASE):
        what = "it cannot be told whether # belongs to a password or names a table"
        fix = "Name the table apart from the address, and write # in a password as %23."
        raise SourceError("address", what, fix)
    return before, unquote(table) or None


class AddressPath(type(Path())):  # type: ignore[misc]
    """An address where a command has the path of a file: as a path it holds no password."""

    address = ""

    @property
    def name(self) -> str:
        """The address as it may be shown, with the table that it names."""
        try:
            address, table = split_table(self.address)
        except SourceError:  # a password may be where a table would be
            address, table = self.address.partition("?")[0].partition("#")[0], None
        shown = hide_credentials(address.partition("?")[0])
        return shown if table is None else f"{shown}#{table}"

    def __str__(self) -> str:
        return self.name


def parse_path(text: str) -> Path:
    """The path that a command was given, or the address of a database, kept to the letter."""
    if find_scheme(text) is None:
        return Path(text)
    path = AddressPath("address")
    path.address = text
    return path


def read_path(address: str) -> Path:
    """The path of a file in ``duckdb:///PATH``: with three slashes it is relative, with four not.

    >>> str(read_path("sqlite:///data/clinic.db")), str(read_path("duckdb:////srv/clinic.duckdb"))
    ('data/clinic.db', '/srv/clinic.duckdb')
    """
    rest = address.partition("://")[2]
    return Path(unquote(rest[1:] if rest.startswith("/") else rest))
