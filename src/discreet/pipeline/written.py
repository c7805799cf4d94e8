"""How a release stands in its file: the order of its rows, and how it is read back."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import SourceError
from discreet.table.files.text import Dialect
from discreet.table.read import TEXT, kind, read

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

    from discreet.policy.policy import Policy
    from discreet.table.table import Table


TABBED = (".tsv", ".tab")
"""Endings of files whose fields are separated by tabs, whatever the private table has."""


def choose_order_key(policy: Policy) -> bytes | None:
    """The key that scrambles the rows, from the seed or the operating system; None keeps them."""
    if policy.order == "keep":
        return None
    if policy.seed is None:
        return secrets.token_bytes(16)
    return hashlib.blake2b(str(policy.seed).encode(), digest_size=16).digest()


def reopen_written(path: Path, dialect: Dialect | None) -> Table:
    """The written file, read back in the dialect it was written in.

    That is UTF-8 where the encoding of the private table lacks a letter of the release.
    """
    ending = kind(path)
    if ending not in TEXT:
        return read(path, header=True)
    dialect = dialect or Dialect()
    separator = "\t" if ending in TABBED else dialect.separator
    quote = dialect.quote or '"'
    try:
        return read(path, separator=separator, quote=quote, encoding="utf-8", header=True)
    except SourceError:
        return read(path, separator=separator, quote=quote, encoding=dialect.encoding, header=True)


def make_polars_frame(released: pa.Table) -> pl.DataFrame:
    """The release as a polars frame."""
    import polars as pl

    frame = pl.from_arrow(released)
    assert isinstance(frame, pl.DataFrame)
    return frame
